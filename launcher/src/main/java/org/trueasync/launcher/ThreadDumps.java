package org.trueasync.launcher;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.spi.ReactorProvider;

/**
 * Whoever asks the JVM for its thread dump by SIGQUIT gets the runtimes too, on standard error, once the program has run for half a second. Where no reactor
 * can do it nothing changes.
 */
final class ThreadDumps {
    /** Programs that end sooner are not asked what they do, and should not pay for it: the preparation takes tens of milliseconds of a processor. */
    private static final long DELAY_MILLIS = 500;

    private static final int MOST_CAUSES = 100;

    private boolean over;
    private @Nullable Runnable giveBack;

    private ThreadDumps() {}

    /** Returns at once; the program is not kept waiting for it. */
    static ThreadDumps begin() {
        var dumps = new ThreadDumps();
        Thread.ofPlatform().daemon().name("trueasync-dumps").start(dumps::listen);
        return dumps;
    }

    private void listen() {
        try {
            Thread.sleep(DELAY_MILLIS);
            if (isOver()) return;
            Runnable back = ReactorProvider.installed().stream()
                    .map(provider -> provider.onThreadDump(ThreadDumps::print))
                    .filter(Objects::nonNull)
                    .findFirst()
                    .orElse(null);
            if (back != null) keep(back);
        } catch (InterruptedException e) {
            // nobody has this thread
        } catch (Throwable e) {
            if (!isOfMemory(e))
                Diagnostics.complain("SIGQUIT gives the JVM's thread dump only: " + ErrorDetails.text(e));
        }
    }

    /** The program has filled the memory, and its own report is the one that counts: there is none left for another. */
    private static boolean isOfMemory(Throwable error) {
        Throwable cause = error;
        for (int i = 0; cause != null && i < MOST_CAUSES; i++, cause = ErrorDetails.cause(cause)) {
            if (cause instanceof OutOfMemoryError) return true;
        }
        return false;
    }

    private synchronized boolean isOver() {
        return over;
    }

    private synchronized void keep(Runnable back) {
        if (over) back.run();
        else giveBack = back;
    }

    private static void print() {
        Diagnostics.print(Async.dump());
    }

    /** The program has ended. */
    synchronized void end() {
        over = true;
        if (giveBack != null) giveBack.run();
    }
}
