package org.trueasync.internal.kernel;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Causes;

/** The exit actions of one coroutine, run when its task has ended, the last one first. An action may add others. */
final class ExitActionList {
    private final List<Runnable> actions = new ArrayList<>(2);

    void add(Runnable action) {
        actions.add(action);
    }

    /**
     * Runs them all.
     *
     * @param shielded runs one, shielded from cancellations
     * @param earlier what the task has thrown
     * @return {@code earlier}, joined with what the actions have thrown; null if there is neither
     */
    @Nullable
    Throwable run(Consumer<Runnable> shielded, @Nullable Throwable earlier) {
        Throwable all = earlier;
        while (!actions.isEmpty()) {
            Runnable action = actions.removeLast();
            try {
                shielded.accept(action);
            } catch (Throwable e) {
                all = Causes.joined(all, e);
            }
        }
        return all;
    }
}
