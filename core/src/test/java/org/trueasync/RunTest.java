package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assumptions.assumeThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.coroutines;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import java.util.concurrent.atomic.AtomicReference;
import org.assertj.core.api.ThrowableAssert.ThrowingCallable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.Microtask;

class RunTest {
    private static AsyncRuntime.Builder virtual() {
        return Async.runtime().reactor(VirtualReactor::new);
    }

    @Test
    @Tag("K1")
    void sharedFieldWithoutLocks_everyWriteIsSeen() {
        var shared = new Object() {
            int counter;
            int inside;
            int mostInside;
        };
        TestRuntime.run(() -> {
            for (int i = 0; i < 50; i++) {
                spawn(() -> {
                    for (int k = 0; k < 50; k++) {
                        shared.mostInside = Math.max(shared.mostInside, ++shared.inside);
                        int read = shared.counter;
                        shared.counter = read + 1;
                        shared.inside--;
                        suspend();
                    }
                });
            }
        });
        assertThat(shared.counter).isEqualTo(2_500);
        assertThat(shared.mostInside).isEqualTo(1);
    }

    @Test
    @Tag("K1")
    void coroutinesThatBlockInJdkCode_stillRunOneAtATime() {
        var shared = new Object() {
            int counter;
            volatile int inside;
            volatile int mostInside;
        };
        TestRuntime.run(() -> {
            for (int i = 0; i < 20; i++) {
                spawn(() -> {
                    for (int k = 0; k < 5; k++) {
                        shared.inside++;
                        shared.mostInside = Math.max(shared.mostInside, shared.inside);
                        shared.counter++;
                        shared.inside--;
                        Thread.sleep(1);
                    }
                });
            }
        });
        assertThat(shared.counter).isEqualTo(100);
        assertThat(shared.mostInside).isEqualTo(1);
    }

    @Test
    @Tag("K2")
    void suspendUnderDeepRecursion_comesBackOnTheSameStack() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<Integer> deep = spawn(() -> descend(2_000));
            spawn(() -> log.add("peer"));
            log.add("depth " + await(deep));
        });
        assertThat(log).containsExactly("peer", "depth 2000");
    }

    private static int descend(int levels) {
        if (levels == 0) {
            suspend();
            delay(1);
            return 0;
        }
        return 1 + descend(levels - 1);
    }

    private static int depth(int levels) {
        return levels == 0 ? 0 : 1 + depth(levels - 1);
    }

    @Test
    @Tag("K2")
    void suspendInsideALibrary_worksThroughItsFrames() {
        TestRuntime.run(() -> {
            var order = new ArrayList<Integer>();
            spawn(() -> order.add(-1));
            List.of(3, 1, 2).stream()
                    .sorted((a, b) -> {
                        suspend();
                        return Integer.compare(a, b);
                    })
                    .forEach(e -> {
                        delay(1);
                        order.add(e);
                    });
            assertThat(order).containsExactly(-1, 1, 2, 3);
        });
    }

    static List<ThrowingCallable> callsThatNeedARuntime() {
        return List.of(
                () -> spawn(() -> {}),
                () -> spawn(() -> 1),
                () -> delay(1),
                () -> delay(Duration.ofMillis(1)),
                Async::suspend,
                () -> await(CompletableFuture.completedFuture(1)),
                () -> Async.timeout(1),
                () -> Async.protect(() -> 1),
                () -> Async.gracefulShutdown(),
                () -> Async.executor(),
                () -> Async.currentContext(),
                () -> Microtask.of(() -> {}).enqueue(),
                () -> Cleanup.atEnd(() -> {}));
    }

    @ParameterizedTest
    @MethodSource("callsThatNeedARuntime")
    @Tag("K3")
    void outsideARuntime_theErrorNamesAsyncRunAndTheLauncher(ThrowingCallable call) {
        assumeThat(Runtimes.all()).as("what an earlier test has left").isEmpty();
        assertThatThrownBy(call)
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("Async.run")
                .hasMessageContaining("trueasync command");
    }

    @Test
    @Tag("K3")
    @Tag("U13")
    void outsideARuntime_queriesAnswerZeroAndEmpty() {
        assertThat(Async.runtimeStats()).isEqualTo(RuntimeStats.NONE);
        assertThat(coroutines()).isEmpty();
    }

    @Test
    @Tag("K3")
    void onAnotherThreadOfTheProcess_thereIsNoRuntime() {
        var thrown = new AtomicReference<Throwable>();
        TestRuntime.run(() -> {
            var other = new Thread(() -> {
                try {
                    spawn(() -> {});
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            other.start();
            other.join();
        });
        assertThat(thrown.get()).isInstanceOf(AsyncException.class).hasMessageContaining("Async.run");
    }

    @Test
    @Tag("K4")
    void bodyOfRun_isTheMainCoroutineAndTheOnlyOneListed() {
        TestRuntime.run(() -> {
            List<Coroutine<?>> all = coroutines();
            assertThat(all).hasSize(1);
            assertThat(all.getFirst()).isSameAs(currentCoroutine());
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
        });
    }

    @Test
    @Tag("K4")
    void schedulersOwnCoroutine_isNeverListed() {
        var seen = new ArrayList<Integer>();
        TestRuntime.run(() -> {
            // a microtask while nobody else runs, and a handler for a coroutine parked by the JDK: both are the
            // scheduler's own work
            org.trueasync.spi.SwitchHandlers.add((c, entering, finishing) -> {
                seen.add(coroutines().size());
                return true;
            });
            Thread.sleep(2);
            seen.add(coroutines().size());
            assertThat(Async.runtimeStats().coroutines()).isEqualTo(1);
        });
        assertThat(seen).hasSizeGreaterThanOrEqualTo(3).containsOnly(1);
    }

    @Test
    @Tag("K4")
    void mainsValue_isWhatRunReturns() {
        assertThat(virtual().<String>run(() -> {
                    delay(5);
                    return "value";
                }))
                .isEqualTo("value");
        assertThat(virtual().<String>run(() -> (String) null)).isNull();
    }

    @Test
    @Tag("K5")
    void mainReturned_runWaitsForWhatItStarted() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                delay(50);
                log.add("child");
                spawn(() -> {
                    delay(50);
                    log.add("grandchild");
                });
            });
            log.add("main");
        });
        assertThat(log).containsExactly("main", "child", "grandchild");
    }

    @Test
    @Tag("K5")
    void mainReturned_runWaitsForMicrotasks() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Microtask.of(() -> {
                        log.add("first");
                        Microtask.of(() -> log.add("second")).enqueue();
                    })
                    .enqueue();
            log.add("main");
        });
        assertThat(log).containsExactly("main", "first", "second");
    }

    @Test
    @Tag("K5")
    void mainReturned_runWaitsForAVisibleActiveEvent() {
        TestRuntime ended = TestRuntime.run(() -> {
            var timer = org.trueasync.spi.SchedulerProvider.get().timers().oneShot(Duration.ofMillis(70));
            timer.start();
        });
        assertThat(ended.reactor().nanoTime()).isEqualTo(70_000_000);
    }

    @Test
    @Tag("K5")
    void mainReturned_aHiddenEventDoesNotKeepTheRunAlive() {
        TestRuntime ended = TestRuntime.run(() -> {
            var timer = org.trueasync.spi.SchedulerProvider.get().timers().periodic(Duration.ofMillis(70));
            timer.setHidden(true);
            timer.start();
        });
        assertThat(ended.reactor().nanoTime()).isZero();
    }

    @Test
    @Tag("K6")
    void spawnAfterMainReturned_isDrained() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Cleanup.atEnd(() -> {
                log.add("cleanup");
                spawn(() -> {
                    delay(10);
                    log.add("spawned by cleanup");
                });
            });
            currentCoroutine().onFinally(main -> spawn(() -> log.add("spawned by finally")));
            log.add("main");
        });
        assertThat(log).containsExactly("main", "spawned by finally", "cleanup", "spawned by cleanup");
    }

    @Test
    @Tag("K7")
    void currentCoroutineOutsideARuntime_throws() {
        assertThatThrownBy(Async::currentCoroutine).isInstanceOf(AsyncException.class);
    }

    @Test
    @Tag("K7")
    void currentCoroutineInsideARuntimeButOutsideACoroutine_throws() {
        var thrown = new AtomicReference<Throwable>();
        TestRuntime.run(() -> {
            Thread guest = Thread.ofVirtual().start(() -> {
                try {
                    currentCoroutine();
                } catch (Throwable e) {
                    thrown.set(e);
                }
            });
            guest.join();
        });
        assertThat(thrown.get()).isInstanceOf(AsyncException.class).hasMessageContaining("coroutine");
    }

    @Test
    void runInsideARuntime_isRefusedAndTheOuterOneGoesOn() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> virtual().run(() -> {}))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("spawn");
            assertThat(await(spawn(() -> 1))).isEqualTo(1);
        });
    }

    @Test
    void runtimeObject_runsOnce() {
        AsyncRuntime runtime = virtual().build();
        runtime.run(() -> {});
        assertThatThrownBy(() -> runtime.run(() -> {})).isInstanceOf(AsyncException.class);
    }

    @Test
    @Tag("K47")
    void mainThrows_runThrowsTheSameObject() {
        var error = new IllegalStateException("main");
        Callable<Object> main = () -> {
            delay(1);
            throw error;
        };
        assertThatThrownBy(() -> virtual().run(main)).isSameAs(error);
    }

    @Test
    @Tag("K47")
    void mainThrowsACheckedException_runThrowsItAsTheCause() {
        var error = new IOException("main");
        Callable<Object> main = () -> {
            throw error;
        };
        assertThatThrownBy(() -> virtual().run(main))
                .isInstanceOf(CompletionException.class)
                .hasCause(error);
    }

    @Test
    void mainCancelled_runReturnsNull() {
        assertThat(virtual().<String>run(() -> {
                    currentCoroutine().cancel();
                    delay(1);
                    return "not reached";
                }))
                .isNull();
    }

    @Test
    void ownStackSize_runsTheLoopOnAThreadOfItsOwnAndAllowsDeepRecursion() {
        int depth = virtual().stackSize(256L << 20).<Integer>run(() -> {
            spawn(() -> descend(2_000));
            suspend();
            return depth(100_000);
        });
        assertThat(depth).isEqualTo(100_000);
    }

    @Test
    void callerIsAVirtualThread_runWorks() throws InterruptedException {
        var result = new AtomicReference<Object>();
        Thread.ofVirtual()
                .start(() -> result.set(virtual()
                        .<Integer>run(() -> await(spawn(() -> {
                            delay(1);
                            return 7;
                        })))))
                .join();
        assertThat(result.get()).isEqualTo(7);
    }

    @Test
    void twoRuntimesOnTwoThreads_doNotMix() throws InterruptedException {
        var results = new CompletableFuture<?>[2];
        for (int i = 0; i < 2; i++) {
            int number = i;
            var result = new CompletableFuture<List<Integer>>();
            results[i] = result;
            new Thread(() -> result.complete(virtual().<List<Integer>>run(() -> {
                        var seen = new ArrayList<Integer>();
                        for (int k = 0; k < 100; k++) {
                            spawn(() -> {
                                suspend();
                                seen.add(number);
                            });
                        }
                        delay(1);
                        seen.add(coroutines().size());
                        return seen;
                    })))
                    .start();
        }
        for (int i = 0; i < 2; i++) {
            List<?> seen = (List<?>) results[i].join();
            assertThat(seen).hasSize(101).last().isEqualTo(1);
            assertThat(new ArrayList<Object>(seen.subList(0, 100))).containsOnly(i);
        }
    }

    @Test
    @Tag("K1")
    void coroutineOfAnotherRuntime_canNotBeAwaitedHere() throws InterruptedException {
        var handle = new CompletableFuture<Coroutine<?>>();
        var done = new CompletableFuture<Void>();
        var owner = new Thread(() -> virtual().run(() -> {
            Coroutine<?> here = spawn(() -> await(done));
            suspend();
            handle.complete(here);
        }));
        owner.start();
        Coroutine<?> foreign = handle.join();
        try {
            TestRuntime.run(() -> {
                assertThatThrownBy(() -> await(foreign, Async.timeout(10))).isInstanceOf(AsyncException.class);
                assertThatThrownBy(foreign::cancel).isInstanceOf(AsyncException.class);
            });
        } finally {
            done.complete(null);
            owner.join();
        }
    }

    @Test
    @Tag("D21")
    void interruptStatusOfTheCaller_isAsItWas() throws InterruptedException {
        var log = java.util.Collections.synchronizedList(new ArrayList<String>());
        for (boolean ownThread : new boolean[] {false, true}) {
            Thread caller = Thread.ofPlatform().start(() -> {
                Thread.currentThread().interrupt();
                var builder = Async.runtime().reactor(org.trueasync.internal.testkit.VirtualReactor::new);
                if (ownThread) builder.stackSize(1 << 20);
                builder.build().run(() -> {
                    log.add("inside " + Thread.currentThread().isInterrupted());
                    delay(1);
                    Thread.sleep(1);
                    return 1;
                });
                log.add("after " + Thread.currentThread().isInterrupted());
            });
            caller.join();
        }
        assertThat(log).containsExactly("inside false", "after true", "inside false", "after true");
    }
}
