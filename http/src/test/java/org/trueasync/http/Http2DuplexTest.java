package org.trueasync.http;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;

/** Exchanges whose two sides go on beside each other. */
@Timeout(60)
class Http2DuplexTest {
    private static final int RESET = 3;

    @EachReactor
    void bodyWithoutLimits_isAnsweredWhileItComes(String reactor) {
        List<String> reports = Http.serveAll(
                reactor,
                settings -> settings.maxBodyBytes(10).bodyTimeout(Duration.ofMillis(20)),
                exchange -> {
                    byte[] part = new byte[4];
                    for (int count; (count = exchange.duplex().inputStream().readNBytes(part, 0, 4)) > 0; )
                        exchange.write(ByteBuffer.wrap(part.clone(), 0, count));
                },
                server -> {
                    try (var peer = Http2Peer.open(server.port()).post(1, "/")) {
                        for (int i = 1; i <= 4; i++) {
                            delay(30);
                            peer.data(1, "abcd", i == 4);
                            while (peer.of(1).text().length() < 4 * i) peer.next();
                        }
                        assertThat(peer.await(1).text()).isEqualTo("abcdabcdabcdabcd");
                    }
                });
        assertThat(reports).isEmpty();
    }

    @EachReactor
    void clientThatGivesAPostUp_cancelsItsHandler(String reactor) {
        var ends = new ArrayList<String>();
        Http.serve(
                reactor,
                exchange -> {
                    try {
                        exchange.duplex().write("begun");
                        exchange.bytes();
                    } catch (AsyncCancellation e) {
                        ends.add(e.getMessage());
                        throw e;
                    }
                },
                server -> {
                    try (var peer = Http2Peer.open(server.port()).post(1, "/")) {
                        while (peer.of(1).text().isEmpty()) peer.next();
                        peer.send(RESET, 0, 1, Http2Peer.hex("00000008"));
                        while (ends.isEmpty()) delay(1);
                    }
                });
        assertThat(ends).containsExactly("the client has reset the stream");
    }

    @EachReactor
    void writable_untilTheWindowIsShut(String reactor) {
        var seen = new ArrayList<String>();
        Http.serve(
                reactor,
                settings -> settings.writeTimeout(Duration.ofMillis(20)),
                exchange -> {
                    exchange.duplex();
                    seen.add("at first " + exchange.isWritable());
                    exchange.awaitWritable();
                    exchange.write(ByteBuffer.allocate(100));
                    seen.add("then " + exchange.isWritable());
                    var waiting = spawn(exchange::awaitWritable);
                    Async.await(waiting);
                    seen.add("at last " + exchange.isWritable());
                    exchange.end();
                    seen.add("behind the end " + exchange.isWritable());
                },
                server -> {
                    try (var peer = new Http2Peer(server.port()).begin(4, 100)) { // the window of a stream
                        peer.post(1, "/");
                        while (seen.size() < 2) delay(1);
                        delay(50); // longer than the time to write
                        peer.number(8, 1, 50).data(1, "", true).await(1);
                    }
                });
        assertThat(seen).containsExactly("at first true", "then false", "at last true", "behind the end false");
    }

    @EachReactor
    void http1_knowsNeither(String reactor) {
        var seen = new ArrayList<String>();
        Http.serve(
                reactor,
                exchange -> {
                    exchange.awaitWritable();
                    try {
                        exchange.duplex();
                    } catch (IllegalStateException e) {
                        seen.add(exchange.isWritable() + " " + e.getMessage());
                    }
                },
                server -> Raw.exchange(server.port(), "GET / HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n"));
        assertThat(seen).containsExactly("true a duplex exchange needs HTTP/2");
    }
}
