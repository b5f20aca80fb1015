package org.trueasync.internal.file;

import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;

import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Random;
import java.util.Set;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.AsyncFileLock;
import org.trueasync.spi.FileHandle;
import org.trueasync.testkit.TestRun;

/** What is asked of the system, and where, with a system that does as it is told. */
@Tag("E41")
class LockTableTest {
    private static final int SIZE = 20;
    private static final int SHARED = 1;
    private static final int EXCLUSIVE = 2;

    /** What the system has locked, byte by byte. */
    private final int[] locked = new int[SIZE];

    private final AtomicReference<Error> wrong = new AtomicReference<>();

    /** A file of the system's; a lock may be answered late, and unlocking may meet a lock. */
    private final class ScriptedFile implements FileHandle {
        private final Object key;
        final Object gate = new Object();
        volatile CountDownLatch mayAnswer = new CountDownLatch(0);
        final CountDownLatch asked = new CountDownLatch(1);
        final CountDownLatch unlocked = new CountDownLatch(1);

        ScriptedFile(Object key) {
            this.key = key;
        }

        private void change(long position, long size, int from, int to) {
            int end = (int) Math.min(SIZE, position + size);
            synchronized (locked) {
                for (int i = (int) position; i < end; i++) {
                    if ((locked[i] == 0) != (from == 0))
                        wrong.compareAndSet(null, new AssertionError("byte " + i + ": " + locked[i] + " to " + to));
                    locked[i] = to;
                }
            }
        }

        @Override
        public boolean tryLock(long position, long size, boolean shared) {
            asked.countDown();
            try {
                if (!mayAnswer.await(15, TimeUnit.SECONDS)) throw new AssertionError("nobody lets it answer");
            } catch (InterruptedException e) {
                throw new AssertionError(e);
            }
            change(position, size, 0, shared ? SHARED : EXCLUSIVE);
            return true;
        }

        @Override
        public void lock(long position, long size, boolean shared) {
            throw new AssertionError("the first attempt has succeeded");
        }

        @Override
        public void unlock(long position, long size) {
            if (Runtimes.hereOrNull() != null && !Thread.currentThread().isVirtual())
                wrong.compareAndSet(null, new AssertionError("the loop's own frame may meet a lock here"));
            synchronized (gate) {
                change(position, size, SHARED, 0);
            }
            unlocked.countDown();
        }

        @Override
        public Object key() {
            return key;
        }

        @Override
        public int read(ByteBuffer into, long position) {
            return -1;
        }

        @Override
        public void write(ByteBuffer from, long position) {}

        @Override
        public boolean isSeekable() {
            return true;
        }

        @Override
        public long size() {
            return SIZE;
        }

        @Override
        public Status status() {
            var never = FileTime.fromMillis(0);
            return new Status(SIZE, never, never, never, false, true);
        }

        @Override
        public void sync(boolean metadata) {}

        @Override
        public void truncate(long to) {}

        @Override
        public void close() {}
    }

    private final ScriptedFile one = new ScriptedFile("one");
    private final ScriptedFile sameAsOne = new ScriptedFile("one");
    private final ScriptedFile two = new ScriptedFile("two");

    private void run(Body body) {
        new TestRun(() -> new VirtualReactor() {
                    @Override
                    public FileHandle open(
                            Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
                        return switch (path.toString()) {
                            case "one" -> one;
                            case "same as one" -> sameAsOne;
                            default -> two;
                        };
                    }
                })
                .run(body);
    }

    private static AsyncFile open(String name) {
        return AsyncFile.open(Path.of(name), READ, WRITE);
    }

    private void assertLocked(AsyncFileLock lock) {
        synchronized (locked) {
            for (long i = lock.position(); i < lock.position() + lock.size(); i++)
                assertThat(locked[(int) i]).isIn(EXCLUSIVE, lock.isShared() ? SHARED : EXCLUSIVE);
        }
    }

    /** If it kept the table for itself meanwhile, the loop would wait for it, and it for the loop. */
    @Test
    @Tag("F2")
    void coroutineThatMeetsALockWhileItUnlocks_holdsUpNoOtherLock() throws InterruptedException {
        var passed = new CountDownLatch(1);
        var thread = new Thread(() -> run(() -> {
            var gateTaken = new CountDownLatch(1);
            var mayLeaveGate = new CountDownLatch(1);
            try (var first = open("one");
                    var other = open("two")) {
                AsyncFileLock held = first.lock(0, 10, false);
                two.mayAnswer = new CountDownLatch(1);
                Coroutine<?> leaver = Async.spawn(() -> other.lock(10, 10, false));
                Async.blocking(() -> two.asked.await(15, TimeUnit.SECONDS));
                leaver.cancel();
                Coroutine<?> keeper = Async.spawn(() -> Async.blocking(() -> {
                    synchronized (one.gate) {
                        gateTaken.countDown();
                        mayLeaveGate.await();
                    }
                    return null;
                }));
                Async.blocking(() -> gateTaken.await(15, TimeUnit.SECONDS));
                Coroutine<?> closer = Async.spawn(held::close);
                Async.suspend();
                // the answer comes while all coroutines wait, so that the loop's own frame takes it
                boolean unlocked = Async.blocking(() -> {
                    two.mayAnswer.countDown();
                    return two.unlocked.await(15, TimeUnit.SECONDS);
                });
                assertThat(unlocked).isTrue();
                assertThat(closer.isCompleted()).isFalse();
                mayLeaveGate.countDown();
                Async.await(closer);
                Async.await(keeper);
            }
            passed.countDown();
        }));
        thread.setDaemon(true);
        thread.start();
        assertThat(passed.await(30, TimeUnit.SECONDS)).isTrue();
        assertThat(wrong.get()).isNull();
    }

    /** The system would let another process share what it has locked as shared. */
    @Test
    void exclusiveLock_waitsUntilNoLockReliesOnAPartThatIsSharedThere() {
        run(() -> {
            try (var first = open("one");
                    var second = open("same as one")) {
                AsyncFileLock wide = first.lock(0, 10, true);
                AsyncFileLock behind = second.lock(5, 10, true);
                wide.close();
                assertThat(second.tryLock(0, 3, false)).isNull();
                List<String> order = new ArrayList<>();
                Coroutine<?> alone = Async.spawn(() -> {
                    try (var lock = second.lock(0, 3, false)) {
                        assertLocked(lock);
                        order.add("alone");
                    }
                });
                Async.suspend();
                // it would rely on the same part, so the earlier one goes first
                assertThat(second.tryLock(5, 3, true)).isNull();
                Coroutine<?> sharer = Async.spawn(() -> {
                    try (var lock = second.lock(5, 3, true)) {
                        assertLocked(lock);
                        order.add("sharer");
                    }
                });
                Async.suspend();
                // on a part that nobody waits for
                second.lock(12, 2, true).close();
                assertThat(order).isEmpty();
                behind.close();
                Async.await(alone);
                Async.await(sharer);
                // they exclude each other no more: two threads ask the system at the same time
                assertThat(order).containsExactlyInAnyOrder("alone", "sharer");
            }
        });
        assertThat(locked).containsOnly(0);
    }

    @Test
    @Tag("F2")
    @Tag("slow")
    void randomLocks_areWhatTheSystemHasLocked_andNothingStaysLocked() {
        var random = new Random(11);
        for (int round = 0; round < 20; round++) {
            run(() -> {
                try (var first = open("one");
                        var second = open("same as one")) {
                    List<Coroutine<?>> all = new ArrayList<>();
                    for (int i = 0; i < 30; i++) {
                        AsyncFile file = random.nextBoolean() ? first : second;
                        var own = new Random(random.nextLong());
                        all.add(Async.spawn(() -> {
                            for (int k = 0; k < 10; k++) {
                                int from = own.nextInt(SIZE);
                                try (var lock = file.lock(from, 1 + own.nextInt(SIZE - from), own.nextInt(3) > 0)) {
                                    for (int turns = own.nextInt(3); turns >= 0; turns--) {
                                        assertLocked(lock);
                                        Async.suspend();
                                    }
                                }
                            }
                        }));
                    }
                    for (int i = 0; i < 10; i++) {
                        Async.blocking(() -> Thread.sleep(0, 100_000));
                        all.get(random.nextInt(all.size())).cancel();
                    }
                    for (Coroutine<?> each : all) {
                        try {
                            Async.await(each);
                        } catch (AsyncCancellation cancelled) {
                            // as wanted
                        }
                    }
                    AsyncFileLock whole = first.lock();
                    synchronized (locked) {
                        assertThat(locked).containsOnly(EXCLUSIVE);
                    }
                    whole.close();
                }
            });
            assertThat(Arrays.stream(locked).sum()).isZero();
            assertThat(wrong.get()).isNull();
        }
    }
}
