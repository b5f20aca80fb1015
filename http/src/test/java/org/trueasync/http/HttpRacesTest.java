package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.PoolException;
import org.trueasync.internal.http.websocket.SocketBytes;
import org.trueasync.internal.http.websocket.WebSocketCore;
import org.trueasync.internal.http.websocket.WebSocketSettings;
import org.trueasync.io.TcpStream;
import org.trueasync.races.Orders;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;

/** A server and its clients in one run: each step of either may come between any two of the other's. */
@Tag("sized")
@Timeout(100)
class HttpRacesTest {
    /** A server that answers with what it was sent, in parts and when the seed has it, and its users. */
    private static final class World implements AutoCloseable {
        final RandomGenerator random = Schedules.random();
        final boolean http2 = random.nextBoolean();
        final List<Coroutine<?>> users = new ArrayList<>();
        final List<String> wrong = new ArrayList<>();
        int underWay;
        int answered;
        boolean ends;
        final HttpServer server = HttpServer.builder().host("127.0.0.1").listen(this::answer);
        final HttpClient client = client();

        private HttpClient client() {
            HttpClient.Builder builder = HttpClient.builder().maxConnections(1 + random.nextInt(3));
            return (http2 ? builder.http2Only() : builder.http1Only()).build();
        }

        private void pause() {
            switch (random.nextInt(4)) {
                case 0 -> Async.suspend();
                case 1 -> Async.await(Outside.completes(null));
                default -> {}
            }
        }

        private void answer(Exchange exchange) {
            underWay++;
            try {
                boolean early = random.nextInt(5) == 0;
                String text = early ? exchange.path().substring(1) : exchange.text();
                pause();
                int half = text.length() / 2;
                if (random.nextBoolean()) {
                    exchange.respond(text);
                } else {
                    exchange.write(text.substring(0, half));
                    pause();
                    exchange.write(text.substring(half));
                }
            } finally {
                underWay--;
            }
        }

        /** Sends a body of its own, and expects nothing else back. */
        void user(int number) {
            String body = ("<" + number + ">").repeat(1 + random.nextInt(2) * random.nextInt(30_000));
            String path = "/" + number;
            users.add(Async.spawn(() -> {
                pause();
                try {
                    HttpRequest request = client.request("POST", "http://127.0.0.1:" + server.port() + path)
                            .body(body);
                    try (HttpResponse response = request.send()) {
                        if (random.nextInt(5) == 0) return; // leaves it unread
                        pause();
                        String text = response.text();
                        if (response.status() == 503 && ends) return;
                        if (!text.equals(body) && !text.equals(path.substring(1))) wrong.add(number + " got " + text);
                        answered++;
                    }
                } catch (InputOutputException | PoolException e) {
                    if (!ends) wrong.add(number + " failed: " + e);
                }
            }));
        }

        void someoneLeaves() {
            Outside.happens(users.get(random.nextInt(users.size()))::cancel);
        }

        void everybodyEnds() {
            for (Coroutine<?> user : users) {
                try {
                    Async.await(user);
                } catch (AsyncCancellation e) {
                    assertThat(user.isCancelled()).isTrue();
                }
            }
            assertThat(wrong).isEmpty();
        }

        @Override
        public void close() {
            client.close();
            server.close();
        }
    }

    @Test
    @Tag("F2")
    @Tag("F32")
    void usersLeaveAtAnyTime_theOthersGetTheirOwnAnswersAndNoConnectionIsLost() {
        Orders.exploreSome(() -> {
            try (var world = new World()) {
                for (int i = world.random.nextInt(5); i >= 0; i--) world.user(i);
                for (int i = world.random.nextInt(3); i > 0; i--) world.someoneLeaves();
                world.everybodyEnds();
                // as many again as there are connections: none is kept by who has left
                int before = world.answered;
                world.users.clear();
                for (int i = 10; i < 14; i++) world.user(i);
                world.everybodyEnds();
                assertThat(world.answered).isGreaterThanOrEqualTo(before);
                world.client.stats().values().forEach(pool -> assertThat(pool.active())
                        .isZero());
                world.server.drain(Duration.ofSeconds(30));
                assertThat(world.underWay).isZero();
            }
        });
    }

    @Test
    @Tag("F5")
    void serverEndsAtAnyTime_everybodyHasAnAnswerOrAnErrorAndNothingIsLeft() {
        Orders.exploreSome(() -> {
            try (var world = new World()) {
                boolean drains = world.random.nextBoolean();
                for (int i = world.random.nextInt(5); i >= 0; i--) world.user(i);
                Coroutine<?> end = Outside.happens(() -> {
                    world.ends = true;
                    if (drains) world.server.drain(Duration.ofSeconds(30));
                    else world.server.close();
                });
                if (world.random.nextBoolean()) world.someoneLeaves();
                world.everybodyEnds();
                Async.await(end);
                world.client.close();
                world.server.close();
                Orders.settle(); // what was cancelled ends in turns of its own
                assertThat(world.underWay).isZero();
                assertThat(world.server.stats().openConnections()).isZero();
            }
        });
    }

    /** The client's end of a socket. */
    private static WebSocketCore socket(int port) {
        TcpStream stream = TcpStream.connect("127.0.0.1", port);
        stream.writeText(SocketPeer.request());
        var head = new StringBuilder();
        ByteBuffer one = ByteBuffer.allocate(1);
        while (!head.toString().endsWith("\r\n\r\n")) {
            if (stream.read(one.clear()) < 0) throw new InputOutputException("closed", "ECONNRESET");
            head.append((char) one.get(0));
        }
        return new WebSocketCore(SocketBytes.of(stream), true, WebSocketSettings.DEFAULTS, null);
    }

    private static void echo(Exchange exchange) {
        try (WebSocket socket = exchange.webSocket()) {
            for (WebSocket.Message message : socket) socket.send(message.text());
        }
    }

    /** Sends messages while it receives, and gets the same ones back. */
    private static void speak(int port, String name, RandomGenerator random) {
        WebSocketCore socket = socket(port);
        try {
            var all = new ArrayList<String>();
            for (int i = random.nextInt(5); i >= 0; i--) all.add((name + i + " ").repeat(1 + random.nextInt(2_000)));
            Coroutine<?> sender = Async.spawn(() -> {
                try {
                    all.forEach(socket::send);
                } catch (InputOutputException e) {
                    // its receiver has left
                }
            });
            for (String expected : all) {
                assertThat(socket.receive()).isEqualTo(expected);
                if (random.nextInt(4) == 0) Async.await(Outside.completes(null));
            }
            Async.await(sender);
        } finally {
            socket.close(1000, "");
        }
    }

    @Test
    @Tag("F3")
    void someLeaveTheirSockets_theOthersGetTheirMessagesWholeAndInOrder() {
        Orders.exploreSome(() -> {
            RandomGenerator random = Schedules.random();
            try (var server = HttpServer.builder().host("127.0.0.1").listen(HttpRacesTest::echo)) {
                var users = new ArrayList<Coroutine<?>>();
                for (int i = random.nextInt(3); i >= 0; i--) {
                    String name = "user " + i + " message ";
                    users.add(Async.spawn(() -> speak(server.port(), name, random)));
                }
                if (random.nextBoolean()) Outside.happens(users.getFirst()::cancel);
                for (Coroutine<?> user : users) {
                    try {
                        Async.await(user);
                    } catch (AsyncCancellation e) {
                        assertThat(user.isCancelled()).isTrue();
                    }
                }
                server.drain(Duration.ofSeconds(30));
                Orders.settle();
                assertThat(server.stats().openConnections()).isZero();
            }
        });
    }
}
