package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;

/** A future that another thread completes. */
class RemoteFutureTest {
    private static <T> Thread inAThread(RemoteFuture<T> remote, Consumer<RemoteFuture<T>> work) {
        return Thread.ofPlatform().daemon().name("worker").start(() -> work.accept(remote));
    }

    @Test
    @Tag("T40")
    void handedOver_theOtherThreadCompletesIt_andTheFutureWakesHere() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            Future<Coroutine<?>> woken = state.future().map(n -> Async.currentCoroutine());
            inAThread(state.handOver(), remote -> remote.complete(4));
            assertThat(state.future().await()).isEqualTo(4);
            assertThat(woken.await()).isNotNull();
        });
    }

    @Test
    @Tag("T40")
    void failedByTheOtherThread_theErrorIsTheSameObject() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("remote");
            var state = new FutureState<Integer>();
            inAThread(state.handOver(), remote -> remote.error(error));
            assertThatThrownBy(() -> state.future().await()).isSameAs(error);
        });
    }

    @Test
    @Tag("T40")
    void handedOver_theSourceMayNotCompleteIt() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            RemoteFuture<Integer> remote = state.handOver();
            assertThatThrownBy(() -> state.complete(1))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("handed over");
            assertThatThrownBy(() -> state.error(new IllegalStateException())).isInstanceOf(AsyncException.class);
            assertThat(state.isCompleted()).isFalse();
            inAThread(remote, r -> r.complete(2));
            assertThat(state.future().await()).isEqualTo(2);
        });
    }

    @Test
    @Tag("T40")
    void secondHandOver_isRefused_alsoAfterTheEnd() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            RemoteFuture<Integer> remote = state.handOver();
            assertThatThrownBy(state::handOver).isInstanceOf(AsyncException.class);
            inAThread(remote, r -> r.complete(2));
            state.future().await();
            assertThatThrownBy(state::handOver).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("T40")
    void completedOne_isNotHandedOver() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>().ignore();
            state.complete(1);
            assertThatThrownBy(state::handOver).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("T40")
    void whileItIsHandedOver_whoWaitsIsNoDeadlock() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            Future<Integer> derived = state.future().map(n -> n + 1).map(n -> n + 1);
            var go = new CountDownLatch(1);
            inAThread(state.handOver(), remote -> {
                try {
                    go.await();
                } catch (InterruptedException e) {
                    return;
                }
                remote.complete(1);
            });
            spawn(go::countDown);
            assertThat(derived.await()).isEqualTo(3);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    @Tag("T40")
    void alreadyAwaitedWhenItIsHandedOver_isNoDeadlock() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            var waiting = spawn(() -> state.future().await());
            Async.suspend();
            RemoteFuture<Integer> remote = state.handOver();
            inAThread(remote, r -> r.complete(1));
            assertThat(await(waiting)).isEqualTo(1);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    @Tag("T41")
    void completedTwice_theThreadIsTold() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            var told = new CompletableFuture<Throwable>();
            inAThread(state.handOver(), remote -> {
                remote.complete(1);
                try {
                    remote.error(new IllegalStateException("second"));
                    told.complete(null);
                } catch (AsyncException e) {
                    told.complete(e);
                }
            });
            assertThat(state.future().await()).isEqualTo(1);
            assertThat(await(told)).isInstanceOf(AsyncException.class).hasMessageContaining("worker");
        });
    }

    @Test
    @Tag("T41")
    @Tag("F11")
    void manyThreadsAtOnce_oneWins() {
        TestRuntime.run(() -> {
            for (int round = 0; round < 300; round++) {
                var state = new FutureState<Integer>();
                RemoteFuture<Integer> remote = state.handOver();
                var refused = new AtomicInteger();
                var threads = new ArrayList<CompletableFuture<Void>>();
                for (int i = 0; i < 4; i++) {
                    int me = i;
                    threads.add(CompletableFuture.runAsync(() -> {
                        try {
                            remote.complete(me);
                        } catch (AsyncException e) {
                            refused.incrementAndGet();
                        }
                    }));
                }
                assertThat(state.future().await()).isBetween(0, 3);
                for (var thread : threads) await(thread);
                assertThat(refused).hasValue(3);
            }
        });
    }

    @Test
    @Tag("T41")
    @Tag("F11")
    void cancelledByTheReaderMeanwhile_neverBothAndNothingHangs() {
        TestRuntime runtime = TestRuntime.run(() -> {
            for (int round = 0; round < 1_000; round++) {
                var state = new FutureState<Integer>();
                RemoteFuture<Integer> remote = state.handOver();
                var completed = CompletableFuture.runAsync(() -> {
                    try {
                        remote.complete(1);
                    } catch (AsyncException e) {
                        // cancelled first
                    }
                });
                if (round % 3 == 0) Async.suspend();
                state.future().cancel();
                assertThat(state.isCompleted()).isTrue();
                assertThat(remote.isCompleted()).isTrue();
                await(completed);
            }
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    @Tag("T41")
    void threadEndsWithoutCompleting_futureStaysPending_andTheRunEnds() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            state.future().onFinally(() -> {});
            Thread thread = inAThread(state.handOver(), remote -> {});
            assertThatThrownBy(() -> state.future().await(timeout(20))).isInstanceOf(OperationCanceledException.class);
            thread.join();
            assertThat(state.isCompleted()).isFalse();
            delay(1);
        });
    }

    @Test
    @Tag("T41")
    void nobodyHasItAnyMore_whoWaitsForEverIsADeadlock() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            var state = new FutureState<Integer>();
            inAThread(state.handOver(), remote -> {}).join();
            Thread collector = Thread.ofPlatform().daemon().start(() -> {
                try {
                    while (true) {
                        System.gc();
                        Thread.sleep(20);
                    }
                } catch (InterruptedException e) {
                    // the test is over
                }
            });
            try {
                state.future().await();
            } finally {
                collector.interrupt();
            }
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class);
    }

    @Test
    @Tag("T41")
    void closedWithoutCompleting_theFutureFails() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            inAThread(state.handOver(), remote -> {
                try (remote) {
                    assertThat(remote.isCompleted()).isFalse();
                }
            });
            assertThatThrownBy(() -> state.future().await())
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("worker");
        });
    }

    @Test
    @Tag("T41")
    void closedAfterCompleting_theValueStays() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            inAThread(state.handOver(), remote -> {
                try (remote) {
                    remote.complete(9);
                }
            });
            assertThat(state.future().await()).isEqualTo(9);
        });
    }

    @Test
    @Tag("T41")
    void completedAfterTheRun_doesNothing() {
        var kept = new ArrayList<RemoteFuture<Integer>>();
        TestRuntime.run(() -> {
            kept.add(new FutureState<Integer>().handOver());
        });
        kept.getFirst().complete(1);
        assertThat(kept.getFirst().isCompleted()).isTrue();
    }

    @Test
    @Tag("T40")
    void betweenTwoRuntimes_theValueCrosses() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            RemoteFuture<Integer> remote = state.handOver();
            Thread other = Thread.ofPlatform()
                    .start(() -> TestRuntime.run(() -> {
                        delay(50);
                        remote.complete(Future.completed(20).map(n -> n + 1).await());
                    }));
            assertThat(state.future().await()).isEqualTo(21);
            other.join();
        });
    }

    @Test
    @Tag("T41")
    void whatHasDecidedIt_isInItsTextAndInTheError() {
        TestRuntime.run(() -> {
            var names = new ArrayList<String>();
            for (Consumer<RemoteFuture<Integer>> end : List.<Consumer<RemoteFuture<Integer>>>of(
                    remote -> remote.complete(1),
                    remote -> remote.error(new IllegalStateException("theirs")),
                    RemoteFuture::close)) {
                var state = new FutureState<Integer>().ignore();
                RemoteFuture<Integer> remote = state.handOver();
                assertThat(remote.toString()).isEqualTo("remote future, pending");
                inAThread(remote, end).join();
                remote.close();
                String text = remote.toString();
                names.add(text.substring("remote future, ".length()));
                assertThatThrownBy(() -> remote.complete(2))
                        .isInstanceOf(AsyncException.class)
                        .hasMessage("the future has been " + names.getLast() + " already; complete it once");
                Async.suspend();
                assertThat(state.isCompleted()).isTrue();
            }
            assertThat(names)
                    .containsExactly(
                            "completed by thread 'worker'",
                            "completed by thread 'worker'",
                            "abandoned by thread 'worker'");
            var cancelled = new FutureState<Integer>();
            RemoteFuture<Integer> remote = cancelled.handOver();
            cancelled.future().cancel();
            assertThat(remote.toString()).isEqualTo("remote future, cancelled by its reader");
            assertThat(remote.isCompleted()).isTrue();
        });
    }

    @Test
    @Tag("T41")
    void completedWhenItIsTooLate_theFutureKeepsThePlaceOfItsEnd() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            RemoteFuture<Integer> remote = state.handOver();
            remote.complete(1);
            state.future().cancel();
            String place = state.future().completedLocation();
            Async.suspend();
            assertThat(state.future().completedLocation()).isEqualTo(place);
            assertThat(state.future().isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("T40")
    @Tag("F31")
    void waitForADerivedOneIsGivenUp_nothingCountsAnyMore() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            RemoteFuture<Integer> remote = state.handOver();
            Future<Integer> derived = state.future().map(n -> n + 1).map(n -> n + 1);
            var waiting = spawn(() -> derived.await());
            Async.suspend();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            waiting.cancel();
            Async.suspend();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            remote.complete(1);
            assertThat(derived.await()).isEqualTo(3);
        });
    }

    @Test
    @Tag("T41")
    void nobodyHasItAnyMore_whoWaitsDoesNotCount() {
        TestRuntime.run(() -> {
            var awaited = new FutureState<Integer>();
            var idle = new FutureState<Integer>();
            awaited.handOver();
            idle.handOver();
            var waiting = spawn(() -> awaited.future().await());
            Async.suspend();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            for (int i = 0; i < 50 && Async.runtimeStats().activeEvents() > 0; i++) {
                Garbage.collect();
                Async.suspend();
            }
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            waiting.cancel();
            // the loss of the other one may be told a moment later
            Garbage.collect();
            Async.suspend();
            var late = spawn(() -> idle.future().await());
            Async.suspend();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            late.cancel();
        });
    }

    @Test
    @Tag("T41")
    void nobodyHasItAnyMoreAndNobodyWaits_nothingIsTakenBack() {
        TestRuntime.run(() -> {
            var state = new FutureState<Integer>();
            state.handOver();
            int counted = 1;
            for (int i = 0; i < 50 && counted == 1; i++) {
                Garbage.collect();
                Async.suspend();
                var waiting = spawn(() -> state.future().await());
                Async.suspend();
                counted = Async.runtimeStats().activeEvents();
                waiting.cancel();
                Async.suspend();
            }
            assertThat(counted).isZero();
        });
    }
}
