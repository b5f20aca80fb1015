package org.trueasync.bench.http;

import java.time.Duration;
import java.util.concurrent.Executor;
import java.util.concurrent.Executors;
import org.trueasync.Async;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;

/** A server of HTTP in a process of its own: {@code HttpServerProcess PEER PORT SERVER} prints {@code LISTENING} and serves until it is ended. */
final class HttpServerProcess {

    static final String HOST = "127.0.0.1";
    static final int BACKLOG = 1_024;
    static final String TEXT = "hello";

    private HttpServerProcess() {}

    /** Starts a server on a port. */
    @FunctionalInterface
    interface Starter {
        void start(int port, Executor executor) throws Exception;
    }

    /** Who serves. */
    enum Kind {
        /** No server: the reply is the same whatever is asked. */
        FIXED("fixed reply", (port, executor) -> FixedReply.serve(port)),
        JDK("JDK's HttpServer", JdkHttp::start),
        JETTY("Jetty", JettyHttp::start),
        TOMCAT("Tomcat", TomcatHttp::start);

        final String title;
        private final Starter starter;

        Kind(String title, Starter starter) {
            this.title = title;
            this.starter = starter;
        }
    }

    public static void main(String[] arguments) throws Exception {
        ParentWatch.start();
        Peer peer = Peer.valueOf(arguments[0]);
        int port = Integer.parseInt(arguments[1]);
        Starter starter = Kind.valueOf(arguments[2]).starter;
        if (peer == Peer.NETTY_EPOLL) {
            NettyHttp.start(port);
            say();
        } else if (peer == Peer.VIRTUAL_THREADS) {
            starter.start(port, Executors.newVirtualThreadPerTaskExecutor());
            say();
            Thread.sleep(Duration.ofDays(1));
        } else {
            Async.run(() -> {
                starter.start(port, Async.executor());
                say();
                Async.delay(Duration.ofDays(1));
            });
        }
    }

    private static void say() {
        System.out.println("LISTENING");
        System.out.flush();
    }
}
