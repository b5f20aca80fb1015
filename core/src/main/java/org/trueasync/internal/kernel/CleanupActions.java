package org.trueasync.internal.kernel;

import java.util.LinkedHashSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.internal.task.CoroutineKind;

/**
 * The clean-up actions of a run. One coroutine runs them one after another. When an action suspends, a switch handler
 * notices the LEAVE, and a new coroutine at the head of the run queue goes on with the next action while the first one
 * waits.
 */
final class CleanupActions {
    private final Loop loop;
    /** In reverse order of registration. */
    private final LinkedHashSet<Entry> actions = new LinkedHashSet<>();

    /** One registration, as an action may be registered twice. */
    private static final class Entry {
        final Body action;

        Entry(Body action) {
            this.action = Objects.requireNonNull(action, "action");
        }
    }

    CleanupActions(Loop loop) {
        this.loop = loop;
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
        loop.spawner.spawnFirst(loop.spawner.scopeOfSpawner(), CoroutineKind.FOLLOW_UP, this::traverse);
        return true;
    }

    private @Nullable Object traverse() {
        boolean[] handedOn = {false};
        loop.requireCurrent("cleanup").addSwitchHandler((coroutine, entering, finishing) -> {
            if (entering || finishing) return true;
            handedOn[0] = true;
            loop.spawner.spawnFirst(loop.spawner.scopeOfSpawner(), CoroutineKind.FOLLOW_UP, this::traverse);
            return false;
        });
        while (!handedOn[0]) {
            if (actions.isEmpty()) break;
            Entry next = actions.removeFirst();
            try {
                next.action.run();
            } catch (AsyncCancellation e) {
                // counts as handled: a shutdown ended the action
            } catch (Throwable e) {
                if (!loop.lineage.hasCaused(e)) loop.errors.atEnd(e);
            }
        }
        return null;
    }
}
