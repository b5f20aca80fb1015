package org.trueasync.http;

import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import org.trueasync.Async;
import org.trueasync.Body;

/** Runs a program on a loop of its own. */
final class Http {
    private Http() {}

    /** Runs it; returns what the runtime has reported. */
    static List<String> run(String reactor, Body program) {
        var reports = new ArrayList<String>();
        Async.runtime().reactor(reactor).diagnostics(reports::add).run(program);
        return reports;
    }

    /** As {@link #run}, around a server on the local address; nothing may be reported. */
    static void serve(String reactor, HttpHandler handler, Client client) {
        serve(reactor, builder -> builder, handler, client);
    }

    /** As {@link #serve(String, HttpHandler, Client)}, with what else the server is told. */
    static void serve(String reactor, UnaryOperator<HttpServer.Builder> settings, HttpHandler handler, Client client) {
        List<String> reports = run(reactor, () -> {
            try (var server =
                    settings.apply(HttpServer.builder().host("127.0.0.1")).listen(handler)) {
                client.use(server);
            }
        });
        if (!reports.isEmpty()) throw new AssertionError("reported: " + reports);
    }

    /** As {@link #serve}, until nothing is under way any more; returns what was reported. */
    static List<String> serveAll(
            String reactor, UnaryOperator<HttpServer.Builder> settings, HttpHandler handler, Client client) {
        return run(reactor, () -> {
            try (var server =
                    settings.apply(HttpServer.builder().host("127.0.0.1")).listen(handler)) {
                client.use(server);
                LimitsTest.settle(server);
            }
        });
    }

    /** What uses a server. */
    @FunctionalInterface
    interface Client {
        void use(HttpServer server) throws Exception;
    }
}
