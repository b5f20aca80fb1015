package org.trueasync.testkit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.testkit.TestRun.failureOf;

import java.lang.ref.Reference;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.DeadlockError;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.AsyncFileLock;

/** Locks of files, on whatever reactor. */
@Tag("E41")
public abstract class FileLockConformance extends FileSuite {
    protected FileLockConformance(ReactorKit kit) {
        super(kit);
    }

    /** As any; locks may be given back a little later. */
    @Override
    void run(Body body) {
        super.run(() -> {
            body.run();
            for (int i = 0; i < 1000 && Async.runtimeStats().activeEvents() > 0; i++) Async.delay(1);
        });
    }

    private AsyncFile open() {
        return AsyncFile.open(path, CREATE, READ, WRITE);
    }

    /** Lets everybody go as far as he can. */
    private static void settle() {
        for (int i = 0; i < 5; i++) Async.blocking(() -> Thread.sleep(2));
    }

    @Test
    void exclusiveLocks_areHadOneAfterAnother() {
        run(() -> {
            var order = new ArrayList<Integer>();
            int[] inside = {0};
            List<Coroutine<?>> all = new ArrayList<>();
            for (int i = 0; i < 30; i++) {
                int number = i;
                all.add(Async.spawn(() -> {
                    // the same file, opened again and again
                    try (var file = open()) {
                        Async.suspend();
                        try (var lock = file.lock()) {
                            assertThat(++inside[0]).isEqualTo(1);
                            assertThat(lock.isValid()).isTrue();
                            Async.suspend();
                            order.add(number);
                            inside[0]--;
                        }
                    }
                }));
            }
            for (Coroutine<?> one : all) Async.await(one);
            assertThat(order).hasSize(30);
        });
    }

    /** One file, so that no helper thread closes one meanwhile: who meets the table's monitor then is overtaken. */
    @Test
    void exclusiveLocks_areHadInTheOrderOfTheCalls() {
        run(() -> {
            var order = new ArrayList<Integer>();
            List<Coroutine<?>> all = new ArrayList<>();
            try (var file = open()) {
                for (int i = 0; i < 30; i++) {
                    int number = i;
                    all.add(Async.spawn(() -> {
                        try (var lock = file.lock()) {
                            order.add(number);
                        }
                    }));
                }
                for (Coroutine<?> one : all) Async.await(one);
                assertThat(order).isSorted().hasSize(30);
            }
        });
    }

    @Test
    void sharedLocks_areHadTogetherAndExcludeTheOthers() {
        run(() -> {
            try (var one = open();
                    var two = open();
                    var three = open()) {
                var first = one.lock(0, 10, true);
                var second = two.lock(5, 10, true);
                var same = one.lock(0, 10, true);
                assertThat(three.tryLock(7, 1, false)).isNull();
                assertThat(three.tryLock(15, 10, false)).isNotNull();
                Coroutine<AsyncFileLock> front = Async.spawn(() -> three.lock(0, 5, false));
                Coroutine<AsyncFileLock> whole = Async.spawn(() -> three.lock(0, 15, false));
                settle();
                first.close();
                settle();
                assertThat(front.isCompleted()).isFalse();
                same.close();
                // Where a part is unlocked as a whole, the system shares the first ten bytes until then.
                second.close();
                AsyncFileLock got = Async.await(front);
                assertThat(got.position()).isZero();
                assertThat(got.size()).isEqualTo(5);
                assertThat(got.isShared()).isFalse();
                settle();
                assertThat(whole.isCompleted()).isFalse();
                got.close();
                got.close();
                assertThat(got.isValid()).isFalse();
                assertThat(Async.await(whole).isValid()).isTrue();
            }
        });
    }

    @Test
    void fileThatLockedForOthersToo_isClosedLaterAndTheLockStays() {
        run(() -> {
            var one = open();
            var two = open();
            one.lock(0, 10, true);
            AsyncFileLock kept = two.lock(0, 10, true);
            one.close();
            assertThat(kept.isValid()).isTrue();
            try (var three = open()) {
                assertThat(three.tryLock(0, 10, false)).isNull();
                kept.close();
                assertThat(three.tryLock(0, 10, false)).isNotNull();
            }
            two.close();
        });
    }

    @Test
    void badArguments_areRefused() {
        run(() -> {
            try (var file = open()) {
                assertThatThrownBy(() -> file.lock(-1, 1, false)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> file.lock(0, 0, false)).isInstanceOf(IllegalArgumentException.class);
            }
            try (var file = AsyncFile.open(path, READ)) {
                assertThatThrownBy(file::lock).isInstanceOf(InputOutputException.class);
                file.lock(0, 1, true).close();
            }
            try (var file = AsyncFile.open(path, WRITE)) {
                assertThatThrownBy(() -> file.lock(0, 1, true)).isInstanceOf(InputOutputException.class);
            }
        });
    }

    @Test
    @Tag("E40")
    void cancelledWhileWaiting_leavesAndTheNextOneGetsIt() {
        run(() -> {
            try (var file = open()) {
                var held = file.lock();
                Coroutine<?> second = Async.spawn(() -> file.lock());
                Coroutine<AsyncFileLock> third = Async.spawn(() -> file.lock());
                Async.suspend();
                second.cancel();
                assertThat(failureOf(second)).isInstanceOf(AsyncCancellation.class);
                assertThatThrownBy(() -> file.lock(Async.timeout(1))).isInstanceOf(OperationCanceledException.class);
                held.close();
                assertThat(Async.await(third).isValid()).isTrue();
            }
        });
    }

    @Test
    @Tag("E38")
    void fileClosed_itsLocksAreGivenBackAndWhoWaitsOnItGetsAnError() {
        run(() -> {
            try (var other = open()) {
                var file = open();
                var held = file.lock();
                Coroutine<?> waiting = Async.spawn(() -> file.lock());
                Coroutine<AsyncFileLock> elsewhere = Async.spawn(() -> other.lock());
                settle();
                file.close();
                assertThat(failureOf(waiting))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("closed");
                assertThat(held.isValid()).isFalse();
                assertThat(Async.await(elsewhere).isValid()).isTrue();
            }
        });
    }

    @Test
    void moreWaitersThanThreads_theHolderCanAlwaysGoOn() {
        run(() -> {
            try (var file = open()) {
                var held = file.lock();
                List<Coroutine<?>> waiting = new ArrayList<>();
                for (int i = 0; i < 100; i++) {
                    waiting.add(Async.spawn(() -> {
                        try (var own = open();
                                var lock = own.lock()) {
                            own.write(java.nio.ByteBuffer.allocate(1));
                        }
                    }));
                }
                settle();
                file.write(java.nio.ByteBuffer.allocate(10));
                file.sync(false);
                held.close();
                for (Coroutine<?> one : waiting) Async.await(one);
            }
        });
    }

    @Test
    void runEndsWithALockHeldAndOneWanted_theNextRunGetsIt() {
        var leftOpen = new ArrayList<AsyncFile>();
        for (int i = 0; i < 3; i++) {
            run.run(() -> {
                AsyncFile first = open();
                leftOpen.add(first);
                first.lock();
                AsyncFile second = open();
                leftOpen.add(second);
                Coroutine<?> waiter = Async.spawn(() -> second.lock());
                Async.suspend();
                waiter.cancel();
            });
        }
        run(() -> {
            try (var file = open();
                    var lock = file.lock()) {
                assertThat(lock.isValid()).isTrue();
            }
        });
        Reference.reachabilityFence(leftOpen); // not lost, which would be reported
    }

    @Test
    @Tag("F21")
    void lockedByOneself_isADeadlock() {
        assertThatThrownBy(() -> run.run(() -> {
                    try (var file = open()) {
                        file.lock();
                        file.lock();
                    }
                }))
                .isInstanceOf(DeadlockError.class);
    }

    @Test
    @Tag("F35")
    @Tag("deep")
    void otherProcess_isWaitedForAndALateLockIsGivenBack() throws Exception {
        run(() -> {
            try (var file = open();
                    var second = open();
                    var holder = LockHolder.of(path)) {
                Async.blocking(() -> holder.awaitLock());
                assertThat(file.tryLock()).isNull();
                Coroutine<?> waiting = Async.spawn(() -> file.lock());
                Coroutine<AsyncFileLock> next = Async.spawn(() -> second.lock());
                settle();
                assertThat(waiting.isCompleted()).isFalse();
                waiting.cancel();
                assertThat(failureOf(waiting)).isInstanceOf(AsyncCancellation.class);
                Async.blocking(() -> holder.close());
                AsyncFileLock lock = Async.await(next);
                // ours excludes the other process too
                try (var other = LockHolder.of(path)) {
                    Coroutine<?> theirs = Async.spawn(() -> Async.blocking(() -> other.awaitLock()));
                    settle();
                    assertThat(theirs.isCompleted()).isFalse();
                    // closing another descriptor of the file takes nothing away
                    open().close();
                    settle();
                    assertThat(theirs.isCompleted()).isFalse();
                    lock.close();
                    Async.await(theirs);
                    assertThat(second.tryLock()).isNull();
                }
            }
        });
    }

    @Test
    @Tag("F2")
    @Tag("deep")
    void randomLocks_neverConflictAndNobodyStarves() {
        var random = new Random(7);
        run(() -> {
            int[] owners = new int[20];
            int[] sharers = new int[20];
            try (var one = open();
                    var two = open()) {
                List<Coroutine<?>> all = new ArrayList<>();
                for (int i = 0; i < 40; i++) {
                    AsyncFile file = random.nextBoolean() ? one : two;
                    long seed = random.nextLong();
                    all.add(Async.spawn(() -> {
                        var own = new Random(seed);
                        for (int k = 0; k < 15; k++) {
                            int from = own.nextInt(20);
                            int size = 1 + own.nextInt(20 - from);
                            boolean shared = own.nextBoolean();
                            try (var lock = file.lock(from, size, shared)) {
                                for (int p = from; p < from + size; p++) {
                                    assertThat(owners[p]).isZero();
                                    if (!shared) assertThat(sharers[p]).isZero();
                                    (shared ? sharers : owners)[p]++;
                                }
                                try {
                                    if (own.nextBoolean()) Async.suspend();
                                } finally {
                                    for (int p = from; p < from + size; p++) (shared ? sharers : owners)[p]--;
                                }
                            }
                        }
                    }));
                }
                for (int i = 0; i < 10; i++) {
                    Async.delay(1);
                    all.get(random.nextInt(all.size())).cancel();
                }
                for (Coroutine<?> coroutine : all) {
                    Throwable thrown = failureOf(coroutine);
                    if (thrown != null) assertThat(thrown).isInstanceOf(AsyncCancellation.class);
                }
                assertThat(one.lock().isValid()).isTrue();
            }
        });
    }

    @Test
    @Tag("F35")
    @Tag("F2")
    void closedWhileLocksAreGranted_noneStaysBehind() {
        run(() -> {
            var random = new java.util.Random(7);
            for (int round = 0; round < 100; round++) {
                AsyncFile file = open();
                var all = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 6; i++) {
                    int pause = random.nextInt(5);
                    boolean closes = i == 5;
                    all.add(Async.spawn(() -> {
                        for (int k = 0; k < pause; k++) Async.suspend();
                        if (closes) file.close();
                        else file.lock(); // never given back
                        return null;
                    }));
                    if (random.nextInt(6) == 0)
                        all.get(random.nextInt(all.size())).cancel();
                }
                for (int i = 0; i < random.nextInt(8); i++) Async.suspend();
                file.close();
                for (Coroutine<?> each : all) {
                    Throwable failure = failureOf(each);
                    if (failure != null)
                        assertThat(failure).isInstanceOfAny(InputOutputException.class, AsyncCancellation.class);
                }
                AsyncFile next = open();
                // a call of a coroutine that has left may have to be answered first
                assertThat(next.lock().isValid()).as("round " + round).isTrue();
                next.close();
            }
        });
    }
}
