package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.launch;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.withTimeout;

import java.io.IOException;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.Threads;
import org.trueasync.internal.testkit.VirtualReactor;

/** Several cores end as one program does: by errors, cancellations, shutdowns and deadlocks. */
class CoresEndTest {
    private static final Duration FOR_EVER = Duration.ofDays(10_000);

    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    private static Cores.Builder three() {
        return Cores.builder().count(3);
    }

    private final AtomicInteger waiting = new AtomicInteger();

    /** Waits for ever; tells how that ended, after another wait. */
    private void waitToTheEnd(List<Integer> ended) {
        try {
            waiting.incrementAndGet();
            new ThreadChannel<Integer>().receive();
        } finally {
            suspend();
            ended.add(Cores.current().index());
        }
    }

    /** Until so many wait in {@link #waitToTheEnd}. */
    private void whenAllWait(int count) {
        while (waiting.get() < count) suspend();
        waiting.set(0);
    }

    // ---- errors

    @Test
    void errorOfABody_endsAllAndIsThrownAsItIs() {
        Threads.run(() -> {
            for (int failing = 0; failing < 3; failing++) {
                int index = failing;
                var error = new IllegalStateException("body " + index);
                var ended = new CopyOnWriteArrayList<Integer>();
                assertThatThrownBy(() -> three().run(() -> {
                            launch(() -> waitToTheEnd(ended));
                            if (Cores.current().index() == index) {
                                whenAllWait(5);
                                throw error;
                            }
                            waitToTheEnd(ended);
                        }))
                        .isSameAs(error);
                assertThat(ended).hasSize(5);
                assertThat(error.getSuppressed())
                        .singleElement()
                        .asString()
                        .matches("in coroutine 'core " + index + "', spawned at CoresEndTest.java:\\d+");
            }
        });
    }

    @Test
    void checkedErrorOfABody_isTheCauseOfWhatIsThrown() {
        Threads.run(() -> {
            var error = new IOException("core 1");
            assertThatThrownBy(() -> three().run(() -> {
                        if (Cores.current().index() == 1) throw error;
                        waitToTheEnd(new CopyOnWriteArrayList<>());
                    }))
                    .isInstanceOf(CompletionException.class)
                    .hasCause(error);
        });
    }

    @Test
    void errorOfACoroutine_endsAllAndTellsWhereItWasSpawned() {
        Threads.run(() -> {
            var ended = new CopyOnWriteArrayList<Integer>();
            var error = new IllegalStateException("deep inside");
            assertThatThrownBy(() -> three().run(() -> {
                        if (Cores.current().index() == 2)
                            launch("broken", () -> {
                                whenAllWait(3);
                                throw error;
                            });
                        waitToTheEnd(ended);
                    }))
                    .isSameAs(error);
            assertThat(ended).containsExactlyInAnyOrder(0, 1, 2);
            assertThat(error.getSuppressed())
                    .singleElement()
                    .asString()
                    .matches("in coroutine #\\d+ 'broken', spawned at CoresEndTest.java:\\d+");
        });
    }

    @Test
    void errorAfterTheBodyHasReturned_endsAll() {
        Threads.run(() -> assertThatThrownBy(() -> three().run(() -> {
                    Cores cores = Cores.current();
                    if (cores.index() != 0) return;
                    cores.on(1, () -> {
                        launch(() -> {
                            throw new IllegalStateException("of what a task has spawned");
                        });
                    });
                    waitToTheEnd(new CopyOnWriteArrayList<>());
                }))
                .isInstanceOf(IllegalStateException.class));
    }

    @Test
    void exhaustedStackOfACoroutine_endsAll() {
        Threads.run(() -> {
            var ended = new CopyOnWriteArrayList<Integer>();
            for (int failing = 0; failing < 3; failing++) {
                int index = failing;
                assertThatThrownBy(() -> three().run(() -> {
                            if (Cores.current().index() == index)
                                launch(() -> {
                                    whenAllWait(3);
                                    throw new StackOverflowError("on core " + index);
                                });
                            waitToTheEnd(ended);
                        }))
                        .isInstanceOf(StackOverflowError.class)
                        .hasMessage("on core " + index);
            }
            assertThat(ended).hasSize(9);
        });
    }

    @Test
    void errorOfATaskOfAnotherCore_tellsWhereItWasSent() {
        TestRuntime runtime = Threads.run(() -> {
            for (int calling = 0; calling < 2; calling++) {
                int caller = calling;
                String of = "in coroutine #\\d+ on core 2, spawned at CoresEndTest.java:\\d+";
                var error = new IllegalStateException("of a task");
                assertThatThrownBy(() -> three().run(() -> {
                            Cores cores = Cores.current();
                            if (cores.index() == caller) cores.on(2, () -> throwIt(error));
                        }))
                        .isSameAs(error);
                assertThat(error.getSuppressed()).singleElement().asString().matches(of);
                var launched = new IllegalStateException("of a coroutine's task");
                assertThatThrownBy(() -> three().run(() -> {
                            Cores cores = Cores.current();
                            if (cores.index() == caller) launch(() -> cores.on(2, () -> throwIt(launched)));
                        }))
                        .isSameAs(launched);
                assertThat(launched.getSuppressed()).singleElement().asString().matches(of);
            }
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    void secondError_isCarriedByTheFirst() {
        Threads.run(() -> {
            var second = new IllegalArgumentException("while it ends");
            assertThatThrownBy(() -> three().run(() -> {
                        int index = Cores.current().index();
                        if (index == 2) {
                            whenAllWait(2);
                            throw new IllegalStateException("first");
                        }
                        try {
                            waitToTheEnd(new CopyOnWriteArrayList<>());
                        } finally {
                            if (index == 1) throwIt(second);
                        }
                    }))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("first")
                    .satisfies(e -> assertThat(e.getSuppressed()).contains(second));
        });
    }

    private static void throwIt(RuntimeException error) {
        throw error;
    }

    @Test
    void coreThatCannotBegin_endsAllBeforeAnyBodyRuns() {
        var reactors = new AtomicInteger();
        var bodies = new AtomicInteger();
        var runtime = new TestRuntime(builder -> builder.name("family").reactor(() -> {
            if (reactors.incrementAndGet() == 3) throw new IllegalStateException("no reactor");
            return new VirtualReactor();
        }));
        runtime.start(() -> assertThatThrownBy(() -> three().run(() -> {
                    bodies.incrementAndGet();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessage("no reactor"));
        assertThat(reactors).hasValue(3);
        assertThat(bodies).hasValue(0);
    }

    @Test
    void afterAnError_theCallersRuntimeGoesOn() {
        Threads.run(() -> {
            for (int i = 0; i < 5; i++) {
                assertThatThrownBy(() -> three().run(() -> {
                            throw new IllegalStateException("each");
                        }))
                        .hasMessage("each");
                assertThat(Async.runtimeStats().activeEvents()).isZero();
                assertThat(three().run(() -> 1)).containsExactly(1, 1, 1);
            }
        });
    }

    // ---- cancellations and shutdowns

    @Test
    void callerIsCancelled_everyCoroutineOnEachCoreGetsItsFinally() {
        Threads.run(() -> {
            var ended = new CopyOnWriteArrayList<Integer>();
            Coroutine<?> caller = spawn(() -> three().run(() -> {
                launch(() -> waitToTheEnd(ended));
                waitToTheEnd(ended);
            }));
            var told = new AsyncCancellation("enough");
            spawn(() -> {
                whenAllWait(6);
                caller.cancel(told);
            });
            assertThatThrownBy(() -> await(caller))
                    .isInstanceOf(AsyncCancellation.class)
                    .hasMessage("enough");
            assertThat(ended).containsExactlyInAnyOrder(0, 0, 1, 1, 2, 2);
        });
    }

    @Test
    void timeLimitOfTheCaller_endsAll() {
        Threads.run(() -> {
            var ended = new CopyOnWriteArrayList<Integer>();
            assertThatThrownBy(() -> withTimeout(Duration.ofMillis(20), () -> three().run(() -> waitToTheEnd(ended))))
                    .isInstanceOf(AsyncTimeoutException.class);
            assertThat(ended).hasSizeLessThanOrEqualTo(3);
        });
    }

    @Test
    void callerIsCancelledAgainAndAgain_allIsAwaitedAllTheSame() {
        Threads.run(() -> {
            var ended = new CopyOnWriteArrayList<Integer>();
            Coroutine<?> caller = spawn(() -> three().run(() -> {
                try {
                    waitToTheEnd(ended);
                } finally {
                    for (int i = 0; i < 100; i++) suspend();
                    ended.add(10);
                }
            }));
            spawn(() -> {
                while (!caller.isCompleted()) {
                    caller.cancel();
                    suspend();
                }
            });
            assertThatThrownBy(() -> await(caller)).isInstanceOf(AsyncCancellation.class);
            assertThat(ended.stream().filter(i -> i == 10).count()).isEqualTo(ended.size() / 2);
        });
    }

    @Test
    void shutdownOfOneCore_endsAll() {
        for (int asking = 0; asking < 3; asking++) {
            int index = asking;
            var ended = new CopyOnWriteArrayList<Integer>();
            Threads.run(() -> {
                try {
                    three().run(() -> {
                        launch(() -> waitToTheEnd(ended));
                        if (Cores.current().index() == index)
                            launch(() -> {
                                whenAllWait(6);
                                Async.gracefulShutdown();
                            });
                        waitToTheEnd(ended);
                    });
                } catch (AsyncCancellation e) {
                    ended.add(100);
                }
            });
            // in virtual time the shutdown's deadline passes at once, and the run waits for 1 s only
            Threads.assertNoneOfOursIsLeft();
            assertThat(ended).containsExactlyInAnyOrder(0, 0, 1, 1, 2, 2, 100);
        }
    }

    @Test
    void bodyThatIsCancelledAlone_endsItself() {
        Threads.run(() -> {
            List<String> results = three().run(() -> {
                if (Cores.current().index() == 1) {
                    Async.currentCoroutine().cancel();
                    suspend();
                }
                return "done";
            });
            assertThat(results).containsExactly("done", null, "done");
        });
    }

    @Test
    void callToACoreThatHasEnded_failsAndSaysSo() {
        Threads.run(() -> {
            var errors = new CopyOnWriteArrayList<Throwable>();
            assertThatThrownBy(() -> three().run(() -> {
                        Cores cores = Cores.current();
                        if (cores.index() == 1) {
                            whenAllWait(1);
                            throw new IllegalStateException("core 1 goes first");
                        }
                        if (cores.index() == 2) return;
                        try {
                            waitToTheEnd(new CopyOnWriteArrayList<>());
                        } finally {
                            // While it ends it may still take one; then none.
                            while (errors.isEmpty()) {
                                try {
                                    cores.on(1, cores::index);
                                } catch (AsyncException e) {
                                    errors.add(e);
                                } catch (AsyncCancellation taken) {
                                    suspend();
                                }
                            }
                        }
                    }))
                    .hasMessage("core 1 goes first");
            assertThat(errors)
                    .singleElement()
                    .asString()
                    .contains("core 1 has ended; it takes no more calls, and this one has not begun");
        });
    }

    @Test
    void callToACoreThatIsShutDown_isNoFailureOfTheProgram() {
        var reports = Threads.run(() -> {
                    var refused = new AtomicInteger();
                    assertThatThrownBy(() -> three().run(() -> {
                                Cores cores = Cores.current();
                                if (cores.index() == 2) return;
                                if (cores.index() == 1) {
                                    whenAllWait(1);
                                    Async.gracefulShutdown();
                                    while (refused.get() == 0) suspendInAnyCase();
                                    return;
                                }
                                waiting.incrementAndGet();
                                while (true) {
                                    try {
                                        cores.on(1, cores::index);
                                    } catch (AsyncException e) {
                                        cores.submitTo(1, cores::index);
                                        refused.incrementAndGet();
                                        throw e;
                                    } catch (AsyncCancellation told) {
                                        suspendInAnyCase();
                                    }
                                }
                            }))
                            .isInstanceOf(AsyncCancellation.class);
                    assertThat(refused).hasValue(1);
                })
                .reports();
        assertThat(reports).isEmpty();
    }

    private static void suspendInAnyCase() {
        try {
            suspend();
        } catch (AsyncCancellation told) {
            // asks on
        }
    }

    @Test
    void submittedTask_needsNobodyWhoWaits() {
        TestRuntime runtime = Threads.run(() -> three().run(() -> {
            Cores cores = Cores.current();
            cores.submitTo((cores.index() + 1) % 3, cores::index);
        }));
        assertThat(runtime.reports()).isEmpty();
        runtime = Threads.run(() -> three().run(() -> {
            Cores cores = Cores.current();
            if (cores.index() == 0) cores.submitTo(1, () -> throwIt(new IllegalStateException("of a task")));
        }));
        assertThat(runtime.reports()).singleElement().asString().contains("of a task");
    }

    @Test
    void callsUnderWayAtTheEnd_allReturn() {
        for (int round = 0; round < 20; round++) {
            Threads.run(() -> {
                var open = new AtomicInteger();
                assertThatThrownBy(() -> three().run(() -> {
                            Cores cores = Cores.current();
                            for (int c = 0; c < 10; c++) {
                                launch(() -> {
                                    while (true) {
                                        open.incrementAndGet();
                                        try {
                                            cores.on((cores.index() + 1) % 3, Async::suspend);
                                        } finally {
                                            open.decrementAndGet();
                                        }
                                    }
                                });
                            }
                            if (cores.index() == 1) {
                                for (int i = 0; i < 200; i++) suspend();
                                throw new IllegalStateException("in the middle");
                            }
                        }))
                        .satisfies(
                                e -> assertThat(e).isInstanceOfAny(IllegalStateException.class, AsyncException.class));
                assertThat(open).hasValue(0);
            });
        }
    }

    // ---- deadlocks

    @Test
    void coreThatWaitsWhileOthersCouldWakeIt_isNoDeadlock() {
        TestRuntime runtime = Threads.run(() -> {
            PerCore<FutureState<String>> door = PerCore.of(FutureState::new);
            List<String> seen = three().run(() -> {
                Cores cores = Cores.current();
                if (cores.index() != 2) return await(door.get().future());
                for (int i = 0; i < 100; i++) {
                    delay(10);
                    cores.on(i % 2, Async::suspend);
                }
                for (int i = 0; i < 2; i++) cores.on(i, () -> door.get().complete("opened"));
                return "opener";
            });
            assertThat(seen).containsExactly("opened", "opened", "opener");
        });
        assertThat(runtime.reports()).isEmpty();
    }

    /** All wait for ever, on the same core. */
    private static void waitOnCore(int index) {
        Cores cores = Cores.current();
        if (cores.index() == index) new FutureState<>().future().await();
        else cores.on(index, () -> new FutureState<>().future().await());
    }

    @Test
    void coresThatWaitForEachOther_areADeadlock() {
        for (int stuck = 0; stuck < 3; stuck++) {
            int index = stuck;
            var reports = new CopyOnWriteArrayList<String>();
            var runtime = new TestRuntime(builder ->
                    builder.name("family").reactor(VirtualReactor::new).diagnostics(reports::add));
            var ended = new AtomicInteger();
            assertThatThrownBy(() -> runtime.start(() -> three().run(() -> {
                        try {
                            waitOnCore(index);
                        } finally {
                            ended.incrementAndGet();
                        }
                    })))
                    .isInstanceOf(DeadlockError.class);
            assertThat(ended).hasValue(3);
            assertThat(reports).anyMatch(r -> r.startsWith("Deadlock: ") && r.contains("awaits future"));
        }
    }

    @Test
    void onlyOneCoreIsStuck_itIsADeadlockOnceTheOthersAreDone() {
        var reports = new CopyOnWriteArrayList<String>();
        var runtime = new TestRuntime(
                builder -> builder.name("family").reactor(VirtualReactor::new).diagnostics(reports::add));
        assertThatThrownBy(() -> runtime.start(() -> three().run(() -> {
                    if (Cores.current().index() == 1)
                        new FutureState<>().future().await();
                    delay(FOR_EVER);
                })))
                .isInstanceOf(DeadlockError.class);
        assertThat(reports).singleElement().asString().contains("awaits future");
    }

    @Test
    void deadlock_cleanUpThatCallsAnotherCore_comesToItsEnd() {
        for (int stuck = 0; stuck < 3; stuck++) {
            int index = stuck;
            var reports = new CopyOnWriteArrayList<String>();
            var answers = new CopyOnWriteArrayList<String>();
            var runtime = new TestRuntime(builder ->
                    builder.name("family").reactor(VirtualReactor::new).diagnostics(reports::add));
            assertThatThrownBy(() -> runtime.start(() -> three().run(() -> {
                        Cores cores = Cores.current();
                        int next = (cores.index() + 1) % 3;
                        try {
                            waitOnCore(index);
                        } finally {
                            for (int i = 0; i < 3; i++) suspend();
                            answers.add(cores.index() + " " + answer(cores, next));
                        }
                    })))
                    .isInstanceOf(DeadlockError.class);
            assertThat(answers).hasSize(3).allMatch(a -> a.matches("\\d (answered|ended)"));
            assertThat(reports).noneMatch(r -> r.contains("abandoned"));
        }
    }

    private static String answer(Cores cores, int other) {
        try {
            return cores.on(other, () -> "answered");
        } catch (AsyncException e) {
            return "ended";
        } catch (AsyncCancellation e) {
            return "cancelled: " + e.getMessage();
        }
    }
}
