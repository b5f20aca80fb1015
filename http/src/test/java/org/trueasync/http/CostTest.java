package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;

import com.sun.management.ThreadMXBean;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.lang.management.ManagementFactory;
import java.lang.ref.WeakReference;
import java.util.concurrent.CompletableFuture;
import org.trueasync.Async;

/** What a request allocates, and what an idle connection keeps. */
class CostTest {
    private static final ThreadMXBean THREADS = (ThreadMXBean) ManagementFactory.getThreadMXBean();
    private static final int ROUNDS = 6;
    private static final int REQUESTS = 100;

    /** The bytes that the loop thread allocates for each request, in the best of a few rounds. */
    private static long bytesPerRequest(long loopThread, HttpServer server, String request) {
        long best = Long.MAX_VALUE;
        try (var peer = new Raw(server.port())) {
            for (int round = 0; round < ROUNDS; round++) {
                long before = THREADS.getThreadAllocatedBytes(loopThread);
                assertThat(before).isPositive();
                Async.await(CompletableFuture.runAsync(() -> {
                    try {
                        for (int i = 0; i < REQUESTS; i++) peer.send(request).readUntil("ok");
                    } catch (IOException e) {
                        throw new UncheckedIOException(e);
                    }
                }));
                best = Math.min(best, (THREADS.getThreadAllocatedBytes(loopThread) - before) / REQUESTS);
            }
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
        return best;
    }

    @EachReactor
    void uploadThatIsReadByTransferTo_allocatesNoBuffer(String reactor) {
        long loopThread = Thread.currentThread().threadId();
        String upload = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 65536\r\n\r\n" + "x".repeat(65_536);
        Http.serve(
                reactor,
                x -> {
                    x.inputStream().transferTo(OutputStream.nullOutputStream());
                    x.respond("ok");
                },
                server ->
                        assertThat(bytesPerRequest(loopThread, server, upload)).isLessThan(12 * 1024));
    }

    @EachReactor
    void smallRequest_allocatesLittle(String reactor) {
        long loopThread = Thread.currentThread().threadId();
        Http.serve(reactor, x -> x.respond("ok"), server -> assertThat(
                        bytesPerRequest(loopThread, server, "GET / HTTP/1.1\r\nHost: a\r\nAccept: */*\r\n\r\n"))
                .isLessThan(4 * 1024)); // compiled, it is a third of that
    }

    @EachReactor
    void idleConnection_keepsNothingOfItsLastRequest(String reactor) {
        var last = new WeakReference<?>[1];
        HttpHandler handler = x -> {
            last[0] = new WeakReference<>(x.core());
            x.respond("ok");
        };
        Http.serve(reactor, handler, server -> {
            try (var peer = new Raw(server.port())) {
                peer.send("GET / HTTP/1.1\r\nHost: a\r\n\r\n").readUntil("ok");
                for (int i = 0; i < 50 && last[0].get() != null; i++) {
                    Async.delay(1);
                    System.gc();
                }
                assertThat(last[0].get()).isNull();
                assertThat(server.stats().openConnections()).isEqualTo(1);
            }
        });
    }
}
