package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;

class UnhandledErrorTest {
    private static void throwIt(RuntimeException error) {
        throw error;
    }

    @Test
    @Tag("K44")
    void failedCoroutine_keepsItsExceptionForEveryAwait() {
        var error = new IllegalStateException("expected");
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> throwIt(error));
            suspend();
            for (int i = 0; i < 3; i++) assertThatThrownBy(() -> await(c)).isSameAs(error);
            assertThat(c.exception()).isSameAs(error);
        });
    }

    @Test
    @Tag("K44")
    void checkedException_reachesEveryAwaiterAsTheCause() {
        var error = new IOException("expected");
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn((Body) () -> {
                throw error;
            });
            assertThatThrownBy(() -> await(c))
                    .isInstanceOf(CompletionException.class)
                    .hasCause(error);
            assertThatThrownBy(() -> await(c))
                    .isInstanceOf(CompletionException.class)
                    .hasCause(error);
            assertThat(c.exception()).isSameAs(error);
        });
    }

    @Test
    @Tag("K44")
    void nobodyAwaitedAndTheRunDrains_runThrowsIt() {
        var error = new IllegalStateException("expected");
        var log = new ArrayList<String>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> kept = spawn(() -> throwIt(error));
            delay(10);
            log.add("main ended, " + kept.isCompleted());
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).containsExactly("main ended, true");
    }

    @Test
    @Tag("K44")
    void unobservedError_tellsWhereItsCoroutineWasSpawned() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> c = spawn(() -> throwIt(new IllegalStateException("expected")));
            suspend();
            assertThat(c.isCompleted()).isTrue();
        });
        assertThat(thrown.getSuppressed()).singleElement().asString().contains("UnhandledErrorTest.java");
    }

    @Test
    @Tag("K44")
    void fireAndForget_isReportedAtOnce() {
        var error = new IllegalStateException("expected");
        var log = new ArrayList<String>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            Async.executor().execute(() -> throwIt(error));
            try {
                delay(1_000_000);
                log.add("not reached");
            } finally {
                log.add("main cancelled");
            }
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).containsExactly("main cancelled");
    }

    @Test
    @Tag("K44")
    void handleThatBecameUnreachable_isReportedBeforeTheRunDrains() {
        var error = new IllegalStateException("expected");
        var log = new ArrayList<String>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawn(() -> throwIt(error));
            for (int i = 0; i < 200; i++) {
                delay(1);
                Garbage.collect();
                Thread.sleep(1);
            }
            log.add("not reached");
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).isEmpty();
    }

    @Test
    @Tag("K44")
    @Tag("F50")
    void observedLate_isNotReported() {
        var error = new IllegalStateException("expected");
        TestRuntime.run(() -> {
            Coroutine<?> awaited = spawn(() -> throwIt(error));
            Coroutine<?> asked = spawn(() -> throwIt(error));
            Coroutine<?> asFuture = spawn(() -> throwIt(error));
            delay(100);
            assertThatThrownBy(() -> await(awaited)).isSameAs(error);
            assertThat(asked.exception()).isSameAs(error);
            assertThat(asFuture.toCompletableFuture()).isCompletedExceptionally();
        });
    }

    @Test
    @Tag("K44")
    @Tag("F51")
    void twoErrorsNobodyAwaited_areReportedOnceEach() {
        var first = new IllegalStateException("first");
        var second = new IllegalArgumentException("second");
        var kept = new ArrayList<Coroutine<?>>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            kept.add(spawn(() -> throwIt(first)));
            kept.add(spawn(() -> throwIt(second)));
            delay(1);
            assertThat(kept).allMatch(Completable::isCompleted);
        });
        Reference.reachabilityFence(kept); // two that are collected first are reported in any order
        assertThat(thrown).isSameAs(second).hasCause(first);
        assertThat(first).hasNoCause();
    }

    @Test
    @Tag("K44")
    void sameErrorOfTwoCoroutines_isNotItsOwnCause() {
        var error = new IllegalStateException("shared");
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawn(() -> throwIt(error));
            spawn(() -> throwIt(error));
        });
        assertThat(thrown).isSameAs(error).hasNoCause();
    }

    @Test
    @Tag("K45")
    void orderAtTheEnd_finishThenFinallyHandlersThenAwaiters() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                delay(1);
                log.add("body ends");
            });
            org.trueasync.spi.SwitchHandlers.add(c, (coroutine, entering, finishing) -> {
                if (finishing) log.add("FINISH, completed " + coroutine.isCompleted());
                return true;
            });
            c.onFinally(ended -> log.add("finally"));
            spawn(() -> {
                await(c);
                log.add("awaiter 1");
            });
            spawn(() -> {
                await(c);
                log.add("awaiter 2");
            });
            await(c);
            log.add("main");
        });
        assertThat(log)
                .hasSize(6)
                .startsWith("body ends", "FINISH, completed false", "finally")
                .contains("awaiter 1", "awaiter 2", "main");
    }

    @Test
    @Tag("K45")
    void coroutineOfTheFinallyHandlers_seesTheCoroutineGone() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {});
            var listed = new ArrayList<Boolean>();
            c.onFinally(ended -> listed.add(Async.coroutines().contains(ended)));
            suspend();
            suspend();
            assertThat(listed).containsExactly(false);
        });
    }

    @Test
    @Tag("K46")
    void bodyThatThrowsACancellationByItself_endsSilently() {
        TestRuntime.run(() -> {
            Coroutine<?> kept = spawn(() -> {
                throw new AsyncCancellation("own idea");
            });
            Async.executor().execute(() -> {
                throw new AsyncCancellation("own idea");
            });
            delay(1);
            assertThat(kept.isCancelled()).isTrue();
        });
        assertThat(new TestRuntime().<Object>call(() -> {
                    throw new AsyncCancellation("main's own idea");
                }))
                .isNull();
    }

    @Test
    @Tag("K46")
    @Tag("D16")
    void operationGivenUpByATimeout_endsNobodyElseAndIsTold() {
        TestRuntime run = TestRuntime.run(() -> {
            var scope = new Scope();
            scope.spawn(() -> await(spawn(() -> delay(100)), Async.timeout(1)));
            scope.awaitCompletion(Async.timeout(500));
            assertThat(scope.isCancelled()).isFalse();
            scope.dispose();
        });
        assertThat(run.reports())
                .singleElement()
                .asString()
                .contains("timeout 1 ms", "UnhandledErrorTest.java", "nobody awaits it");
    }

    @Test
    @Tag("K46")
    void operationGivenUpByATokenWithoutAnError_endsSilently() {
        TestRuntime run = TestRuntime.run(() -> {
            var stop = new FutureState<String>();
            spawn(() -> await(spawn(() -> delay(100)), stop.future()));
            delay(1);
            stop.complete("stop");
            delay(2_000);
        });
        assertThat(run.reports()).isEmpty();
    }

    @Test
    @Tag("D16")
    @Tag("K46")
    void mainsOwnWaitThatIsGivenUp_isAnError() {
        var log = new ArrayList<String>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> other = spawn(() -> {
                try {
                    delay(1_000_000);
                } finally {
                    log.add("the others are cancelled");
                }
            });
            await(other, Async.timeout(10));
        });
        assertThat(thrown)
                .isInstanceOf(OperationCanceledException.class)
                .hasMessageContaining("timeout 10 ms")
                .hasCauseInstanceOf(AsyncTimeoutException.class);
        assertThat(thrown.getStackTrace())
                .as("where it waited")
                .anyMatch(frame ->
                        frame.getFileName() != null && frame.getFileName().equals("UnhandledErrorTest.java"));
        assertThat(log).containsExactly("the others are cancelled");
    }

    @Test
    @Tag("K46")
    void mainThatWasCancelledWhileAWaitWasGivenUp_endsSilently() {
        TestRuntime.run(() -> {
            Coroutine<?> main = Async.currentCoroutine();
            spawn(() -> main.cancel(new AsyncCancellation("enough")));
            suspend();
            try {
                delay(10);
            } catch (AsyncCancellation e) {
                await(spawn(() -> delay(100)), Async.timeout(1));
            }
        });
    }

    @Test
    @Tag("K47")
    void mainBlockedInAnUnrelatedWait_isCancelledAndRunThrows() {
        var error = new IllegalStateException("expected");
        var log = new ArrayList<String>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawn(() -> {
                try {
                    delay(1_000_000);
                } catch (AsyncCancellation e) {
                    log.add("other cancelled because of: " + e.getCause());
                    throw e;
                }
            });
            Async.executor().execute(() -> throwIt(error));
            delay(1_000_000);
            log.add("not reached");
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).containsExactly("other cancelled because of: " + error);
    }

    @Test
    @Tag("K47")
    void mainThrows_theOthersAreCancelled() {
        var error = new IllegalStateException("expected");
        var log = new ArrayList<String>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawn(() -> {
                try {
                    delay(1_000_000);
                } finally {
                    log.add("cancelled");
                }
            });
            spawn(() -> log.add("unstarted"));
            suspend();
            throw error;
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).containsExactly("unstarted", "cancelled");
    }

    @Test
    @Tag("K38")
    void errorOfAnAwaitedCoroutine_isThrownAtTheAwait() {
        var error = new IllegalStateException("expected");
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                delay(1);
                throwIt(error);
            });
            assertThatThrownBy(() -> await(c)).isSameAs(error);
            delay(1);
        });
    }
}
