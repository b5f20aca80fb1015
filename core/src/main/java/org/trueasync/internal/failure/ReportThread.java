package org.trueasync.internal.failure;

import java.time.Duration;
import java.util.function.Consumer;

/** Writes a report where the writer may not wait for ever: whoever gets it may want a lock that a coroutine holds which never runs again. */
public final class ReportThread {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private ReportThread() {}

    /**
     * Hands a report over on a thread of its own, and waits a moment until it is written; it is written all the same if that takes longer. Not on a thread that
     * coroutines run on.
     *
     * @param name of the thread
     * @param sink gets the report
     * @param text the report
     */
    public static void write(String name, Consumer<String> sink, String text) {
        Thread writer = Thread.ofPlatform()
                .daemon()
                .inheritInheritableThreadLocals(false)
                .name(name)
                .unstarted(() -> sink.accept(text));
        writer.start();
        try {
            writer.join(TIMEOUT);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }
}
