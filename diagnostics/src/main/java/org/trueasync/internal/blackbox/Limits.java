package org.trueasync.internal.blackbox;

import java.io.IOException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.HashMap;
import java.util.Locale;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;

/**
 * When the black box is written without being asked for: as the user has set it, at most once a minute for the whole
 * process. Any thread.
 */
final class Limits {
    /** The system property: {@code request=500ms,held=100ms,pool=1s,error,stuck,drain,end}, or some of these words. */
    static final String PROPERTY = BlackBox.RECORD_ON;

    /** The system property for where the files go; the working directory without it. */
    static final String DIRECTORY = "org.trueasync.recordTo";

    private static final Set<String> TIMED = Set.of("request", "held", "pool");
    private static final Set<String> WORDS = Set.of("error", "stuck", "drain", "end");
    private static final long PAUSE = TimeUnit.MINUTES.toNanos(1);

    private static final Duration PATIENCE = Duration.ofSeconds(5);

    /** What writes the last file, or has written it. */
    private static volatile @Nullable Thread writer;

    /** When the last file of this process was written. */
    private static final AtomicLong LAST = new AtomicLong(System.nanoTime() - PAUSE);

    /** Writes a file. */
    interface Action {
        /**
         * Writes it.
         *
         * @param reason why
         * @param last true if the process may end at once
         */
        void write(String reason, boolean last);
    }

    private final Map<String, Long> limits;
    private final LongSupplier clock;
    private final AtomicLong last;
    private final Action action;
    private final Requests requests = new Requests();

    Limits(Map<String, Long> limits, LongSupplier clock, AtomicLong last, Action action) {
        this.limits = limits;
        this.clock = clock;
        this.last = last;
        this.action = action;
    }

    static Limits of(Consumer<String> sink) {
        Map<String, Long> limits = Map.of();
        try {
            limits = parse(System.getProperty(PROPERTY, ""));
        } catch (IllegalArgumentException e) {
            sink.accept(PROPERTY + ": " + e.getMessage() + "; the black box is written on request only");
        }
        return new Limits(limits, System::nanoTime, LAST, (reason, end) -> {
            if (end) write(reason, sink);
            else inThread(reason, sink);
        });
    }

    /**
     * Parses the property's value.
     *
     * @return nanoseconds by word; 0 for those without a time
     */
    static Map<String, Long> parse(String given) {
        Map<String, Long> limits = new HashMap<>();
        for (String entry : given.split(",")) {
            if (entry.isBlank()) continue;
            String[] parts = entry.strip().toLowerCase(Locale.ROOT).split("=", 2);
            if (parts.length == 2 && TIMED.contains(parts[0])) limits.put(parts[0], nanos(parts[1], entry));
            else if (parts.length == 1 && WORDS.contains(parts[0])) limits.put(parts[0], 0L);
            else
                throw new IllegalArgumentException(
                        "expected request=TIME, held=TIME, pool=TIME, error, stuck, drain or end, got '" + entry + "'");
        }
        return limits;
    }

    private static long nanos(String time, String entry) {
        boolean millis = time.endsWith("ms");
        if (millis || time.endsWith("s")) {
            try {
                long number = Long.parseLong(time.substring(0, time.length() - (millis ? 2 : 1)));
                if (number > 0 && number < 1_000_000) return number * (millis ? 1_000_000 : 1_000_000_000);
            } catch (NumberFormatException notANumber) {
                // the same error message as for a number out of range
            }
        }
        throw new IllegalArgumentException("a time is like 500ms or 2s, got '" + entry + "'");
    }

    Requests requests() {
        return requests;
    }

    /** The limit for a word, in nanoseconds; the longest time if there is none. */
    long of(String word) {
        return limits.getOrDefault(word, Long.MAX_VALUE);
    }

    /** As {@link org.trueasync.internal.recorder.TurnRing#happened}. */
    void happened(String word, long nanos, String text) {
        if (nanos >= of(word)) write(word + ": " + text, false);
    }

    /** A run has ended: this one is written whatever was written before. */
    void ended(String runtime) {
        if (limits.containsKey("end")) write("end of runtime '" + runtime + "'", true);
        awaitWriter();
    }

    private void write(String reason, boolean always) {
        long now = clock.getAsLong();
        long before = last.get();
        if (!always && now - before < PAUSE) return;
        if (last.compareAndSet(before, now)) action.write(reason, always);
    }

    /** What is being written would be cut off if the process ended now. */
    private static void awaitWriter() {
        Thread last = writer;
        if (last == null) return;
        try {
            last.join(PATIENCE);
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private static void inThread(String reason, Consumer<String> sink) {
        Thread thread = Thread.ofPlatform()
                .inheritInheritableThreadLocals(false)
                .name("trueasync-black-box")
                .uncaughtExceptionHandler((who, full) -> {}) // no memory: the program matters more
                .unstarted(() -> write(reason, sink));
        thread.start();
        writer = thread;
    }

    private static void write(String reason, Consumer<String> sink) {
        try {
            Path file = RecordFile.write(reason);
            sink.accept("Black box written to " + file + ": " + reason);
        } catch (IOException e) {
            sink.accept("The black box can't be written: " + e);
        }
    }
}
