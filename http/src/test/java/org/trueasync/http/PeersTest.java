package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.Async.*;

import java.lang.ProcessBuilder.Redirect;
import java.net.ServerSocket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.io.Exec;

/** Clients and servers of others, each where it is installed. */
@Tag("deep")
@Timeout(120)
class PeersTest {
    private static void installed(String command) {
        assumeTrue(
                List.of("/usr/bin/", "/usr/local/bin/", "/bin/", "/usr/sbin/").stream()
                        .anyMatch(place -> Files.isExecutable(Path.of(place + command))),
                command + " is not installed");
    }

    static String run(String... command) {
        installed(command[0]);
        var result = Exec.of(command).timeout(Duration.ofSeconds(60)).run();
        assertThat(result.exitCode()).as(result.errText()).isZero();
        return result.outText();
    }

    private static void serve(String reactor, Http.Client client) {
        Http.serve(
                reactor,
                x -> {
                    x.header("X-Method", x.method());
                    if (x.method().equals("POST")) x.respond(x.bytes());
                    else x.respond("hello");
                },
                client);
    }

    @EachReactor
    void curl_getsPostsAndKeepsTheConnection(String reactor) {
        serve(reactor, server -> {
            String url = "http://127.0.0.1:" + server.port() + "/";
            assertThat(run("curl", "-s", url, url)).isEqualTo("hellohello");
            assertThat(server.stats().acceptedConnections()).isEqualTo(1);
            assertThat(run("curl", "-sI", url)).contains("200 OK", "Content-Length: 5", "X-Method: HEAD");
            String body = "x".repeat(2_000);
            assertThat(run("curl", "-s", "-d", body, "-H", "Expect: 100-continue", url))
                    .isEqualTo(body);
            assertThat(run("curl", "-s", "-d", body, "-H", "Transfer-Encoding: chunked", url))
                    .isEqualTo(body);
            assertThat(run("curl", "-s", "--http1.0", url)).isEqualTo("hello");
        });
    }

    @EachReactor
    void node_getsAndPosts(String reactor) {
        serve(reactor, server -> {
            String program = """
                    const u = 'http://127.0.0.1:%d/';
                    (async () => {
                      for (let i = 0; i < 20; i++) console.log(await (await fetch(u)).text());
                      console.log((await (await fetch(u, { method: 'POST', body: 'y'.repeat(300000) })).text()).length);
                    })();
                    """.formatted(server.port());
            assertThat(run("node", "-e", program)).isEqualTo("hello\n".repeat(20) + "300000\n");
        });
    }

    @EachReactor
    void wrk_hasNoErrors(String reactor) {
        serve(reactor, server -> {
            String told = run("wrk", "-t1", "-c50", "-d2", "http://127.0.0.1:" + server.port() + "/");
            assertThat(told).contains("Requests/sec").doesNotContain("Socket errors", "Non-2xx");
        });
    }

    @EachReactor
    void curl_speaksHttp2(String reactor) {
        serve(reactor, server -> {
            String url = "http://127.0.0.1:" + server.port() + "/";
            String body = "x".repeat(300_000);
            assertThat(run("curl", "-s", "--http2-prior-knowledge", url)).isEqualTo("hello");
            assertThat(run("curl", "-sI", "--http2-prior-knowledge", url)).contains("HTTP/2 200", "x-method: HEAD");
            assertThat(run("curl", "-s", "--http2-prior-knowledge", "-d", body.substring(0, 100_000), url))
                    .isEqualTo(body.substring(0, 100_000));
            assertThat(run("curl", "-s", "--http2", url)).isEqualTo("hello"); // by Upgrade, which is not taken
        });
    }

    @EachReactor
    void curl_choosesHttp2OverTls(String reactor) {
        Http.run(reactor, () -> {
            try (var server =
                    HttpServer.builder().host("127.0.0.1").tls(Keys.context()).listen(x -> x.respond(x.protocol()))) {
                String url = "https://127.0.0.1:" + server.port() + "/";
                assertThat(run("curl", "-sk", url, url)).isEqualTo("HTTP/2HTTP/2");
                assertThat(server.stats().acceptedConnections()).isEqualTo(1);
                assertThat(run("curl", "-sk", "--http1.1", url)).isEqualTo("HTTP/1.1");
                assertThat(run("curl", "-sk", "--http1.0", url)).isEqualTo("HTTP/1.0");
                assertThat(run("curl", "-sk", "--no-alpn", url)).isEqualTo("HTTP/1.1");
            }
        });
    }

    @EachReactor
    void nghttp_gets(String reactor) {
        serve(reactor, server -> {
            String url = "http://127.0.0.1:" + server.port() + "/";
            assertThat(run("nghttp", url)).isEqualTo("hello");
            assertThat(run("nghttp", "-v", url)).contains(":status: 200", "GOAWAY");
        });
    }

    @EachReactor
    void h2load_hasNoErrors(String reactor) {
        serve(reactor, server -> {
            String url = "http://127.0.0.1:" + server.port() + "/";
            assertThat(run("h2load", "-n20000", "-c20", "-m50", url))
                    .contains("20000 succeeded, 0 failed, 0 errored, 0 timeout", "20000 2xx");
            assertThat(server.stats().requests()).isEqualTo(20_000);
        });
    }

    @EachReactor
    void nghttpd_servesTheClient(String reactor, @TempDir Path folder) throws Exception {
        installed("nghttpd");
        Files.write(folder.resolve("large"), new byte[3_000_000]);
        Files.writeString(folder.resolve("small"), "hello");
        int port;
        try (var free = new ServerSocket(0)) {
            port = free.getLocalPort();
        }
        Process server = new ProcessBuilder(
                        "nghttpd",
                        "--no-tls",
                        "--echo-upload",
                        "--trailer=x-sum: 6",
                        "-d",
                        folder.toString(),
                        "" + port)
                .redirectErrorStream(true)
                .redirectOutput(Redirect.DISCARD)
                .start();
        try {
            var reports = Http.run(reactor, () -> {
                try (var client = HttpClient.builder().http2Only().build()) {
                    String origin = "http://127.0.0.1:" + port;
                    while (true) {
                        try {
                            client.get(origin + "/small").close();
                            break;
                        } catch (InputOutputException e) {
                            delay(10); // it does not listen yet
                        }
                    }
                    var all = new ArrayList<Coroutine<Integer>>();
                    for (int i = 0; i < 60; i++) {
                        String file = i % 3 == 0 ? "/large" : "/small";
                        all.add(spawn(() -> client.get(origin + file).bytes().length));
                    }
                    for (int i = 0; i < 60; i++) assertThat(await(all.get(i))).isEqualTo(i % 3 == 0 ? 3_000_000 : 5);
                    byte[] body = new byte[500_000];
                    try (var response =
                            client.request("POST", origin + "/").body(body).send()) {
                        assertThat(response.bytes()).isEqualTo(body);
                        assertThat(response.trailers().get("x-sum")).isEqualTo("6");
                    }
                    assertThat(client.get(origin + "/none").status()).isEqualTo(404);
                }
            });
            assertThat(reports).isEmpty();
        } finally {
            server.destroyForcibly();
        }
    }

    @EachReactor
    void node_speaksHttp2(String reactor) {
        serve(reactor, server -> {
            String program = """
                    const c = require('http2').connect('http://127.0.0.1:%d');
                    let left = 40;
                    for (let i = 0; i < 40; i++) {
                      const r = c.request({ ':path': '/', ':method': i %% 2 ? 'POST' : 'GET' });
                      let n = 0;
                      r.on('data', d => n += d.length);
                      r.on('end', () => { console.log(n); if (--left == 0) c.close(); });
                      r.end(i %% 2 ? 'y'.repeat(300000) : undefined);
                    }
                    """.formatted(server.port());
            assertThat(run("node", "-e", program).lines().sorted().toList())
                    .containsOnly("5", "300000")
                    .hasSize(40);
        });
    }
}
