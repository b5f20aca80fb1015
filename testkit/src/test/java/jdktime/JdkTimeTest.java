package jdktime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.security.SecureRandom;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Collections;
import java.util.HashSet;
import java.util.HexFormat;
import java.util.List;
import java.util.Objects;
import java.util.Random;
import java.util.SplittableRandom;
import java.util.UUID;
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
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.TimeoutException;
import java.util.concurrent.locks.LockSupport;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.StampedLock;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
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

    private static List<Object> numbers(long seed) {
        return Objects.requireNonNull(VirtualTime.settings().seed(seed).run(() -> {
            var drawn = new ArrayList<Object>();
            drawn.add(new Random().nextLong());
            drawn.add(Math.random());
            drawn.add(ThreadLocalRandom.current().nextLong());
            drawn.add(Async.await(Async.spawn(() -> ThreadLocalRandom.current().nextInt())));
            drawn.add(new SplittableRandom().nextLong());
            drawn.add(RandomGenerator.getDefault().nextLong());
            drawn.add(UUID.randomUUID());
            drawn.add(new SecureRandom().nextLong());
            drawn.add(HexFormat.of().formatHex(SecureRandom.getSeed(10)));
            var shuffled = new ArrayList<>(List.of(1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12));
            Collections.shuffle(shuffled);
            drawn.add(shuffled);
            return drawn;
        }));
    }

    @Test
    void chance_isTheSeeds() {
        List<Object> first = numbers(4);
        assertThat(numbers(4)).isEqualTo(first);
        List<Object> other = numbers(8);
        for (int i = 0; i < first.size(); i++) assertThat(other.get(i)).isNotEqualTo(first.get(i));
    }

    @Test
    void chanceOutsideOfRuns_isTheJdks() {
        VirtualTime.run(Async::suspend);
        assertThat(new Random().nextLong()).isNotEqualTo(new Random().nextLong());
        assertThat(Math.random()).isBetween(0.0, 1.0);
        assertThat(UUID.randomUUID()).isNotEqualTo(UUID.randomUUID());
    }

    @Test
    void timeoutOfACompletableFuture_endsAtItsTime() {
        VirtualTime.run(() -> {
            var never = new CompletableFuture<String>().orTimeout(1, TimeUnit.HOURS);
            assertThatThrownBy(never::get).hasCauseInstanceOf(TimeoutException.class);
            assertThat(VirtualTime.elapsed()).isEqualTo(HOUR);
            var value = new CompletableFuture<String>().completeOnTimeout("late", 1, TimeUnit.HOURS);
            assertThat(Async.await(value)).isEqualTo("late");
            assertThat(VirtualTime.elapsed()).isEqualTo(HOUR.multipliedBy(2));
            var soon = new CompletableFuture<String>().orTimeout(1, TimeUnit.DAYS);
            soon.complete("soon");
            assertThat(soon.get()).isEqualTo("soon");
        });
    }

    @Test
    void tasksOfTheCommonPool_runOnTheLoop() {
        VirtualTime.run(() -> {
            var later = CompletableFuture.delayedExecutor(1, TimeUnit.HOURS);
            var delayed = CompletableFuture.supplyAsync(VirtualTime::now, later);
            assertThat(delayed.get()).isEqualTo(VirtualTime.now());
            assertThat(VirtualTime.elapsed()).isEqualTo(HOUR);
            var chain = CompletableFuture.supplyAsync(() -> {
                        LockSupport.parkNanos(HOUR.toNanos());
                        return Instant.now();
                    })
                    .thenApplyAsync(time -> time.plusSeconds(1));
            assertThat(chain.get()).isEqualTo(VirtualTime.now().plusSeconds(1));
            assertThat(VirtualTime.elapsed()).isEqualTo(HOUR.multipliedBy(2));
        });
    }

    /** Sleeps while it is initialised, when the JVM's own frame is on the stack. */
    private static final class Pinned {
        static final long WOKEN;

        static {
            LockSupport.parkNanos(1);
            try {
                Thread.sleep(HOUR);
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            WOKEN = System.nanoTime();
        }
    }

    @Test
    void waitThatHoldsTheLoop_advancesTheTime() {
        VirtualTime.run(() -> {
            assertThat(Pinned.WOKEN).isEqualTo(System.nanoTime());
            assertThat(VirtualTime.elapsed()).isEqualTo(HOUR.plusNanos(1));
        });
    }

    /** What JDK code of all kinds sees in one run. */
    private static List<Object> trace(long seed) {
        var seen = new ArrayList<Object>();
        VirtualTime.settings().seed(seed).run(() -> {
            var queue = new LinkedBlockingQueue<Object>();
            var lock = new ReentrantLock();
            for (int i = 0; i < 4; i++) {
                Async.spawn(() -> {
                    Thread.sleep(ThreadLocalRandom.current().nextInt(5));
                    lock.lock();
                    try {
                        Thread.sleep(1);
                        seen.add(System.nanoTime());
                    } finally {
                        lock.unlock();
                    }
                    CompletableFuture.runAsync(() -> queue.add(UUID.randomUUID()));
                });
            }
            Object found;
            while ((found = queue.poll(10, TimeUnit.MILLISECONDS)) != null) {
                seen.add(found);
                seen.add(Instant.now());
            }
            var late = new CompletableFuture<String>().completeOnTimeout("late", 3, TimeUnit.MILLISECONDS);
            seen.add(late.get() + System.nanoTime());
        });
        return seen;
    }

    @Test
    void aSeed_repeatsWhatJdkCodeSees() {
        trace(0); // classes that are initialised draw numbers too
        var all = new HashSet<List<Object>>();
        for (int i = 0; i < 30; i++) {
            long seed = 8L * i + 1; // varies completions
            List<Object> first = trace(seed);
            assertThat(first).hasSize(13);
            assertThat(trace(seed)).isEqualTo(first);
            all.add(first);
        }
        assertThat(all).hasSize(30);
    }
}
