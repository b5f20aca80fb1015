package org.trueasync.spi;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.ThreadTask;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.kernel.Wakers;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;

class WakerTest {
    private static Object waitFor(Event... events) {
        Waker waker = Waker.current();
        for (Event event : events) waker.resumeWhen(event, ResumeCallback.RESOLVE);
        return waker.await();
    }

    private static WakerStatus statusOf(Coroutine<?> c) {
        return Wakers.of(c).status();
    }

    /**
     * Its own wait has taken the place of the one that was being armed, for which nobody would wake the coroutine any
     * more.
     */
    @Test
    void eventThatWaitsWhenItIsArmed_theOuterWaitIsOver() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("busy").whenArmed(() -> Async.delay(1));
            assertThat(waitFor(event, new ManualEvent("never"))).isNull();
            assertThat(event.armed()).isEqualTo(event.disarmed());
        });
    }

    @Test
    @Tag("K36")
    void status_goesThroughItsCycle() {
        var seen = new ArrayList<WakerStatus>();
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            Coroutine<?> c = spawn(() -> {
                seen.add(statusOf(currentCoroutine()));
                SwitchHandlers.add((self, entering, finishing) -> {
                    if (!finishing) seen.add(statusOf(self));
                    return true;
                });
                waitFor(event);
                seen.add(statusOf(currentCoroutine()));
            });
            suspend();
            seen.add(statusOf(c));
            event.fire("open");
            seen.add(statusOf(c));
        });
        assertThat(seen)
                .containsExactly(
                        WakerStatus.NO_STATUS, // running
                        WakerStatus.WAITING, // LEAVE
                        WakerStatus.WAITING,
                        WakerStatus.QUEUED,
                        WakerStatus.RESULT, // ENTER
                        WakerStatus.NO_STATUS);
    }

    @Test
    @Tag("K36")
    @Tag("K40")
    void cancelledBeforeItBegan_isIgnoredAndFinalisedWithoutRunning() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> log.add("body"));
            c.onFinally(ended -> log.add("finally, started " + ended.isStarted()));
            c.cancel();
            assertThat(statusOf(c)).isEqualTo(WakerStatus.IGNORED);
            assertThat(c.isCompleted()).isFalse();
            suspend();
            assertThat(c.isCancelled()).isTrue();
        });
        assertThat(log).containsExactly("finally, started false");
    }

    @Test
    @Tag("K37")
    void preparedSubscription_isArmedByTheWaitAndNotBefore() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            spawn(() -> event.fire(1));
            Waker waker = Waker.current();
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            assertThat(event.armed()).isZero();
            assertThat(event.isActive()).isFalse();
            assertThat(waker.await()).isEqualTo(1);
            assertThat(event.armed()).isEqualTo(1);
            assertThat(event.disarmed()).isEqualTo(1);
            assertThat(event.isActive()).isFalse();
        });
    }

    @Test
    @Tag("K37")
    void timer_doesNotTickBeforeTheWait() {
        TestRuntime.run(runtime -> {
            var timer = SchedulerProvider.get().timers().oneShot(Duration.ofMillis(100));
            Waker waker = Waker.current();
            waker.resumeWhen(timer, ResumeCallback.RESOLVE);
            assertThat(Async.runtimeStats().timers()).isZero();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            runtime.reactor().advance(1_000_000_000);
            waker.await();
            assertThat(runtime.reactor().nanoTime()).isEqualTo(1_100_000_000);
        });
    }

    @Test
    @Tag("K37")
    void preparedAndNeverAwaited_isDroppedByTheNextWait() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            Waker.current().resumeWhen(event, ResumeCallback.RESOLVE);
            assertThat(event.hasCallbacks()).isTrue();
            delay(1);
            assertThat(event.hasCallbacks()).isFalse();
            assertThat(event.armed()).isZero();
        });
    }

    @Test
    @Tag("K37")
    void preparedAndNeverAwaited_isGoneWhenTheCoroutineEnds() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            await(spawn(() -> Waker.current().resumeWhen(event, ResumeCallback.RESOLVE)));
            assertThat(event.hasCallbacks()).isFalse();
        });
    }

    @Test
    @Tag("K37")
    void preparedAndNeverAwaited_isDroppedByTheAwaitOfACoroutine() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            Coroutine<String> c = spawn(() -> {
                event.fire("the event's");
                delay(1);
                return "the coroutine's";
            });
            Waker.current().resumeWhen(event, ResumeCallback.RESOLVE);
            assertThat(c.await()).isEqualTo("the coroutine's");
        });
    }

    @Test
    @Tag("K36")
    void firedWhilePreparedAndNeverAwaited_leavesNoStatusBehind() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            var atTheEnd = new ArrayList<WakerStatus>();
            Coroutine<?> c = spawn(() -> {
                SwitchHandlers.add((self, entering, finishing) -> atTheEnd.add(statusOf(self)));
                Waker.current().resumeWhen(event, ResumeCallback.RESOLVE);
                event.fire(1);
            });
            await(c);
            assertThat(atTheEnd).containsExactly(WakerStatus.NO_STATUS);
            assertThat(statusOf(c)).isEqualTo(WakerStatus.NO_STATUS);
        });
    }

    @Test
    @Tag("K38")
    void oneOfSeveralFires_allAreStoppedAtOnce() {
        TestRuntime.run(() -> {
            var first = new ManualEvent("first");
            var second = new ManualEvent("second");
            var third = new ManualEvent("third");
            var result = new AtomicReference<Object>();
            Coroutine<?> c = spawn(() -> result.set(waitFor(first, second, third)));
            suspend();
            assertThat(List.of(first.isActive(), second.isActive(), third.isActive()))
                    .containsOnly(true);
            second.fire("value");
            // as soon as it is ready, not when it runs
            assertThat(statusOf(c)).isEqualTo(WakerStatus.QUEUED);
            assertThat(List.of(first.isActive(), second.isActive(), third.isActive()))
                    .containsOnly(false);
            assertThat(List.of(first.hasCallbacks(), second.hasCallbacks(), third.hasCallbacks()))
                    .containsOnly(false);
            first.fire("too late");
            await(c);
            assertThat(result.get()).isEqualTo("value");
            assertThat(Wakers.of(c).triggeredEvents()).isEmpty();
        });
    }

    @Test
    @Tag("K38")
    void storedError_isThrownAtTheSuspensionPoint() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            var error = new IllegalStateException("expected");
            spawn(() -> event.fail(error));
            assertThatThrownBy(() -> waitFor(event)).isSameAs(error);
            assertThat(event.hasCallbacks()).isFalse();
        });
    }

    @Test
    @Tag("K38")
    void triggeredEvents_areThoseThatFiredInOrder() {
        TestRuntime.run(() -> {
            var a = new ManualEvent("a");
            var b = new ManualEvent("b");
            var c = new ManualEvent("c");
            int[] left = {2};
            ResumeCallback second = (waker, event, result, error) -> {
                if (--left[0] == 0) waker.wake(null);
            };
            spawn(() -> {
                b.fire(1);
                a.fire(2);
                c.fire(3);
            });
            Waker waker = Waker.current();
            for (Event event : List.of(a, b, c)) waker.resumeWhen(event, second);
            waker.await();
            assertThat(waker.triggeredEvents()).containsExactly(b, a);
        });
    }

    @Test
    @Tag("K38")
    void triggeredEvents_areThoseOfTheLastWait() {
        TestRuntime.run(() -> {
            var a = new ManualEvent("a");
            var b = new ManualEvent("b");
            var dead = new ManualEvent("dead");
            dead.end();
            spawn(() -> a.fire(1));
            assertThat(triggeredBy(a)).containsExactly(a);
            spawn(() -> b.fire(2));
            assertThat(triggeredBy(b)).containsExactly(b);
            assertThat(triggeredBy(dead)).as("it is what has ended the wait").containsExactly(dead);
        });
    }

    private static List<Event> triggeredBy(Event event) {
        Waker waker = Waker.current();
        waker.resumeWhen(event, ResumeCallback.RESOLVE);
        waker.await();
        return waker.triggeredEvents();
    }

    @Test
    @Tag("K38")
    void eventThatFailsToDisarm_costsNeitherTheWakeNorTheOthers() {
        var error = new IllegalStateException("not disarmed");
        var other = new ManualEvent("other");
        Throwable thrown = TestRuntime.failureOf(() -> {
            var stuck = new Event() {
                @Override
                protected void arm() {}

                @Override
                protected void disarm() {
                    throw error;
                }

                void fire(Object value) {
                    notifyCallbacks(value, null);
                }

                @Override
                public String info() {
                    return "stuck";
                }
            };
            Coroutine<?> c = spawn(() -> waitFor(stuck, other));
            suspend();
            stuck.fire("value");
            assertThat(statusOf(c)).isEqualTo(WakerStatus.QUEUED);
            assertThat(other.isActive()).isFalse();
            assertThat(other.hasCallbacks()).isFalse();
            await(c);
        });
        assertThat(thrown).isSameAs(error);
    }

    @Test
    @Tag("K39")
    @Tag("K51")
    void eventThatHappensWhileItIsArmed_costsNoSwitchAndNoHandlerCall() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            var event = new ManualEvent("done");
            event.whenArmed(() -> event.fire("at once"));
            var later = new ManualEvent("later");
            spawn(() -> log.add("peer"));
            SwitchHandlers.add((c, entering, finishing) -> log.add("switch"));
            var stats =
                    TestRuntime.counting(() -> assertThat(waitFor(event, later)).isEqualTo("at once"));
            assertThat(stats.switches()).isZero();
            assertThat(log).isEmpty();
            assertThat(later.armed()).isZero();
            assertThat(later.hasCallbacks()).isFalse();
            assertThat(event.hasCallbacks()).isFalse();
            assertThat(event.isActive()).isFalse();
            assertThat(statusOf(currentCoroutine())).isEqualTo(WakerStatus.NO_STATUS);
        });
    }

    @Test
    @Tag("K39")
    void eventThatFailsWhileItIsArmed_throwsWithoutASwitch() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("expected");
            var event = new ManualEvent("done");
            event.whenArmed(() -> event.fail(error));
            var earlier = new ManualEvent("earlier");
            var stats = TestRuntime.counting(
                    () -> assertThatThrownBy(() -> waitFor(earlier, event)).isSameAs(error));
            assertThat(stats.switches()).isZero();
            assertThat(earlier.hasCallbacks()).isFalse();
            assertThat(earlier.isActive()).isFalse();
        });
    }

    @Test
    @Tag("K39")
    @Tag("F1")
    void eventThatFiresBetweenPreparingAndWaiting_isNotLost() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            var other = new ManualEvent("other");
            Waker waker = Waker.current();
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            event.fire("early");
            waker.resumeWhen(other, ResumeCallback.RESOLVE);
            var stats = TestRuntime.counting(() -> assertThat(waker.await()).isEqualTo("early"));
            assertThat(stats.switches()).isZero();
            assertThat(event.hasCallbacks()).isFalse();
            assertThat(other.hasCallbacks()).isFalse();
        });
    }

    @Test
    @Tag("K39")
    void closedEventWithAnOutcome_isReplayedWithoutASwitch() {
        TestRuntime.run(() -> {
            Coroutine<Integer> done = spawn(() -> 7);
            suspend();
            var stats =
                    TestRuntime.counting(() -> assertThat(waitFor((Event) done)).isEqualTo(7));
            assertThat(stats.switches()).isZero();
        });
    }

    @Test
    @Tag("E7")
    void reportOfAClosedEventLetsOthersRun_whatFiresMeanwhileDoesNoHarm() {
        var runtime = new TestRuntime(settings -> settings.diagnostics(report -> Thread.yield()));
        runtime.start(() -> {
            var dead = new ManualEvent("dead");
            dead.end();
            var other = new ManualEvent("other");
            spawn(() -> other.fire("late"));
            Waker waker = Waker.current();
            waker.resumeWhen(other, ResumeCallback.RESOLVE);
            waker.resumeWhen(dead, ResumeCallback.RESOLVE);
            waker.await();
            suspend();
        });
    }

    @Test
    @Tag("E7")
    void closedEventWithNothingToReplay_returnsAtOnceAndIsReported() {
        TestRuntime ended = TestRuntime.run(() -> {
            var event = new ManualEvent("dead");
            event.end();
            assertThat(waitFor(event)).isNull();
        });
        assertThat(ended.reports()).singleElement().asString().contains("manual event 'dead'");
    }

    @Test
    @Tag("K38")
    void eventThatCanNotBeArmed_failsTheWaitAndLeavesNothing() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("can't arm");
            var earlier = new ManualEvent("earlier");
            var broken = new ManualEvent("broken").whenArmed(() -> {
                throw error;
            });
            assertThatThrownBy(() -> waitFor(earlier, broken)).isSameAs(error);
            assertThat(List.of(earlier.hasCallbacks(), broken.hasCallbacks(), earlier.isActive(), broken.isActive()))
                    .containsOnly(false);
            delay(1);
        });
    }

    @Test
    @Tag("K41")
    void wakerReused_everyWaitLeavesNothingBehind() {
        TestRuntime.run(() -> {
            var door = new ManualEvent("door");
            var token = new ManualEvent("token");
            spawn(() -> {
                for (int i = 0; i < 300; i++) {
                    if (i % 3 == 0) door.fire(i);
                    else if (i % 3 == 1) door.fail(new IllegalStateException("expected"));
                    else token.fire(i);
                    suspend();
                }
            });
            for (int i = 0; i < 300; i++) {
                Waker waker = Waker.current();
                assertThat(waker).as("one for all waits").isSameAs(Waker.current());
                assertThat(waker.coroutine()).isSameAs(currentCoroutine());
                waker.resumeWhen(door, ResumeCallback.RESOLVE);
                waker.resumeWhen(token, ResumeCallback.CANCEL);
                waker.resumeWhen(token, ResumeCallback.CANCEL);
                Throwable thrown = null;
                Object value = null;
                try {
                    value = waker.await();
                } catch (Throwable e) {
                    thrown = e;
                }
                assertThat(door.hasCallbacks() || token.hasCallbacks() || door.isActive() || token.isActive())
                        .isFalse();
                if (i % 3 == 0) {
                    assertThat(value).isEqualTo(i);
                    assertThat(thrown).isNull();
                } else {
                    assertThat(thrown)
                            .isInstanceOf(i % 3 == 1 ? IllegalStateException.class : OperationCanceledException.class);
                }
            }
        });
    }

    @Test
    @Tag("K41")
    @Tag("E11")
    void sameEventTwiceInOneWait_isStartedAndStoppedEvenly() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            spawn(() -> {
                assertThat(event.armed()).isEqualTo(1);
                event.fire(1);
            });
            assertThat(waitFor(event, event)).isEqualTo(1);
            assertThat(event.isActive()).isFalse();
            assertThat(event.disarmed()).isEqualTo(1);
            assertThat(event.hasCallbacks()).isFalse();
        });
    }

    @Test
    @Tag("K42")
    void awaitWithoutEvents_returnsAtOnce() {
        TestRuntime.run(() -> {
            spawn(() -> {});
            Waker waker = Waker.current();
            var stats = TestRuntime.counting(() -> assertThat(waker.await()).isNull());
            assertThat(stats.switches()).isZero();
        });
    }

    /** Wakes a waiting coroutine twice before it runs, and returns what it saw. */
    private static Object wokenTwice(
            java.util.function.Consumer<Waker> first, java.util.function.Consumer<Waker> second) {
        var seen = new AtomicReference<Object>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                try {
                    seen.set(waitFor(new ManualEvent("never")));
                } catch (Throwable e) {
                    seen.set(e);
                }
                // nothing of the double wake may leak into the next wait
                delay(1);
                assertThat(waitFor(new ManualEvent("x").whenArmed(() -> {}), firedWhenArmed("clean")))
                        .isEqualTo("clean");
            });
            suspend();
            first.accept(Wakers.of(c));
            second.accept(Wakers.of(c));
            await(c);
        });
        return seen.get();
    }

    private static ManualEvent firedWhenArmed(Object value) {
        var event = new ManualEvent("at once");
        return event.whenArmed(() -> event.fire(value));
    }

    @Test
    @Tag("K42")
    void valueThenValue_theFirstStays() {
        assertThat(wokenTwice(w -> w.wake("one"), w -> w.wake("two"))).isEqualTo("one");
    }

    @Test
    @Tag("K42")
    void valueThenError_theErrorIsThrown() {
        var error = new IllegalStateException("later");
        assertThat(wokenTwice(w -> w.wake("one"), w -> w.wakeWithError(error))).isSameAs(error);
    }

    @Test
    @Tag("K42")
    void errorThenValue_theErrorStays() {
        var error = new IllegalStateException("first");
        assertThat(wokenTwice(w -> w.wakeWithError(error), w -> w.wake("two"))).isSameAs(error);
    }

    @Test
    @Tag("K42")
    void errorThenError_theLaterWinsAndCarriesTheFormerAsCause() {
        var first = new IllegalStateException("first");
        var later = new IllegalArgumentException("later");
        assertThat(wokenTwice(w -> w.wakeWithError(first), w -> w.wakeWithError(later)))
                .isSameAs(later);
        assertThat(later).hasCause(first);
    }

    @Test
    @Tag("K42")
    void errorThenCancellation_theCancellationIsDropped() {
        var first = new IllegalStateException("first");
        var cancellation = new AsyncCancellation("later");
        assertThat(wokenTwice(w -> w.wakeWithError(first), w -> w.wakeWithError(cancellation)))
                .isSameAs(first);
        assertThat(first).hasNoCause().hasNoSuppressedExceptions();
    }

    @Test
    @Tag("K42")
    void cancellationThenError_theErrorWinsAndCarriesTheCancellation() {
        var cancellation = new AsyncCancellation("first");
        var later = new IllegalStateException("later");
        assertThat(wokenTwice(w -> w.wakeWithError(cancellation), w -> w.wakeWithError(later)))
                .isSameAs(later);
        assertThat(later).hasCause(cancellation);
    }

    @Test
    @Tag("K42")
    void sameErrorTwice_isNotItsOwnCause() {
        var error = new IllegalStateException("same");
        assertThat(wokenTwice(w -> w.wakeWithError(error), w -> w.wakeWithError(error)))
                .isSameAs(error);
        assertThat(error).hasNoCause();
    }

    @Test
    @Tag("K43")
    void wakeOfOneThatIsNotSuspended_isAnErrorAndQueuesNothing() {
        TestRuntime.run(() -> {
            var gate = new CompletableFuture<Void>();
            Coroutine<?> fresh = spawn(() -> {});
            Coroutine<?> blocked = spawn(() -> gate.join());
            Coroutine<?> ended = spawn(() -> {});
            ended.asHighPriority();
            var error = new IllegalStateException("not delivered");
            assertThatThrownBy(() -> Wakers.of(fresh).wake(null)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> Wakers.of(fresh).wakeWithError(error))
                    .isNotSameAs(error)
                    .isInstanceOf(IllegalStateException.class);
            suspend();
            for (Coroutine<?> c : List.of(blocked, ended, currentCoroutine())) {
                assertThatThrownBy(() -> Wakers.of(c).wake(null)).isInstanceOf(IllegalStateException.class);
                assertThatThrownBy(() -> Wakers.of(c).wakeWithError(error))
                        .isNotSameAs(error)
                        .isInstanceOf(IllegalStateException.class);
            }
            assertThat(Async.runtimeStats().queued()).isZero();
            gate.complete(null);
        });
    }

    @Test
    @Tag("K43")
    void waitOfACoroutineThatDoesNotRun_isRefused() {
        TestRuntime.run(() -> {
            Waker[] of = new Waker[1];
            Coroutine<?> c = spawn(() -> {
                of[0] = Waker.current();
                delay(10);
            });
            suspend();
            assertThatThrownBy(of[0]::await).isInstanceOf(AsyncException.class);
            assertThatThrownBy(() -> of[0].resumeWhen(new ManualEvent("door"), ResumeCallback.RESOLVE))
                    .isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> Wakers.of(c).resumeWhen(new ManualEvent("door"), ResumeCallback.RESOLVE))
                    .isInstanceOf(IllegalStateException.class);
            // and the refused calls did not disturb its wait
            assertThat(statusOf(c)).isEqualTo(WakerStatus.WAITING);
            await(c);
        });
    }

    @Test
    @Tag("K38")
    void readyMadeCallbacks_resolveCancelAndTimeout() {
        TestRuntime.run(() -> {
            var cause = new IllegalStateException("token's error");
            var event = new ManualEvent("door");
            spawn(() -> event.fail(cause));
            assertThatThrownBy(() -> wait(event, ResumeCallback.CANCEL))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCause(cause);
            spawn(() -> event.fire("value"));
            assertThatThrownBy(() -> wait(event, ResumeCallback.CANCEL))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasNoCause();
            spawn(() -> event.fire("value"));
            assertThatThrownBy(() -> wait(event, ResumeCallback.TIMEOUT)).isInstanceOf(AsyncTimeoutException.class);
            spawn(() -> event.fire("value"));
            assertThat(wait(event, ResumeCallback.RESOLVE)).isEqualTo("value");
        });
    }

    private static Object wait(Event event, ResumeCallback callback) {
        Waker waker = Waker.current();
        waker.resumeWhen(event, callback);
        return waker.await();
    }

    @Test
    @Tag("K41")
    void callbackThatWakesOnlyAtTheThird_keepsTheCoroutineWaiting() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            int[] seen = new int[1];
            Coroutine<?> c = spawn(() -> wait(event, (waker, e, result, error) -> {
                if (++seen[0] == 3) waker.wake(null);
            }));
            suspend();
            event.fire(null);
            event.fire(null);
            assertThat(statusOf(c)).isEqualTo(WakerStatus.WAITING);
            event.fire(null);
            assertThat(statusOf(c)).isEqualTo(WakerStatus.QUEUED);
            event.fire(null);
            assertThat(seen[0]).isEqualTo(3);
            await(c);
        });
    }

    @Test
    @Tag("F8")
    void waitersOfOneEvent_areWokenInOrderAlthoughOneLeft() {
        var log = new ArrayList<Integer>();
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            var waiters = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 5; i++) {
                int number = i;
                waiters.add(spawn(() -> {
                    waitFor(event);
                    log.add(number);
                }));
            }
            suspend();
            waiters.get(2).cancel();
            event.fire(null);
        });
        assertThat(log).containsExactly(0, 1, 3, 4);
    }

    @Test
    @Tag("F8")
    void waiterThatLeavesDuringTheRound_isNotCalled() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            var other = new ManualEvent("other");
            int[] calls = new int[1];
            var waiters = new ArrayList<Coroutine<?>>();
            spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(event, (w, e, result, error) -> {
                    waiters.getFirst().cancel();
                    w.wake(null);
                });
                waker.await();
            });
            waiters.add(spawn(() -> {
                Waker waker = Waker.current();
                waker.resumeWhen(other, ResumeCallback.RESOLVE);
                waker.resumeWhen(event, (w, e, result, error) -> calls[0]++);
                waker.await();
            }));
            suspend();
            event.fire(null);
            suspend();
            assertThat(calls[0]).isZero();
            assertThat(waiters.getFirst().isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("K47")
    void callbackThatThrowsWhenACoroutineEnds_isAnUnhandledErrorAndTheCoroutineStillEnds() {
        var error = new IllegalStateException("in a callback");
        var ended = new ArrayList<Coroutine<?>>();
        Throwable thrown = TestRuntime.failureOf(() -> {
            Coroutine<Integer> c = spawn(() -> {
                delay(5);
                return 1;
            });
            ended.add(c);
            spawn(() -> wait((Event) c, (waker, event, result, failure) -> {
                throw error;
            }));
            delay(100);
        });
        assertThat(thrown).isSameAs(error);
        assertThat(ended.getFirst().isCompleted()).isTrue();
    }

    @Test
    @Tag("K41")
    void callThatSharesTheLoopBetweenPreparingAndWaiting_doesNotLoseThePreparedWait() {
        TestRuntime.run(runtime -> {
            var door = new ManualEvent("door");
            Waker waker = Waker.current();
            waker.resumeWhen(door, ResumeCallback.RESOLVE);
            for (int i = 0; i < 1_000; i++) {
                runtime.reactor().advance(1_000_000);
                Runtimes.here("test").shareLoop();
            }
            spawn(() -> door.fire("value"));
            assertThat(waker.await()).isEqualTo("value");
        });
    }

    @Test
    @Tag("K36")
    void wakerThatWasHandedOut_tellsAndWakesAsItsCoroutine() {
        TestRuntime.run(() -> {
            var wakers = new ArrayList<Waker>();
            Coroutine<?> c = spawn(() -> {
                wakers.add(Waker.current());
                waitFor(new ManualEvent("never"));
            });
            suspend();
            Waker waker = wakers.getFirst();
            assertThat(waker.coroutine()).isSameAs(c);
            assertThat(waker.status()).isEqualTo(WakerStatus.WAITING);
            waker.wakeWithError(new IllegalStateException("planned"));
            assertThat(waker.status()).isEqualTo(WakerStatus.QUEUED);
            assertThatThrownBy(() -> await(c)).hasMessage("planned");
        });
    }

    @Test
    @Tag("K36")
    @Tag("K37")
    void failedWhileItIsPrepared_theWaitThrowsAtOnceAndNothingIsSubscribed() {
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            Waker waker = Waker.current();
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            waker.wakeWithError(new IllegalStateException("planned"));
            assertThat(waker.status()).isEqualTo(WakerStatus.RESULT);
            assertThat(event.hasCallbacks()).isFalse();
            assertThatThrownBy(waker::await).hasMessage("planned");
            assertThat(event.armed()).isZero();
        });
    }

    @Test
    @Tag("K1")
    void wokenByAForeignThread_saysWhoseItIs() {
        TestRuntime.run(() -> {
            var wakers = new ArrayList<Waker>();
            var event = new ManualEvent("door");
            Coroutine<?> c = spawn(() -> {
                wakers.add(Waker.current());
                waitFor(event);
            });
            suspend();
            for (Body call : List.<Body>of(() -> wakers.getFirst().wake(null), () -> wakers.getFirst()
                    .wakeWithError(new IllegalStateException("planned")))) {
                ThreadTask<?> other = Async.spawnThread(call);
                assertThatThrownBy(() -> await(other))
                        .rootCause()
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("Waker.wake or await of coroutine");
            }
            assertThat(wakers.getFirst().status()).isEqualTo(WakerStatus.WAITING);
            event.fire("open");
            await(c);
        });
    }

    @Test
    @Tag("K37")
    void failedWhileItIsPreparedAndNeverAwaited_isNoPartOfTheNextWait() {
        TestRuntime.run(() -> {
            Waker waker = Waker.current();
            waker.resumeWhen(new ManualEvent("door"), ResumeCallback.RESOLVE);
            waker.wakeWithError(new IllegalStateException("planned"));
            delay(1);
            assertThat(waitFor(firing("other"))).isEqualTo("other");
        });
    }

    private static ManualEvent firing(String value) {
        var event = new ManualEvent(value);
        return event.whenArmed(() -> event.fire(value));
    }

    @Test
    @Tag("K37")
    void eventThatHappensAsItIsArmed_thoseBehindItAreNotArmed() {
        TestRuntime.run(() -> {
            var behind = new ManualEvent("behind");
            assertThat(waitFor(firing("first"), behind)).isEqualTo("first");
            assertThat(behind.armed()).isZero();
        });
    }

    @Test
    @Tag("K36")
    void errorThatACallbackMadeForTheWait_isFromWhereItWaitedIfItGivesTheWaitUp() {
        TestRuntime.run(() -> {
            var own = new OperationCanceledException("of the event", null);
            var made = new OperationCanceledException("of the callback", null);
            var other = new IllegalStateException("of another kind");
            assertThat(waitsHere(own, (waker, fired, result, error) -> waker.wakeWithError(error)))
                    .isFalse();
            assertThat(waitsHere(null, (waker, fired, result, error) -> waker.wakeWithError(made)))
                    .isTrue();
            assertThat(waitsHere(null, (waker, fired, result, error) -> waker.wakeWithError(other)))
                    .isFalse();
        });
    }

    /** Whether what is thrown is from here. */
    private static boolean waitsHere(Throwable failure, ResumeCallback callback) {
        var event = new ManualEvent("door");
        spawn(() -> {
            if (failure == null) event.fire(null);
            else event.fail(failure);
        });
        Waker waker = Waker.current();
        waker.resumeWhen(event, callback);
        try {
            waker.await();
        } catch (Throwable e) {
            for (StackTraceElement frame : e.getStackTrace())
                if (frame.getMethodName().equals("waitsHere")) return true;
            return false;
        }
        throw new AssertionError("nothing was thrown");
    }
}
