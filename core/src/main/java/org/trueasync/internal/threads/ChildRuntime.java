package org.trueasync.internal.threads;

import java.time.Duration;
import java.util.concurrent.Callable;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.run.WatchedRun;
import org.trueasync.internal.task.Settings;
import org.trueasync.internal.task.Tasks;
import org.trueasync.spi.ProcessorPin;

/**
 * A runtime on a platform thread of its own, with the settings of the runtime that started it. The thread is a daemon.
 * The runtime is shut down with the parent's run, see {@link ThreadsOfRun}.
 */
public final class ChildRuntime {
    /** The least time, in nanoseconds, that {@link #awaitEnd} gives a thread for its last instructions. */
    private static final long LAST_STEPS_NANOS = 100_000_000;

    private final ThreadsOfRun family;
    private final WatchedRun run;
    private final Thread thread;
    private final Callable<Object> main;
    private final Consumer<@Nullable Throwable> ended;
    private final CountDownLatch over = new CountDownLatch(1);

    /**
     * Creates a runtime that has not begun, as a child of the given one, on whose loop thread this is called. The new
     * one is watched, and inherits nothing.
     *
     * @param name the name of the thread and the runtime
     * @param main its main coroutine
     * @param ended called on the child's thread when its run has ended, with the error of the run, or null
     */
    public static ChildRuntime of(Loop parent, String name, Body main, Consumer<@Nullable Throwable> ended) {
        return new ChildRuntime(ThreadsOfRun.of(parent), name, true, true, false, main, ended);
    }

    /**
     * Creates a runtime that has not begun, and that monitors are not told of.
     *
     * @param family the parent's threads
     * @param name the name of the thread and the runtime
     * @param watched true to report a blocked loop, with the parent's settings; false for a thread that is meant for
     *     computing
     * @param inherits true if the main coroutine inherits what the calling thread hands down
     * @param main its main coroutine
     * @param ended called on the child's thread when its run has ended, with the error of the run, or null
     */
    ChildRuntime(
            ThreadsOfRun family,
            String name,
            boolean watched,
            boolean inherits,
            Body main,
            Consumer<@Nullable Throwable> ended) {
        this(family, name, false, watched, inherits, main, ended);
    }

    private ChildRuntime(
            ThreadsOfRun family,
            String name,
            boolean monitored,
            boolean watched,
            boolean inherits,
            Body main,
            Consumer<@Nullable Throwable> ended) {
        this.family = family;
        // The JDK hands down the rest.
        this.main = inherits ? Inheritance.withContext(Tasks.of(main)) : Tasks.of(main);
        this.ended = ended;
        Settings parent = family.owner().settings();
        run = new WatchedRun(parent.forThread(name, watched ? parent.heldLoopAfter() : Duration.ZERO), monitored);
        thread = Thread.ofPlatform()
                .daemon()
                .name(name)
                .stackSize(parent.stackSize())
                .inheritInheritableThreadLocals(inherits)
                .unstarted(this::run);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    }

    /**
     * Starts the thread. Any thread.
     *
     * @throws AsyncException if the parent's run has ended
     * @throws OutOfMemoryError if the system gives no thread
     */
    public void start() {
        try {
            family.add(this);
            thread.start();
        } catch (Throwable e) {
            over.countDown();
            family.remove(this);
            throw e;
        }
    }

    private void run() {
        Throwable thrown = null;
        try {
            ProcessorPin.leave();
            run.run(() -> {}, Tasks.of((Body) this::begin));
        } catch (Throwable e) {
            thrown = e;
        }
        try {
            ended.accept(thrown);
        } finally {
            family.leaves(this);
            over.countDown();
        }
    }

    private void begin() throws Throwable {
        Runtimes.here("a thread").lineage().startedBy(family.owner().lineage());
        main.call();
    }

    /**
     * Asks for a shutdown without a drain: it drains with its parent. Any thread, at any time.
     *
     * @param reason the exception that its coroutines throw
     */
    public void shutdown(AsyncCancellation reason) {
        run.shutdownNow(reason);
    }

    /** True if the parent's drain has to wait for it. Any thread; may be out of date. */
    boolean isUnderWay() {
        Loop loop = run.handle().loop();
        return loop != null && loop.drain().isNeeded();
    }

    /**
     * Has it drain with its parent. The parent waits for it only if something is under way: it may be computing, and
     * answer late. On the parent's loop.
     */
    void drain() {
        Loop loop = run.handle().loop();
        if (loop == null) return;
        Runnable whenDone = () -> {};
        if (loop.drain().isNeeded()) {
            Loop parent = family.owner();
            parent.drain().entered();
            whenDone = () -> parent.post(parent.drain()::left);
        }
        Runnable done = whenDone;
        loop.post(() -> loop.inService(() -> loop.drainWithParent(done)), done);
    }

    /**
     * Waits for the end of its thread. Called on a thread that may park, or in a coroutine.
     *
     * @param nanos the longest wait for the end of its run, in nanoseconds; the thread's last instructions may take
     *     {@link #LAST_STEPS_NANOS} more
     * @return false if the thread has not ended by then
     */
    boolean awaitEnd(long nanos) throws InterruptedException {
        long endNanos = System.nanoTime() + nanos;
        if (!over.await(nanos, TimeUnit.NANOSECONDS)) return false;
        // The thread has only a few instructions left.
        return thread.getState() == Thread.State.NEW
                || thread.join(Duration.ofNanos(Math.max(LAST_STEPS_NANOS, endNanos - System.nanoTime())));
    }

    /** True if its thread has ended, or was not started. */
    boolean hasEnded() {
        return !thread.isAlive();
    }

    boolean isHere(Loop here) {
        return here.isLoopOn(thread);
    }

    @Override
    public String toString() {
        return "thread '" + thread.getName() + "'";
    }
}
