package org.trueasync.internal.io;

import java.lang.ref.WeakReference;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.failure.Handles;
import org.trueasync.internal.kernel.Loop;

/**
 * Closes and reports something that the program has lost without closing it, a socket for instance: its descriptor
 * would stay open until the end of the run. The reactor must refer to the thing weakly, see {@link WeakListeners}. A
 * coroutine that waits on the thing holds it, so it is not closed then.
 *
 * <p>Refers to the loop weakly: one that was cut off keeps its coroutines, and so the thing.
 */
public final class LeakedHandle extends WeakReference<Loop> implements Runnable {
    /** For each run with leaks: those to report next. Loop thread. */
    private static final Map<Loop, List<LeakedHandle>> TO_REPORT = new ConcurrentHashMap<>();

    private final String kind;
    private final String name;
    private final String site;
    private final BooleanSupplier isClosed;
    private final Runnable close;
    private final @Nullable Runnable orphan;

    private LeakedHandle(
            Loop loop,
            String kind,
            String name,
            String site,
            BooleanSupplier isClosed,
            Runnable close,
            @Nullable Runnable orphan) {
        super(loop);
        this.kind = kind;
        this.name = name;
        this.site = site;
        this.isClosed = isClosed;
        this.close = close;
        this.orphan = orphan;
    }

    /**
     * Watches an open thing, to close and report it if it is lost. At the end of the run the reactor closes it anyway.
     * Loop thread.
     *
     * @param thing becomes unreachable when no code can use it any more
     * @param kind for the report, {@code tcp stream} for instance
     * @param name for the report, {@code to 127.0.0.1:80} for instance
     * @param isClosed called on any thread; must not refer to the thing
     * @param close called on the loop thread; must not refer to the thing
     */
    public static void watch(
            Object thing, Loop loop, String kind, String name, BooleanSupplier isClosed, Runnable close) {
        watch(thing, loop, kind, name, isClosed, close, null);
    }

    /**
     * As the other one, for a thing that the end of the run does not close once it is unreachable.
     *
     * @param orphan closes it instead of {@code close} if the run has ended meanwhile; called on a thread of the JDK's;
     *     must not refer to the thing
     */
    public static void watch(
            Object thing,
            Loop loop,
            String kind,
            String name,
            BooleanSupplier isClosed,
            Runnable close,
            @Nullable Runnable orphan) {
        String site = loop.settings().spawnSite();
        Handles.whenUnreachable(thing, new LeakedHandle(loop, kind, name, site, isClosed, close, orphan));
    }

    /** Called on the thread of {@link Handles} when the thing is unreachable. */
    @Override
    public void run() {
        if (isClosed.getAsBoolean()) return;
        Loop loop = get();
        if (loop == null) orphaned();
        else loop.post(() -> lost(loop), this::orphaned);
    }

    private void lost(Loop loop) {
        if (isClosed.getAsBoolean()) return;
        close.run();
        List<LeakedHandle> toReport = TO_REPORT.get(loop);
        if (toReport == null) {
            toReport = new ArrayList<>();
            TO_REPORT.put(loop, toReport);
            loop.inService(() -> reportAll(loop));
        }
        toReport.add(this);
    }

    private void orphaned() {
        if (orphan != null && !isClosed.getAsBoolean()) orphan.run();
    }

    private static void reportAll(Loop loop) {
        List<LeakedHandle> lost = TO_REPORT.remove(loop);
        if (lost == null) return;
        var kinds = new LinkedHashMap<String, List<LeakedHandle>>();
        for (LeakedHandle leak : lost)
            kinds.computeIfAbsent(leak.kind, k -> new ArrayList<>(1)).add(leak);
        for (List<LeakedHandle> alike : kinds.values()) loop.report(text(alike));
    }

    private static String text(List<LeakedHandle> alike) {
        LeakedHandle last = alike.getLast();
        String which = last.kind + " " + last.name;
        if (!last.site.equals(CodeSites.UNKNOWN)) which += " (opened at " + last.site + ")";
        return alike.size() == 1
                ? "Leak: " + which + " was lost without close(); it is closed now"
                : "Leak: " + alike.size() + " times a " + last.kind + " was lost without close(), the last one is "
                        + which + "; they are closed now";
    }
}
