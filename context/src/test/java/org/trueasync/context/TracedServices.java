package org.trueasync.context;

import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpServer;
import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.Async;
import org.trueasync.Coroutine;

/**
 * A program for {@link AgentTest}: a request to a service that asks a database and another service from ten coroutines.
 * The other one asks the database too, on a helper thread. It knows nothing of tracing.
 */
final class TracedServices {
    private TracedServices() {}

    public static void main(String[] args) {
        Async.run(() -> {
            HttpClient client = HttpClient.newHttpClient();
            HttpServer back = service(exchange -> answer(exchange, Async.blocking(TracedServices::query)));
            HttpServer front = service(exchange -> {
                List<Coroutine<Integer>> all = new ArrayList<>();
                for (int i = 0; i < 10; i++) all.add(spawn(() -> query() + get(client, back)));
                int sum = 0;
                for (Coroutine<Integer> one : all) sum += await(one);
                answer(exchange, sum);
            });
            try {
                IO.println("answer " + get(client, front));
            } finally {
                front.stop(0);
                back.stop(0);
            }
        });
    }

    private interface Handler {
        void handle(HttpExchange exchange) throws Exception;
    }

    private static HttpServer service(Handler handler) throws IOException {
        HttpServer server = HttpServer.create(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0), 0);
        server.createContext("/", exchange -> {
            try (exchange) {
                handler.handle(exchange);
            } catch (Exception e) {
                throw new IOException(e);
            }
        });
        server.setExecutor(Async.executor());
        server.start();
        return server;
    }

    private static void answer(HttpExchange exchange, int number) throws IOException {
        byte[] body = Integer.toString(number).getBytes();
        exchange.sendResponseHeaders(200, body.length);
        exchange.getResponseBody().write(body);
    }

    private static int get(HttpClient client, HttpServer server) throws IOException, InterruptedException {
        URI uri = URI.create("http://127.0.0.1:" + server.getAddress().getPort() + "/");
        return Integer.parseInt(client.send(HttpRequest.newBuilder(uri).build(), BodyHandlers.ofString())
                .body());
    }

    private static int query() throws SQLException {
        try (Connection connection = DriverManager.getConnection("jdbc:h2:mem:traced");
                Statement statement = connection.createStatement();
                ResultSet rows = statement.executeQuery("SELECT 1")) {
            rows.next();
            return rows.getInt(1);
        }
    }
}
