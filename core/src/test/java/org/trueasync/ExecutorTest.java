package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.ThreadFactory;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class ExecutorTest {
    @Test
    void taskFromTheLoop_becomesAQueuedCoroutine() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> main = currentCoroutine();
            Async.executor().execute(() -> {
                log.add("task");
                assertThat(currentCoroutine()).isNotSameAs(main);
                delay(1);
                log.add("task goes on");
            });
            log.add("main");
            suspend();
            log.add("main again");
        });
        assertThat(log).containsExactly("main", "task", "main again", "task goes on");
    }

    @Test
    void taskFromAnotherThread_runsOnTheLoop() {
        TestRuntime.run(() -> {
            Executor executor = Async.executor();
            int[] counter = new int[1];
            var threads = new ArrayList<Thread>();
            for (int i = 0; i < 4; i++) {
                var thread = new Thread(() -> {
                    for (int k = 0; k < 250; k++) executor.execute(() -> counter[0]++);
                });
                threads.add(thread);
                thread.start();
            }
            for (Thread thread : threads) thread.join();
            while (counter[0] < 1_000) delay(1);
            assertThat(counter[0]).isEqualTo(1_000);
        });
    }

    @Test
    @Tag("C13")
    void taskFromAnotherThread_belongsToTheMainScope_whoeverGivesControlAwayWhenItArrives() {
        var seen = new ArrayList<Object>();
        TestRuntime.run(() -> {
            Async.rootContext().set("owner", "main scope");
            var scope = new Scope();
            scope.context().set("owner", "another scope");
            Executor executor = Async.executor();
            await(scope.spawn(() -> {
                // The loop does not turn meanwhile, so the tick of this coroutine takes the task in.
                CompletableFuture.runAsync(() ->
                        executor.execute(() -> seen.add(Async.currentContext().find("owner"))));
                while (seen.isEmpty()) suspend();
            }));
        });
        assertThat(seen).containsExactly("main scope");
    }

    @Test
    @Tag("C13")
    void whatFollowsAnEvent_belongsToTheMainScope_notToWhoMadeItHappen() {
        var seen = new ArrayList<Object>();
        TestRuntime.run(() -> {
            Async.rootContext().set("owner", "main scope");
            var state = new FutureState<Integer>();
            var followed = state.future().toCompletableFuture().thenRun(() -> {
                suspend();
                seen.add(Async.currentContext().find("owner"));
            });
            var scope = new Scope().asNotSafely();
            scope.context().set("owner", "another scope");
            scope.spawn(() -> {
                state.complete(1);
                suspend();
                scope.cancel();
            });
            await(followed);
        });
        assertThat(seen).containsExactly("main scope");
    }

    @Test
    void completableFutureOnOurExecutor_mayWait() {
        TestRuntime.run(() -> assertThat(await(CompletableFuture.supplyAsync(
                        () -> {
                            delay(5);
                            return 3;
                        },
                        Async.executor())))
                .isEqualTo(3));
    }

    @Test
    @Tag("K5")
    void heldExecutor_doesNotKeepTheRunAlive() {
        var held = new AtomicReference<Executor>();
        TestRuntime.run(() -> held.set(Async.executor()));
        assertThatThrownBy(() -> held.get().execute(() -> {}))
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessage("runtime 'test' has ended; it runs no more tasks");
    }

    @Test
    @Tag("K44")
    void taskThatFails_shutsTheRuntimeDown() {
        var error = new IllegalStateException("expected");
        Throwable thrown = TestRuntime.failureOf(() -> {
            Async.executor().execute(() -> {
                throw error;
            });
            delay(1_000_000);
        });
        assertThat(thrown).isSameAs(error);
    }

    @Test
    void threadOfOurFactory_isACoroutine() {
        TestRuntime.run(() -> {
            ThreadFactory factory = Async.threadFactory();
            var log = new ArrayList<String>();
            Thread thread = factory.newThread(() -> {
                log.add("coroutine " + (currentCoroutine().isRunning()));
                delay(5);
                log.add("goes on");
            });
            suspend();
            assertThat(log).isEmpty();
            assertThat(Async.coroutines()).hasSize(1);
            thread.start();
            assertThat(Async.coroutines()).hasSize(2);
            thread.join();
            assertThat(log).containsExactly("coroutine true", "goes on");
            assertThat(Async.coroutines()).hasSize(1);
        });
    }

    @Test
    void threadOfOurFactory_endsWithoutAnError() {
        TestRuntime.run(() -> {
            var thrown = new ArrayList<Throwable>();
            Thread thread = Async.threadFactory().newThread(() -> {});
            thread.setUncaughtExceptionHandler((t, error) -> thrown.add(error));
            thread.start();
            thread.join();
            assertThat(thrown).isEmpty();
        });
    }

    @Test
    void threadOfOurFactory_isCountedAsAContextWhenItStarts() {
        TestRuntime.run(() -> {
            var stats = TestRuntime.counting(() -> {
                Thread thread = Async.threadFactory().newThread(() -> {});
                thread.start();
                thread.join();
            });
            assertThat(stats.contextsCreated()).isEqualTo(1);
        });
    }

    @Test
    void threadOfOurFactoryStartedElsewhere_runsOnTheLoop() {
        TestRuntime.run(() -> {
            var result = new CompletableFuture<Boolean>();
            Thread thread = Async.threadFactory()
                    .newThread(() -> result.complete(currentCoroutine().isRunning()));
            new Thread(thread::start).start();
            assertThat(await(result)).isTrue();
        });
    }

    @Test
    void threadCancelledBeforeItBegan_endsAndCanBeJoined() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            Thread thread = Async.threadFactory().newThread(() -> log.add("body"));
            thread.start();
            Async.coroutines().getLast().cancel();
            thread.join();
            assertThat(thread.isAlive()).isFalse();
            assertThat(log).isEmpty();
        });
    }

    @Test
    @Tag("K20")
    void threadsMadeByManyThreadsAtOnce_haveIdsOfTheirOwn() throws InterruptedException {
        Set<Long> ids = ConcurrentHashMap.newKeySet();
        TestRuntime.run(() -> {
            ThreadFactory factory = Async.threadFactory();
            var makers = new ArrayList<Thread>();
            for (int i = 0; i < 4; i++) {
                makers.add(Thread.ofPlatform().start(() -> {
                    for (int k = 0; k < 5_000; k++)
                        factory.newThread(() -> ids.add(currentCoroutine().id()))
                                .start();
                }));
            }
            for (int i = 0; i < 5_000; i++)
                spawn(() -> ids.add(currentCoroutine().id()));
            for (Thread maker : makers) maker.join();
        });
        assertThat(ids).hasSize(25_000);
    }

    @Test
    void interruptOfSuchAThread_isDeliveredToItsBlockingCall() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            Thread thread = Async.threadFactory().newThread(() -> {
                try {
                    Thread.sleep(60_000);
                } catch (InterruptedException e) {
                    log.add("interrupted");
                }
            });
            thread.start();
            suspend();
            thread.interrupt();
            thread.join();
            assertThat(log).containsExactly("interrupted");
        });
    }

    /** The thread of a coroutine that waits in our way, interrupted while it waits; what the wait threw. */
    private static Throwable interruptedIn(Body wait) {
        var thrown = new ArrayList<Throwable>();
        TestRuntime.run(() -> {
            Thread thread = Async.threadFactory().newThread(() -> {
                try {
                    wait.run();
                } catch (Throwable e) {
                    thrown.add(e);
                }
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                delay(1);
                thrown.add(null);
            });
            thread.start();
            suspend();
            thread.interrupt();
            thread.join();
        });
        assertThat(thrown).as("thrown once").hasSize(2);
        return thrown.getFirst();
    }

    @Test
    @Tag("D21")
    void interruptOfAThreadThatWaitsInOurWay_endsTheWaitAndNamesItself() {
        for (Body wait : new Body[] {
            () -> delay(3_600_000),
            () -> await(new CompletableFuture<>()),
            () -> new Channel<Integer>(0).receive(),
            () -> Async.blocking(() -> {
                Thread.sleep(3_600_000);
                return 1;
            }),
        })
            assertThat(interruptedIn(wait))
                    .isInstanceOf(AsyncCancellation.class)
                    .hasMessageContaining("Thread.interrupt()");
    }

    @Test
    @Tag("D21")
    void interruptedTwice_isThrownTwice() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Thread thread = Async.threadFactory().newThread(() -> {
                for (int i = 0; i < 2; i++) {
                    try {
                        delay(3_600_000);
                    } catch (AsyncCancellation e) {
                        log.add("interrupted");
                    }
                }
                assertThat(currentCoroutine().isCancellationRequested()).isFalse();
            });
            thread.start();
            suspend();
            thread.interrupt();
            while (log.isEmpty()) suspend();
            thread.interrupt();
            thread.join();
        });
        assertThat(log).containsExactly("interrupted", "interrupted");
    }

    @Test
    @Tag("D21")
    void interruptFromAnotherThread_reachesTheWait() {
        TestRuntime.run(() -> {
            var waits = new CompletableFuture<Thread>();
            var ended = new CompletableFuture<Throwable>();
            Async.executor().execute(() -> {
                waits.complete(Thread.currentThread());
                try {
                    await(new CompletableFuture<>()); // virtual time would not wait for the other thread
                } catch (AsyncCancellation e) {
                    ended.complete(e);
                }
            });
            Thread interrupter = new Thread(() -> waits.join().interrupt(), "interrupter");
            interrupter.start();
            assertThat(await(ended)).hasMessageContaining("interrupter called Thread.interrupt()");
        });
    }

    @Test
    @Tag("D21")
    void interruptInsideOfProtect_isThrownAtTheWaitAfterIt() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Thread thread = Async.threadFactory().newThread(() -> {
                Async.protect(() -> delay(5));
                log.add("section done");
                assertThatThrownBy(() -> delay(3_600_000)).isInstanceOf(AsyncCancellation.class);
                log.add("interrupted");
            });
            thread.start();
            suspend();
            thread.interrupt();
            thread.join();
        });
        assertThat(log).containsExactly("section done", "interrupted");
    }

    @Test
    @Tag("D21")
    void interruptOfALockThatPaysNoAttention_isThrownAtTheWaitAfterIt() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var lock = new java.util.concurrent.locks.ReentrantLock();
            lock.lock();
            Thread thread = Async.threadFactory().newThread(() -> {
                lock.lock();
                log.add("locked");
                assertThatThrownBy(() -> delay(3_600_000)).isInstanceOf(AsyncCancellation.class);
                lock.unlock();
            });
            thread.start();
            suspend();
            thread.interrupt();
            suspend();
            assertThat(log).isEmpty();
            lock.unlock();
            thread.join();
        });
        assertThat(log).containsExactly("locked");
    }

    /** As the JDK's waits have it: library code that has caught an interrupt sets the status again. */
    @Test
    @Tag("D21")
    void statusOfAThreadThatSomebodyAskedFor_endsTheWaitThatBegins() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Thread thread = Async.threadFactory().newThread(() -> {
                Thread.currentThread().interrupt();
                Async.protect(() -> delay(1));
                log.add("protected");
                assertThatThrownBy(() -> delay(3_600_000))
                        .isInstanceOf(AsyncCancellation.class)
                        .hasMessageContaining("interrupt status set");
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
                assertThat(currentCoroutine().isCancellationRequested()).isFalse();
                delay(1);
                log.add("goes on");
            });
            thread.start();
            thread.join();
        });
        assertThat(log).containsExactly("protected", "goes on");
    }

    @Test
    @Tag("D21")
    void shutdownNowThatMeetsAJdkWait_endsTheNextWaitOfOurs() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var pool = java.util.concurrent.Executors.newFixedThreadPool(1, Async.threadFactory());
            pool.execute(() -> {
                log.add("begins");
                while (true) {
                    try {
                        new java.util.concurrent.CountDownLatch(1).await();
                    } catch (InterruptedException e) {
                        Thread.currentThread().interrupt();
                    }
                    try {
                        delay(3_600_000);
                    } catch (AsyncCancellation e) {
                        log.add("ends");
                        return;
                    }
                }
            });
            while (log.isEmpty()) suspend();
            suspend();
            pool.shutdownNow();
            assertThat(pool.awaitTermination(10, java.util.concurrent.TimeUnit.SECONDS))
                    .isTrue();
        });
        assertThat(log).containsExactly("begins", "ends");
    }

    @Test
    @Tag("D14")
    void statusThatIsLeftByACancellation_endsNoWait() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var self = new Coroutine<?>[1];
            Thread thread = Async.threadFactory().newThread(() -> {
                self[0] = currentCoroutine();
                try {
                    new java.util.concurrent.CountDownLatch(1).await();
                } catch (InterruptedException e) {
                    Thread.currentThread().interrupt();
                    delay(1);
                    log.add("cleaned up");
                }
            });
            thread.start();
            while (self[0] == null) suspend();
            suspend();
            self[0].cancel();
            while (!self[0].isCompleted()) delay(1);
            assertThat(self[0].isCancelled()).isTrue();
        });
        assertThat(log).containsExactly("cleaned up");
    }

    @Test
    @Tag("D21")
    void statusThatACoroutineSetsItself_endsNoWait() {
        TestRuntime.run(() -> {
            Body sets = () -> {
                Thread.currentThread().interrupt();
                delay(1);
                assertThat(Thread.currentThread().isInterrupted()).isTrue();
            };
            await(spawn(sets));
        });
    }

    @Test
    @Tag("D21")
    void interruptAfterAChannelOfTheJdks_isNoticedAsBefore() throws Exception {
        var pipe = java.nio.channels.Pipe.open();
        try (var sink = pipe.sink();
                var source = pipe.source()) {
            assertThat(interruptedIn(() -> {
                        sink.write(java.nio.ByteBuffer.allocate(1));
                        source.read(java.nio.ByteBuffer.allocate(1));
                        delay(3_600_000);
                    }))
                    .isInstanceOf(AsyncCancellation.class);
        }
    }

    @Test
    @Tag("D21")
    void interruptMeantForTheCoroutineBefore_doesNotMeetTheNextOne() {
        TestRuntime.run(() -> {
            var threads = new ArrayList<Thread>();
            Async.executor().execute(() -> threads.add(Thread.currentThread()));
            suspend();
            Coroutine<?> next = spawn(() -> {
                threads.add(Thread.currentThread());
                delay(5);
            });
            threads.getFirst().interrupt(); // idle
            await(next);
            assertThat(threads.getFirst()).isSameAs(threads.getLast());
        });
    }

    @Test
    @Tag("K5")
    void threadOfOurFactory_keepsTheRunAlive() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> Async.threadFactory()
                .newThread(() -> {
                    delay(10);
                    log.add("done");
                })
                .start());
        assertThat(log).containsExactly("done");
    }

    @Test
    void spawnInsideATask_belongsToTheSameRun() {
        TestRuntime.run(() -> {
            var result = new CompletableFuture<Integer>();
            Async.executor().execute(() -> spawn(() -> result.complete(1)));
            assertThat(await(result)).isEqualTo(1);
        });
    }
}
