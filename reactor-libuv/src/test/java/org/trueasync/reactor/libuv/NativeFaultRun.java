package org.trueasync.reactor.libuv;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Cores;
import org.trueasync.faults.CallFaults;
import org.trueasync.faults.FaultRun;
import org.trueasync.faults.FaultScenarios;
import org.trueasync.io.Exec;
import org.trueasync.io.Tty;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SystemError;

/** Lets each native call of the reactor fail; in a JVM of its own, as all native functions are replaced. */
final class NativeFaultRun extends FaultRun {
    /** What only a program on a terminal reaches. */
    private static final Set<String> TERMINAL = Set.of("uv_tty_init", "uv_tty_set_mode", "uv_tty_get_winsize");

    /** What no scenario reaches, and why. */
    private static final Map<String, String> UNREACHED = Map.of(
            "ioctl", "only on XFS, to ask how a file is written",
            "dup", "only before the first loop of a process; DescriptorsExhaustedTest",
            "uv_tty_reset_mode", "only when the JVM ends in raw mode, and nobody is left to be told; TerminalTest");

    private NativeFaultRun(boolean whole) {
        super(UvReactor::new, whole);
    }

    /**
     * "whole": everything; "sample": one error at a few sites; "terminal": what needs a terminal. With a second
     * argument, only scenarios with this in their names.
     */
    public static void main(String[] arguments) throws Exception {
        FaultyFunctions.install();
        String what = arguments[0];
        var run = new NativeFaultRun(!what.equals("sample"));
        inFolder(folder -> {
            if (what.equals("terminal")) run.terminal();
            else run.all(folder, what, arguments.length > 1 ? arguments[1] : "");
        });
    }

    private void all(Path folder, String what, String only) throws Exception {
        scenario("start", true, NativeFaultRun::start);
        if (what.equals("whole")) quitSignal();
        Map<String, Body> scenarios = new FaultScenarios(folder).all();
        scenarios.put("poll", NativeFaultRun::poll);
        scenarios.put("poll of a broken pipe", NativeFaultRun::pollOfBrokenPipe);
        scenarios.put("process, no descriptors of processes", NativeFaultRun::processWithoutDescriptors);
        scenarios.put("cores", NativeFaultRun::cores);
        if (what.equals("sample")) scenarios.keySet().retainAll(Set.of("tcp, a server goes on", "udp", "file"));
        scenarios.keySet().removeIf(name -> !name.contains(only));
        all(scenarios);
        if (what.equals("whole") && only.isEmpty()) nothingIsForgotten();
    }

    private void terminal() throws Exception {
        scenario("start", true, NativeFaultRun::start);
        scenario("terminal", false, NativeFaultRun::terminals);
        for (String each : TERMINAL) if (!reached().contains(each)) complain(each + " is not reached");
    }

    /** Each function of the reactor has a line in the table, and the other way round, and was made to fail. */
    private void nothingIsForgotten() throws Exception {
        Path classes =
                Path.of(UvReactor.class.getResource("UvReactor.class").toURI()).getParent();
        try (var files = Files.list(classes)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                String type = UvReactor.class.getPackageName() + "." + name.replace(".class", "");
                if (name.endsWith(".class") && !name.equals("package-info.class")) Class.forName(type);
            }
        }
        Set<String> made = FaultyFunctions.made();
        for (String each : made) {
            boolean mayFail = !Manual.of(each).errors().isEmpty();
            if (mayFail && !reached().contains(each) && !TERMINAL.contains(each) && !UNREACHED.containsKey(each))
                complain(each + " was not made to fail");
        }
        for (String each : Manual.functions())
            if (!made.contains(each) && !each.startsWith("uv_async_")) complain(each + " is no function of ours");
    }

    @Override
    protected List<CallFaults.Error> errorsAt(CallFaults.Site site) {
        return Manual.errorsAt(site);
    }

    @Override
    protected boolean isClear(CallFaults.Fault fault, String text) {
        String error = fault.error().name();
        return switch (fault.site().function()) {
            case "malloc" -> text.contains("OutOfMemoryError: no native memory") || text.indexOf(error) > 0;
            // made without errno, as a pin has one reason to fail
            case "sched_getaffinity", "sched_setaffinity" -> text.contains("AsyncException: the system does not ");
            default -> text.indexOf(error.equals("EOPNOTSUPP") ? "ENOTSUP" : error) > 0; // one number on Linux
        };
    }

    @Override
    protected long blocks() {
        return NativeMemory.liveBlocks();
    }

    // ---- the scenarios of this reactor

    /** A reactor is made, waits, is woken and closed; not in a coroutine. */
    private static void start() throws Throwable {
        var reactor = new UvReactor();
        try {
            reactor.execute(true);
            Thread.ofPlatform().start(reactor::trigger).join();
            reactor.execute(false);
            reactor.alarm(reactor.nanoTime() + 1_000_000);
            reactor.execute(false);
        } finally {
            reactor.close();
        }
    }

    /** Listening to a signal lasts as long as the process, so here it begins last, after all faults. */
    private void quitSignal() throws Exception {
        for (String function : List.of("sigaction", "uv_loop_init", "uv_signal_init", "uv_signal_start")) {
            for (CallFaults.Error error : Manual.of(function).errors()) {
                int descriptors = descriptors();
                CallFaults.next(List.of(new CallFaults.Fault(new CallFaults.Site(function, ""), error)));
                if (QuitSignal.listen(() -> {}) != null) complain("listens in spite of " + error + " of " + function);
                if (!CallFaults.over()) complain("does not call " + function);
                awaitSame(descriptors, blocks());
                reached().add(function);
            }
        }
        if (QuitSignal.listen(() -> {}) == null) complain("does not listen to SIGQUIT");
    }

    private static void poll() {
        int[] sockets = Sockets.pair();
        try {
            poll(sockets[0], PollHandle.WRITABLE);
        } finally {
            for (int socket : sockets) Libc.close(socket);
        }
    }

    /** A pipe that nobody reads any more. */
    private static void pollOfBrokenPipe() {
        long both = ((UvReactor) SchedulerProvider.get().reactor()).pipe();
        int toWrite = (int) (both >>> 32);
        if (toWrite < 0) throw UvErrors.exception("make", "a pipe", toWrite);
        Libc.close((int) both);
        try {
            poll(toWrite, PollHandle.READABLE | PollHandle.WRITABLE | PollHandle.DISCONNECT);
        } finally {
            Libc.close(toWrite);
        }
    }

    private static void poll(int descriptor, int expected) {
        var ready = new int[1];
        var errors = new SystemError[1];
        PollHandle poll = SchedulerProvider.get().reactor().poll(descriptor, new PollHandle.Listener() {
            @Override
            public void onReady(int events) {
                ready[0] |= events;
            }

            @Override
            public void onError(SystemError error) {
                errors[0] = error;
            }
        });
        try {
            poll.watch(PollHandle.WRITABLE);
            while (ready[0] == 0 && errors[0] == null) Async.delay(1);
            if (errors[0] != null) throw UvErrors.exception("poll", "", errors[0]);
            FaultScenarios.check(ready[0] == expected, "ready for " + ready[0]);
            poll.watch(0);
        } finally {
            poll.close();
        }
    }

    private static void processWithoutDescriptors() {
        UvChild.withoutProcessDescriptors = true;
        try {
            FaultScenarios.check(Exec.of("echo", "x").run().outText().equals("x\n"), "echo");
        } finally {
            UvChild.withoutProcessDescriptors = false;
        }
    }

    private static void cores() throws Exception {
        Cores.builder().count(1).pinned().run(() -> {
            FaultScenarios.check(Exec.of("true").discardOutput().run().exitCode() == 0, "true");
        });
    }

    private static void terminals() {
        try (Tty in = Tty.stdin();
                Tty out = Tty.stdout()) {
            in.tryRead(ByteBuffer.allocate(1)); // what script(1) types is not the subject
            in.raw(true);
            in.raw(false);
            out.size(); // null if the system does not tell it
            out.write(bytes());
            out.write(bytes(), bytes());
        }
    }

    private static ByteBuffer bytes() {
        return ByteBuffer.wrap(".".getBytes(StandardCharsets.US_ASCII));
    }
}
