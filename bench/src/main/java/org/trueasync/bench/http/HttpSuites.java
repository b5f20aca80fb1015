package org.trueasync.bench.http;

import static org.trueasync.bench.Peer.NETTY_EPOLL;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.OURS_ON_ONE_CORE;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.util.Arrays;
import java.util.List;
import java.util.stream.Stream;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.http.HttpServerProcess.Kind;
import org.trueasync.bench.load.LoadClient;
import org.trueasync.bench.load.ServerSuite;
import org.trueasync.bench.load.ServerSuite.Load;
import org.trueasync.bench.load.ServerSuite.Program;
import org.trueasync.bench.report.Target;

/** The suites that measure servers of HTTP. */
public final class HttpSuites {
    private static final Program PROGRAM =
            new Program(HttpServerProcess.class, LoadClient.Protocol.HTTP, "request", "requests", Pace::httpWarmUp);

    private HttpSuites() {}

    /**
     * Compares servers whose handlers run on our loop with the same servers on virtual threads with one carrier, and a
     * fixed reply over our streams with Netty.
     */
    public static Suite servers(File log) {
        List<Load> loads = Arrays.stream(Kind.values())
                .filter(kind -> kind != Kind.FIXED_ON_CORES)
                .flatMap(kind -> kind == Kind.FIXED
                        ? loads(kind, List.of(OURS, NETTY_EPOLL))
                        : loads(kind, List.of(OURS, VIRTUAL_THREADS), atMost(0.75, VIRTUAL_THREADS)))
                .toList();
        return new ServerSuite(log, "http", PROGRAM, loads);
    }

    /**
     * Compares two loops that share the port with one loop; they send the fixed reply. Either server has one processor.
     */
    public static Suite cores(File log) {
        List<Load> loads = loads(Kind.FIXED_ON_CORES, List.of(OURS, OURS_ON_ONE_CORE), atMost(1.11, OURS_ON_ONE_CORE))
                .toList();
        return new ServerSuite(log, "cores-http", PROGRAM, loads);
    }

    private static Stream<Load> loads(Kind kind, List<Peer> peers, Target... targets) {
        return Stream.of(50, 500)
                .map(connections -> Load.of(PROGRAM, "HTTP by " + kind.title, kind, connections, peers, targets));
    }
}
