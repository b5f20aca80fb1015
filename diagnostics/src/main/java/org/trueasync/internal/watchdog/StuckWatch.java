package org.trueasync.internal.watchdog;

import java.util.function.Consumer;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.LoopProbe;

/**
 * Searches a loop for stuck coroutines now and then, and reports each of them once. Only where it is asked for, as a
 * search holds the loop for a full collection. One thread, but for the loop's answers.
 */
public final class StuckWatch {
    /** The system property that asks for it: the time from one search to the next, in seconds. */
    public static final String PROPERTY = "org.trueasync.findStuckEvery";

    private final LoopProbe loop;
    private final long everyNanos;
    private final Consumer<String> sink;
    private final Supplier<@Nullable String> search;
    private long dueNanos;
    private volatile boolean searching;

    private StuckWatch(LoopProbe loop, Supplier<@Nullable String> search, Consumer<String> sink, long everyNanos) {
        this.loop = loop;
        this.search = search;
        this.sink = sink;
        this.everyNanos = everyNanos;
        this.dueNanos = System.nanoTime() + everyNanos;
    }

    /**
     * A watch as the system property asks for; null if it does not. A value that makes no sense is reported.
     *
     * @param loop to be searched
     * @param search says what it has found; null for nothing new. Called in a service coroutine
     * @param sink where reports go
     */
    public static @Nullable StuckWatch over(LoopProbe loop, Supplier<@Nullable String> search, Consumer<String> sink) {
        String given = System.getProperty(PROPERTY);
        if (given == null) return null;
        try {
            double seconds = Double.parseDouble(given);
            if (seconds > 0 && seconds < 1e9) return new StuckWatch(loop, search, sink, (long) (seconds * 1e9));
        } catch (NumberFormatException notANumber) {
            // the same report as for a number out of range
        }
        sink.accept(PROPERTY + " must be a number of seconds > 0, got '" + given + "'; nothing is searched for");
        return null;
    }

    /** Begins a search if one is due. */
    public void check() {
        if (searching || System.nanoTime() - dueNanos < 0 || loop.isEnding()) return;
        searching = true;
        loop.inspect(
                () -> {
                    String text = search.get();
                    if (text != null) sink.accept(text);
                    if (text != null) loop.loop().happened("stuck", 0, text);
                    return false;
                },
                (nothing, nanos) -> {
                    dueNanos = System.nanoTime() + everyNanos;
                    searching = false;
                });
    }
}
