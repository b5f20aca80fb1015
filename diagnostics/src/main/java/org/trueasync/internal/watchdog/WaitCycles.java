package org.trueasync.internal.watchdog;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashSet;
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
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.TimerEvent;

/**
 * Finds wait cycles: coroutines of which each can be woken only by another one of them. The loop itself finds a
 * deadlock of the whole runtime. But as long as anything else lives there is none, so a thread beside the loop has this
 * class search now and then. A ring in which each waits for the next one is known at once, as the wait that closes it
 * is followed; it is reported if it is still closed a moment later.
 *
 * <p>For each wait it must be known what can end it:
 *
 * <ul>
 *   <li>a lock of {@code java.util.concurrent}, a mutex, a permit of sections: the coroutines that hold it;
 * <li>the end of coroutines, also of those of a scope or a group: these coroutines;
 * <li>a resource of a pool: the coroutines that have taken one, although other code could give it back, which the
 *     report says;
 * <li>what any code could do (fill a channel, complete a future, release what {@code acquire} took): not known, so such
 *     a wait is never part of a cycle.
 * </ul>
 *
 * <p>Loop thread.
 */
public final class WaitCycles {
    /** A search among this many coroutines takes some milliseconds. If there are more, there is no search. */
    private static final int MAX_COROUTINES = 50_000;

    private static final int MAX_SHOWN = 20;

    /** From the closing of a ring to its report: the run may end meanwhile, or someone may cancel a member. */
    private static final Duration MOMENT = Duration.ofMillis(100);

    /** The same once there has been such a report. */
    private static final Duration LATER = Duration.ofSeconds(1);

    private static final String EACH_OTHER = " for each other";

    private static final String OTHER_HOLDERS =
            ", or other code that gives back what one of them has taken from a pool";

    private static final LoopLocal<WaitCycles> OF_LOOP = new LoopLocal<>();

    private final Loop loop;
    private final LoopProbe probe;
    // By their numbers, which keep nothing alive: a search for stuck coroutines is to find them too.
    private Set<Long> suspects = Set.of();
    private Set<Long> reported = Set.of();
    /** The coroutines whose waits have closed rings since the last report. */
    private final List<Coroutine<?>> closers = new ArrayList<>();

    private Duration untilReport = MOMENT;

    private WaitCycles(Loop loop) {
        this.loop = loop;
        this.probe = new LoopProbe(loop);
    }

    /** The one of a loop, which is made if there is none. */
    public static WaitCycles of(Loop loop) {
        WaitCycles known = OF_LOOP.get(loop);
        if (known != null) return known;
        var made = new WaitCycles(loop);
        OF_LOOP.set(loop, made);
        return made;
    }

    /** Has the rings of a loop reported, soon after they close. Before the run's main coroutine begins. */
    public static void watchRings(Loop loop) {
        loop.whenRingCloses(coroutine -> of(loop).ringClosed(coroutine));
    }

    private void ringClosed(Coroutine<?> closer) {
        closers.add(closer);
        if (closers.size() > 1) return;
        TimerEvent timer = loop.timers().oneShot(untilReport);
        timer.setHidden(true);
        timer.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                loop.inService(WaitCycles.this::reportRings);
            }
        });
        timer.start();
    }

    private void reportRings() {
        var rings = new LinkedHashSet<Coroutine<?>>();
        for (Coroutine<?> closer : closers) if (!hasReported(closer)) rings.addAll(Inspection.ringOf(closer));
        closers.clear();
        if (rings.isEmpty() || loop.isShuttingDown() || !loop.settings().deadlockReports()) return;
        untilReport = LATER;
        Set<Long> all = ids(rings);
        all.addAll(reported);
        reported = all;
        loop.settings().diagnostics().accept(report(List.copyOf(rings), EACH_OTHER));
    }

    /**
     * Looks for cycles. Reports a coroutine if the last search had found it too, and only once. In a service coroutine.
     *
     * @return true if this search has found coroutines that the last one had not: if they still wait, another search
     *     would report them
     */
    public boolean search() {
        if (loop.isShuttingDown() || probe.coroutines() > MAX_COROUTINES) return false;
        FaultPoint.pass();
        Set<Coroutine<?>> found;
        try {
            found = find(loop.liveCoroutines());
        } finally {
            Inspection.forgetWaiting(loop);
        }
        var confirmed = new ArrayList<Coroutine<?>>();
        for (Coroutine<?> coroutine : loop.liveCoroutines())
            if (found.contains(coroutine) && suspects.contains(coroutine.id()) && !hasReported(coroutine))
                confirmed.add(coroutine);
        Set<Long> nowSuspects = ids(found);
        boolean fresh = !suspects.containsAll(nowSuspects);
        Set<Long> nowReported = stillReported(nowSuspects, confirmed);
        // Before the two sets are stored: if there is no memory for the report, the next search tries again.
        String report = confirmed.isEmpty() || !loop.settings().deadlockReports()
                ? null
                : report(confirmed, forWhom(confirmed));
        suspects = nowSuspects;
        reported = nowReported;
        if (report != null) loop.settings().diagnostics().accept(report);
        return fresh;
    }

    /** True if the coroutine was reported and the last search has found it still waiting. */
    boolean hasReported(Coroutine<?> coroutine) {
        return reported.contains(coroutine.id());
    }

    private static Set<Long> ids(Collection<Coroutine<?>> coroutines) {
        Set<Long> ids = new HashSet<>();
        for (Coroutine<?> coroutine : coroutines) ids.add(coroutine.id());
        return ids;
    }

    /**
     * What counts as reported after this search: the coroutines that were reported before and are found again, and the
     * new ones.
     */
    private Set<Long> stillReported(Set<Long> found, List<Coroutine<?>> confirmed) {
        Set<Long> all = new HashSet<>(reported);
        all.retainAll(found);
        all.addAll(ids(confirmed));
        return all;
    }

    /**
     * The coroutines in cycles, and those that wait only for them. Starts with all coroutines of which it is known what
     * alone can wake them. Takes out those that a coroutine outside of this set could wake, again and again until there
     * are none.
     */
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

    private static String forWhom(List<Coroutine<?>> waiting) {
        if (find(waiting).isEmpty()) return " for others that wait for each other";
        return waiting.size() == 1 ? " for itself" : EACH_OTHER;
    }

    private static String report(List<Coroutine<?>> waiting, String forWhom) {
        var text = new StringBuilder()
                .append(waiting.size())
                .append(waiting.size() == 1 ? " coroutine waits" : " coroutines wait")
                .append(forWhom)
                .append(waiting.stream().anyMatch(Inspection::isWaiting) ? ", and only" : ", and at most")
                .append(" a cancellation can end that")
                .append(waiting.stream().anyMatch(Inspection::waitsForLease) ? OTHER_HOLDERS : "")
                .append("; others could go on, so it is not treated as a deadlock (trueasync explain wait-cycle)");
        for (Coroutine<?> coroutine : waiting.subList(0, Math.min(waiting.size(), MAX_SHOWN)))
            DeadlockReport.add(text, coroutine);
        if (waiting.size() > MAX_SHOWN)
            text.append("\n  ... and ").append(waiting.size() - MAX_SHOWN).append(" more");
        return text.toString();
    }
}
