package org.trueasync.internal.work;

import java.util.concurrent.ConcurrentLinkedDeque;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicReference;
import java.util.concurrent.locks.LockSupport;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.queue.AdaptiveSpin;
import org.trueasync.spi.ProcessorPin;

/**
 * Daemon threads for calls that block. They are started on demand, up to a limit, and end when there was nothing to do
 * for a while. If all are busy, tasks wait in a queue. All runtimes of the process share them.
 *
 * <p>Handing a task over takes no lock, because it happens on loop threads. It makes no system call either while the
 * thread that was busy last still spins for the next task before it sleeps: {@link AdaptiveSpin} says when it does. At
 * most one thread of a pool spins.
 */
public final class Workers implements Executor {
    /** For files: more threads than a disk can use would only queue there. */
    public static final Workers FILES = new Workers("trueasync-file", 16);

    /**
     * For FIFOs and devices, which may keep a thread waiting for ever and must not keep files waiting. There is no
     * limit: a task without a thread might be the one that the others wait for, the other side of a FIFO or a close.
     */
    public static final Workers DEVICES = new Workers("trueasync-device", Integer.MAX_VALUE);

    /**
     * For waits for locks that other processes hold. There is no limit: a task without a thread might be the one that
     * the others wait for.
     */
    public static final Workers LOCKS = new Workers("trueasync-lock", Integer.MAX_VALUE);

    /** For names: a resolver that does not answer holds its thread for half a minute, so there are many threads. */
    public static final Workers NAMES = new Workers("trueasync-name", 64);

    /**
     * For the JDK's own calls of the system's resolver, inside its look-ups and with their locks held: separate from
     * {@link #NAMES}, whose threads may all be waiting for such a lock.
     */
    public static final Workers RESOLVERS = new Workers("trueasync-resolver", 64);

    /** For queries about other processes and for signals: short calls, and never delayed by the calls of users. */
    public static final Workers PROCESSES = new Workers("trueasync-process", 4);

    /**
     * For the computations of TLS handshakes. As many threads as processors, because they compute; but at least four,
     * because the check of a certificate may ask a server whether it was revoked.
     */
    public static final Workers HANDSHAKES =
            new Workers("trueasync-tls", Math.max(4, Runtime.getRuntime().availableProcessors()));

    /** For tasks of users, which may block for any time. */
    public static final Workers BLOCKING = new Workers("trueasync-blocking", 256);

    /**
     * How long a thread stays without a task, at most. A compile-time constant, as the pools above are made before
     * other statics.
     */
    private static final long KEEP_NANOS = 10_000_000_000L;

    private final String name;
    private final int maxThreads;
    private final long keepNanos;
    private final int processors;
    private final LongSupplier clock;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** Sleeping threads, the last one first: its memory is still in the caches, and the others can end. */
    private final ConcurrentLinkedDeque<IdleThread> idle = new ConcurrentLinkedDeque<>();
    /** The thread that spins before it sleeps. A thread that sets this to null has called it. */
    private final AtomicReference<@Nullable Spinner> spinner = new AtomicReference<>();

    /** The number of threads, with those that are being started. */
    private final AtomicInteger threads = new AtomicInteger();
    /** The number of threads that have been started and will look for tasks before they end. */
    private final AtomicInteger running = new AtomicInteger();

    private final AtomicInteger begun = new AtomicInteger();

    /**
     * A sleeping thread without a task. It is called once. The caller has added a task before; the thread finds that
     * task, or another thread takes it.
     */
    private static final class IdleThread {
        final Thread thread = Thread.currentThread();
        volatile boolean called;

        void call() {
            called = true;
            LockSupport.unpark(thread);
        }
    }

    /**
     * The spinning of a thread without a task, before it sleeps. The caller has added a task before it calls; the
     * thread looks for a task after the call.
     */
    private final class Spinner extends AdaptiveSpin {
        Spinner() {
            super(processors);
        }

        /** True if it has been called; false also if another thread spins already. */
        boolean spinUntilCalled() {
            if (!spinner.compareAndSet(null, this)) return false;
            // A task that came before this point is found by the next look into the queue, if no other thread was
            // called for it.
            await(Long.MAX_VALUE);
            return !spinner.compareAndSet(this, null);
        }

        @Override
        protected boolean hasArrived() {
            return spinner.get() != this;
        }

        @Override
        protected long now() {
            return clock.getAsLong();
        }
    }

    /**
     * Creates one without threads.
     *
     * @param name the first part of the threads' names, a number follows
     * @param maxThreads the largest number of threads, >= 1
     */
    Workers(String name, int maxThreads) {
        this(name, maxThreads, KEEP_NANOS, Runtime.getRuntime().availableProcessors(), System::nanoTime);
    }

    /**
     * Creates one without threads.
     *
     * @param name the first part of the threads' names, a number follows
     * @param maxThreads the largest number of threads, >= 1
     * @param keepNanos the time for which a thread without a task stays, in nanoseconds
     * @param processors the number of processors
     * @param clock the clock for the time of spinning, in nanoseconds
     */
    Workers(String name, int maxThreads, long keepNanos, int processors, LongSupplier clock) {
        this.name = name;
        this.maxThreads = maxThreads;
        this.keepNanos = keepNanos;
        this.processors = processors;
        this.clock = clock;
    }

    /**
     * Runs a task on one of the threads; returns at once. Any thread.
     *
     * @param task must not throw
     * @throws OutOfMemoryError if the system gives no thread and none is running; then the task is not run
     */
    @Override
    public void execute(Runnable task) {
        tasks.add(task);
        callThread(task);
    }

    private void callThread(Runnable task) {
        if (spinner.get() != null && spinner.getAndSet(null) != null) return;
        IdleThread thread = idle.pollFirst();
        if (thread != null) thread.call();
        else if (mayBegin()) begin(task);
    }

    /** True while a thread without a task spins before it sleeps. */
    boolean isAwake() {
        return spinner.get() != null;
    }

    /** Returns the number of threads. */
    public int size() {
        return threads.get();
    }

    private boolean mayBegin() {
        int now;
        do {
            now = threads.get();
            if (now >= maxThreads) return false;
        } while (!threads.compareAndSet(now, now + 1));
        return true;
    }

    private void begin(Runnable task) {
        boolean started = false;
        try {
            var self = new Spinner();
            Thread.ofPlatform()
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .name(name + "-" + begun.incrementAndGet())
                    .start(() -> work(self));
            started = true;
        } catch (OutOfMemoryError noThread) {
            // A running thread will take the task; without one, the task would never run.
            if (running.get() == 0 && tasks.remove(task)) throw noThread;
        } finally {
            if (!started) threads.decrementAndGet();
        }
    }

    private void work(Spinner self) {
        ProcessorPin.leave();
        running.incrementAndGet();
        while (true) {
            Runnable task = tasks.poll();
            if (task == null) task = awaitTask(self);
            if (task == null) return;
            try {
                task.run();
            } catch (Throwable noMemory) {
                // Tasks don't throw for other reasons. The thread must go on: it is counted, and tasks rely on it.
            }
            Thread.interrupted(); // an interrupt of one task must not reach the next one
        }
    }

    /** Waits for a task; null if the thread is to end. */
    private @Nullable Runnable awaitTask(Spinner self) {
        long end = System.nanoTime() + keepNanos;
        while (true) {
            if (self.spinUntilCalled()) {
                Runnable task = tasks.poll();
                if (task != null) return task;
                continue; // another thread has taken the task
            }
            var sleeper = new IdleThread();
            idle.addFirst(sleeper);
            Runnable task = tasks.poll();
            while (task == null && !sleeper.called && end - System.nanoTime() > 0) {
                LockSupport.parkNanos(this, end - System.nanoTime());
                self.slept(sleeper.called);
                task = tasks.poll();
            }
            boolean wasCalled = sleeper.called || !idle.remove(sleeper);
            if (task != null) {
                // The call may have been for a second task, whose own thread has ended or is busy by now.
                Runnable next = wasCalled ? tasks.peek() : null;
                if (next != null) callThread(next);
                return task;
            }
            // It was called, but another thread has taken the task. It is not among the idle threads any more, and has
            // to join them again.
            if (end - System.nanoTime() > 0) continue;
            running.decrementAndGet();
            threads.decrementAndGet();
            // A task may have come between the look into the queue and the change of the count: its caller saw no room
            // for a thread.
            if (tasks.isEmpty() || !mayBegin()) return null;
            running.incrementAndGet();
            end = System.nanoTime() + keepNanos;
        }
    }
}
