package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;

/**
 * A loop held by a wait that only a coroutine of the same loop could end: told from beside it, also where no watchdog
 * was asked for.
 */
@Tag("K56")
class HeldDeadlockTest {
    private static final Duration SOON = Duration.ofMillis(40);

    private final List<String> reports = new CopyOnWriteArrayList<>();
    private final BlockingQueue<Thread> heldBy = new LinkedBlockingQueue<>();
    private final CountDownLatch reported = new CountDownLatch(1);

    /** What holds the loop is interrupted after the report, so that the test ends. */
    private TestRuntime runtime() {
        return new TestRuntime(builder -> builder.deadlockAfter(SOON).diagnostics(report -> {
            reports.add(report);
            reported.countDown();
            heldBy.forEach(Thread::interrupt);
        }));
    }

    private static volatile Runnable inInitialiser = () -> {};

    private static final class TakesALock {
        static final boolean DONE = run();
    }

    private static final class TakesAMonitor {
        static final boolean DONE = run();
    }

    private static final class TakesALockForEver {
        static final boolean DONE = run();
    }

    private static final class WaitsForAnything {
        static final boolean DONE = run();
    }

    private static final class WaitsForAThread {
        static final boolean DONE = run();
    }

    private static boolean run() {
        inInitialiser.run();
        return true;
    }

    private static void lock(ReentrantLock lock) {
        try {
            lock.lockInterruptibly();
            lock.unlock();
        } catch (InterruptedException expected) {
            // the test has seen enough
        }
    }

    @Test
    void lockOfASuspendedCoroutine_wantedByAPinnedOne_isReported() {
        var lock = new ReentrantLock();
        inInitialiser = () -> lock(lock);
        runtime().start(() -> {
            spawn(() -> {
                lock.lock();
                suspend();
                lock.unlock();
            });
            suspend();
            heldBy.add(Thread.currentThread());
            assertThat(TakesALock.DONE).isTrue();
        });
        assertThat(reports)
                .singleElement()
                .asString()
                .startsWith("Deadlock: loop 'test' is held for ever by the main coroutine, #")
                .containsSubsequence(
                        "the main coroutine, #",
                        " wants java.util.concurrent.locks.ReentrantLock$",
                        "HeldDeadlockTest$TakesALock.<clinit>(",
                        "HeldDeadlockTest.java:",
                        " holds it, and can't run",
                        "HeldDeadlockTest.lambda$",
                        "Way out: use the class once before");
    }

    /** The chain goes through a thread that is not ours. */
    @Test
    void monitorOfAThreadThatWaitsForACoroutine_isReported() {
        var lock = new ReentrantLock();
        var monitor = new Object();
        var entered = new CountDownLatch(1);
        inInitialiser = () -> {
            synchronized (monitor) {
                entered.countDown();
            }
        };
        runtime().start(() -> {
            var holder = spawn(() -> {
                lock.lock();
                suspend();
                lock.unlock();
            });
            suspend();
            Thread other = Thread.ofPlatform().daemon().name("other").start(() -> {
                synchronized (monitor) {
                    lock(lock);
                }
            });
            heldBy.add(other);
            while (!lock.hasQueuedThread(other)) Thread.onSpinWait();
            assertThat(TakesAMonitor.DONE).isTrue();
            await(holder);
        });
        assertThat(reports)
                .singleElement()
                .asString()
                .startsWith("Deadlock: loop 'test' is held for ever by the main coroutine, #")
                .containsSubsequence(
                        " wants java.lang.Object@",
                        "thread 'other' holds it, and wants java.util.concurrent.locks.ReentrantLock$",
                        "HeldDeadlockTest.java:",
                        " holds that, and can't run");
    }

    @Test
    void runOnAThreadOfItsOwn_throwsTheDeadlock() throws InterruptedException {
        var lock = new ReentrantLock();
        inInitialiser = () -> lock(lock);
        var thrown = new LinkedBlockingQueue<Throwable>();
        var stuck = new LinkedBlockingQueue<Thread>();
        Thread caller = Thread.ofPlatform().daemon().start(() -> {
            try {
                Async.runtime()
                        .reactor(VirtualReactor::new)
                        .stackSize(1 << 20)
                        .deadlockAfter(SOON)
                        .diagnostics(report -> {
                            reports.add(report);
                            reported.countDown();
                        })
                        .run(() -> {
                            spawn(() -> {
                                lock.lock();
                                suspend();
                                lock.unlock();
                            });
                            suspend();
                            stuck.add(Thread.currentThread());
                            assertThat(TakesALockForEver.DONE).isTrue();
                        });
            } catch (Throwable e) {
                thrown.add(e);
            }
        });
        Throwable error = thrown.poll(15, TimeUnit.SECONDS);
        reported.await(); // the run waits for who writes the report for 2 s only
        assertThat(error).isInstanceOf(DeadlockError.class).hasMessage(reports.getFirst());
        stuck.take().interrupt();
        assertThat(caller.join(Duration.ofSeconds(15))).isTrue();
    }

    /**
     * Anybody could put something into the queue, so it is no deadlock that could be proved; but nobody else runs, and
     * that is said.
     */
    @Test
    void waitThatAnybodyCouldEnd_isReportedAsWhatItIs() {
        var queue = new LinkedBlockingQueue<String>();
        inInitialiser = () -> take(queue);
        runtime().start(() -> {
            spawn(() -> queue.add("too late"));
            heldBy.add(Thread.currentThread());
            assertThat(WaitsForAnything.DONE).isTrue();
        });
        assertThat(reports)
                .singleElement()
                .asString()
                .startsWith("Loop 'test' is held by the main coroutine, #")
                .contains("HeldDeadlockTest$WaitsForAnything.<clinit>(", "a class initialiser can't be left")
                .endsWith("If what it waits for is for another coroutine of this loop to do, this is a deadlock")
                .doesNotContain("for ever");
    }

    private static @Nullable String take(BlockingQueue<String> queue) {
        try {
            return queue.take();
        } catch (InterruptedException expected) {
            return null;
        }
    }

    /** The holder is a thread that goes its own way, and lets go after several looks. */
    @Test
    void lockOfAThreadThatWorks_isNoDeadlock() {
        var lock = new ReentrantLock();
        var held = new CountDownLatch(1);
        inInitialiser = () -> lock(lock);
        runtime().start(() -> {
            Thread.ofPlatform().daemon().start(() -> {
                lock.lock();
                held.countDown();
                sleep(2 * SOON.toMillis());
                lock.unlock();
            });
            held.await();
            assertThat(WaitsForAThread.DONE).isTrue();
        });
        assertThat(reports).isEmpty();
    }

    private static void sleep(long millis) {
        try {
            Thread.sleep(millis);
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }

    @Test
    void watcherOfAll_isOneThread_andKeepsNothingAlive() {
        runtime().start(() -> assertThat(Thread.getAllStackTraces().keySet())
                .filteredOn(thread -> thread.getName().equals("trueasync-deadlock-watch"))
                .singleElement()
                .satisfies(thread -> assertThat(thread.isDaemon()).isTrue()));
    }
}
