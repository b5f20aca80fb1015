package org.trueasync.launcher;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.SecureRandom;
import java.util.Base64;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ExecutorService;
import java.util.concurrent.Executors;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;

/**
 * Serves the page on loopback, to whoever knows its address. That has a secret, for which the browser gets a cookie;
 * whatever comes without it is refused. A page from elsewhere has neither.
 *
 * <p>The files are in {@code page}, below this class. They are fixed: what comes from the process goes out as JSON or
 * plain text only, and the page shows it as text.
 */
final class PageServer implements AutoCloseable {
    private static final Map<String, String> FILES = Map.of(
            "", "text/html",
            "page.css", "text/css",
            "page.js", "text/javascript",
            "charts.js", "text/javascript",
            "tree.js", "text/javascript",
            "groups.js", "text/javascript",
            "record.js", "text/javascript",
            "icon.svg", "image/svg+xml");
    private static final Map<String, String> HEADERS = Map.of(
            "Content-Security-Policy",
            "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; worker-src 'self';"
                    + " img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
            "X-Content-Type-Options",
            "nosniff",
            "Referrer-Policy",
            "no-referrer",
            "Cross-Origin-Resource-Policy",
            "same-origin",
            "Cross-Origin-Opener-Policy",
            "same-origin",
            "Cache-Control",
            "no-store");

    private final Inspected process;
    private final Samples samples;
    private final HttpServer server;
    private final ExecutorService threads;
    private final String token = secret();
    private final String cookie = secret();
    /** Cookies are sent to every port of a host, so this one is bound to a path that no other server has. */
    private final String root = "/" + secret() + "/";

    private final List<String> hosts;
    /** The process answers one question at a time. */
    private final ReentrantLock asking = new ReentrantLock();

    private PageServer(Inspected process, Samples samples) throws IOException {
        this.process = process;
        this.samples = samples;
        InetAddress loopback = InetAddress.getByAddress("127.0.0.1", new byte[] {127, 0, 0, 1});
        server = HttpServer.create(new InetSocketAddress(loopback, 0), 0);
        int port = server.getAddress().getPort();
        hosts = List.of("127.0.0.1:" + port, "localhost:" + port);
        threads = Executors.newCachedThreadPool(Thread.ofPlatform().daemon().factory());
        server.setExecutor(threads);
        server.createContext("/", this::handle);
    }

    /**
     * Starts serving.
     *
     * @throws IOException if there is no port
     */
    static PageServer start(Inspected process, Samples samples) throws IOException {
        var started = new PageServer(process, samples);
        started.server.start();
        return started;
    }

    private static String secret() {
        byte[] random = new byte[32];
        new SecureRandom().nextBytes(random);
        return Base64.getUrlEncoder().withoutPadding().encodeToString(random);
    }

    /** Where the page is. */
    String url() {
        return "http://" + hosts.getFirst() + "/" + token;
    }

    private void handle(HttpExchange exchange) throws IOException {
        try (exchange) {
            HEADERS.forEach(exchange.getResponseHeaders()::set);
            String path = exchange.getRequestURI().getPath();
            Headers request = exchange.getRequestHeaders();
            List<String> host = request.get("Host");
            // a name of somebody else's that leads here would make us a part of its site
            if (host == null || host.size() != 1 || !hosts.contains(host.getFirst()))
                send(exchange, 403, "Open the page by the address that the command has printed.\n");
            else if (!exchange.getRequestMethod().equals("GET")) send(exchange, 405, "Only GET.\n");
            else if (isSame(path, "/" + token)) admit(exchange);
            else if (!path.startsWith(root) || !hasCookie(request))
                send(exchange, 403, "Open the address that the command has printed, with all that follows the port.\n");
            else answer(exchange, path.substring(root.length()));
        }
    }

    private void admit(HttpExchange exchange) throws IOException {
        exchange.getResponseHeaders().set("Set-Cookie", ours() + "; Path=" + root + "; HttpOnly; SameSite=Strict");
        exchange.getResponseHeaders().set("Location", root);
        send(exchange, 303, "");
    }

    private String ours() {
        return "trueasync=" + cookie;
    }

    private boolean hasCookie(Headers request) {
        List<String> sent = request.getOrDefault("Cookie", List.of());
        return sent.stream()
                .flatMap(line -> List.of(line.split("; *")).stream())
                .anyMatch(one -> isSame(one, ours()));
    }

    /** Takes as long for every text. */
    private static boolean isSame(String given, String secret) {
        return MessageDigest.isEqual(given.getBytes(StandardCharsets.UTF_8), secret.getBytes(StandardCharsets.UTF_8));
    }

    private void answer(HttpExchange exchange, String name) throws IOException {
        switch (name) {
            case "samples" -> {
                type(exchange, "application/json");
                send(
                        exchange,
                        200,
                        samples.after(number(exchange.getRequestURI().getQuery())));
            }
            case "why" -> forward(exchange, "why", "text/plain");
            case "record" -> forward(exchange, "record", "text/plain");
            case "dump" -> forward(exchange, "json", "application/json");
            default -> {
                String type = FILES.get(name);
                if (type == null) {
                    send(exchange, 404, "No such page.\n");
                    return;
                }
                type(exchange, type);
                send(exchange, 200, Resources.text("page/" + (name.isEmpty() ? "page.html" : name)));
            }
        }
    }

    private static long number(@Nullable String query) {
        try {
            return query == null ? 0 : Long.parseLong(query);
        } catch (NumberFormatException nonsense) {
            return 0;
        }
    }

    /** Passes the answer on as it comes: it may be large. */
    private void forward(HttpExchange exchange, String question, String type) throws IOException {
        asking.lock();
        try (var body = new Body(exchange, type)) {
            process.ask(question, body::line);
        } catch (UsageException | Question.Ended e) {
            if (exchange.getResponseCode() >= 0) throw new IOException(e);
            send(exchange, 502, e.getMessage() + "\n");
        } catch (UncheckedIOException gone) {
            throw new IOException(gone);
        } finally {
            asking.unlock();
        }
    }

    /** Sends the head with the first line: before it, the process may still refuse. */
    private static final class Body implements AutoCloseable {
        private final HttpExchange exchange;
        private final String type;
        private @Nullable OutputStream out;

        Body(HttpExchange exchange, String type) {
            this.exchange = exchange;
            this.type = type;
        }

        void line(String line) {
            try {
                if (out == null) {
                    type(exchange, type);
                    exchange.sendResponseHeaders(200, 0);
                    out = new BufferedOutputStream(exchange.getResponseBody(), 1 << 16);
                }
                out.write((line + "\n").getBytes(StandardCharsets.UTF_8));
            } catch (IOException e) {
                throw new UncheckedIOException(e);
            }
        }

        @Override
        public void close() throws IOException {
            if (out != null) out.close();
        }
    }

    private static void type(HttpExchange exchange, String type) {
        exchange.getResponseHeaders().set("Content-Type", type + "; charset=utf-8");
    }

    private static void send(HttpExchange exchange, int status, String text) throws IOException {
        if (exchange.getResponseHeaders().getFirst("Content-Type") == null) type(exchange, "text/plain");
        byte[] bytes = text.getBytes(StandardCharsets.UTF_8);
        exchange.sendResponseHeaders(status, bytes.length == 0 ? -1 : bytes.length);
        if (bytes.length > 0) exchange.getResponseBody().write(bytes);
    }

    @Override
    public void close() {
        server.stop(0);
        threads.shutdownNow();
    }
}
