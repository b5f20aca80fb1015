package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.queue.IntrusiveList;
import org.trueasync.internal.time.ReactorClock;

/** What a report may see of a runtime beyond what its users see. Loop thread. */
public final class Inspection {
    /** The state of a coroutine that has not ended. */
    public enum State {
        NOT_BEGUN("not begun"),
        RUNNING("running"),
        /** Has been woken and waits for its turn. */
        READY("ready"),
        WAITING("waiting"),
        /** Parked by JDK code. */
        IN_JDK("in JDK code");

        private final String words;

        State(String words) {
            this.words = words;
        }

        /** For a person to read. */
        public String words() {
            return words;
        }
    }

    /** The waiting coroutines by their numbers; made when first needed in a search, dropped at its end. */
    private static final LoopLocal<Map<Long, Coroutine<?>>> WAITING = new LoopLocal<>();

    private Inspection() {}

    /**
     * The next scope of those in a scope that have not closed, oldest first; hidden ones for handlers too.
     *
     * @param loop the runtime
     * @param parent the scope that they are in; null for the scopes without a parent
     * @param after the last one that was got and {@link #isListed still is} there; null for the first one
     * @return null if there is no further one
     */
    public static @Nullable CoroutineScope nextScope(
            Loop loop, @Nullable CoroutineScope parent, @Nullable CoroutineScope after) {
        return listOf(loop, parent).after(after);
    }

    /** True while the scope has not closed. */
    public static boolean isListed(Loop loop, CoroutineScope scope) {
        return scope.isIn(listOf(loop, scope.parent));
    }

    private static IntrusiveList<CoroutineScope> listOf(Loop loop, @Nullable CoroutineScope parent) {
        return parent == null ? loop.scopes.roots : parent.children;
    }

    /**
     * The next coroutine of a scope's own, in spawn order.
     *
     * @param scope to which they belong
     * @param after the last one that was got and has not ended; null for the first one
     * @return null if there is no further one
     */
    public static @Nullable Coroutine<?> nextCoroutine(CoroutineScope scope, @Nullable Coroutine<?> after) {
        return scope.after(after == null ? null : CoroutineImpl.of(after));
    }

    /**
     * The time since the coroutine's last turn began, to a few milliseconds: for one that waits, since it began to
     * wait, if that turn was short.
     *
     * @return nanoseconds; -1 if it has not begun or has ended
     */
    public static long sinceLastTurn(Coroutine<?> coroutine) {
        CoroutineImpl<?> self = CoroutineImpl.of(coroutine);
        ExecutionContext context = self.context;
        if (context == null) return -1;
        return ReactorClock.nanosSince(context.turnBegan, self.loop().reactor.nanoTime());
    }

    /**
     * What a hidden scope is for: the finally handlers or the error handler of another scope, or a service coroutine.
     * Null for all other scopes.
     */
    public static @Nullable String purposeOf(CoroutineScope scope) {
        return scope.purpose();
    }

    /** The state of a coroutine that has not ended. */
    public static State stateOf(Coroutine<?> coroutine) {
        if (!coroutine.isStarted()) return State.NOT_BEGUN;
        if (coroutine.isRunning()) return State.RUNNING;
        if (coroutine.isQueued()) return State.READY;
        return JdkWait.isParked(CoroutineImpl.of(coroutine)) ? State.IN_JDK : State.WAITING;
    }

    /** The frames of user code on its stack, innermost first; empty for one that is not suspended. */
    public static List<StackTraceElement> userFrames(Coroutine<?> coroutine) {
        return CoroutineImpl.of(coroutine).userFrames();
    }

    /** True from the beginning of a wait of ours until the coroutine is woken. */
    public static boolean isWaiting(Coroutine<?> coroutine) {
        return CoroutineImpl.of(coroutine).isWaiting();
    }

    /**
     * For {@link org.trueasync.internal.event.WaitForNode}, during a search: the coroutine with this number if it is in
     * a wait of ours, else null.
     */
    public static @Nullable Coroutine<?> waiting(Loop loop, long id) {
        Map<Long, Coroutine<?>> all = WAITING.get(loop);
        if (all == null) {
            all = new HashMap<>();
            for (Coroutine<?> coroutine : loop.liveCoroutines())
                if (isWaiting(coroutine)) all.put(coroutine.id(), coroutine);
            WAITING.set(loop, all);
        }
        return all.get(id);
    }

    /** Ends a search, which may have called {@link #waiting}. */
    public static void forgetWaiting(Loop loop) {
        WAITING.set(loop, null);
    }

    /** True if it waits for something that was lent: any holder that gives it back can end the wait. */
    public static boolean waitsForLease(Coroutine<?> coroutine) {
        return CoroutineImpl.of(coroutine).waitsForLease();
    }

    /**
     * Adds the coroutines that alone can end its wait.
     *
     * @param waiting a coroutine, which need not wait
     * @param by gets the coroutines
     * @return false if it does not wait, or if anything else could end the wait
     */
    public static boolean addWakers(Coroutine<?> waiting, Collection<Coroutine<?>> by) {
        CoroutineImpl<?> coroutine = CoroutineImpl.of(waiting);
        return (!coroutine.hasTimeLimit() && coroutine.addWakers(by)) || JdkWait.addHolder(coroutine, by);
    }

    /** Adds the numbers of the coroutines that have taken the resources for which it waits. */
    public static void addHolders(Coroutine<?> waiting, Collection<Long> ids) {
        CoroutineImpl.of(waiting).addHoldersOfAwaited(ids);
    }

    /**
     * The ring of waits that a coroutine is in: it, the one that it waits for, and so on. Empty if there is none, or if
     * a time limit may open it.
     */
    public static List<Coroutine<?>> ringOf(Coroutine<?> member) {
        var ring = new ArrayList<Coroutine<?>>();
        Coroutine<?> next = member;
        do {
            CoroutineImpl<?> coroutine = CoroutineImpl.of(next);
            if (ring.size() == WaitState.MAX_RING || coroutine.hasTimeLimit()) return List.of();
            ring.add(coroutine);
            next = coroutine.needsForItsWait(member);
        } while (next != null && next != member);
        return next == null ? List.of() : ring;
    }

    /**
     * Finds the coroutines that wait for what no running code can reach, so that only a cancellation or the end of a
     * scope can end their waits. May take seconds, for which it holds the loop. In a service coroutine.
     *
     * @throws UnsupportedOperationException if this JVM does not collect on request, or does not finalise
     */
    public static Stuck findStuck(Loop loop) {
        return StuckSearch.in(loop);
    }

    /**
     * What {@link #findStuck} has found.
     *
     * @param coroutines in the order of their numbers
     * @param examined how many waits could be judged; for the others something outside, a time or JDK code may do it
     */
    public record Stuck(List<Coroutine<?>> coroutines, int examined) {}

    /** True for the coroutine that the run began with. */
    public static boolean isMain(Coroutine<?> coroutine) {
        return CoroutineImpl.of(coroutine).isMain();
    }

    /** True if its scope has ended and lets it go on. */
    public static boolean isZombie(Coroutine<?> coroutine) {
        return CoroutineImpl.of(coroutine).isZombie();
    }
}
