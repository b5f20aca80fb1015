package org.trueasync.bench.http;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.concurrent.Executor;

/** The JDK's server. Its own thread waits for requests, and the executor handles them. */
final class JdkHttp {
    private JdkHttp() {}

    static void start(int port, Executor executor) throws IOException {
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
        System.setProperty("sun.net.httpserver.nodelay", "true");
        var server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), HttpServerProcess.BACKLOG);
        server.createContext("/", exchange -> {
            if (exchange.getRequestURI().getPath().equals(HttpServerProcess.JSON_PATH)) {
                answer(exchange, HttpServerProcess.JSON_TYPE, HttpServerProcess.JSON_BYTES);
            } else {
                try (InputStream body = exchange.getRequestBody()) {
                    body.transferTo(OutputStream.nullOutputStream());
                }
                answer(exchange, HttpServerProcess.TEXT_TYPE, HttpServerProcess.TEXT_BYTES);
            }
        });
        server.setExecutor(executor);
        server.start();
    }

    private static void answer(HttpExchange exchange, String type, byte[] bytes) throws IOException {
        exchange.getResponseHeaders().set("Content-Type", type);
        exchange.sendResponseHeaders(200, bytes.length);
        try (var body = exchange.getResponseBody()) {
            body.write(bytes);
        }
    }
}
