package org.trueasync.internal.kernel;

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

/**
 * Coroutines that wait for each other and for nobody else: whatever could wake one of them is up to others of them. While something else lives, a runtime is not
 * deadlocked as a whole, so these are looked for beside it, now and then; see {@link Shutdown} for the deadlock of all.
 *
 * <p>Who has taken a resource of a pool is expected to give it back; the report says that others could.
 *
 * <p>A lock of {@code java.util.concurrent} that a coroutine holds is for that coroutine to give back.
 *
 * <p>What anybody could do (fill a channel, complete a future, release a semaphore) is never counted as closed. Loop thread.
 */
final class WaitCycles {
    /** A look at so many takes some milliseconds; more are not looked at. */
    private static final int MOST = 50_000;

    private static final int MOST_SHOWN = 20;

    private static final String LOANS = ", or somebody else who gives back what one of them has taken from a pool";

    private final Scheduler scheduler;
    private Set<CoroutineImpl<?>> suspects = Set.of();
    private Set<CoroutineImpl<?>> reported = Set.of();
    /** By number; made where it is needed, for one look. */
    private @Nullable Map<Long, CoroutineImpl<?>> known;

    WaitCycles(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /**
     * Looks, and reports those that were there at the last look too, each once. In a service coroutine.
     *
     * @return true if there are some that another look would report
     */
    boolean look() {
        if (scheduler.shutdown.isShuttingDown() || scheduler.alive() > MOST) return false;
        FaultPoint.pass();
        Set<CoroutineImpl<?>> found;
        try {
            found = find(scheduler.scopes.coroutines());
        } finally {
            known = null;
        }
        var still = new ArrayList<CoroutineImpl<?>>();
        for (CoroutineImpl<?> coroutine : scheduler.scopes.coroutines())
            if (found.contains(coroutine) && suspects.contains(coroutine) && !reported.contains(coroutine))
                still.add(coroutine);
        boolean fresh = !suspects.containsAll(found);
        Set<CoroutineImpl<?>> both = kept(found, still);
        // Before it counts as reported: what finds no memory here is found again.
        String report = still.isEmpty() || !scheduler.settings.deadlockReports() ? null : report(still);
        suspects = found;
        reported = both;
        if (report != null) scheduler.diagnostics.accept(report);
        return fresh;
    }

    /** The coroutine with this number, if it waits. During a look. */
    @Nullable
    CoroutineImpl<?> waiting(long id) {
        Map<Long, CoroutineImpl<?>> all = known;
        if (all == null) {
            all = new HashMap<>();
            for (CoroutineImpl<?> coroutine : scheduler.scopes.coroutines())
                if (coroutine.isWaiting()) all.put(coroutine.id(), coroutine);
            known = all;
        }
        return all.get(id);
    }

    /** True for one of those that wait now and have been told of. */
    boolean hasReported(CoroutineImpl<?> coroutine) {
        return reported.contains(coroutine);
    }

    /** Whoever is not there any more is forgotten. */
    private Set<CoroutineImpl<?>> kept(Set<CoroutineImpl<?>> found, List<CoroutineImpl<?>> more) {
        var kept = new HashSet<CoroutineImpl<?>>(reported);
        kept.retainAll(found);
        kept.addAll(more);
        return kept;
    }

    /** Starts with all that wait in a closed way, and takes out whoever could be woken by somebody who is not among them, until nobody is left to take out. */
    static Set<CoroutineImpl<?>> find(List<CoroutineImpl<?>> all) {
        Map<CoroutineImpl<?>, List<Coroutine<?>>> wakers = new HashMap<>();
        for (CoroutineImpl<?> coroutine : all) {
            var by = new ArrayList<Coroutine<?>>();
            if (coroutine.addThoseWhoCanWake(by) || JdkWait.addHolder(coroutine, by)) wakers.put(coroutine, by);
        }
        Map<Coroutine<?>, List<CoroutineImpl<?>>> wokenBy = new HashMap<>();
        var free = new ArrayDeque<CoroutineImpl<?>>();
        wakers.forEach((coroutine, by) -> {
            for (Coroutine<?> waker : by) {
                if (wakers.containsKey(waker))
                    wokenBy.computeIfAbsent(waker, w -> new ArrayList<>()).add(coroutine);
                else free.add(coroutine);
            }
        });
        CoroutineImpl<?> woken;
        while ((woken = free.poll()) != null) {
            if (wakers.remove(woken) != null) free.addAll(wokenBy.getOrDefault(woken, List.of()));
        }
        return wakers.keySet();
    }

    private static String report(List<CoroutineImpl<?>> closed) {
        var text = new StringBuilder()
                .append(closed.size())
                .append(closed.size() == 1 ? " coroutine waits for itself" : " coroutines wait for each other")
                .append(closed.stream().anyMatch(CoroutineImpl::isWaiting) ? ", and only" : ", and at most")
                .append(" a cancellation can end that")
                .append(closed.stream().anyMatch(CoroutineImpl::waitsForALoan) ? LOANS : "")
                .append("; others could go on, so it is not treated as a deadlock");
        for (CoroutineImpl<?> coroutine : closed.subList(0, Math.min(closed.size(), MOST_SHOWN)))
            DeadlockReport.add(text, coroutine);
        if (closed.size() > MOST_SHOWN)
            text.append("\n  ... and ").append(closed.size() - MOST_SHOWN).append(" more");
        return text.toString();
    }
}
