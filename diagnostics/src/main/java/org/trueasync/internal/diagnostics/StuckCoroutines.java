package org.trueasync.internal.diagnostics;

import java.lang.management.GarbageCollectorMXBean;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.watchdog.LoopReport;

/** The coroutines of a runtime that wait for what no running code can reach, as text. */
public final class StuckCoroutines {
    private static final Duration PATIENCE = Duration.ofSeconds(60);

    private static final String CONCURRENT = "-XX:+ExplicitGCInvokesConcurrent";

    private final Loop loop;
    private final Set<Long> reported = new HashSet<>();
    private boolean refused;

    /** Without a search so far. */
    public StuckCoroutines(Loop loop) {
        this.loop = loop;
    }

    /** Searches, which holds the loop for a full collection. Any thread. */
    public static String of(Loop loop) {
        if (loop == Runtimes.hereOrNull()) return found(loop);
        String text = Dump.await(Dump.ask(loop, () -> found(loop)), PATIENCE.toNanos());
        return text != null ? text : LoopReport.of(new LoopProbe(loop), PATIENCE);
    }

    private static String found(Loop loop) {
        String name = "Runtime '" + loop.name() + "': ";
        Inspection.Stuck stuck;
        try {
            stuck = search(loop);
        } catch (UnsupportedOperationException e) {
            return name + refusal(e);
        }
        return stuck.coroutines().isEmpty()
                ? name + "no coroutine is stuck, of " + stuck.examined() + " whose waits can be judged"
                : name + report(stuck.coroutines());
    }

    private static String refusal(UnsupportedOperationException reason) {
        return "stuck coroutines can't be found, as " + reason.getMessage();
    }

    /**
     * Searches, and says which coroutines are stuck that were not so in the search before, or, once, why none can be
     * found. In a service coroutine.
     *
     * @return null if there is nothing new
     */
    public @Nullable String news() {
        List<Coroutine<?>> stuck;
        try {
            stuck = search(loop).coroutines();
        } catch (UnsupportedOperationException e) {
            if (refused) return null;
            refused = true;
            return refusal(e);
        }
        List<Coroutine<?>> fresh = stuck.stream()
                .filter(coroutine -> !reported.contains(coroutine.id()))
                .toList();
        reported.clear();
        for (Coroutine<?> coroutine : stuck) reported.add(coroutine.id());
        return fresh.isEmpty() ? null : report(fresh);
    }

    private static String report(List<Coroutine<?>> coroutines) {
        boolean one = coroutines.size() == 1;
        var text = new StringBuilder(Texts.count(coroutines.size(), "coroutine"))
                .append(one ? " is" : " are")
                .append(" stuck: no running code can reach what ")
                .append(one ? "it waits" : "they wait")
                .append(
                        " for; only a cancellation or the end of a scope can end that (trueasync explain stuck-coroutine)");
        var tree = new TreeText(text, TreeText.Limits.READABLE, true);
        coroutines.forEach(tree::coroutine);
        tree.end();
        return text.toString();
    }

    private static Inspection.Stuck search(Loop loop) {
        if (RuntimeBean.AVAILABLE) requireCollector();
        return Inspection.findStuck(loop);
    }

    /**
     * ZGC and Shenandoah count everything that a suspended stack refers to as reachable, even if only a finalizer could
     * bring the stack back.
     */
    private static void requireCollector() {
        if (ManagementFactory.getRuntimeMXBean().getInputArguments().contains(CONCURRENT))
            throw new UnsupportedOperationException(
                    "with " + CONCURRENT + " the collector keeps what is new, as the search itself is");
        for (GarbageCollectorMXBean collector : ManagementFactory.getGarbageCollectorMXBeans()) {
            String name = collector.getName();
            if (name.startsWith("ZGC") || name.startsWith("Shenandoah"))
                throw new UnsupportedOperationException(name.split(" ")[0]
                        + " does not tell; the serial, the parallel and the G1 collector do (-XX:+UseG1GC)");
        }
    }
}
