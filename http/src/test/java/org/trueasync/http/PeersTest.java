package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.trueasync.io.Exec;

/** Clients of others, each where it is installed. */
@Tag("deep")
@Timeout(120)
class PeersTest {
    private static String run(String... command) {
        assumeTrue(
                List.of("/usr/bin/", "/usr/local/bin/", "/bin/").stream()
                        .anyMatch(place -> Files.isExecutable(Path.of(place + command[0]))),
                command[0] + " is not installed");
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
}
