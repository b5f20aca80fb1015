package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.Flow;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;
import org.trueasync.Channel;
import org.trueasync.Coroutine;
import org.trueasync.internal.queue.Backpressure;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Events;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TriggerEvent;

/** Other threads bring more than a loop takes in, also by calls that fail at once. */
@Timeout(60)
@Tag("K62")
class FloodedLoopTest {
    /** So many calls that are held, each for 10 ms or more, while the loop does nothing. */
    private static final int HELD = 5;

    private static final long LEAST_NANOS = HELD * 9_000_000;

    private static RemoteQueue remoteQueue() {
        return (Runtimes.here("test")).remoteQueue;
    }

    /**
     * Holds the loop until another thread, whose interrupt status is set, has done something. Returns what it threw.
     */
    private static @Nullable Throwable elsewhere(Runnable action) {
        var thrown = new AtomicReference<@Nullable Throwable>();
        Thread other = Thread.ofPlatform()
                .uncaughtExceptionHandler((thread, error) -> thrown.set(error))
                .unstarted(action);
        other.start();
        while (other.isAlive()) Thread.onSpinWait();
        return thrown.get();
    }

    private static long nanosOf(int calls, Runnable call) {
        long begin = System.nanoTime();
        for (int i = 0; i < calls; i++) call.run();
        return System.nanoTime() - begin;
    }

    /** The ways in by which a program may come as often as it likes. */
    private enum Door {
        EXECUTOR {
            @Override
            Runnable call() {
                Executor executor = Async.executor();
                return () -> executor.execute(() -> {});
            }
        },
        HIDDEN_EXECUTOR {
            @Override
            Runnable call() {
                Executor executor = SchedulerProvider.get().hiddenExecutor();
                return () -> executor.execute(() -> {});
            }
        },
        THREAD_FACTORY {
            @Override
            Runnable call() {
                var factory = Async.threadFactory();
                return () -> factory.newThread(() -> {}).start();
            }
        },
        SUBSCRIBE {
            @Override
            Runnable call() {
                Flow.Publisher<Integer> publisher = new Channel<Integer>(1).publisher();
                return () -> publisher.subscribe(new Subscriber());
            }
        },
        REQUEST {
            @Override
            Runnable call() {
                Flow.Subscription subscription = subscription();
                return () -> subscription.request(1);
            }
        },
        BAD_REQUEST {
            @Override
            Runnable call() {
                Flow.Subscription subscription = subscription();
                return () -> subscription.request(0);
            }
        },
        CANCEL {
            @Override
            Runnable call() {
                return subscription()::cancel;
            }
        },
        PUBLISHED_UNASKED {
            @Override
            Runnable call() {
                var subscribers = new ArrayList<Flow.Subscriber<? super Integer>>();
                Channel.<Integer>from(subscribers::add, 1);
                return () -> subscribers.getFirst().onNext(1);
            }
        },
        STATS {
            @Override
            Runnable call() {
                return Async::runtimeStats;
            }
        };

        /** Makes what is called by another thread. On the loop. */
        abstract Runnable call();

        private static Flow.Subscription subscription() {
            var subscriber = new Subscriber();
            new Channel<Integer>(1).publisher().subscribe(subscriber);
            while (subscriber.subscription == null) suspend();
            return subscriber.subscription;
        }
    }

    /** Leaves as soon as it has come, if nobody has need of it. */
    private static final class Subscriber implements Flow.Subscriber<Integer> {
        volatile Flow.@Nullable Subscription subscription;

        @Override
        public void onSubscribe(Flow.Subscription given) {
            subscription = given;
        }

        @Override
        public void onNext(Integer item) {}

        @Override
        public void onError(Throwable thrown) {}

        @Override
        public void onComplete() {}
    }

    @ParameterizedTest
    @EnumSource
    void crowdWaits_interruptedThreadIsHeldAndNotStopped(Door door) {
        TestRuntime.run(() -> {
            Runnable call = door.call();
            RemoteQueue queue = remoteQueue();
            for (int i = 0; i <= Backpressure.CROWD; i++) queue.post(() -> {}, null);
            var nanos = new long[1];
            assertThat(elsewhere(() -> {
                        Thread.currentThread().interrupt();
                        nanos[0] = nanosOf(HELD, call);
                    }))
                    .isNull();
            assertThat(nanos[0]).isGreaterThan(LEAST_NANOS);
            assertThat(queue.waiting()).as("none is lost").isGreaterThanOrEqualTo(Backpressure.CROWD + HELD);
            Async.gracefulShutdown();
        });
    }

    /** A thread of the loop's own must never wait for the loop, nor one that holds what a loop may need. */
    @Test
    void crowdWaits_whatComesFromTheRuntimeItselfIsNotHeld() {
        TestRuntime.run(() -> {
            RemoteQueue queue = remoteQueue();
            for (int i = 0; i <= Backpressure.CROWD; i++) queue.post(() -> {}, null);
            var ran = new int[1];
            Loop loop = Runtimes.here("test");
            loop.bring(() -> ran[0]++);
            while (queue.waiting() > 0 || ran[0] == 0) suspend();
            assertThat(ran).containsExactly(1);
        });
    }

    @Test
    void loopGoesOn_heldThreadGoesOnWithIt() {
        TestRuntime.run(() -> {
            Executor executor = Async.executor();
            var ran = new AtomicInteger();
            int all = 5 * Backpressure.CROWD;
            var done = new CompletableFuture<@Nullable Void>();
            Thread.ofPlatform().daemon().start(() -> {
                for (int i = 0; i < all; i++) executor.execute(ran::incrementAndGet);
                done.complete(null);
            });
            int most = 0;
            while (ran.get() < all) {
                most = Math.max(most, remoteQueue().waiting());
                suspend();
            }
            assertThat(done.join()).isNull();
            assertThat(most).isLessThan(Backpressure.CROWD + 100);
        });
    }

    /** Each of them makes one more coroutine ready. */
    @Test
    void floodOfPosts_coroutinesHaveTheirTurns() {
        TestRuntime.run(() -> {
            Loop loop = Runtimes.here("test");
            var ran = new AtomicInteger();
            for (int i = 0; i < 5_000; i++) loop.post(() -> loop.continueWith(ran::incrementAndGet));
            int turns = 0;
            while (ran.get() < 5_000) {
                int before = ran.get();
                suspend();
                turns++;
                assertThat(ran.get() - before).isLessThan(2 * RemoteQueue.FULL_QUEUE);
            }
            assertThat(turns).isGreaterThanOrEqualTo(5_000 / (2 * RemoteQueue.FULL_QUEUE));
        });
    }

    @Test
    void interruptedAgainAndAgain_theLoopHearsOnce() {
        TestRuntime.run(() -> {
            var thread = new Thread[1];
            var told = new ArrayList<String>();
            Coroutine<?> waiting = spawn(() -> {
                thread[0] = Thread.currentThread();
                for (int i = 0; i < 2; i++) {
                    try {
                        delay(1_000_000);
                    } catch (AsyncCancellation e) {
                        told.add("interrupted");
                    }
                }
            });
            suspend();
            RemoteQueue queue = remoteQueue();
            elsewhere(() -> {
                for (int i = 0; i < 1_000; i++) thread[0].interrupt();
            });
            assertThat(queue.waiting()).isLessThanOrEqualTo(1);
            while (told.isEmpty()) suspend();
            suspend();
            elsewhere(thread[0]::interrupt);
            Async.await(waiting);
            assertThat(told).containsExactly("interrupted", "interrupted");
        });
    }

    @Test
    void triggeredAgainAndAgain_theLoopHearsOnce() {
        TestRuntime.run(() -> {
            TriggerEvent trigger = Events.trigger();
            elsewhere(() -> {
                for (int i = 0; i < 1_000; i++) trigger.trigger();
            });
            assertThat(remoteQueue().waiting()).isLessThanOrEqualTo(1);
        });
    }

    // ---- a coroutine of another runtime

    /** Runs a flood of one runtime's coroutine while the loop of the other one is held. */
    private static void floodFromAnotherRuntime(ThrowingConsumer<Runnable> flooding) {
        TestRuntime.run(() -> {
            Executor executor = Async.executor();
            RemoteQueue queue = remoteQueue();
            for (int i = 0; i <= Backpressure.CROWD; i++) queue.post(() -> {}, null);
            assertThat(elsewhere(() -> Async.runtime()
                            .reactor(VirtualReactor::new)
                            .run(() -> flooding.accept(() -> executor.execute(() -> {})))))
                    .isNull();
            Async.gracefulShutdown();
        });
    }

    /** As the JDK's, for what may throw anything. */
    @FunctionalInterface
    private interface ThrowingConsumer<T> {
        void accept(T value) throws Throwable;
    }

    @Test
    void crowdWaits_coroutineOfAnotherRuntimeLetsTheOthersThereRun() {
        floodFromAnotherRuntime(call -> {
            var turns = new AtomicInteger();
            spawn(() -> {
                // not for ever: virtual time passes only while nobody is ready
                while (turns.incrementAndGet() < 1_000) suspend();
            });
            assertThat(nanosOf(HELD, call)).isGreaterThan(LEAST_NANOS);
            assertThat(turns.get()).isGreaterThan(HELD);
        });
    }

    @Test
    void crowdWaits_coroutineOfAnotherRuntimeThatIsCancelled_callSucceedsAndTheNextWaitThrows() {
        floodFromAnotherRuntime(call -> {
            var log = new ArrayList<String>();
            Coroutine<?> flooding = spawn(() -> {
                call.run();
                log.add("called");
                suspend();
                log.add("not reached");
            });
            spawn(() -> flooding.cancel());
            assertThatThrownBy(() -> Async.await(flooding)).isInstanceOf(AsyncCancellation.class);
            assertThat(log).isEqualTo(List.of("called"));
        });
    }

    // ---- before the run

    @Test
    void crowdWaitsForTheRunToBegin_threadIsHeldAndNothingIsLost() {
        AsyncRuntime runtime = Async.runtime().reactor(VirtualReactor::new).build();
        var ran = new AtomicInteger();
        Executor executor = runtime.executor();
        for (int i = 0; i < Backpressure.CROWD; i++) executor.execute(ran::incrementAndGet);
        assertThat(nanosOf(HELD, () -> executor.execute(ran::incrementAndGet))).isGreaterThan(LEAST_NANOS);
        runtime.run(() -> {
            while (ran.get() < Backpressure.CROWD + HELD) suspend();
        });
        assertThat(ran).hasValue(Backpressure.CROWD + HELD);
    }

    /** Once tasks are refused there is no flood that could be waited for. */
    @Test
    void endOfTheRun_heldThreadGoesOn() throws InterruptedException {
        var done = new CountDownLatch(1);
        TestRuntime.run(() -> {
            Executor executor = Async.executor();
            RemoteQueue queue = remoteQueue();
            for (int i = 0; i < 20 * Backpressure.CROWD; i++) queue.post(() -> {}, null);
            Thread.ofPlatform().daemon().start(() -> {
                executor.execute(() -> {});
                done.countDown();
            });
            while (queue.waiting() <= 20 * Backpressure.CROWD) Thread.onSpinWait();
            Async.gracefulShutdown();
        });
        done.await();
    }
}
