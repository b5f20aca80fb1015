package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.DeadlockError;
import org.trueasync.OperationCanceledException;
import org.trueasync.spi.ActiveEvents;
import org.trueasync.spi.Event;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.TestEvent.Heard;

/** The event model, as coroutines and extensions see it. */
public abstract class EventConformance {
    private final ReactorKit kit;
    private final TestRun run;

    protected EventConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    private static Object waitFor(Event event) {
        Waker waker = Waker.current();
        waker.resumeWhen(event, ResumeCallback.RESOLVE);
        return waker.await();
    }

    private static TimerEvent timer(Duration delay) {
        return SchedulerProvider.get().timers().oneShot(delay);
    }

    private static int active() {
        return SchedulerProvider.get().activeEvents().count();
    }

    // ---- what can be awaited

    @Test
    @Tag("E1")
    @Tag("E2")
    void eventsOfDifferentKinds_oneWakerWaitsForAllAlike() {
        run.run(() -> {
            var own = new TestEvent();
            var slow = Async.spawn(() -> Async.delay(3_600_000));
            var timeout = Async.timeout(3_600_000);
            Async.spawn(() -> own.fire("own"));
            Waker waker = Waker.current();
            for (Event event : List.of((Event) slow, (Event) timeout, timer(Duration.ofHours(1)), own))
                waker.resumeWhen(event, ResumeCallback.RESOLVE);
            assertThat(waker.await()).isEqualTo("own");
            assertThat(waker.triggeredEvents()).containsExactly(own);
            slow.cancel();
        });
    }

    @Test
    @Tag("E1")
    void eachKindFires_theWaiterGetsItsResult() {
        run.run(() -> {
            assertThat(waitFor((Event) Async.spawn(() -> "coroutine"))).isEqualTo("coroutine");
            assertThat(waitFor(timer(Duration.ofNanos(1)))).isNull();
            assertThatThrownBy(() -> waitFor((Event) Async.timeout(1))).isInstanceOf(AsyncTimeoutException.class);
            var own = new TestEvent();
            Async.spawn(() -> own.fail(new IllegalStateException("own")));
            assertThatThrownBy(() -> waitFor(own)).hasMessage("own");
            assertThat(Async.<String>await(CompletableFuture.completedStage("stage")))
                    .isEqualTo("stage");
        });
    }

    // ---- life

    @Test
    @Tag("E3")
    void oneShotFires_closedForGood() {
        run.run(() -> {
            TimerEvent timer = timer(Duration.ofNanos(1));
            waitFor(timer);
            assertThat(timer.isClosed()).isTrue();
            timer.start();
            assertThat(timer.isActive()).isFalse();
            assertThat(active()).isZero();
        });
    }

    @Test
    @Tag("E3")
    void eventThatStaysOpenFires_canFireAgain() {
        run.run(() -> {
            var event = new TestEvent();
            for (int i = 0; i < 3; i++) {
                int value = i;
                Async.spawn(() -> event.fire(value));
                assertThat(waitFor(event)).isEqualTo(value);
                assertThat(event.isClosed()).isFalse();
            }
            assertThat(event.armed).isEqualTo(3);
            assertThat(event.disarmed).isEqualTo(3);
        });
    }

    @Test
    @Tag("E4")
    @Tag("E5")
    void startsAndStopsCounted_firstArmsAndLastDisarms() {
        var count = new ActiveEvents();
        var event = new TestEvent(count);
        event.start();
        event.start();
        assertThat(event.armed).isEqualTo(1);
        assertThat(count.count()).isEqualTo(1);
        event.stop();
        assertThat(event.disarmed).isZero();
        assertThat(event.isActive()).isTrue();
        event.stop();
        assertThat(event.disarmed).isEqualTo(1);
        assertThat(count.count()).isZero();
    }

    @Test
    @Tag("E4")
    @Tag("F22")
    void surplusStopOrStartOnClosed_changesNothing() {
        var count = new ActiveEvents();
        var event = new TestEvent(count);
        event.stop();
        event.stop();
        assertThat(event.disarmed).isZero();
        assertThat(count.count()).isZero();
        event.start();
        event.stop();
        event.stop();
        assertThat(count.count()).isZero();
        event.closeSilently();
        event.start();
        assertThat(event.isActive()).isFalse();
        assertThat(event.armed).isEqualTo(1);
        event.stop();
        assertThat(count.count()).isZero();
    }

    @Test
    @Tag("E4")
    void closedWhileStarted_disarmedOnceAndLaterStopsDoNothing() {
        var count = new ActiveEvents();
        var event = new TestEvent(count);
        event.start();
        event.start();
        event.closeSilently();
        event.stop();
        event.stop();
        assertThat(event.disarmed).isEqualTo(1);
        assertThat(count.count()).isZero();
    }

    @Test
    @Tag("E4")
    void coroutineStartedOrStopped_nothingHappens() {
        run.run(() -> {
            Coroutine<String> coroutine = Async.spawn(() -> "value");
            ((Event) coroutine).stop();
            ((Event) coroutine).start();
            assertThat(((Event) coroutine).isActive()).isFalse();
            assertThat(active()).isZero();
            ((Event) coroutine).stop();
            ((Event) coroutine).stop();
            assertThat(Async.await(coroutine)).isEqualTo("value");
        });
    }

    @Test
    @Tag("E5")
    @Tag("F22")
    void operationsEndInAnyWay_countReturnsToItsStart() {
        run.run(() -> {
            Coroutine<?> sleeper = Async.spawn(() -> Async.delay(3_600_000));
            var future = new CompletableFuture<String>();
            Coroutine<String> waiter = Async.spawn(() -> Async.await(future));
            Coroutine<?> timed = Async.spawn(() -> Async.await(future, Async.timeout(3_600_000)));
            Async.suspend();
            assertThat(active())
                    .as("sleeper, timeout, and the future that two wait for")
                    .isEqualTo(3);
            sleeper.cancel();
            timed.cancel();
            assertThat(active()).isEqualTo(1);
            future.complete("done");
            assertThat(Async.await(waiter)).isEqualTo("done");
            assertThat(active()).isZero();
            assertThatThrownBy(() -> Async.await(new CompletableFuture<>(), Async.timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            assertThat(active()).isZero();
        });
    }

    @Test
    @Tag("E5")
    void armingFails_countedNeither() {
        run.run(() -> {
            var event = new TestEvent();
            event.onArm = () -> {
                throw new IllegalStateException("can't");
            };
            assertThatThrownBy(() -> waitFor(event)).hasMessage("can't");
            assertThat(active()).isZero();
            assertThat(event.isActive()).isFalse();
            assertThat(event.hasCallbacks()).isFalse();
        });
    }

    @Test
    @Tag("E5")
    void moreStoppedThanStarted_countRefusesToGoNegative() {
        assertThatThrownBy(() -> new ActiveEvents().decrement())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Bug in TrueAsync");
    }

    // ---- hidden

    @Test
    @Tag("E6")
    @Tag("F21")
    void onlyHiddenEventLive_runEnds() {
        var heard = new Heard();
        run.run(() -> {
            TimerEvent hidden = timer(Duration.ofHours(1));
            hidden.setHidden(true);
            hidden.addCallback(heard);
            hidden.start();
            assertThat(active()).isZero();
        });
        assertThat(heard.all).isEmpty();
    }

    @Test
    @Tag("E6")
    @Tag("F21")
    void onlyHiddenEventAwaited_deadlockFound() {
        assertThatThrownBy(() -> run.run(() -> {
                    TimerEvent hidden = timer(Duration.ofHours(1));
                    hidden.setHidden(true);
                    waitFor(hidden);
                }))
                .isInstanceOf(DeadlockError.class);
        assertThat(run.reports()).hasSize(1);
    }

    @Test
    @Tag("E6")
    void hiddenEventWhileOthersLive_firesNormally() {
        run.run(() -> {
            TimerEvent hidden = timer(Duration.ofNanos(1));
            hidden.setHidden(true);
            Async.spawn(() -> Async.delay(5));
            assertThat(waitFor(hidden)).isNull();
        });
    }

    @Test
    @Tag("E6")
    void hiddenWhileActive_refused() {
        var event = new TestEvent(new ActiveEvents());
        event.start();
        assertThatThrownBy(() -> event.setHidden(true))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("test event");
    }

    // ---- replay

    @Test
    @Tag("E7")
    void closedEventWithOutcome_lateSubscriberGetsItSynchronously() {
        run.run(() -> {
            var event = new TestEvent();
            event.finish("stored");
            long before = Async.runtimeStats().switches();
            assertThat(waitFor(event)).isEqualTo("stored");
            assertThat(Async.runtimeStats().switches()).isEqualTo(before);
            assertThat(event.armed).isZero();
            var heard = new Heard();
            assertThat(event.replay(heard)).isTrue();
            assertThat(heard.all).containsExactly("stored");
        });
    }

    @Test
    @Tag("E7")
    void completedCoroutine_handsOutResultAndErrorLate() {
        run.run(() -> {
            Coroutine<String> value = Async.spawn(() -> "value");
            Coroutine<?> failed = Async.spawn(() -> {
                throw new IllegalStateException("failed");
            });
            Async.suspend();
            assertThat(waitFor((Event) value)).isEqualTo("value");
            assertThatThrownBy(() -> waitFor((Event) failed)).hasMessage("failed");
        });
    }

    @Test
    @Tag("E7")
    @Tag("F1")
    void closedEventWithoutOutcome_returnsAtOnceWithAWarning() {
        run.run(() -> {
            var event = new TestEvent();
            event.closeSilently();
            assertThat(waitFor(event)).isNull();
        });
        assertThat(run.reports()).hasSize(1).allMatch(r -> r.contains("test event"));
    }

    // ---- the hook

    @Test
    @Tag("E8")
    void notifyHook_runsFirstAndChangesWhatIsDelivered() {
        var order = new ArrayList<String>();
        run.run(() -> {
            var event = new TestEvent();
            event.setNotifyHook(n -> {
                order.add("hook " + n.result);
                n.error = new IllegalStateException("turned");
                n.result = null;
            });
            event.addCallback(new Heard(() -> order.add("callback")));
            Async.spawn(() -> event.fire("tick"));
            assertThatThrownBy(() -> waitFor(event)).hasMessage("turned");
            event.setNotifyHook(null);
            Async.spawn(() -> event.fire("plain"));
            assertThat(waitFor(event)).isEqualTo("plain");
        });
        assertThat(order).containsExactly("hook tick", "callback", "callback");
    }

    @Test
    @Tag("E8")
    void timeoutTicks_waitersGetATimeoutException() {
        run.run(() -> assertThatThrownBy(() -> Async.await(Async.timeout(1)))
                .isInstanceOf(AsyncTimeoutException.class)
                .hasMessage("timed out after 1 ms"));
    }

    // ---- lists that change while notified

    @Test
    @Tag("E9")
    @Tag("F8")
    void callbackRemovesItself_othersAreCalledOnce() {
        var event = new TestEvent(new ActiveEvents());
        var self = new Heard[1];
        self[0] = new Heard(() -> event.removeCallback(self[0]));
        var first = new Heard();
        var last = new Heard();
        for (Heard h : List.of(first, self[0], last)) event.addCallback(h);
        event.fire(1);
        event.fire(2);
        assertThat(first.all).containsExactly(1, 2);
        assertThat(self[0].all).containsExactly(1);
        assertThat(last.all).containsExactly(1, 2);
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void callbackRemovesNextAndEarlierAndLast_theyAreNotCalledAndTheRestIs() {
        var event = new TestEvent(new ActiveEvents());
        var heard = new Heard[6];
        for (int i = 0; i < 6; i++) {
            int me = i;
            heard[i] = new Heard(() -> {
                if (me != 1) return;
                event.removeCallback(heard[0]);
                event.removeCallback(heard[2]);
                event.removeCallback(heard[5]);
            });
            event.addCallback(heard[i]);
        }
        event.fire("x");
        assertThat(heard).extracting(h -> h.all.size()).containsExactly(1, 1, 0, 1, 1, 0);
        event.fire("y");
        assertThat(heard).extracting(h -> h.all.size()).containsExactly(1, 2, 0, 2, 2, 0);
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void callbackAddsAnother_itIsCalledFromTheNextRoundOn() {
        var event = new TestEvent(new ActiveEvents());
        var late = new Heard();
        event.addCallback(new Heard(() -> {
            if (!late.isSubscribed()) event.addCallback(late);
        }));
        event.fire(1);
        assertThat(late.all).isEmpty();
        event.fire(2);
        assertThat(late.all).containsExactly(2);
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void callbackRemovedAndAddedAgainInTheRound_notCalledTwice() {
        var event = new TestEvent(new ActiveEvents());
        var moved = new Heard();
        var mover = new Heard(() -> {
            event.removeCallback(moved);
            event.addCallback(moved);
        });
        event.addCallback(moved);
        event.addCallback(mover);
        event.fire(1);
        assertThat(moved.all).containsExactly(1);
        assertThat(mover.all).containsExactly(1);
        event.fire(2);
        assertThat(moved.all).containsExactly(1);
        assertThat(mover.all).containsExactly(1, 2);
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void eventFiredInsideItsOwnRound_everybodyHearsBoth() {
        var event = new TestEvent(new ActiveEvents());
        boolean[] nested = {false};
        var a = new Heard();
        var b = new Heard(() -> {
            if (nested[0]) return;
            nested[0] = true;
            event.fire("inner");
        });
        var c = new Heard();
        for (Heard h : List.of(a, b, c)) event.addCallback(h);
        event.fire("outer");
        assertThat(a.all).containsExactly("outer", "inner");
        assertThat(b.all).containsExactly("outer", "inner");
        assertThat(c.all).containsExactly("inner", "outer");
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void innerRoundRemovesCallbacks_outerRoundSkipsThemToo() {
        var event = new TestEvent(new ActiveEvents());
        var c = new Heard();
        boolean[] nested = {false};
        var remover = new Heard(() -> event.removeCallback(c));
        var starter = new Heard(() -> {
            if (nested[0]) return;
            nested[0] = true;
            event.fire("inner");
        });
        event.addCallback(starter);
        event.addCallback(remover);
        event.addCallback(c);
        event.fire("outer");
        assertThat(c.all).isEmpty();
        assertThat(remover.all).containsExactly("inner", "outer");
    }

    @Test
    @Tag("E9")
    @Tag("F8")
    void eventDisposedInItsRound_theRestIsStillTold() {
        var event = new TestEvent(new ActiveEvents());
        var last = new Heard();
        event.addCallback(new Heard(event::dispose));
        event.addCallback(last);
        event.start();
        event.fire("x");
        assertThat(last.all).containsExactly("x");
        assertThat(event.disarmed).isEqualTo(1);
    }

    @Test
    @Tag("E9")
    void callbackSubscribedTwice_refused() {
        var event = new TestEvent(new ActiveEvents());
        var other = new TestEvent(new ActiveEvents());
        var heard = new Heard();
        event.addCallback(heard);
        assertThatThrownBy(() -> other.addCallback(heard))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("test event");
        assertThat(other.removeCallback(heard)).isFalse();
        assertThat(event.removeCallback(heard)).isTrue();
        assertThat(event.removeCallback(heard)).isFalse();
    }

    @Test
    @Tag("E11")
    void oneWaiterWithSeveralCallbacks_removingOneLeavesTheOthers() {
        var event = new TestEvent(new ActiveEvents());
        var one = new Heard();
        var two = new Heard();
        var three = new Heard();
        for (Heard h : List.of(one, two, three)) event.addCallback(h);
        event.removeCallback(two);
        event.fire("x");
        assertThat(one.all).containsExactly("x");
        assertThat(two.all).isEmpty();
        assertThat(three.all).containsExactly("x");
    }

    @Test
    @Tag("E11")
    void wakerSubscribedTwiceToOneEvent_wokenOnceAndNothingIsLeft() {
        run.run(() -> {
            var event = new TestEvent();
            Async.spawn(() -> event.fire("x"));
            Waker waker = Waker.current();
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            assertThat(waker.await()).isEqualTo("x");
            assertThat(event.hasCallbacks()).isFalse();
            assertThat(event.isActive()).isFalse();
            assertThat(active()).isZero();
        });
    }

    @Test
    @Tag("E12")
    void disposedTwice_releasedOnce() {
        var count = new ActiveEvents();
        var event = new TestEvent(count);
        event.start();
        event.dispose();
        event.dispose();
        assertThat(event.released).isEqualTo(1);
        assertThat(event.disarmed).isEqualTo(1);
        assertThat(event.isClosed()).isTrue();
        assertThat(count.count()).isZero();
    }

    @Test
    @Tag("E12")
    void timerDisposedWhileArmedOrAfterFiring_harmless() {
        run.run(() -> {
            TimerEvent armed = timer(Duration.ofHours(1));
            armed.start();
            armed.dispose();
            armed.dispose();
            TimerEvent fired = timer(Duration.ofNanos(1));
            waitFor(fired);
            fired.dispose();
            assertThat(Async.runtimeStats().timers()).isZero();
            assertThat(active()).isZero();
        });
    }

    @Test
    @Tag("E13")
    void infoOfEverything_isOneLineAndNotEmpty() {
        run.run(() -> {
            var events = new ArrayList<Event>();
            events.add((Event) Async.currentCoroutine());
            events.add((Event) Async.timeout(5));
            events.add(timer(Duration.ofMillis(5)));
            events.add(SchedulerProvider.get().timers().periodic(Duration.ofMillis(7)));
            assertThat(events).allSatisfy(e -> assertThat(e.info()).isNotBlank().doesNotContain("\n"));
            assertThat(events.get(0).info())
                    .contains("#" + Async.currentCoroutine().id());
            assertThat(events.get(1).info()).contains("5 ms");
            assertThat(events.get(2).info()).contains("5 ms");
            assertThat(events.get(3).info()).contains("periodic").contains("7 ms");
            Coroutine<?> waiter = Async.spawn(() -> Async.await(new CompletableFuture<>(), Async.timeout(9)));
            Async.suspend();
            assertThat(waiter.awaitingInfo())
                    .hasSize(2)
                    .anyMatch(i -> i.contains("CompletableFuture"))
                    .anyMatch(i -> i.contains("9 ms"));
            waiter.cancel();
        });
    }

    // ---- who runs where

    @Test
    @Tag("E16")
    void eventFires_waitersAreQueuedInOrderAndRunLater() {
        var order = new ArrayList<String>();
        run.run(() -> {
            var event = new TestEvent();
            for (String name : List.of("a", "b", "c")) {
                Async.spawn(() -> {
                    waitFor(event);
                    order.add(name);
                });
            }
            Async.suspend();
            event.fire(null);
            order.add("fired");
            Async.suspend();
            order.add("end");
        });
        assertThat(order).containsExactly("fired", "a", "b", "c", "end");
    }

    @Test
    @Tag("E16")
    void callbackOfATimer_runsOutsideAnyCoroutineAndCantWait() {
        var thrown = new ArrayList<Throwable>();
        run.run(() -> {
            TimerEvent timer = timer(Duration.ofNanos(1));
            timer.addCallback(new Heard(() -> {
                for (Runnable call : List.<Runnable>of(Async::currentCoroutine, () -> Async.delay(1), Async::suspend)) {
                    try {
                        call.run();
                    } catch (AsyncException e) {
                        thrown.add(e);
                    }
                }
            }));
            waitFor(timer);
        });
        assertThat(thrown).hasSize(3);
    }

    // ---- races

    @Test
    @Tag("F1")
    void eventClosesBetweenSubscribingAndParking_waitEnds() {
        run.run(() -> {
            var event = new TestEvent();
            Waker waker = Waker.current();
            waker.resumeWhen(event, ResumeCallback.RESOLVE);
            event.finish("early");
            assertThat(waker.await()).isEqualTo("early");

            var arming = new TestEvent();
            arming.onArm = () -> arming.finish("while arming");
            assertThat(waitFor(arming)).isEqualTo("while arming");
            assertThat(active()).isZero();

            var second = new TestEvent();
            var first = new TestEvent();
            first.onArm = () -> second.finish("second");
            waker = Waker.current();
            waker.resumeWhen(first, ResumeCallback.RESOLVE);
            waker.resumeWhen(second, ResumeCallback.RESOLVE);
            assertThat(waker.await()).isEqualTo("second");
            assertThat(first.isActive()).isFalse();
            assertThat(active()).isZero();
        });
    }

    @Test
    @Tag("F1")
    void eventFiredByAMicrotaskWhileParking_waiterIsWoken() {
        run.run(() -> {
            var event = new TestEvent();
            Microtask.of(() -> event.fire("microtask")).enqueue();
            assertThat(waitFor(event)).isEqualTo("microtask");
        });
    }

    @Test
    @Tag("F4")
    void waiterInTheMiddleLeaves_othersKeepTheirOrder() {
        var order = new ArrayList<Integer>();
        run.run(() -> {
            var event = new TestEvent();
            var all = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 7; i++) {
                int me = i;
                all.add(Async.spawn(() -> {
                    waitFor(event);
                    order.add(me);
                }));
            }
            Async.suspend();
            all.get(3).cancel();
            all.get(0).cancel();
            Async.suspend();
            event.fire(null);
        });
        assertThat(order).containsExactly(1, 2, 4, 5, 6);
    }

    @Test
    @Tag("F31")
    void awaiterCancelled_awaitedGoesOnWithoutItsCallback() {
        run.run(() -> {
            var event = new TestEvent();
            Coroutine<Object> awaited = Async.spawn(() -> waitFor(event));
            Coroutine<?> awaiter = Async.spawn(() -> Async.await(awaited));
            Async.suspend();
            awaiter.cancel();
            Async.suspend();
            assertThat(awaiter.isCancelled()).isTrue();
            assertThat(awaited.isCancellationRequested()).isFalse();
            assertThat(((Event) awaited).hasCallbacks()).isFalse();
            event.fire("value");
            assertThat(Async.await(awaited)).isEqualTo("value");
        });
    }

    @Test
    @Tag("F32")
    void cancelAndResultInOneTurn_oneIsDeliveredAndNothingLeaks() {
        for (boolean cancelFirst : new boolean[] {true, false}) {
            var outcome = new ArrayList<Object>();
            run.run(() -> {
                var event = new TestEvent();
                Coroutine<?> waiter = Async.spawn(() -> {
                    try {
                        outcome.add(waitFor(event));
                    } catch (AsyncCancellation e) {
                        outcome.add("cancelled");
                    }
                    var next = new TestEvent();
                    Async.spawn(() -> next.fire("next"));
                    outcome.add(waitFor(next));
                });
                Async.suspend();
                if (cancelFirst) waiter.cancel();
                event.fire("value");
                if (!cancelFirst) waiter.cancel();
                Async.suspend();
                assertThat(event.hasCallbacks()).isFalse();
            });
            assertThat(outcome).containsExactly("cancelled", "next");
        }
    }

    @Test
    @Tag("F37")
    void tokenLoses_unsubscribedAtOnceAndReusable() {
        run.run(() -> {
            var token = Async.timeout(3_600_000);
            for (int i = 0; i < 3; i++) {
                Coroutine<String> worker = Async.spawn(() -> {
                    Async.suspend();
                    return "done";
                });
                assertThat(Async.await(worker, token)).isEqualTo("done");
                assertThat(((Event) token).hasCallbacks()).isFalse();
                assertThat(((Event) token).isActive()).isFalse();
                assertThat(Async.runtimeStats().timers()).isZero();
            }
        });
    }

    @Test
    @Tag("F37")
    void tokenThatFailedOnTheFastPath_isNotReportedAsUnhandled() {
        run.run(() -> {
            Coroutine<String> done = Async.spawn(() -> "done");
            Coroutine<?> token = Async.spawn(() -> {
                throw new IllegalStateException("token failed");
            });
            Async.suspend();
            assertThat(Async.await(done, token)).isEqualTo("done");
        });
    }

    @Test
    @Tag("F38")
    void operationOverBeforeItsTimeout_runEndsAtOnce() {
        run.run(() -> {
            Async.await(Async.spawn(() -> Async.suspend()), Async.timeout(3_600_000));
            Async.timeout(3_600_000);
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("F79")
    void waiterGone_eventHoldsNothingOfIt() {
        run.run(() -> {
            var event = new TestEvent();
            for (int i = 0; i < 100; i++) {
                Coroutine<?> waiter = Async.spawn(() -> waitFor(event));
                Async.suspend();
                waiter.cancel();
                Async.suspend();
            }
            assertThat(event.hasCallbacks()).isFalse();
            assertThat(event.armed).isEqualTo(100);
            assertThat(event.disarmed).isEqualTo(100);
        });
    }

    /** The kit. */
    protected final ReactorKit kit() {
        return kit;
    }
}
