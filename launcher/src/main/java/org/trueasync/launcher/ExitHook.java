package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;

/**
 * What happens when the process ends: by a signal, by {@code System.exit} from any thread, or because everything is done. The first two give
 * every coroutine its cancellation and its {@code finally} first. The exit status is the JVM's affair.
 */
final class ExitHook {
    /*
     * One shutdown hook, for hooks run in no order: the compiled classes must be there until the last coroutine has ended.
     */

    /** How long the runtime may take to unwind what its deadline cut off, and how long the report of an error may take then. */
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
     * @param timeout how long the coroutines may take to end
     * @param reserve released when the process ends
     */
    static ExitHook install(Duration timeout, MemoryReserve reserve) {
        ExitHook hook = new ExitHook(timeout, reserve);
        Runtime.getRuntime().addShutdownHook(new Thread(hook::run, "trueasync-exit"));
        return hook;
    }

    /**
     * Makes the directory that lives as long as the process.
     *
     * @throws IOException if it can't be made, or the process is ending
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

    /** From here on the end of the process is also the end of this runtime. */
    synchronized void watch(AsyncRuntime runtime) {
        this.runtime = runtime;
    }

    /** The runtime has ended and its error, if any, has been reported: nothing to wait for. */
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
        try (var _ = SecondSignal.interruptsThisThread()) {
            if (watched != null && ended.getCount() > 0) {
                endProgram(watched);
            }
        } catch (InterruptedException e) {
            Diagnostics.complain("a second signal has ended the process before its coroutines had ended");
        } finally {
            if (used != null) {
                used.close();
            }
        }
    }

    private void endProgram(AsyncRuntime watched) throws InterruptedException {
        watched.shutdown(new AsyncCancellation("the process is ending"));
        // the runtime keeps the deadline itself, as long as nobody holds its loop
        if (!watched.awaitEnd(timeout.plus(GRACE))) {
            Diagnostics.complain("not ended within " + timeout.toMillis() / 1000.0
                    + " s of shutdown (--shutdown-timeout); the loop is held by a coroutine that does not let go");
            return;
        }
        if (!ended.await(GRACE.toMillis(), TimeUnit.MILLISECONDS)) {
            Diagnostics.complain("the program's last report was cut off");
        }
    }
}
