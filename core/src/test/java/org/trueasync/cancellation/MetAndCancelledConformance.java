package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ArrayBlockingQueue;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.LinkedTransferQueue;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.testkit.TestRun;

/**
 * What a wait of the JDK's is for comes in the same moment as the cancellation, before the coroutine runs again.
 * Whichever wins, nothing is lost: a wait that returns returns what it got, and the next wait ends.
 */
public abstract class MetAndCancelledConformance {
    /** A wait, and what brings it its end. */
    private record Pair(Body waits, Body meets) {}

    private static final Map<String, Supplier<Pair>> PAIRS = new LinkedHashMap<>();

    static {
        PAIRS.put("Condition.await", () -> {
            var lock = new ReentrantLock();
            var condition = lock.newCondition();
            return new Pair(
                    () -> {
                        lock.lock();
                        try {
                            condition.await();
                        } finally {
                            lock.unlock();
                        }
                    },
                    () -> {
                        lock.lock();
                        condition.signal();
                        lock.unlock();
                    });
        });
        PAIRS.put("Condition.await, signalled under a lock that is kept", () -> {
            var lock = new ReentrantLock();
            var condition = lock.newCondition();
            return new Pair(
                    () -> {
                        lock.lock();
                        try {
                            condition.await();
                        } finally {
                            lock.unlock();
                        }
                    },
                    () -> {
                        spawn(() -> {
                            lock.lock();
                            condition.signal();
                            delay(5);
                            lock.unlock();
                        });
                        suspend();
                    });
        });
        PAIRS.put("ArrayBlockingQueue.take", () -> {
            var queue = new ArrayBlockingQueue<Integer>(1);
            return new Pair(queue::take, () -> queue.put(1));
        });
        PAIRS.put("LinkedBlockingQueue.take", () -> {
            var queue = new LinkedBlockingQueue<Integer>();
            return new Pair(queue::take, () -> queue.put(1));
        });
        PAIRS.put("LinkedTransferQueue.take", () -> {
            var queue = new LinkedTransferQueue<Integer>();
            return new Pair(queue::take, () -> queue.put(1));
        });
        PAIRS.put("SynchronousQueue.take", () -> {
            var queue = new SynchronousQueue<Integer>();
            return new Pair(queue::take, () -> queue.offer(1));
        });
        PAIRS.put("CountDownLatch.await", () -> {
            var latch = new CountDownLatch(1);
            return new Pair(latch::await, latch::countDown);
        });
        PAIRS.put("wait that goes on after an interrupt", () -> {
            var latch = new CountDownLatch(1);
            return new Pair(() -> uninterruptibly(latch), latch::countDown);
        });
        PAIRS.put("CyclicBarrier.await", () -> {
            var barrier = new CyclicBarrier(2);
            return new Pair(
                    barrier::await,
                    () -> spawn(() -> {
                        try {
                            barrier.await();
                        } catch (java.util.concurrent.BrokenBarrierException broken) {
                            // the other one has left
                        }
                    }));
        });
        PAIRS.put("Semaphore.acquire", () -> {
            var semaphore = new Semaphore(0);
            return new Pair(semaphore::acquire, semaphore::release);
        });
        PAIRS.put("CompletableFuture.get", () -> {
            var future = new CompletableFuture<Integer>();
            return new Pair(future::get, () -> future.complete(1));
        });
        PAIRS.put("FutureTask.get", () -> {
            var task = new FutureTask<>(() -> 1);
            return new Pair(task::get, task::run);
        });
        PAIRS.put("LockSupport.park", () -> {
            var self = new Thread[1];
            return new Pair(
                    () -> {
                        self[0] = Thread.currentThread();
                        LockSupport.park();
                    },
                    () -> LockSupport.unpark(self[0]));
        });
        PAIRS.put("Object.wait", () -> {
            var monitor = new Object();
            return new Pair(
                    () -> {
                        synchronized (monitor) {
                            monitor.wait();
                        }
                    },
                    () -> {
                        synchronized (monitor) {
                            monitor.notify();
                        }
                    });
        });
    }

    private static void uninterruptibly(CountDownLatch latch) {
        boolean interrupted = false;
        while (true) {
            try {
                latch.await();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
    }

    /** In one go: what it waits for comes, and it is cancelled. */
    private interface Order {
        void of(Body meets, Coroutine<?> worker, AsyncCancellation reason) throws Throwable;
    }

    private static Stream<DynamicTest> each(Order order) {
        return PAIRS.entrySet().stream()
                .map(pair -> DynamicTest.dynamicTest(pair.getKey(), () -> {
                    List<String> log = new ArrayList<>();
                    var reason = new AsyncCancellation("given reason");
                    var run = new TestRun(PendingCancellationConformance::reactor);
                    run.run(() -> {
                        Pair made = pair.getValue().get();
                        Coroutine<?> worker = spawn(() -> {
                            log.add("waits");
                            made.waits().run();
                            log.remove("waits");
                            delay(3_600_000);
                        });
                        worker.onFinally(ended -> log.add(ended.isCancelled() ? "cancelled" : "" + ended.exception()));
                        Waits.until(worker, () -> !log.isEmpty());
                        order.of(made.meets(), worker, reason);
                        long end = System.nanoTime() + 60_000_000_000L;
                        while (!worker.isCompleted() && System.nanoTime() - end < 0) delay(1);
                        log.remove("waits");
                        if (!worker.isCompleted()) {
                            log.add("the cancellation is lost");
                            worker.cancel(new AsyncCancellation("second"));
                        }
                        while (!worker.isCompleted()) delay(1);
                        assertThat(worker.exception()).isSameAs(reason);
                    });
                    assertThat(log).containsExactly("cancelled");
                    assertThat(run.reports()).isEmpty();
                }));
    }

    @TestFactory
    @Tag("D13")
    Stream<DynamicTest> metAndThenCancelled_isNotLost() {
        return each((meets, worker, reason) -> {
            meets.run();
            worker.cancel(reason);
        });
    }

    @TestFactory
    @Tag("D13")
    Stream<DynamicTest> cancelledAndThenMet_isNotLost() {
        return each((meets, worker, reason) -> {
            worker.cancel(reason);
            meets.run();
        });
    }
}
