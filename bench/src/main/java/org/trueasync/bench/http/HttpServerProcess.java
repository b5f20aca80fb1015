package org.trueasync.bench.http;

import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.trueasync.Async;
import org.trueasync.bench.Peer;
import org.trueasync.bench.load.ServerMemory;

/**
 * A server of HTTP in a process of its own: {@code HttpServerProcess PEER PORT SERVER} prints {@code LISTENING} and
 * serves until it is ended.
 */
final class HttpServerProcess {

    static final String HOST = "127.0.0.1";
    static final int BACKLOG = 1_024;
    static final String TEXT = "hello";
    static final byte[] TEXT_BYTES = TEXT.getBytes(StandardCharsets.US_ASCII);
    /** 4 KiB. */
    static final byte[] JSON_BYTES = ("[\"" + "x".repeat(4_096 - 4) + "\"]").getBytes(StandardCharsets.US_ASCII);

    static final String TEXT_TYPE = "text/plain";
    static final String JSON_TYPE = "application/json";
    static final String JSON_PATH = "/json";
    static final String UPLOAD_PATH = "/upload";
    /** Ends with milliseconds. */
    static final String DELAY_PATH = "/delay/";

    private HttpServerProcess() {}

    /** The kinds of servers. */
    enum Kind {
        /** Each peer's own server. It answers what {@link org.trueasync.bench.load.Protocol} asks. */
        OWN,
        /** Our server by two loops that share the port; by one for {@link Peer#OURS_ON_ONE_CORE}. */
        CORES,
        /** The JDK's server, as are the next ones: with its handlers on our loop, or on virtual threads. */
        JDK,
        JETTY,
        TOMCAT;

        void start(int port, Executor executor) throws Exception {
            switch (this) {
                case OWN, CORES -> TrueAsyncHttp.start(port);
                case JDK -> JdkHttp.start(port, executor);
                case JETTY -> JettyHttp.start(port, executor);
                case TOMCAT -> TomcatHttp.start(port, executor);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        ServerMemory.answerDriver();
        Peer peer = Peer.valueOf(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        Kind kind = Kind.valueOf(arguments[2]);
        switch (peer) {
            case NETTY_EPOLL -> NettyHttp.start(port);
            case HELIDON -> HelidonHttp.start(port);
            case VIRTUAL_THREADS ->
                (kind == Kind.OWN ? Kind.JDK : kind).start(port, Executors.newVirtualThreadPerTaskExecutor());
            default -> {
                serveOurs(peer, port, kind);
                return;
            }
        }
        printListening();
        Thread.sleep(Duration.ofDays(1));
    }

    private static void serveOurs(Peer peer, int port, Kind kind) {
        if (peer == Peer.OURS && kind == Kind.CORES) {
            Async.run(() -> TrueAsyncHttp.serveOnCores(2, port, HttpServerProcess::printListening));
            return;
        }
        Async.runtime().reactor(peer == Peer.OURS_ON_NIO ? "nio" : "libuv").run(() -> {
            if (peer == Peer.OURS_BY_TCP_STREAM) {
                FixedReply.serve(port);
            } else {
                kind.start(port, Async.executor());
            }
            printListening();
            Async.delay(Duration.ofDays(1));
        });
    }

    private static void printListening() {
        System.out.println("LISTENING");
        System.out.flush();
    }
}
