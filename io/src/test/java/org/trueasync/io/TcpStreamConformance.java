package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.awaitQueued;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.read;
import static org.trueasync.io.Runs.readFully;
import static org.trueasync.io.Runs.runClean;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.io.OutputStream;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.lang.foreign.Arena;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.nio.channels.ClosedChannelException;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.IntFunction;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.DnsException;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.testkit.FreePort;
import org.trueasync.io.Runs.Pair;
import org.trueasync.spi.ListenHandle;
import org.trueasync.testkit.TestRun;

/** TCP streams: connecting, reading, views, options. */
public abstract class TcpStreamConformance {
    // ---- connecting

    @ParameterizedTest
    @ValueSource(strings = {"127.0.0.1", "::1", "localhost"})
    @Tag("E1")
    void connected_echoes(String host) {
        runClean(() -> {
            TcpServer server = TcpServer.listen(host, 0);
            Async.spawn(() -> Runs.echo(server.accept()));
            TcpStream client = TcpStream.connect(host, server.port());
            for (int i = 0; i < 10; i++) {
                client.write(bytes("message " + i));
                assertThat(readFully(client, 9)).isEqualTo("message " + i);
            }
            assertThat(client.remoteAddress().getPort()).isEqualTo(server.port());
            assertThat(client.localAddress().getAddress().isLoopbackAddress()).isTrue();
            client.close();
            server.close();
        });
    }

    @Test
    void nobodyListens_errorNamesOperationPeerAndErrno() {
        runClean(() -> {
            int port = FreePort.any();
            assertThatThrownBy(() -> TcpStream.connect("127.0.0.1", port))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("connect to 127.0.0.1:" + port + ": ECONNREFUSED (connection refused)")
                    .satisfies(
                            e -> assertThat(((InputOutputException) e).errno()).isEqualTo("ECONNREFUSED"));
            assertThatThrownBy(() -> TcpStream.connect("localhost", port))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("ECONNREFUSED");
        });
    }

    @Test
    @Tag("E43")
    void hostUnknownOrMalformed_errorNamesIt() {
        runClean(() -> {
            assertThatThrownBy(() -> TcpStream.connect("no-such-host.invalid", 80))
                    .isInstanceOf(DnsException.class)
                    .hasMessageContaining("no-such-host.invalid");
            assertThatThrownBy(() -> TcpStream.connect("", 80)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> TcpStream.connect("  ", 80)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> TcpStream.connect("127.0.0.1", -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> TcpStream.connect("127.0.0.1", 65_536))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("65536");
            assertThatThrownBy(() -> TcpStream.connect("127.0.0.1", 0))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessage("port must be 1 to 65535, got 0");
        });
    }

    @Test
    @Tag("E43")
    void hostNameTooLongToRead_errorShowsItsBeginningOnce() {
        runClean(() -> {
            String host = "a".repeat(100_000);
            String shown = "'" + "a".repeat(100) + "... (100000 characters)'";
            assertThatThrownBy(() -> TcpStream.connect(host, 80))
                    .isInstanceOf(DnsException.class)
                    .hasMessage("no address found for host " + shown)
                    .satisfies(e -> {
                        var trace = new StringWriter();
                        e.printStackTrace(new PrintWriter(trace));
                        assertThat(trace.toString().split("a{100}", -1)).hasSize(2);
                    });
            assertThatThrownBy(() -> TcpServer.listen(" ".repeat(100_000), 80))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("... (100000 characters)");
        });
    }

    @Test
    void argumentIsNull_errorNamesIt() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                TcpStream stream = pair.client();
                ByteBuffer one = ByteBuffer.allocate(1);
                Completable<?> none = null;
                Map<ThrowingCallable, String> calls = new LinkedHashMap<>();
                calls.put(() -> stream.read((ByteBuffer) null), "into");
                calls.put(() -> stream.read((ByteBuffer) null, Async.timeout(1)), "into");
                calls.put(() -> stream.read(one, none), "cancellation");
                calls.put(() -> stream.write((ByteBuffer) null), "from");
                calls.put(() -> stream.write((ByteBuffer) null, Async.timeout(1)), "from");
                calls.put(() -> stream.write(one, none), "cancellation");
                calls.put(() -> stream.shutdownOutput(none), "cancellation");
                calls.put(() -> stream.keepAlive(null), "idle");
                calls.put(() -> stream.keepAlive(Duration.ofSeconds(1), null, 1), "interval");
                calls.put(() -> TcpStream.connect(null, 80), "host");
                calls.put(() -> TcpStream.connect("127.0.0.1", 80, none), "cancellation");
                calls.put(() -> TcpServer.listen(null, 0), "host");
                calls.put(() -> TcpServer.listen("127.0.0.1", 0, null), "options");
                calls.put(() -> pair.server().accept(none), "cancellation");
                calls.forEach((call, argument) -> assertThatThrownBy(call)
                        .isInstanceOf(NullPointerException.class)
                        .hasMessage(argument));
                stream.write(bytes("still fine"));
                assertThat(read(pair.peer(), 20)).isEqualTo("still fine");
            }
        });
    }

    @Test
    @Tag("E40")
    @Tag("F34")
    void connectCancelledOrTimedOut_attemptIsReleased() {
        runClean(() -> {
            // a server with a full backlog does not answer
            TcpServer server = TcpServer.listen("127.0.0.1", 0, new ListenHandle.Options(1, false, false));
            var open = new ArrayList<TcpStream>();
            int inARow = 0; // once alone may be a slow machine
            while (inARow < 3 && open.size() < 100) {
                try {
                    open.add(TcpStream.connect("127.0.0.1", server.port(), Async.timeout(30)));
                    inARow = 0;
                } catch (OperationCanceledException e) {
                    inARow++;
                }
            }
            assertThat(inARow).isEqualTo(3);
            Coroutine<?> cancelled = Async.spawn(() -> TcpStream.connect("127.0.0.1", server.port()));
            Async.delay(2);
            assertThat(cancelled.isCompleted()).isFalse();
            cancelled.cancel();
            assertThat(failureOf(cancelled)).isInstanceOf(AsyncCancellation.class);
            open.forEach(TcpStream::close);
            server.close();
        });
    }

    @Test
    @Tag("E40")
    void connectCancelledInTheTurnInWhichItStands_connectionIsClosed() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<?> connecting = Async.spawn(() -> TcpStream.connect("127.0.0.1", server.port()));
            Async.currentCoroutine().asHighPriority();
            while (!connecting.isStarted()) Async.delay(1);
            if (!connecting.isCompleted()) connecting.cancel();
            failureOf(connecting);
            Async.spawn(() -> Async.delay(0));
            TcpStream accepted = server.accept();
            if (connecting.isCancelled()) assertThat(read(accepted, 1)).isEqualTo("end");
            else ((TcpStream) connecting.result()).close();
            accepted.close();
            server.close();
        });
    }

    // ---- reading

    @Test
    void suspendedRead_hasAtMostThirteenFramesOfOurs() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                ByteBuffer into = ByteBuffer.allocate(1);
                Coroutine<?> reader = Async.spawn(() -> pair.client().read(into));
                Async.suspend();
                assertThat(reader.trace())
                        .filteredOn(frame -> frame.getClassName().startsWith("org.trueasync.")
                                && !frame.getClassName().contains("Conformance"))
                        .hasSizeBetween(5, 13);
                reader.cancel();
                Async.suspend();
            }
        });
    }

    @Test
    @Tag("E33")
    void peerEnds_readGivesMinusOneAlways() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                pair.peer().write(bytes("last"));
                pair.peer().close();
                assertThat(read(pair.client(), 2)).isEqualTo("la");
                assertThat(read(pair.client(), 2)).isEqualTo("st");
                assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                RuntimeStats before = Async.runtimeStats();
                for (int i = 0; i < 5; i++)
                    assertThat(pair.client().read(ByteBuffer.allocate(1))).isEqualTo(-1);
                RuntimeStats after = Async.runtimeStats();
                // no switch but those that let the reactor have its turn when it is due
                assertThat(after.switches() - before.switches())
                        .isLessThanOrEqualTo(after.reactorTurns() - before.reactorTurns());
            }
        });
    }

    @Test
    @Tag("E33")
    void peerEndsWhileSeveralRead_allSeeTheEnd() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                var readers =
                        List.of(Async.spawn(() -> read(pair.client(), 1)), Async.spawn(() -> read(pair.client(), 1)));
                Async.suspend();
                pair.peer().close();
                assertThat(Async.awaitAllOrFail(readers)).containsExactly("end", "end");
            }
        });
    }

    @Test
    void buffersOfEveryKind_areFilledFromPositionToLimit() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                pair.peer().write(bytes("0123456789abcdefghij"));
                ByteBuffer heap = ByteBuffer.allocate(10).position(2).limit(5);
                assertThat(pair.client().read(heap)).isEqualTo(3);
                assertThat(heap.position()).isEqualTo(5);
                assertThat(new String(heap.array(), StandardCharsets.UTF_8)).isEqualTo("\0\000012\0\0\0\0\0");
                ByteBuffer direct = ByteBuffer.allocateDirect(8).position(1).slice();
                assertThat(pair.client().read(direct)).isEqualTo(7);
                assertThat(StandardCharsets.UTF_8.decode(direct.flip()).toString())
                        .isEqualTo("3456789");
                ByteBuffer sliced = ByteBuffer.wrap(new byte[100], 50, 4).slice();
                assertThat(pair.client().read(sliced)).isEqualTo(4);
                assertThat(StandardCharsets.UTF_8.decode(sliced.flip()).toString())
                        .isEqualTo("abcd");
                assertThatThrownBy(() -> pair.client().read(ByteBuffer.allocate(0)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("room");
                assertThatThrownBy(
                                () -> pair.client().read(ByteBuffer.allocate(4).asReadOnlyBuffer()))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("read-only");
                assertThat(read(pair.client(), 100)).isEqualTo("efghij");
            }
        });
    }

    @Test
    void bufferThatIsAskedForLater_isAskedForWhenThereAreBytes() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                var asked = new ArrayList<Integer>();
                var into = new ByteBuffer[1];
                IntFunction<ByteBuffer> four = count -> {
                    asked.add(count);
                    return into[0] = ByteBuffer.allocate(4);
                };
                Coroutine<Integer> reader = Async.spawn(() -> pair.client().read(four));
                Async.suspend();
                assertThat(asked).isEmpty();
                pair.peer().write(bytes("0123456789"));
                assertThat(Async.await(reader)).isEqualTo(4);
                assertThat(new String(into[0].array(), StandardCharsets.UTF_8)).isEqualTo("0123");
                assertThat(pair.client().read(four)).isEqualTo(4);
                assertThat(new String(into[0].array(), StandardCharsets.UTF_8)).isEqualTo("4567");
                assertThat(asked).containsExactly(10, 6);
                assertThat(read(pair.client(), 9)).isEqualTo("89");
                pair.peer().close();
                assertThat(pair.client().read(four)).isEqualTo(-1);
                assertThat(asked).hasSize(2);
            }
        });
    }

    @Test
    void bufferThatIsAskedForLater_isUnfit_noByteIsLost() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                IntFunction<ByteBuffer> none = count -> {
                    throw new UnsupportedOperationException("no buffer");
                };
                assertThatThrownBy(() -> pair.client().read(none, Async.timeout(1)))
                        .isInstanceOf(OperationCanceledException.class);
                Coroutine<Integer> reader = Async.spawn(() -> pair.client().read(none));
                Async.suspend();
                pair.peer().write(bytes("0123"));
                assertThatThrownBy(() -> Async.await(reader)).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(() -> pair.client().read(none)).isInstanceOf(UnsupportedOperationException.class);
                assertThatThrownBy(() -> pair.client().read(count -> ByteBuffer.allocate(0)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("room");
                assertThat(read(pair.client(), 9)).isEqualTo("0123");
                Coroutine<Integer> cancelled = Async.spawn(() -> pair.client().read(ByteBuffer::allocate));
                Async.suspend();
                pair.peer().write(bytes("4567"));
                awaitQueued(cancelled);
                cancelled.cancel();
                assertThat(read(pair.client(), 9)).isEqualTo("4567");
            }
        });
    }

    @Test
    void tryReadIntoFreedMemory_noByteIsLost() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                ByteBuffer freed;
                try (Arena arena = Arena.ofConfined()) {
                    freed = arena.allocate(8).asByteBuffer();
                }
                pair.peer().write(bytes("0123"));
                assertThatThrownBy(() -> {
                            while (pair.client().tryRead(freed) == 0) Async.delay(1);
                        })
                        .isInstanceOf(IllegalStateException.class);
                assertThat(read(pair.client(), 9)).isEqualTo("0123");
            }
        });
    }

    @Test
    @Tag("F4")
    void twoReaders_servedInTheOrderOfArrival() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                var got = new ArrayList<String>();
                var a = Async.spawn(() -> got.add("a" + read(pair.client(), 3)));
                var b = Async.spawn(() -> got.add("b" + read(pair.client(), 3)));
                Async.suspend();
                pair.peer().write(bytes("123456789"));
                Async.awaitAllOrFail(List.of(a, b));
                assertThat(got).containsExactly("a123", "b456");
                assertThat(read(pair.client(), 9)).isEqualTo("789");
            }
        });
    }

    @Test
    @Tag("F2")
    @Tag("F36")
    void severalReadersCancelledInOneTurn_bytesKeepTheirOrder() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                var readers = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 3; i++) readers.add(Async.spawn(() -> read(pair.client(), 3)));
                Async.suspend();
                pair.peer().write(bytes("aaabbbccc"));
                awaitQueued(readers.get(0));
                readers.forEach(Coroutine::cancel);
                readers.forEach(TestRun::failureOf);
                assertThat(readFully(pair.client(), 9)).isEqualTo("aaabbbccc");
            }
        });
    }

    @Test
    @Tag("F33")
    @Tag("F36")
    void readProtected_cancellationComesAfterwardsAndTheBytesArrive() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                var got = new ArrayList<String>();
                Coroutine<?> reader = Async.spawn(() -> {
                    got.add(Async.protect(() -> read(pair.client(), 10)));
                    Async.delay(1);
                    got.add("not reached");
                });
                Async.suspend();
                reader.cancel();
                pair.peer().write(bytes("kept"));
                assertThat(failureOf(reader)).isInstanceOf(AsyncCancellation.class);
                assertThat(got).containsExactly("kept");
            }
        });
    }

    @Test
    @Tag("F1")
    @Tag("E40")
    void tokenFiredBefore_readGivesUpAndLosesNothing() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                Coroutine<?> token = Async.spawn(() -> {});
                Async.await(token);
                pair.peer().write(bytes("abc"));
                Runs.settle();
                try {
                    ByteBuffer into = ByteBuffer.allocate(10);
                    pair.client().read(into, token);
                } catch (OperationCanceledException expected) {
                    assertThat(read(pair.client(), 10)).isEqualTo("abc");
                }
            }
        });
    }

    // ---- views

    @Test
    void viewsOfTheStream_readAndWrite() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                OutputStream out = pair.client().outputStream();
                InputStream in = pair.peer().inputStream();
                out.write('a');
                out.write("bc\nline two\n".getBytes(StandardCharsets.UTF_8));
                out.write(new byte[0]);
                out.flush();
                assertThat(in.read()).isEqualTo('a');
                assertThat(in.read(new byte[0])).isZero();
                var reader = new BufferedReader(new InputStreamReader(in, StandardCharsets.UTF_8));
                assertThat(reader.readLine()).isEqualTo("bc");
                assertThat(reader.readLine()).isEqualTo("line two");

                ByteChannel near = pair.client().channel();
                ByteChannel far = pair.peer().channel();
                assertThat(near.write(bytes("channel"))).isEqualTo(7);
                ByteBuffer into = ByteBuffer.allocate(20);
                assertThat(far.read(ByteBuffer.allocate(0))).isZero();
                assertThat(far.read(into)).isEqualTo(7);
                near.close();
                assertThat(near.isOpen()).isFalse();
                assertThat(pair.client().isClosed()).isTrue();
                assertThat(far.read(into)).isEqualTo(-1);
                assertThat(in.read()).isEqualTo(-1);
                assertThatThrownBy(() -> near.write(bytes("x"))).isInstanceOf(ClosedChannelException.class);
                assertThatThrownBy(() -> near.read(into)).isInstanceOf(ClosedChannelException.class);
                assertThatThrownBy(() -> out.write(1))
                        .isInstanceOf(IOException.class)
                        .hasMessageContaining("closed");
                in.close();
                assertThat(pair.peer().isClosed()).isTrue();
            }
        });
    }

    @Test
    void viewClosedWhileReading_readerGetsAnIOException() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                InputStream in = pair.client().inputStream();
                Coroutine<Integer> reader = Async.spawn(() -> in.read());
                Async.suspend();
                in.close();
                assertThat(failureOf(reader)).hasRootCauseInstanceOf(InputOutputException.class);
            }
        });
    }

    @Test
    void byteAboveOneTwentySeven_isNotNegative() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                pair.client().outputStream().write(255);
                assertThat(pair.peer().inputStream().read()).isEqualTo(255);
            }
        });
    }

    // ---- options

    @Test
    void options_checkedAndSet() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                pair.client().noDelay(false);
                pair.client().noDelay(true);
                pair.client().keepAlive(Duration.ofSeconds(30));
                pair.client().keepAlive(Duration.ZERO);
                assertThatThrownBy(() -> pair.client().keepAlive(Duration.ofMillis(5)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("PT0.005S");
                assertThatThrownBy(() -> pair.client().keepAlive(Duration.ofSeconds(-5)))
                        .isInstanceOf(IllegalArgumentException.class);
                Duration second = Duration.ofSeconds(1);
                pair.client().keepAlive(Duration.ofSeconds(32_767), Duration.ofSeconds(32_767), 127);
                pair.client().keepAlive(second, second, 1);
                assertThatThrownBy(() -> pair.client().keepAlive(Duration.ofSeconds(32_768)))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("keepAlive must be 0 or 1 to 32767 s, got PT9H6M8S");
                assertThatThrownBy(() -> pair.client().keepAlive(second, Duration.ZERO, 1))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("interval");
                assertThatThrownBy(() -> pair.client().keepAlive(second, second, 128))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageContaining("128");
            }
        });
    }

    // ---- wrong place

    @Test
    void usedOutsideARuntime_errorNamesAsyncRun() {
        assertThatThrownBy(() -> TcpStream.connect("127.0.0.1", 1))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("Async.run");
        assertThatThrownBy(() -> TcpServer.listen("127.0.0.1", 0))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("Async.run");
    }

    @Test
    @Tag("F77")
    void usedAfterTheRunEnded_clearErrorAndTheNextRunIsFine() {
        var left = new AtomicReference<Pair>();
        Runs.run(() -> left.set(Pair.open()));
        Pair pair = left.get();
        assertThat(pair.client().isClosed()).isTrue();
        assertThat(pair.server().isClosed()).isTrue();
        assertThat(pair.client().toString()).endsWith(", closed");
        assertThatThrownBy(() -> read(pair.client(), 1))
                .isInstanceOfAny(AsyncException.class, InputOutputException.class);
        assertThatThrownBy(() -> pair.client().write(bytes("x")))
                .isInstanceOfAny(AsyncException.class, InputOutputException.class);
        assertThatThrownBy(pair.server()::accept).isInstanceOfAny(AsyncException.class, InputOutputException.class);
        pair.close();
        runClean(() -> {
            assertThatThrownBy(() -> read(pair.client(), 1))
                    .isInstanceOfAny(AsyncException.class, InputOutputException.class);
            assertThatThrownBy(() -> pair.client().write(bytes("x")))
                    .isInstanceOfAny(AsyncException.class, InputOutputException.class);
            pair.close();
            try (Pair fresh = Pair.open()) {
                fresh.client().write(bytes("fresh"));
                assertThat(read(fresh.peer(), 9)).isEqualTo("fresh");
            }
        });
    }

    @Test
    @Tag("F77")
    void streamOfAnEndedRunLeftOpen_closingItIsHarmless() {
        var left = new AtomicReference<Pair>();
        Runs.run(() -> {
            Pair pair = Pair.open();
            left.set(pair);
            Async.spawn(() -> read(pair.client(), 1));
            Async.suspend();
            Async.gracefulShutdown();
        });
        left.get().close();
        runClean(() -> left.get().close());
    }

    @Test
    void coroutineThatReads_saysWhatItWaitsFor() {
        runClean(() -> {
            try (Pair pair = Pair.open()) {
                Coroutine<?> reader = Async.spawn(() -> read(pair.client(), 1));
                Coroutine<?> accepter = Async.spawn(() -> pair.server().accept());
                Async.suspend();
                assertThat(reader.awaitingInfo())
                        .containsExactly("read from 127.0.0.1:" + pair.server().port());
                assertThat(accepter.awaitingInfo())
                        .containsExactly("accept on 127.0.0.1:" + pair.server().port());
                reader.cancel();
                accepter.cancel();
            }
        });
    }
}
