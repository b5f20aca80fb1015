package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.coroutines;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TalkingEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

class CoroutineStateTest {
    private static final IllegalStateException ERROR = new IllegalStateException("expected");

    private record State(
            boolean queued,
            boolean started,
            boolean running,
            boolean suspended,
            boolean completed,
            boolean cancelled,
            boolean cancellationRequested) {
        static State of(Coroutine<?> c) {
            return new State(
                    c.isQueued(),
                    c.isStarted(),
                    c.isRunning(),
                    c.isSuspended(),
                    c.isCompleted(),
                    c.isCancelled(),
                    c.isCancellationRequested());
        }
    }

    private static final State FRESH = new State(true, false, false, false, false, false, false);
    private static final State RUNNING = new State(false, true, true, false, false, false, false);
    private static final State PARKED = new State(false, true, false, true, false, false, false);
    private static final State REQUEUED = new State(true, true, false, true, false, false, false);
    private static final State ENDED = new State(false, true, false, false, true, false, false);
    private static final State ENDED_CANCELLED = new State(false, true, false, false, true, true, true);

    @Test
    @Tag("K16")
    void fresh_isQueuedOnly() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> 1);
            assertThat(State.of(c)).isEqualTo(FRESH);
            assertThat(c.result()).isNull();
            assertThat(c.exception()).isNull();
            assertThat(c.awaitingInfo()).isEmpty();
            assertThat(c.trace()).isNull();
            assertThat(c.suspendLocation()).isEqualTo("unknown");
        });
    }

    @Test
    @Tag("K17")
    void running_isRunningAndStarted() {
        TestRuntime.run(() -> {
            assertThat(State.of(currentCoroutine())).isEqualTo(RUNNING);
            await(spawn(() -> assertThat(State.of(currentCoroutine())).isEqualTo(RUNNING)));
        });
    }

    @Test
    @Tag("K17")
    void runningIsTrueOnlyForTheOneThatExecutes() {
        TestRuntime.run(() -> {
            Coroutine<?> main = currentCoroutine();
            Coroutine<?> c = spawn(() -> assertThat(main.isRunning()).isFalse());
            assertThat(c.isRunning()).isFalse();
            await(c);
            assertThat(main.isRunning()).isTrue();
        });
    }

    @Test
    @Tag("K17")
    void parked_isSuspended() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> delay(10));
            suspend();
            assertThat(State.of(c)).isEqualTo(PARKED);
            assertThat(c.result()).isNull();
            assertThat(c.exception()).isNull();
            await(c);
        });
    }

    @Test
    @Tag("K17")
    void requeuedBySuspend_isSuspendedAndQueued() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(Async::suspend);
            suspend();
            assertThat(State.of(c)).isEqualTo(REQUEUED);
        });
    }

    @Test
    @Tag("K17")
    void wokenAndNotYetRun_isSuspendedAndQueued() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            Coroutine<?> c = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(event, ResumeCallback.RESOLVE);
                waker.await();
            });
            suspend();
            event.fire(null);
            assertThat(State.of(c)).isEqualTo(REQUEUED);
        });
    }

    @Test
    @Tag("K17")
    void blockedInJdkCode_isSuspended() {
        TestRuntime.run(() -> {
            var gate = new CompletableFuture<Void>();
            Coroutine<?> c = spawn(() -> gate.join());
            suspend();
            assertThat(State.of(c)).isEqualTo(PARKED);
            gate.complete(null);
            assertThat(State.of(c)).isEqualTo(REQUEUED);
            await(c);
        });
    }

    @Test
    @Tag("K16")
    @Tag("K18")
    void returned_isCompletedWithAResult() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> 5);
            suspend();
            assertThat(State.of(c)).isEqualTo(ENDED);
            assertThat(c.result()).isEqualTo(5);
            assertThat(c.exception()).isNull();
        });
    }

    @Test
    @Tag("K16")
    @Tag("K18")
    void threw_isCompletedWithAnException() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> {
                throw ERROR;
            });
            suspend();
            assertThat(State.of(c)).isEqualTo(ENDED);
            assertThat(c.result()).isNull();
            assertThat(c.exception()).isSameAs(ERROR);
        });
    }

    @Test
    @Tag("K18")
    @Tag("K19")
    void cancelled_isRequestedAtOnceAndCancelledAtItsEnd() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> delay(10));
            suspend();
            c.cancel();
            assertThat(State.of(c)).isEqualTo(new State(true, true, false, true, false, false, true));
            suspend();
            assertThat(State.of(c)).isEqualTo(ENDED_CANCELLED);
            assertThat(c.result()).isNull();
            assertThat(c.exception()).isInstanceOf(AsyncCancellation.class);
        });
    }

    @Test
    @Tag("K18")
    void cancelledBeforeItBegan_endsWithoutHavingStarted() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {});
            c.cancel();
            suspend();
            assertThat(State.of(c)).isEqualTo(new State(false, false, false, false, true, true, true));
        });
    }

    @Test
    @Tag("K19")
    void selfCancelledAndRunningOn_isRequestedNotCancelled() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                currentCoroutine().cancel();
                assertThat(State.of(currentCoroutine()))
                        .isEqualTo(new State(false, true, true, false, false, false, true));
            });
            suspend();
            assertThat(State.of(c)).isEqualTo(ENDED_CANCELLED);
        });
    }

    @Test
    @Tag("K19")
    void cancelledInsideProtect_isRequestedNotCancelled() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> Async.protect(() -> delay(10)));
            suspend();
            c.cancel();
            assertThat(State.of(c)).isEqualTo(new State(false, true, false, true, false, false, true));
            delay(20);
            assertThat(State.of(c)).isEqualTo(ENDED_CANCELLED);
        });
    }

    @Test
    @Tag("K18")
    void threwACancellationByItself_isCancelledThoughNobodyAsked() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                throw new AsyncCancellation("own idea");
            });
            suspend();
            assertThat(State.of(c)).isEqualTo(new State(false, true, false, false, true, true, false));
        });
    }

    @Test
    @Tag("K20")
    void ids_areUniqueAndStable() {
        TestRuntime.run(() -> {
            var ids = new HashSet<Long>();
            var handles = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3_000; i++) handles.add(spawn(() -> {}));
            List<Long> before = handles.stream().map(c -> (Long) c.id()).toList();
            suspend();
            for (Coroutine<?> c : handles) assertThat(ids.add(c.id())).isTrue();
            assertThat(handles.stream().map(c -> (Long) c.id()).toList()).isEqualTo(before);
            assertThat(ids).doesNotContain(currentCoroutine().id());
        });
    }

    @Test
    @Tag("K20")
    void trace_isThereOnlyWhileSuspended() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(CoroutineStateTest::waitsHere);
            assertThat(c.trace()).isNull();
            assertThat(currentCoroutine().trace()).isNull();
            suspend();
            assertThat(c.trace()).isNotNull().anyMatch(frame -> frame.getMethodName()
                    .equals("waitsHere"));
            await(c);
            assertThat(c.trace()).isNull();
        });
    }

    private static void waitsHere() {
        delay(10);
    }

    @Test
    @Tag("K20")
    void sites_areFileAndLine() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(CoroutineStateTest::waitsHere);
            int line = lineOfCaller() - 1;
            suspend();
            assertThat(c.spawnLocation()).isEqualTo("CoroutineStateTest.java:" + line);
            assertThat(c.suspendLocation()).matches("CoroutineStateTest\\.java:\\d+");
            StackTraceElement waiting = java.util.Arrays.stream(java.util.Objects.requireNonNull(c.trace()))
                    .filter(frame -> frame.getMethodName().equals("waitsHere"))
                    .findFirst()
                    .orElseThrow();
            assertThat(c.suspendLocation()).isEqualTo("CoroutineStateTest.java:" + waiting.getLineNumber());
            await(c);
            assertThat(c.suspendLocation()).isEqualTo("unknown");
            assertThat(c.spawnLocation()).isEqualTo("CoroutineStateTest.java:" + line);
        });
    }

    private static int lineOfCaller() {
        return StackWalker.getInstance()
                .walk(s -> s.skip(1).findFirst().orElseThrow().getLineNumber());
    }

    @Test
    @Tag("K20")
    void text_saysWhoItIsAndWhereInItsLife() {
        TestRuntime.run(() -> {
            var scope = new Scope().asNotSafely();
            Coroutine<?> c = scope.spawn("indexer", CoroutineStateTest::waitsHere);
            String name = "coroutine #" + c.id() + " 'indexer' spawned " + c.spawnLocation();
            assertThat(c.toString()).isEqualTo(name);
            suspend();
            assertThat(c.toString()).isEqualTo(name + ", suspended " + c.suspendLocation());
            await(c);
            assertThat(c.toString()).isEqualTo(name + ", completed");
            Reference.reachabilityFence(scope); // a lost one would cancel it
        });
    }

    @Test
    @Tag("K20")
    void text_leavesOutASiteThatIsUnknown() {
        new TestRuntime(b -> b.spawnSites(false)).start(() -> {
            Coroutine<?> c = spawn(() -> {});
            assertThat(c.toString()).isEqualTo("coroutine #" + c.id());
        });
    }

    @Test
    @Tag("K20")
    void spawnSitesOff_theSiteIsAFixedWord() {
        new TestRuntime(b -> b.spawnSites(false))
                .start(() -> assertThat(spawn(() -> {}).spawnLocation()).isEqualTo("unknown"));
    }

    @Test
    @Tag("K21")
    void awaitingInfo_isAListInEveryState() {
        TestRuntime.run(() -> {
            Coroutine<?> waits = spawn(() -> delay(10));
            Coroutine<?> yields = spawn(Async::suspend);
            assertThat(waits.awaitingInfo()).isEmpty();
            assertThat(currentCoroutine().awaitingInfo()).isEmpty();
            suspend();
            assertThat(waits.awaitingInfo()).singleElement().asString().contains("timer 10 ms");
            assertThat(yields.awaitingInfo()).isEmpty();
            waits.cancel();
            assertThat(waits.awaitingInfo()).isEmpty();
            suspend();
            assertThat(waits.awaitingInfo()).isEmpty();
        });
    }

    @Test
    void awaitingInfo_ofADelaySaysHowLongThatIs() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> delay(1_500));
            suspend();
            assertThat(c.awaitingInfo()).containsExactly("timer 1500 ms");
        });
    }

    @Test
    @Tag("K21")
    void awaitingInfo_ofAnEventThatCannotTellSaysThatItCannot() {
        TestRuntime.run(() -> {
            var mute = new TalkingEvent(() -> {
                throw ERROR;
            });
            Coroutine<?> c = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(mute, ResumeCallback.RESOLVE);
                waker.await();
            });
            suspend();
            assertThat(c.awaitingInfo())
                    .singleElement()
                    .asString()
                    .startsWith(TalkingEvent.class.getName() + ", whose info() failed with ")
                    .contains("expected");
            c.cancel();
        });
    }

    @Test
    @Tag("K21")
    void awaitingInfo_namesEverySubscriptionOfTheWait() {
        TestRuntime.run(() -> {
            Coroutine<?> target = spawn(() -> delay(5));
            Coroutine<?> c = spawn(() -> await(target, Async.timeout(77)));
            suspend();
            assertThat(c.awaitingInfo()).hasSize(2);
            assertThat(c.awaitingInfo().get(0)).contains("#" + target.id());
            assertThat(c.awaitingInfo().get(1)).contains("timeout 77 ms");
        });
    }

    @Test
    @Tag("K21")
    void awaitingInfo_ofOneBlockedInJdkCodeSaysWhere() {
        TestRuntime.run(() -> {
            var gate = new CompletableFuture<Void>();
            Coroutine<?> c = spawn(() -> gate.join());
            suspend();
            assertThat(c.awaitingInfo()).singleElement().asString().contains("CompletableFuture");
            gate.complete(null);
        });
    }

    @Test
    @Tag("K22")
    void coroutines_listsTheLiveOnesInSpawnOrder() {
        TestRuntime.run(() -> {
            Coroutine<?> brief = spawn(() -> {});
            Coroutine<?> waits = spawn(() -> delay(10));
            Coroutine<?> fails = spawn(() -> {
                throw ERROR;
            });
            assertThat(coroutines()).isEqualTo(List.of(currentCoroutine(), brief, waits, fails));
            suspend();
            assertThat(coroutines()).isEqualTo(List.of(currentCoroutine(), waits));
            assertThat(fails.exception()).isSameAs(ERROR);
            await(waits);
            assertThat(coroutines()).isEqualTo(List.of(currentCoroutine()));
        });
    }

    @Test
    @Tag("U13")
    void runtimeStats_countsByStateAndReadingItChangesNothing() {
        TestRuntime.run(() -> {
            var gate = new CompletableFuture<Void>();
            spawn(() -> delay(10));
            spawn(() -> gate.join());
            spawn(() -> {});
            suspend();
            spawn(() -> {});
            RuntimeStats stats = Async.runtimeStats();
            assertThat(stats.coroutines()).isEqualTo(4);
            assertThat(stats.queued()).isEqualTo(1);
            assertThat(stats.blocked()).isEqualTo(1);
            assertThat(stats.timers()).isEqualTo(1);
            assertThat(stats.activeEvents()).isEqualTo(1);
            assertThat(stats.spawned()).isEqualTo(5);
            assertThat(Async.runtimeStats()).isEqualTo(stats);
            gate.complete(null);
        });
    }

    @Test
    void handleUsedFromAnotherThread_isRefused() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> delay(1));
            var thrown = new CompletableFuture<Throwable>();
            new Thread(() -> {
                        try {
                            c.cancel();
                            thrown.complete(new AssertionError("not refused"));
                        } catch (Throwable e) {
                            thrown.complete(e);
                        }
                    })
                    .start();
            assertThat(thrown.join()).isInstanceOf(AsyncException.class).hasMessageContaining("loop 'test'");
            assertThat(c.isCancellationRequested()).isFalse();
        });
    }

    @Test
    void toCompletableFuture_endsAsTheCoroutineDoes() {
        TestRuntime.run(() -> {
            CompletableFuture<Integer> value = Async.<Integer>spawn(() -> {
                        delay(1);
                        return 3;
                    })
                    .toCompletableFuture();
            CompletableFuture<Integer> failure = Async.<Integer>spawn(() -> {
                        throw ERROR;
                    })
                    .toCompletableFuture();
            Coroutine<Integer> c = spawn(() -> {
                delay(100);
                return 1;
            });
            CompletableFuture<Integer> cancelled = c.toCompletableFuture();
            delay(2);
            c.cancel();
            delay(1);
            assertThat(value).isCompletedWithValue(3);
            assertThat(failure).isCompletedExceptionally();
            assertThatThrownBy(failure::join).hasCause(ERROR);
            assertThat(cancelled).isCancelled();
            assertThatThrownBy(cancelled::join).isInstanceOf(CancellationException.class);
        });
    }
}
