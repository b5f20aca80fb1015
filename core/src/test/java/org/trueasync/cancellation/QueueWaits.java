package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.function.Supplier;
import org.trueasync.Async;
import org.trueasync.Barrier;
import org.trueasync.Channel;
import org.trueasync.CircuitBreaker;
import org.trueasync.Coroutine;
import org.trueasync.GuardedCalls;
import org.trueasync.Latch;
import org.trueasync.Mutex;
import org.trueasync.Pool;
import org.trueasync.PoolFunction;
import org.trueasync.PoolSection;
import org.trueasync.RecoveryStrategy;
import org.trueasync.Select;
import org.trueasync.Semaphore;
import org.trueasync.VoidPoolSection;
import org.trueasync.internal.testkit.WaitTable;

/** Waits of what several use: channels, locks, pools. */
final class QueueWaits extends WaitTable {
    QueueWaits() {
        channels();
        locks();
        pools();
    }

    private void receives(String method, On<Channel<Integer>> on) {
        row(method, wait -> {
            var channel = new Channel<Integer>(1);
            call(method, wait, token -> on.call(channel, token));
            wait.serve(() -> channel.send(1))
                    .leaves(() -> assertThat(channel.isEmpty()).isTrue());
        });
        row(method + " without a buffer", wait -> {
            var channel = new Channel<Integer>();
            call(method, wait, token -> on.call(channel, token));
            wait.serve(() -> assertThat(channel.trySend(1)).isTrue())
                    .leaves(() -> assertThat(channel.isEmpty()).isTrue());
        });
    }

    private void sends(String method, On<Channel<Integer>> on) {
        row(method, wait -> {
            var channel = new Channel<Integer>(1);
            channel.send(0);
            call(method, wait, token -> on.call(channel, token));
            wait.serve(() -> assertThat(channel.receive()).isBetween(0, 1)).leaves(() -> {
                assertThat(channel.receive()).isEqualTo(1);
                assertThat(channel.tryReceive().isPresent()).isFalse();
            });
        });
        row(method + " without a buffer", wait -> {
            var channel = new Channel<Integer>();
            call(method, wait, token -> on.call(channel, token));
            wait.serve(channel::tryReceive)
                    .keepsNothing()
                    .leaves(() -> assertThat(channel.tryReceive().isPresent()).isFalse());
        });
    }

    private void channels() {
        receives("Channel.receive()", (channel, token) -> channel.receive());
        receives("Channel.receive(Completable)", (channel, token) -> channel.receive(token));
        receives("Channel.receive(Duration)", (channel, token) -> channel.receive(AGES));
        receives("Channel.iterator().hasNext()", (channel, token) -> {
            Iterator<Integer> values = channel.iterator();
            values.hasNext();
            values.next();
        });
        receives("Channel.iterator().next()", (channel, token) -> channel.iterator()
                .next());
        receives("Channel.stream()", (channel, token) -> channel.stream().findFirst());
        receives("Select.select()", (channel, token) -> Select.<Integer>of()
                .receive(new Channel<Integer>(1), value -> value)
                .receive(channel, value -> value)
                .select());
        receives("Select.select(Completable)", (channel, token) -> {
            Select<Integer> select = Select.<Integer>of().receive(channel, value -> value);
            select.select(token);
        });
        sends("Channel.send(Object)", (channel, token) -> channel.send(1));
        sends("Channel.send(Object, Completable)", (channel, token) -> channel.send(1, token));
        sends("Select.send", (channel, token) -> Select.<Integer>of()
                .send(channel, 1, () -> 1)
                .select());
    }

    private void mutex(String method, On<Mutex> on) {
        row(method, wait -> {
            var mutex = new Mutex();
            mutex.lock();
            var isHeld = new boolean[] {true};
            call(method, wait, token -> on.call(mutex, token));
            wait.serve(() -> {
                        if (isHeld[0]) mutex.unlock();
                        isHeld[0] = false;
                    })
                    .leaves(() -> {
                        assertThat(mutex.isLocked()).isFalse();
                        assertThat(mutex.waitingCount()).isZero();
                    });
        });
    }

    private void semaphore(String method, int permits, On<Semaphore> on) {
        row(method, wait -> {
            var semaphore = new Semaphore(2);
            semaphore.acquire(2);
            var held = new int[] {2};
            call(method, wait, token -> {
                on.call(semaphore, token);
                if (permits > 0) semaphore.release(permits);
            });
            wait.serve(() -> {
                        if (held[0] > 0) semaphore.release(held[0]);
                        held[0] = 0;
                    })
                    .leaves(() -> {
                        assertThat(semaphore.availablePermits()).isEqualTo(2);
                        assertThat(semaphore.waitingCount()).isZero();
                    });
        });
    }

    private void latch(String method, On<Latch> on) {
        row(method, wait -> {
            var latch = new Latch(1);
            call(method, wait, token -> on.call(latch, token));
            wait.serve(() -> {
                if (latch.count() > 0) latch.countDown();
            });
        });
    }

    private void barrier(String method, On<Barrier> on) {
        row(method, wait -> {
            var barrier = new Barrier(2);
            call(method, wait, token -> on.call(barrier, token));
            var partner = new ArrayList<Coroutine<?>>();
            wait.serve(() -> {
                        boolean partnerWaits =
                                !partner.isEmpty() && !partner.getLast().isCompleted();
                        if (barrier.arrivedCount() > 0 && !partnerWaits)
                            partner.add(Async.spawn(() -> barrier.await()));
                        delay(0);
                    })
                    .bringsWaiters()
                    .leaves(() -> assertThat(barrier.arrivedCount()).isZero());
        });
    }

    private void locks() {
        mutex("Mutex.lock()", (mutex, token) -> {
            mutex.lock();
            mutex.unlock();
        });
        mutex("Mutex.lock(Completable)", (mutex, token) -> {
            mutex.lock(token);
            mutex.unlock();
        });
        mutex("Mutex.tryLock(Duration)", (mutex, token) -> {
            assertThat(mutex.tryLock(AGES)).isTrue();
            mutex.unlock();
        });
        mutex("Mutex.withLock(Section)", (mutex, token) -> mutex.withLock(() -> 1));
        mutex("Mutex.withLock(VoidSection)", (mutex, token) -> mutex.withLock(() -> {}));
        semaphore("Semaphore.acquire()", 1, (semaphore, token) -> semaphore.acquire());
        semaphore("Semaphore.acquire(int)", 2, (semaphore, token) -> semaphore.acquire(2));
        semaphore("Semaphore.acquire(Completable)", 1, (semaphore, token) -> semaphore.acquire(token));
        semaphore("Semaphore.acquire(int, Completable)", 2, (semaphore, token) -> semaphore.acquire(2, token));
        semaphore("Semaphore.tryAcquire(Duration)", 1, (semaphore, token) -> assertThat(semaphore.tryAcquire(AGES))
                .isTrue());
        semaphore("Semaphore.tryAcquire(int, Duration)", 2, (semaphore, token) -> assertThat(
                        semaphore.tryAcquire(2, AGES))
                .isTrue());
        semaphore("Semaphore.withPermit(Section)", 0, (semaphore, token) -> semaphore.withPermit(() -> 1));
        semaphore("Semaphore.withPermit(VoidSection)", 0, (semaphore, token) -> semaphore.withPermit(() -> {}));
        latch("Latch.await()", (latch, token) -> latch.await());
        latch("Latch.await(Completable)", (latch, token) -> latch.await(token));
        barrier("Barrier.await()", (barrier, token) -> barrier.await());
        barrier("Barrier.await(Completable)", (barrier, token) -> barrier.await(token));
    }

    private void pool(String method, On<Pool<Object>> on) {
        row(method, wait -> {
            Pool<Object> pool = Pool.of(Object::new).max(1).build();
            var held = new ArrayList<Object>(List.of(pool.acquire()));
            call(method, wait, token -> on.call(pool, token));
            wait.serve(() -> {
                        if (!held.isEmpty()) pool.release(held.removeLast());
                    })
                    .leaves(() -> {
                        assertThat(pool.stats().waiting()).isZero();
                        assertThat(pool.activeCount()).isZero();
                        assertThat(pool.idleCount()).isEqualTo(1);
                    });
        });
    }

    private void available(String method, Supplier<CircuitBreaker> made, On<CircuitBreaker> on) {
        row(method, wait -> {
            CircuitBreaker breaker = made.get();
            breaker.deactivate();
            call(method, wait, token -> on.call(breaker, token));
            wait.serve(breaker::activate);
        });
    }

    private void pools() {
        pool("Pool.acquire()", (pool, token) -> pool.release(pool.acquire()));
        pool("Pool.acquire(Completable)", (pool, token) -> pool.release(pool.acquire(token)));
        pool("Pool.acquire(Duration)", (pool, token) -> pool.release(pool.acquire(AGES)));
        pool("Pool.use(PoolFunction)", (pool, token) -> pool.use((PoolFunction<Object, Integer>) thing -> 1));
        pool(
                "Pool.use(PoolSection)",
                (pool, token) -> pool.use((PoolSection<Object, Integer, RuntimeException>) thing -> 1));
        pool(
                "Pool.use(VoidPoolSection)",
                (pool, token) -> pool.use((VoidPoolSection<Object, RuntimeException>) thing -> {}));
        for (String type : List.of("CircuitBreaker", "GuardedCalls", "Pool")) {
            Supplier<CircuitBreaker> made = type.equals("GuardedCalls")
                    ? () -> new GuardedCalls("calls", RecoveryStrategy.consecutiveFailures(3))
                    : () -> Pool.of(Object::new).build();
            available(type + ".awaitAvailable()", made, (breaker, token) -> breaker.awaitAvailable());
            available(type + ".awaitAvailable(Completable)", made, (breaker, token) -> breaker.awaitAvailable(token));
        }
    }
}
