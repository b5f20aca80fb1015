package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Coroutine;
import org.trueasync.spi.Event;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.TimerEvent;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.TestEvent.Heard;

/** Where those who wait for an event run, and the races between it, them and who cancels them. */
public abstract class EventWaiterConformance extends EventSuite {
    protected EventWaiterConformance(ReactorKit kit) {
        super(kit);
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
}
