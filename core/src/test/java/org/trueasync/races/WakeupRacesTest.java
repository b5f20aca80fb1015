package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ForkJoinPool;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.event.EventCount;
import org.trueasync.spi.Event;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;
import org.trueasync.testkit.TestEvent;
import org.trueasync.testkit.TestEvent.Heard;

@Tag("sized")
class WakeupRacesTest {
    private static Object waitFor(Event event) {
        Waker waker = Waker.current();
        waker.resumeWhen(event, ResumeCallback.RESOLVE);
        return waker.await();
    }

    private static void pauseAtRandom(RandomGenerator random) {
        switch (random.nextInt(4)) {
            case 0 -> {}
            case 1 -> Async.suspend();
            case 2 -> Async.delay(random.nextInt(3));
            default -> Async.await(Outside.completes(null));
        }
    }

    private static void requireIdle(TestEvent event) {
        assertThat(event.hasCallbacks()).isFalse();
        assertThat(event.isActive()).isFalse();
        assertThat(event.armed).isEqualTo(event.disarmed);
    }

    @Test
    @Tag("F1")
    void eventThatClosesAroundTheWait_wakesTheWaiterOnce() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            var event = new TestEvent();
            Runnable finish = () -> {
                if (!event.isClosed()) event.finish("value");
            };
            Waker waker = null;
            int when = random.nextInt(6);
            switch (when) {
                case 0 -> finish.run();
                case 1 -> event.onArm = finish;
                case 2 -> Microtask.of(finish::run).enqueue();
                case 3 -> Async.spawn(finish::run);
                case 4 -> Outside.happens(finish::run);
                default -> waker = Waker.current();
            }
            if (waker == null) {
                assertThat(waitFor(event)).isEqualTo("value");
            } else {
                waker.resumeWhen(event, ResumeCallback.RESOLVE);
                finish.run(); // after the subscription, before the wait
                assertThat(waker.await()).isEqualTo("value");
            }
            requireIdle(event);
            Async.delay(1); // nothing is left of the former wait
            assertThat(waitFor(event)).isEqualTo("value");
        });
    }

    @Test
    @Tag("F3")
    @Tag("F32")
    void eventFiresAgainBeforeTheWokenRuns_eachWaiterGetsTheFirstSinceItsWait() {
        Orders.exploreAll(() -> {
            RandomGenerator random = Schedules.random();
            var event = new TestEvent();
            int[] fired = {0};
            var waiters = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++) {
                waiters.add(Async.spawn(() -> {
                    for (int k = 0; k < 3; k++) {
                        int seen = fired[0];
                        assertThat(waitFor(event)).isEqualTo(seen + 1);
                        if (random.nextBoolean()) Async.suspend();
                    }
                }));
            }
            while (waiters.stream().anyMatch(c -> !c.isCompleted())) {
                event.fire(++fired[0]);
                if (random.nextInt(3) == 0) event.fire(++fired[0]);
                pauseAtRandom(random);
                if (fired[0] > 5_000) throw new AssertionError("a waiter is not woken any more");
            }
            Async.awaitAllOrFail(waiters);
            requireIdle(event);
        });
    }

    @Test
    @Tag("F4")
    void someLeaveTheLine_theOthersAreWokenInTheOrderOfArrival() {
        Orders.exploreCompletions(() -> {
            RandomGenerator random = Schedules.random();
            var event = new TestEvent();
            var woken = new ArrayList<Integer>();
            var waiters = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 6; i++) {
                int number = i;
                waiters.add(Async.spawn(() -> {
                    waitFor(event);
                    woken.add(number);
                }));
            }
            Async.suspend();
            var left = new ArrayList<Integer>();
            for (int i = random.nextInt(5); i > 0; i--) {
                int leaver = random.nextInt(6);
                pauseAtRandom(random);
                waiters.get(leaver).cancel();
                left.add(leaver);
            }
            pauseAtRandom(random);
            event.fire("go");
            Async.delay(1);
            assertThat(woken).isSorted().doesNotHaveDuplicates().noneMatch(left::contains);
            assertThat(woken.size() + left.stream().distinct().count()).isEqualTo(6);
            requireIdle(event);
        });
    }

    @Test
    @Tag("F8")
    void listChangesWhileItIsTold_nobodyIsSkippedOrToldTwice() {
        Orders.exploreCompletions(() -> {
            RandomGenerator random = Schedules.random();
            var event = new TestEvent(new EventCount(() -> {}));
            var all = new ArrayList<Heard>();
            boolean[] changing = {true};
            var expected = new ArrayList<Heard>();
            Runnable change = () -> {
                if (!changing[0]) return;
                Heard other = all.get(random.nextInt(all.size()));
                switch (random.nextInt(5)) {
                    case 0, 1 -> {
                        event.removeCallback(other);
                        expected.remove(other);
                    }
                    case 2 -> {
                        if (!other.isSubscribed()) event.addCallback(other);
                    }
                    case 3 -> {
                        if (random.nextInt(10) == 0) event.dispose();
                    }
                    default -> {}
                }
            };
            for (int i = 0; i < 5; i++) {
                Heard[] self = new Heard[1];
                self[0] = new Heard(() -> {
                    assertThat(expected.remove(self[0]))
                            .as("told although it had left, or twice")
                            .isTrue();
                    change.run();
                });
                all.add(self[0]);
                event.addCallback(self[0]);
            }
            for (int round = 0; round < 5 && !event.isClosed(); round++) {
                expected.clear();
                for (Heard callback : all) if (callback.isSubscribed()) expected.add(callback);
                event.fire(round);
                assertThat(expected).as("not told").isEmpty();
            }
        });
    }

    @Test
    @Tag("F11")
    void stageCompletedWhileItsWaiterLeaves_deliveredOnceOrDiscarded() {
        Orders.exploreAll(() -> {
            var stage = new CompletableFuture<String>();
            var got = new ArrayList<String>();
            Coroutine<?> waiter = Async.spawn(() -> {
                try {
                    got.add(Async.await(stage));
                } catch (AsyncCancellation e) {
                    got.add("left");
                }
                Async.delay(1); // what is late must not end this one
                Async.suspend();
                got.add("done");
            });
            List<Coroutine<?>> both =
                    List.of(Outside.happens(() -> stage.complete("value")), Outside.happens(waiter::cancel));
            Async.awaitAllOrFail(both);
            try {
                Async.await(waiter);
                assertThat(got).hasSize(2).last().isEqualTo("done");
                assertThat(got.getFirst()).isIn("value", "left");
            } catch (AsyncCancellation e) {
                // never begun, or cancelled after the value: in one of the waits behind it
                assertThat(got).doesNotContain("left", "done");
            }
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    @Tag("F11")
    void stageCompletedByAnotherThreadAtAnyTime_deliveredOnceOrDiscarded() {
        // Real threads: a seed does not repeat it.
        Orders.exploreCompletions(() -> {
            var stage = new CompletableFuture<String>();
            int[] got = {0};
            Coroutine<?> waiter = Async.spawn(() -> {
                assertThat(Async.await(stage)).isEqualTo("value");
                got[0]++;
            });
            ForkJoinPool.commonPool().execute(() -> stage.complete("value"));
            if (Schedules.random().nextBoolean()) Async.suspend();
            boolean cancels = Schedules.random().nextInt(3) > 0;
            if (cancels) waiter.cancel();
            try {
                Async.await(waiter);
                assertThat(got[0]).isEqualTo(1);
            } catch (AsyncCancellation e) {
                assertThat(cancels).isTrue();
                assertThat(got[0]).isZero();
            }
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }
}
