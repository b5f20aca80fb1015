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
 * Daemon threads for calls that block. They begin as they are needed, up to a limit, and end when there was nothing to do for a while; who comes
 * when all are busy waits in line. All runtimes of the process share them.
 *
 * <p>Handing a task over takes no lock: it happens on loop threads. Nor does it make a system call while the thread that was busy last looks for a moment for what
 * comes next, before it rests: {@link AdaptiveSpin} says when. At most one thread of a pool does that.
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
    private final int processors;
    private final LongSupplier clock;
    private final ConcurrentLinkedQueue<Runnable> tasks = new ConcurrentLinkedQueue<>();
    /** The one that has rested shortest goes first: its memory is warm, and the others can end. */
    private final ConcurrentLinkedDeque<IdleThread> idle = new ConcurrentLinkedDeque<>();
    /** The thread that looks for a moment whether somebody calls it, before it rests. Whoever puts null here has called it. */
    private final AtomicReference<@Nullable Lookout> lookout = new AtomicReference<>();

    /** Threads, those included that are being started. */
    private final AtomicInteger threads = new AtomicInteger();
    /** Threads that have been started and will look for tasks before they end. */
    private final AtomicInteger running = new AtomicInteger();

    private final AtomicInteger begun = new AtomicInteger();

    /** A thread without a task that sleeps. It is called once; whoever calls it has added a task before, which it finds, or another thread that it calls. */
    private static final class IdleThread {
        final Thread thread = Thread.currentThread();
        volatile boolean called;

        void call() {
            called = true;
            LockSupport.unpark(thread);
        }
    }

    /** How a thread without a task looks for a moment whether somebody calls it, before it sleeps. Whoever calls it has added a task before; it looks for one after. */
    private final class Lookout extends AdaptiveSpin {
        Lookout() {
            super(processors);
        }

        /** True if it has been called; false also if another thread is at it. */
        boolean isCalledSoon() {
            if (!lookout.compareAndSet(null, this)) return false;
            // A task that came before that is found by the next look, if no other thread was called for it.
            await(Long.MAX_VALUE);
            return !lookout.compareAndSet(this, null);
        }

        @Override
        protected boolean hasArrived() {
            return lookout.get() != this;
        }

        @Override
        protected long now() {
            return clock.getAsLong();
        }
    }

    /**
     * No threads yet.
     *
     * @param name what the threads are called, a number follows
     * @param most how many there may be at once, >= 1
     */
    Workers(String name, int most) {
        this(name, most, KEEP_NANOS, Runtime.getRuntime().availableProcessors(), System::nanoTime);
    }

    /**
     * No threads yet.
     *
     * @param name what the threads are called, a number follows
     * @param most how many there may be at once, >= 1
     * @param keepNanos how long a thread without a task stays
     * @param processors how many there are
     * @param clock tells a thread for how many nanoseconds it has looked before it sleeps
     */
    Workers(String name, int most, long keepNanos, int processors, LongSupplier clock) {
        this.name = name;
        this.most = most;
        this.keepNanos = keepNanos;
        this.processors = processors;
        this.clock = clock;
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
        if (lookout.get() != null && lookout.getAndSet(null) != null) return;
        IdleThread thread = idle.pollFirst();
        if (thread != null) thread.call();
        else if (mayBegin()) begin(task);
    }

    /** True while a thread without a task looks for calls before it sleeps. */
    boolean isAwake() {
        return lookout.get() != null;
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
            var self = new Lookout();
            Thread.ofPlatform()
                    .daemon()
                    .inheritInheritableThreadLocals(false)
                    .name(name + "-" + begun.incrementAndGet())
                    .start(() -> work(self));
            started = true;
        } catch (OutOfMemoryError noThread) {
            // Whoever has a thread already will come to it; without any, nobody would.
            if (running.get() == 0 && tasks.remove(task)) throw noThread;
        } finally {
            if (!started) threads.decrementAndGet();
        }
    }

    private void work(Lookout self) {
        ProcessorPin.leave();
        running.incrementAndGet();
        while (true) {
            Runnable task = tasks.poll();
            if (task == null) task = awaitTask(self);
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
    private @Nullable Runnable awaitTask(Lookout self) {
        long end = System.nanoTime() + keepNanos;
        while (true) {
            if (self.isCalledSoon()) {
                Runnable task = tasks.poll();
                if (task != null) return task;
                continue; // another thread was quicker
            }
            var rest = new IdleThread();
            idle.addFirst(rest);
            Runnable task = tasks.poll();
            while (task == null && !rest.called && end - System.nanoTime() > 0) {
                LockSupport.parkNanos(this, end - System.nanoTime());
                self.slept(rest.called);
                task = tasks.poll();
            }
            boolean wasCalled = rest.called || !idle.remove(rest);
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
