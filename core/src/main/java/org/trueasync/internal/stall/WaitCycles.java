package org.trueasync.internal.stall;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.failure.DeadlockReport;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopLocal;
import org.trueasync.internal.kernel.LoopProbe;

/**
 * Coroutines that wait for each other and for nobody else: whatever could wake one of them is up to others of them. While something else lives, a runtime is not
 * deadlocked as a whole, so these are looked for beside it, now and then; the deadlock of all is found by the loop itself.
 *
 * <p>Who has taken a resource of a pool is expected to give it back; the report says that others could.
 *
 * <p>A lock of {@code java.util.concurrent} that a coroutine holds is for that coroutine to give back.
 *
 * <p>What anybody could do (fill a channel, complete a future, release a semaphore) is never counted as closed. Loop thread.
 */
public final class WaitCycles {
    /** A look at so many takes some milliseconds; more are not looked at. */
    private static final int MOST = 50_000;

    private static final int MOST_SHOWN = 20;

    private static final String LOANS = ", or somebody else who gives back what one of them has taken from a pool";

    private static final LoopLocal<WaitCycles> OF_LOOP = new LoopLocal<>();

    private final Loop loop;
    private final LoopProbe probe;
    private Set<Coroutine<?>> suspects = Set.of();
    private Set<Coroutine<?>> reported = Set.of();
    /** By number; made where it is needed, for one look. */
    private @Nullable Map<Long, Coroutine<?>> known;

    private WaitCycles(Loop loop) {
        this.loop = loop;
        this.probe = new LoopProbe(loop);
    }

    /** Those of a loop. */
    public static WaitCycles of(Loop loop) {
        WaitCycles known = OF_LOOP.get(loop);
        if (known != null) return known;
        var made = new WaitCycles(loop);
        OF_LOOP.set(loop, made);
        return made;
    }

    /**
     * Looks, and reports those that were there at the last look too, each once. In a service coroutine.
     *
     * @return true if there are some that another look would report
     */
    public boolean look() {
        if (loop.isShuttingDown() || probe.coroutines() > MOST) return false;
        FaultPoint.pass();
        Set<Coroutine<?>> found;
        try {
            found = find(loop.liveCoroutines());
        } finally {
            known = null;
        }
        var still = new ArrayList<Coroutine<?>>();
        for (Coroutine<?> coroutine : loop.liveCoroutines())
            if (found.contains(coroutine) && suspects.contains(coroutine) && !reported.contains(coroutine))
                still.add(coroutine);
        boolean fresh = !suspects.containsAll(found);
        Set<Coroutine<?>> both = kept(found, still);
        // Before it counts as reported: what finds no memory here is found again.
        String report = still.isEmpty() || !loop.settings().deadlockReports() ? null : report(still);
        suspects = found;
        reported = both;
        if (report != null) loop.settings().diagnostics().accept(report);
        return fresh;
    }

    /** While {@link org.trueasync.internal.event.WaitForNode} is asked: the coroutine with this number if it waits as others are found to wait, else null. */
    public @Nullable Coroutine<?> waiting(long id) {
        Map<Long, Coroutine<?>> all = known;
        if (all == null) {
            all = new HashMap<>();
            for (Coroutine<?> coroutine : loop.liveCoroutines())
                if (Inspection.isWaiting(coroutine)) all.put(coroutine.id(), coroutine);
            known = all;
        }
        return all.get(id);
    }

    /** True for one of those that wait now and have been told of. */
    boolean hasReported(Coroutine<?> coroutine) {
        return reported.contains(coroutine);
    }

    /** Whoever is not there any more is forgotten. */
    private Set<Coroutine<?>> kept(Set<Coroutine<?>> found, List<Coroutine<?>> more) {
        var kept = new HashSet<Coroutine<?>>(reported);
        kept.retainAll(found);
        kept.addAll(more);
        return kept;
    }

    /** Starts with all that wait in a closed way, and takes out whoever could be woken by somebody who is not among them, until nobody is left to take out. */
    static Set<Coroutine<?>> find(List<? extends Coroutine<?>> all) {
        Map<Coroutine<?>, List<Coroutine<?>>> wakers = new HashMap<>();
        for (Coroutine<?> coroutine : all) {
            var by = new ArrayList<Coroutine<?>>();
            if (Inspection.addWakers(coroutine, by)) wakers.put(coroutine, by);
        }
        Map<Coroutine<?>, List<Coroutine<?>>> wokenBy = new HashMap<>();
        var free = new ArrayDeque<Coroutine<?>>();
        wakers.forEach((coroutine, by) -> {
            for (Coroutine<?> waker : by) {
                if (wakers.containsKey(waker))
                    wokenBy.computeIfAbsent(waker, w -> new ArrayList<>()).add(coroutine);
                else free.add(coroutine);
            }
        });
        Coroutine<?> woken;
        while ((woken = free.poll()) != null) {
            if (wakers.remove(woken) != null) free.addAll(wokenBy.getOrDefault(woken, List.of()));
        }
        return wakers.keySet();
    }

    private static String report(List<Coroutine<?>> closed) {
        var text = new StringBuilder()
                .append(closed.size())
                .append(closed.size() == 1 ? " coroutine waits for itself" : " coroutines wait for each other")
                .append(closed.stream().anyMatch(Inspection::isWaiting) ? ", and only" : ", and at most")
                .append(" a cancellation can end that")
                .append(closed.stream().anyMatch(Inspection::waitsForALoan) ? LOANS : "")
                .append("; others could go on, so it is not treated as a deadlock");
        for (Coroutine<?> coroutine : closed.subList(0, Math.min(closed.size(), MOST_SHOWN)))
            DeadlockReport.add(text, coroutine);
        if (closed.size() > MOST_SHOWN)
            text.append("\n  ... and ").append(closed.size() - MOST_SHOWN).append(" more");
        return text.toString();
    }
}
