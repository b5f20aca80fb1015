package org.trueasync.internal.failure;

import java.time.Duration;
import java.util.function.Consumer;

/**
 * Writes a report on a thread of its own, because writing may block for ever: the sink may need a lock that is held by
 * a coroutine which never runs again.
 */
public final class ReportThread {
    private static final Duration TIMEOUT = Duration.ofSeconds(2);

    private ReportThread() {}

    /**
     * Writes a report on a new thread, and waits at most two seconds for it. If it takes longer, the thread goes on
     * writing. Must not be called in a coroutine or by a running loop, as that would hold the loop.
     *
     * @param name the thread's name
     * @param sink receives the report
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
