package org.trueasync.diagnostics;

import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.blackbox.BlackBox;
import org.trueasync.internal.blackbox.TimeAccount;
import org.trueasync.internal.diagnostics.Texts;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Runtimes;

/**
 * What one coroutine has spent its time on, from {@link #open} to {@link #close}: how long it ran, waited in the run
 * queue and behind whom, waited for which pool, lock or socket. The parts add up to the whole time.
 *
 * {@snippet :
 * try (Ledger ledger = Ledger.open("report")) {
 *     makeReport();
 *     log(ledger.toString());
 * }
 * }
 *
 * <p>It costs the coroutine a look at the clock when it suspends, when it is woken, and when its turn begins: about
 * 20 ns each. What it waits for in coroutines that it has spawned is one part: open ledgers there to learn more.
 *
 * <p>In the coroutine that has opened it, where nothing else is said.
 */
public final class Ledger implements AutoCloseable {
    /** What time is spent on. */
    public enum Kind {
        /** Its own code has run. */
        RUNNING,
        /** It could have gone on, and others ran; of a wait of a millisecond or more, who ran longest is known. */
        QUEUE,
        /** For a resource of a pool, or a circuit breaker. */
        POOL,
        /** For a lock of ours or of the JDK; of the JDK's, who has held it is known. */
        LOCK,
        /** To send or to receive. */
        CHANNEL,
        /** For a socket or a file. */
        IO,
        /** For a time. */
        TIMER,
        /** For work on another thread, by {@code blocking} for instance. */
        BLOCKING,
        /** For other coroutines, or for a future. */
        COROUTINE,
        /** Parked by code of the JDK that is no lock. */
        JDK,
        /** The garbage collector has stopped the JVM; known to a millisecond. */
        GC,
        /** For any other event. */
        OTHER
    }

    /**
     * A part of the time.
     *
     * @param kind what it was spent on
     * @param what the same more closely: the text of what was awaited, who ran in the meantime; empty for all stretches
     *     below a millisecond
     * @param time how long, 0 or more
     * @param times in how many stretches
     */
    public record Part(Kind kind, String what, Duration time, int times) {}

    private final CoroutineImpl<?> coroutine;
    private final String name;
    private final TimeAccount account;
    private @Nullable List<Part> closed;
    private long total;

    private Ledger(CoroutineImpl<?> coroutine, String name) {
        this.coroutine = coroutine;
        this.name = name;
        account = new TimeAccount(coroutine);
    }

    /**
     * Opens a ledger for the running coroutine. It takes the place of one that is open: that one sees nothing more.
     *
     * @param name of what the time is spent on, as the black box's file shows it
     * @throws org.trueasync.AsyncException outside a coroutine
     */
    public static Ledger open(String name) {
        CoroutineImpl<?> self = Runtimes.here("Ledger.open").requireCurrent("Ledger.open");
        var ledger = new Ledger(self, Objects.requireNonNull(name, "name"));
        self.account(ledger.account);
        return ledger;
    }

    /** True if whoever serves requests is to open a ledger for each: the black box has a limit for them. Any thread. */
    public static boolean isWanted() {
        return BlackBox.isRequestLimited();
    }

    /** The parts so far, longest first. */
    public List<Part> parts() {
        List<Part> known = closed;
        return known != null ? known : List.copyOf(account.parts());
    }

    /** The time so far, by kind; kinds without a part are missing. */
    public Map<Kind, Duration> byKind() {
        Map<Kind, Duration> sums = new EnumMap<>(Kind.class);
        for (Part part : parts()) sums.merge(part.kind(), part.time(), Duration::plus);
        return sums;
    }

    /** The whole time so far. */
    public Duration total() {
        return Duration.ofNanos(closed == null ? account.total() : total);
    }

    /** Ends it: what it says stays as it is. Closing it again does nothing. */
    @Override
    public void close() {
        if (closed != null) return;
        closed = List.copyOf(account.parts());
        total = account.accounted();
        coroutine.endAccount(account);
        BlackBox.took(coroutine.loop(), name, total, this);
    }

    /** {@code 612 ms: 480 ms pool (acquire from Pool 'db' ...), 100 ms queue (#7 ran 98 ms), 32 ms running}. */
    @Override
    public String toString() {
        var text = new StringBuilder(Texts.time(total().toNanos()));
        String between = ": ";
        for (Part part : parts()) {
            if (part.time().toMillis() == 0) continue;
            text.append(between).append(Texts.time(part.time().toNanos())).append(' ');
            text.append(part.kind().name().toLowerCase(java.util.Locale.ROOT));
            if (!part.what().isEmpty()) text.append(" (").append(part.what()).append(')');
            between = ", ";
        }
        return text.toString();
    }
}
