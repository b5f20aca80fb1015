package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;

/** The client beside servers that break off, lie, or send no end. */
@Timeout(60)
class HttpClientHostileTest {
    private static final String CHUNKED = "HTTP/1.1 100 Continue\r\n\r\nHTTP/1.1 200 OK\r\nX-Is: so\r\n"
            + "Transfer-Encoding: chunked\r\n\r\n4;ext=1\r\ntext\r\n0\r\nX-End: yes\r\n\r\n";
    private static final String FIXED = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nX-Is: so\r\n\r\ntext";

    /** Runs a client beside a script; at the end no connection may be in use. */
    private static void against(String reactor, Scripted.Script script, Calls calls) {
        List<String> reports = Http.run(reactor, () -> {
            try (var server = new Scripted(script);
                    var client = HttpClient.builder()
                            .maxConnections(500)
                            .maxHeaderBytes(2048)
                            .maxBodyBytes(100_000)
                            .build()) {
                calls.make(client, server);
                for (var pool : client.stats().values())
                    assertThat(pool.active()).isZero();
            }
        });
        assertThat(reports).isEmpty();
    }

    @FunctionalInterface
    interface Calls {
        void make(HttpClient client, Scripted server) throws Exception;
    }

    private enum End {
        CLOSE,
        RESET,
        SILENCE
    }

    /** Sends as much of a response as the path says, and ends as it says. */
    private static void sendPrefix(Scripted.Peer peer) throws Exception {
        String[] path = peer.head().split("[ /]+");
        String all = path[1].equals("chunked") ? CHUNKED : FIXED;
        peer.send(all.substring(0, Integer.parseInt(path[2])));
        switch (End.valueOf(path[3])) {
            case RESET -> peer.reset();
            case SILENCE -> peer.silence();
            case CLOSE -> {}
        }
    }

    @EachReactor
    void everyPrefixOfAResponse_failsInTimeWithAReason(String reactor) {
        against(reactor, HttpClientHostileTest::sendPrefix, (unused, server) -> {
            try (var client = HttpClient.builder()
                    .maxConnections(500)
                    .readTimeout(Duration.ofMillis(300))
                    .build()) {
                var calls = new ArrayList<Coroutine<?>>();
                for (String kind : List.of("chunked", "fixed"))
                    for (int i = 0; i < (kind.equals("fixed") ? FIXED : CHUNKED).length(); i++)
                        for (End end : End.values()) {
                            String uri = server.origin() + "/" + kind + "/" + i + "/" + end;
                            calls.add(spawn(() -> {
                                assertThatThrownBy(() -> client.get(uri).text())
                                        .as(uri)
                                        .isInstanceOf(InputOutputException.class)
                                        .hasMessageStartingWith("GET " + uri + ": ");
                            }));
                        }
                for (var call : calls) await(call);
                assertThat(client.stats().get(server.origin()).count()).isZero();
            }
        });
    }

    @EachReactor
    void wholeResponse_isReadHoweverItEnds(String reactor) {
        against(reactor, HttpClientHostileTest::sendPrefix, (client, server) -> {
            for (End end : List.of(End.CLOSE, End.SILENCE)) {
                // the script answers once
                for (String kind : List.of("/chunked/" + CHUNKED.length(), "/fixed/" + FIXED.length())) {
                    var response = client.request("GET", server.origin() + kind + "/" + end)
                            .header("Connection", "close")
                            .send();
                    assertThat(response.text()).isEqualTo("text");
                    assertThat(response.trailers().has("X-End")).isEqualTo(kind.startsWith("/c"));
                }
            }
        });
    }

    @EachReactor
    void referencesOfRedirects_areResolvedAsRfc3986Says(String reactor) {
        var asked = new ArrayList<String>();
        String[] location = {null};
        Scripted.Script script = peer -> {
            asked.add(peer.head().split(" ")[1]);
            String head = location[0] == null ? "200 OK" : "302 Found\r\nLocation: " + location[0];
            location[0] = null;
            peer.send("HTTP/1.1 " + head + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n");
        };
        against(reactor, script, (unused, server) -> {
            try (var client = HttpClient.builder().followRedirects(1).build()) {
                Map<String, String> cases = Map.of("?q", "/a/b?q", "", "/a/b?x=1", "#f", "/a/b?x=1", "c", "/a/c");
                cases.forEach((reference, target) -> {
                    location[0] = reference;
                    client.get(server.origin() + "/a/b?x=1#g").text();
                    assertThat(asked).as(reference).containsExactly("/a/b?x=1", target);
                    asked.clear();
                });
                List<String> paths = List.of("/a/../b", "/a/./b/.", "/../../x?y=/../z", "/a/b/..", "/.", "/.a/..b");
                for (String path : paths) client.get(server.origin() + path).text();
                assertThat(asked).containsExactly("/b", "/a/b/", "/x?y=/../z", "/a/", "/", "/.a/..b");
            }
        });
    }

    @EachReactor
    void reasonPhraseAboveAscii_isNoFault(String reactor) {
        Scripted.Script script = peer -> {
            peer.head();
            for (String part :
                    "HTTP/1.1 100 \u00e4\r\n\r\nHTTP/1.1 200 \u00fcber\r\nX: \u00fc\r\nContent-Length: 2\r\n\r\n\u00fc!"
                            .split("(?<=\u00fc)")) peer.send(part);
        };
        against(reactor, script, (client, server) -> {
            var response = client.get(server.origin());
            assertThat(response.bytes()).containsExactly(0xfc, '!');
            assertThat(response.header("X")).isEqualTo("\u00fc");
        });
    }

    @EachReactor
    void bodyThatIsAnnouncedAsTooLong_isNotRead(String reactor) {
        Scripted.Script script = peer -> {
            boolean hasNoBody = peer.head().startsWith("HEAD");
            peer.send("HTTP/1.1 200 OK\r\nContent-Length: 100001\r\n\r\n");
            if (!hasNoBody) peer.silence();
        };
        against(reactor, script, (client, server) -> {
            assertThatThrownBy(() -> client.get(server.origin()).bytes()).hasMessageContaining("(maxBodyBytes)");
            assertThat(client.request("HEAD", server.origin()).send().bytes()).isEmpty();
        });
    }

    @EachReactor
    void bytesOneAtATime_areOneResponse(String reactor) {
        against(
                reactor,
                peer -> {
                    peer.head();
                    for (char c : CHUNKED.toCharArray()) {
                        peer.send(String.valueOf(c));
                        suspend();
                    }
                    peer.silence();
                },
                (client, server) ->
                        assertThat(client.get(server.origin()).text()).isEqualTo("text"));
    }

    @EachReactor
    void malformedResponse_isRefused(String reactor) {
        List<String> all = List.of(
                "\0\1\2garbage\r\n\r\n",
                "SSH-2.0-OpenSSH_9\r\n",
                "HTTP/2.0 200 OK\r\n\r\n",
                "HTTP/1.1 20 OK\r\n\r\n",
                "HTTP/1.1 abc OK\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\nContent-Length: 4\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nContent-Length: 4\r\nContent-Length: 5\r\n\r\ntext",
                "HTTP/1.1 200 OK\r\nContent-Length: -4\r\n\r\ntext",
                "HTTP/1.1 200 OK\r\nContent-Length: +4\r\n\r\ntext",
                "HTTP/1.1 200 OK\r\nContent-Length: 4, 5\r\n\r\ntext",
                "HTTP/1.1 200 OK\r\nContent-Length: 99999999999999999999\r\n\r\ntext",
                "HTTP/1.1 200 OK\r\nContent-Length: four\r\n\r\ntext",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked, chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: gzip\r\n\r\nabc",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: xchunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.0 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 204 None\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
                "HTTP/1.1 101 Other\r\nUpgrade: x\r\nConnection: upgrade\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX : y\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\n folded: y\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nX: y\r\n z\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\nContent-Length: 0\n\n",
                "HTTP/1.1 200 OK\r\nX: a\0b\r\nContent-Length: 0\r\n\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nxyz\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n-1\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\nfffffffffffffffff\r\n",
                "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n2\r\nabc\r\n0\r\n\r\n");
        against(
                reactor,
                peer -> {
                    String[] path = peer.head().split("[ /]+");
                    peer.send(all.get(Integer.parseInt(path[1])));
                    peer.silence();
                },
                (client, server) -> {
                    for (int i = 0; i < all.size(); i++) {
                        String uri = server.origin() + "/" + i;
                        assertThatThrownBy(() -> client.get(uri).text())
                                .as(all.get(i))
                                .isInstanceOf(InputOutputException.class)
                                .hasMessageStartingWith("GET " + uri + ": malformed response: ");
                    }
                    assertThat(client.stats().get(server.origin()).count()).isZero();
                });
    }

    @EachReactor
    void responseWithoutEnd_isBounded(String reactor) {
        against(
                reactor,
                peer -> {
                    String path = peer.head().split("[ /]+")[1];
                    peer.send(
                            switch (path) {
                                case "interim" -> "";
                                case "lines" -> "";
                                case "trailers" -> "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n";
                                case "extension" -> "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n\r\n1;";
                                case "body" -> "HTTP/1.1 200 OK\r\n\r\n";
                                default -> "HTTP/1.1 200 OK\r\n";
                            });
                    String part =
                            switch (path) {
                                case "interim" -> "HTTP/1.1 102 Wait\r\n\r\n";
                                case "lines" -> "\r\n";
                                case "extension", "body" -> "xxxxxxxxxxxxxxxx";
                                case "value" -> "x-x";
                                default -> "X-More: and more\r\n";
                            };
                    for (int i = 0; i < 1_000_000; i++) {
                        peer.send(part.repeat(64));
                        suspend();
                    }
                },
                (client, server) -> {
                    for (String path : List.of("head", "value", "trailers", "interim", "lines", "extension", "body")) {
                        String uri = server.origin() + "/" + path;
                        assertThatThrownBy(() -> withTimeout(Duration.ofSeconds(20), () -> client.get(uri)
                                        .text()))
                                .as(path)
                                .isInstanceOf(InputOutputException.class)
                                .hasMessageStartingWith("GET " + uri + ": ");
                    }
                });
    }

    @EachReactor
    void oldServer_isReadToItsClose(String reactor) {
        against(
                reactor,
                peer -> {
                    peer.head();
                    peer.send("HTTP/1.0 200 OK\r\n\r\nto the end");
                },
                (client, server) -> {
                    for (int i = 0; i < 3; i++)
                        assertThat(client.get(server.origin()).text()).isEqualTo("to the end");
                    assertThat(server.accepted()).isEqualTo(3);
                });
    }

    @EachReactor
    void statusWithoutBody_endsWithItsHead(String reactor) {
        against(
                reactor,
                peer -> {
                    while (true) {
                        String status = peer.head().split("[ /]+")[1];
                        peer.send("HTTP/1.1 " + status + " X\r\nContent-Length: 7\r\n\r\n");
                    }
                },
                (client, server) -> {
                    for (int status : new int[] {304, 204, 304}) {
                        var response = client.get(server.origin() + "/" + status);
                        assertThat(response.status()).isEqualTo(status);
                        assertThat(response.bytes()).isEmpty();
                    }
                    assertThat(server.accepted()).isOne();
                });
    }

    @EachReactor
    void bytesBehindTheResponse_areNoResponseToTheNextRequest(String reactor) {
        against(
                reactor,
                peer -> {
                    peer.head();
                    peer.send(FIXED + FIXED.replace("text", "evil"));
                    peer.silence();
                },
                (client, server) -> {
                    for (int i = 0; i < 3; i++)
                        assertThat(client.get(server.origin()).text()).isEqualTo("text");
                    assertThat(server.accepted()).isEqualTo(3);
                });
    }

    @EachReactor
    void connectionClosedWhileIdle_isNotUsed(String reactor) {
        against(
                reactor,
                peer -> {
                    peer.head();
                    peer.send(FIXED);
                },
                (client, server) -> {
                    assertThat(client.get(server.origin()).text()).isEqualTo("text");
                    // until the end has come
                    delay(50);
                    var post = client.request("POST", server.origin()).body("x");
                    assertThat(post.send().text()).isEqualTo("text");
                    assertThat(client.retries()).isZero();
                });
    }

    @EachReactor
    void connectionClosedOnTheRequest_isReplacedOnceForAnIdempotentOne(String reactor) {
        against(
                reactor,
                peer -> {
                    peer.head();
                    peer.send(FIXED);
                    if (peer.number == 3) peer.silence();
                    peer.head();
                },
                (client, server) -> {
                    assertThat(client.get(server.origin()).text()).isEqualTo("text");
                    assertThat(client.get(server.origin()).text()).isEqualTo("text");
                    assertThat(client.retries()).isOne();
                    assertThatThrownBy(() -> client.request("POST", server.origin())
                                    .body("x")
                                    .send())
                            .isInstanceOf(InputOutputException.class)
                            .hasMessageContaining("closed the connection before it answered");
                    assertThat(client.retries()).isOne();
                });
    }

    @EachReactor
    void answerBeforeTheBody_endsTheSending(String reactor) {
        against(
                reactor,
                peer -> {
                    peer.head();
                    peer.send("HTTP/1.1 413 Too Large\r\nContent-Length: 4\r\n\r\nmuch");
                    delay(3_600_000);
                },
                (client, server) -> {
                    var order = new ArrayList<String>();
                    var response = client.request("POST", server.origin())
                            .body(out -> {
                                try {
                                    while (true) out.write(new byte[50_000]);
                                } finally {
                                    order.add("writer ended");
                                }
                            })
                            .send();
                    assertThat(response.status()).isEqualTo(413);
                    assertThat(order).containsExactly("writer ended");
                    assertThat(response.text()).isEqualTo("much");
                    assertThat(client.stats().get(server.origin()).count()).isZero();
                });
    }

    @EachReactor
    void unreadResponse_isClosedWithoutWaiting(String reactor) {
        against(
                reactor,
                peer -> {
                    while (true) {
                        boolean small = peer.head().startsWith("GET /small");
                        peer.send("HTTP/1.1 200 OK\r\nContent-Length: " + (small ? 4 : 90_000) + "\r\n\r\ntext");
                    }
                },
                (client, server) -> {
                    for (int i = 0; i < 3; i++)
                        client.get(server.origin() + "/small").close();
                    int kept = server.accepted();
                    client.get(server.origin() + "/large").close();
                    var response = client.get(server.origin() + "/large");
                    response.close();
                    assertThatThrownBy(response::text).hasMessageContaining("closed");
                    assertThat(kept).isOne();
                    assertThat(server.accepted()).isEqualTo(2);
                });
    }
}
