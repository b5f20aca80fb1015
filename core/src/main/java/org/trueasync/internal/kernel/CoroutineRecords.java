package org.trueasync.internal.kernel;

import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.recorder.CoroutineEvents;

/**
 * Writes events of coroutines to the JDK's flight recorder, while they are recorded. An event that can't be written is
 * left out: nothing here throws.
 */
final class CoroutineRecords {
    private static final int MAX_AWAITED = 5;

    private CoroutineRecords() {}

    static void spawned(CoroutineImpl<?> coroutine) {
        CoroutineImpl<?> parent = coroutine.loop().current;
        long parentId = parent == null ? 0 : parent.id();
        String site = coroutine.spawnLocation();
        String place = site.equals(CodeSites.UNKNOWN) ? null : site;
        safely(
                coroutine,
                () -> CoroutineEvents.spawned(runtime(coroutine), coroutine.id(), parentId, coroutine.name(), place));
    }

    /** In the coroutine, just before it leaves the thread. */
    static void suspends(CoroutineImpl<?> coroutine) {
        safely(coroutine, () -> CoroutineEvents.suspends(runtime(coroutine), coroutine.id(), awaits(coroutine)));
    }

    private static String awaits(CoroutineImpl<?> coroutine) {
        if (coroutine.status != WaitState.WAITING) return "its turn";
        List<String> all = awaitedEvents(coroutine);
        if (all.isEmpty()) return "nothing";
        String text = String.join("; ", all.subList(0, Math.min(all.size(), MAX_AWAITED)));
        return all.size() <= MAX_AWAITED ? text : text + "; " + (all.size() - MAX_AWAITED) + " more";
    }

    /** Describes the awaited events. Their {@code info()} may be user code, which can't wait here. */
    private static List<String> awaitedEvents(CoroutineImpl<?> coroutine) {
        boolean refusing = coroutine.refuseWaits();
        try {
            return coroutine.awaitedEvents();
        } finally {
            if (refusing) coroutine.allowWaits();
        }
    }

    /** Records that JDK code has parked it, or has yielded. In the loop's frame. */
    static void suspendsInJdkCode(CoroutineImpl<?> coroutine) {
        safely(coroutine, () -> CoroutineEvents.suspends(runtime(coroutine), coroutine.id(), "JDK code"));
    }

    /** In the coroutine, or in the loop's frame just before it is mounted. */
    static void resumes(CoroutineImpl<?> coroutine) {
        safely(coroutine, () -> CoroutineEvents.resumed(runtime(coroutine), coroutine.id()));
    }

    static void ended(CoroutineImpl<?> coroutine, @Nullable Throwable outcome) {
        String word = outcome == null ? "completed" : coroutine.isCancelled() ? "cancelled" : "failed";
        safely(coroutine, () -> CoroutineEvents.ended(runtime(coroutine), coroutine.id(), word, outcome));
    }

    private static String runtime(CoroutineImpl<?> coroutine) {
        return coroutine.loop().name();
    }

    private static void safely(CoroutineImpl<?> coroutine, Runnable commit) {
        if (coroutine.isInternal()) return;
        try {
            commit.run();
        } catch (Throwable unrecorded) {
            // no stack or memory is left for it; recording must not change what the program does
        }
    }
}
