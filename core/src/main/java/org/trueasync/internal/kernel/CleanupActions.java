package org.trueasync.internal.kernel;

import java.util.LinkedHashSet;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.spi.SwitchHandlers;

/**
 * The clean-up actions of a run. One coroutine runs them one after another. When an action suspends, a switch handler
 * notices the LEAVE, and a new coroutine at the head of the run queue goes on with the next action while the first one
 * waits.
 */
final class CleanupActions {
    private final Consumer<Callable<?>> spawnFirst;
    private final Consumer<Throwable> failed;
    /** In reverse order of registration. */
    private final LinkedHashSet<Entry> actions = new LinkedHashSet<>();

    /** One registration, as an action may be registered twice. */
    private static final class Entry {
        final Body action;

        Entry(Body action) {
            this.action = Objects.requireNonNull(action, "action");
        }
    }

    /**
     * Without actions so far.
     *
     * @param spawnFirst spawns a coroutine at the head of the run queue
     * @param failed told of what an action has thrown
     */
    CleanupActions(Consumer<Callable<?>> spawnFirst, Consumer<Throwable> failed) {
        this.spawnFirst = spawnFirst;
        this.failed = failed;
    }

    /** Adds an action; returns the entry for {@link #remove}. */
    Object add(Body action) {
        var entry = new Entry(action);
        actions.addFirst(entry);
        return entry;
    }

    void remove(Object entry) {
        actions.remove(entry);
    }

    /** Starts to run the actions; false if there are none. */
    boolean start() {
        if (actions.isEmpty()) return false;
        spawnFirst.accept(this::traverse);
        return true;
    }

    private @Nullable Object traverse() {
        boolean[] handedOn = {false};
        SwitchHandlers.add((coroutine, entering, finishing) -> {
            if (entering || finishing) return true;
            handedOn[0] = true;
            spawnFirst.accept(this::traverse);
            return false;
        });
        while (!handedOn[0] && !actions.isEmpty()) {
            try {
                actions.removeFirst().action.run();
            } catch (Throwable e) {
                failed.accept(e);
            }
        }
        return null;
    }
}
