package org.trueasync.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TalkingEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;

class SwitchHandlersTest {
    private static SwitchHandler writes(String name, List<String> log) {
        return (coroutine, entering, finishing) -> {
            log.add(name + (finishing ? " FINISH" : entering ? " ENTER" : " LEAVE"));
            return true;
        };
    }

    @Test
    @Tag("K49")
    void handler_seesEnterLeaveAndFinishOfItsCoroutineOnly() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                log.add("c1");
                suspend();
                log.add("c2");
                delay(1);
                log.add("c3");
            });
            spawn(() -> {
                log.add("peer1");
                suspend();
                log.add("peer2");
            });
            SwitchHandlers.add(c, writes("c", log));
        });
        assertThat(log)
                .containsExactly(
                        "c ENTER",
                        "c1",
                        "c LEAVE",
                        "peer1",
                        "c ENTER",
                        "c2",
                        "c LEAVE",
                        "peer2",
                        "c ENTER",
                        "c3",
                        "c FINISH");
    }

    @Test
    @Tag("K49")
    void handler_isGivenItsCoroutine() {
        TestRuntime.run(() -> {
            var seen = new ArrayList<Coroutine<?>>();
            Coroutine<?> c = spawn(() -> delay(1));
            SwitchHandlers.add(c, (coroutine, entering, finishing) -> seen.add(coroutine));
            await(c);
            assertThat(seen).hasSize(4).containsOnly(c);
        });
    }

    @Test
    @Tag("K49")
    void failedAndCancelledCoroutines_finishToo() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> fails = spawn(() -> {
                throw new IllegalStateException("expected");
            });
            SwitchHandlers.add(fails, writes("fails", log));
            Coroutine<?> cancelled = spawn(() -> delay(10));
            SwitchHandlers.add(cancelled, writes("cancelled", log));
            suspend();
            cancelled.cancel();
            suspend();
            fails.exception();
        });
        assertThat(log)
                .containsExactly(
                        "fails ENTER",
                        "fails FINISH",
                        "cancelled ENTER",
                        "cancelled LEAVE",
                        "cancelled ENTER",
                        "cancelled FINISH");
    }

    @Test
    @Tag("K49")
    void coroutineParkedByTheJdk_leavesAndEntersOnce() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var gate = new CompletableFuture<Void>();
            Coroutine<?> c = spawn(() -> {
                log.add("c1");
                gate.join();
                log.add("c2");
            });
            SwitchHandlers.add(c, writes("c", log));
            spawn(() -> {
                log.add("peer");
                gate.complete(null);
            });
        });
        assertThat(log).containsExactly("c ENTER", "c1", "c LEAVE", "peer", "c ENTER", "c2", "c FINISH");
    }

    @Test
    @Tag("K49")
    void coroutineThatYieldsTheJdkWay_leavesBeforeAnybodyElseRuns() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                log.add("c1");
                Thread.yield();
                log.add("c2");
            });
            SwitchHandlers.add(c, writes("c", log));
            spawn(() -> log.add("peer"));
        });
        assertThat(log).containsExactly("c ENTER", "c1", "c LEAVE", "peer", "c ENTER", "c2", "c FINISH");
    }

    @Test
    @Tag("K50")
    void oneShot_isCalledOnce() {
        TestRuntime.run(() -> {
            int[] calls = new int[1];
            SwitchHandlers.add((c, entering, finishing) -> {
                calls[0]++;
                return false;
            });
            for (int i = 0; i < 5; i++) delay(1);
            assertThat(calls[0]).isEqualTo(1);
        });
    }

    @Test
    @Tag("K50")
    void handlers_runInOrderOfRegistrationAndMayLeaveDuringTheRound() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> delay(1));
            SwitchHandlers.add(c, writes("first", log));
            SwitchHandlers.add(c, (coroutine, entering, finishing) -> {
                log.add("once");
                return false;
            });
            SwitchHandlers.add(c, writes("last", log));
        });
        assertThat(log)
                .containsExactly(
                        "first ENTER",
                        "once",
                        "last ENTER",
                        "first LEAVE",
                        "last LEAVE",
                        "first ENTER",
                        "last ENTER",
                        "first FINISH",
                        "last FINISH");
    }

    @Test
    @Tag("K50")
    void handlerAddedDuringTheRound_isCalledFromTheNextOneOn() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(Async::suspend);
            SwitchHandlers.add(c, (coroutine, entering, finishing) -> {
                SwitchHandlers.add(coroutine, writes("added", log));
                log.add("adds");
                return false;
            });
            suspend();
        });
        assertThat(log).containsExactly("adds", "added LEAVE", "added ENTER", "added FINISH");
    }

    @Test
    @Tag("K51")
    void fastPath_callsNoHandler() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            Coroutine<Integer> done = spawn(() -> 1);
            suspend();
            SwitchHandlers.add(writes("main", log));
            await(done);
            suspend();
            Waker.current().await();
            await(CompletableFuture.completedFuture(1));
            assertThat(log).isEmpty();
        });
    }

    @Test
    @Tag("K52")
    void withoutACoroutine_attachesToTheCurrentOne() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                SwitchHandlers.add(writes("child", log));
                suspend();
            });
            suspend();
            suspend();
        });
        assertThat(log).containsExactly("child LEAVE", "child ENTER", "child FINISH");
    }

    @Test
    @Tag("K52")
    void beforeTheStart_attachesToTheNextMainOfThisThreadOnly() {
        var log = new ArrayList<String>();
        SwitchHandlers.add(writes("main", log));
        Async.runtime().reactor(VirtualReactor::new).run(() -> {
            log.add("first run");
            spawn(() -> log.add("child"));
        });
        Async.runtime().reactor(VirtualReactor::new).run(() -> log.add("second run"));
        assertThat(log).containsExactly("main ENTER", "first run", "main FINISH", "child", "second run");
    }

    @Test
    @Tag("K52")
    void toACompletedCoroutine_isRefused() {
        TestRuntime.run(() -> {
            Coroutine<?> done = spawn(() -> {});
            suspend();
            assertThatThrownBy(() -> SwitchHandlers.add(done, writes("done", new ArrayList<>())))
                    .isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("K53")
    void mainStartHandler_firesAsEnterOfEveryMainUntilTakenBack() {
        var log = new ArrayList<String>();
        try (SwitchHandlers.Registration registration = SwitchHandlers.addToMainAtStart(writes("main", log))) {
            assertThat(registration).isNotNull();
            TestRuntime.run(() -> {
                log.add("body");
                spawn(() -> log.add("child"));
            });
            TestRuntime.run(() -> log.add("second body"));
        }
        TestRuntime.run(() -> log.add("third body"));
        assertThat(log)
                .containsExactly(
                        "main ENTER",
                        "body",
                        "main FINISH",
                        "child",
                        "main ENTER",
                        "second body",
                        "main FINISH",
                        "third body");
    }

    @Test
    @Tag("K53")
    void mainStartHandler_isCalledInTheMainCoroutine() {
        var seen = new ArrayList<Object>();
        try (var registration = SwitchHandlers.addToMainAtStart((c, entering, finishing) -> {
            seen.add(c == currentCoroutine());
            return false;
        })) {
            assertThat(registration).isNotNull();
            TestRuntime.run(() -> {});
        }
        assertThat(seen).containsExactly(true);
    }

    @Test
    @Tag("K54")
    void throwsOnEnterAtTheStart_theCoroutineFailsWithItAndTheBodyDoesNotRun() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var error = new IllegalStateException("in a handler");
            Coroutine<?> c = spawn(() -> log.add("body"));
            SwitchHandlers.add(c, (coroutine, entering, finishing) -> {
                if (entering) throw error;
                return true;
            });
            SwitchHandlers.add(c, writes("other", log));
            assertThatThrownBy(() -> await(c)).isSameAs(error);
        });
        assertThat(log).containsExactly("other ENTER", "other FINISH");
    }

    @Test
    @Tag("K49")
    void throwsOnEnterAfterASuspension_theSuspensionThrowsIt() {
        var error = new IllegalStateException("in a handler");
        TestRuntime.run(() -> {
            boolean[] left = new boolean[1];
            SwitchHandlers.add((coroutine, entering, finishing) -> {
                if (!entering) left[0] = true;
                else if (left[0]) throw error;
                return true;
            });
            assertThatThrownBy(() -> delay(1)).isSameAs(error);
        });
    }

    @Test
    @Tag("K54")
    void throwsOnLeave_theSuspensionThrowsItAndTheOthersStillRun() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var error = new IllegalStateException("in a handler");
            Coroutine<?> c = spawn(() -> {
                assertThatThrownBy(() -> delay(1)).isSameAs(error);
                delay(1);
            });
            boolean[] thrown = new boolean[1];
            SwitchHandlers.add(c, (coroutine, entering, finishing) -> {
                if (entering || finishing || thrown[0]) return true;
                thrown[0] = true;
                throw error;
            });
            SwitchHandlers.add(c, writes("other", log));
            await(c);
        });
        assertThat(log)
                .containsExactly(
                        "other ENTER", "other LEAVE", "other ENTER", "other LEAVE", "other ENTER", "other FINISH");
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("K54")
    void throwsAroundAWaitInJdkCode_theCoroutineEndsWithItAndTheOthersGoOn(boolean entering) {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("in a handler");
            Coroutine<?> c = spawn(() -> {
                SwitchHandlers.add((coroutine, entered, finishing) -> {
                    if (entered == entering && !finishing) throw error;
                    return true;
                });
                Thread.sleep(1);
            });
            Coroutine<String> other = spawn(() -> {
                delay(10);
                return "went on";
            });
            assertThatThrownBy(() -> await(c)).isSameAs(error);
            assertThat(await(other)).isEqualTo("went on");
        });
    }

    @Test
    @Tag("K54")
    void throwsAroundAWaitInJdkCode_theNextWaitThrowsIt() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("in a handler");
            Coroutine<String> c = spawn(() -> {
                boolean[] once = {true};
                SwitchHandlers.add((coroutine, entering, finishing) -> {
                    if (!entering && once[0]) {
                        once[0] = false;
                        throw error;
                    }
                    return true;
                });
                Thread.sleep(1);
                assertThatThrownBy(() -> delay(1)).isSameAs(error);
                delay(1);
                return "done";
            });
            assertThat(await(c)).isEqualTo("done");
        });
    }

    @Test
    @Tag("K54")
    void throwsOnLeave_theWaitCanStillBeCancelled() {
        TestRuntime.run(runtime -> {
            Coroutine<?> c = spawn(() -> delay(3_600_000));
            SwitchHandlers.add(c, (coroutine, entering, finishing) -> {
                if (!entering && !finishing) throw new IllegalStateException("in a handler");
                return true;
            });
            delay(1);
            c.cancel();
            assertThatThrownBy(() -> await(c)).isInstanceOf(AsyncCancellation.class);
            assertThat(c.exception().getSuppressed())
                    .extracting(Throwable::getMessage)
                    .contains("in a handler");
            assertThat(runtime.reactor().nanoTime()).isLessThan(1_000_000_000L);
        });
    }

    @Test
    @Tag("K49")
    void handlerAddedInTheLeaveRound_theOthersGetTheirEnter() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                SwitchHandlers.add(writes("first", log));
                SwitchHandlers.add((coroutine, entering, finishing) -> {
                    SwitchHandlers.add(coroutine, writes("second", log));
                    return false;
                });
                delay(1);
                delay(1);
            });
            await(c);
        });
        assertThat(log)
                .containsExactly(
                        "first LEAVE",
                        "first ENTER",
                        "second ENTER",
                        "first LEAVE",
                        "second LEAVE",
                        "first ENTER",
                        "second ENTER",
                        "first FINISH",
                        "second FINISH");
    }

    @Test
    @Tag("K49")
    void lastHandlerLeftAtEnter_oneAddedWhileItWaitsGetsItsEnter() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                SwitchHandlers.add((coroutine, entering, finishing) -> !entering);
                delay(1);
                delay(10);
            });
            delay(5);
            SwitchHandlers.add(c, writes("late", log));
            await(c);
        });
        assertThat(log).containsExactly("late ENTER", "late FINISH");
    }

    @Test
    @Tag("K49")
    void handlerAddedByAMicrotaskDuringTheSwitch_getsItsEnter() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                Coroutine<?> self = currentCoroutine();
                Microtask.of(() -> SwitchHandlers.add(self, writes("late", log)))
                        .enqueue();
                delay(1);
            });
            await(c);
        });
        assertThat(log).containsExactly("late ENTER", "late FINISH");
    }

    @Test
    @Tag("K54")
    void throwsOnLeaveAndTheWaitFails_neitherErrorIsLost() {
        TestRuntime.run(() -> {
            var fromHandler = new IllegalStateException("in a handler");
            var fromEvent = new IllegalArgumentException("of the event");
            var event = new ManualEvent("door");
            Coroutine<?> c = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(event, ResumeCallback.RESOLVE);
                waker.await();
            });
            SwitchHandlers.add(c, (coroutine, entering, finishing) -> {
                if (!entering && !finishing) throw fromHandler;
                return true;
            });
            suspend();
            event.fail(fromEvent);
            suspend();
            Throwable outcome = c.exception();
            assertThat(outcome).isNotNull();
            var all = new ArrayList<Throwable>(List.of(outcome));
            if (outcome.getCause() != null) all.add(outcome.getCause());
            all.addAll(List.of(outcome.getSuppressed()));
            assertThat(all).contains(fromHandler, fromEvent);
        });
    }

    @Test
    @Tag("K54")
    void throwsOnFinish_theCoroutineFailsWithIt() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("in a handler");
            Coroutine<Integer> c = spawn(() -> 1);
            SwitchHandlers.add(c, (coroutine, entering, finishing) -> {
                if (finishing) throw error;
                return true;
            });
            assertThatThrownBy(() -> await(c)).isSameAs(error);
            assertThat(c.result()).isNull();
        });
    }

    @Test
    @Tag("K54")
    void whoAsksForTheErrorOnFinish_hasNotSeenItYet() {
        var error = new IllegalStateException("expected");
        var asked = new ArrayList<Throwable>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            spawn(() -> {
                SwitchHandlers.add((coroutine, entering, finishing) -> asked.add(coroutine.exception()));
                throw error;
            });
            delay(1_000);
        });
        assertThat(asked).containsOnlyNulls().hasSize(1);
        assertThat(thrown).isSameAs(error);
    }

    /** To ask an error for its text forbids to wait as well, and must not lift the ban that was there. */
    @Test
    @Tag("K35")
    void handlerThatMakesAReport_stillMayNotSuspendAfterIt() {
        TestRuntime.run(() -> {
            Coroutine<?> other = spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(
                        new TalkingEvent(() -> {
                            throw new IllegalStateException("of the event");
                        }),
                        ResumeCallback.RESOLVE);
                waker.await();
            });
            suspend();
            Coroutine<?> c = spawn(() -> {});
            SwitchHandlers.add(c, (coroutine, entering, finishing) -> {
                assertThat(other.awaitingInfo()).singleElement().asString().contains("of the event");
                delay(1);
                return true;
            });
            assertThatThrownBy(() -> await(c))
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("a switch handler may not suspend");
            other.cancel();
        });
    }

    @Test
    @Tag("K35")
    void handlerThatTriesToSuspend_isRefusedAndTheWaitIsNotDisturbed() {
        var refused = new ArrayList<Throwable>();
        TestRuntime.run(runtime -> {
            spawn(() -> suspend());
            SwitchHandlers.add((coroutine, entering, finishing) -> {
                try {
                    delay(7);
                } catch (AsyncException e) {
                    refused.add(e);
                }
                return false;
            });
            long start = runtime.reactor().nanoTime();
            delay(50);
            assertThat(runtime.reactor().nanoTime() - start).isEqualTo(50_000_000);
        });
        assertThat(refused).hasSize(1);
    }

    @Test
    @Tag("K55")
    void cleanupActions_runOnceEachOneAfterAnother() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            for (int i = 1; i <= 3; i++) {
                int number = i;
                Cleanup.atEnd(() -> log.add(
                        "cleanup " + number + " in #" + currentCoroutine().id()));
            }
            delay(10);
            log.add("main");
        });
        assertThat(log).hasSize(4).startsWith("main");
        String coroutine = log.get(1).substring(log.get(1).indexOf('#'));
        assertThat(log.subList(1, 4))
                .containsExactly("cleanup 3 in " + coroutine, "cleanup 2 in " + coroutine, "cleanup 1 in " + coroutine);
    }

    @Test
    @Tag("K55")
    void cleanupActionThatSuspends_doesNotHoldTheNextUp() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Cleanup.atEnd(() -> log.add("third"));
            Cleanup.atEnd(() -> {
                log.add("second begins");
                delay(20);
                log.add("second goes on");
                delay(20);
                log.add("second ends");
            });
            Cleanup.atEnd(() -> {
                log.add("first begins");
                delay(30);
                log.add("first ends");
            });
        });
        assertThat(log)
                .containsExactly(
                        "first begins", "second begins", "third", "second goes on", "first ends", "second ends");
    }

    @Test
    @Tag("K55")
    void cleanupActionThatSuspends_theNextComesBeforeWhatItSpawned() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Cleanup.atEnd(() -> log.add("next"));
            Cleanup.atEnd(() -> {
                spawn(() -> log.add("spawned"));
                suspend();
            });
        });
        assertThat(log).containsExactly("next", "spawned");
    }

    @Test
    @Tag("K55")
    void cleanupActionBlockedInJdkCode_doesNotHoldTheNextUp() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var second = new CountDownLatch(1);
            Cleanup.atEnd(() -> {
                log.add("second");
                second.countDown();
            });
            Cleanup.atEnd(() -> {
                log.add("first begins");
                second.await();
                log.add("first ends");
            });
        });
        assertThat(log).containsExactly("first begins", "second", "first ends");
    }

    @Test
    @Tag("K55")
    void cleanupActionThatThrows_doesNotKeepTheOthersFromRunning() {
        var log = new ArrayList<String>();
        var error = new IllegalStateException("expected");
        Throwable thrown = TestRuntime.failureOf(() -> {
            Cleanup.atEnd(() -> log.add("last"));
            Cleanup.atEnd(() -> {
                throw error;
            });
            Cleanup.atEnd(() -> log.add("first"));
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).containsExactly("first", "last");
    }

    @Test
    @Tag("K46")
    @Tag("K55")
    void cleanupActionThatThrowsACancellation_isNoError() {
        TestRuntime.run(() -> Cleanup.atEnd(() -> {
            throw new org.trueasync.AsyncCancellation("own idea");
        }));
    }

    @Test
    @Tag("K55")
    void cleanupAfterAnUnhandledError_stillRuns() {
        var log = new ArrayList<String>();
        var error = new IllegalStateException("expected");
        Throwable thrown = TestRuntime.failureOf(() -> {
            Cleanup.atEnd(() -> log.add("cleanup"));
            throw error;
        });
        assertThat(thrown).isSameAs(error);
        assertThat(log).containsExactly("cleanup");
    }

    @Test
    @Tag("K55")
    void cleanupAfterASecondUnhandledError_stillRuns() {
        var log = new ArrayList<String>();
        TestRuntime.failureOf(() -> {
            Cleanup.atEnd(() -> log.add("cleanup"));
            Coroutine<?> c = spawn(() -> {
                try {
                    delay(1_000);
                } finally {
                    Async.executor().execute(() -> {
                        throw new IllegalStateException("second");
                    });
                }
            });
            suspend();
            assertThat(c.isSuspended()).isTrue();
            throw new IllegalStateException("first");
        });
        assertThat(log).containsExactly("cleanup");
    }

    @Test
    @Tag("K55")
    void cleanupAfterADeadlock_stillRuns() {
        var log = new ArrayList<String>();
        TestRuntime.failureOf(() -> {
            Cleanup.atEnd(() -> log.add("cleanup"));
            Waker waker = Waker.current();
            waker.resumeWhen(new ManualEvent("never"), ResumeCallback.RESOLVE);
            waker.await();
        });
        assertThat(log).containsExactly("cleanup");
    }

    @Test
    @Tag("K55")
    void cleanupRegisteredByACleanup_runsToo() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> Cleanup.atEnd(() -> {
            log.add("outer");
            Cleanup.atEnd(() -> log.add("inner"));
        }));
        assertThat(log).containsExactly("outer", "inner");
    }

    @Test
    @Tag("K53")
    void mainStartHandlerRegisteredTwice_eachRegistrationEndsItselfOnly() {
        var log = new ArrayList<String>();
        var handler = writes("main", log);
        var first = SwitchHandlers.addToMainAtStart(handler);
        try (var second = SwitchHandlers.addToMainAtStart(handler)) {
            assertThat(second).isNotNull();
            first.close();
            first.close();
            TestRuntime.run(() -> {});
        }
        TestRuntime.run(() -> {});
        assertThat(log).containsExactly("main ENTER", "main FINISH");
    }
}
