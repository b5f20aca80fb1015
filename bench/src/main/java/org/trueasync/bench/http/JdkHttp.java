package org.trueasync.bench.http;

import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.util.concurrent.Executor;

/** The JDK's server. Its own thread waits for requests, and the executor handles them. */
final class JdkHttp {
    private JdkHttp() {}

    static void start(int port, Executor executor) throws IOException {
        System.setProperty("sun.net.httpserver.maxIdleConnections", "2000");
        System.setProperty("sun.net.httpserver.nodelay", "true");
        byte[] text = HttpServerProcess.TEXT.getBytes(StandardCharsets.US_ASCII);
        var server = HttpServer.create(
                new InetSocketAddress(InetAddress.getLoopbackAddress(), port), HttpServerProcess.BACKLOG);
        server.createContext("/", exchange -> {
            exchange.sendResponseHeaders(200, text.length);
            try (var body = exchange.getResponseBody()) {
                body.write(text);
            }
        });
        server.setExecutor(executor);
        server.start();
    }
}
