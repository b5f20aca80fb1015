package org.trueasync.bench.http;

import java.io.IOException;
import java.io.OutputStream;
import java.time.Duration;
import org.trueasync.Async;
import org.trueasync.Cores;
import org.trueasync.ThreadChannel;
import org.trueasync.http.Exchange;
import org.trueasync.http.HttpServer;

/** Our server. */
final class TrueAsyncHttp {
    private TrueAsyncHttp() {}

    static void start(int port) {
        builder(port).listen(TrueAsyncHttp::answer);
    }

    /** Serves on several cores, and never returns; calls {@code listening} once all of them listen. */
    static void serveOnCores(int cores, int port, Runnable listening) {
        var ready = new ThreadChannel<Integer>(cores);
        Cores.builder().count(cores).run(() -> {
            builder(port).onEachCore().listen(TrueAsyncHttp::answer);
            int index = Cores.current().index();
            ready.send(index);
            if (index == 0) {
                for (int i = 0; i < cores; i++) ready.receive();
                listening.run();
            }
            Async.delay(Duration.ofDays(1));
        });
    }

    private static HttpServer.Builder builder(int port) {
        // its client is idle while other servers warm up, which takes longer than it would wait
        return HttpServer.builder().host(HttpServerProcess.HOST).port(port).idleTimeout(Duration.ofHours(1));
    }

    private static void answer(Exchange exchange) throws IOException {
        String path = exchange.path();
        if (path.equals(HttpServerProcess.JSON_PATH)) {
            exchange.header("Content-Type", HttpServerProcess.JSON_TYPE).respond(HttpServerProcess.JSON_BYTES);
            return;
        }
        if (path.equals(HttpServerProcess.UPLOAD_PATH)) {
            exchange.inputStream().transferTo(OutputStream.nullOutputStream());
        } else if (path.startsWith(HttpServerProcess.DELAY_PATH)) {
            Async.delay(Duration.ofMillis(Long.parseLong(path.substring(HttpServerProcess.DELAY_PATH.length()))));
        }
        exchange.header("Content-Type", HttpServerProcess.TEXT_TYPE).respond(HttpServerProcess.TEXT_BYTES);
    }
}
