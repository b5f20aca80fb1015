package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Set;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.internal.testkit.WaitCase.SetUp;
import org.trueasync.internal.testkit.WaitTable;

/**
 * Waits of a server's exchange: for the rest of a request, and for a client that does not read. Each call has an
 * exchange of its own, since one that is given up in the middle of its response can't be gone on with.
 */
final class ExchangeWaits extends WaitTable {
    private static final String CRLF = "\r\n";
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n";
    private static final String UPGRADE = GET + "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";

    /** What the exchanges are on. */
    enum Over {
        HTTP_1("", Http1Exchanges::new),
        HTTP_2(", over HTTP/2", Http2Exchanges::withoutWindow),
        FULL_HTTP_2(", over HTTP/2 that is full", Http2Exchanges::full);

        final String name;
        private final Exchanges.Maker maker;

        Over(String name, Exchanges.Maker maker) {
            this.name = name;
            this.maker = maker;
        }
    }

    private final Over over;
    /** More than a connection has room for, or a window if there is one. */
    private final String large;

    ExchangeWaits(Over over) {
        this.over = over;
        large = "x".repeat(over == Over.HTTP_1 ? 600_000 : 40_000);
        if (over != Over.FULL_HTTP_2) {
            bodies();
            parts();
        }
        responses();
        if (over == Over.HTTP_1) heads();
        else responsesOfHttp2();
        events();
        sockets();
    }

    @Override
    protected void row(String method, SetUp setUp) {
        super.row(method + over.name, setUp);
    }

    private Exchanges exchanges(WaitCase wait, String request) throws Exception {
        return over.maker.make(wait, request);
    }

    // ---- requests

    private void reading(String method, String head, String first, String rest, On<Exchange> on) {
        row(method, wait -> {
            var exchanges = exchanges(
                    wait,
                    "POST /a HTTP/1.1\r\nHost: a\r\n" + head + "Content-Length: " + (first.length() + rest.length())
                            + CRLF + CRLF + first);
            call(method, wait, token -> exchanges.call(exchange -> on.call(exchange, token)));
            wait.serve(() -> exchanges.send(rest))
                    .comesFromOutside()
                    .keepsNothing()
                    .leaves(() -> exchanges.assertWhole(Exchanges.IN_ORDER));
            if (method.equals("FormPart.saveTo(Path)")) wait.needsThreads(); // a real file
        });
    }

    private void bodies() {
        String json = "Content-Type: application/json\r\n";
        String form = "Content-Type: application/x-www-form-urlencoded\r\n";
        reading("Exchange.bytes()", "", "some", "thing", (exchange, token) -> assertThat(exchange.bytes())
                .hasSize(9));
        reading("Exchange.text()", "", "some", "thing", (exchange, token) -> assertThat(exchange.text())
                .isEqualTo("something"));
        reading("Exchange.body(Class)", json, "\"some", "thing\"", (exchange, token) -> assertThat(
                        exchange.body(String.class))
                .isEqualTo("something"));
        reading("Exchange.formParameter(String)", form, "a=so", "me", (exchange, token) -> assertThat(
                        exchange.formParameter("a"))
                .isEqualTo("some"));
        reading("Exchange.formParameters(String)", form, "a=so", "me", (exchange, token) -> assertThat(
                        exchange.formParameters("a"))
                .containsExactly("some"));
        reading("RequestInput.readAllBytes", "", "some", "thing", (exchange, token) -> assertThat(
                        exchange.inputStream().readAllBytes())
                .hasSize(9));
        reading("RequestInput.transferTo", "", "some", "thing", (exchange, token) -> assertThat(
                        exchange.inputStream().transferTo(java.io.OutputStream.nullOutputStream()))
                .isEqualTo(9));
        row("RequestInput.read", wait -> {
            var exchanges = exchanges(wait, "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
            Exchange exchange = exchanges.next();
            exchanges.done.add(0);
            wait.call(() -> assertThat(new String(exchange.inputStream().readNBytes(4), StandardCharsets.UTF_8))
                            .isEqualTo("some"))
                    .serve(() -> exchanges.send("some"))
                    .comesFromOutside()
                    .leaves(() -> exchanges.assertWhole(Exchanges.IN_ORDER));
        });
    }

    private void part(String method, String rest, On<FormPart> on) {
        String head = "Content-Type: multipart/form-data; boundary=b\r\n";
        String first = "--b\r\nContent-Disposition: form-data; name=n; filename=f\r\n\r\nsome";
        reading(
                method,
                head,
                first,
                rest,
                (exchange, token) -> on.call(exchange.parts().iterator().next(), token));
    }

    private void parts() {
        String rest = "thing\r\n--b--\r\n";
        part("FormPart.bytes()", rest, (part, token) -> assertThat(part.bytes()).hasSize(9));
        part("FormPart.text()", rest, (part, token) -> assertThat(part.text()).isEqualTo("something"));
        part("FormPart.Content.read", rest, (part, token) -> assertThat(
                        part.inputStream().readAllBytes())
                .hasSize(9));
        part("FormPart.saveTo(Path)", rest, (part, token) -> {
            Path file = Files.createTempFile("part", "");
            try {
                assertThat(part.saveTo(file)).isEqualTo(9);
            } finally {
                Files.deleteIfExists(file);
            }
        });
        String head = "Content-Type: multipart/form-data; boundary=b\r\n";
        for (String method : List.of("FormParts.1.hasNext", "FormParts.1.next"))
            reading(
                    method,
                    head,
                    "--b\r\nContent-Dispo",
                    "sition: form-data; name=n\r\n\r\nsome\r\n--b--\r\n",
                    (exchange, token) -> {
                        var parts = exchange.parts().iterator();
                        if (method.endsWith("hasNext"))
                            assertThat(parts.hasNext()).isTrue();
                        assertThat(parts.next().text()).isEqualTo("some");
                    });
    }

    // ---- responses

    /** The response does not fit into the connection. */
    private void writing(String method, String request, On<Exchange> on) {
        row(method, wait -> {
            var exchanges = exchanges(wait, request);
            exchanges.ready();
            call(
                    method,
                    wait,
                    token -> exchanges.call(exchange -> {
                        if (over == Over.HTTP_1) exchange.header("x-large", large);
                        on.call(exchange, token);
                    }));
            served(method, wait, exchanges);
        });
    }

    private void served(String method, WaitCase wait, Exchanges exchanges) {
        Set<Integer> ends =
                switch (method) {
                    case "Exchange.awaitWritable()" -> Exchanges.IN_ORDER;
                    // it waits for those who write
                    case "EventStream.retry(Duration)", "WebSocket.ping()" -> Exchanges.ANYHOW;
                    default -> Exchanges.CUT;
                };
        wait.serve(exchanges::drain).keepsNothing().leaves(() -> exchanges.assertWhole(ends));
        if (over != Over.HTTP_1) wait.comesFromOutside();
    }

    private void writing(String method, On<Exchange> on) {
        writing(method, GET + CRLF, on);
    }

    private void responses() {
        writing("Exchange.write(String)", (exchange, token) -> exchange.write("some"));
        writing("Exchange.write(ByteBuffer)", (exchange, token) -> exchange.write(ByteBuffer.allocate(4)));
        writing("Exchange.html(String)", (exchange, token) -> exchange.html("some"));
        writing("Exchange.json(Object)", (exchange, token) -> exchange.json("some"));
        writing("Exchange.respond(String)", (exchange, token) -> exchange.respond("some"));
        writing("Exchange.respond(byte[])", (exchange, token) -> exchange.respond(new byte[4]));
        writing("Exchange.respond(int, String)", (exchange, token) -> exchange.respond(201, "some"));
        writing("ResponseOutput.write", (exchange, token) -> exchange.outputStream()
                .write(large.getBytes(StandardCharsets.UTF_8)));
    }

    /** What waits for its head alone, which over HTTP/2 never waits. */
    private void heads() {
        writing("Exchange.end()", (exchange, token) -> exchange.end());
        writing("Exchange.redirect(String)", (exchange, token) -> exchange.redirect("/b"));
        writing("Exchange.redirect(int, String)", (exchange, token) -> exchange.redirect(307, "/b"));
        writing("Exchange.respond(int)", (exchange, token) -> exchange.respond(204));
        writing("ResponseOutput.flush", (exchange, token) -> exchange.outputStream()
                .flush());
        writing("ResponseOutput.close", (exchange, token) -> exchange.outputStream()
                .close());
        writing(
                "Exchange.unlessModified(String)",
                GET + "If-None-Match: \"v\"\r\n\r\n",
                (exchange, token) -> exchange.unlessModified("v"));
        writing(
                "Exchange.upgrade(String)",
                GET + "Upgrade: other\r\nConnection: Upgrade\r\n\r\n",
                (exchange, token) -> exchange.upgrade("other"));
        writing("Exchange.webSocket()", UPGRADE, (exchange, token) -> exchange.webSocket());
        writing("Exchange.webSocket(Options)", UPGRADE, (exchange, token) -> exchange.webSocket(WebSocket.options()));
        writing("Exchange.events()", (exchange, token) -> exchange.events());
    }

    /** What waits for more than the head. */
    private void responsesOfHttp2() {
        writing("Exchange.awaitWritable()", (exchange, token) -> exchange.awaitWritable());
        writing("ResponseOutput.flush", (exchange, token) -> {
            exchange.outputStream().write(1);
            exchange.outputStream().flush();
        });
        writing("ResponseOutput.close", (exchange, token) -> {
            exchange.outputStream().write(1);
            exchange.outputStream().close();
        });
        writing("Exchange.end()", (exchange, token) -> {
            exchange.outputStream().write(1);
            exchange.end();
        });
        if (over != Over.FULL_HTTP_2) return;
        row("Exchange.end(), of a response that was begun", wait -> {
            var exchanges = exchanges(wait, GET + CRLF);
            for (Exchange exchange : exchanges.all) exchange.write("some");
            exchanges.ready();
            wait.call(() -> exchanges.call(Exchange::end));
            served("", wait, exchanges);
        });
    }

    // ---- what goes on after the head

    private void events() {
        sends("EventStream.send(String)", (events, token) -> events.send(large));
        sends("EventStream.send(String, String, String)", (events, token) -> events.send("1", "e", large));
        sends("EventStream.comment(String)", (events, token) -> events.comment(large));
        sends("EventStream.retry(Duration)", (events, token) -> {
            occupy(() -> events.comment(large));
            events.retry(Duration.ofSeconds(1));
        });
    }

    /** Another coroutine writes more than fits. */
    private static void occupy(Body writes) {
        spawn(() -> {
            try {
                writes.run();
            } catch (InputOutputException | AsyncCancellation e) {
                // closed at the end of the case
            }
        });
        delay(1);
    }

    private void sends(String method, On<EventStream> on) {
        row(method, wait -> {
            var exchanges = exchanges(wait, GET + CRLF);
            List<EventStream> streams =
                    exchanges.all.stream().map(Exchange::events).toList();
            exchanges.ready();
            call(method, wait, token -> exchanges.call(exchange -> on.call(streams.get(exchanges.used - 1), token)));
            served(method, wait, exchanges);
        });
    }

    /** A frame of a client, whose mask is zero. */
    private static ByteBuffer frame(int code, byte[] content) {
        return ByteBuffer.allocate(6 + content.length)
                .put((byte) (0x80 | code))
                .put((byte) (0x80 | content.length))
                .putInt(0)
                .put(content)
                .flip();
    }

    private interface Serving {
        void serve(Exchanges exchanges) throws Exception;
    }

    private void socket(String method, Serving serving, On<WebSocket> on) {
        row(method, wait -> {
            var exchanges = exchanges(wait, UPGRADE);
            List<WebSocket> sockets =
                    exchanges.all.stream().map(Exchange::webSocket).toList();
            for (int i = 0; i < Exchanges.COUNT && over == Over.HTTP_1; i++) {
                exchanges.next();
                exchanges.drain();
            }
            exchanges.used = 0;
            exchanges.ready();
            call(method, wait, token -> exchanges.call(exchange -> on.call(sockets.get(exchanges.used - 1), token)));
            wait.serve(() -> serving.serve(exchanges))
                    .keepsNothing()
                    .leaves(() -> exchanges.assertWhole(Exchanges.ANYHOW));
        });
    }

    private void received(String method, On<WebSocket> on) {
        row(method, wait -> {
            var exchanges = exchanges(wait, UPGRADE);
            WebSocket socket = exchanges.next().webSocket();
            exchanges.done.add(0);
            call(method, wait, token -> on.call(socket, token));
            wait.serve(() -> exchanges.send(frame(1, "some".getBytes(StandardCharsets.UTF_8))))
                    .comesFromOutside()
                    .leaves(() -> exchanges.assertWhole(Exchanges.IN_ORDER));
        });
    }

    private void messages() {
        received(
                "WebSocket.receive()",
                (socket, token) -> assertThat(socket.receive().text()).isEqualTo("some"));
        for (String method : List.of("WebSocket.1.hasNext", "WebSocket.1.next"))
            received(method, (socket, token) -> {
                var messages = socket.iterator();
                if (method.endsWith("hasNext")) assertThat(messages.hasNext()).isTrue();
                assertThat(messages.next().text()).isEqualTo("some");
            });
    }

    private void sockets() {
        if (over != Over.FULL_HTTP_2) messages();
        byte[] bytes = large.getBytes(StandardCharsets.UTF_8);
        socket("WebSocket.send(String)", Exchanges::drain, (socket, token) -> socket.send(large));
        socket("WebSocket.send(byte[])", Exchanges::drain, (socket, token) -> socket.send(bytes));
        socket("WebSocket.send(ByteBuffer)", Exchanges::drain, (socket, token) -> socket.send(ByteBuffer.wrap(bytes)));
        socket("WebSocket.ping()", Exchanges::drain, (socket, token) -> {
            occupy(() -> socket.send(large));
            socket.ping();
        });
        Serving farewell = exchanges -> {
            if (over != Over.HTTP_1) exchanges.drain();
            exchanges.send(frame(8, new byte[] {3, (byte) 0xe8}));
        };
        socket("WebSocket.close()", farewell, (socket, token) -> socket.close());
        socket("WebSocket.close(int, String)", farewell, (socket, token) -> socket.close(1000, "enough"));
    }
}
