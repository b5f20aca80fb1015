package org.trueasync.internal.diagnostics;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Coroutine;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Inspection;
import org.trueasync.internal.kernel.Loop;

/**
 * A walk over the scopes of a runtime and their coroutines, one step at a time: each scope, then its own coroutines,
 * then the scopes in it. There is no recursion, because trees may be deep.
 *
 * <p>Between two steps the program may go on. What begins or ends meanwhile may be left out, and each is visited at
 * most once. Scopes and coroutines stand in lists that grow at their ends only. So the walk goes on after the last
 * visited one that is still there: all between that and its own place have gone.
 *
 * <p>Loop thread; between two portions of steps any thread may keep it.
 */
public final class TreeWalk {
    /** Gets what is visited. */
    public interface Sink {
        /**
         * A scope begins; its coroutines follow.
         *
         * @param scope not closed
         * @param depth 0 for one without a parent
         */
        void scope(CoroutineScope scope, int depth);

        /** A coroutine of the last scope. */
        void coroutine(Coroutine<?> coroutine);
    }

    /** The scopes in a scope, or those without a parent. */
    private record Level(@Nullable CoroutineScope parent, Deque<CoroutineScope> visited) {}

    private final Loop loop;
    private final Sink sink;
    private final List<Level> path = new ArrayList<>();
    /** The scope whose coroutines are being visited. */
    private @Nullable CoroutineScope scope;

    private final Deque<Coroutine<?>> visited = new ArrayDeque<>();

    /**
     * A walk that has not begun. Any thread.
     *
     * @param loop the runtime
     * @param sink gets what is visited, on the loop thread
     */
    public TreeWalk(Loop loop, Sink sink) {
        this.loop = loop;
        this.sink = sink;
        path.add(new Level(null, new ArrayDeque<>()));
    }

    /** Visits the next scope or coroutine; false if there is none. */
    public boolean step() {
        return nextCoroutine() || nextScope();
    }

    private boolean nextCoroutine() {
        if (scope == null) return false;
        while (!visited.isEmpty() && visited.getLast().isCompleted()) visited.removeLast();
        Coroutine<?> next = Inspection.nextCoroutine(scope, visited.peekLast());
        if (next == null) {
            path.add(new Level(scope, new ArrayDeque<>()));
            scope = null;
            visited.clear();
            return false;
        }
        visited.add(next);
        sink.coroutine(next);
        return true;
    }

    private boolean nextScope() {
        while (!path.isEmpty()) {
            Level level = path.getLast();
            Deque<CoroutineScope> seen = level.visited;
            while (!seen.isEmpty() && !Inspection.isListed(loop, seen.getLast())) seen.removeLast();
            CoroutineScope next = Inspection.nextScope(loop, level.parent, seen.peekLast());
            if (next != null) {
                seen.add(next);
                scope = next;
                sink.scope(next, path.size() - 1);
                return true;
            }
            path.removeLast();
        }
        return false;
    }
}
