package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Waker;

/** What belongs to a loop refuses every other thread at once, and stays as it was. */
class WrongThreadTest {
    /** Everything of one run that another thread might get hold of. */
    record Things(Coroutine<?> coroutine, Waker waker, Timeout timeout, TimerEvent timer, TimerEvent running) {}

    static Stream<Named<Consumer<Things>>> calls() {
        return Stream.of(
                Named.of("Coroutine.cancel", t -> t.coroutine.cancel()),
                Named.of("Coroutine.cancel(reason)", t -> t.coroutine.cancel(new AsyncCancellation())),
                Named.of("Coroutine.await", t -> t.coroutine.await()),
                Named.of("Coroutine.onFinally", t -> t.coroutine.onFinally(c -> {})),
                Named.of("Coroutine.asHighPriority", t -> t.coroutine.asHighPriority()),
                Named.of("Coroutine.toCompletableFuture", t -> t.coroutine.toCompletableFuture()),
                Named.of("Coroutine.context", t -> t.coroutine.context()),
                Named.of("Timeout.cancel", t -> t.timeout.cancel()),
                Named.of("Timeout.toCompletableFuture", t -> t.timeout.toCompletableFuture()),
                Named.of("SwitchHandlers.add", t -> SwitchHandlers.add(t.coroutine, (c, e, f) -> true)),
                Named.of("Waker.wake", t -> t.waker.wake(null)),
                Named.of("Waker.wakeWithError", t -> t.waker.wakeWithError(new IllegalStateException())),
                Named.of("TimerEvent.start", t -> t.timer.start()),
                Named.of("TimerEvent.rearm", t -> t.timer.rearm(Duration.ofMillis(1))),
                Named.of("TimerEvent.addCallback", t -> t.timer.addCallback(new Deaf())),
                Named.of("TimerEvent.stop", t -> t.running.stop()),
                Named.of("TimerEvent.dispose", t -> t.running.dispose()));
    }

    private static final class Deaf extends EventCallback {
        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {}
    }

    @ParameterizedTest
    @MethodSource("calls")
    @Tag("K1")
    void calledOnAnotherThread_refusedAndNothingHappens(Consumer<Things> call) {
        TestRuntime.run(() -> {
            Waker[] waker = new Waker[1];
            TimerEvent gate = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(100));
            Coroutine<String> waiting = spawn(() -> {
                waker[0] = Waker.current();
                waker[0].resumeWhen(gate, org.trueasync.spi.ResumeCallback.RESOLVE);
                waker[0].await();
                return "by the gate";
            });
            suspend();
            TimerEvent running = SchedulerProvider.get().timers().periodic(Duration.ofMillis(1));
            running.start();
            var things = new Things(
                    waiting,
                    waker[0],
                    Async.timeout(1_000),
                    SchedulerProvider.get().timers().oneShot(Duration.ofMillis(1)),
                    running);
            CompletableFuture<Throwable> thrown = CompletableFuture.supplyAsync(() -> {
                try {
                    call.accept(things);
                    return null;
                } catch (Throwable e) {
                    return e;
                }
            });
            assertThat(await(thrown))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("loop 'test'")
                    .hasMessageContaining("executor()");
            assertThat(await(waiting)).isEqualTo("by the gate");
            assertThat(things.timeout.isCompleted()).isFalse();
            running.stop();
            delay(5);
        });
    }

    @Test
    @Tag("K1")
    void awaitOfACompletedCoroutine_isRefusedToAnotherThreadToo() {
        TestRuntime.run(() -> {
            Coroutine<String> ended = spawn(() -> "value");
            suspend();
            CompletableFuture<Object> answer = CompletableFuture.supplyAsync(() -> {
                try {
                    return ended.await();
                } catch (AsyncException e) {
                    return e;
                }
            });
            assertThat(await(answer))
                    .isInstanceOf(AsyncException.class)
                    .asString()
                    .contains("Coroutine.await", "loop 'test'");
        });
    }

    @Test
    @Tag("K1")
    void calledByACoroutineOfAnotherRuntime_isToldOnWhichLoopItRuns() {
        TestRuntime.run(() -> {
            Coroutine<?> foreign = Async.currentCoroutine();
            Throwable thrown = await(Async.spawnThread(() -> {
                try {
                    foreign.cancel();
                    return null;
                } catch (AsyncException e) {
                    return e;
                }
            }));
            assertThat(thrown)
                    .hasMessageMatching(
                            "Coroutine.cancel called on thread '[^']+thread-1' of loop '[^']+thread-1', but .*");
        });
    }

    @Test
    @Tag("K3")
    void handleOfAnEndedRun_isStillAskedForItsValue() {
        Coroutine<?>[] kept = new Coroutine<?>[2];
        TestRuntime.run(() -> {
            kept[0] = spawn(() -> "value");
            kept[1] = spawn(() -> {
                throw new IllegalStateException("failed");
            });
            suspend();
            assertThat(kept[1].exception()).hasMessage("failed");
        });
        assertThat(await(kept[0])).isEqualTo("value");
        assertThatThrownBy(() -> await(kept[1])).hasMessage("failed");
    }

    @Test
    @Tag("K1")
    void awaitOfWhatHasEnded_isRefusedToAnotherThreadWhileTheRunGoesOn() {
        TestRuntime.run(() -> {
            Coroutine<String> ended = spawn(() -> "value");
            Coroutine<String> failed = spawn(() -> {
                throw new IllegalStateException("failed");
            });
            Future<String> future = Future.completed("value");
            suspend();
            for (Completable<String> one : List.of(ended, failed, future)) {
                Throwable thrown = await(CompletableFuture.supplyAsync(() -> {
                    try {
                        await(one);
                        return null;
                    } catch (Throwable e) {
                        return e;
                    }
                }));
                assertThat(thrown)
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("Async.await")
                        .hasMessageContaining("loop 'test'");
            }
            assertThat(await(future)).isEqualTo("value");
            assertThatThrownBy(() -> await(failed)).hasMessage("failed");
        });
    }
}
