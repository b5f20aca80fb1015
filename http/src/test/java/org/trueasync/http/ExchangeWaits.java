package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Channel;
import org.trueasync.FutureState;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.internal.testkit.WaitTable;
import org.trueasync.io.ByteStream;
import org.trueasync.io.TcpStream;

/**
 * Waits of a server's exchange: for the rest of a request, and for a client that does not read. Each call has an
 * exchange of its own, since one that is given up in the middle of its response can't be gone on with.
 */
final class ExchangeWaits extends WaitTable {
    private static final String CRLF = "\r\n";
    private static final String GET = "GET /a HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n";
    private static final String UPGRADE = GET + "Upgrade: websocket\r\nConnection: Upgrade\r\n"
            + "Sec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n";
    /** More than a connection has room for. */
    private static final String LARGE = "x".repeat(600_000);

    ExchangeWaits() {
        bodies();
        parts();
        responses();
        events();
        sockets();
    }

    /** Two exchanges whose handlers wait, and their clients. */
    private static final class Exchanges {
        final List<Exchange> all = new ArrayList<>();
        final List<TcpStream> clients = new ArrayList<>();
        private final ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        private int used;

        Exchanges(WaitCase wait, String request) {
            // the first look for a library takes real time
            assertThat(JsonCodec.installed()).isNotNull();
            var made = new Channel<Exchange>(1);
            var over = new FutureState<Integer>();
            HttpServer server = HttpServer.builder()
                    .host("127.0.0.1")
                    .cancelAbandoned(false)
                    .listen(exchange -> {
                        made.send(exchange);
                        await(over.future());
                    });
            for (int i = 0; i < 2; i++) {
                TcpStream client = TcpStream.connect("127.0.0.1", server.port());
                client.writeText(request);
                clients.add(client);
                all.add(made.receive());
            }
            wait.needsServer().closes(() -> {
                over.complete(1);
                clients.forEach(ByteStream::close);
                server.close();
            });
        }

        Exchange next() {
            return all.get(used++);
        }

        TcpStream client() {
            return clients.get(used - 1);
        }

        /** The client of the call reads what there is. */
        void drain() {
            for (int quiet = 0; quiet < 3; ) {
                int count = client().tryRead(buffer.clear());
                if (count < 0) return;
                if (count > 0) quiet = 0;
                else quiet++;
                if (count == 0) delay(1);
            }
        }
    }

    // ---- requests

    private void reading(String method, String head, String first, String rest, On<Exchange> on) {
        row(method, wait -> {
            var exchanges = new Exchanges(
                    wait,
                    "POST /a HTTP/1.1\r\nHost: a\r\n" + head + "Content-Length: " + (first.length() + rest.length())
                            + CRLF + CRLF + first);
            call(method, wait, token -> on.call(exchanges.next(), token));
            wait.serve(() -> exchanges.client().writeText(rest))
                    .comesFromOutside()
                    .keepsNothing();
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
            var exchanges = new Exchanges(wait, "POST /a HTTP/1.1\r\nHost: a\r\nContent-Length: 1000000\r\n\r\n");
            Exchange exchange = exchanges.next();
            wait.call(() -> assertThat(new String(exchange.inputStream().readNBytes(4), StandardCharsets.UTF_8))
                            .isEqualTo("some"))
                    .serve(() -> exchanges.client().writeText("some"))
                    .comesFromOutside();
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
            var exchanges = new Exchanges(wait, request);
            call(method, wait, token -> {
                Exchange exchange = exchanges.next();
                exchange.header("x-large", LARGE);
                on.call(exchange, token);
            });
            wait.serve(exchanges::drain).keepsNothing();
        });
    }

    private void writing(String method, On<Exchange> on) {
        writing(method, GET + CRLF, on);
    }

    private void responses() {
        writing("Exchange.write(String)", (exchange, token) -> exchange.write("some"));
        writing("Exchange.write(ByteBuffer)", (exchange, token) -> exchange.write(ByteBuffer.allocate(4)));
        writing("Exchange.end()", (exchange, token) -> exchange.end());
        writing("Exchange.html(String)", (exchange, token) -> exchange.html("some"));
        writing("Exchange.json(Object)", (exchange, token) -> exchange.json("some"));
        writing("Exchange.redirect(String)", (exchange, token) -> exchange.redirect("/b"));
        writing("Exchange.redirect(int, String)", (exchange, token) -> exchange.redirect(307, "/b"));
        writing("Exchange.respond(String)", (exchange, token) -> exchange.respond("some"));
        writing("Exchange.respond(byte[])", (exchange, token) -> exchange.respond(new byte[4]));
        writing("Exchange.respond(int)", (exchange, token) -> exchange.respond(204));
        writing("Exchange.respond(int, String)", (exchange, token) -> exchange.respond(201, "some"));
        writing("ResponseOutput.write", (exchange, token) -> exchange.outputStream()
                .write(LARGE.getBytes(StandardCharsets.UTF_8)));
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

    // ---- what goes on after the head

    private void events() {
        sends("EventStream.send(String)", (events, token) -> events.send(LARGE));
        sends("EventStream.send(String, String, String)", (events, token) -> events.send("1", "e", LARGE));
        sends("EventStream.comment(String)", (events, token) -> events.comment(LARGE));
        sends("EventStream.retry(Duration)", (events, token) -> {
            occupy(() -> events.comment(LARGE));
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
            var exchanges = new Exchanges(wait, GET + CRLF);
            List<EventStream> streams =
                    exchanges.all.stream().map(Exchange::events).toList();
            call(method, wait, token -> {
                exchanges.next();
                on.call(streams.get(exchanges.used - 1), token);
            });
            wait.serve(exchanges::drain).keepsNothing();
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
        void serve(Exchanges exchanges);
    }

    private void socket(String method, Serving serving, On<WebSocket> on) {
        row(method, wait -> {
            var exchanges = new Exchanges(wait, UPGRADE);
            List<WebSocket> sockets =
                    exchanges.all.stream().map(Exchange::webSocket).toList();
            for (int i = 0; i < 2; i++) {
                exchanges.next();
                exchanges.drain();
            }
            exchanges.used = 0;
            call(method, wait, token -> {
                exchanges.next();
                on.call(sockets.get(exchanges.used - 1), token);
            });
            wait.serve(() -> serving.serve(exchanges)).keepsNothing();
        });
    }

    private void received(String method, On<WebSocket> on) {
        row(method, wait -> {
            var exchanges = new Exchanges(wait, UPGRADE);
            WebSocket socket = exchanges.next().webSocket();
            call(method, wait, token -> on.call(socket, token));
            wait.serve(() -> exchanges.client().write(frame(1, "some".getBytes(StandardCharsets.UTF_8))))
                    .comesFromOutside();
        });
    }

    private void sockets() {
        received(
                "WebSocket.receive()",
                (socket, token) -> assertThat(socket.receive().text()).isEqualTo("some"));
        for (String method : List.of("WebSocket.1.hasNext", "WebSocket.1.next"))
            received(method, (socket, token) -> {
                var messages = socket.iterator();
                if (method.endsWith("hasNext")) assertThat(messages.hasNext()).isTrue();
                assertThat(messages.next().text()).isEqualTo("some");
            });
        byte[] large = LARGE.getBytes(StandardCharsets.UTF_8);
        socket("WebSocket.send(String)", Exchanges::drain, (socket, token) -> socket.send(LARGE));
        socket("WebSocket.send(byte[])", Exchanges::drain, (socket, token) -> socket.send(large));
        socket("WebSocket.send(ByteBuffer)", Exchanges::drain, (socket, token) -> socket.send(ByteBuffer.wrap(large)));
        socket("WebSocket.ping()", Exchanges::drain, (socket, token) -> {
            occupy(() -> socket.send(LARGE));
            socket.ping();
        });
        Serving farewell = exchanges -> exchanges.client().write(frame(8, new byte[] {3, (byte) 0xe8}));
        socket("WebSocket.close()", farewell, (socket, token) -> socket.close());
        socket("WebSocket.close(int, String)", farewell, (socket, token) -> socket.close(1000, "enough"));
    }
}
