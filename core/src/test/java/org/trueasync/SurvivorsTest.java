package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.Reference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;

/** Coroutines that do not end when they are told to: the report and the list of them. */
@Tag("K62")
class SurvivorsTest {
    private static final int MOST_SHOWN = 20;

    private static void stubborn() {
        while (true) {
            try {
                delay(10);
            } catch (AsyncCancellation e) {
                // goes on
            }
        }
    }

    @ParameterizedTest
    @ValueSource(ints = {2, MOST_SHOWN, MOST_SHOWN + 3})
    void allAreCounted_andSoManyOfThemShownInSpawnOrder(int count) {
        var run = new TestRuntime(b -> b.shutdownTimeout(Duration.ofMillis(1_500)));
        var scopes = new Scope[2];
        run.start(() -> {
            // in two scopes by turns: the order is not that of the scopes
            scopes[0] = new Scope();
            scopes[1] = new Scope();
            for (int i = 0; i < count; i++) scopes[i % 2].spawn("stubborn-" + i, SurvivorsTest::stubborn);
            spawn(() -> delay(1)); // one that ends is none of them
            suspend();
            gracefulShutdown();
        });
        // a scope that nobody refers to any more could be collected before, which would be reported
        Reference.reachabilityFence(scopes);
        var survivors = run.runtime().survivors();
        assertThat(survivors).hasSize(count);
        for (int i = 0; i < count; i++) assertThat(survivors.get(i)).contains("'stubborn-" + i + "'");
        var expected = new ArrayList<String>();
        expected.add(count
                + " coroutines were abandoned, as they did not end when told to (the shutdown timeout is 1.5 s):");
        survivors.stream().limit(MOST_SHOWN).forEach(line -> expected.add("  " + line));
        if (count > MOST_SHOWN) expected.add("  ... and " + (count - MOST_SHOWN) + " more");
        assertThat(run.reports()).containsExactly(String.join("\n", expected));
    }

    @Test
    void actionsForTheEnd_areRunAlthoughSomebodyIsLeftBehind() {
        var log = new ArrayList<String>();
        var run = new TestRuntime(b -> b.shutdownTimeout(Duration.ofMillis(1_500)));
        run.start(() -> {
            Runtimes.here("the test").atEnd(() -> log.add("second"));
            Runtimes.here("the test").atEnd(() -> log.add("first"));
            spawn(SurvivorsTest::stubborn);
            suspend();
            gracefulShutdown();
        });
        assertThat(log).containsExactly("first", "second");
        assertThat(run.runtime().survivors()).as("noted once").hasSize(1);
    }

    @Test
    void leftInJdkCode_goesOnElsewhereOnceItIsWoken() throws InterruptedException {
        var gate = new CountDownLatch(1);
        var ended = new CountDownLatch(1);
        var run = new TestRuntime(b -> b.shutdownTimeout(Duration.ofMillis(1_500)));
        run.start(() -> {
            spawn(() -> {
                while (gate.getCount() > 0) {
                    try {
                        gate.await();
                    } catch (InterruptedException e) {
                        // goes on
                    }
                }
                ended.countDown();
            });
            suspend();
            gracefulShutdown();
        });
        assertThat(run.runtime().survivors()).hasSize(1);
        assertThat(ended.getCount()).isOne();
        gate.countDown();
        assertThat(ended.await(10, TimeUnit.SECONDS)).isTrue();
    }

    /** Waits again in {@code finally}, also after the deadline. */
    private static void waitsToTheLast(int[] unwound) {
        try {
            delay(1_000_000);
        } finally {
            try {
                delay(1_000_000);
            } finally {
                try {
                    delay(1);
                } finally {
                    unwound[0]++;
                }
            }
        }
    }

    private static TestRuntime shutDownWith(Runnable spawns) {
        var run = new TestRuntime(b -> b.shutdownTimeout(Duration.ofMillis(1_500)));
        run.start(() -> {
            spawns.run();
            suspend();
            gracefulShutdown();
        });
        return run;
    }

    @Test
    void manyWaitInFinallyAfterTheDeadline_allAreUnwound() {
        int[] unwound = new int[1];
        TestRuntime run = shutDownWith(() -> {
            for (int i = 0; i < 2_500; i++) spawn(() -> waitsToTheLast(unwound));
        });
        assertThat(unwound).containsExactly(2_500);
        assertThat(run.runtime().survivors()).isEmpty();
    }

    @Test
    void oneCatchesEverything_theOthersAreUnwoundAllTheSame() {
        int[] unwound = new int[1];
        TestRuntime run = shutDownWith(() -> {
            spawn(SurvivorsTest::stubborn);
            spawn(() -> waitsToTheLast(unwound));
        });
        assertThat(unwound).containsExactly(1);
        assertThat(run.runtime().survivors()).hasSize(1);
    }

    private static void spawnsTheNext() {
        try {
            delay(10);
        } finally {
            spawn(SurvivorsTest::spawnsTheNext);
        }
    }

    private static void fails() {
        throw new IllegalStateException("expected");
    }

    /** Of two errors the second ends all waits of the clean-up. */
    private static void failTwice() {
        for (int i = 0; i < 2; i++)
            Async.launch(() -> {
                try {
                    suspend();
                } finally {
                    fails();
                }
            });
    }

    /** Sleeps, and does so again after so many cancellations. */
    private static void sleepsOn(int catches, int[] caught) throws InterruptedException {
        for (int i = 0; i < catches; i++) {
            try {
                Thread.sleep(1_000_000);
            } catch (InterruptedException e) {
                caught[0]++;
            }
        }
        Thread.sleep(1_000_000);
    }

    @Test
    @Tag("K64")
    void sleepsAfterItHasCaughtTheCancellationsOfShutdownAndEnd_isUnwound() {
        var log = new ArrayList<String>();
        int[] caught = new int[1];
        var run = new TestRuntime();
        run.failure(() -> {
            spawn(() -> {
                Async.currentCoroutine().onFinally(c -> log.add("handler"));
                try {
                    sleepsOn(2, caught);
                } finally {
                    log.add("finally");
                }
            });
            Async.launch(() -> {
                try {
                    delay(1_000_000);
                } finally {
                    while (caught[0] == 0) suspend();
                    fails();
                }
            });
            suspend();
            fails();
        });
        assertThat(caught).containsExactly(2);
        assertThat(log).containsExactly("finally", "handler");
        assertThat(run.reports()).isEmpty();
        assertThat(run.runtime().survivors()).isEmpty();
    }

    @Test
    @Tag("K64")
    void waitsInJdkCode_areEndedAgainAsLongAsThatLeavesFewer() {
        int[] unwound = new int[1];
        var run = new TestRuntime();
        run.failure(() -> {
            for (int i = 0; i < 5; i++) {
                int catches = 1 + i;
                spawn(() -> {
                    try {
                        sleepsOn(catches, new int[1]);
                    } finally {
                        unwound[0]++;
                    }
                });
            }
            suspend();
            failTwice();
        });
        assertThat(unwound).containsExactly(5);
        assertThat(run.runtime().survivors()).isEmpty();
    }

    @Test
    @Tag("D29")
    void runThatIsUnwoundWhileAThreadEnds_hasNoSurvivor() {
        var ended = new CountDownLatch(1);
        var begun = new CountDownLatch(1);
        var run = new TestRuntime();
        run.failure(() -> {
            Async.spawnThread(() -> {
                try {
                    begun.countDown();
                    delay(1_000_000);
                } finally {
                    ended.countDown();
                }
                return 1;
            });
            begun.await();
            failTwice();
        });
        assertThat(ended.getCount()).isZero();
        assertThat(run.reports()).isEmpty();
        assertThat(run.runtime().survivors()).isEmpty();
    }

    @Test
    void eachSpawnsTheNext_theRunEndsNevertheless() {
        TestRuntime run = shutDownWith(() -> spawn(SurvivorsTest::spawnsTheNext));
        assertThat(run.runtime().survivors()).hasSize(1);
    }
}
