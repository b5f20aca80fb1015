package jdktime;

import static org.assertj.core.api.Assertions.assertThat;

import java.time.Duration;
import java.time.Instant;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.CyclicBarrier;
import java.util.concurrent.Exchanger;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.FutureTask;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.Phaser;
import java.util.concurrent.Semaphore;
import java.util.concurrent.SynchronousQueue;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.LongSupplier;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.testkit.VirtualTime;

/** The JDK's clocks and waits in virtual time; in a package that the agent takes for a program's. */
class JdkTimeTest {
    private static final Duration HOUR = Duration.ofHours(1);

    record Wait(String name, Body body) {
        @Override
        public String toString() {
            return name;
        }
    }

    static List<Wait> waitsOfAnHour() {
        return List.of(
                new Wait("Thread.sleep", () -> Thread.sleep(HOUR)),
                new Wait("TimeUnit.sleep", () -> TimeUnit.HOURS.sleep(1)),
                new Wait("LockSupport.parkNanos", () -> LockSupport.parkNanos(HOUR.toNanos())),
                new Wait("LinkedBlockingQueue.poll", () -> new LinkedBlockingQueue<>().poll(1, TimeUnit.HOURS)),
                new Wait("SynchronousQueue.poll", () -> new SynchronousQueue<>().poll(1, TimeUnit.HOURS)),
                new Wait("Semaphore.tryAcquire", () -> new Semaphore(0).tryAcquire(1, TimeUnit.HOURS)),
                new Wait("CountDownLatch.await", () -> new CountDownLatch(1).await(1, TimeUnit.HOURS)),
                new Wait(
                        "Phaser.await",
                        () -> fails(() -> new Phaser(1).awaitAdvanceInterruptibly(0, 1, TimeUnit.HOURS))),
                new Wait("CyclicBarrier.await", () -> fails(() -> new CyclicBarrier(2).await(1, TimeUnit.HOURS))),
                new Wait("Exchanger.exchange", () -> fails(() -> new Exchanger<>().exchange("", 1, TimeUnit.HOURS))),
                new Wait("FutureTask.get", () -> fails(() -> new FutureTask<>(() -> "").get(1, TimeUnit.HOURS))),
                new Wait("CompletableFuture.get", () -> fails(() -> new CompletableFuture<>().get(1, TimeUnit.HOURS))),
                new Wait("ReentrantLock.tryLock", JdkTimeTest::lockThatIsHeld),
                new Wait("StampedLock.tryWriteLock", JdkTimeTest::stampThatIsHeld),
                new Wait("Condition.await", JdkTimeTest::condition),
                new Wait("Object.wait", JdkTimeTest::monitor),
                new Wait("Thread.join", JdkTimeTest::join));
    }

    private static void fails(Body body) throws Throwable {
        try {
            body.run();
        } catch (TimeoutException expected) {
            return;
        }
        throw new AssertionError("no TimeoutException");
    }

    private static void lockThatIsHeld() throws InterruptedException {
        var lock = new ReentrantLock();
        var holder = Async.spawn(() -> {
            lock.lock();
            Async.delay(HOUR.multipliedBy(2));
        });
        Async.suspend();
        assertThat(lock.tryLock(1, TimeUnit.HOURS)).isFalse();
        holder.cancel();
    }

    private static void stampThatIsHeld() throws InterruptedException {
        var lock = new StampedLock();
        lock.writeLock();
        assertThat(lock.tryWriteLock(1, TimeUnit.HOURS)).isZero();
    }

    private static void condition() throws InterruptedException {
        var lock = new ReentrantLock();
        lock.lock();
        assertThat(lock.newCondition().awaitNanos(HOUR.toNanos())).isNotPositive();
        lock.unlock();
    }

    private static void monitor() throws InterruptedException {
        var monitor = new Object();
        synchronized (monitor) {
            monitor.wait(HOUR.toMillis());
        }
    }

    private static void join() throws InterruptedException {
        Thread endless = Thread.startVirtualThread(LockSupport::park);
        assertThat(endless.join(HOUR)).isFalse();
        LockSupport.unpark(endless);
    }

    @ParameterizedTest
    @MethodSource("waitsOfAnHour")
    void waitOfAnHour_endsAtItsTime(Wait wait) {
        VirtualTime.run(() -> {
            wait.body().run();
            assertThat(VirtualTime.elapsed()).isEqualTo(HOUR);
        });
    }

    @Test
    void clocks_tellVirtualTime() {
        VirtualTime.run(() -> {
            LongSupplier reference = System::nanoTime;
            long nanos = System.nanoTime();
            long millis = System.currentTimeMillis();
            assertThat(Instant.now()).isEqualTo(VirtualTime.now()).isEqualTo(Instant.parse("2000-01-01T00:00:00Z"));
            Async.delay(HOUR);
            assertThat(System.nanoTime() - nanos).isEqualTo(HOUR.toNanos());
            assertThat(reference.getAsLong() - nanos).isEqualTo(HOUR.toNanos());
            assertThat(System.currentTimeMillis() - millis).isEqualTo(HOUR.toMillis());
            assertThat(Instant.now()).isEqualTo(VirtualTime.now());
            assertThat(new java.util.Date().toInstant()).isEqualTo(VirtualTime.now());
            assertThat(java.time.LocalDate.now(java.time.ZoneOffset.UTC)).isEqualTo("2000-01-01");
        });
        assertThat(Instant.now()).isAfter("2020-01-01T00:00:00Z");
    }

    @Test
    void otherThreads_seeRealTime() throws InterruptedException, ExecutionException {
        VirtualTime.run(() -> {
            var there = new FutureTask<>(Instant::now);
            Thread.ofPlatform().start(there).join();
            assertThat(there.get()).isAfter("2020-01-01T00:00:00Z");
        });
    }
}
