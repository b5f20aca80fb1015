package org.trueasync.bench.http;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.trueasync.Async;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;

/**
 * A server of HTTP in a process of its own: {@code HttpServerProcess PEER PORT SERVER} prints {@code LISTENING} and
 * serves until it is ended.
 */
final class HttpServerProcess {

    static final String HOST = "127.0.0.1";
    static final int BACKLOG = 1_024;
    static final String TEXT = "hello";

    private HttpServerProcess() {}

    /** The kinds of servers. */
    enum Kind {
        /** Sends the same reply whatever is asked: ours without a parser, Netty with its codec. */
        FIXED("fixed reply"),
        /** The fixed reply by two loops that share the port; by one for {@link Peer#OURS_ON_ONE_CORE}. */
        FIXED_ON_CORES("fixed reply on two cores"),
        JDK("JDK's HttpServer"),
        JETTY("Jetty"),
        TOMCAT("Tomcat");

        final String title;

        Kind(String title) {
            this.title = title;
        }

        void start(int port, Executor executor) throws Exception {
            switch (this) {
                case FIXED, FIXED_ON_CORES -> FixedReply.serve(port);
                case JDK -> JdkHttp.start(port, executor);
                case JETTY -> JettyHttp.start(port, executor);
                case TOMCAT -> TomcatHttp.start(port, executor);
            }
        }
    }

    public static void main(String[] arguments) throws Exception {
        ParentWatch.start();
        Peer peer = Peer.valueOf(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        Kind kind = Kind.valueOf(arguments[2]);
        if (peer == Peer.NETTY_EPOLL) {
            NettyHttp.start(port);
            printListening();
        } else if (peer == Peer.VIRTUAL_THREADS) {
            kind.start(port, Executors.newVirtualThreadPerTaskExecutor());
            printListening();
            Thread.sleep(Duration.ofDays(1));
        } else if (peer == Peer.OURS && kind == Kind.FIXED_ON_CORES) {
            Async.run(() -> FixedReply.serveOnCores(2, port, HttpServerProcess::printListening));
        } else {
            Async.run(() -> {
                kind.start(port, Async.executor());
                printListening();
                Async.delay(Duration.ofDays(1));
            });
        }
    }

    private static void printListening() {
        System.out.println("LISTENING");
        System.out.flush();
    }
}
