package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.http.PeersTest.run;

import com.sun.management.ThreadMXBean;
import java.io.ByteArrayOutputStream;
import java.lang.management.ManagementFactory;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.zip.GZIPOutputStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.io.Exec;

/** Forms with files; curl as a peer, and what browsers send. */
@Timeout(60)
class FormPartsTest {
    @TempDir
    private Path folder;

    /** Tells of each part. */
    private static void tell(Exchange x) {
        var told = new StringBuilder();
        for (FormPart part : x.parts())
            told.append(part.name())
                    .append('|')
                    .append(part.fileName())
                    .append('|')
                    .append(part.headers().get("Content-Type"))
                    .append('|')
                    .append(part.text())
                    .append('\n');
        x.respond(told.toString());
    }

    private static String request(String body, String... fields) {
        // one character is one byte
        String all = new String(body.getBytes(StandardCharsets.UTF_8), StandardCharsets.ISO_8859_1);
        return "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nContent-Length: " + all.length() + "\r\n"
                + (fields.length == 0
                        ? "Content-Type: multipart/form-data; boundary=X\r\n"
                        : String.join("\r\n", fields) + "\r\n")
                + "\r\n" + all;
    }

    private static String part(String disposition, String text) {
        return "--X\r\nContent-Disposition: " + disposition + "\r\n\r\n" + text + "\r\n";
    }

    private static String answer(HttpServer server, String request) throws Exception {
        String all = Raw.exchange(server.port(), request);
        return new String(all.getBytes(StandardCharsets.ISO_8859_1), StandardCharsets.UTF_8);
    }

    // ---- what clients send

    @EachReactor
    void curl_sendsFieldsAndFiles(String reactor) throws Exception {
        Path file = Files.writeString(folder.resolve("a \"b\".txt"), "line 1\r\n--line 2\r\n");
        String form = "file=@\"" + file.toString().replace("\"", "\\\"") + "\";type=text/x-test";
        Http.serve(reactor, FormPartsTest::tell, server -> {
            String url = "http://127.0.0.1:" + server.port() + "/";
            String told = "a|null|null|é 1\nfile|a \"b\".txt|text/x-test|line 1\r\n--line 2\r\n\na|null|null|\n";
            for (String way : List.of("--http1.1", "--http2-prior-knowledge", "-HTransfer-Encoding: chunked"))
                for (String escape : List.of("-s", "--form-escape"))
                    assertThat(run("curl", "-s", way, escape, "-F", "a=é 1", "-F", form, "-F", "a=", url))
                            .isEqualTo(told);
        });
    }

    /** Content-Disposition, and the name and the file name that it stands for. */
    private static final String[][] NAMES = {
        // Chrome, Edge, Safari, and Firefox since 88
        {"form-data; name=\"a\"", "a", "null"},
        {"form-data; name=\"q%22uote\"; filename=\"my %22file%22.txt\"", "q\"uote", "my \"file\".txt"},
        {"form-data; name=\"名前\"; filename=\"résumé 😀.pdf\"", "名前", "résumé 😀.pdf"},
        {"form-data; name=\"line%0D%0Abreak\"; filename=\"100%25;x=1.txt\"", "line\r\nbreak", "100%25;x=1.txt"},
        {"form-data; name=\"f\"; filename=\"\"", "f", ""},
        {"form-data; name=\"f\"; filename=\"back\\slash.txt\"", "f", "slash.txt"},
        // a folder that is chosen as a whole
        {"form-data; name=\"f\"; filename=\"holiday/2026/a.jpg\"", "f", "a.jpg"},
        // Firefox before 88, curl
        {"form-data; name=\"q\\\"uote\"; filename=\"my \\\"file\\\".txt\"", "q\"uote", "my \"file\".txt"},
        // Internet Explorer
        {"form-data; name=\"f\"; filename=\"C:\\Users\\me\\notes.txt\"", "f", "notes.txt"},
        // .NET
        {"form-data; name=f; filename=n.txt; filename*=utf-8''%E2%82%AC%20rates.txt", "f", "€ rates.txt"},
        {"form-data; name=\"f\"; filename*=UTF-8'en'%e2%82%ac.txt", "f", "€.txt"},
        {"form-data; name=\"f\"; filename=\"n.txt\"; filename*=UTF-8''%zz", "f", "n.txt"},
        {"FORM-DATA; NAME=f ; FileName= n.txt ", "f", "n.txt"},
        {"form-data; name=\"f\"; name=\"g\"; filename=\"../../etc/passwd\"", "f", "passwd"},
        {"form-data; name=\"open", "open", "null"},
        {"form-data; x; =y; name=\"f\"", "f", "null"},
    };

    @EachReactor
    void names_areReadAsEachClientWritesThem(String reactor) {
        Http.serve(reactor, FormPartsTest::tell, server -> {
            for (String[] one : NAMES)
                assertThat(answer(server, request(part(one[0], "v") + "--X--\r\n")))
                        .as(one[0])
                        .endsWith("\r\n\r\n" + one[1] + "|" + one[2] + "|null|v\n");
        });
    }

    @EachReactor
    void contentThatLooksLikeABoundary_comesAsItIs(String reactor) {
        String text = "\r\n--\r\n--x\r\n--\r\r\n-X--X\n--Y\r\n-";
        String body =
                "preamble\r\n" + part("form-data; name=a", text) + part("form-data; name=b", "") + "--X--\r\nrest";
        Http.serve(reactor, FormPartsTest::tell, server -> {
            String told = "a|null|null|" + text + "\nb|null|null|\n";
            assertThat(answer(server, request(body))).endsWith(told);
            String chunks = "POST / HTTP/1.1\r\nHost: a\r\nConnection: close\r\nTransfer-Encoding: chunked\r\n"
                    + "Content-Type: Multipart/Form-Data; charset=utf-8; boundary=\"X\"\r\n\r\n";
            try (var peer = new Raw(server.port())) {
                peer.send(chunks);
                for (char c : body.toCharArray()) peer.send("1\r\n" + c + "\r\n");
                assertThat(peer.send("0\r\n\r\n").readAll()).endsWith(told);
            }
        });
    }

    @EachReactor
    void compressedForm_isDecoded(String reactor) throws Exception {
        var packed = new ByteArrayOutputStream();
        String text = "x".repeat(100_000);
        try (var out = new GZIPOutputStream(packed)) {
            out.write((part("form-data; name=a", text) + "--X--").getBytes(StandardCharsets.UTF_8));
        }
        Path file = Files.write(folder.resolve("form.gz"), packed.toByteArray());
        String[] command = {
            "curl",
            "-s",
            "-HContent-Encoding: gzip",
            "-HContent-Type: multipart/form-data; boundary=X",
            "--data-binary",
            "@" + file
        };
        var with = new ArrayList<>(List.of(command));
        Http.serve(reactor, b -> b.decodeBodies(true), FormPartsTest::tell, server -> {
            with.add("http://127.0.0.1:" + server.port() + "/");
            assertThat(run(with.toArray(String[]::new))).isEqualTo("a|null|null|" + text + "\n");
        });
        Http.serve(reactor, FormPartsTest::tell, server -> {
            with.set(with.size() - 1, "http://127.0.0.1:" + server.port() + "/");
            assertThat(run(with.toArray(String[]::new))).contains("without a content coding");
        });
    }

    // ---- what is no good

    @EachReactor
    void formThatIsNoGood_isRefused(String reactor) {
        String good = part("form-data; name=a", "1");
        String[][] bad = {
            {request("", "Content-Type: multipart/form-data; boundary=X"), " 400 "},
            {request("no boundary at all"), " 400 "},
            {request(good), " 400 "},
            {request(good + "--X"), " 400 "},
            {request(good + "--X\r\nContent-Disposition: form-data; na"), " 400 "},
            // others may take these for content
            {request(part("form-data; name=a", "1\n--X\r\n") + "--X--"), " 400 "},
            {request(good.replace("\r\n", "\n") + "--X--"), " 400 "},
            {request("--X\r\n\r\nno name\r\n--X--"), " 400 "},
            {request(part("attachment; name=a", "1") + "--X--"), " 400 "},
            {request("--X\r\nX: " + "y".repeat(20_000) + "\r\n\r\n\r\n--X--"), " 400 "},
            {request(good + "--X--", "Content-Type: multipart/form-data"), " 400 "},
            {request(good + "--X--", "Content-Type: multipart/form-data; boundary=" + "X".repeat(71)), " 400 "},
            {request(good + "--X--", "Content-Type: multipart/mixed; boundary=X"), " 415 "},
            {request("a=1", "Content-Type: application/x-www-form-urlencoded"), " 415 "},
            {request(good, "X-None: 1"), " 415 "},
        };
        Http.serve(reactor, FormPartsTest::tell, server -> {
            for (String[] one : bad)
                assertThat(Raw.exchange(server.port(), one[0])).as(one[0]).startsWith("HTTP/1.1" + one[1]);
            assertThat(server.stats().handlerFailures()).isZero();
        });
    }

    @EachReactor
    void limits_holdForEachPartAndForTheWhole(String reactor) {
        HttpHandler handler = x -> {
            int count = 0;
            x.maxBodyBytes(2_000);
            for (FormPart part : x.parts().maxParts(3).maxFieldBytes(100).maxFileBytes(1_000)) {
                if (part.name().equals("skip")) continue;
                count += part.bytes().length;
            }
            x.respond("sum " + count);
        };
        String field = part("form-data; name=a", "x".repeat(100));
        String file = part("form-data; name=b; filename=b", "x".repeat(1_000));
        Http.serve(reactor, b -> b.maxBodyBytes(10), handler, server -> {
            assertThat(answer(server, request(field + file + "--X--"))).endsWith("sum 1100");
            assertThat(answer(server, request(part("form-data; name=a", "x".repeat(101)) + "--X--")))
                    .contains(" 413 ", "a field of the form may have at most 100 bytes");
            assertThat(answer(server, request(part("form-data; name=skip", "x".repeat(101)) + "--X--")))
                    .contains(" 413 ");
            assertThat(answer(server, request(part("form-data; name=b; filename=b", "x".repeat(1_001)) + "--X--")))
                    .contains(" 413 ", "a file of the form may have at most 1000 bytes");
            assertThat(answer(server, request(field.repeat(4) + "--X--"))).contains(" 413 ", "at most 3 parts");
            assertThat(answer(server, request(file + file + "--X--")))
                    .contains(" 413 ", "the body of a request may have at most 2000 bytes");
            assertThat(answer(server, request("x".repeat(11), "Content-Type: text/plain")))
                    .contains(" 415 ");
        });
    }

    @EachReactor
    void parts_areTakenOnceAndInOrder(String reactor) {
        HttpHandler handler = x -> {
            FormParts parts = x.parts();
            assertThatThrownBy(x::parts).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> parts.maxParts(0)).hasMessage("maxParts must be >= 1, got 0");
            var all = parts.iterator();
            FormPart first = all.next();
            assertThat(first.inputStream().read()).isEqualTo('1');
            FormPart second = all.next();
            assertThat(first.bytes()).isEmpty();
            assertThat(second.text()).isEqualTo("two");
            assertThat(all.hasNext()).isFalse();
            assertThatThrownBy(parts::iterator).isInstanceOf(IllegalStateException.class);
            x.respond("fine");
        };
        Http.serve(reactor, handler, server -> assertThat(answer(
                        server,
                        request(part("form-data; name=a", "1one") + part("form-data; name=b", "two") + "--X--")))
                .endsWith("fine"));
    }

    // ---- files

    @EachReactor
    void fileThatIsCut_isRemoved(String reactor) {
        Path target = folder.resolve("target");
        var order = new ArrayList<String>();
        HttpHandler handler = x -> {
            try {
                for (FormPart part : x.parts()) part.saveTo(target);
            } finally {
                order.add(Files.exists(target) ? "left" : "removed");
            }
        };
        String whole = part("form-data; name=b; filename=b", "x".repeat(300_000));
        Http.serveAll(reactor, b -> b, handler, server -> {
            try (var peer = new Raw(server.port())) {
                peer.send(request(whole + "--X--").substring(0, 200_000));
                while (!Files.exists(target) || Files.size(target) == 0) Async.delay(1);
                peer.reset();
            }
            while (order.isEmpty()) Async.delay(1);
            assertThat(order).containsExactly("removed");
        });
    }

    /** A gigabyte goes through with the heap flat, and the loop free for others. */
    @EachReactor
    @Tag("deep")
    @Timeout(300)
    void hugeFile_goesToDiskWithAFlatHeap(String reactor) throws Exception {
        long size = 1L << 30;
        Path source = folder.resolve("source");
        try (var made = Files.newByteChannel(source, Set.of(StandardOpenOption.CREATE_NEW, StandardOpenOption.WRITE))) {
            made.position(size - 3).write(ByteBuffer.wrap("end".getBytes(StandardCharsets.US_ASCII)));
        }
        Path target = folder.resolve("target");
        var heap = ManagementFactory.getMemoryMXBean();
        var threads = (ThreadMXBean) ManagementFactory.getThreadMXBean();
        long loop = Thread.currentThread().threadId();
        var used = new HashSet<Long>();
        HttpHandler handler = x -> {
            if (x.path().equals("/other")) {
                x.respond("served");
                return;
            }
            for (FormPart part : x.maxBodyBytes(0).parts()) x.respond(part.saveTo(target) + " bytes");
        };
        Http.serve(reactor, handler, server -> {
            String url = "http://127.0.0.1:" + server.port() + "/";
            long before = threads.getThreadAllocatedBytes(loop);
            var watching = Async.spawn(() -> {
                while (true) {
                    Async.delay(500);
                    System.gc();
                    used.add(heap.getHeapMemoryUsage().getUsed() >> 20);
                    assertThat(run("curl", "-s", "-m", "2", url + "other")).isEqualTo("served");
                }
            });
            // a disk that others use writes a gigabyte in minutes
            var upload = Exec.of("curl", "-s", "-F", "file=@" + source, url).timeout(Duration.ofMinutes(4));
            assertThat(upload.run().outText()).isEqualTo(size + " bytes");
            watching.cancel();
            long allocated = threads.getThreadAllocatedBytes(loop) - before;
            assertThat(allocated).isLessThan(size / 10);
        });
        assertThat(Files.size(target)).isEqualTo(size);
        assertThat(Files.mismatch(source, target)).isEqualTo(-1);
        assertThat(used.stream().mapToLong(n -> n).max().orElseThrow()
                        - used.stream().mapToLong(n -> n).min().orElseThrow())
                .isLessThan(32);
    }
}
