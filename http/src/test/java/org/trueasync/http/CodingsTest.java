package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.http.PeersTest.run;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.internal.http.codings.Codecs;
import org.trueasync.internal.http.message.Coding;

/** Brotli and Zstandard; curl and zstd as peers. */
@Timeout(60)
class CodingsTest {
    @TempDir
    private Path folder;

    /** Text that is not all the same. */
    private static final String TEXT = text();

    private static String text() {
        var random = new Random(1);
        var text = new StringBuilder();
        while (text.length() < 300_000)
            text.append("line ").append(random.nextInt(1_000)).append('\n');
        return text.toString();
    }

    private static String curl(HttpServer server, String path, String... options) {
        var command = new ArrayList<>(List.of("curl", "-s"));
        command.addAll(List.of(options));
        command.add("http://127.0.0.1:" + server.port() + path);
        return run(command.toArray(String[]::new)).replace("\r\n", "\n");
    }

    @Test
    void librariesAreThere() {
        assertThat(Codecs.available()).containsExactly(Coding.ZSTANDARD, Coding.BROTLI, Coding.GZIP);
    }

    @EachReactor
    void responses_areCompressedAsTheClientLikes(String reactor) {
        HttpHandler handler = x -> {
            switch (x.path()) {
                case "/whole" -> x.respond(TEXT);
                case "/small" -> x.respond(TEXT.substring(0, 2_000));
                case "/secret" -> x.uncompressed().respond(TEXT);
                default -> {
                    for (int i = 0; i < TEXT.length(); i += 50_000)
                        x.write(TEXT.substring(i, Math.min(i + 50_000, TEXT.length())));
                }
            }
        };
        for (int level : List.of(1, 9))
            Http.serve(reactor, b -> b.compress(1_000).compressionLevel(level), handler, server -> {
                for (String coding : List.of("br", "zstd", "gzip")) {
                    String[] ask = {"--compressed", "-H", "Accept-Encoding: " + coding};
                    for (String path : List.of("/whole", "/parts"))
                        // twice: what packs is used again
                        for (int i = 0; i < 2; i++)
                            assertThat(curl(server, path, ask))
                                    .as(coding + path)
                                    .isEqualTo(TEXT);
                    assertThat(curl(server, "/small", ask)).isEqualTo(TEXT.substring(0, 2_000));
                    assertThat(curl(server, "/whole", "-D", "-", "-o", "/dev/null", ask[1], ask[2]))
                            .contains("Content-Encoding: " + coding + "\n", "Vary: Accept-Encoding\n");
                    assertThat(Long.parseLong(curl(
                                    server, "/whole", "-o", "/dev/null", "-w", "%{size_download}", ask[1], ask[2])))
                            .isLessThan(TEXT.length() / 2);
                    assertThat(curl(server, "/secret", "-D", "-", ask[1], ask[2]))
                            .doesNotContain("Content-Encoding");
                }
            });
    }

    @EachReactor
    void coding_isTheBestThatTheClientTakes(String reactor) {
        String[][] cases = {
            {"gzip, deflate, br, zstd", "zstd"},
            {"gzip, deflate, br", "br"},
            {"gzip, br;q=0.5", "gzip"},
            {"*", "gzip"},
            {"*;q=0.5, br", "br"},
            {"br;q=0.3, identity;q=0.5", null},
            {"identity", null},
            {"deflate", null},
            {"br;q=0, zstd;q=0.000", null},
        };
        Http.serve(reactor, b -> b.compress(10), x -> x.respond(TEXT), server -> {
            for (String[] one : cases) {
                String head = curl(server, "/", "-D", "-", "-o", "/dev/null", "-H", "Accept-Encoding: " + one[0]);
                if (one[1] == null) assertThat(head).as(one[0]).doesNotContain("Content-Encoding");
                else assertThat(head).as(one[0]).contains("Content-Encoding: " + one[1] + "\n");
            }
        });
    }

    @EachReactor
    void bodiesOfRequests_areDecoded(String reactor) throws Exception {
        Path plain = Files.writeString(folder.resolve("plain"), TEXT);
        Http.serve(reactor, b -> b.decodeBodies(true).compress(10), x -> x.respond(x.text()), server -> {
            run("zstd", "-q", plain.toString());
            String url = "http://127.0.0.1:" + server.port() + "/";
            run(
                    "curl",
                    "-s",
                    "-o",
                    folder + "/plain.br",
                    "-H",
                    "Accept-Encoding: br",
                    "--data-binary",
                    "@" + plain,
                    url);
            for (String[] one : new String[][] {{"zstd", "zst"}, {"br", "br"}}) {
                String body = "@" + plain + "." + one[1];
                assertThat(Files.size(folder.resolve("plain." + one[1]))).isLessThan(TEXT.length() / 2);
                assertThat(curl(server, "/", "-H", "Content-Encoding: " + one[0], "--data-binary", body))
                        .isEqualTo(TEXT);
                for (String bad : List.of("no such coding at all", ""))
                    assertThat(curl(server, "/", "-i", "-H", "Content-Encoding: " + one[0], "--data-binary", bad))
                            .as(one[0])
                            .containsAnyOf(" 400 ", bad.isEmpty() ? " 200 " : " 400 ");
            }
            // cut in the middle
            byte[] whole = Files.readAllBytes(folder.resolve("plain.zst"));
            Path cut = Files.write(folder.resolve("cut"), Arrays.copyOf(whole, whole.length / 2));
            assertThat(curl(server, "/", "-i", "-H", "Content-Encoding: zstd", "--data-binary", "@" + cut))
                    .contains(" 400 ", "the body is no good zstd");
            assertThat(curl(server, "/", "-i", "-H", "Content-Encoding: deflate", "-d", "x"))
                    .contains(" 415 ", "this server knows zstd, br, gzip");
        });
    }

    @EachReactor
    void bodyThatGrows_isRefused(String reactor) throws Exception {
        Path huge = folder.resolve("huge");
        Files.write(huge, new byte[40_000_000]);
        Http.serve(reactor, b -> b.decodeBodies(true).maxBodyBytes(1_000_000), x -> x.respond(x.text()), server -> {
            run("zstd", "-q", huge.toString());
            assertThat(curl(server, "/", "-i", "-H", "Content-Encoding: zstd", "--data-binary", "@" + huge + ".zst"))
                    .contains(" 413 ");
            // a window of 64 MB
            run(
                    "sh",
                    "-c",
                    "zstd -q --ultra -22 --long=26 -o " + folder + "/long.zst --stream-size=40000000 < " + huge);
            assertThat(curl(
                            server,
                            "/",
                            "-i",
                            "-H",
                            "Content-Encoding: zstd",
                            "--data-binary",
                            "@" + folder + "/long.zst"))
                    .contains(" 400 ");
        });
    }

    @EachReactor
    void sibling_isSentInPlaceOfTheFile(String reactor) throws Exception {
        Files.writeString(folder.resolve("a.txt"), TEXT);
        for (String ending : List.of("br", "zst", "gz"))
            Files.writeString(folder.resolve("a.txt." + ending), "packed by " + ending);
        Files.writeString(folder.resolve("b.unknown"), "x");
        var files = new FileHandler(folder).precompressed(true).contentType("UNKNOWN", "text/x-own");
        Http.serve(reactor, files, server -> {
            String[][] cases = {
                {"gzip, br, zstd", "br", "br"},
                {"gzip, zstd", "zstd", "zst"},
                {"gzip", "gzip", "gz"},
                {"br;q=0.1, gzip", "gzip", "gz"}
            };
            for (String[] one : cases)
                assertThat(curl(server, "/a.txt", "-i", "-H", "Accept-Encoding: " + one[0]))
                        .contains("Content-Encoding: " + one[1] + "\n", "Content-Type: text/plain; charset=utf-8\n")
                        .contains("-" + one[2] + "\"\n")
                        .endsWith("packed by " + one[2]);
            assertThat(curl(server, "/a.txt")).isEqualTo(TEXT);
            assertThat(curl(server, "/b.unknown", "-i")).contains("Content-Type: text/x-own\n");
        });
        assertThatThrownBy(() -> files.contentType("x", "a\r\nb")).isInstanceOf(IllegalArgumentException.class);
    }
}
