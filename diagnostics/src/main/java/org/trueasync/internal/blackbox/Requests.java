package org.trueasync.internal.blackbox;

import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.trueasync.diagnostics.Ledger;
import org.trueasync.diagnostics.Ledger.Part;
import org.trueasync.internal.kernel.Loop;

/** The last ledgers of a loop that were closed, of those that took long. */
final class Requests {
    private static final int MAX = 256;
    private static final long LONG = 10_000_000;

    /**
     * A ledger that was closed.
     *
     * @param from when it was opened, by the reactor's clock
     * @param to when it was closed
     * @param name what it was of
     * @param text its parts, for a person to read
     * @param parts longest first
     */
    record Closed(long from, long to, String name, String text, List<Part> parts) {}

    private final Queue<Closed> last = new ArrayDeque<>();

    /** Those of a loop; none without a black box. Any thread. */
    static List<Closed> of(Loop loop) {
        Limits limits = BlackBox.limitsOf(loop);
        return limits == null ? List.of() : limits.requests().all();
    }

    synchronized void add(long to, String name, Ledger ledger) {
        if (last.size() == MAX) last.remove();
        long nanos = ledger.total().toNanos();
        last.add(new Closed(to - nanos, to, name, ledger.toString(), ledger.parts()));
    }

    private synchronized List<Closed> all() {
        return List.copyOf(last);
    }

    static boolean isLong(long nanos) {
        return nanos >= LONG;
    }
}
