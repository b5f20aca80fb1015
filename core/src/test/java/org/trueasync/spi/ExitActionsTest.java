package org.trueasync.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.TestRuntime;

class ExitActionsTest {
    @Test
    void theyRunInTheCoroutineBeforeAnybodyIsTold_theLastAddedFirst() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<String> c = spawn(() -> {
                Coroutine<?> self = Async.currentCoroutine();
                ExitActions.add(() -> {
                    delay(5);
                    log.add("first, same coroutine: " + (Async.currentCoroutine() == self));
                });
                ExitActions.add(() -> log.add("second, completed: " + self.isCompleted()));
                self.onFinally(x -> log.add("finally"));
                return "value";
            });
            log.add(await(c));
        });
        assertThat(log).containsExactly("second, completed: false", "first, same coroutine: true", "finally", "value");
    }

    @Test
    void afterACancellation_theyMayWait() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                ExitActions.add(() -> {
                    suspend();
                    Async.currentCoroutine().cancel();
                    delay(5);
                    log.add("done");
                });
                delay(1_000_000);
            });
            suspend();
            c.cancel();
            assertThatThrownBy(() -> await(c)).isInstanceOf(AsyncCancellation.class);
        });
        assertThat(log).containsExactly("done");
    }

    @Test
    void addedWhenItIsTooLate_refused() {
        var log = new ArrayList<String>();
        Runnable tooLate = () -> {
            try {
                ExitActions.add(() -> log.add("run"));
                log.add("accepted");
            } catch (AsyncException e) {
                log.add("refused");
            }
        };
        TestRuntime.run(() -> {
            await(spawn(() -> SwitchHandlers.add((coroutine, entering, finishing) -> {
                if (finishing) tooLate.run();
                return true;
            })));
        });
        assertThat(log).containsExactly("refused");
    }

    @Test
    void whatOneThrows_theCoroutineFailsWith() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            var second = new IllegalArgumentException("expected, too");
            Coroutine<?> c = spawn(() -> {
                ExitActions.add(() -> {
                    throw second;
                });
                ExitActions.add(() -> {
                    throw error;
                });
            });
            assertThatThrownBy(() -> await(c)).isSameAs(error).hasSuppressedException(second);
        });
    }

    @Test
    void whoAsksInOneForTheError_hasNotSeenItYet() {
        var error = new IllegalStateException("expected");
        var asked = new ArrayList<Object>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawn(() -> {
                Coroutine<?> self = Async.currentCoroutine();
                ExitActions.add(() -> asked.add(self.exception()));
                throw error;
            });
            delay(1_000);
        });
        assertThat(asked).containsOnlyNulls().hasSize(1);
        assertThat(thrown).isSameAs(error);
    }

    @Test
    void ofMain_theyRunBeforeTheRunEnds() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            ExitActions.add(() -> {
                delay(1);
                log.add("done");
            });
            log.add("main");
        });
        assertThat(log).containsExactly("main", "done");
    }

    @Test
    void outsideOfACoroutine_isRefused() {
        assertThatThrownBy(() -> ExitActions.add(() -> {})).isInstanceOf(AsyncException.class);
    }
}
