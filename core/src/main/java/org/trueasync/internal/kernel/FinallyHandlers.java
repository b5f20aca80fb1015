package org.trueasync.internal.kernel;

import java.util.List;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.CompositeException;
import org.trueasync.Coroutine;
import org.trueasync.internal.task.CoroutineKind;

/**
 * Runs the finally handlers of something that has ended: all of them, whatever they throw, in a coroutine of their own.
 * That coroutine has a hidden scope of its own, so that the handlers may wait and spawn although their scope has ended.
 */
final class FinallyHandlers {
    /** How dumps name the scope. */
    private static final String PURPOSE = "finally handlers";

    private FinallyHandlers() {}

    @SuppressWarnings("unchecked")
    static void ofCoroutine(CoroutineImpl<?> ended, List<Consumer<?>> handlers) {
        schedule(ended.scope(), ended.scope(), (List<Consumer<Coroutine<?>>>) (List<?>) handlers, ended);
    }

    /** Runs them in the scope above, as this one has closed. */
    static void ofScope(CoroutineScope ended, List<Consumer<CoroutineScope>> handlers) {
        CoroutineScope above = ended.parent != null ? ended.parent : ended.loop.mainScope;
        schedule(ended, above, handlers, ended);
    }

    /** Runs the handlers of something that worked in a scope, behind the coroutines that have been woken already. */
    static <E> void afterWaiters(CoroutineScope responsible, List<Consumer<E>> handlers, E ended) {
        CoroutineScope above = responsible.parent != null ? responsible.parent : responsible.loop.mainScope;
        Callable<Object> task = task(responsible, handlers, ended);
        responsible.loop.spawner.spawn(above.hiddenChild(PURPOSE), CoroutineKind.OWED, null, task);
    }

    private static <E> void schedule(
            CoroutineScope responsible, CoroutineScope above, List<Consumer<E>> handlers, E ended) {
        Callable<Object> task = task(responsible, handlers, ended);
        responsible.loop.spawner.spawnFirst(above.hiddenChild(PURPOSE), CoroutineKind.OWED, task);
    }

    @SuppressWarnings("NullAway") // a task without a value
    private static <E> Callable<Object> task(CoroutineScope responsible, List<Consumer<E>> handlers, E ended) {
        return () -> {
            Throwable thrown = run(ended, handlers);
            if (thrown == null) return null;
            CoroutineImpl<?> self = responsible.loop.requireCurrent("finally handlers");
            if (ended instanceof CoroutineImpl<?> one)
                self.setSpawnLocation(one.spawnLocation() + " (callbacks of the end of coroutine " + one.label() + ")");
            ScopeFailure.offer(responsible, self, thrown);
            return null;
        };
    }

    private static <E> @Nullable Throwable run(E ended, List<Consumer<E>> handlers) {
        Throwable only = null;
        CompositeException several = null;
        for (Consumer<E> handler : handlers) {
            try {
                handler.accept(ended);
            } catch (AsyncCancellation e) {
                // Counts as handled, as everywhere: a cancelled wait, or a shutdown, must not shut the run down.
            } catch (Throwable e) {
                several = collect(only, several, e);
                only = e;
            }
        }
        return several != null ? several : only;
    }

    private static @Nullable CompositeException collect(
            @Nullable Throwable earlier, @Nullable CompositeException several, Throwable next) {
        if (earlier == null) return null;
        CompositeException all = several;
        if (all == null) {
            all = new CompositeException();
            all.add(earlier);
        }
        all.add(next);
        return all;
    }
}
