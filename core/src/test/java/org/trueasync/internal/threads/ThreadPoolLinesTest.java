package org.trueasync.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.Threads;

/**
 * The lines of a pool, by calls that have found its gate occupied: they begin as waits, and what is given up meanwhile
 * is still in its line. The pool's one worker is held, so that the test is alone inside.
 */
class ThreadPoolLinesTest {
    private final List<String> ran = Collections.synchronizedList(new ArrayList<>());

    @AfterEach
    void noThreadIsLeft() {
        Threads.assertNoneOfOursIsLeft();
    }

    /** A pool with room for one task, whose worker holds until it is let go. */
    private final class Held {
        final CountDownLatch go = new CountDownLatch(1);
        final Loop loop = Runtimes.here("test");
        final ThreadPoolCore pool = new ThreadPoolCore(1, 1, null, false, 1);

        Held() throws InterruptedException {
            var begun = new CountDownLatch(1);
            pool.submit(
                            () -> {
                                begun.countDown();
                                go.await();
                                return null;
                            },
                            null)
                    .ignore();
            begun.await();
        }

        PoolJob<Object> job(String name) {
            var job = new PoolJob<Object>(pool, loop, () -> ran.add(name));
            job.future().ignore();
            return job;
        }

        SubmitWaiter submits(PoolJob<?> job) {
            var waiter = new SubmitWaiter(pool, loop, job);
            waiter.run();
            return waiter;
        }

        void end() {
            go.countDown();
            pool.close();
        }
    }

    @Test
    @Tag("F36")
    void givenUpInTheQueueOrInLine_isPassedOver() {
        Threads.run(() -> {
            var held = new Held();
            List<PoolJob<Object>> jobs = new ArrayList<>();
            for (int i = 0; i < 5; i++) jobs.add(held.job("task " + i));
            for (PoolJob<?> job : jobs) held.submits(job);
            assertThat(held.pool.pendingCount()).isEqualTo(1);
            for (int given : new int[] {0, 2})
                assertThat(jobs.get(given).abandon()).isTrue();
            held.go.countDown();
            while (ran.size() < 3) delay(1);
            held.end();
            assertThat(ran).containsExactly("task 1", "task 3", "task 4");
            assertThat(held.pool.pendingCount()).isZero();
            assertThat(held.pool.runningCount()).isZero();
        });
    }

    @Test
    @Tag("F36")
    void givenUpBeforeItsCallBegins_neverStandsInALine() {
        Threads.run(() -> {
            var held = new Held();
            PoolJob<Object> gone = held.job("gone");
            assertThat(gone.abandon()).isTrue();
            held.submits(gone);
            assertThat(held.pool.pendingCount()).isZero();
            held.submits(held.job("next"));
            assertThat(held.pool.pendingCount()).isEqualTo(1);
            held.end();
            assertThat(ran).containsExactly("next");
        });
    }

    @Test
    @Tag("F36")
    void submitterThatLeaves_itsTaskLeavesTheQueueToTheNextInLine() {
        Threads.run(() -> {
            var held = new Held();
            PoolJob<Object> first = held.job("first");
            SubmitWaiter leaves = held.submits(first);
            held.submits(held.job("second"));
            PoolJob<Object> third = held.job("third");
            SubmitWaiter inLine = held.submits(third);
            leaves.withdraw();
            assertThat(held.pool.pendingCount()).isEqualTo(1);
            inLine.withdraw();
            assertThat(first.isAbandoned()).isTrue();
            assertThat(third.isAbandoned()).isTrue();
            assertThat(held.pool.pendingCount()).isEqualTo(1);
            held.end();
            assertThat(ran).containsExactly("second");
        });
    }

    @Test
    @Tag("T21")
    @Tag("T23")
    void callThatBeginsAfterTheClose_isRefused() {
        Threads.run(() -> {
            var held = new Held();
            SubmitWaiter queued = held.submits(held.job("queued"));
            SubmitWaiter inLine = held.submits(held.job("in line"));
            Coroutine<?> closing = spawn(held.pool::close);
            suspend();
            assertThat(inLine.isRefused()).isTrue();
            assertThat(queued.isRefused()).isFalse();
            assertThat(held.submits(held.job("late")).isRefused()).isTrue();
            held.go.countDown();
            await(closing);
            assertThat(ran).containsExactly("queued");
        });
    }

    @Test
    @Tag("T24")
    void states_ofATask() {
        Threads.run(() -> {
            var held = new Held();
            PoolJob<Object> job = held.job("handed back");
            assertThat(job.isWaiting()).isTrue();
            assertThat(job.take()).isTrue();
            assertThat(job.isWaiting()).isFalse();
            assertThat(job.take()).isFalse();
            assertThat(job.abandon()).isFalse();
            var reason = new AsyncCancellation("asked for");
            assertThat(job.cancel(reason)).isFalse();
            assertThat(job.cancellation()).isSameAs(reason);
            job.handBack();
            assertThat(job.isWaiting()).isTrue();
            assertThat(job.isAbandoned()).isFalse();
            assertThat(job.cancel(reason)).isTrue();
            assertThat(job.isAbandoned()).isTrue();
            job.handBack();
            assertThat(job.isWaiting()).isFalse();
            assertThat(job.cancel(reason)).isFalse();
            assertThat(held.pool.completedCount()).isEqualTo(1);
            held.end();
            assertThat(ran).isEmpty();
        });
    }
}
