package org.trueasync.reactor.nio;

import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trueasync.Body;
import org.trueasync.faults.CallFaults;
import org.trueasync.faults.FaultRun;
import org.trueasync.faults.FaultScenarios;

/** Lets each call of the JDK's channels fail; in a JVM of its own, whose channels are all {@link FaultySelectors}'. */
final class ChannelFaultRun extends FaultRun {
    /** It waits for a lock, so it is called only while another process has that one. */
    private static final String UNREACHED = "FileChannel.lock";

    private ChannelFaultRun(boolean whole) {
        super(NioReactor::new, whole);
    }

    /** "whole": everything; "sample": one error at a few sites; a second argument is part of scenarios' names. */
    public static void main(String[] arguments) throws Exception {
        CallFaults.countClassesOf(
                List.of(ChannelFaultRun.class.getPackageName() + ".", "org.trueasync.spi.ChannelFile"),
                ChannelFaultRun.class,
                FaultyCalls.class,
                FaultyDatagrams.class,
                FaultyFile.class,
                FaultyFiles.class,
                FaultySelectors.class,
                FaultyServerSocket.class,
                FaultySocket.class);
        boolean whole = arguments[0].equals("whole");
        var run = new ChannelFaultRun(whole);
        String only = arguments.length > 1 ? arguments[1] : "";
        inFolder(folder -> {
            run.scenario("start", true, ChannelFaultRun::start);
            Map<String, Body> scenarios =
                    new FaultScenarios(folder).files(FaultyFiles::of).all();
            // processes and watches go to the system by parts of the JDK that nothing here takes the place of
            scenarios.keySet().removeIf(name -> name.matches("process.*|watch"));
            if (!whole) scenarios.keySet().retainAll(Set.of("tcp, a server goes on", "udp", "file"));
            scenarios.keySet().removeIf(name -> !name.contains(only));
            run.all(scenarios);
            if (!whole || !only.isEmpty()) return;
            for (String each : FaultyCalls.all())
                if (!run.reached().contains(each) && !each.equals(UNREACHED)) run.complain(each + " is not reached");
        });
    }

    /** A reactor is made, waits, is woken and closed; not in a coroutine. */
    private static void start() throws Throwable {
        var reactor = new NioReactor();
        try {
            reactor.execute(true);
            Thread.ofPlatform().start(reactor::trigger).join();
            reactor.execute(false);
        } finally {
            reactor.close();
        }
    }

    @Override
    protected List<CallFaults.Error> errorsAt(CallFaults.Site site) {
        return FaultyCalls.errorsOf(site.function());
    }

    @Override
    protected boolean isClear(CallFaults.Fault fault, String text) {
        return FaultyCalls.isNamed(fault.error(), text);
    }

    @Override
    protected long blocks() {
        return 0;
    }
}
