package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import java.io.ByteArrayInputStream;
import java.io.ByteArrayOutputStream;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;
import java.util.Random;
import java.util.zip.GZIPInputStream;
import java.util.zip.GZIPOutputStream;
import java.util.zip.Inflater;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Bodies compressed by gzip, both ways, and forms. */
@Timeout(60)
class CompressionTest {
    private static final String TEXT = "0123456789".repeat(200);

    @TempDir
    Path folder;

    private static void serve(String reactor, HttpServer.Builder builder, HttpHandler handler, Http.Client client) {
        List<String> reports = Http.run(reactor, () -> {
            try (var server = builder.host("127.0.0.1").listen(handler)) {
                client.use(server);
            }
        });
        assertThat(reports).isEmpty();
    }

    private static HttpResponse<byte[]> ask(HttpServer server, String method, String path, String... fields)
            throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            var request = HttpRequest.newBuilder(URI.create("http://127.0.0.1:" + server.port() + path))
                    .method(method, HttpRequest.BodyPublishers.noBody());
            if (fields.length > 0) request.headers(fields);
            return client.send(request.build(), HttpResponse.BodyHandlers.ofByteArray());
        }
    }

    private static String field(HttpResponse<?> response, String name) {
        return response.headers().firstValue(name).orElse("-");
    }

    private static String unpacked(HttpResponse<byte[]> response) throws Exception {
        assertThat(field(response, "Content-Encoding")).isEqualTo("gzip");
        try (var in = new GZIPInputStream(new ByteArrayInputStream(response.body()))) {
            return new String(in.readAllBytes(), StandardCharsets.UTF_8);
        }
    }

    private static byte[] packed(byte[] plain) throws Exception {
        var bytes = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(bytes)) {
            out.write(plain);
        }
        return bytes.toByteArray();
    }

    @EachReactor
    void response_isCompressedIfItIsWorthItAndWanted(String reactor) {
        String[] gzip = {"Accept-Encoding", "deflate;q=1, gzip;q=0.5"};
        serve(
                reactor,
                HttpServer.builder().compress(1000),
                exchange -> {
                    switch (exchange.path()) {
                        case "/small" -> exchange.respond("x".repeat(999));
                        case "/bytes" -> exchange.respond(TEXT.getBytes(StandardCharsets.UTF_8));
                        case "/image" ->
                            exchange.header("Content-Type", "image/png").respond(TEXT);
                        case "/coded" ->
                            exchange.header("Content-Encoding", "x-own").respond(TEXT);
                        case "/raw" ->
                            exchange.header("Cache-Control", "no-transform").respond(TEXT);
                        case "/none" ->
                            exchange.header("Content-Type", "text/plain").respond(204);
                        case "/error" -> exchange.respond(404, TEXT);
                        case "/json" ->
                            exchange.header("Content-Type", "application/problem+json; a=b")
                                    .header("ETag", "\"a\"")
                                    .header("Vary", "Origin")
                                    .respond(TEXT);
                        default -> exchange.respond(TEXT);
                    }
                },
                server -> {
                    var answer = ask(server, "GET", "/", gzip);
                    assertThat(unpacked(answer)).isEqualTo(TEXT);
                    assertThat(answer.body()).hasSizeLessThan(200);
                    assertThat(field(answer, "Content-Length")).isEqualTo("" + answer.body().length);
                    assertThat(field(answer, "Vary")).isEqualTo("Accept-Encoding");
                    assertThat(unpacked(ask(server, "GET", "/error", gzip))).isEqualTo(TEXT);
                    var json = ask(server, "GET", "/json", gzip);
                    assertThat(unpacked(json)).isEqualTo(TEXT);
                    assertThat(field(json, "ETag")).isEqualTo("W/\"a\"");
                    assertThat(json.headers().allValues("Vary")).containsExactly("Origin", "Accept-Encoding");
                    for (String path : List.of("/small", "/bytes", "/image", "/coded", "/raw", "/none")) {
                        var plain = ask(server, "GET", path, gzip);
                        assertThat(field(plain, "Content-Encoding")).as(path).isIn("-", "x-own");
                        assertThat(field(plain, "Vary")).as(path).isEqualTo("-");
                    }
                    for (String other : List.of("deflate", "gzip;q=0", "gzip;q=0.1, identity;q=0.2", "identity", "")) {
                        var plain = ask(server, "GET", "/", "Accept-Encoding", other);
                        assertThat(new String(plain.body(), StandardCharsets.UTF_8))
                                .isEqualTo(TEXT);
                        assertThat(field(plain, "Vary")).isEqualTo("Accept-Encoding");
                    }
                    assertThat(unpacked(ask(server, "GET", "/", "Accept-Encoding", "*")))
                            .isEqualTo(TEXT);
                    var head = ask(server, "HEAD", "/", gzip);
                    assertThat(field(head, "Vary")).isEqualTo("Accept-Encoding");
                    assertThat(field(head, "Content-Length")).isEqualTo("-");
                    assertThat(field(ask(server, "HEAD", "/"), "Content-Length"))
                            .isEqualTo("2000");
                });
        serve(reactor, HttpServer.builder(), exchange -> exchange.respond(TEXT), server -> assertThat(
                        field(ask(server, "GET", "/", gzip), "Content-Encoding"))
                .isEqualTo("-"));
    }

    @EachReactor
    void largeAndStreamedResponses_areCompressedInPieces(String reactor) {
        var random = new Random(1);
        var digits = new StringBuilder();
        while (digits.length() < 500_000) digits.append(random.nextInt());
        String large = digits.toString();
        serve(
                reactor,
                HttpServer.builder().compress(1000),
                exchange -> {
                    exchange.header("Content-Type", "text/plain");
                    switch (exchange.path()) {
                        case "/parts" -> {
                            for (int i = 0; i < large.length(); i += 7_001)
                                exchange.write(large.substring(i, Math.min(large.length(), i + 7_001)));
                        }
                        case "/one" -> exchange.write(large);
                        case "/stream" -> {
                            try (var out = exchange.outputStream()) {
                                for (byte b : large.getBytes(StandardCharsets.UTF_8)) out.write(b);
                            }
                        }
                        case "/empty" -> exchange.write("");
                        case "/length" ->
                            exchange.header("Content-Length", "" + TEXT.length())
                                    .write(TEXT);
                        case "/events" ->
                            exchange.header("Content-Type", "text/event-stream").write(TEXT);
                        default -> exchange.respond(large);
                    }
                },
                server -> {
                    for (String path : List.of("/", "/parts", "/one", "/stream")) {
                        var answer = ask(server, "GET", path, "Accept-Encoding", "gzip");
                        assertThat(unpacked(answer)).as(path).isEqualTo(large);
                        assertThat(answer.body().length).isLessThan(large.length() * 2 / 3);
                    }
                    assertThat(unpacked(ask(server, "GET", "/empty", "Accept-Encoding", "gzip")))
                            .isEmpty();
                    for (String path : List.of("/length", "/events"))
                        assertThat(new String(
                                        ask(server, "GET", path, "Accept-Encoding", "gzip")
                                                .body(),
                                        StandardCharsets.UTF_8))
                                .as(path)
                                .isEqualTo(TEXT);
                    String old = Raw.exchange(server.port(), "GET /parts HTTP/1.0\r\nAccept-Encoding: gzip\r\n\r\n");
                    byte[] body = old.substring(old.indexOf("\r\n\r\n") + 4).getBytes(StandardCharsets.ISO_8859_1);
                    try (var in = new GZIPInputStream(new ByteArrayInputStream(body))) {
                        assertThat(new String(in.readAllBytes(), StandardCharsets.UTF_8))
                                .isEqualTo(large);
                    }
                });
    }

    @EachReactor
    void streamedPart_canBeReadAtOnce(String reactor) {
        var goOn = new boolean[1];
        serve(
                reactor,
                HttpServer.builder().compress(1000),
                exchange -> {
                    exchange.header("Content-Type", "text/plain").write("first");
                    while (!goOn[0]) delay(1);
                    exchange.write("second");
                },
                server -> {
                    try (var peer = new Raw(server.port())) {
                        peer.send("GET / HTTP/1.1\r\nHost: a\r\nAccept-Encoding: gzip\r\nConnection: close\r\n\r\n");
                        peer.readUntil("\r\n\r\n");
                        String size = peer.readUntil("\r\n").strip();
                        byte[] bytes = peer.read(Integer.parseInt(size, 16));
                        var inflater = new Inflater(true);
                        inflater.setInput(bytes, 10, bytes.length - 10);
                        byte[] plain = new byte[100];
                        assertThat(new String(plain, 0, inflater.inflate(plain), StandardCharsets.UTF_8))
                                .isEqualTo("first");
                        inflater.end();
                        goOn[0] = true;
                        peer.readAll();
                    }
                });
    }

    @EachReactor
    void file_isCompressedAsAWholeAlone(String reactor) throws Exception {
        Files.writeString(folder.resolve("f.txt"), TEXT.repeat(50));
        Files.setLastModifiedTime(folder.resolve("f.txt"), java.nio.file.attribute.FileTime.fromMillis(1));
        serve(reactor, HttpServer.builder().compress(1000), new FileHandler(folder), server -> {
            var answer = ask(server, "GET", "/f.txt", "Accept-Encoding", "gzip");
            assertThat(unpacked(answer)).isEqualTo(TEXT.repeat(50));
            assertThat(field(answer, "ETag")).startsWith("W/");
            assertThat(field(answer, "Accept-Ranges")).isEqualTo("-");
            var again = ask(server, "GET", "/f.txt", "Accept-Encoding", "gzip", "If-None-Match", field(answer, "ETag"));
            assertThat(again.statusCode()).isEqualTo(304);
            assertThat(field(again, "Vary")).isEqualTo("Accept-Encoding");
            var part = ask(server, "GET", "/f.txt", "Accept-Encoding", "gzip", "Range", "bytes=1-3");
            assertThat(new String(part.body(), StandardCharsets.UTF_8)).isEqualTo("123");
            assertThat(field(part, "Content-Encoding")).isEqualTo("-");
            assertThat(field(ask(server, "HEAD", "/f.txt", "Accept-Encoding", "gzip"), "Content-Length"))
                    .isEqualTo("-");
            assertThat(field(ask(server, "GET", "/f.txt"), "Content-Length")).isEqualTo("100000");
        });
    }

    private static String post(HttpServer server, String fields, byte[] body) throws Exception {
        return Raw.exchange(
                server.port(),
                "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n" + fields + "Content-Length: " + body.length
                        + "\r\n\r\n" + new String(body, StandardCharsets.ISO_8859_1));
    }

    @EachReactor
    void compressedBody_isDecodedWithinTheLimit(String reactor) {
        serve(
                reactor,
                HttpServer.builder().decodeBodies(true).maxBodyBytes(5_000),
                exchange -> exchange.respond(exchange.contentLength() + " " + exchange.text()),
                server -> {
                    String gzip = "Content-Encoding: gzip\r\n";
                    byte[] packed = packed(TEXT.getBytes(StandardCharsets.UTF_8));
                    assertThat(post(server, gzip, packed)).endsWith("-1 " + TEXT);
                    assertThat(post(server, "", "plain".getBytes(StandardCharsets.UTF_8)))
                            .endsWith("5 plain");
                    assertThat(post(server, gzip, packed(new byte[5_001]))).startsWith("HTTP/1.1 413");
                    assertThat(post(server, gzip, packed(new byte[4_000_000]))).startsWith("HTTP/1.1 413");
                    assertThat(post(server, gzip, TEXT.getBytes(StandardCharsets.UTF_8)))
                            .startsWith("HTTP/1.1 400");
                    assertThat(post(server, gzip, java.util.Arrays.copyOf(packed, packed.length - 3)))
                            .startsWith("HTTP/1.1 400");
                    packed[packed.length - 6] ^= 1;
                    assertThat(post(server, gzip, packed)).startsWith("HTTP/1.1 400");
                    assertThat(post(server, "Content-Encoding: compress\r\n", packed))
                            .startsWith("HTTP/1.1 415");
                });
    }

    @EachReactor
    void compressedBody_comesAsItWasSentOtherwise(String reactor) {
        serve(
                reactor,
                HttpServer.builder(),
                exchange -> {
                    if (exchange.header("As-Text") != null) exchange.respond(exchange.text());
                    else exchange.respond(exchange.bytes());
                },
                server -> {
                    byte[] packed = packed(TEXT.getBytes(StandardCharsets.UTF_8));
                    assertThat(post(server, "Content-Encoding: gzip\r\n", packed))
                            .endsWith(new String(packed, StandardCharsets.ISO_8859_1));
                    assertThat(post(server, "Content-Encoding: gzip\r\nAs-Text: 1\r\n", packed))
                            .startsWith("HTTP/1.1 415");
                    assertThat(post(server, "Content-Encoding: identity\r\nAs-Text: 1\r\n", packed))
                            .startsWith("HTTP/1.1 200");
                });
    }

    @EachReactor
    void form_isDecodedOrRefused(String reactor) {
        serve(
                reactor,
                HttpServer.builder(),
                exchange -> exchange.respond(
                        exchange.formParameter("a") + exchange.formParameters("b ü") + exchange.formParameter("c")),
                server -> {
                    String type = "Content-Type: Application/x-www-form-urlencoded; charset=utf-8\r\n";
                    byte[] form = "a=1%2B+2&b+%c3%bc=x&b%20ü=&a=3&&=".getBytes(StandardCharsets.UTF_8);
                    assertThat(post(server, type, form)).endsWith("\r\n\r\n1+ 2[x, ]null");
                    assertThat(post(server, "Content-Type: text/plain\r\n", form))
                            .startsWith("HTTP/1.1 415");
                    assertThat(post(server, "", form)).startsWith("HTTP/1.1 415");
                    assertThat(post(server, type + "Content-Encoding: gzip\r\n", form))
                            .startsWith("HTTP/1.1 415");
                    for (String bad : List.of("a=%", "a=%4", "%zz=1", "a=%ff"))
                        assertThat(post(server, type, bad.getBytes(StandardCharsets.UTF_8)))
                                .as(bad)
                                .startsWith("HTTP/1.1 400");
                });
    }
}
