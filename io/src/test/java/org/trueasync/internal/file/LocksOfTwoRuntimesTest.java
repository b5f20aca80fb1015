package org.trueasync.internal.file;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.ThreadLocalRandom;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicIntegerArray;
import java.util.concurrent.locks.LockSupport;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.DeadlockError;
import org.trueasync.InputOutputException;
import org.trueasync.internal.file.ScriptedFile.Machine;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.AsyncFileLock;

/** Locks of one file that coroutines of two runtimes want. */
@Tag("E41")
class LocksOfTwoRuntimesTest {
    private static AsyncFile open(String name) {
        return AsyncFile.open(Path.of(name), READ, WRITE);
    }

    private static CompletableFuture<Void> beside(Machine machine, Body body) {
        var ended = new CompletableFuture<Void>();
        Thread.ofPlatform().daemon().start(() -> {
            try {
                machine.run().run(body);
                ended.complete(null);
            } catch (Throwable e) {
                ended.completeExceptionally(e);
            }
        });
        return ended;
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(60, TimeUnit.SECONDS)) throw new AssertionError("nobody counts down");
    }

    /** What it waits for changes while it waits: first for its own loop, then for the other one. */
    @Test
    void lockThatComesToDependOnTheOtherRuntime_isNoDeadlock() throws Exception {
        var machine = new Machine(false);
        var wanted = new CountDownLatch(1);
        var held = new CountDownLatch(1);
        var mayRelease = new CountDownLatch(1);
        var other = beside(machine, () -> {
            Async.blocking(() -> await(wanted));
            try (var file = open("two");
                    var lock = file.lock(5, 10, true)) {
                held.countDown();
                Async.blocking(() -> await(mayRelease));
            }
        });
        machine.run().run(() -> {
            try (var file = open("one")) {
                AsyncFileLock first = file.lock(0, 10, true);
                wanted.countDown();
                Async.blocking(() -> await(held));
                Coroutine<?> exclusive =
                        Async.spawn(() -> file.lock(0, 3, false).close());
                Async.suspend();
                first.close();
                // only now, so that the other runtime alone can wake it: the part is unlocked as a whole
                Async.spawn(() -> mayRelease.countDown());
                Async.await(exclusive);
            }
        });
        other.get(60, TimeUnit.SECONDS);
        machine.check();
    }

    @Test
    void lockThatOnlyItsOwnRuntimeIsLeftToRelease_isADeadlock() throws Exception {
        var machine = new Machine(false);
        var held = new CountDownLatch(1);
        var mayRelease = new CountDownLatch(1);
        var other = beside(machine, () -> {
            try (var file = open("two");
                    var lock = file.lock(10, 10, false)) {
                held.countDown();
                Async.blocking(() -> await(mayRelease));
            }
        });
        await(held);
        assertThatThrownBy(() -> machine.run().run(() -> {
                    var file = open("one");
                    file.lock(0, 10, false);
                    Coroutine<?> whole = Async.spawn(() -> file.lock(0, 20, false));
                    Async.suspend();
                    mayRelease.countDown();
                    Async.await(whole);
                }))
                .isInstanceOf(DeadlockError.class);
        other.get(60, TimeUnit.SECONDS);
        machine.check();
    }

    /** Locks, files that are closed under them, and cancellations, in two loops, on a system that takes its time. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    @Tag("F2")
    @Tag("F35")
    @Tag("deep")
    void randomLocks_neverConflict_areWhatTheSystemHasLocked_andLeaveNothingBehind(boolean closingLosesLocks)
            throws Exception {
        for (int seed = 0; seed < 20; seed++) {
            var machine = new SlowMachine(closingLosesLocks);
            var load = new RandomLocks(machine);
            int other = 2 * seed + 1;
            var second = beside(machine, () -> load.run(new Random(other)));
            var first = beside(machine, () -> load.run(new Random(other - 1)));
            first.get(120, TimeUnit.SECONDS);
            second.get(120, TimeUnit.SECONDS);
            machine.check();
        }
    }

    /** Its calls take a while; some meet a lock that others have. */
    private static final class SlowMachine extends Machine {
        private final Object gate = new Object();

        SlowMachine(boolean closingLosesLocks) {
            super(closingLosesLocks);
        }

        @Override
        ScriptedFile make(String name) {
            return new ScriptedFile(this, name) {
                @Override
                void asked() {
                    pause(3, 100_000);
                }

                @Override
                void unlocking() {
                    pause(2, 20_000);
                }
            };
        }

        private void pause(int oneOf, long nanos) {
            var random = ThreadLocalRandom.current();
            if (random.nextInt(oneOf) == 0) LockSupport.parkNanos(nanos);
            if (random.nextInt(oneOf) > 0) return;
            synchronized (gate) {
                Thread.yield();
            }
        }
    }

    private static final class RandomLocks {
        private final Machine machine;
        private final AtomicIntegerArray owners = new AtomicIntegerArray(Machine.SIZE);
        private final AtomicIntegerArray sharers = new AtomicIntegerArray(Machine.SIZE);

        RandomLocks(Machine machine) {
            this.machine = machine;
        }

        void run(Random random) {
            var files = new ArrayList<AsyncFile>();
            for (int i = 0; i < 3; i++) files.add(open("some"));
            var all = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 12; i++) {
                var own = new Random(random.nextLong());
                all.add(Async.spawn(() -> {
                    for (int k = 0; k < 8; k++) step(own, files);
                }));
            }
            for (int i = 0; i < 5; i++) {
                Async.blocking(() -> LockSupport.parkNanos(200_000));
                all.get(random.nextInt(all.size())).cancel();
            }
            for (Coroutine<?> each : all) {
                try {
                    Async.await(each);
                } catch (AsyncCancellation cancelled) {
                    // as wanted
                }
            }
            for (AsyncFile file : List.copyOf(files)) file.close();
        }

        private void step(Random own, List<AsyncFile> files) {
            int index = own.nextInt(files.size());
            AsyncFile file = files.get(index);
            if (own.nextInt(25) == 0) {
                files.set(index, open("some"));
                file.close();
                return;
            }
            int from = own.nextInt(Machine.SIZE);
            int size = 1 + own.nextInt(Machine.SIZE - from);
            boolean shared = own.nextInt(3) > 0;
            AsyncFileLock lock;
            try {
                lock = own.nextInt(5) == 0 ? file.tryLock(from, size, shared) : file.lock(from, size, shared);
            } catch (InputOutputException closed) {
                return;
            }
            if (lock == null) return;
            try (lock) {
                for (int turns = own.nextInt(3); turns >= 0 && lock.isValid(); turns--) {
                    check(from, size, shared);
                    if (own.nextInt(4) == 0) Async.blocking(() -> LockSupport.parkNanos(50_000));
                    else Async.suspend();
                }
            }
        }

        /** The loop of this coroutine does nothing else meanwhile, so only the other one could interfere. */
        private void check(int from, int size, boolean shared) {
            AtomicIntegerArray counts = shared ? sharers : owners;
            for (int i = from; i < from + size; i++) {
                counts.incrementAndGet(i);
                assertThat(machine.lockedAt(i)).isEqualTo(shared ? ScriptedFile.SHARED : ScriptedFile.EXCLUSIVE);
                assertThat(owners.get(i)).isEqualTo(shared ? 0 : 1);
                if (!shared) assertThat(sharers.get(i)).isZero();
            }
            for (int i = from; i < from + size; i++) counts.decrementAndGet(i);
        }
    }
}
