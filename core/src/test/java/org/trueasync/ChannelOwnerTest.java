package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.testkit.TestRuntime;

@Tag("Ch15")
class ChannelOwnerTest {
    private static Channel<Integer> channelIn(Scope scope, int capacity) {
        return await(scope.spawn(() -> new Channel<>(capacity)));
    }

    private static @Nullable CloseReason reason(Runnable call) {
        try {
            call.run();
            return null;
        } catch (ChannelException e) {
            return e.reason();
        }
    }

    @Test
    void scopeCancelled_usersInOtherScopesGetItsReason() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Channel<Integer> empty = channelIn(scope, 0);
            Channel<Integer> full = channelIn(scope, 1);
            full.send(1);
            var reasons = new ArrayList<@Nullable CloseReason>();
            Coroutine<?> receiver = spawn(() -> reasons.add(reason(empty::receive)));
            Coroutine<?> sender = spawn(() -> reasons.add(reason(() -> full.send(2))));
            suspend();
            scope.cancel();
            await(receiver);
            await(sender);
            assertThat(reasons).containsExactly(CloseReason.SCOPE_DISPOSED, CloseReason.SCOPE_DISPOSED);
            assertThat(full.receive()).isEqualTo(1);
            assertThat(reason(full::receive)).isEqualTo(CloseReason.SCOPE_DISPOSED);
            assertThat(full.isClosed()).isTrue();
        });
    }

    @Test
    @Tag("D31")
    void coroutineCancelledWithTheScope_isCancelledAlsoIfTheChannelTellsItFirst() {
        var runtime = new TestRuntime();
        var ends = new ArrayList<String>();
        runtime.start(() -> {
            var scope = new Scope();
            Channel<Integer> channel = channelIn(scope, 0);
            Coroutine<?> inside = scope.launch(() -> {
                try {
                    for (int value : channel) ends.add("got " + value);
                } catch (ChannelException e) {
                    ends.add("inside " + e.reason());
                    throw new IllegalStateException("wrapped", e);
                }
            });
            Coroutine<?> outside = spawn(channel::receive);
            suspend();
            scope.dispose();
            assertThatThrownBy(() -> await(outside)).isInstanceOf(ChannelException.class);
            delay(2_000);
            ends.add(inside.isCancelled() + " " + outside.isCancelled());
        });
        assertThat(ends).containsExactly("inside SCOPE_DISPOSED", "true false");
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    @Tag("D31")
    void coroutineCancelledOtherwise_isFailedByTheEndOfAForeignScope() {
        var runtime = new TestRuntime();
        Throwable thrown = runtime.failure(() -> {
            var scope = new Scope();
            Channel<Integer> foreign = channelIn(scope, 0);
            scope.spawn(() -> delay(1_000)); // so that there is somebody to cancel
            Coroutine<?> c = spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    foreign.receive();
                }
            });
            suspend();
            c.cancel("given reason");
            suspend();
            scope.dispose();
            delay(2_000);
            assertThat(c.isCancelled()).isFalse();
        });
        assertThat(thrown).isInstanceOf(ChannelException.class).hasMessageContaining("scope");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("D30")
    @Tag("D31")
    void errorSuppressedInTheEndOfTheScope_isReportedOnce(boolean channelEndsFirst) {
        var runtime = new TestRuntime();
        runtime.start(() -> {
            var scope = new Scope();
            Channel<Integer> channel = channelIn(scope, 0);
            Coroutine<?> inside = scope.launch(() -> {
                try (AutoCloseable log = () -> {
                    throw new IllegalStateException("not flushed");
                }) {
                    if (channelEndsFirst) channel.receive();
                    else delay(1_000);
                }
            });
            Coroutine<?> sameReason = scope.spawn(() -> delay(1_000));
            suspend();
            scope.cancel(new AsyncCancellation("given reason"));
            delay(2_000);
            assertThat(inside.isCancelled()).isTrue();
            assertThat(sameReason.isCancelled()).isTrue();
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("given reason", "IllegalStateException: not flushed\n\tat ");
    }

    @Test
    @Tag("D31")
    void cancelledAlone_thenWithItsScope_isCancelledByTheFirst() {
        var runtime = new TestRuntime();
        runtime.start(() -> {
            var scope = new Scope();
            Channel<Integer> channel = channelIn(scope, 0);
            Coroutine<?> c = scope.spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    channel.receive();
                }
            });
            suspend();
            c.cancel("the first");
            suspend();
            scope.dispose();
            delay(2_000);
            assertThatThrownBy(() -> await(c)).hasMessage("the first");
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    void scopeDisposed_closesItsChannelsAndThoseOfScopesInIt() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Channel<Integer> outer = channelIn(scope, 1);
            Channel<Integer> inner = channelIn(Scope.inherit(scope), 1);
            Channel<Integer> other = channelIn(new Scope(), 1);
            var mine = new Channel<Integer>(1);
            scope.dispose();
            assertThat(reason(() -> outer.send(1))).isEqualTo(CloseReason.SCOPE_DISPOSED);
            assertThat(reason(() -> inner.send(1))).isEqualTo(CloseReason.SCOPE_DISPOSED);
            assertThat(reason(() -> other.send(1))).isNull();
            assertThat(reason(() -> mine.send(1))).isNull();
        });
    }

    @Test
    @Tag("Ch12")
    void closedBefore_keepsItsReason() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Channel<Integer> channel = channelIn(scope, 1);
            channel.close();
            scope.cancel();
            assertThat(reason(channel::receive)).isEqualTo(CloseReason.EXPLICIT);
        });
    }

    @Test
    void scopeWhoseCoroutinesHaveEnded_leavesItsChannelsOpen() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Channel<Integer> channel = channelIn(scope, 1);
            delay(1);
            channel.send(1);
            assertThat(channel.receive()).isEqualTo(1);
            assertThat(channel.isClosed()).isFalse();
        });
    }

    @Test
    void ownerIteratesWhenItsScopeIsCancelled_iterationThrows() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            Channel<Integer> channel = channelIn(scope, 0);
            Coroutine<?> iterating = spawn(() -> {
                for (int value : channel) throw new AssertionError("got " + value);
            });
            suspend();
            scope.cancel();
            assertThatThrownBy(() -> await(iterating))
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("scope");
        });
    }

    @Test
    void channelNobodyHolds_isNotKeptByItsScope() {
        TestRuntime.run(() -> {
            var gone = new WeakReference<>(new Channel<Integer>(1));
            for (int i = 0; i < 100 && gone.get() != null; i++) {
                System.gc();
                suspend();
            }
            assertThat(gone.get()).isNull();
        });
    }

    @Test
    void scopeNobodyHolds_isNotKeptByItsChannels() {
        TestRuntime.run(() -> {
            var channels = new ArrayList<Channel<Integer>>();
            WeakReference<Scope> gone = new WeakReference<>(Objects.requireNonNull(scopeWithAChannel(channels)));
            for (int i = 0; i < 100 && gone.get() != null; i++) {
                System.gc();
                delay(1);
            }
            assertThat(gone.get()).isNull();
            channels.get(0).send(1);
            assertThat(channels.get(0).receive()).isEqualTo(1);
        });
    }

    private static Scope scopeWithAChannel(ArrayList<Channel<Integer>> channels) {
        var scope = new Scope();
        channels.add(channelIn(scope, 1));
        return scope;
    }
}
