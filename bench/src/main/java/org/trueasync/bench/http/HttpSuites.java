package org.trueasync.bench.http;

import static org.trueasync.bench.Peer.HELIDON;
import static org.trueasync.bench.Peer.NETTY_EPOLL;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.OURS_BY_TCP_STREAM;
import static org.trueasync.bench.Peer.OURS_ON_NIO;
import static org.trueasync.bench.Peer.OURS_ON_ONE_CORE;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Target.atMost;

import com.sun.management.UnixOperatingSystemMXBean;
import java.io.File;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.List;
import java.util.stream.Stream;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.http.HttpServerProcess.Kind;
import org.trueasync.bench.load.Protocol;
import org.trueasync.bench.load.ServerSuite;
import org.trueasync.bench.load.ServerSuite.Load;
import org.trueasync.bench.load.ServerSuite.Program;
import org.trueasync.bench.report.Target;

/** The suites that measure servers of HTTP. */
public final class HttpSuites {
    private static final Program PROGRAM =
            new Program(HttpServerProcess.class, "request", "requests", Pace::httpWarmUp);

    private static final List<Integer> CONNECTIONS = List.of(50, 500);
    private static final List<Peer> SERVERS =
            List.of(OURS, OURS_ON_NIO, OURS_BY_TCP_STREAM, NETTY_EPOLL, HELIDON, VIRTUAL_THREADS);
    private static final Target[] SERVER_TARGETS = {
        atMost(1.0, NETTY_EPOLL), atMost(0.6, HELIDON), atMost(0.25, VIRTUAL_THREADS)
    };

    /** Its files, its threads and its listener need descriptors as well. */
    private static final int DESCRIPTORS_BESIDE_CONNECTIONS = 200;

    private HttpSuites() {}

    /** Compares our server with those of others, of which the one on virtual threads is the JDK's. */
    public static Suite servers(File log) {
        Stream<Load> text = CONNECTIONS.stream().map(connections -> server("HTTP", Protocol.TEXT, connections)
                .withAllocated("HTTP", Target.atMost(1_536, "B")));
        Stream<Load> bodies = Stream.of(
                server("HTTP, 4 KiB of JSON", Protocol.JSON, 50),
                server("HTTP, upload of 64 KiB", Protocol.UPLOAD, 50));
        return new ServerSuite(log, "http", Stream.concat(text, bodies).toList());
    }

    private static Load server(String title, Protocol protocol, int connections) {
        return Load.of(PROGRAM, title, Kind.OWN, protocol, connections, SERVERS, SERVER_TARGETS);
    }

    /**
     * Has each request wait for 10 to 30 ms: as many connections as one processor can answer, one request after
     * another, and as many as there are descriptors, each with a request now and then.
     */
    public static Suite async(File log) {
        List<Peer> peers = List.of(OURS, OURS_ON_NIO, OURS_BY_TCP_STREAM, NETTY_EPOLL, HELIDON);
        String title = "HTTP with delays";
        int most = mostConnections();
        return new ServerSuite(
                log,
                "http-async",
                List.of(
                        Load.of(PROGRAM, title, Kind.OWN, Protocol.DELAY, 1_000, peers)
                                .withDelays(title, Duration.ZERO, Target.atMost(10, "%"), Target.atMost(20, "ms")),
                        Load.of(PROGRAM, title, Kind.OWN, Protocol.DELAY, most, peers)
                                .withDelays(
                                        title, Duration.ofMillis(500), Target.atMost(10, "%"), Target.atMost(20, "ms"))
                                .withHeap(title, Target.atMost(4_096, "B"))));
    }

    private static int mostConnections() {
        var system = (UnixOperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();
        long descriptors = system.getMaxFileDescriptorCount() - DESCRIPTORS_BESIDE_CONNECTIONS;
        return Math.clamp(descriptors, 1_000, 20_000);
    }

    /** Compares two loops that share the port with one loop. Either server has one processor. */
    public static Suite cores(File log) {
        return new ServerSuite(
                log,
                "cores-http",
                CONNECTIONS.stream()
                        .map(connections -> Load.of(
                                PROGRAM,
                                "HTTP on two cores",
                                Kind.CORES,
                                Protocol.TEXT,
                                connections,
                                List.of(OURS, OURS_ON_ONE_CORE),
                                atMost(1.11, OURS_ON_ONE_CORE)))
                        .toList());
    }

    /** Compares others' servers whose handlers run on our loop with the same servers on virtual threads. */
    public static Suite others(File log) {
        return new ServerSuite(
                log,
                "http-others",
                Stream.of(Kind.JDK, Kind.JETTY, Kind.TOMCAT)
                        .flatMap(kind -> CONNECTIONS.stream().map(connections -> others(kind, connections)))
                        .toList());
    }

    private static Load others(Kind kind, int connections) {
        String name =
                switch (kind) {
                    case JDK -> "JDK's HttpServer";
                    case JETTY -> "Jetty";
                    case TOMCAT -> "Tomcat";
                    case OWN, CORES -> throw new IllegalArgumentException(kind.toString());
                };
        return Load.of(
                PROGRAM,
                "HTTP by " + name,
                kind,
                Protocol.TEXT,
                connections,
                List.of(OURS, VIRTUAL_THREADS),
                atMost(0.75, VIRTUAL_THREADS));
    }
}
