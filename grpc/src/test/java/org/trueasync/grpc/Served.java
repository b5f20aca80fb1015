package org.trueasync.grpc;

import io.grpc.ManagedChannel;
import io.grpc.okhttp.OkHttpChannelBuilder;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.trueasync.Async;
import org.trueasync.http.HttpHandler;
import org.trueasync.http.HttpServer;

/** A server on a loop of its own, and grpc-java's client of it on another thread. */
final class Served {
    private Served() {}

    /** What uses the server; not on its loop. */
    @FunctionalInterface
    interface Client {
        void use(ManagedChannel channel) throws Exception;
    }

    /** Serves a client; returns what was reported. */
    static List<String> run(HttpHandler handler, Client client) {
        var reports = new ArrayList<String>();
        Async.runtime().reactor("nio").diagnostics(reports::add).run(() -> {
            try (var server = HttpServer.builder().host("127.0.0.1").listen(handler)) {
                Async.blocking(() -> {
                    ManagedChannel channel = OkHttpChannelBuilder.forAddress("127.0.0.1", server.port())
                            .usePlaintext()
                            .build();
                    try {
                        client.use(channel);
                    } finally {
                        channel.shutdownNow();
                        channel.awaitTermination(10, TimeUnit.SECONDS);
                    }
                });
            }
        });
        return reports;
    }
}
