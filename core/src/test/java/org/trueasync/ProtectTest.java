package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.util.ArrayList;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * A deferred cancellation comes at the first wait after the outermost section, as the acceptance programs want it, so
 * that no value is lost.
 */
class ProtectTest {
    private static final AsyncCancellation REASON = new AsyncCancellation("given reason");

    @Test
    @Tag("C8")
    void section_runsInlineAndItsValueIsReturned() {
        TestRuntime.run(() -> {
            spawn(() -> {});
            var stats = TestRuntime.counting(
                    () -> assertThat(protect(() -> currentCoroutine().toString()))
                            .isEqualTo(currentCoroutine().toString()));
            assertThat(stats.switches()).isZero();
            String none = protect(() -> null);
            assertThat(none).isNull();
        });
    }

    @Test
    @Tag("C8")
    void sectionThatThrows_itsErrorPasses() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            var checked = new IOException("expected");
            assertThatThrownBy(() -> protect(() -> {
                        throw error;
                    }))
                    .isSameAs(error);
            assertThatThrownBy(() -> protect(() -> {
                        throw checked;
                    }))
                    .satisfies(
                            e -> assertThat(e == checked || e instanceof CompletionException && e.getCause() == checked)
                                    .isTrue());
            delay(1);
        });
    }

    @Test
    @Tag("C8")
    @Tag("C9")
    @Tag("F33")
    void cancelDuringTheSection_isDeferredToTheFirstWaitAfterIt() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                String value = protect(() -> {
                    for (int i = 0; i < 3; i++) {
                        delay(5);
                        suspend();
                        log.add("inside " + i);
                    }
                    return "value";
                });
                log.add("section gave " + value);
                assertThatThrownBy(() -> delay(1)).isSameAs(REASON);
                delay(1);
                log.add("delivered once");
            });
            suspend();
            c.cancel(REASON);
            assertThat(c.isCancellationRequested()).isTrue();
            await(c);
        });
        assertThat(log).containsExactly("inside 0", "inside 1", "inside 2", "section gave value", "delivered once");
    }

    @Test
    @Tag("C9")
    void severalCancels_theFirstWins() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                protect(() -> delay(5));
                assertThatThrownBy(() -> delay(1)).isSameAs(REASON);
                delay(1);
            });
            suspend();
            c.cancel(REASON);
            c.cancel(new AsyncCancellation("second"));
            await(c);
        });
    }

    @Test
    @Tag("C10")
    void coroutineThatDoesNotWaitAgain_endsCancelled() {
        TestRuntime.run(() -> {
            Coroutine<String> c = spawn(() -> protect(() -> {
                delay(5);
                return "value";
            }));
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            assertThat(c.result()).isNull();
            assertThat(c.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("C11")
    void sectionThatThrowsAndACancel_theCancellationCarriesTheError() {
        TestRuntime.run(() -> {
            var reason = new AsyncCancellation("fresh");
            var error = new IllegalStateException("expected");
            Coroutine<?> c = spawn(() -> protect(() -> {
                delay(5);
                throw error;
            }));
            suspend();
            c.cancel(reason);
            assertThatThrownBy(() -> await(c)).isSameAs(reason);
            assertThat(reason.getSuppressed()).contains(error);
        });
    }

    @Test
    @Tag("D30")
    void sectionThatThrowsAndACancel_isReportedOnceWithTheCancellation() {
        var runtime = new TestRuntime();
        runtime.start(() -> {
            Coroutine<?> c = spawn(
                    "committer",
                    () -> protect(() -> protect(() -> {
                        delay(5);
                        throw new IllegalStateException("not committed");
                    })));
            Coroutine<?> succeeds = spawn(() -> protect(() -> delay(5)));
            suspend();
            c.cancel("the client has left");
            succeeds.cancel();
            delay(10);
            assertThat(c.isCancelled()).isTrue();
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .contains("'committer'", "the client has left", "IllegalStateException: not committed\n\tat ");
    }

    @Test
    @Tag("D30")
    void sectionThatThrowsAndACancel_isNotReportedToWhoGetsIt() {
        var runtime = new TestRuntime();
        var error = new IllegalStateException("not committed");
        runtime.start(() -> {
            Coroutine<?> c = spawn(() -> protect(() -> {
                delay(5);
                throw error;
            }));
            suspend();
            c.cancel("the client has left");
            delay(10);
            assertThatThrownBy(() -> await(c))
                    .satisfies(e -> assertThat(e.getSuppressed()).contains(error));
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    @Tag("C11")
    void sectionThatThrowsAndACancel_isThrownAtTheExitAndOnce() {
        TestRuntime.run(() -> {
            var reason = new AsyncCancellation("fresh");
            Coroutine<?> c = spawn(() -> {
                assertThatThrownBy(() -> protect(() -> {
                            delay(5);
                            throw new IllegalStateException("expected");
                        }))
                        .isSameAs(reason);
                delay(5);
            });
            suspend();
            c.cancel(reason);
            await(c);
        });
    }

    @Test
    @Tag("C12")
    void nestedSections_protectToTheOutermostExit() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                protect(() -> {
                    protect(() -> delay(5));
                    log.add("inner ended");
                    delay(5);
                    suspend();
                    log.add("outer goes on");
                });
                delay(5);
                log.add("not reached");
            });
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
        assertThat(log).containsExactly("inner ended", "outer goes on");
    }

    @Test
    @Tag("C12")
    void nestedSectionThatThrows_leavesTheOuterProtectionInPlace() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                protect(() -> {
                    try {
                        protect(() -> {
                            delay(5);
                            throw new IllegalStateException("expected");
                        });
                    } catch (IllegalStateException e) {
                        // goes on, still protected
                    }
                    delay(5);
                });
                assertThatThrownBy(() -> delay(5)).isSameAs(REASON);
            });
            suspend();
            c.cancel(REASON);
            suspend();
            await(c);
        });
    }

    @Test
    @Tag("C12")
    void protectionsOfTwoCoroutines_areIndependent() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> careful = spawn(() -> protect(() -> {
                delay(10);
                log.add("protected one ends");
            }));
            Coroutine<?> plain = spawn(() -> {
                try {
                    delay(10);
                } finally {
                    log.add("plain one interrupted");
                }
            });
            suspend();
            careful.cancel();
            plain.cancel();
        });
        assertThat(log).containsExactly("plain one interrupted", "protected one ends");
    }

    @Test
    @Tag("C12")
    void deadlock_overridesProtection() {
        Throwable thrown = TestRuntime.failureOf(() -> protect(() -> await(new FutureState<String>().future())));
        assertThat(thrown).isInstanceOf(DeadlockError.class);
    }

    @Test
    @Tag("D13")
    void cancelledBeforeTheSection_isThrownAtItsEntryAndOnce() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                currentCoroutine().cancel(REASON);
                assertThatThrownBy(() -> protect(() -> {
                            log.add("not reached");
                        }))
                        .isSameAs(REASON);
                protect(() -> {
                    delay(5);
                    log.add("section done");
                });
                suspend();
                log.add("went on");
            });
            await(c);
        });
        assertThat(log).containsExactly("section done", "went on");
    }

    @Test
    @Tag("D13")
    void sectionInsideOfASection_isEntered() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                protect(() -> {
                    delay(5); // cancelled here
                    protect(() -> {
                        delay(5);
                        log.add("inner done");
                    });
                    log.add("outer done");
                });
                log.add("value kept");
                protect(() -> {
                    log.add("not reached");
                });
            });
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
        assertThat(log).containsExactly("inner done", "outer done", "value kept");
    }

    @Test
    @Tag("D13")
    void loopOfSections_isLeftAtTheNextOne() {
        TestRuntime.run(() -> {
            int[] sections = new int[1];
            Coroutine<?> c = spawn(() -> {
                while (sections[0] < 100)
                    protect(() -> {
                        sections[0]++;
                        delay(1);
                    });
            });
            suspend();
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
            assertThat(sections[0]).isEqualTo(1);
        });
    }

    @Test
    @Tag("D14")
    void interruptStatusSetBefore_isHiddenFromTheSectionAndThereAfterIt() {
        TestRuntime.run(() -> {
            await(spawn(() -> {
                Thread.currentThread().interrupt();
                protect(() -> Thread.sleep(1));
                assertThat(Thread.interrupted()).isTrue();
                protect(() -> assertThat(Thread.currentThread().isInterrupted()).isFalse());
                assertThat(Thread.currentThread().isInterrupted()).isFalse();
            }));
        });
    }

    @Test
    @Tag("C8")
    void sectionOver_cancellationWorksAsBefore() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                protect(() -> delay(1));
                delay(1_000);
            });
            delay(5);
            c.cancel(REASON);
            assertThatThrownBy(() -> await(c)).isSameAs(REASON);
        });
    }
}
