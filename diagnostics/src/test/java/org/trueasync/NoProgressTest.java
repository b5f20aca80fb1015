package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.spawn;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.Executor;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.testkit.TestRuntime;

/** Everybody waits, and an executor that is held is all that speaks against a deadlock. */
@Tag("K60")
class NoProgressTest {
    private static final Duration SOON = Duration.ofMillis(20);

    private final BlockingQueue<String> reports = new LinkedBlockingQueue<>();
    private final TestRuntime runtime =
            new TestRuntime(builder -> builder.deadlockAfter(SOON).diagnostics(reports::add));

    /** Runs beside the run and ends it. */
    private void meanwhile(Body watcher) {
        Thread.ofPlatform().daemon().start(() -> {
            try {
                watcher.run();
            } catch (Throwable e) {
                reports.add("the watcher has failed: " + e);
            } finally {
                runtime.runtime().shutdown(new AsyncCancellation("seen"));
            }
        });
    }

    private @Nullable String reportWithin(long times) throws InterruptedException {
        return reports.poll(times * SOON.toMillis(), TimeUnit.MILLISECONDS);
    }

    private static void waitsForEver() {
        new FutureState<String>().future().await();
    }

    /** A body that must not bring a report, however long it stands still. */
    private void isNotReported(Body main) {
        var begun = new CountDownLatch(1);
        meanwhile(() -> {
            begun.await();
            String report = reportWithin(40);
            if (report != null) reports.add(report);
        });
        runtime.start(() -> {
            begun.countDown();
            main.run();
        });
        assertThat(reports).isEmpty();
    }

    @Test
    void allWaitAndAnExecutorIsHeld_isSaidOnce() {
        var seen = new CompletableFuture<String>();
        meanwhile(() -> {
            seen.complete(reports.take());
            assertThat(reportWithin(40)).as("no second report").isNull();
        });
        runtime.start(() -> {
            Executor executor = executor();
            spawn(() -> new Channel<String>("orders").receive());
            waitsForEver();
            Reference.reachabilityFence(executor);
        });
        assertThat(seen.join())
                .startsWith(
                        "no coroutine has made progress for 0.06 s: 2 coroutines wait, and only what another thread gives to"
                                + " an executor() or threadFactory() that somebody holds could change that")
                .contains("suspended NoProgressTest.java:", "awaits future", "'orders'");
        assertThat(reports).isEmpty();
    }

    @ParameterizedTest
    @ValueSource(ints = {20, 23})
    void manyThatWait_areCountedAndTwentyOfThemShown(int count) {
        var seen = new CompletableFuture<String>();
        meanwhile(() -> seen.complete(reports.take()));
        runtime.start(() -> {
            Executor executor = executor();
            for (int i = 1; i < count; i++) spawn("waiter-" + i, NoProgressTest::waitsForEver);
            waitsForEver();
            Reference.reachabilityFence(executor);
        });
        assertThat(seen.join()).contains(": " + count + " coroutines wait, ").contains("'waiter-1'", "'waiter-19'");
        if (count > 20) assertThat(seen.join()).endsWith("\n  ... and 3 more").doesNotContain("'waiter-20'");
        else assertThat(seen.join()).doesNotContain(" more");
    }

    @Test
    void groupThatNobodyClosesIsIterated_isSaid() {
        var seen = new CompletableFuture<String>();
        meanwhile(() -> seen.complete(reports.take()));
        runtime.start(() -> {
            Executor executor = executor();
            var group = new TaskGroup<String>(1);
            group.spawn(() -> group.spawn(() -> "child"));
            group.forEach(outcome -> {});
            Reference.reachabilityFence(executor);
        });
        assertThat(seen.join()).contains("1 coroutine waits", "awaits the next task of TaskGroup, 0 running");
    }

    /** A descriptor, a timer, a signal and another thread's work are counted in the same way. */
    @Test
    void somethingThatMayHappen_isNotReported() {
        isNotReported(() -> {
            Executor executor = executor();
            var remote = new FutureState<String>();
            var handedOver = remote.handOver();
            remote.future().await();
            Reference.reachabilityFence(handedOver);
            Reference.reachabilityFence(executor);
        });
    }

    @Test
    void waitInJdkCode_isNotReported() {
        isNotReported(() -> {
            Executor executor = executor();
            spawn(() -> new CountDownLatch(1).await());
            waitsForEver();
            Reference.reachabilityFence(executor);
        });
    }

    /** A run that others bring work to from outside is idle between two tasks. */
    @Test
    void runThatIsEnteredFromOutside_isNotReported() {
        Executor entrance = runtime.runtime().executor();
        isNotReported(() -> {
            Executor executor = executor();
            waitsForEver();
            Reference.reachabilityFence(executor);
        });
        Reference.reachabilityFence(entrance);
    }

    @Test
    void executorThatHasBroughtTasks_isGivenMoreTime() {
        var brought = new CompletableFuture<Long>();
        var given = new CompletableFuture<Executor>();
        var reported = new ArrayList<Long>();
        meanwhile(() -> {
            given.join().execute(() -> brought.complete(System.nanoTime()));
            assertThat(reports.take()).startsWith("no coroutine has made progress for 0.4 s");
            reported.add(System.nanoTime());
        });
        runtime.start(() -> {
            Executor executor = executor();
            given.complete(executor);
            await(brought); // no time counts before the task has come
            waitsForEver();
            Reference.reachabilityFence(executor);
        });
        assertThat(reported).singleElement().satisfies(at -> assertThat(at - brought.join())
                .isGreaterThan(19 * SOON.toNanos()));
    }

    @Test
    void deadlockReportsOff_silenceThisToo() {
        var silent = new TestRuntime(
                builder -> builder.deadlockAfter(SOON).deadlockReports(false).diagnostics(reports::add));
        Thread.ofPlatform().daemon().start(() -> {
            try {
                Thread.sleep(40 * SOON.toMillis());
            } catch (InterruptedException e) {
                // ends it sooner
            }
            silent.runtime().shutdown(new AsyncCancellation("seen"));
        });
        silent.start(() -> {
            Executor executor = executor();
            waitsForEver();
            Reference.reachabilityFence(executor);
        });
        assertThat(reports).isEmpty();
    }

    /** Nobody else wakes the loop when the collector has found that nobody holds it any more. */
    @Test
    void executorThatIsCollectedAfterTheLastReport_leavesADeadlock() {
        var given = new CompletableFuture<Executor>();
        assertThatThrownBy(() -> runtime.start(() -> {
                    collectAfterTheReport(given);
                    given.complete(executor());
                    waitsForEver();
                }))
                .isInstanceOf(DeadlockError.class);
    }

    private void collectAfterTheReport(CompletableFuture<Executor> given) {
        Thread.ofPlatform().daemon().start(() -> {
            given.join().execute(() -> {});
            try {
                reports.take();
            } catch (InterruptedException e) {
                return;
            }
            var executor = new WeakReference<>(given.join());
            given.obtrudeValue(null);
            while (executor.get() != null) System.gc();
        });
    }
}
