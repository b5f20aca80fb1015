package org.trueasync.bench.echo;

import static org.trueasync.bench.Peer.FLOOR;
import static org.trueasync.bench.Peer.NETTY_EPOLL;
import static org.trueasync.bench.Peer.NETTY_NIO;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.OURS_BY_TCP_STREAM;
import static org.trueasync.bench.Peer.OURS_ON_NIO;
import static org.trueasync.bench.Peer.OURS_ON_TWO_CORES;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Row.rate;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.load.LoadClient;
import org.trueasync.bench.load.ServerLoad;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;
import org.trueasync.bench.report.Target;

/**
 * Cpu time of the server for each message, and messages per second, with few and many connections.
 *
 * <p>Cpu per message is the figure to trust: messages per second depend on the client as well and on what else the machine does.
 */
public final class EchoSuite implements Suite {

    private static final int[] CONNECTIONS = {1, 50, 1_000};

    private final File log;
    private final String name;
    private final EchoServer.Kind kind;
    private final List<Peer> peers;
    private final List<Load> loads;

    private EchoSuite(File log, String name, EchoServer.Kind kind, List<Peer> peers, Target... targets) {
        this.log = log;
        this.name = name;
        this.kind = kind;
        this.peers = peers;
        this.loads = Arrays.stream(CONNECTIONS)
                .mapToObj(connections -> Load.of(kind.title, connections, targets))
                .toList();
    }

    /** Each peer by the sockets that it is known for. */
    public static EchoSuite best(File log) {
        var peers = new ArrayList<>(List.of(OURS, OURS_ON_NIO, FLOOR, VIRTUAL_THREADS, NETTY_NIO));
        // Netty's native transport is on our class path for one platform only.
        if (System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64")) {
            peers.add(NETTY_EPOLL);
        }
        return new EchoSuite(log, "echo", EchoServer.Kind.BEST, peers, atMost(1.0, FLOOR));
    }

    /** All by {@code java.net.Socket}, blocking, beside our own streams. */
    public static EchoSuite jdkSockets(File log) {
        return new EchoSuite(
                log,
                "jdk-sockets",
                EchoServer.Kind.JDK,
                List.of(OURS, OURS_BY_TCP_STREAM, OURS_ON_NIO, VIRTUAL_THREADS),
                atMost(1.15, OURS_BY_TCP_STREAM),
                atMost(0.7, VIRTUAL_THREADS));
    }

    /** One loop, and two that share the port. Both have one processor: what two cores cost more for each message is what they can't win. */
    public static EchoSuite cores(File log) {
        return new EchoSuite(
                log, "cores-echo", EchoServer.Kind.CORES, List.of(OURS_ON_TWO_CORES, OURS), atMost(1.11, OURS));
    }

    private record Load(int connections, Row cpu, Row messages) {
        static Load of(String what, int connections, Target... targets) {
            String title = what + (connections == 1 ? ", 1 connection" : ", %,d connections".formatted(connections));
            return new Load(
                    connections,
                    cost(title + ", server cpu per message", "us", targets),
                    rate(title + ", messages per second", "1/s"));
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Row> rows() {
        return loads.stream()
                .flatMap(load -> Stream.of(load.cpu(), load.messages()))
                .toList();
    }

    @Override
    public List<Peer> peers() {
        return peers;
    }

    @Override
    public int rounds(Pace pace) {
        return pace.echoRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> chosen, Pace pace) {
        return loads.stream()
                .flatMap(load -> chosen.stream()
                        .map(peer -> new Measurement(
                                load.cpu().title() + ", " + peer.title, results -> measure(load, peer, pace, results))))
                .toList();
    }

    private void measure(Load load, Peer peer, Pace pace, Results results) throws IOException, InterruptedException {
        ServerLoad measured = ServerLoad.measure(
                log,
                port -> ChildJvm.start(log, JvmFlags.server(peer), EchoServer.class, peer, port, kind),
                LoadClient.Protocol.ECHO,
                load.connections(),
                pace.echoWarmUp(),
                pace.echoWindow());
        results.add(load.cpu(), peer, measured.cpuMicros());
        results.add(load.messages(), peer, measured.perSecond());
    }
}
