package org.trueasync.examples.service;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.atomic.AtomicInteger;

/** The service of a carrier, that the shop asks: a program of its own. It says how many days a delivery takes. */
final class Carrier implements AutoCloseable {
    private final HttpServer server;
    private final ExecutorService threads = Executors.newVirtualThreadPerTaskExecutor();
    private final AtomicInteger asked = new AtomicInteger();
    private volatile Duration delay;

    /**
     * Starts it.
     *
     * @param port 0 means one that is free
     * @param delay how long an answer takes
     */
    Carrier(int port, Duration delay) throws IOException {
        this.delay = delay;
        server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 0);
        server.setExecutor(threads);
        server.createContext("/days/", this::answer);
        server.start();
    }

    private void answer(HttpExchange exchange) throws IOException {
        asked.incrementAndGet();
        try (exchange) {
            Thread.sleep(delay);
            exchange.getResponseHeaders().set("Content-Type", "application/json");
            exchange.sendResponseHeaders(200, 1);
            exchange.getResponseBody().write('3');
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt(); // it is being closed
        }
    }

    int port() {
        return server.getAddress().getPort();
    }

    /** How many requests have arrived. */
    int asked() {
        return asked.get();
    }

    void setDelay(Duration delay) {
        this.delay = delay;
    }

    @Override
    public void close() {
        threads.shutdownNow();
        server.stop(0);
    }

    static void main(String[] arguments) throws IOException {
        var carrier = new Carrier(arguments.length == 0 ? 8081 : Integer.parseInt(arguments[0]), Duration.ofMillis(10));
        IO.println("The carrier listens at port " + carrier.port());
    }
}
