package org.trueasync.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.ByteBuffer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.io.Scripted.Connection;
import org.trueasync.spi.SystemError;
import org.trueasync.testkit.TestRun;

/** The line of writers, with the shutdown of the output in it. */
class WritersInLineTest {
    private static final int CHUNK = 256 * 1024;
    private static final SystemError RESET = new SystemError("ECONNRESET", "connection reset by peer");

    // ---- what a writer leaves behind when it gives up

    @Test
    @Tag("F74")
    @Tag("E40")
    void writesTimeOutAgainAndAgain_atMostOneChunkIsQueued() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            for (int i = 0; i < 100; i++) {
                ByteBuffer large = ByteBuffer.allocate(1 << 20);
                assertThatThrownBy(() -> c.stream().write(large, Async.timeout(1)))
                        .isInstanceOf(OperationCanceledException.class);
                assertThat(large.position()).isEqualTo(i == 0 ? CHUNK : 0);
            }
            assertThat(c.handle().queued()).isEqualTo(CHUNK);
            assertThat(c.handle().mostQueued()).isEqualTo(CHUNK);
        });
    }

    @Test
    @Tag("F74")
    @Tag("E32")
    void writeAfterACancelledOne_waitsForWhatThatLeftAndThenGoes() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            assertThatThrownBy(() -> c.stream().write(ByteBuffer.allocate(10), Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            Coroutine<?> next = Async.spawn(() -> c.stream().write(ByteBuffer.allocate(3)));
            Async.delay(5);
            assertThat(next.isCompleted()).isFalse();
            c.handle().room(100).sends();
            Async.await(next);
            assertThat(c.handle().calls()).containsExactly("taken 0", "queued 10", "taken 3");
        });
    }

    @Test
    @Tag("E39")
    void whatACancelledWriteLeftFails_nextWriterIsTold() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            assertThatThrownBy(() -> c.stream().write(ByteBuffer.allocate(10), Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            Coroutine<?> next = Async.spawn(() -> c.stream().write(ByteBuffer.allocate(3)));
            Async.suspend();
            c.handle().sends(RESET);
            assertThat(TestRun.failureOf(next))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("write to 127.0.0.1:1: ECONNRESET (connection reset by peer)");
            assertThat(c.handle().calls()).containsExactly("taken 0", "queued 10");
        });
    }

    @Test
    @Tag("E38")
    void closedWhileWaitingForWhatACancelledWriteLeft_writerIsTold() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            assertThatThrownBy(() -> c.stream().write(ByteBuffer.allocate(10), Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            Coroutine<?> next = Async.spawn(() -> c.stream().write(ByteBuffer.allocate(3)));
            Async.suspend();
            c.stream().close();
            assertThat(TestRun.failureOf(next)).isInstanceOf(InputOutputException.class);
        });
    }

    // ---- shutting the output down

    @Test
    @Tag("E32")
    void outputShutWhileWritesWait_takesItsTurnBehindThem() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            Coroutine<?> parked = Async.spawn(() -> c.stream().write(ByteBuffer.allocate(CHUNK + 5)));
            Coroutine<?> inLine = Async.spawn(() -> c.stream().write(ByteBuffer.allocate(7)));
            Coroutine<?> shutter = Async.spawn(() -> c.stream().shutdownOutput());
            Async.suspend();
            assertThat(c.handle().calls()).containsExactly("taken 0", "queued " + CHUNK);
            c.handle().sends();
            Async.delay(1);
            c.handle().sends();
            Async.delay(1);
            c.handle().sends();
            Async.delay(1);
            assertThat(c.handle().calls())
                    .containsExactly("taken 0", "queued " + CHUNK, "queued 5", "taken 0", "queued 7", "shutdown");
            assertThat(parked.isCompleted() && inLine.isCompleted()).isTrue();
            assertThat(shutter.isCompleted()).isFalse();
            c.handle().shuts(null);
            assertThat(TestRun.failureOf(shutter)).isNull();
        });
    }

    @Test
    void outputShutAgainAfterACancelledShutdown_waitsForTheSameRequest() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            Coroutine<?> first = Async.spawn(() -> c.stream().shutdownOutput());
            Async.suspend();
            first.cancel();
            assertThat(TestRun.failureOf(first)).isInstanceOf(AsyncCancellation.class);
            Coroutine<?> second = Async.spawn(() -> c.stream().shutdownOutput());
            Async.delay(5);
            assertThat(second.isCompleted()).isFalse();
            c.handle().shuts(null);
            assertThat(TestRun.failureOf(second)).isNull();
            c.stream().shutdownOutput();
            assertThat(c.handle().calls()).containsExactly("shutdown");
        });
    }

    @Test
    void outputShutBySeveralAtOnce_oneRequestAndAllWaitForIt() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            Coroutine<?> writer = Async.spawn(() -> c.stream().write(ByteBuffer.allocate(1)));
            Coroutine<?> first = Async.spawn(() -> c.stream().shutdownOutput());
            Coroutine<?> second = Async.spawn(() -> c.stream().shutdownOutput());
            Async.suspend();
            c.handle().sends();
            Async.delay(5);
            assertThat(writer.isCompleted()).isTrue();
            assertThat(first.isCompleted() || second.isCompleted()).isFalse();
            c.handle().shuts(null);
            assertThat(TestRun.failureOf(first)).isNull();
            assertThat(TestRun.failureOf(second)).isNull();
            assertThat(c.handle().calls()).containsExactly("taken 0", "queued 1", "shutdown");
        });
    }

    @Test
    @Tag("E40")
    void outputShutInLineCancelled_nothingIsShutAndTheNextWriterGoes() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            Coroutine<?> writer = Async.spawn(() -> c.stream().write(ByteBuffer.allocate(1)));
            Coroutine<?> shutter = Async.spawn(() -> c.stream().shutdownOutput());
            Coroutine<?> next = Async.spawn(() -> c.stream().write(ByteBuffer.allocate(2)));
            Async.suspend();
            shutter.cancel();
            c.handle().room(10).sends();
            Async.await(writer);
            Async.await(next);
            assertThat(shutter.isCancelled()).isTrue();
            assertThat(c.handle().calls()).containsExactly("taken 0", "queued 1", "taken 2");
        });
    }

    @Test
    @Tag("E40")
    void outputShutTimesOut_isNotWaitedForAndGoesOn() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            assertThatThrownBy(() -> c.stream().shutdownOutput(Async.timeout(10)))
                    .isInstanceOf(OperationCanceledException.class);
            assertThat(c.handle().calls()).containsExactly("shutdown");
        });
    }

    @Test
    void outputShutRefused_everyCallSaysSoWithAnExceptionOfItsOwn() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            c.handle().shuts(RESET);
            Coroutine<?> first = Async.spawn(() -> c.stream().shutdownOutput());
            Throwable thrown = TestRun.failureOf(first);
            assertThat(thrown).hasMessageContaining("ECONNRESET");
            assertThatThrownBy(() -> c.stream().shutdownOutput())
                    .isInstanceOf(InputOutputException.class)
                    .isNotSameAs(thrown)
                    .hasMessage(thrown.getMessage());
            assertThat(c.handle().calls()).containsExactly("shutdown");
        });
    }

    // ---- readers and writers of one stream

    @Test
    @Tag("F7")
    @Tag("E31")
    void readerAndWriterParkedOnOneStream_eachIsWokenByItsOwnCompletion() {
        Scripted.run(reactor -> {
            Connection c = Connection.open(reactor);
            Coroutine<Integer> reader = Async.spawn(() -> c.stream().read(ByteBuffer.allocate(9)));
            Coroutine<?> writer = Async.spawn(() -> c.stream().write(ByteBuffer.allocate(5)));
            Coroutine<?> shutter = Async.spawn(() -> c.stream().shutdownOutput());
            Async.suspend();

            c.handle().receives("abc");
            assertThat(Async.await(reader)).isEqualTo(3);
            Async.delay(1);
            assertThat(writer.isSuspended() && !writer.isQueued()).isTrue();

            Coroutine<Integer> another = Async.spawn(() -> c.stream().read(ByteBuffer.allocate(9)));
            Async.suspend();
            c.handle().sends();
            Async.await(writer);
            Async.delay(1);
            assertThat(another.isSuspended() && !another.isQueued()).isTrue();
            assertThat(shutter.isSuspended() && !shutter.isQueued()).isTrue();

            c.handle().shuts(null);
            Async.await(shutter);
            assertThat(another.isSuspended() && !another.isQueued()).isTrue();
            c.handle().ends();
            assertThat(Async.await(another)).isEqualTo(-1);
        });
    }
}
