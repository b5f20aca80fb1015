package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class FinallyHandlersTest {
    @Test
    @Tag("C39")
    void handlers_runOnceOnEveryWayOut() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> returned = spawn(() -> 1);
            Coroutine<?> failed = spawn(() -> {
                throw new IllegalStateException("expected");
            });
            Coroutine<?> cancelled = spawn(() -> delay(1_000));
            Coroutine<?> unstarted = spawn(() -> {});
            returned.onFinally(c -> log.add("returned " + (c == returned)));
            failed.onFinally(c -> log.add("failed " + (c == failed)));
            cancelled.onFinally(c -> log.add("cancelled " + (c == cancelled)));
            unstarted.onFinally(c -> log.add("unstarted " + (c == unstarted)));
            unstarted.cancel();
            suspend();
            cancelled.cancel();
            delay(1);
            failed.exception();
        });
        assertThat(log).containsExactlyInAnyOrder("returned true", "failed true", "cancelled true", "unstarted true");
    }

    @Test
    @Tag("K46")
    void handlerThatEndsWithACancellation_failsNothing_andTheOthersRun() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> cancelled = spawn(() -> delay(1_000));
            cancelled.onFinally(ended -> await(ended));
            cancelled.onFinally(ended -> log.add("next"));
            suspend();
            cancelled.cancel();
            delay(1);
            log.add("main goes on");
        });
        assertThat(log).containsExactly("next", "main goes on");
    }

    @Test
    @Tag("K46")
    void handlerThatAShutdownInterrupts_leavesTheOthersTheTimeToCleanUp() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.onFinally(ended -> delay(1_000));
            scope.close();
            spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    delay(5);
                    log.add("cleaned up");
                }
            });
            delay(1);
            Async.gracefulShutdown();
        });
        assertThat(log).containsExactly("cleaned up");
    }

    @Test
    @Tag("C39")
    void handlers_runInOrderOfRegistration() {
        var log = new ArrayList<Integer>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {});
            for (int i = 0; i < 10; i++) {
                int number = i;
                c.onFinally(ended -> log.add(number));
            }
        });
        assertThat(log).containsExactly(0, 1, 2, 3, 4, 5, 6, 7, 8, 9);
    }

    @Test
    @Tag("C39")
    void registeredAfterTheEnd_runsAtOnceInTheCaller() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {});
            suspend();
            var log = new ArrayList<Object>();
            var stats = TestRuntime.counting(() -> c.onFinally(ended -> log.add(currentCoroutine())));
            assertThat(log).containsExactly(currentCoroutine());
            assertThat(stats.switches()).isZero();
            var error = new IllegalStateException("expected");
            assertThatThrownBy(() -> c.onFinally(ended -> {
                        throw error;
                    }))
                    .isSameAs(error);
        });
    }

    @Test
    @Tag("C39")
    void handlerSeesTheOutcome() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            Coroutine<Integer> c = spawn(() -> {
                throw error;
            });
            var seen = new ArrayList<Object>();
            c.onFinally(ended -> {
                seen.add(ended.isCompleted());
                seen.add(ended.exception());
            });
            delay(1);
            assertThat(seen).containsExactly(true, error);
        });
    }

    @Test
    @Tag("C40")
    void handlers_runInACoroutineOfTheirOwnAndMayWait() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {});
            c.onFinally(ended -> {
                assertThat(currentCoroutine()).isNotSameAs(ended);
                delay(10);
                log.add("first");
                await(spawn(() -> log.add("spawned")));
            });
            c.onFinally(ended -> log.add("second"));
            await(c);
            log.add("main goes on");
        });
        assertThat(log).containsExactly("main goes on", "first", "spawned", "second");
    }

    @Test
    @Tag("C41")
    void oneThatThrows_doesNotStopTheRestAndItsErrorIsUnhandled() {
        var log = new ArrayList<String>();
        var error = new IllegalStateException("expected");
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> c = spawn(() -> {});
            c.onFinally(ended -> {
                throw error;
            });
            c.onFinally(ended -> log.add("second"));
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).containsExactly("second");
    }

    @Test
    @Tag("C41")
    @Tag("U23")
    void severalThatThrow_becomeOneCompositeInThrowOrder() {
        var errors = new ArrayList<Throwable>();
        for (int i = 0; i < 3; i++) errors.add(new IllegalStateException("error " + i));
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> c = spawn(() -> {});
            for (Throwable error : errors) {
                c.onFinally(ended -> {
                    throw (IllegalStateException) error;
                });
            }
        });
        assertThat(thrown).isInstanceOfSatisfying(CompositeException.class, e -> assertThat(e.exceptions())
                .isEqualTo(errors));
    }

    @Test
    @Tag("C41")
    void bodyErrorAndHandlerError_neitherIsLost() {
        var body = new IllegalStateException("body");
        var handler = new IllegalArgumentException("handler");
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<?> c = spawn(() -> {
                throw body;
            });
            c.onFinally(ended -> {
                throw handler;
            });
        });
        var all = new ArrayList<Throwable>();
        for (Throwable t = thrown; t != null; t = t.getCause()) all.add(t);
        assertThat(all).containsExactlyInAnyOrder(body, handler);
    }

    @Test
    @Tag("C39")
    void handlersOfMain_runAndTheRunWaitsForThem() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            currentCoroutine().onFinally(main -> {
                delay(10);
                log.add("finally");
            });
            log.add("main");
        });
        assertThat(log).containsExactly("main", "finally");
    }

    @Test
    @Tag("C43")
    void cancelledCoroutines_unwindInQueueOrder() {
        var log = new ArrayList<Integer>();
        TestRuntime.run(() -> {
            for (int i = 0; i < 5; i++) {
                int number = i;
                spawn(() -> {
                    try {
                        if (number == 3) suspend();
                        else delay(1_000);
                    } finally {
                        log.add(number);
                    }
                });
            }
            suspend();
            Async.gracefulShutdown();
        });
        // number 3 stood in the queue already and keeps its place
        assertThat(log).containsExactly(3, 0, 1, 2, 4);
    }
}
