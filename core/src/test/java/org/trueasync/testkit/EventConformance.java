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
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.DeadlockError;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.event.EventCount;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.TestEvent.Heard;

/** The event model, as coroutines and extensions see it. */
public abstract class EventConformance extends EventSuite {
    protected EventConformance(ReactorKit kit) {
        super(kit);
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
        var count = new EventCount(() -> {});
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
        var count = new EventCount(() -> {});
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
        var count = new EventCount(() -> {});
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
        assertThatThrownBy(() -> new EventCount(() -> {}).decrement())
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("Bug in TrueAsync");
    }

    @Test
    @Tag("E12")
    void disposedTwice_releasedOnce() {
        var count = new EventCount(() -> {});
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
            Coroutine<?> waiter = Async.spawn(() -> Async.await(new CompletableFuture<>(), Async.timeout(9_000)));
            Async.suspend();
            assertThat(waiter.awaitingInfo())
                    .hasSize(2)
                    .anyMatch(i -> i.contains("CompletableFuture"))
                    .anyMatch(i -> i.contains("9000 ms"));
            waiter.cancel();
        });
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
        var event = new TestEvent(new EventCount(() -> {}));
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
}
