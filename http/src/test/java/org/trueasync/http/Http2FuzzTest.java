package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.http.Http2Peer.CONTINUATION;
import static org.trueasync.http.Http2Peer.DATA;
import static org.trueasync.http.Http2Peer.HEADERS;
import static org.trueasync.http.Http2Peer.PING;
import static org.trueasync.http.Http2Peer.RESET;
import static org.trueasync.http.Http2Peer.SETTINGS;
import static org.trueasync.http.Http2Peer.WINDOW;

import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;

/** Good frames with random faults in them. */
@Tag("deep")
@Timeout(180)
class Http2FuzzTest {
    private static byte[] mutated(Random random) {
        var frames = new ArrayList<byte[]>();
        for (int id = 1; id <= 9; id += 2) {
            switch (random.nextInt(4)) {
                case 0 -> frames.add(Http2Peer.frame(HEADERS, 5, id, Http2Peer.request("GET", "/?a", "a", "b")));
                case 1 -> {
                    frames.add(Http2Peer.frame(HEADERS, 1, id, Http2Peer.request("GET", "/")));
                    frames.add(Http2Peer.frame(CONTINUATION, 4, id, Http2Peer.fields("c", "d")));
                }
                case 2 -> {
                    frames.add(Http2Peer.frame(HEADERS, 4, id, Http2Peer.request("POST", "/", "content-length", "5")));
                    frames.add(Http2Peer.frame(DATA, 1, id, "hello".getBytes(StandardCharsets.US_ASCII)));
                }
                default -> {
                    frames.add(Http2Peer.frame(HEADERS, 4, id, Http2Peer.request("POST", "/")));
                    frames.add(Http2Peer.frame(DATA, 8, id, Http2Peer.hex("02 6161 0000")));
                    frames.add(Http2Peer.frame(HEADERS, 5, id, Http2Peer.fields("t", "1")));
                }
            }
            if (random.nextInt(3) == 0) frames.add(Http2Peer.frame(RESET, 0, id, Http2Peer.hex("00000008")));
            if (random.nextInt(3) == 0) frames.add(Http2Peer.frame(WINDOW, 0, id, Http2Peer.hex("00000100")));
        }
        frames.add(Http2Peer.frame(PING, 0, 0, new byte[8]));
        frames.add(Http2Peer.frame(SETTINGS, 0, 0, Http2Peer.hex("0004 00000002")));
        for (int i = random.nextInt(3); i > 0; i--) // in another order
        Collections.swap(frames, random.nextInt(frames.size()), random.nextInt(frames.size()));
        if (random.nextBoolean()) frames.add(frames.get(random.nextInt(frames.size())));
        for (int i = random.nextInt(4); i > 0; i--) { // with other bytes, often those of the frame's head
            byte[] frame = frames.get(random.nextInt(frames.size()));
            frame[random.nextInt(random.nextBoolean() ? 9 : frame.length)] ^= (byte) (1 << random.nextInt(8));
        }
        var all = new ByteArrayOutputStream();
        frames.forEach(all::writeBytes);
        byte[] bytes = all.toByteArray();
        return random.nextInt(4) == 0 ? java.util.Arrays.copyOf(bytes, random.nextInt(bytes.length)) : bytes;
    }

    @EachReactor
    void mutatedFrames_areAnsweredOrEndTheConnection(String reactor) {
        long seed = Long.getLong("seed", System.nanoTime());
        List<String> reports = Http.run(reactor, () -> {
            try (var server = HttpServer.builder()
                    .host("127.0.0.1")
                    .headerTimeout(Duration.ofMillis(200))
                    .bodyTimeout(Duration.ofMillis(200))
                    .writeTimeout(Duration.ofMillis(200))
                    .idleTimeout(Duration.ofMillis(200))
                    .listen(x -> {
                        if (x.query() == null) x.respond(x.bytes());
                        else x.respond("much more than the window");
                    })) {
                var random = new Random(seed);
                long end = System.nanoTime() + 10_000_000_000L;
                for (int i = 0; System.nanoTime() < end; i++) {
                    byte[] bytes = mutated(random);
                    try (var peer = Http2Peer.open(server.port())) {
                        try {
                            peer.raw(bytes);
                        } catch (IOException e) {
                            // it has closed already
                        }
                        if (i % 10 == 0) peer.awaitEnd(); // limits end it, whatever it was
                    } catch (AssertionError e) {
                        throw new AssertionError("seed " + seed + ", round " + i, e);
                    }
                    if (i % 50 != 0) continue;
                    try (var peer = Http2Peer.open(server.port())) {
                        assertThat(peer.get(1, "/?b").await(1).status()).isEqualTo("200");
                    }
                }
                LimitsTest.settle(server);
            }
        });
        assertThat(reports).as("seed " + seed).isEmpty();
    }
}
