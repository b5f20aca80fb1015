package org.trueasync.internal.threads;

import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.run.WatchedRun;
import org.trueasync.internal.settings.Settings;
import org.trueasync.internal.task.Tasks;
import org.trueasync.spi.ProcessorPin;

/**
 * A runtime on a platform thread of its own, with the settings of the one that started it. The thread is a daemon: it ends with the parent's run, see
 * {@link ThreadsOfRun}.
 */
public final class ChildRuntime {
    /** For a thread that has nothing left to do. */
    private static final long SHORT = 100_000_000;

    private final ThreadsOfRun family;
    private final WatchedRun run;
    private final Thread thread;
    private final Body main;
    private final Consumer<@Nullable Throwable> ended;
    private final CountDownLatch over = new CountDownLatch(1);

    /**
     * One that has not begun, for the runtime here; it is watched, and inherits nothing.
     *
     * @param name of the thread and the runtime
     * @param main its main coroutine
     * @param ended told on the child's thread when its run has ended, with what the run threw
     */
    public static ChildRuntime of(Loop parent, String name, Body main, Consumer<@Nullable Throwable> ended) {
        return new ChildRuntime(ThreadsOfRun.of(parent), name, true, false, main, ended);
    }

    /**
     * One that has not begun.
     *
     * @param family of the parent
     * @param name of the thread and the runtime
     * @param watched whether it is reported who holds its loop, as the parent's settings have it; else whoever likes may compute on it
     * @param inherits whether it gets the inheritable thread locals of the calling thread
     * @param main its main coroutine
     * @param ended told on the child's thread when its run has ended, with what the run threw
     */
    ChildRuntime(
            ThreadsOfRun family,
            String name,
            boolean watched,
            boolean inherits,
            Body main,
            Consumer<@Nullable Throwable> ended) {
        this.family = family;
        this.main = main;
        this.ended = ended;
        Settings parent = family.owner().settings();
        run = new WatchedRun(parent.forThread(name, watched ? parent.heldLoopAfter() : Duration.ZERO));
        thread = Thread.ofPlatform()
                .daemon()
                .name(name)
                .stackSize(parent.stackSize())
                .inheritInheritableThreadLocals(inherits)
                .unstarted(this::run);
        thread.setContextClassLoader(Thread.currentThread().getContextClassLoader());
    }

    /**
     * Begins. Any thread.
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
            run.run(() -> {}, Tasks.of(main));
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

    /**
     * Asks for a graceful shutdown. Any thread, at any time.
     *
     * @param reason what its coroutines see thrown
     */
    public void shutdown(AsyncCancellation reason) {
        run.shutdown(reason);
    }

    /**
     * Waits for the end of its thread. A thread that may park, or a coroutine.
     *
     * @param nanos how long at the most
     * @return false if it has not ended by then
     */
    boolean awaitEnd(long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        if (!over.await(nanos, TimeUnit.NANOSECONDS)) return false;
        // What the thread still has to do is a few instructions.
        return thread.getState() == Thread.State.NEW
                || thread.join(Duration.ofNanos(Math.max(SHORT, end - System.nanoTime())));
    }

    /** True if its thread has. */
    boolean hasEnded() {
        return !thread.isAlive();
    }

    /** True on its own loop. */
    boolean isHere(Loop here) {
        return here.isLoopOn(thread);
    }

    @Override
    public String toString() {
        return "thread '" + thread.getName() + "'";
    }
}
