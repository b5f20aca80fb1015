package org.trueasync.internal.file;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.internal.file.ScriptedFile.SHARED;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicBoolean;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.DeadlockError;
import org.trueasync.internal.file.ScriptedFile.Machine;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.AsyncFileLock;

/** What is asked of the system, when, and where, with a system that does as it is told. */
@Tag("E41")
class LockTableTest {
    private static AsyncFile open(String name) {
        return AsyncFile.open(Path.of(name), READ, WRITE);
    }

    private static void await(CountDownLatch latch) throws InterruptedException {
        if (!latch.await(60, TimeUnit.SECONDS)) throw new AssertionError("nobody counts down");
    }

    /** A file of which the system answers a request for a lock only when the test says so. */
    private static class GatedFile extends ScriptedFile {
        private final CountDownLatch asked = new CountDownLatch(1);
        private final CountDownLatch mayAnswer = new CountDownLatch(1);

        GatedFile(Machine machine, String name) {
            super(machine, name);
        }

        @Override
        void asked() throws InterruptedException {
            asked.countDown();
            await(mayAnswer);
        }

        /** Returns when the system has been asked. On a helper thread. */
        void awaitAsked() throws InterruptedException {
            await(asked);
        }

        void answer() {
            mayAnswer.countDown();
        }
    }

    /** On a helper thread: returns when the loop's thread sleeps in its poll. */
    private static void untilAsleep(Thread loop) {
        for (long end = System.nanoTime() + 60_000_000_000L; System.nanoTime() < end; Thread.onSpinWait())
            if (loop.getState() != Thread.State.RUNNABLE && loop.getState() != Thread.State.BLOCKED) return;
        throw new AssertionError("the loop does not sleep");
    }

    /** If it kept the table for itself meanwhile, the loop would wait for it, and it for the loop. */
    @Test
    @Tag("F2")
    void coroutineThatMeetsALockWhileItUnlocks_holdsUpNoOtherLock() throws InterruptedException {
        var machine = new Machine(false);
        var other = new Machine(false);
        var gate = new Object();
        machine.add(new ScriptedFile(machine, "one") {
            @Override
            void unlocking() {
                synchronized (gate) {
                    // only passes through
                }
            }
        });
        var unlocked = new CountDownLatch(1);
        var two = new GatedFile(other, "two") {
            @Override
            void unlocking() {
                unlocked.countDown();
            }
        };
        machine.add(two);
        var passed = new CountDownLatch(1);
        var runner = new Thread(() -> {
            Thread loopThread = Thread.currentThread();
            machine.run().run(() -> {
                var gateTaken = new CountDownLatch(1);
                var mayLeaveGate = new CountDownLatch(1);
                try (var first = open("one");
                        var second = open("two")) {
                    AsyncFileLock held = first.lock(0, 10, false);
                    Coroutine<?> leaver = Async.spawn(() -> second.lock(10, 10, false));
                    Async.blocking(() -> two.awaitAsked());
                    leaver.cancel();
                    Coroutine<?> keeper = Async.spawn(() -> Async.blocking(() -> {
                        synchronized (gate) {
                            gateTaken.countDown();
                            await(mayLeaveGate);
                        }
                    }));
                    Async.blocking(() -> await(gateTaken));
                    Coroutine<?> closer = Async.spawn(held::close);
                    Async.suspend();
                    // the answer comes while all coroutines wait, so that the loop's own frame takes it
                    Async.blocking(() -> {
                        untilAsleep(loopThread);
                        two.answer();
                        await(unlocked);
                    });
                    assertThat(closer.isCompleted()).isFalse();
                    mayLeaveGate.countDown();
                    Async.await(closer);
                    Async.await(keeper);
                }
                passed.countDown();
            });
        });
        runner.setDaemon(true);
        runner.start();
        await(passed);
        runner.join();
        machine.check();
        other.check();
    }

    @Test
    void partThatIsUnlockedAsAWhole_keepsAnExclusiveLockWaiting_butNoSharedOne() {
        var machine = new Machine(false);
        machine.run().run(() -> {
            try (var first = open("one");
                    var second = open("two")) {
                AsyncFileLock wide = first.lock(0, 10, true);
                AsyncFileLock behind = second.lock(5, 10, true);
                wide.close();
                assertThat(machine.lockedAt(0)).isEqualTo(SHARED);
                assertThat(second.tryLock(0, 3, false)).isNull();
                Coroutine<AsyncFileLock> alone = Async.spawn(() -> second.lock(0, 3, false));
                Async.suspend();
                // it relies on the part too; it overlaps with no lock that is wanted
                second.lock(5, 3, true).close();
                assertThat(second.tryLock(1, 1, true)).isNull();
                assertThat(alone.isCompleted()).isFalse();
                behind.close();
                Async.await(alone).close();
            }
        });
        machine.check();
    }

    @Test
    void holderThatWantsOneMore_waitsForNobodyWhoWaitsElsewhere() {
        var machine = new Machine(false);
        machine.run().run(() -> {
            try (var file = open("one")) {
                for (boolean shared : new boolean[] {true, false}) {
                    AsyncFileLock whole = file.lock(0, 12, true);
                    AsyncFileLock end = file.lock(15, 5, false);
                    Coroutine<?> front =
                            Async.spawn(() -> file.lock(0, 3, false).close());
                    Coroutine<?> behind =
                            Async.spawn(() -> file.lock(8, 12, shared).close());
                    Async.suspend();
                    file.lock(4, 3, true).close();
                    end.close();
                    whole.close();
                    Async.await(front);
                    Async.await(behind);
                }
            }
        });
        machine.check();
    }

    /** Each follows the one before it, so those who leave must hand on who follows them. */
    @Test
    void someWhoWait_leave_andTheOthersGetTheLockInTheirOrder() {
        var machine = new Machine(false);
        machine.add(new ScriptedFile(machine, "one"));
        machine.run().run(() -> {
            try (var file = open("one")) {
                AsyncFileLock first = file.lock();
                List<Integer> order = new ArrayList<>();
                List<Coroutine<?>> waiters = new ArrayList<>();
                for (int i = 0; i < 7; i++) {
                    int number = i;
                    waiters.add(Async.spawn(() -> {
                        // of the shared ones in the middle the first holds up the next until the system has answered
                        try (var lock = file.lock(0, 10, number == 3 || number == 4)) {
                            order.add(number);
                        }
                    }));
                }
                Async.suspend();
                for (int i : new int[] {0, 5, 2}) waiters.get(i).cancel();
                Async.suspend();
                first.close();
                Async.awaitAll(waiters);
                assertThat(order).containsExactly(1, 3, 4, 6);
            }
        });
        machine.check();
    }

    @Test
    void laterOne_waitsForAnEarlierOneThatItOverlapsWith() {
        var machine = new Machine(false);
        machine.run().run(() -> {
            try (var file = open("one")) {
                AsyncFileLock first = file.lock(0, 10, true);
                List<String> order = new ArrayList<>();
                Coroutine<?> second = Async.spawn(() -> {
                    try (var lock = file.lock(5, 10, false)) {
                        order.add("second");
                    }
                });
                Async.suspend();
                Coroutine<?> third = Async.spawn(() -> {
                    try (var lock = file.lock(8, 1, true)) {
                        order.add("third");
                    }
                });
                Async.suspend();
                assertThat(file.tryLock(14, 1, true)).isNull();
                file.lock(15, 1, false).close();
                assertThat(order).isEmpty();
                first.close();
                Async.await(third);
                Async.await(second);
                assertThat(order).containsExactly("second", "third");
            }
        });
        machine.check();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void unlockThatFails_isThrownByCloseAndHoldsUpNobody(boolean closingLosesLocks) {
        var machine = new Machine(closingLosesLocks);
        var fails = new AtomicBoolean(true);
        machine.add(new ScriptedFile(machine, "one") {
            @Override
            public void unlock(long position, long size) {
                super.unlock(position, size);
                if (fails.getAndSet(false)) throw new OutOfMemoryError("planted");
            }
        });
        machine.run().run(() -> {
            var first = open("one");
            var second = open("two");
            AsyncFileLock held = first.lock(0, 10, true);
            Coroutine<AsyncFileLock> next = Async.spawn(() -> second.lock());
            Async.suspend();
            assertThatThrownBy(held::close).isInstanceOf(OutOfMemoryError.class);
            assertThat(held.isValid()).isFalse();
            Async.await(next).close();
            first.close();
            second.close();
        });
        machine.check();
    }

    /** The table asks a file for its key whenever it is changed. */
    @ParameterizedTest
    @ValueSource(ints = {1, 2, 3})
    void noMemoryForAChange_theFileIsClosedAndHoldsUpNobody(int fatalCall) {
        var machine = new Machine(false);
        var left = new int[] {Integer.MAX_VALUE};
        var file = new ScriptedFile(machine, "one") {
            @Override
            public Object key() {
                if (left[0]-- == 1) throw new OutOfMemoryError("planted");
                return super.key();
            }
        };
        machine.add(file);
        machine.run().run(() -> {
            var first = open("one");
            left[0] = fatalCall;
            assertThatThrownBy(() -> first.lock().close()).isInstanceOf(OutOfMemoryError.class);
            first.close();
            try (var second = open("two")) {
                second.lock().close();
            }
        });
        machine.check();
    }

    /** As long as others have locked the file: closing it would unlock theirs. */
    @Test
    void closingThatLosesLocks_isPutOff_andNoLockIsGrantedMeanwhile() {
        var machine = new Machine(true);
        var first = new ScriptedFile(machine, "one");
        machine.add(first);
        machine.run().run(() -> {
            for (int round = 0; round < 20; round++) {
                var one = round == 0 ? open("one") : open("other");
                try (var two = open("two")) {
                    AsyncFileLock lock = two.lock();
                    one.close();
                    assertThat(first.isClosed()).isEqualTo(round > 0);
                    lock.close();
                    // waits for the closing, not for a lock
                    lock = two.tryLock();
                    assertThat(lock).isNotNull();
                    assertThat(first.isClosed()).isTrue();
                    lock.close();
                    Coroutine<AsyncFileLock> beside = Async.spawn(() -> two.lock(0, 1, true));
                    open("three").close();
                    Async.await(beside).close();
                }
            }
        });
        machine.check();
    }

    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void fileClosedWithALock_isClosedWhenTheCallReturns(boolean closingLosesLocks) {
        var machine = new Machine(closingLosesLocks);
        var file = new ScriptedFile(machine, "one");
        machine.add(file);
        machine.run().run(() -> {
            AsyncFile opened = open("one");
            AsyncFileLock lock = opened.lock(3, 4, true);
            opened.close();
            assertThat(lock.isValid()).isFalse();
            assertThat(file.isClosed()).isTrue();
        });
        machine.check();
    }

    @Test
    @Tag("F35")
    void coroutineThatHasLeftWhileTheSystemIsAsked_keepsNoRunAlive_andHoldsUpThoseBehindIt() throws Exception {
        var machine = new Machine(false);
        var one = new GatedFile(machine, "one");
        machine.add(one);
        machine.run().run(() -> {
            var file = open("one");
            Coroutine<?> leaver = Async.spawn(() -> file.lock());
            Async.blocking(() -> one.awaitAsked());
            leaver.cancel();
            assertThat(failureOf(leaver)).isInstanceOf(AsyncCancellation.class);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
        var waits = new CountDownLatch(1);
        var next = new Thread(() -> machine.run().run(() -> {
            try (var file = open("two")) {
                assertThat(file.tryLock()).isNull();
                waits.countDown();
                // nothing but the answer to the run that has ended can wake this coroutine
                file.lock().close();
            }
        }));
        next.start();
        await(waits);
        one.answer();
        next.join();
        machine.check();
    }

    @Test
    @Tag("F35")
    void coroutineBehindOneThatHasLeft_isWokenByTheAnswer() throws Exception {
        var machine = new Machine(false);
        var one = new GatedFile(machine, "one");
        machine.add(one);
        Thread loopThread = Thread.currentThread();
        machine.run().run(() -> {
            var file = open("one");
            Coroutine<?> leaver = Async.spawn(() -> file.lock());
            Async.blocking(() -> one.awaitAsked());
            leaver.cancel();
            assertThat(failureOf(leaver)).isInstanceOf(AsyncCancellation.class);
            // nothing else can wake the main coroutine
            Thread.ofPlatform().daemon().start(() -> {
                untilAsleep(loopThread);
                one.answer();
            });
            try (var next = open("two")) {
                next.lock().close();
            }
            file.close();
        });
        machine.check();
    }

    @Test
    @Tag("F21")
    void lockThatOnlyItsWaiterCouldRelease_isADeadlockAlsoBehindOneThatHasLeft() throws Exception {
        var machine = new Machine(false);
        assertThatThrownBy(() -> machine.run().run(() -> {
                    var file = open("one");
                    file.lock(0, 5, true);
                    Coroutine<?> leaver = Async.spawn(() -> file.lock(0, 20, false));
                    Async.suspend();
                    leaver.cancel();
                    Async.suspend();
                    file.lock(4, 1, false);
                }))
                .isInstanceOf(DeadlockError.class);
        machine.check();
    }

    /** The thread that has closed a file gives it its turn first, and wakes it then. */
    @Test
    @Tag("F21")
    void turnThatComesBeforeTheWait_countsUntilTheWaiterIsWoken() {
        var machine = new Machine(true);
        machine.run().run(() -> {
            var file = FileCore.open(Path.of("one"), Set.of(READ, WRITE), new FileAttribute<?>[0], null);
            assertThat(LockTable.mayClose(file.handle, () -> {})).isTrue();
            var request = new LockRequest(file, 0, 10, false);
            assertThat(LockTable.enter(request, false)).isEqualTo(LockTable.Entry.WAIT);
            LockTable.closed(file.handle);
            var counts = new ArrayList<Integer>();
            Async.spawn(() -> counts.add(Async.runtimeStats().activeEvents()));
            request.awaitTurn(null);
            counts.add(Async.runtimeStats().activeEvents());
            assertThat(counts).containsExactly(1, 0);
            request.release();
            file.close();
        });
        machine.check();
    }
}
