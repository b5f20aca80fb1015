package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;
import org.trueasync.internal.run.SecondSignal;

/**
 * Ends the process in an orderly way: after a signal, after {@code System.exit} on any thread, or because everything is
 * done. In the first two cases work under way may finish; then every coroutine is cancelled and runs its {@code
 * finally} blocks before the process ends. The JVM decides the exit status.
 */
final class ExitHook {
    /*
     * There is only one shutdown hook, because hooks run in no order: the compiled classes must be there until the last
     * coroutine has ended.
     */

    /**
     * How long the runtime may take to unwind coroutines after its deadline, and how long the report of an error may
     * take after that.
     */
    private static final Duration GRACE = Duration.ofSeconds(2);

    private final Duration timeout;
    private final MemoryReserve reserve;
    private final CountDownLatch ended = new CountDownLatch(1);

    private @Nullable AsyncRuntime runtime;
    private @Nullable PrivateDirectory directory;
    private boolean ending;

    private ExitHook(Duration timeout, MemoryReserve reserve) {
        this.timeout = timeout;
        this.reserve = reserve;
    }

    /**
     * Adds the hook to the JVM.
     *
     * @param timeout how long the coroutines may take to end, the drain included
     * @param reserve released when the process ends
     */
    static ExitHook install(Duration timeout, MemoryReserve reserve) {
        ExitHook hook = new ExitHook(timeout, reserve);
        atEnd(hook::run);
        return hook;
    }

    /** Has the end of the process call this, on a thread of its own. If that end has begun, this call waits for it. */
    static void atEnd(Runnable action) {
        try {
            Runtime.getRuntime().addShutdownHook(new Thread(action, "trueasync-exit"));
        } catch (IllegalStateException ending) {
            System.exit(Exit.FAILED); // waits: the status is of what has begun it
        }
    }

    /**
     * Returns a directory that exists until the process ends; the first call creates it.
     *
     * @throws IOException if it can't be created, or the process is ending
     */
    synchronized Path privateDirectory() throws IOException {
        if (ending) {
            throw new IOException("the process is ending");
        }
        if (directory == null) {
            directory = PrivateDirectory.create();
        }
        return directory.path();
    }

    /** From now on, the end of the process shuts this runtime down. */
    synchronized void watch(AsyncRuntime runtime) {
        this.runtime = runtime;
    }

    /** Called when the runtime has ended and its error, if any, has been reported, so that the hook need not wait. */
    void programEnded() {
        ended.countDown();
    }

    private void run() {
        reserve.release();
        AsyncRuntime watched;
        PrivateDirectory used;
        synchronized (this) {
            ending = true;
            watched = runtime;
            used = directory;
        }
        try {
            if (watched != null && ended.getCount() > 0) {
                try (var second = SecondSignal.interruptsThisThread()) {
                    watched.shutdown(reason());
                    while (!endProgram(watched)) {
                        watched.shutdownNow(reason());
                        second.again();
                    }
                }
            }
        } finally {
            if (used != null) {
                used.close();
            }
        }
    }

    private static AsyncCancellation reason() {
        return new AsyncCancellation("the process is ending");
    }

    /** Waits for the end. False if a second signal has come and the drain is to be ended. */
    private boolean endProgram(AsyncRuntime watched) {
        try {
            awaitEnd(watched);
        } catch (InterruptedException e) {
            if (watched.isDraining()) {
                return false;
            }
            Diagnostics.printError("a second signal has ended the process before its coroutines had ended");
        }
        return true;
    }

    private void awaitEnd(AsyncRuntime watched) throws InterruptedException {
        // the runtime keeps the deadline itself, unless a coroutine holds its loop
        if (!watched.awaitEnd(timeout.plus(GRACE))) {
            Diagnostics.printError(
                    "not ended within " + timeout.toMillis() / 1000.0
                            + " s of shutdown (--drain-timeout and --shutdown-timeout); the loop is held by a coroutine that does not let go");
            return;
        }
        if (!ended.await(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
            Diagnostics.printError("the program's last report was cut off");
        }
    }
}
