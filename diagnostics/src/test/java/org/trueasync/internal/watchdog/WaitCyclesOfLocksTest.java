package org.trueasync.internal.watchdog;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.locks.ReentrantLock;
import java.util.concurrent.locks.ReentrantReadWriteLock;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;

/** The JDK's locks in the graph of who waits for whom. */
@Tag("K60")
class WaitCyclesOfLocksTest {
    private final ReentrantLock one = new ReentrantLock();
    private final ReentrantLock two = new ReentrantLock();

    private static Set<Coroutine<?>> closed() {
        suspend();
        suspend();
        return WaitCycles.find(Runtimes.here("find").liveCoroutines());
    }

    private static void end(Coroutine<?>... all) {
        for (Coroutine<?> each : all) each.cancel();
    }

    /** Takes a lock, lets the others run, and does what follows. */
    private static Coroutine<?> holding(ReentrantLock lock, Body then) {
        return spawn(() -> {
            lock.lock();
            suspend();
            then.run();
        });
    }

    @Test
    void bodyThatIsCodeOfTheJdk_isNamedByWhatItCalls() {
        TestRuntime.run(() -> {
            one.lock();
            Coroutine<?> waiting = spawn((Body) one::lockInterruptibly);
            suspend();
            suspend();
            assertThat(waiting.awaitingInfo())
                    .singleElement()
                    .asString()
                    .startsWith("blocked in java.util.concurrent.locks.ReentrantLock.lockInterruptibly,");
            one.unlock();
        });
    }

    @Test
    void eachWantsTheOthersLock_isClosed() {
        TestRuntime.run(() -> {
            Coroutine<?> a = holding(one, two::lockInterruptibly);
            Coroutine<?> b = holding(two, one::lockInterruptibly);
            assertThat(closed()).isEqualTo(Set.of(a, b));
            assertThat(a.awaitingInfo())
                    .containsExactly(
                            "blocked in java.util.concurrent.locks.ReentrantLock.lockInterruptibly, held by coroutine #"
                                    + b.id());
            end(a, b);
        });
    }

    @Test
    void holderThatAwaitsWhoWantsItsLock_isClosed() {
        TestRuntime.run(() -> {
            var wanting = new Coroutine<?>[1];
            Coroutine<?> holder = holding(one, () -> await(wanting[0]));
            wanting[0] = spawn(() -> one.lockInterruptibly());
            assertThat(closed()).isEqualTo(Set.of(holder, wanting[0]));
            end(holder, wanting[0]);
        });
    }

    @Test
    void holderThatCanGoOn_isOpen() {
        TestRuntime.run(() -> {
            Coroutine<?> holder = holding(one, () -> {
                for (int i = 0; i < 10; i++) suspend();
                one.unlock();
            });
            Coroutine<?> wanting = spawn(() -> one.lockInterruptibly());
            assertThat(closed()).isEmpty();
            await(holder);
            await(wanting);
        });
    }

    @Test
    void oneThatHasATimeLimit_isOpen() {
        TestRuntime.run(() -> {
            Coroutine<?> a = holding(one, () -> two.tryLock(1, TimeUnit.HOURS));
            Coroutine<?> b = holding(two, one::lockInterruptibly);
            assertThat(closed()).isEmpty();
            end(a, b);
        });
    }

    @Test
    void waitForACondition_isOpen() {
        TestRuntime.run(() -> {
            Coroutine<?> a = holding(one, () -> one.newCondition().await());
            assertThat(closed()).isEmpty();
            end(a);
        });
    }

    @Test
    void lockThatManyHold_isOpen() {
        TestRuntime.run(() -> {
            var shared = new ReentrantReadWriteLock();
            Coroutine<?> a = spawn(() -> {
                shared.readLock().lock();
                suspend();
                one.lockInterruptibly();
            });
            Coroutine<?> b = holding(one, () -> shared.writeLock().lockInterruptibly());
            assertThat(closed()).isEmpty();
            end(a, b);
        });
    }

    @Test
    void lockThatAThreadHolds_isOpenAndTheThreadIsNamed() throws InterruptedException {
        Thread holder = Thread.ofPlatform().name("outside").start(one::lock);
        holder.join();
        TestRuntime.run(() -> {
            Coroutine<?> a = spawn(() -> one.lockInterruptibly());
            assertThat(closed()).isEmpty();
            assertThat(a.awaitingInfo())
                    .containsExactly(
                            "blocked in java.util.concurrent.locks.ReentrantLock.lockInterruptibly, held by thread 'outside'");
            end(a);
        });
    }
}
