package org.trueasync.internal.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.internal.io.Scripted.bytes;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.internal.testkit.ScriptedReactor;
import org.trueasync.internal.testkit.ScriptedStream;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SchedulerProvider;

/** What TLS does with a stream beyond reading and writing: words past the line, and an end that waits for them. */
class UnderlayTest {
    private static final Duration TIME_LIMIT = Duration.ofSeconds(2);

    private record Over(StreamCore core, Underlay below, ScriptedStream handle) {
        static Over open(ScriptedReactor reactor) {
            StreamCore core = Connecting.to("127.0.0.1", 1, null);
            return new Over(core, new Underlay(core), reactor.streams().getLast());
        }
    }

    @Test
    void systemHasNoRoomForTheLastWords_closeWaitsUntilItHas() {
        Scripted.run(reactor -> {
            Over o = Over.open(reactor);
            o.handle().room(1);
            assertThat(o.below().writeAside(bytes("bye"))).isTrue();
            Coroutine<?> closing = Async.spawn(() -> o.below().closeWhenSent(TIME_LIMIT));
            Async.delay(100);
            assertThat(o.core().isClosed()).isTrue();
            assertThat(o.handle().isClosed()).isFalse();
            assertThatThrownBy(() -> o.core().write(bytes("x"), null)).hasMessageContaining("closed");
            o.handle().sends();
            Async.await(closing);
            assertThat(o.handle().isClosed()).isTrue();
            assertThat(o.handle().calls()).containsExactly("taken 1", "queued 2");
        });
    }

    @Test
    void peerTakesNothing_closeGivesUpInTime() {
        Scripted.run(reactor -> {
            Over o = Over.open(reactor);
            assertThat(o.below().writeAside(bytes("bye"))).isTrue();
            assertThat(o.below().writeAside(bytes("more"))).isFalse();
            Coroutine<?> closing = Async.spawn(() -> o.below().closeWhenSent(TIME_LIMIT));
            Async.delay(1_999);
            assertThat(o.handle().isClosed()).isFalse();
            Async.delay(2);
            assertThat(o.handle().isClosed()).isTrue();
            Async.await(closing);
        });
    }

    @Test
    @Tag("E40")
    void closeIsCancelled_isClosedAllTheSame() {
        Scripted.run(reactor -> {
            Over o = Over.open(reactor);
            o.below().writeAside(bytes("bye"));
            Coroutine<?> closing = Async.spawn(() -> o.below().closeWhenSent(TIME_LIMIT));
            Async.delay(1);
            closing.cancel();
            assertThat(failureOf(closing)).isInstanceOf(AsyncCancellation.class);
            assertThat(o.handle().isClosed()).isTrue();
        });
    }

    @Test
    @Tag("E38")
    void closeWaits_readersAndWritersDoNot() {
        Scripted.run(reactor -> {
            Over o = Over.open(reactor);
            o.below().writeAside(bytes("bye"));
            Coroutine<?> reader = Async.spawn(() -> o.core().read(ByteBuffer.allocate(1), null));
            Coroutine<?> writer = Async.spawn(() -> o.core().write(bytes("x"), null));
            Async.suspend();
            Coroutine<?> closing = Async.spawn(() -> o.below().closeWhenSent(TIME_LIMIT));
            Async.delay(1);
            assertThat(failureOf(reader)).isInstanceOf(InputOutputException.class);
            o.handle().sends();
            Async.await(closing);
            assertThat(failureOf(writer)).isInstanceOf(InputOutputException.class);
        });
    }

    @Test
    void somebodyUsesTheStream_layeringIsRefused() {
        Scripted.run(reactor -> {
            Over o = Over.open(reactor);
            o.below().requireUnused("TLS");
            Coroutine<?> writer = Async.spawn(() -> o.core().write(bytes("x"), null));
            Async.suspend();
            assertThatThrownBy(() -> o.below().requireUnused("TLS"))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("TLS over the stream to 127.0.0.1:1");
            writer.cancel();
            failureOf(writer);
            o.core().close();
        });
    }

    @Test
    void tlsBegunOutsideACoroutine_isRefusedAndTheStreamStaysAsItIs() {
        Scripted.run(reactor -> {
            Scripted.Connection connection = Scripted.Connection.open(reactor);
            var thrown = new AtomicReference<Throwable>();
            SchedulerProvider.get().enqueue(new Microtask() {
                @Override
                protected void run() {
                    try {
                        connection.stream().tls();
                    } catch (AsyncException e) {
                        thrown.set(e);
                    }
                }
            });
            Async.suspend();
            assertThat(thrown.get()).isInstanceOf(AsyncException.class).hasMessageContaining("scheduler context");
            connection.handle().receives("in the clear");
            assertThat(connection.stream().read(ByteBuffer.allocate(100))).isEqualTo(12);
        });
    }
}
