package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** A peer that takes longer for a response than the limit for a write, but reads. */
@Tag("deep")
@Timeout(120)
class SlowPeerTest {
    @EachReactor
    void peerThatReadsSlowly_isServed(String reactor) {
        byte[] much = new byte[40_000_000];
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                    .host("127.0.0.1")
                    .writeTimeout(Duration.ofSeconds(3))
                    .listen(x -> x.respond(much))) {
                try (var peer = new Raw(server.port()).send("GET / HTTP/1.1\r\nHost: a\r\n\r\n")) {
                    long count = 0;
                    for (int i = 0; i < 40; i++, delay(200)) count += peer.skip(1_000_000);
                    assertThat(count).isEqualTo(40_000_000);
                    assertThat(server.stats().writeTimeouts()).isZero();
                }
            }
        });
        assertThat(reports).isEmpty();
    }
}
