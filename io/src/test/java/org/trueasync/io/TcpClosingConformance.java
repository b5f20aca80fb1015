package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.awaitQueued;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.read;
import static org.trueasync.io.Runs.runClean;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.io.Runs.Foreign;
import org.trueasync.io.Runs.Pair;

/** TCP streams: what closing, and a peer that resets, do to those who wait. */
public abstract class TcpClosingConformance {
    // ---- closing

    @Test
    @Tag("E38")
    @Tag("F5")
    void closedWhileReadingAndWriting_everyoneGetsAnErrorThatNamesThePeer() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                var waiting = new ArrayList<Coroutine<?>>();
                waiting.add(Async.spawn(() -> read(pair.client(), 1)));
                waiting.add(Async.spawn(() -> read(pair.client(), 1)));
                waiting.add(Runs.parkedWriter(pair.client()));
                waiting.add(Async.spawn(() -> pair.client().write(bytes("in line"))));
                waiting.add(Async.spawn(() -> pair.client().shutdownOutput()));
                Async.suspend();
                String peer = "127.0.0.1:" + pair.server().port();
                pair.client().close();
                assertThat(waiting).allSatisfy(w -> assertThat(failureOf(w))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining(peer));
            }
        });
    }

    @Test
    void closedTwice_secondDoesNothing() {
        runClean(() -> {
            Pair pair = Pair.open();
            pair.close();
            pair.close();
            assertThat(pair.client().isClosed()).isTrue();
            assertThat(pair.client().toString()).contains("closed");
        });
    }

    @Test
    @Tag("E38")
    void usedAfterClose_errorNamesOperationAndPeer() {
        runClean(() -> {
            Pair pair = Pair.open();
            pair.close();
            String peer = "127.0.0.1:" + pair.server().port();
            assertThatThrownBy(() -> read(pair.client(), 1))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("read from " + peer + ": the stream is closed");
            assertThatThrownBy(() -> pair.client().write(bytes("x")))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("write to " + peer + ": the stream is closed");
            for (Runnable call : List.<Runnable>of(
                    pair.client()::shutdownOutput,
                    pair.client()::localAddress,
                    pair.client()::remoteAddress,
                    () -> pair.client().noDelay(true),
                    () -> pair.client().keepAlive(Duration.ofSeconds(5)))) {
                assertThatThrownBy(call::run)
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining(peer)
                        .hasMessageContaining("closed");
            }
        });
    }

    @Test
    @Tag("F53")
    void closedWhileAnExceptionUnwinds_thatExceptionArrives() {
        runClean(() -> {
            Coroutine<?> failing = Async.spawn(() -> {
                try (Pair pair = Pair.open()) {
                    Async.spawn(() -> failureOf(Async.spawn(() -> read(pair.client(), 1))));
                    Async.suspend();
                    throw new IllegalStateException("mine");
                }
            });
            assertThat(failureOf(failing))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("mine");
            assertThat(failureOf(failing).getSuppressed()).noneMatch(s -> s instanceof InputOutputException);
        });
    }

    @Test
    @Tag("F2")
    void cancelledReaderPutsBytesBackIntoAClosedStream_harmless() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                Coroutine<?> reader = Async.spawn(() -> read(pair.client(), 5));
                Async.suspend();
                pair.peer().write(bytes("12345"));
                awaitQueued(reader);
                reader.cancel();
                pair.client().close();
                assertThat(failureOf(reader)).isInstanceOf(AsyncCancellation.class);
                assertThatThrownBy(() -> read(pair.client(), 1)).isInstanceOf(InputOutputException.class);
            }
        });
    }

    // ---- the peer resets

    @Test
    @Tag("E39")
    @Tag("F5")
    void peerResetsWhileReading_readerGetsTheErrorAndLaterReadsToo() {
        runClean(() -> {
            try (Foreign far = Foreign.open()) {
                Coroutine<?> reader = Async.spawn(() -> read(far.stream(), 1));
                Async.suspend();
                far.reset();
                assertThat(failureOf(reader))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("ECONNRESET")
                        .hasMessageContaining("read from 127.0.0.1:");
                assertThatThrownBy(() -> read(far.stream(), 1))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("ECONNRESET");
                assertThatThrownBy(() -> {
                            while (true) far.stream().write(ByteBuffer.allocate(1 << 20));
                        })
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("write to 127.0.0.1:");
            }
        });
    }

    @Test
    @Tag("E39")
    @Tag("F5")
    void peerResetsWhileTheBufferIsFull_writersWake() {
        runClean(() -> {
            try (Foreign far = Foreign.open()) {
                Coroutine<?> writer = Runs.parkedWriter(far.stream());
                Coroutine<?> inLine = Async.spawn(() -> far.stream().write(bytes("next")));
                Async.suspend();
                far.reset();
                assertThat(failureOf(writer)).isInstanceOf(InputOutputException.class);
                assertThat(failureOf(inLine)).isInstanceOf(InputOutputException.class);
            }
        });
    }
}
