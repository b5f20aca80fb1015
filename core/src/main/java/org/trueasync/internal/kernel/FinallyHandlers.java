package org.trueasync.internal.kernel;

import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.CompositeException;
import org.trueasync.Coroutine;

/** Runs the finally handlers of an ended coroutine: in a high-priority coroutine of their own, all of them, whatever they throw. */
final class FinallyHandlers {
    private FinallyHandlers() {}

    static void schedule(Scheduler scheduler, Coroutine<?> ended, List<Consumer<?>> handlers) {
        scheduler.spawner.spawnFirst(() -> {
            run(ended, handlers);
            return null;
        });
    }

    @SuppressWarnings("unchecked")
    private static void run(Coroutine<?> ended, List<Consumer<?>> handlers) {
        Throwable only = null;
        CompositeException several = null;
        for (Consumer<?> handler : handlers) {
            try {
                ((Consumer<Coroutine<?>>) handler).accept(ended);
            } catch (Throwable e) {
                several = collect(only, several, e);
                only = e;
            }
        }
        if (several != null) throw several;
        if (only != null) throw Throwing.sneaky(only);
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
