package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.blocking;
import static org.trueasync.Async.delay;

import java.net.URI;
import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.eclipse.jetty.client.HttpClient;
import org.eclipse.jetty.http2.client.HTTP2Client;
import org.eclipse.jetty.http2.client.transport.HttpClientTransportOverHTTP2;
import org.eclipse.jetty.websocket.api.Callback;
import org.eclipse.jetty.websocket.client.ClientUpgradeRequest;
import org.eclipse.jetty.websocket.client.WebSocketClient;
import org.junit.jupiter.api.Timeout;
import org.trueasync.InputOutputException;

/** WebSockets on streams of HTTP/2 (RFC 8441), with Jetty's client and with raw frames. */
@Timeout(60)
class Http2WebSocketTest {
    private static final int DATA = 0;
    private static final int HEADERS = 1;
    private static final int RESET = 3;

    private static void echo(Exchange exchange) {
        var socket = exchange.webSocket(
                WebSocket.options().protocols("chat.v1").compression(true).maxMessageBytes(1 << 20));
        for (var message : socket) {
            if (!message.isText()) socket.send(message.bytes());
            else if (message.text().equals("bye")) socket.close(4001, "done");
            else socket.send(message.text());
        }
    }

    // ---- Jetty's client

    private static JettySocket open(WebSocketClient client, HttpServer server, String... extensions) throws Exception {
        var events = new JettySocket();
        var request = new ClientUpgradeRequest(URI.create("ws://127.0.0.1:" + server.port() + "/socket"));
        request.setSubProtocols("other", "chat.v1");
        for (String each : extensions) request.addExtensions(each);
        client.connect(events, request).get(20, TimeUnit.SECONDS);
        assertThat(next(events)).isEqualTo("200 chat.v1");
        greet(events);
        return events;
    }

    /** Jetty's client 12.1 may lose what comes while it begins to listen, so it is greeted until it answers. */
    private static void greet(JettySocket events) throws InterruptedException {
        String heard;
        int greetings = 0;
        do {
            events.session.sendText("hello " + ++greetings, Callback.NOOP);
            heard = events.told.poll(1, TimeUnit.SECONDS);
        } while (heard == null);
        while (!heard.equals("hello " + greetings)) heard = next(events);
    }

    private static String next(JettySocket events) throws InterruptedException {
        return events.told.poll(20, TimeUnit.SECONDS);
    }

    @EachReactor
    void socketsOfOneConnection_talkBesideEachOther(String reactor) {
        var methods = new ArrayList<String>();
        var routes = new Routes().get("/socket", exchange -> {
            methods.add(exchange.method() + " " + exchange.protocol());
            echo(exchange);
        });
        List<String> reports = Http.serveAll(reactor, b -> b, routes, server -> {
            blocking(() -> {
                var http = new HttpClient(new HttpClientTransportOverHTTP2(new HTTP2Client()));
                var client = new WebSocketClient(http);
                client.start();
                try {
                    JettySocket first = open(client, server);
                    JettySocket second = open(client, server, "permessage-deflate");
                    for (JettySocket each : List.of(first, second)) {
                        each.session.sendText("gr\u00fc\u00dfe", Callback.NOOP);
                        assertThat(next(each)).isEqualTo("gr\u00fc\u00dfe");
                        each.session.sendBinary(ByteBuffer.wrap(new byte[] {1, 2, -1}), Callback.NOOP);
                        assertThat(next(each)).isEqualTo("0102ff");
                    }
                    // larger than the windows
                    for (JettySocket each : List.of(second, first)) {
                        each.session.setMaxTextMessageSize(1 << 20);
                        each.session.sendText("x".repeat(700_000), Callback.NOOP);
                        assertThat(next(each)).isEqualTo("700000");
                    }
                    first.session.sendText("bye", Callback.NOOP);
                    assertThat(next(first)).isEqualTo("4001 done");
                    second.session.close(1000, "enough", Callback.NOOP);
                    assertThat(next(second)).isEqualTo("1000 null");
                    assertThat(http.getDestinations()).hasSize(1);
                } finally {
                    client.stop();
                    http.stop();
                }
            });
            assertThat(server.stats().acceptedConnections()).isEqualTo(1);
        });
        assertThat(reports).isEmpty();
        assertThat(methods).containsExactly("GET HTTP/2", "GET HTTP/2");
    }

    // ---- raw frames

    private static Http2Peer ask(Http2Peer peer, int id, String method, String protocol, String... more)
            throws Exception {
        var all = new ArrayList<>(List.of(
                ":method", method, ":protocol", protocol, ":scheme", "http", ":path", "/", ":authority", "localhost"));
        all.addAll(List.of(more));
        return peer.send(HEADERS, 4, id, Http2Peer.fields(all.toArray(String[]::new)));
    }

    private static final String[] VERSION = {"sec-websocket-version", "13"};

    @EachReactor
    void whatIsNoSocket_isRefused(String reactor) {
        Http.serve(
                reactor,
                exchange -> {
                    if (exchange.header("plain") != null) exchange.respond("no socket");
                    else echo(exchange);
                },
                server -> {
                    try (var peer = Http2Peer.open(server.port())) {
                        ask(peer, 1, "CONNECT", "connect-udp", VERSION);
                        assertThat(peer.await(1).status()).isEqualTo("501");
                        ask(peer, 3, "CONNECT", "websocket", "sec-websocket-version", "8");
                        assertThat(peer.await(3).status()).isEqualTo("426");
                        ask(peer, 5, "CONNECT", "websocket", "plain", "yes");
                        assertThat(peer.await(5).status()).isEqualTo("501"); // 200 would be a socket
                        ask(peer, 7, "GET", "websocket", VERSION);
                        assertThat(peer.await(7).reset).isEqualTo(1);
                        peer.get(9, "/", "upgrade-insecure-requests", "1");
                        assertThat(peer.await(9).status()).isEqualTo("426");
                        ask(peer, 11, "CONNECT", "websocket", VERSION);
                        while (peer.of(11).fields.isEmpty()) peer.next();
                        assertThat(peer.of(11).status()).isEqualTo("200");
                        assertThat(peer.of(11).fields)
                                .doesNotContainKeys("upgrade", "connection", "sec-websocket-accept", "content-length");
                    }
                });
    }

    /** A message in a frame that is masked with zeros. */
    private static byte[] masked(int first, byte... payload) {
        return ByteBuffer.allocate(6 + payload.length)
                .put((byte) first)
                .put((byte) (0x80 | payload.length))
                .putInt(0)
                .put(payload)
                .array();
    }

    @EachReactor
    void closedByTheClient_streamEndsOnBothSides(String reactor) {
        Http.serve(reactor, Http2WebSocketTest::echo, server -> {
            try (var peer = Http2Peer.open(server.port())) {
                ask(peer, 1, "CONNECT", "websocket", VERSION);
                peer.send(DATA, 0, 1, masked(0x82, (byte) 7));
                peer.send(DATA, 0, 1, masked(0x88, (byte) 3, (byte) -24));
                assertThat(peer.await(1).body.toByteArray()).isEqualTo(Http2Peer.hex("820107 880203e8"));
                assertThat(peer.of(1).reset).isNegative();
                peer.data(1, "", true);
                peer.get(3, "/");
                assertThat(peer.await(3).status()).isEqualTo("426");
                assertThat(peer.of(1).reset).isNegative();
            }
        });
    }

    @EachReactor
    void clientThatResets_handlerIsTold_andTheConnectionGoesOn(String reactor) {
        var ends = new ArrayList<String>();
        List<String> reports = Http.serveAll(
                reactor,
                b -> b,
                exchange -> {
                    if (exchange.method().equals("POST")) {
                        exchange.respond("on");
                        return;
                    }
                    try {
                        exchange.webSocket().receive();
                    } catch (InputOutputException e) {
                        ends.add(e.getMessage());
                        throw e;
                    }
                },
                server -> {
                    try (var peer = Http2Peer.open(server.port())) {
                        ask(peer, 1, "CONNECT", "websocket", VERSION);
                        while (peer.of(1).fields.isEmpty()) peer.next();
                        peer.send(RESET, 0, 1, Http2Peer.hex("00000008"));
                        while (ends.isEmpty()) delay(1);
                        assertThat(peer.post(3, "/").data(3, "", true).await(3).text())
                                .isEqualTo("on");
                    }
                });
        assertThat(reports).isEmpty();
        assertThat(ends).singleElement().asString().contains("the client has reset the stream");
    }
}
