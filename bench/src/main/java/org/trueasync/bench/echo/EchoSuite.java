package org.trueasync.bench.echo;

import static org.trueasync.bench.Peer.FLOOR;
import static org.trueasync.bench.Peer.NETTY_EPOLL;
import static org.trueasync.bench.Peer.NETTY_NIO;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.OURS_ON_NIO;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Row.rate;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/**
 * Cpu time of the server for each message, and messages per second, with few and many connections.
 *
 * <p>Cpu per message is the figure to trust: messages per second depend on the client as well and on what else the machine does.
 */
public final class EchoSuite implements Suite {

    private static final int SERVER_CPU = 0;
    private static final int CLIENT_CPU = 1;

    private static final List<Load> LOADS = List.of(Load.of(1), Load.of(50), Load.of(1_000));

    private final File log;

    public EchoSuite(File log) {
        this.log = log;
    }

    private record Load(int connections, Row cpu, Row messages) {
        static Load of(int connections) {
            String title = connections == 1 ? "echo, 1 connection" : "echo, %,d connections".formatted(connections);
            return new Load(
                    connections,
                    cost(title + ", server cpu per message", "us", atMost(1.0, FLOOR)),
                    rate(title + ", messages per second", "1/s"));
        }
    }

    @Override
    public String name() {
        return "echo";
    }

    @Override
    public List<Row> rows() {
        return LOADS.stream()
                .flatMap(load -> Stream.of(load.cpu(), load.messages()))
                .toList();
    }

    /** Netty's native transport is on our class path for one platform only. */
    @Override
    public List<Peer> peers() {
        var peers = new ArrayList<>(List.of(OURS, OURS_ON_NIO, FLOOR, VIRTUAL_THREADS, NETTY_NIO));
        if (System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64")) {
            peers.add(NETTY_EPOLL);
        }
        return peers;
    }

    @Override
    public int rounds(Pace pace) {
        return pace.echoRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        return LOADS.stream()
                .flatMap(load -> peers.stream()
                        .map(peer -> new Measurement(
                                load.cpu().title() + ", " + peer.title, results -> measure(load, peer, pace, results))))
                .toList();
    }

    private void measure(Load load, Peer peer, Pace pace, Results results) throws IOException, InterruptedException {
        int port = freePort();
        try (var server = ChildJvm.start(log, JvmFlags.server(peer), EchoServer.class, peer, port)) {
            server.expect("LISTENING");
            try (var client = ChildJvm.start(
                    log,
                    JvmFlags.client(),
                    EchoClient.class,
                    port,
                    load.connections(),
                    pace.echoWarmUp().toMillis(),
                    pace.echoWindow().toMillis())) {
                client.expect("WARM");
                Cpu.pin(server.pid(), SERVER_CPU, log);
                Cpu.pin(client.pid(), CLIENT_CPU, log);
                client.say("GO");
                client.expect("START");
                long before = Cpu.nanosOf(server.pid());
                String[] done = client.expect("DONE");
                long cpuNanos = Cpu.nanosOf(server.pid()) - before;
                double messages = Double.parseDouble(done[0]);
                results.add(load.cpu(), peer, cpuNanos / messages / 1e3);
                results.add(load.messages(), peer, messages / Double.parseDouble(done[1]) * 1e9);
            }
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
