package org.trueasync.bench.echo;

import static org.trueasync.bench.Peer.C;
import static org.trueasync.bench.Peer.FLOOR;
import static org.trueasync.bench.Peer.NETTY_EPOLL;
import static org.trueasync.bench.Peer.NETTY_NIO;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.OURS_BY_TCP_STREAM;
import static org.trueasync.bench.Peer.OURS_ON_NIO;
import static org.trueasync.bench.Peer.OURS_ON_ONE_CORE;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.nio.file.Files;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.load.Protocol;
import org.trueasync.bench.load.ServerSuite;
import org.trueasync.bench.load.ServerSuite.Load;
import org.trueasync.bench.load.ServerSuite.Program;
import org.trueasync.bench.report.Target;

/** The suites that measure echo servers. */
public final class EchoSuites {
    private static final Program PROGRAM = new Program(EchoServer.class, "message", "messages", Pace::echoWarmUp);

    private EchoSuites() {}

    /** Compares the peers, each with the sockets that it is known for. */
    public static Suite best(File log) {
        var peers = new ArrayList<>(List.of(OURS, OURS_ON_NIO, FLOOR, VIRTUAL_THREADS, NETTY_NIO));
        // Netty's native transport is on our class path for one platform only.
        if (System.getProperty("os.name").equals("Linux")
                && System.getProperty("os.arch").equals("amd64")) {
            peers.add(NETTY_EPOLL);
        }
        if (!Files.isExecutable(NativeEcho.COMPILER))
            return suite(log, "echo", EchoServer.Kind.BEST, peers, atMost(1.0, FLOOR));
        peers.add(C);
        return suite(log, "echo", EchoServer.Kind.BEST, peers, atMost(1.0, FLOOR), atMost(1.25, C));
    }

    /** Compares blocking {@code java.net.Socket}s in our coroutines with our own streams, and with virtual threads. */
    public static Suite jdkSockets(File log) {
        return suite(
                log,
                "jdk-sockets",
                EchoServer.Kind.JDK,
                List.of(OURS, OURS_BY_TCP_STREAM, OURS_ON_NIO, VIRTUAL_THREADS),
                atMost(1.15, OURS_BY_TCP_STREAM),
                atMost(0.7, VIRTUAL_THREADS));
    }

    /**
     * Compares two loops that share the port with one loop. Either server has one processor, so the figures show what
     * two loops cost more for each message.
     */
    public static Suite cores(File log) {
        return suite(
                log,
                "cores-echo",
                EchoServer.Kind.CORES,
                List.of(OURS, OURS_ON_ONE_CORE),
                atMost(1.11, OURS_ON_ONE_CORE));
    }

    private static Suite suite(File log, String name, EchoServer.Kind kind, List<Peer> peers, Target... targets) {
        List<Load> loads = IntStream.of(1, 50, 1_000)
                .mapToObj(connections -> Load.of(PROGRAM, kind.title, kind, Protocol.ECHO, connections, peers, targets))
                .toList();
        return new ServerSuite(log, name, loads);
    }
}
