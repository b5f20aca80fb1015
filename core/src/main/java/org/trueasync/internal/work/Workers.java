package org.trueasync.internal.work;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.locks.LockSupport;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ProcessorPin;

/**
 * Daemon threads for calls that block. They begin as they are needed, up to a limit, and end when there was nothing to do for a while; who comes
 * when all are busy waits in line. All runtimes of the process share them.
 *
 * <p>Handing a task over takes no lock: it happens on loop threads.
 */
public final class Workers implements Executor {
    /** Files: more threads than a disk has use for would only queue there. */
    public static final Workers FILES = new Workers("trueasync-file", 16);

    /**
     * FIFOs and devices, which may keep a thread waiting for ever: they must not keep files waiting. Whoever gets no thread might be the one that the
     * others wait for, the other side of a FIFO or a close, so there is no limit.
     */
    public static final Workers DEVICES = new Workers("trueasync-device", Integer.MAX_VALUE);

    /** Waits for locks that other processes hold. Whoever gets no thread might be the one that they wait for, so there is no limit. */
    public static final Workers LOCKS = new Workers("trueasync-lock", Integer.MAX_VALUE);

    /** Names: a resolver that does not answer holds its thread for half a minute, so there are many. */
    public static final Workers NAMES = new Workers("trueasync-name", 64);

    /**
     * What the JDK asks the system's resolver inside its own look-ups, with their locks held: apart from {@link #NAMES}, whose threads may all be waiting for such
     * a lock.
     */
    public static final Workers RESOLVERS = new Workers("trueasync-resolver", 64);

    /** Looks at other processes and what has to do with signals: short, and never held up by the calls of users. */
    public static final Workers PROCESSES = new Workers("trueasync-process", 4);

    /**
     * What TLS handshakes compute. Hardly more threads than processors, as computing is what they do; some more, as a look at a certificate may ask
     * a server whether it was revoked.
     */
    public static final Workers HANDSHAKES =
            new Workers("trueasync-tls", Math.max(4, Runtime.getRuntime().availableProcessors()));

    /** What users say may block, for as long as it likes. */
    public static final Workers BLOCKING = new Workers("trueasync-blocking", 256);

    /** A constant of the compiler, as the pools above are made before other statics are. */
    private static final long KEEP_NANOS = 10_000_000_000L;

    private final String name;
    private final int most;
    private final long keepNanos;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** The one that has rested shortest goes first: its memory is warm, and the others can end. */
    private final ConcurrentLinkedDeque<IdleThread> idle = new ConcurrentLinkedDeque<>();

    /** Threads, those included that are being started. */
    private final AtomicInteger threads = new AtomicInteger();
    /** Threads that have been started and will look for tasks before they end. */
    private final AtomicInteger running = new AtomicInteger();

    private final AtomicInteger begun = new AtomicInteger();

    /** A thread without a task. It is called once; whoever calls it has added a task before, which it finds, or another thread that it calls. */
    private static final class IdleThread {
        final Thread thread = Thread.currentThread();
        volatile boolean called;

        void call() {
            called = true;
            LockSupport.unpark(thread);
        }
    }

    /**
     * No threads yet.
     *
     * @param name what the threads are called, a number follows
     * @param most how many there may be at once, >= 1
     */
    Workers(String name, int most) {
        this(name, most, KEEP_NANOS);
    }

    /**
     * No threads yet.
     *
     * @param name what the threads are called, a number follows
     * @param most how many there may be at once, >= 1
     * @param keepNanos how long a thread without a task stays
     */
    Workers(String name, int most, long keepNanos) {
        this.name = name;
        this.most = most;
        this.keepNanos = keepNanos;
    }

    /**
     * Has a task run; returns at once. Any thread.
     *
     * @param task must not throw
     * @throws OutOfMemoryError if the system gives no thread and there is none yet
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        callThread(task);
    }

    private void callThread(Runnable task) {
        IdleThread thread = idle.pollFirst();
        if (thread != null) thread.call();
        else if (mayBegin()) begin(task);
    }

    /** Threads now. */
    public int size() {
        return threads.get();
    }

    private boolean mayBegin() {
        int now;
        do {
            now = threads.get();
            if (now >= most) return false;
        } while (!threads.compareAndSet(now, now + 1));
        return true;
    }

    private void begin(Runnable task) {
        boolean started = false;
        try {
            Thread.ofPlatform()
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .name(name + "-" + begun.incrementAndGet())
                    .start(this::work);
            started = true;
        } catch (OutOfMemoryError noThread) {
            // Whoever has a thread already will come to it; without any, nobody would.
            if (running.get() == 0 && tasks.remove(task)) throw noThread;
        } finally {
            if (!started) threads.decrementAndGet();
        }
    }

    private void work() {
        ProcessorPin.leave();
        running.incrementAndGet();
        while (true) {
            Runnable task = tasks.poll();
            if (task == null) task = awaitTask();
            if (task == null) return;
            try {
                task.run();
            } catch (Throwable noMemory) {
                // Tasks don't throw otherwise; the thread is counted, and others rely on it.
            }
            Thread.interrupted(); // what one task has left is nothing to the next
        }
    }

    /** Waits for a task; null if the thread is to end. */
    private @Nullable Runnable awaitTask() {
        long end = System.nanoTime() + keepNanos;
        while (true) {
            var self = new IdleThread();
            idle.addFirst(self);
            Runnable task = tasks.poll();
            while (task == null && !self.called && end - System.nanoTime() > 0) {
                LockSupport.parkNanos(this, end - System.nanoTime());
                task = tasks.poll();
            }
            boolean wasCalled = self.called || !idle.remove(self);
            if (task != null) {
                // The call may have been for another task, whose own thread has ended or is busy by now.
                Runnable next = wasCalled ? tasks.peek() : null;
                if (next != null) callThread(next);
                return task;
            }
            // Called, but another thread was quicker: it is not among the idle any more, and has to join them again.
            if (end - System.nanoTime() > 0) continue;
            running.decrementAndGet();
            threads.decrementAndGet();
            // A task may have come between the look into the queue and the count: whoever brought it saw no room for a
            // thread.
            if (tasks.isEmpty() || !mayBegin()) return null;
            running.incrementAndGet();
            end = System.nanoTime() + keepNanos;
        }
    }
}
