package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAll;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** Coroutines that wait for what no running code can reach, while others run. */
class StuckCoroutinesTest {
    private static @Nullable Object reachable;

    private final List<String> log = new ArrayList<>();

    /** The names of those that are stuck. */
    private static List<String> stuck() {
        return Inspection.findStuck(Runtimes.here("the test")).coroutines().stream()
                .map(coroutine -> Objects.toString(coroutine.name()))
                .toList();
    }

    private static void spawned(String name, Body task) {
        spawn(name, task);
    }

    /**
     * Runs a program and searches it, twice.
     *
     * @param begin in a frame that is gone in the search: in the interpreter a dead local variable keeps its value
     */
    private static void expectStuck(Body begin, String... names) {
        TestRuntime.run(() -> {
            begin.run();
            delay(Duration.ofMillis(10));
            assertThat(stuck()).containsExactly(names);
            assertThat(stuck()).as("a second time").containsExactly(names);
            Async.gracefulShutdown();
        });
    }

    /** Its waiter is named {@code waiter}; nothing else knows what it waits for. */
    private enum Wait {
        RECEIVE {
            @Override
            void begin() {
                var channel = new Channel<String>();
                spawned("waiter", channel::receive);
            }
        },
        SEND {
            @Override
            void begin() {
                var channel = new Channel<String>(1);
                channel.send("fills it");
                spawned("waiter", () -> channel.send("one too many"));
            }
        },
        RECEIVE_LATER {
            @Override
            void begin() {
                var channel = new Channel<String>();
                spawned("waiter", () -> channel.receiveAsync().await());
            }
        },
        SELECT {
            @Override
            void begin() {
                var left = new Channel<String>();
                var right = new Channel<String>();
                spawned("waiter", () -> Select.<String>of()
                        .receive(left, value -> value)
                        .send(right, "value", () -> "sent")
                        .select());
            }
        },
        FUTURE {
            @Override
            void begin() {
                var state = new FutureState<String>();
                spawned("waiter", () -> state.future().await());
            }
        },
        MAPPED_FUTURE {
            @Override
            void begin() {
                var state = new FutureState<String>();
                spawned("waiter", () -> state.future().map(String::length).await());
            }
        },
        TOKEN {
            @Override
            void begin() {
                var token = new FutureState<String>();
                var channel = new Channel<String>();
                spawned("waiter", () -> channel.receive(token.future()));
            }
        },
        SEVERAL_FUTURES {
            @Override
            void begin() {
                var first = new FutureState<String>();
                var second = new FutureState<String>();
                spawned("waiter", () -> awaitAll(List.of(first.future(), second.future())));
            }
        },
        STAGE {
            @Override
            void begin() {
                var stage = new CompletableFuture<String>();
                spawned("waiter", () -> Async.await(stage));
            }
        },
        LATCH {
            @Override
            void begin() {
                var latch = new Latch(1);
                spawned("waiter", latch::await);
            }
        },
        BARRIER {
            @Override
            void begin() {
                var barrier = new Barrier(2);
                spawned("waiter", barrier::await);
            }
        },
        SEMAPHORE {
            @Override
            void begin() {
                var semaphore = new Semaphore(1);
                semaphore.acquire();
                spawned("waiter", semaphore::acquire);
            }
        },
        TASK_GROUP {
            @Override
            void begin() {
                var group = new TaskGroup<String>();
                group.spawn(() -> "done");
                suspend();
                spawned("waiter", () -> {
                    for (TaskResult<String> result : group) log(result);
                });
            }
        };

        abstract void begin();

        static void log(Object used) {
            Objects.requireNonNull(used);
        }
    }

    @ParameterizedTest
    @EnumSource
    void waitForWhatNobodyKnows_isFound(Wait wait) {
        expectStuck(wait::begin, "waiter");
    }

    @Test
    void chainOfWaits_isFound() {
        expectStuck(
                () -> {
                    var channel = new Channel<String>();
                    var mutex = new Mutex();
                    Coroutine<?> reader = spawn("reader", () -> mutex.withLock(channel::receive));
                    spawned("awaits the reader", reader::await);
                    spawned("wants the mutex", mutex::lock);
                },
                "reader",
                "awaits the reader",
                "wants the mutex");
    }

    @Test
    void ringOfWaits_isFound() {
        expectStuck(
                () -> {
                    var there = new Channel<String>();
                    var back = new Channel<String>();
                    spawned("asks", () -> {
                        there.receive();
                        back.send("answer");
                    });
                    spawned("answers", () -> {
                        back.receive();
                        there.send("question");
                    });
                },
                "asks",
                "answers");
    }

    @Test
    void mainCoroutine_isFound() {
        var found = new AtomicReference<List<String>>();
        assertThat(TestRuntime.failureOf(() -> {
                    spawned("searches", () -> {
                        delay(Duration.ofMillis(1));
                        found.set(stuck());
                    });
                    new Channel<String>().receive();
                }))
                .isInstanceOf(DeadlockError.class);
        assertThat(found.get()).containsExactly("null");
    }

    @Test
    void waitThatRunningCodeCanEnd_isNotFound() {
        TestRuntime.run(() -> {
            var known = new Channel<String>();
            reachable = known;
            spawned("static field", () -> log.add(known.receive()));
            var channel = new Channel<String>();
            spawned("other coroutine", () -> log.add(channel.receive()));
            spawned("sender", () -> {
                delay(Duration.ofMillis(20));
                channel.send("sent");
            });
            var latch = new Latch(1);
            spawned("thread", latch::await);
            var stage = new CompletableFuture<String>();
            spawned("stage", () -> log.add(Async.await(stage)));
            Thread outside = Thread.ofPlatform().daemon().start(() -> {
                LockSupport.park();
                stage.complete("completed");
            });
            delay(Duration.ofMillis(10));
            assertThat(stuck()).isEmpty();
            delay(Duration.ofMillis(20));
            known.send("known");
            LockSupport.unpark(outside);
            latch.countDown();
            stage.join();
        });
        assertThat(log).containsExactly("sent", "known", "completed");
    }

    @Test
    void waitWithALimit_isNotFound() {
        TestRuntime.run(() -> {
            spawned(
                    "limit of the wait",
                    () -> expectTimeout(() -> new Channel<String>().receive(Duration.ofMillis(50))));
            spawned(
                    "limit of the section",
                    () -> expectTimeout(
                            () -> Async.withTimeout(Duration.ofMillis(50), () -> new Channel<String>().receive())));
            var scope = new Scope();
            scope.spawn(
                    "limit of the scope",
                    () -> new FutureState<String>().future().await());
            scope.disposeAfterTimeout(Duration.ofMillis(50));
            spawned("sleeps", () -> delay(Duration.ofMillis(50)));
            suspend();
            assertThat(stuck()).isEmpty();
        });
        assertThat(log).containsExactly("timeout", "timeout");
    }

    private void expectTimeout(Body body) throws Throwable {
        try {
            body.run();
        } catch (OperationCanceledException | AsyncTimeoutException e) {
            log.add("timeout");
        }
    }

    @Test
    void waitInJdkCode_isNotFound() {
        TestRuntime.run(() -> {
            var parked = new AtomicReference<Thread>();
            spawned("parked", () -> {
                parked.set(Thread.currentThread());
                LockSupport.park();
            });
            suspend();
            assertThat(stuck()).isEmpty();
            LockSupport.unpark(parked.get());
        });
    }

    @Test
    void search_changesNothing() {
        TestRuntime.run(() -> {
            Scope scope = new Scope("both");
            for (int i = 0; i < 6; i++) {
                int number = i;
                boolean hangs = i % 2 == 0;
                scope.spawn("c" + i, () -> {
                    try {
                        if (hangs) new FutureState<String>().future().await();
                        else delay(Duration.ofMillis(20));
                        log.add("returned " + number);
                    } finally {
                        log.add("finally " + number);
                    }
                });
            }
            suspend();
            String before = Async.dump();
            assertThat(stuck()).containsExactly("c0", "c2", "c4");
            assertThat(Async.dump()).isEqualTo(before);
            delay(Duration.ofMillis(30));
            log.add("cancel");
            scope.cancel();
            scope.awaitAfterCancellation();
        });
        assertThat(log)
                .containsExactly(
                        "returned 1",
                        "finally 1",
                        "returned 3",
                        "finally 3",
                        "returned 5",
                        "finally 5",
                        "cancel",
                        "finally 0",
                        "finally 2",
                        "finally 4");
    }

    @Test
    void stuckCoroutine_isStillCancelledAtTheEndOfTheRun() {
        expectStuck(
                () -> spawned("hangs", () -> {
                    try {
                        new Channel<String>().receive();
                    } catch (AsyncCancellation e) {
                        log.add("cancelled");
                    } finally {
                        log.add("cleaned up");
                    }
                }),
                "hangs");
        assertThat(log).containsExactly("cancelled", "cleaned up");
    }

    @Test
    void endOfTheScopeThatOwnsTheChannel_stillEndsTheWait() {
        TestRuntime.run(() -> {
            var owner = new Scope("owner");
            owner.spawn(() -> {
                var channel = new Channel<String>();
                Scope.global().spawn("hangs", () -> {
                    try {
                        channel.receive();
                    } catch (ChannelException e) {
                        log.add("closed: " + e.reason());
                    }
                });
            });
            delay(Duration.ofMillis(1));
            assertThat(stuck()).containsExactly("hangs");
            owner.dispose();
            delay(Duration.ofMillis(1));
        });
        assertThat(log).containsExactly("closed: SCOPE_DISPOSED");
    }

    /** As the reactor knows a socket of the program's. */
    @Test
    void whatTheRuntimeHoldsWeakly_isNotTakenForLost() {
        var weak = new AtomicReference<WeakReference<Object>>();
        TestRuntime.run(() -> {
            spawned("hangs", () -> {
                var socket = new Object();
                Runtimes.here("the test").noteHeldWeakly(socket);
                weak.set(new WeakReference<>(socket));
                new Channel<String>().receive();
                log.add(socket.toString());
            });
            delay(Duration.ofMillis(1));
            assertThat(stuck()).containsExactly("hangs");
            assertThat(weak.get().refersTo(null)).isFalse();
            Async.gracefulShutdown();
        });
    }

    @Test
    void resourceOfAStuckCoroutine_isNotTakenForLost() {
        var runtime = new TestRuntime();
        runtime.start(() -> {
            var pool = Pool.of(Object::new).max(1).build();
            spawned(
                    "holds",
                    () -> pool.use(resource -> {
                        new Channel<String>().receive();
                    }));
            delay(Duration.ofMillis(1));
            assertThat(stuck()).containsExactly("holds");
            delay(Duration.ofSeconds(60));
            assertThat(pool.activeCount()).isOne();
            Async.gracefulShutdown();
        });
        assertThat(runtime.reports()).isEmpty();
    }

    /** Waits that the channel or group of another scope can end, also indirectly. */
    private enum Owned {
        RECEIVE_LATER {
            @Override
            Body waitAt() {
                var channel = new Channel<String>();
                return () -> channel.receiveAsync().await();
            }
        },
        MAPPED {
            @Override
            Body waitAt() {
                var channel = new Channel<String>();
                return () -> channel.receiveAsync().map(String::length).await();
            }
        },
        SEVERAL {
            @Override
            Body waitAt() {
                var channel = new Channel<String>();
                return () -> awaitAll(List.of(channel.receiveAsync()));
            }
        },
        TASK_GROUP {
            @Override
            Body waitAt() {
                var group = new TaskGroup<String>();
                return () -> group.forEach(Wait::log);
            }
        };

        abstract Body waitAt();
    }

    @ParameterizedTest
    @EnumSource
    void endOfTheScope_stillEndsTheWaitForWhatIsInIt(Owned owned) {
        TestRuntime.run(() -> {
            var owner = new Scope("owner");
            owner.spawn(() -> waitIn(Scope.global(), owned.waitAt()));
            delay(Duration.ofMillis(1));
            assertThat(stuck()).containsExactly("hangs");
            owner.dispose();
            delay(Duration.ofMillis(1));
            assertThat(log).containsExactly("ended");
        });
    }

    private void waitIn(Scope scope, Body wait) {
        scope.spawn("hangs", () -> {
            try {
                wait.run();
            } catch (ChannelException | CompositeException closed) {
                // as it should be
            }
            log.add("ended");
        });
    }

    /** An event of the user's, to which its source refers weakly. */
    private static final class WeaklyHeld extends Event implements Completable<String> {
        @Override
        public boolean isCompleted() {
            return isClosed();
        }

        @Override
        public boolean isCancelled() {
            return false;
        }

        @Override
        public void cancel() {}

        @Override
        public void cancel(AsyncCancellation reason) {}

        @Override
        public CompletableFuture<String> toCompletableFuture() {
            throw new UnsupportedOperationException();
        }

        @Override
        public boolean replay(EventCallback callback) {
            return false;
        }

        @Override
        public String info() {
            return "weakly held";
        }

        void happen() {
            close();
            notifyCallbacks("happened", null);
        }
    }

    @Test
    void waitForSeveral_isNotFound_ifOneMayBeHeldWeakly() {
        TestRuntime.run(() -> {
            WeakReference<WeaklyHeld> source = waitForAWeaklyHeld();
            delay(Duration.ofMillis(1));
            assertThat(stuck()).isEmpty();
            Objects.requireNonNull(source.get()).happen();
        });
        assertThat(log).containsExactly("happened");
    }

    private WeakReference<WeaklyHeld> waitForAWeaklyHeld() {
        var event = new WeaklyHeld();
        spawned(
                "waiter",
                () -> log.add(Objects.toString(
                        awaitAll(List.of(event)).results().values().iterator().next())));
        return new WeakReference<>(event);
    }

    // ---- what is lent

    /** Waits for what can't be reached. */
    private static void hang() {
        new Channel<String>().receive();
    }

    /** Begins a holder that hangs and a waiter. */
    private static void beginMutex(Mutex mutex) {
        spawned("holder", () -> mutex.withLock(StuckCoroutinesTest::hang));
        spawned("waiter", () -> mutex.withLock(() -> {}));
    }

    @Test
    @Tag("D33")
    void waiterForAMutex_isStuckIfItsHolderIs_andGoesOnWhenThatEnds() {
        TestRuntime.run(() -> {
            var mutex = new Mutex("ledger");
            beginMutex(mutex);
            delay(Duration.ofMillis(1));
            assertThat(stuck()).containsExactly("holder", "waiter");
            assertThat(stuck()).as("a second time").containsExactly("holder", "waiter");
            assertThat(mutex.toString()).contains("'holder'");
            for (Coroutine<?> coroutine : Async.coroutines()) if ("holder".equals(coroutine.name())) coroutine.cancel();
            delay(Duration.ofMillis(1));
            assertThat(mutex.isLocked()).isFalse();
            assertThat(Async.coroutines()).hasSize(1);
        });
    }

    @Test
    @Tag("D33")
    void waiterForAMutex_isNotStuckIfItsHolderIsNot() {
        TestRuntime.run(() -> {
            var mutex = new Mutex();
            var end = new FutureState<String>();
            spawned(
                    "holder",
                    () -> mutex.withLock(() -> {
                        end.future().await();
                    }));
            spawned("waiter", () -> mutex.withLock(() -> {}));
            delay(Duration.ofMillis(1));
            assertThat(stuck()).isEmpty();
            end.complete("now");
        });
    }

    @Test
    @Tag("D33")
    void twoThatWaitForTheMutexOfTheOther_areStuck() {
        TestRuntime.run(() -> {
            var one = new Mutex();
            var two = new Mutex();
            spawned(
                    "first",
                    () -> one.withLock(() -> {
                        Async.suspend();
                        two.withLock(() -> {});
                    }));
            spawned(
                    "second",
                    () -> two.withLock(() -> {
                        Async.suspend();
                        one.withLock(() -> {});
                    }));
            delay(Duration.ofMillis(1));
            assertThat(stuck()).containsExactly("first", "second");
            assertThat(one.waitingCount() + two.waitingCount()).isEqualTo(2);
            Async.gracefulShutdown();
        });
    }

    @Test
    @Tag("D33")
    void waiterForAPermit_isStuckOnceAllHoldersAre() {
        TestRuntime.run(() -> {
            var permits = new Semaphore(2);
            var end = new FutureState<String>();
            spawned("hangs", () -> permits.withPermit(StuckCoroutinesTest::hang));
            spawned(
                    "waits",
                    () -> permits.withPermit(() -> {
                        end.future().await();
                        hang();
                    }));
            spawned("waiter", permits::acquire);
            delay(Duration.ofMillis(1));
            assertThat(stuck()).containsExactly("hangs");
            end.complete("now");
            delay(Duration.ofMillis(1));
            assertThat(stuck()).containsExactly("hangs", "waits", "waiter");
            permits.release(); // by mistake, but it is to wake the right one
            delay(Duration.ofMillis(1));
            assertThat(stuck()).containsExactly("hangs", "waits");
            Async.gracefulShutdown();
        });
    }

    @Test
    @Tag("D33")
    void waiterForAPool_isStuckIfAllTakersAre_andIsStillRefusedWhenItCloses() {
        TestRuntime.run(() -> {
            Pool<Object> pool = Pool.of(Object::new).max(1).build();
            spawned(
                    "taker",
                    () -> pool.use(resource -> {
                        hang();
                    }));
            spawned("waiter", () -> {
                try {
                    pool.acquire();
                } catch (PoolException closed) {
                    log.add("closed");
                }
            });
            delay(Duration.ofMillis(1));
            assertThat(stuck()).containsExactly("taker", "waiter");
            pool.close();
            delay(Duration.ofMillis(1));
            assertThat(log).containsExactly("closed");
            assertThat(stuck()).containsExactly("taker");
            Async.gracefulShutdown();
        });
    }

    @Test
    void searchWhileMainWaits_leavesItsWaitAsItIs() {
        TestRuntime.run(() -> {
            spawned("hangs", StuckCoroutinesTest::hang);
            assertThat(await(spawn(() -> {
                        delay(Duration.ofMillis(1));
                        return stuck();
                    })))
                    .containsExactly("hangs");
            Async.gracefulShutdown();
        });
    }

    @Test
    void mainThatIsStuck_isFound_andIsMainAfterwards() {
        TestRuntime.run(() -> {
            spawn(() -> {
                for (int look = 0; look < 2; look++) {
                    delay(Duration.ofMillis(1));
                    List<Coroutine<?>> found =
                            Inspection.findStuck(Runtimes.here("the test")).coroutines();
                    assertThat(found).hasSize(1);
                    assertThat(Inspection.isMain(found.getFirst())).isTrue();
                }
                Async.gracefulShutdown();
            });
            hang();
        });
    }

    /** A finalizer of the program that blocks, until it is let go. */
    private static final class Blocks {
        static final CountDownLatch entered = new CountDownLatch(1);
        static final CountDownLatch goOn = new CountDownLatch(1);

        @Override
        @SuppressWarnings({"removal", "deprecation", "Finalize"})
        protected void finalize() throws InterruptedException {
            entered.countDown();
            goOn.await();
        }

        static void leaveOne() {
            new Blocks();
        }
    }

    @Test
    void finalizerOfTheProgramThatBlocks_doesNotKeepThem() throws InterruptedException {
        TestRuntime.run(() -> assertThat(stuck()).isEmpty()); // from here on, the JVM is known to finalise
        Blocks.leaveOne();
        System.gc();
        Blocks.entered.await();
        try {
            expectStuck(() -> spawned("hangs", () -> new Channel<String>().receive()), "hangs");
        } finally {
            Blocks.goOn.countDown();
        }
    }

    @Test
    void searchWithoutMemory_losesNobody() {
        TestRuntime.run(() -> {
            for (int i = 0; i < 3; i++) spawned("w" + i, () -> new Channel<String>().receive());
            delay(Duration.ofMillis(1));
            String before = Async.dump();
            for (int places = 0; places < 3; places++) {
                failAt(places);
                assertThat(catchThrowable(StuckCoroutinesTest::stuck)).isInstanceOf(OutOfMemoryError.class);
                assertThat(Async.dump()).isEqualTo(before);
            }
            assertThat(stuck()).containsExactly("w0", "w1", "w2");
            Async.gracefulShutdown();
        });
    }

    /** Has the next search run out of memory once it has made so many places. */
    private static void failAt(int places) {
        var left = new AtomicInteger(places);
        FaultPoint.fault = () -> {
            if (left.getAndDecrement() != 0) return;
            FaultPoint.fault = null;
            throw new OutOfMemoryError("for the test");
        };
    }
}
