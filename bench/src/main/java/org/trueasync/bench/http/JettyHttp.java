package org.trueasync.bench.http;

import java.util.concurrent.Executor;
import org.eclipse.jetty.io.Content;
import org.eclipse.jetty.server.Handler;
import org.eclipse.jetty.server.Request;
import org.eclipse.jetty.server.Response;
import org.eclipse.jetty.server.Server;
import org.eclipse.jetty.server.ServerConnector;
import org.eclipse.jetty.util.Callback;
import org.eclipse.jetty.util.thread.ThreadPool;

/** Jetty. The threads of its pool are the executor's, also those that accept and select. */
final class JettyHttp {
    private JettyHttp() {}

    static void start(int port, Executor executor) throws Exception {
        var server = new Server(new Threads(executor));
        var connector = new ServerConnector(server, 1, 1);
        connector.setHost(HttpServerProcess.HOST);
        connector.setPort(port);
        connector.setAcceptQueueSize(HttpServerProcess.BACKLOG);
        // No limit: its client is idle while other servers warm up, and one warm-up takes as long as Jetty would wait.
        connector.setIdleTimeout(0);
        server.addConnector(connector);
        server.setHandler(new Handler.Abstract() {
            @Override
            public boolean handle(Request request, Response response, Callback callback) {
                Content.Sink.write(response, true, HttpServerProcess.TEXT, callback);
                return true;
            }
        });
        server.start();
    }

    private record Threads(Executor executor) implements ThreadPool {
        @Override
        public void execute(Runnable task) {
            executor.execute(task);
        }

        @Override
        public void join() {
            throw new UnsupportedOperationException();
        }

        @Override
        public int getThreads() {
            return 1;
        }

        @Override
        public int getIdleThreads() {
            return 1;
        }

        @Override
        public boolean isLowOnThreads() {
            return false;
        }
    }
}
