package org.trueasync.launcher;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.internal.error.Causes;
import org.trueasync.spi.ReactorProvider;

/**
 * Adds a dump of the runtimes to the JVM's thread dump after SIGQUIT, on standard error, once the program has run for
 * half a second. If no reactor supports that, nothing changes.
 */
final class ThreadDumps {
    /** Short programs should not pay for this: the preparation takes tens of milliseconds of processor time. */
    private static final long DELAY_MILLIS = 500;

    private boolean over;
    private @Nullable Runnable unregister;

    private ThreadDumps() {}

    /** Begins to listen, on another thread, so that the program does not wait. Returns at once. */
    static ThreadDumps begin() {
        var dumps = new ThreadDumps();
        // where memory ran out, listen() may fail as it reports; the program's own report matters more
        Thread.ofPlatform()
                .daemon()
                .name("trueasync-dumps")
                .uncaughtExceptionHandler((thread, e) -> {})
                .start(dumps::listen);
        return dumps;
    }

    private void listen() {
        try {
            Thread.sleep(DELAY_MILLIS);
            if (isOver()) return;
            Runnable removal = ReactorProvider.installed().stream()
                    .map(provider -> provider.onThreadDump(ThreadDumps::print))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            if (removal != null) store(removal);
        } catch (InterruptedException e) {
            // nothing interrupts this thread
        } catch (Throwable e) {
            if (!Causes.any(e, OutOfMemoryError.class::isInstance))
                Diagnostics.printError("SIGQUIT gives the JVM's thread dump only: " + Causes.trace(e));
        }
    }

    private synchronized boolean isOver() {
        return over;
    }

    private synchronized void store(Runnable removal) {
        if (over) removal.run();
        else unregister = removal;
    }

    private static void print() {
        Diagnostics.print(Async.dump());
    }

    /** Stops listening, because the program has ended. */
    synchronized void end() {
        over = true;
        if (unregister != null) unregister.run();
    }
}
