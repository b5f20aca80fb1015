package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.kernel.Wakers;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

class SpawnOrderTest {
    @Test
    @Tag("K8")
    void spawn_onlyQueues() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> log.add("a"));
            log.add("after spawn");
            spawn(() -> log.add("b"));
            log.add("after second spawn");
            suspend();
            log.add("main again");
        });
        assertThat(log).containsExactly("after spawn", "after second spawn", "a", "b", "main again");
    }

    @Test
    @Tag("K8")
    void spawnsOfACallerThatEnds_startInCallOrder() {
        var log = new ArrayList<Integer>();
        TestRuntime.run(() -> {
            for (int i = 0; i < 500; i++) {
                int number = i;
                spawn(() -> log.add(number));
            }
        });
        assertThat(log).isEqualTo(IntStream.range(0, 500).boxed().toList());
    }

    @Test
    @Tag("K8")
    void awaitOfSomethingDone_startsNobody() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<Integer> done = spawn(() -> 1);
            suspend();
            spawn(() -> log.add("peer"));
            await(done);
            log.add("main");
        });
        assertThat(log).containsExactly("main", "peer");
    }

    @Test
    @Tag("K10")
    void twoHighPriorityMarks_theLaterRunsFirst() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> log.add("normal 1"));
            spawn(() -> log.add("high 1")).asHighPriority();
            spawn(() -> log.add("normal 2"));
            spawn(() -> log.add("high 2")).asHighPriority();
        });
        assertThat(log).containsExactly("high 2", "high 1", "normal 1", "normal 2");
    }

    @Test
    @Tag("K10")
    void highPriorityWoken_runsBeforeThoseQueuedEarlier() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var event = new ManualEvent("door");
            spawn(() -> {
                currentCoroutine().asHighPriority();
                Waker waker = Waker.current();
                waker.resumeWhen(event, ResumeCallback.RESOLVE);
                waker.await();
                log.add("high");
            });
            suspend();
            spawn(() -> log.add("normal"));
            event.fire(null);
        });
        assertThat(log).containsExactly("high", "normal");
    }

    @Test
    @Tag("K14")
    void asHighPriority_returnsTheSameCoroutine() {
        TestRuntime.run(() -> {
            Coroutine<Integer> c = spawn(() -> 1);
            assertThat(c.asHighPriority()).isSameAs(c);
            assertThat(c.asHighPriority()).isSameAs(c);
            suspend();
            assertThat(c.asHighPriority()).isSameAs(c);
            assertThat(c.isQueued()).isFalse();
        });
    }

    @Test
    @Tag("K13")
    void markedTwiceAsHighPriority_runsOnce() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> spawn(() -> log.add("ran")).asHighPriority().asHighPriority());
        assertThat(log).containsExactly("ran");
    }

    @Test
    @Tag("K11")
    void suspend_letsThoseQueuedRunFirst() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                log.add("a1");
                suspend();
                log.add("a2");
            });
            spawn(() -> {
                log.add("b1");
                suspend();
                log.add("b2");
            });
            suspend();
            log.add("main");
        });
        assertThat(log).containsExactly("a1", "b1", "main", "a2", "b2");
    }

    @Test
    @Tag("K11")
    void suspendOfAHighPriorityCoroutine_goesToTheTailToo() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> log.add("peer"));
            currentCoroutine().asHighPriority();
            suspend();
            log.add("main");
        });
        assertThat(log).containsExactly("peer", "main");
    }

    @Test
    @Tag("K11")
    void suspendWithNobodyReady_costsNoSwitch() {
        TestRuntime.run(() -> {
            RuntimeStats stats = TestRuntime.counting(() -> {
                for (int i = 0; i < 100; i++) suspend();
            });
            assertThat(stats.switches()).isZero();
            assertThat(stats.reactorTurns()).isZero();
        });
    }

    @Test
    @Tag("K12")
    void childOfASuspendedParent_runsAfterSiblingsQueuedEarlier() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                spawn(() -> log.add("child of a"));
                log.add("a1");
                suspend();
                log.add("a2");
            });
            spawn(() -> log.add("b"));
            spawn(() -> log.add("c"));
        });
        assertThat(log).containsExactly("a1", "b", "c", "child of a", "a2");
    }

    @Test
    @Tag("K13")
    void wokenTwiceWhileQueued_runsOnce() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var wakers = new ArrayList<Waker>();
            spawn(() -> {
                Waker waker = Waker.current();
                wakers.add(waker);
                waker.resumeWhen(new ManualEvent("never"), ResumeCallback.RESOLVE);
                log.add("woken with " + waker.await());
                waker = Waker.current();
                var second = new ManualEvent("second");
                waker.resumeWhen(second, ResumeCallback.RESOLVE);
                spawn(() -> second.fire("second"));
                log.add("then with " + waker.await());
            });
            suspend();
            wakers.getFirst().wake("one");
            wakers.getFirst().wake("two");
            assertThat(Async.runtimeStats().queued()).isEqualTo(1);
        });
        assertThat(log).containsExactly("woken with one", "then with second");
    }

    @Test
    @Tag("K13")
    void wakeOfACoroutineThatOnlyYielded_doesNotDuplicateIt() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                log.add("c1");
                suspend();
                log.add("c2");
                delay(5);
                log.add("c3");
            });
            suspend();
            assertThat(c.isQueued()).isTrue();
            Wakers.of(c).wake("stray");
            assertThat(Async.runtimeStats().queued()).isEqualTo(1);
        });
        assertThat(log).containsExactly("c1", "c2", "c3");
    }

    @Test
    @Tag("K15")
    void variablesOfTheSpawner_areThoseOfTheCall() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            for (String name : List.of("x", "y")) spawn(() -> log.add(name));
            log.add("spawned");
        });
        assertThat(log).containsExactly("spawned", "x", "y");
    }

    @Test
    @Tag("K9")
    void queueThatGrowsWhileItIsWrappedAround_keepsItsOrder() {
        var log = new ArrayList<Integer>();
        TestRuntime.run(() -> {
            for (int i = 0; i < 40; i++) {
                int first = i;
                spawn(() -> {
                    for (int k = 0; k < 30; k++) {
                        int second = k;
                        spawn(() -> log.add(first * 100 + second));
                    }
                });
            }
        });
        assertThat(log).hasSize(1_200).isSorted();
    }

    @Test
    @Tag("K10")
    void delayOfNothing_letsTheOthersRunOnce() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> {
                log.add("other");
                suspend();
                log.add("other again");
            });
            delay(0);
            log.add("main");
        });
        assertThat(log).containsExactly("other", "main", "other again");
    }
}
