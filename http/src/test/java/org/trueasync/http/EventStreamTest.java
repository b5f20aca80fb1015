package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.UnaryOperator;
import javax.net.ssl.SSLContext;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;

@Timeout(60)
class EventStreamTest {
    private static final String GET = "GET / HTTP/1.0\r\nHost: a\r\n";

    private static String bodyOf(HttpServer server, String fields) throws Exception {
        String all = Raw.exchange(server.port(), GET + fields + "\r\n");
        assertThat(all).startsWith("HTTP/1.1 200 ").contains("Content-Type: text/event-stream\r\n");
        return all.substring(all.indexOf("\r\n\r\n") + 4);
    }

    @EachReactor
    void events_areWrittenAsTheStandardSays(String reactor) {
        Http.serve(
                reactor,
                exchange -> {
                    var events = exchange.events();
                    events.send("plain");
                    events.send("two\nlines\r\nthree\rfour\n");
                    events.send("");
                    events.send("type", "7", "é");
                    events.comment("not\nseen");
                    events.retry(Duration.ofSeconds(2));
                    assertThatThrownBy(() -> events.send("a\nb", null, "")).hasMessageContaining("event must have");
                    assertThatThrownBy(() -> events.send(null, "a\0", "")).hasMessageContaining("id must have");
                    events.send(String.valueOf(events.lastEventId()));
                },
                server -> {
                    assertThat(bodyOf(server, "Last-Event-ID: \u00c3\u00a9 1\r\n"))
                            .isEqualTo("data: plain\n\ndata: two\ndata: lines\ndata: three\ndata: four\ndata: \n\n"
                                    + "data: \n\nevent: type\nid: 7\ndata: \u00c3\u00a9\n\n: not\n: seen\n\n"
                                    + "retry: 2000\n\ndata: \u00c3\u00a9 1\n\n");
                    assertThat(bodyOf(server, "")).endsWith("data: null\n\n");
                    assertThat(Raw.exchange(server.port(), GET.replace("GET", "HEAD") + "\r\n"))
                            .startsWith("HTTP/1.1 405 ");
                });
    }

    @EachReactor
    void eachEvent_isSentAtOnce(String reactor) {
        sendOneByOne(reactor, settings -> settings, Raw::new);
    }

    @EachReactor
    void eachEventOverTls_isSentAtOnce(String reactor) throws Exception {
        SSLContext context = Keys.context();
        sendOneByOne(reactor, settings -> settings.tls(context), Raw::secure);
    }

    private interface Connecting {
        Raw to(int port) throws Exception;
    }

    private static void sendOneByOne(
            String reactor, UnaryOperator<HttpServer.Builder> settings, Connecting connecting) {
        var order = new ArrayList<String>();
        Http.serve(
                reactor,
                settings,
                exchange -> {
                    var events = exchange.events();
                    while (order.isEmpty()) delay(1);
                    events.send("one");
                    while (order.size() < 2) delay(1);
                },
                server -> {
                    try (var peer = connecting.to(server.port()).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")) {
                        peer.readUntil("\r\n\r\n");
                        order.add("head");
                        peer.readUntil("data: one\n\n\r\n");
                        order.add("event");
                        peer.readUntil("0\r\n\r\n");
                    }
                });
    }

    private static void beginAndWait(Exchange exchange, List<String> reasons) {
        exchange.events().send("begun");
        try {
            delay(3_600_000);
        } catch (AsyncCancellation e) {
            reasons.add(e.getMessage());
            throw e;
        }
    }

    @EachReactor
    void handlerOfAPost_isCancelledWhenItsClientLeaves(String reactor) {
        var order = new ArrayList<String>();
        HttpHandler handler = exchange -> {
            assertThat(exchange.text()).isEqualTo("hello");
            beginAndWait(exchange, order);
        };
        Http.serve(reactor, handler, server -> {
            var raw = new Raw(server.port()).send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 5\r\n\r\nhello");
            raw.readUntil("data: begun\n\n");
            raw.reset();
            while (order.isEmpty()) delay(1);
            var peer = Http2Peer.open(server.port());
            peer.post(1, "/").data(1, "hello", true);
            while (peer.of(1).text().isEmpty()) peer.next();
            peer.number(Http2Peer.RESET, 1, 8);
            while (order.size() < 2) delay(1);
            peer.close();
            assertThat(order).containsExactly("the client has reset the connection", "the client has reset the stream");
            assertThat(server.stats().cancelledRequests()).isEqualTo(2);
        });
    }

    @EachReactor
    void connectionOfAPostWithEvents_servesTheNextRequest(String reactor) {
        HttpHandler handler = exchange -> {
            exchange.events().send(exchange.text());
            for (int i = 0; i < 3; i++) suspend(); // so that the reader waits for the next request
        };
        Http.serve(reactor, handler, server -> {
            try (var raw = new Raw(server.port())) {
                for (String body : List.of("one", "two")) {
                    raw.send("POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 3\r\n\r\n" + body);
                    assertThat(raw.readUntil("0\r\n\r\n")).contains("data: " + body);
                }
                // the next one comes while the first is answered, and is no sign that the client leaves
                String two = "POST / HTTP/1.1\r\nHost: a\r\nContent-Length: 1\r\n\r\nx";
                raw.send(two + two);
                for (int i = 0; i < 2; i++)
                    assertThat(raw.readUntil("0\r\n\r\n")).contains("data: x");
            }
        });
    }

    @EachReactor
    void handler_isCancelledWhenItsClientLeavesOrTheServerDrains(String reactor) {
        var order = new ArrayList<String>();
        Http.serve(reactor, exchange -> beginAndWait(exchange, order), server -> {
            var leaves = new Raw(server.port()).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n");
            leaves.readUntil("data: begun\n\n");
            leaves.reset();
            while (order.isEmpty()) delay(1);
            assertThat(order.getFirst()).contains("client");
            try (var stays = new Raw(server.port()).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")) {
                stays.readUntil("data: begun\n\n\r\n");
                assertThat(server.drain(Duration.ofSeconds(30))).isTrue();
                assertThat(stays.readAll()).isEqualTo("0\r\n\r\n");
            }
            assertThat(order).hasSize(2);
            assertThat(order.getLast()).contains("ends its streams of events");
        });
    }

    @EachReactor
    void keepAlive_sendsCommentsIntoASilence(String reactor) {
        List<String> told = new ArrayList<>();
        Http.serve(
                reactor,
                exchange -> {
                    var events = exchange.events();
                    events.keepAlive(Duration.ofMillis(5));
                    while (told.isEmpty()) delay(1);
                },
                server -> {
                    try (var peer = new Raw(server.port()).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")) {
                        peer.readUntil(": \n\n");
                        peer.readUntil(": \n\n");
                        told.add("seen");
                        peer.readUntil("0\r\n\r\n");
                    }
                });
    }

    @EachReactor
    void trySend_dropsWhatAClientIsTooSlowFor(String reactor) {
        int[] figures = new int[2];
        String large = "x".repeat(200_000);
        HttpHandler handler = x -> {
            var events = x.events();
            for (int i = 0; figures[1] < 100; i++) {
                boolean goes = events.isWritable();
                assertThat(events.trySend(null, String.valueOf(i), large)).isEqualTo(goes);
                figures[goes ? 0 : 1]++;
                Async.delay(1); // never longer than that
            }
            events.send("behind");
            while (!events.trySend("last")) Async.suspend();
        };
        Http.serve(reactor, handler, server -> {
            try (var peer = new Raw(server.port())) {
                peer.send("GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n");
                while (figures[1] < 100) Async.delay(1);
                String all = peer.readAll();
                assertThat(figures[0]).isPositive();
                assertThat(all.split("data: " + large + "\n\n", -1)).hasSize(figures[0] + 1);
                assertThat(all).contains("data: behind\n\n").endsWith("data: last\n\n\r\n0\r\n\r\n");
            }
        });
    }
}
