package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.ByteArrayOutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Instant;
import java.util.List;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;

/** Files of a folder as responses. */
@Timeout(60)
class FileHandlerTest {
    private static final String DATE = "Tue, 14 Nov 2023 22:13:20 GMT";
    private static final FileTime LONG_AGO = FileTime.from(Instant.ofEpochSecond(1_700_000_000));

    @TempDir
    Path temporary;

    private Path root;

    @BeforeEach
    void makeFiles() throws Exception {
        root = Files.createDirectory(temporary.resolve("root"));
        put("digits.txt", "0123456789");
        put("empty", "");
        put(".secret", "secret");
        put("sub/index.html", "<p>index");
        put("sub/a b+c&d.html", "odd");
        put("bare/x.json", "{}");
        Files.writeString(temporary.resolve("outside"), "outside");
        Files.createSymbolicLink(root.resolve("out"), temporary.resolve("outside"));
        Files.createSymbolicLink(root.resolve("up"), temporary);
        Files.createSymbolicLink(root.resolve("in"), root.resolve("digits.txt"));
        Files.createSymbolicLink(root.resolve("circle"), Path.of("circle"));
    }

    private void put(String name, String text) throws Exception {
        Path file = root.resolve(name);
        Files.createDirectories(file.getParent());
        Files.setLastModifiedTime(Files.writeString(file, text), LONG_AGO);
    }

    private static String ask(HttpServer server, String method, String target, String... fields) throws Exception {
        return Raw.exchange(
                server.port(),
                method + ' ' + target + " HTTP/1.1\r\nHost: a\r\nConnection: close\r\n"
                        + String.join(
                                "",
                                List.of(fields).stream().map(f -> f + "\r\n").toList()) + "\r\n");
    }

    private static String get(HttpServer server, String target, String... fields) throws Exception {
        return ask(server, "GET", target, fields);
    }

    private static String body(String answer) {
        return answer.substring(answer.indexOf("\r\n\r\n") + 4);
    }

    private static int status(String answer) {
        return Integer.parseInt(answer.substring(9, 12));
    }

    private static String field(String answer, String name) {
        for (String line : answer.substring(0, answer.indexOf("\r\n\r\n")).split("\r\n"))
            if (line.regionMatches(true, 0, name + ": ", 0, name.length() + 2))
                return line.substring(name.length() + 2);
        return "-";
    }

    @EachReactor
    void file_isSentWithWhatDescribesIt(String reactor) {
        Http.serve(reactor, new FileHandler(root).cacheControl("no-cache"), server -> {
            String answer = get(server, "/digits.txt?version=1");
            assertThat(status(answer)).isEqualTo(200);
            assertThat(body(answer)).isEqualTo("0123456789");
            assertThat(field(answer, "Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(field(answer, "Content-Length")).isEqualTo("10");
            assertThat(field(answer, "Last-Modified")).isEqualTo(DATE);
            assertThat(field(answer, "Accept-Ranges")).isEqualTo("bytes");
            assertThat(field(answer, "ETag")).startsWith("\"").endsWith("\"");
            assertThat(field(answer, "Cache-Control")).isEqualTo("no-cache");
            assertThat(field(answer, "X-Content-Type-Options")).isEqualTo("nosniff");
            String head = ask(server, "HEAD", "/digits.txt");
            assertThat(head.replaceAll("Date: .*", ""))
                    .isEqualTo(
                            answer.substring(0, answer.indexOf("\r\n\r\n") + 4).replaceAll("Date: .*", ""));
            assertThat(body(get(server, "/empty"))).isEmpty();
            assertThat(field(get(server, "/empty"), "Content-Length")).isEqualTo("0");
            assertThat(field(get(server, "/bare/x.json"), "Content-Type")).isEqualTo("application/json");
            assertThat(body(get(server, "/sub/a%20b+c&d.html"))).isEqualTo("odd");
            assertThat(body(get(server, "/in"))).isEqualTo("0123456789");
            String refused = ask(server, "POST", "/digits.txt", "Content-Length: 0");
            assertThat(status(refused)).isEqualTo(405);
            assertThat(field(refused, "Allow")).isEqualTo("GET, HEAD, OPTIONS");
        });
    }

    @EachReactor
    void folder_isItsIndexBehindASlash(String reactor) {
        var routes = new Routes()
                .under("/static", new FileHandler(root))
                .get("/pages/{page...}", new FileHandler(root.resolve("sub")))
                .under("/list", new FileHandler(root).listings(true));
        Http.serve(reactor, routes, server -> {
            String moved = get(server, "/static/sub?a=/b");
            assertThat(status(moved)).isEqualTo(301);
            assertThat(field(moved, "Location")).isEqualTo("/static/sub/?a=/b");
            assertThat(field(get(server, "/static"), "Location")).isEqualTo("/static/");
            assertThat(body(get(server, "/static/sub/"))).isEqualTo("<p>index");
            assertThat(body(get(server, "/pages/"))).isEqualTo("<p>index");
            assertThat(status(get(server, "/static/"))).isEqualTo(404);
            assertThat(status(get(server, "/static/bare/"))).isEqualTo(404);
            assertThat(status(get(server, "/static/digits.txt/"))).isEqualTo(404);
            assertThat(status(get(server, "/static/digits.txt/x"))).isEqualTo(404);
            String list = get(server, "/list/");
            assertThat(field(list, "Content-Type")).isEqualTo("text/html; charset=utf-8");
            assertThat(body(list)).contains("href=\"./bare/\"", ">digits.txt<").doesNotContain("secret");
            assertThat(body(get(server, "/list/bare/"))).contains("href=\"../\"", "x.json");
        });
        assertThatThrownBy(() -> new FileHandler(root.resolve("none"))).hasMessageContaining("no folder");
    }

    @EachReactor
    void nothingOutsideTheFolder_isServed(String reactor) throws Exception {
        put("sub/.git/config", "hidden");
        Files.createSymbolicLink(root.resolve("sub/shown"), root.resolve(".secret"));
        Http.serve(reactor, new FileHandler(root), server -> {
            for (String path : List.of(
                    "/../outside",
                    "/..%2foutside",
                    "/%2e%2e/outside",
                    "/%2e%2e%2foutside",
                    "/sub/../../outside",
                    "/sub/%2e%2e/%2e%2e/outside",
                    "/..%5coutside",
                    "/%5c../outside",
                    "/sub/..%5c..%5c..%5coutside",
                    "/%252e%252e/outside",
                    "/..;/outside",
                    "/.%00./outside",
                    "/digits.txt%00.html",
                    "/%c0%ae%c0%ae/outside",
                    "/%e0%80%ae%e0%80%ae/outside",
                    "/..%c0%afoutside",
                    "//etc/passwd",
                    "/%2fetc%2fpasswd",
                    "///etc/passwd",
                    "/file:///etc/passwd",
                    "/" + temporary + "/outside",
                    "/~/outside",
                    "/.../outside",
                    "/..../outside",
                    "http://a/../outside",
                    "http://a/%2e%2e/outside",
                    "/out",
                    "/up/outside",
                    "/circle",
                    "/.secret",
                    "/%2esecret",
                    "/sub/.git/config",
                    "/sub/%2egit/config",
                    "/digits.txt/",
                    "/digits.txt/.",
                    "/sub/./index.html",
                    "/sub//index.html",
                    "//sub/",
                    "/" + "a".repeat(300),
                    "/" + "a/".repeat(4000),
                    "/digits.txt%0d%0aX: y",
                    "/\u00ff")) {
                String answer = get(server, path);
                assertThat(status(answer)).as(path).isIn(400, 404);
                assertThat(answer)
                        .as(path)
                        .doesNotContain("outside\n", "0123", "secret", "root:", "hidden", "Location");
                assertThat(body(answer)).as(path).doesNotEndWith("outside");
            }
        });
        Http.serve(reactor, new FileHandler(root).followLinks(true).hidden(true), server -> {
            assertThat(body(get(server, "/out"))).isEqualTo("outside");
            assertThat(body(get(server, "/up/outside"))).isEqualTo("outside");
            assertThat(body(get(server, "/.secret"))).isEqualTo("secret");
            assertThat(status(get(server, "/../outside"))).isEqualTo(400);
            assertThat(status(get(server, "/circle"))).isEqualTo(404);
        });
    }

    @EachReactor
    void whatIsNoFile_isNotOpened(String reactor) throws Exception {
        Path fifo = root.resolve("fifo");
        assertThat(new ProcessBuilder("mkfifo", fifo.toString()).start().waitFor())
                .isZero();
        Http.serve(reactor, new FileHandler(root), server -> assertThat(status(get(server, "/fifo")))
                .isEqualTo(404));
        Path locked = root.resolve("locked");
        Files.writeString(locked, "x");
        Files.setPosixFilePermissions(locked, PosixFilePermissions.fromString("---------"));
        if (Files.isReadable(locked)) return; // whoever runs this may read everything
        Http.serve(reactor, new FileHandler(root), server -> assertThat(status(get(server, "/locked")))
                .isEqualTo(403));
    }

    @EachReactor
    void conditions_areCheckedInTheirOrder(String reactor) {
        String before = "Tue, 14 Nov 2023 22:13:19 GMT";
        String after = "Tue, 14 Nov 2023 22:13:21 GMT";
        Http.serve(reactor, new FileHandler(root), server -> {
            String tag = field(get(server, "/digits.txt"), "ETag");
            record Case(int status, String... fields) {}
            for (Case c : List.of(
                    new Case(304, "If-None-Match: " + tag),
                    new Case(304, "If-None-Match: W/" + tag),
                    new Case(304, "If-None-Match: \"a,b\", " + tag + " , \"c\""),
                    new Case(304, "If-None-Match: \"a\"", "If-None-Match: " + tag),
                    new Case(304, "If-None-Match: *"),
                    new Case(200, "If-None-Match: \"a\""),
                    new Case(200, "If-None-Match: " + tag.substring(1, tag.length() - 1)),
                    new Case(200, "If-None-Match: \"a\"", "If-Modified-Since: " + after),
                    new Case(304, "If-Modified-Since: " + DATE),
                    new Case(304, "If-Modified-Since: " + after),
                    new Case(304, "If-Modified-Since: Tuesday, 14-Nov-23 22:13:20 GMT"),
                    new Case(304, "If-Modified-Since: Tue Nov 14 22:13:20 2023"),
                    new Case(200, "If-Modified-Since: " + before),
                    new Case(200, "If-Modified-Since: yesterday"),
                    new Case(200, "If-Match: " + tag),
                    new Case(200, "If-Match: *"),
                    new Case(200, "If-Match: \"x\", " + tag),
                    new Case(412, "If-Match: W/" + tag),
                    new Case(412, "If-Match: \"x\""),
                    new Case(412, "If-Match: \"x\"", "If-Unmodified-Since: " + after),
                    new Case(200, "If-Match: " + tag, "If-Unmodified-Since: " + before),
                    new Case(412, "If-Unmodified-Since: " + before),
                    new Case(200, "If-Unmodified-Since: " + DATE),
                    new Case(412, "If-Match: \"x\"", "If-None-Match: " + tag),
                    new Case(304, "If-Match: " + tag, "If-None-Match: " + tag, "Range: bytes=0-1"),
                    new Case(206, "If-Range: " + tag, "Range: bytes=0-1"),
                    new Case(200, "If-Range: W/" + tag, "Range: bytes=0-1"),
                    new Case(200, "If-Range: \"x\"", "Range: bytes=0-1"),
                    new Case(206, "If-Range: " + DATE, "Range: bytes=0-1"),
                    new Case(200, "If-Range: " + after, "Range: bytes=0-1"),
                    new Case(200, "If-Range: x", "Range: bytes=0-1"),
                    new Case(200, "If-Range: \"x\"", "Range: bytes=99-"))) {
                for (String method : List.of("GET", "HEAD")) {
                    String answer = ask(server, method, "/digits.txt", c.fields);
                    int expected = method.equals("HEAD") && c.status == 206 ? 200 : c.status;
                    assertThat(status(answer)).as(method + List.of(c.fields)).isEqualTo(expected);
                    if (c.status != 412) assertThat(field(answer, "ETag")).isEqualTo(tag);
                    if (c.status == 304)
                        assertThat(field(answer, "Content-Length")).isEqualTo("-");
                }
            }
        });
    }

    @EachReactor
    void fileThatChangesJustNow_hasAWeakTag(String reactor) throws Exception {
        Files.writeString(root.resolve("new"), "0123456789");
        Http.serve(reactor, new FileHandler(root), server -> {
            String tag = field(get(server, "/new"), "ETag");
            if (!tag.startsWith("W/")) return; // the machine stood still for seconds
            assertThat(status(get(server, "/new", "If-None-Match: " + tag))).isEqualTo(304);
            assertThat(status(get(server, "/new", "If-Match: " + tag))).isEqualTo(412);
            assertThat(status(get(server, "/new", "If-Range: " + tag, "Range: bytes=0-1")))
                    .isEqualTo(200);
            assertThat(status(get(server, "/new", "Range: bytes=0-1"))).isEqualTo(206);
            Files.setLastModifiedTime(root.resolve("new"), LONG_AGO);
            assertThat(status(get(server, "/new", "If-None-Match: " + tag))).isEqualTo(200);
        });
    }

    @EachReactor
    void ranges_areSentAsAskedOrRefused(String reactor) {
        Http.serve(reactor, new FileHandler(root), server -> {
            record Case(String range, int status, String contentRange, String body) {}
            for (Case c : List.of(
                    new Case("bytes=0-0", 206, "bytes 0-0/10", "0"),
                    new Case("bytes=2-4", 206, "bytes 2-4/10", "234"),
                    new Case("BYTES= 2-4 ,", 206, "bytes 2-4/10", "234"),
                    new Case("bytes=7-", 206, "bytes 7-9/10", "789"),
                    new Case("bytes=7-99999999999999999999", 206, "bytes 7-9/10", "789"),
                    new Case("bytes=-3", 206, "bytes 7-9/10", "789"),
                    new Case("bytes=-99", 206, "bytes 0-9/10", "0123456789"),
                    new Case("bytes=0-2,1-4,5-5", 206, "bytes 0-5/10", "012345"),
                    new Case("bytes=20-,3-4", 206, "bytes 3-4/10", "34"),
                    new Case("bytes=10-", 416, "bytes */10", ""),
                    new Case("bytes=99999999999999999999-", 416, "bytes */10", ""),
                    new Case("bytes=-0", 416, "bytes */10", ""),
                    new Case("bytes=10-,20-30", 416, "bytes */10", ""),
                    new Case("bytes=4-2", 200, "-", "0123456789"),
                    new Case("bytes=1-2,x", 200, "-", "0123456789"),
                    new Case("bytes=-", 200, "-", "0123456789"),
                    new Case("bytes=", 200, "-", "0123456789"),
                    new Case("bytes=--1", 200, "-", "0123456789"),
                    new Case("bytes=1-2-3", 200, "-", "0123456789"),
                    new Case("lines=1-2", 200, "-", "0123456789"),
                    new Case("bytes=" + "0-0,".repeat(16) + "5-5", 200, "-", "0123456789"))) {
                String answer = get(server, "/digits.txt", "Range: " + c.range);
                assertThat(status(answer)).as(c.range).isEqualTo(c.status);
                assertThat(field(answer, "Content-Range")).as(c.range).isEqualTo(c.contentRange);
                assertThat(body(answer)).as(c.range).isEqualTo(c.body);
                assertThat(field(answer, "Content-Length")).isEqualTo(Integer.toString(c.body.length()));
            }
            assertThat(status(get(server, "/empty", "Range: bytes=0-"))).isEqualTo(416);
            assertThat(status(get(server, "/empty", "Range: bytes=-1"))).isEqualTo(416);
        });
    }

    @EachReactor
    void severalRanges_areParts(String reactor) {
        Http.serve(reactor, new FileHandler(root), server -> {
            String answer = get(server, "/digits.txt", "Range: bytes=8-,0-1,4-4");
            assertThat(status(answer)).isEqualTo(206);
            String type = field(answer, "Content-Type");
            assertThat(type).startsWith("multipart/byteranges; boundary=");
            String line = "--" + type.substring(type.indexOf('=') + 1);
            String head = line + "\r\nContent-Type: text/plain; charset=utf-8\r\nContent-Range: bytes ";
            String expected = "\r\n" + head + "8-9/10\r\n\r\n89\r\n" + head + "0-1/10\r\n\r\n01\r\n" + head
                    + "4-4/10\r\n\r\n4\r\n" + line + "--\r\n";
            assertThat(body(answer)).isEqualTo(expected);
            assertThat(field(answer, "Content-Length")).isEqualTo(Integer.toString(expected.length()));
            assertThat(field(answer, "Content-Range")).isEqualTo("-");
        });
    }

    @EachReactor
    void compressedSibling_isSentToWhoTakesIt(String reactor) throws Exception {
        var packed = new ByteArrayOutputStream();
        try (var out = new GZIPOutputStream(packed)) {
            out.write("0123456789".getBytes(StandardCharsets.UTF_8));
        }
        Files.write(root.resolve("digits.txt.gz"), packed.toByteArray());
        Files.setLastModifiedTime(root.resolve("digits.txt.gz"), LONG_AGO);
        put("bare/x.json.gz", "old");
        Files.setLastModifiedTime(
                root.resolve("bare/x.json"), FileTime.from(LONG_AGO.toInstant().plusSeconds(1)));
        Http.serve(reactor, new FileHandler(root).precompressed(true), server -> {
            String answer = get(server, "/digits.txt", "Accept-Encoding: br, gzip;q=0.8");
            assertThat(field(answer, "Content-Encoding")).isEqualTo("gzip");
            assertThat(field(answer, "Content-Type")).isEqualTo("text/plain; charset=utf-8");
            assertThat(body(answer).getBytes(StandardCharsets.ISO_8859_1)).isEqualTo(packed.toByteArray());
            String tag = field(answer, "ETag");
            String plain = get(server, "/digits.txt");
            assertThat(field(plain, "ETag")).isNotEqualTo(tag);
            for (String each : List.of(answer, plain))
                assertThat(field(each, "Vary")).isEqualTo("Accept-Encoding");
            assertThat(status(get(server, "/digits.txt", "Accept-Encoding: gzip", "If-None-Match: " + tag)))
                    .isEqualTo(304);
            assertThat(status(get(server, "/digits.txt", "If-None-Match: " + tag)))
                    .isEqualTo(200);
            for (String refusing : List.of("gzip;q=0", "identity, gzip;q=0.5", "br", "*;q=0", "gzip;q=x"))
                assertThat(body(get(server, "/digits.txt", "Accept-Encoding: " + refusing)))
                        .isEqualTo("0123456789");
            assertThat(body(get(server, "/bare/x.json", "Accept-Encoding: gzip")))
                    .isEqualTo("{}");
        });
    }

    @EachReactor
    void respondWithAFile_sendsItUnderAnyStatus(String reactor) {
        Http.serve(
                reactor,
                exchange -> {
                    if (exchange.path().equals("/page")) exchange.status(404);
                    exchange.header("Content-Type", "text/x-own");
                    exchange.respond(root.resolve(exchange.path().equals("/none") ? "none" : "digits.txt"));
                },
                server -> {
                    String answer = get(server, "/page", "Range: bytes=0-1", "If-None-Match: *");
                    assertThat(status(answer)).isEqualTo(404);
                    assertThat(body(answer)).isEqualTo("0123456789");
                    assertThat(field(answer, "Content-Type")).isEqualTo("text/x-own");
                    assertThat(body(get(server, "/", "Range: bytes=0-1"))).isEqualTo("01");
                    assertThat(status(get(server, "/none"))).isEqualTo(404);
                    assertThat(status(ask(server, "POST", "/", "If-None-Match: *")))
                            .isEqualTo(412);
                });
    }

    @Test
    void unknownEndOfName_isBytes() throws Exception {
        put("x.unknown", "?");
        Http.serve("nio", new FileHandler(root), server -> assertThat(field(get(server, "/x.unknown"), "Content-Type"))
                .isEqualTo("application/octet-stream"));
    }
}
