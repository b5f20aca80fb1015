package org.trueasync.internal.file;

import java.nio.ByteBuffer;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.util.Arrays;
import java.util.HashSet;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.FileHandle;
import org.trueasync.testkit.TestRun;

/** A file whose locks are recorded byte by byte, and which does what a test says when it is asked for one. */
class ScriptedFile implements FileHandle {
    static final int SHARED = 1;
    static final int EXCLUSIVE = 2;

    /** The system: what is locked, and what nobody should have asked for. */
    static class Machine {
        static final int SIZE = 20;

        /** True as with the JDK's files. */
        final boolean closingLosesLocks;

        private final int[] locked = new int[SIZE];
        private final AtomicReference<Error> wrong = new AtomicReference<>();
        private final ConcurrentHashMap<String, ScriptedFile> files = new ConcurrentHashMap<>();
        private final AtomicInteger open = new AtomicInteger();

        Machine(boolean closingLosesLocks) {
            this.closingLosesLocks = closingLosesLocks;
        }

        void wrong(String what) {
            wrong.compareAndSet(null, new AssertionError(what));
        }

        int lockedAt(long position) {
            synchronized (locked) {
                return locked[(int) position];
            }
        }

        int openFiles() {
            return open.get();
        }

        /** Fails if something went wrong, or if anything stays locked or open. */
        void check() {
            // helper threads may still close what a run has left open
            for (long end = System.nanoTime() + 60_000_000_000L; open.get() != 0 && System.nanoTime() < end; )
                Thread.onSpinWait();
            if (wrong.get() != null) throw wrong.get();
            synchronized (locked) {
                if (Arrays.stream(locked).sum() != 0)
                    throw new AssertionError("still locked: " + Arrays.toString(locked));
            }
            if (open.get() != 0) throw new AssertionError(open + " files are open");
        }

        /** Makes a file that has not been added. */
        ScriptedFile make(String name) {
            return new ScriptedFile(this, name);
        }

        /** Adds a file, for whoever opens its name. Once. */
        void add(ScriptedFile file) {
            files.put(file.name, file);
        }

        TestRun run() {
            return new TestRun(() -> new VirtualReactor() {
                @Override
                public FileHandle open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
                    ScriptedFile scripted = files.get(path.toString());
                    if (scripted == null) scripted = make(path.toString());
                    scripted.machine.open.incrementAndGet();
                    return scripted;
                }
            });
        }

        private void change(ScriptedFile file, long position, long size, int from, int to) {
            if (file.closed) wrong(file.name + " is used after it was closed");
            int end = size >= SIZE - position ? SIZE : (int) (position + size);
            synchronized (locked) {
                for (int i = (int) position; i < end; i++) {
                    if ((locked[i] == 0) != (from == 0))
                        wrong(file.name + ", byte " + i + ": " + locked[i] + " to " + to);
                    locked[i] = to;
                }
            }
        }
    }

    private record Range(long position, long size) {}

    final String name;
    private final Machine machine;
    private final Set<Range> mine = new HashSet<>();
    private volatile boolean closed;

    ScriptedFile(Machine machine, String name) {
        this.machine = machine;
        this.name = name;
    }

    /** Called before the system answers. May block. */
    void asked() throws InterruptedException {}

    /** Called before the system unlocks. May block. */
    void unlocking() {}

    @Override
    public boolean tryLock(long position, long size, boolean shared) {
        try {
            asked();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
        machine.change(this, position, size, 0, shared ? SHARED : EXCLUSIVE);
        synchronized (mine) {
            mine.add(new Range(position, size));
        }
        return true;
    }

    @Override
    public void lock(long position, long size, boolean shared) {
        throw new AssertionError("the first attempt has succeeded");
    }

    @Override
    public void unlock(long position, long size) {
        if (Runtimes.hereOrNull() != null && !Thread.currentThread().isVirtual() && !runEnds())
            machine.wrong("the loop's own frame may meet a lock here");
        unlocking();
        synchronized (mine) {
            if (!mine.remove(new Range(position, size)))
                machine.wrong(name + " unlocks what was not locked as a whole: " + position + ", " + size);
        }
        machine.change(this, position, size, SHARED, 0);
    }

    private static boolean runEnds() {
        return StackWalker.getInstance()
                .walk(frames -> frames.anyMatch(frame -> frame.getMethodName().equals("closeAll")));
    }

    @Override
    public boolean closingLosesLocks() {
        return machine.closingLosesLocks;
    }

    @Override
    public void close() {
        if (closed) machine.wrong(name + " is closed twice");
        closed = true;
        machine.open.decrementAndGet();
        synchronized (machine.locked) {
            if (closingLosesLocks() && Arrays.stream(machine.locked).sum() != 0)
                machine.wrong("closing " + name + " loses locks: " + Arrays.toString(machine.locked));
        }
    }

    boolean isClosed() {
        return closed;
    }

    @Override
    public Object key() {
        return machine;
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
        return Machine.SIZE;
    }

    @Override
    public Status status() {
        var never = FileTime.fromMillis(0);
        return new Status(Machine.SIZE, never, never, never, false, true);
    }

    @Override
    public void sync(boolean metadata) {}

    @Override
    public void truncate(long to) {}
}
