package org.trueasync.bench.http;

import static org.trueasync.bench.Peer.NETTY_EPOLL;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Row.rate;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.io.IOException;
import java.util.ArrayList;
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

/** Servers of HTTP whose handlers run on our loop, beside the same servers on virtual threads with one carrier; and Netty beside a fixed reply of ours. */
public final class HttpSuite implements Suite {

    private static final int[] CONNECTIONS = {50, 500};

    private final File log;
    private final List<Load> loads = new ArrayList<>();

    public HttpSuite(File log) {
        this.log = log;
        for (HttpServerProcess.Kind kind : HttpServerProcess.Kind.values()) {
            for (int connections : CONNECTIONS) loads.add(Load.of(kind, connections));
        }
    }

    private record Load(HttpServerProcess.Kind kind, int connections, Row cpu, Row requests) {
        static Load of(HttpServerProcess.Kind kind, int connections) {
            String title = "HTTP by %s, %d connections".formatted(kind.title, connections);
            Target[] targets = kind == HttpServerProcess.Kind.FIXED
                    ? new Target[] {}
                    : new Target[] {atMost(0.75, VIRTUAL_THREADS)};
            return new Load(
                    kind,
                    connections,
                    cost(title + ", server cpu per request", "us", targets),
                    rate(title + ", requests per second", "1/s"));
        }

        boolean has(Peer peer) {
            return peer == OURS || peer == (kind == HttpServerProcess.Kind.FIXED ? NETTY_EPOLL : VIRTUAL_THREADS);
        }
    }

    @Override
    public String name() {
        return "http";
    }

    @Override
    public List<Row> rows() {
        return loads.stream()
                .flatMap(load -> Stream.of(load.cpu(), load.requests()))
                .toList();
    }

    @Override
    public List<Peer> peers() {
        return List.of(OURS, VIRTUAL_THREADS, NETTY_EPOLL);
    }

    @Override
    public int rounds(Pace pace) {
        return pace.echoRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> chosen, Pace pace) {
        return loads.stream()
                .flatMap(load -> chosen.stream()
                        .filter(load::has)
                        .map(peer -> new Measurement(
                                load.cpu().title() + ", " + peer.title, results -> measure(load, peer, pace, results))))
                .toList();
    }

    private void measure(Load load, Peer peer, Pace pace, Results results) throws IOException, InterruptedException {
        ServerLoad measured = ServerLoad.measure(
                log,
                port -> ChildJvm.start(log, JvmFlags.server(peer), HttpServerProcess.class, peer, port, load.kind()),
                LoadClient.Protocol.HTTP,
                load.connections(),
                pace.httpWarmUp(),
                pace.echoWindow());
        results.add(load.cpu(), peer, measured.cpuMicros());
        results.add(load.requests(), peer, measured.perSecond());
    }
}
