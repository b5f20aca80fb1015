package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.testkit.Schedules;
import org.trueasync.testkit.VirtualTime;

/** {@link ByteStream#relay}, in virtual time. */
@Timeout(60)
class RelayTest {
    private static final Duration MINUTE = Duration.ofMinutes(1);

    /** A client, a proxy with a stream to either, and a server. */
    private record Way(TcpStream client, TcpStream near, TcpStream far, TcpStream server) implements AutoCloseable {
        static Way open() {
            try (var listener = TcpServer.listen("127.0.0.1", 0)) {
                TcpStream client = TcpStream.connect("127.0.0.1", listener.port());
                TcpStream near = listener.accept();
                TcpStream far = TcpStream.connect("127.0.0.1", listener.port());
                return new Way(client, near, far, listener.accept());
            }
        }

        Coroutine<?> relay() {
            return spawn(() -> near.relay(far, MINUTE));
        }

        @Override
        public void close() {
            for (TcpStream each : List.of(client, near, far, server)) each.close();
        }
    }

    private static String rest(TcpStream stream) {
        ByteBuffer all = ByteBuffer.allocate(2_000_000);
        while (stream.read(all) >= 0) {}
        return new String(all.array(), 0, all.position(), StandardCharsets.UTF_8);
    }

    private static void bothWays() {
        try (var way = Way.open()) {
            Coroutine<?> relay = way.relay();
            String question = "question".repeat(30_000);
            spawn(() -> {
                way.client.writeText(question);
                way.client.shutdownOutput();
            });
            assertThat(rest(way.server)).isEqualTo(question);
            assertThat(relay.isCompleted()).isFalse();
            way.server.writeText("answer"); // the opposite direction goes on
            way.server.shutdownOutput();
            assertThat(rest(way.client)).isEqualTo("answer");
            Async.await(relay);
            assertThat(way.near.isClosed() || way.far.isClosed()).isFalse();
        }
    }

    @Test
    void bothEnd_itReturns() {
        VirtualTime.run(() -> {
            bothWays();
            assertThat(VirtualTime.elapsed()).isLessThan(Duration.ofSeconds(1));
        });
    }

    @Test
    void bothEnd_itReturnsInAnyOrder() {
        Schedules.explore(100, RelayTest::bothWays);
    }

    @Test
    void oneDirectionMoves_isNotIdle() {
        VirtualTime.run(() -> {
            try (var way = Way.open()) {
                Coroutine<?> relay = way.relay();
                for (int i = 0; i < 10; i++) {
                    delay(Duration.ofSeconds(59));
                    way.server.writeText("x");
                }
                assertThatThrownBy(() -> Async.await(relay)).isInstanceOf(AsyncTimeoutException.class);
                assertThat(VirtualTime.elapsed().toSeconds()).isEqualTo(590 + 60);
            }
        });
    }

    @Test
    void peerThatDoesNotRead_isIdle() {
        VirtualTime.run(() -> {
            try (var way = Way.open()) {
                Coroutine<?> relay = way.relay();
                Coroutine<?> writer = spawn(() -> way.client.write(ByteBuffer.allocate(1_000_000)));
                assertThatThrownBy(() -> Async.await(relay)).isInstanceOf(AsyncTimeoutException.class);
                assertThat(VirtualTime.elapsed().toSeconds()).isEqualTo(60);
                writer.cancel();
            }
        });
    }

    @Test
    void oneFails_theOtherDirectionIsStopped() {
        VirtualTime.run(() -> {
            try (var way = Way.open()) {
                Coroutine<?> relay = way.relay();
                way.near.close();
                assertThatThrownBy(() -> Async.await(relay)).isInstanceOf(InputOutputException.class);
                way.server.writeText("late");
                assertThat(way.far.read(ByteBuffer.allocate(10))).isEqualTo(4); // nobody else reads it
                assertThat(VirtualTime.elapsed()).isLessThan(Duration.ofSeconds(1));
            }
        });
    }

    @Test
    void cancelled_bothDirectionsAreStopped() {
        VirtualTime.run(() -> {
            try (var way = Way.open()) {
                Coroutine<?> relay = way.relay();
                delay(10);
                relay.cancel();
                assertThatThrownBy(() -> Async.await(relay)).isInstanceOf(AsyncCancellation.class);
                way.server.writeText("late");
                assertThat(way.far.read(ByteBuffer.allocate(10))).isEqualTo(4);
                way.client.writeText("late");
                assertThat(way.near.read(ByteBuffer.allocate(10))).isEqualTo(4);
                assertThat(VirtualTime.elapsed()).isLessThan(MINUTE);
            }
        });
    }

    @Test
    @SuppressWarnings("NullAway") // that is the point
    void timesThatAreNone_areRefused() {
        VirtualTime.run(() -> {
            try (var way = Way.open()) {
                for (Duration time : List.of(Duration.ZERO, Duration.ofNanos(-1)))
                    assertThatThrownBy(() -> way.near.relay(way.far, time))
                            .isInstanceOf(IllegalArgumentException.class)
                            .hasMessageStartingWith("idle must be > 0 ms");
                assertThatThrownBy(() -> way.near.relay(way.far, null)).isInstanceOf(NullPointerException.class);
                assertThatThrownBy(() -> way.near.relay(null, MINUTE)).isInstanceOf(NullPointerException.class);
                way.client.close();
                way.server.close();
                way.near.relay(way.far, Duration.ofSeconds(Long.MAX_VALUE));
            }
        });
    }
}
