package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;
import static org.trueasync.http.SocketPeer.*;

import java.net.URI;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionStage;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.InputOutputException;
import org.trueasync.Scope;

@Timeout(120)
class WebSocketTest {
    private static final WebSocket.Options SILENT = WebSocket.options().pingInterval(Duration.ZERO);

    /** A handler whose socket is told what happened in it. */
    private static HttpHandler receiving(List<String> told) {
        return exchange -> {
            WebSocket socket = exchange.webSocket();
            try {
                for (var message : socket) told.add(message.toString());
                told.add("closed " + socket.closeCode() + " " + socket.closeReason());
            } catch (InputOutputException e) {
                told.add(e.errno() + " " + socket.closeCode());
                throw e;
            }
        };
    }

    private static void await(List<String> told, int count) {
        while (told.size() < count) delay(1);
    }

    // ---- opening

    @EachReactor
    void handshake_isAnsweredAsTheRfcSays(String reactor) {
        Http.serve(reactor, WebSocketConformanceTest::echo, server -> {
            try (var peer = new SocketPeer(server.port())) {
                assertThat(peer.head)
                        .contains("\r\nUpgrade: websocket\r\n", "\r\nConnection: Upgrade\r\n")
                        .contains("\r\nSec-WebSocket-Accept: s3pPLMBiTxaQ9kYGzzhZRbK+xOo=\r\n")
                        .doesNotContain("Sec-WebSocket-Protocol", "Sec-WebSocket-Extensions", "Content-Length");
            }
            String good = SocketPeer.request("Connection: close");
            refused(server, good.replace("Upgrade: websocket\r\n", ""), "426", "Sec-WebSocket-Version: 13");
            refused(server, good.replace("Upgrade: websocket", "Upgrade: h2c"), "426", "Upgrade: websocket");
            refused(server, good.replace("Connection: Upgrade", "X: y"), "426", "Upgrade: websocket");
            refused(server, good.replace("Version: 13", "Version: 8"), "426", "Sec-WebSocket-Version: 13");
            refused(server, good.replace("Sec-WebSocket-Version: 13\r\n", ""), "426", "Sec-WebSocket-Version: 13");
            refused(server, good.replace(SocketPeer.KEY, "short"), "400", "Sec-WebSocket-Key");
            refused(server, good.replace("Sec-WebSocket-Key", "X-Key"), "400", "Sec-WebSocket-Key");
            refused(server, good.replace("\r\n\r\n", "\r\nSec-WebSocket-Key: " + KEY + "\r\n\r\n"), "400", "once");
            refused(server, good.replace("GET", "POST"), "405", "Allow: GET");
            assertThat(server.stats().handlerFailures()).isZero();
        });
    }

    private static void refused(HttpServer server, String request, String status, String part) throws Exception {
        try (var peer = new Raw(server.port())) {
            assertThat(peer.send(request).end().readAll())
                    .startsWith("HTTP/1.1 " + status)
                    .contains(part);
        }
    }

    @EachReactor
    void protocol_isTheClientsFirstThatIsSpoken(String reactor) {
        Http.serve(
                reactor,
                exchange -> {
                    WebSocket socket = exchange.webSocket(WebSocket.options().protocols("b", "c"));
                    socket.send(String.valueOf(socket.protocol()));
                },
                server -> {
                    for (String[] fields : List.of(
                            new String[] {"Sec-WebSocket-Protocol: a, c, b", "c"},
                            new String[] {"Sec-WebSocket-Protocol: a", "null"})) {
                        try (var peer = new SocketPeer(server.port(), fields[0])) {
                            assertThat(peer.readAll()).isEqualTo("text " + fields[1] + ", close 1000");
                            assertThat(peer.head.contains("Sec-WebSocket-Protocol: c"))
                                    .isEqualTo(fields[1].equals("c"));
                        }
                    }
                });
    }

    // ---- the client of the JDK

    @EachReactor
    void clientOfTheJdk_talksAndCloses(String reactor) throws Exception {
        talkAndClose(reactor, settings -> settings, "ws", Keys.context());
    }

    @EachReactor
    void clientOfTheJdkOverTls_talksAndCloses(String reactor) throws Exception {
        SSLContext context = Keys.context();
        talkAndClose(reactor, settings -> settings.tls(context), "wss", context);
    }

    private static void talkAndClose(
            String reactor, UnaryOperator<HttpServer.Builder> settings, String scheme, SSLContext context) {
        var told = new ArrayList<String>();
        Http.serve(
                reactor,
                settings,
                exchange -> {
                    WebSocket socket = exchange.webSocket();
                    for (var message : socket) {
                        if (message.isText()) socket.send("you said " + message.text());
                        else socket.send(ByteBuffer.wrap(message.bytes()));
                    }
                    told.add(socket.closeCode() + socket.closeReason());
                },
                server -> {
                    var got = new StringBuffer();
                    var closed = new CompletableFuture<String>();
                    try (var client = java.net.http.HttpClient.newBuilder()
                            .sslContext(context)
                            .build()) {
                        var uri = URI.create(scheme + "://127.0.0.1:" + server.port() + "/");
                        var socket = client.newWebSocketBuilder()
                                .buildAsync(uri, listener(got, closed))
                                .join();
                        socket.sendText("one ", false).join();
                        socket.sendText("whole", true).join();
                        socket.sendPing(ByteBuffer.wrap(new byte[] {1})).join();
                        socket.sendBinary(ByteBuffer.wrap(new byte[100_000]), true)
                                .join();
                        while (got.indexOf("100000") < 0) delay(1);
                        socket.sendClose(4321, "enough").join();
                        assertThat(closed.join()).isEqualTo("4321");
                        assertThat(got.toString()).isEqualTo("you said one whole;pong;100000;");
                    }
                    await(told, 1);
                    assertThat(told).containsExactly("4321enough");
                });
    }

    private static java.net.http.WebSocket.Listener listener(StringBuffer got, CompletableFuture<String> closed) {
        return new java.net.http.WebSocket.Listener() {
            private int size;

            @Override
            public CompletionStage<?> onText(java.net.http.WebSocket socket, CharSequence data, boolean last) {
                got.append(data).append(last ? ";" : "");
                socket.request(1);
                return null;
            }

            @Override
            public CompletionStage<?> onBinary(java.net.http.WebSocket socket, ByteBuffer data, boolean last) {
                size += data.remaining();
                if (last) got.append(size).append(';');
                socket.request(1);
                return null;
            }

            @Override
            public CompletionStage<?> onPong(java.net.http.WebSocket socket, ByteBuffer data) {
                got.append("pong;");
                socket.request(1);
                return null;
            }

            @Override
            public CompletionStage<?> onClose(java.net.http.WebSocket socket, int code, String reason) {
                closed.complete(code + reason);
                return null;
            }

            @Override
            public void onError(java.net.http.WebSocket socket, Throwable error) {
                closed.completeExceptionally(error);
            }
        };
    }

    // ---- sending

    @EachReactor
    void messagesOfManyCoroutines_neverMix(String reactor) {
        int senders = 20;
        int length = 200_000;
        Http.serve(
                reactor,
                exchange -> {
                    WebSocket socket = exchange.webSocket();
                    try (var scope = new Scope()) {
                        for (int i = 0; i < senders; i++) {
                            String text = String.valueOf((char) ('a' + i)).repeat(length);
                            scope.launch(() -> socket.send(text));
                        }
                        scope.awaitCompletion();
                    }
                },
                server -> {
                    try (var peer = new SocketPeer(server.port())) {
                        delay(50);
                        for (int i = 0; i < senders; i++) {
                            var message = new StringBuilder();
                            SocketPeer.Frame next;
                            do {
                                next = peer.read();
                                message.append(next.text());
                                assertThat(next.first() & 0x0f).isEqualTo(message.length() > 65_536 ? 0 : 1);
                            } while (next.first() < 0x80);
                            assertThat(message.toString())
                                    .isEqualTo(message.substring(0, 1).repeat(length));
                        }
                        assertThat(peer.read()).hasToString("close 1000");
                    }
                });
    }

    @EachReactor
    void cancelledWaits_leaveTheSocketUsable(String reactor) {
        Http.serve(
                reactor,
                exchange -> {
                    WebSocket socket = exchange.webSocket();
                    int cancelled = 0;
                    while (true) {
                        try {
                            var message = withTimeout(Duration.ofMillis(2), socket::receive);
                            if (message == null) return;
                            socket.send(message.text());
                        } catch (AsyncTimeoutException e) {
                            if (++cancelled == 3) socket.send("cancelled");
                        }
                    }
                },
                server -> {
                    try (var peer = new SocketPeer(server.port())) {
                        byte[] frame = frame(TEXT, "in pieces");
                        for (byte part : frame) {
                            peer.send(new byte[] {part});
                            delay(3);
                        }
                        peer.send(SocketPeer.close(1000, ""));
                        assertThat(peer.readAll()).contains("text cancelled").contains("text in pieces, close 1000");
                    }
                });
    }

    @EachReactor
    void sendGivenUpInTheMiddle_cutsTheConnection(String reactor) {
        var told = new ArrayList<String>();
        Http.serve(
                reactor,
                exchange -> {
                    WebSocket socket = exchange.webSocket();
                    assertThatThrownBy(() ->
                                    withTimeout(Duration.ofMillis(50), () -> socket.send(new byte[64 * 1024 * 1024])))
                            .isInstanceOf(AsyncTimeoutException.class);
                    told.add(socket + "");
                    try {
                        socket.send("more");
                    } catch (InputOutputException e) {
                        told.add(e.getMessage());
                    }
                },
                server -> {
                    try (var peer = new SocketPeer(server.port())) {
                        await(told, 2);
                        assertThat(told.get(0)).isEqualTo("WebSocket, closed with 1006 ");
                        assertThat(told.get(1)).contains("given up in the middle");
                    }
                });
    }

    @EachReactor
    void secondReceiver_isRefused(String reactor) {
        Http.serve(
                reactor,
                exchange -> {
                    WebSocket socket = exchange.webSocket();
                    var first = spawn(socket::receive);
                    delay(1);
                    assertThatThrownBy(socket::receive)
                            .isInstanceOf(IllegalStateException.class)
                            .hasMessageContaining("let one coroutine receive");
                    socket.send("refused");
                    assertThat(first.await().text()).isEqualTo("go on");
                    assertThatThrownBy(() -> socket.close(1005, "")).isInstanceOf(IllegalArgumentException.class);
                    assertThatThrownBy(() -> socket.close(1000, "é".repeat(62)))
                            .isInstanceOf(IllegalArgumentException.class);
                },
                server -> {
                    try (var peer = new SocketPeer(server.port())) {
                        assertThat(peer.read()).hasToString("text refused");
                        peer.send(frame(TEXT, "go on"));
                        assertThat(peer.readAll()).isEqualTo("close 1000");
                    }
                });
    }

    // ---- the end

    @EachReactor
    void peerThatResets_endsReceiveAndIsNotReported(String reactor) {
        var told = new ArrayList<String>();
        Http.serve(reactor, receiving(told), server -> {
            var peer = new SocketPeer(server.port()).send(frame(1, "begun"));
            delay(5);
            peer.reset();
            await(told, 1);
            assertThat(told).containsExactly("ECONNRESET 1006");
            new SocketPeer(server.port())
                    .send(frame(TEXT, "a"), new byte[] {(byte) TEXT})
                    .close();
            await(told, 3);
            assertThat(told).containsExactly("ECONNRESET 1006", "a", "ECONNRESET 1006");
            new SocketPeer(server.port()).send(new byte[] {0, 0}).readAll();
            await(told, 4);
            assertThat(told.getLast()).isEqualTo("EPROTO 1002");
        });
    }

    @EachReactor
    void handlerThatFails_closesWith1011AndIsReported(String reactor) {
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder().host("127.0.0.1").listen(exchange -> {
                exchange.webSocket();
                throw new IllegalStateException("secret");
            })) {
                try (var peer = new SocketPeer(server.port())) {
                    SocketPeer.Frame end = peer.read();
                    assertThat(end).hasToString("close 1011");
                    assertThat(end.payload()).hasSize(2);
                }
                while (server.stats().openConnections() > 0) delay(1);
            }
        });
        assertThat(reports).hasSize(1);
        assertThat(reports.getFirst()).contains("IllegalStateException: secret");
    }

    @EachReactor
    void close_dropsWhatComesUntilThePeerClosesToo(String reactor) {
        var told = new ArrayList<String>();
        Http.serve(
                reactor,
                exchange -> {
                    WebSocket socket = exchange.webSocket();
                    socket.close(4000, "enough");
                    told.add(socket + ", " + socket.isOpen() + ", " + socket.receive());
                },
                server -> {
                    try (var peer = new SocketPeer(server.port())) {
                        peer.send(frame(TEXT, "a"), frame(PING, "p"));
                        SocketPeer.Frame end = peer.read();
                        assertThat(end.code() + new String(end.payload(), 2, 6)).isEqualTo("4000enough");
                        peer.send(frame(TEXT, "b"), frame(CLOSE, end.payload()));
                        assertThat(peer.read()).isNull();
                    }
                    await(told, 1);
                    assertThat(told).containsExactly("WebSocket, closed with 4000 enough, false, null");
                });
    }

    @EachReactor
    void drain_closesWith1001AndLetsTheHandshakeFinish(String reactor) {
        var told = new ArrayList<String>();
        Http.serve(reactor, receiving(told), server -> {
            try (var peer = new SocketPeer(server.port());
                    var other = new SocketPeer(server.port())) {
                peer.send(frame(TEXT, "a"));
                await(told, 1);
                var draining = spawn(() -> server.drain(Duration.ofSeconds(30)));
                assertThat(peer.readAll()).isEqualTo("close 1001");
                assertThat(other.readAll()).isEqualTo("close 1001");
                assertThat(told).containsExactly("a");
                peer.send(SocketPeer.close(1001, ""));
                other.send(SocketPeer.close(1001, ""));
                assertThat(draining.await()).isTrue();
                assertThat(told).containsExactly("a", "closed 1001 going away", "closed 1001 going away");
                assertThat(peer.read()).isNull();
            }
        });
    }

    @EachReactor
    void serverThatIsClosed_closesWith1001(String reactor) {
        var told = new ArrayList<String>();
        Http.serve(
                reactor,
                exchange -> {
                    WebSocket socket = exchange.webSocket();
                    told.add("open");
                    socket.receive();
                },
                server -> {
                    try (var peer = new SocketPeer(server.port())) {
                        await(told, 1);
                        server.close();
                        assertThat(peer.readAll()).isEqualTo("close 1001");
                    }
                });
    }

    @EachReactor
    void receiveWhileAnotherCoroutineCloses_waitsForTheEnd(String reactor) {
        var told = new ArrayList<String>();
        Http.serve(
                reactor,
                exchange -> {
                    WebSocket socket = exchange.webSocket();
                    spawn(() -> socket.close(4000, ""));
                    while (socket.isOpen()) delay(1);
                    told.add("closing");
                    told.add("got " + socket.receive());
                },
                server -> {
                    try (var peer = new SocketPeer(server.port())) {
                        assertThat(peer.readAll()).isEqualTo("close 4000");
                        await(told, 1);
                        peer.send(frame(TEXT, "late"), SocketPeer.close(4000, ""));
                        await(told, 2);
                        assertThat(told).containsExactly("closing", "got null");
                    }
                });
    }

    // ---- hostile peers; in real time

    @EachReactor
    void silentPeer_isPingedThenCut(String reactor) {
        var told = new ArrayList<String>();
        Http.serve(
                reactor,
                exchange -> {
                    WebSocket socket = exchange.webSocket(WebSocket.options().pingInterval(Duration.ofMillis(300)));
                    try {
                        socket.receive();
                    } catch (InputOutputException e) {
                        told.add(e.errno());
                        throw e;
                    }
                },
                server -> {
                    try (var peer = new SocketPeer(server.port())) {
                        assertThat(peer.read()).hasToString("ping ");
                        peer.send(frame(PONG, ""));
                        assertThat(peer.read()).hasToString("ping ");
                        assertThat(told).isEmpty();
                        assertThat(peer.read()).isNull();
                        await(told, 1);
                        assertThat(told).containsExactly("ETIMEDOUT");
                    }
                });
    }

    @EachReactor
    void peerThatDoesNotRead_isCutByTheWriteTimeout(String reactor) {
        var told = new ArrayList<String>();
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                    .host("127.0.0.1")
                    .writeTimeout(Duration.ofMillis(200))
                    .listen(exchange -> {
                        WebSocket socket = exchange.webSocket(SILENT);
                        try {
                            while (true) socket.send(new byte[100_000]);
                        } catch (InputOutputException e) {
                            told.add("cut " + socket.closeCode());
                            throw e;
                        }
                    })) {
                try (var peer = new SocketPeer(server.port())) {
                    await(told, 1);
                    assertThat(server.stats().writeTimeouts()).isEqualTo(1);
                }
            }
        });
        assertThat(told).containsExactly("cut 1006");
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void flowOfPingsFromAPeerThatDoesNotRead_isBounded(String reactor) {
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                    .host("127.0.0.1")
                    .writeTimeout(Duration.ofMillis(200))
                    .listen(exchange -> exchange.webSocket(SILENT).receive())) {
                try (var peer = new SocketPeer(server.port())) {
                    byte[] ping = frame(PING, "p".repeat(125));
                    var many = new byte[ping.length * 500];
                    for (int i = 0; i < many.length; i += ping.length) System.arraycopy(ping, 0, many, i, ping.length);
                    assertThatThrownBy(() -> {
                                while (true) peer.send(many);
                            })
                            .isInstanceOf(java.io.IOException.class);
                }
            }
        });
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void announcedLength_takesNoMemoryBeforeItHasCome(String reactor) {
        var told = new ArrayList<String>();
        Http.serve(
                reactor,
                exchange -> {
                    WebSocket socket = exchange.webSocket(WebSocket.options().maxMessageBytes(1 << 30));
                    told.add("open");
                    socket.receive();
                },
                server -> {
                    var peers = new ArrayList<SocketPeer>();
                    byte[] head = Arrays.copyOf(bytes(0x82, 0xff, 0, 0, 0, 0, 0x3f, 0xff, 0xff, 0xff, 1, 2, 3, 4), 20);
                    for (int i = 0; i < 20; i++) peers.add(new SocketPeer(server.port()).send(head));
                    await(told, 20);
                    delay(10);
                    for (SocketPeer peer : peers) peer.close();
                });
    }
}
