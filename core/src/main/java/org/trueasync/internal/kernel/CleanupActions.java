package org.trueasync.internal.kernel;

import java.util.LinkedHashSet;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;

/**
 * The actions for the end of the run. One coroutine runs them one after another; when an action suspends, the LEAVE is caught by a switch handler
 * and a new high-priority coroutine goes on with the next action, while the first one waits.
 */
final class CleanupActions {
    private final Scheduler scheduler;
    /** The last one registered first. */
    private final LinkedHashSet<Entry> actions = new LinkedHashSet<>();

    /** One registration: an action may be there twice. */
    private static final class Entry {
        final Body action;

        Entry(Body action) {
            this.action = Objects.requireNonNull(action, "action");
        }
    }

    CleanupActions(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    /** Returns what takes it away again. */
    Object add(Body action) {
        var entry = new Entry(action);
        actions.addFirst(entry);
        return entry;
    }

    void remove(Object entry) {
        actions.remove(entry);
    }

    /** Starts the traversal; false if there is nothing to do. */
    boolean start() {
        if (actions.isEmpty()) return false;
        scheduler.spawner.spawnFirst(this::traverse);
        return true;
    }

    private @Nullable Object traverse() {
        boolean[] handedOn = {false};
        scheduler.requireCurrent("cleanup").addSwitchHandler((coroutine, entering, finishing) -> {
            if (entering || finishing) return true;
            handedOn[0] = true;
            scheduler.spawner.spawnFirst(this::traverse);
            return false;
        });
        while (!handedOn[0]) {
            if (actions.isEmpty()) break;
            Entry next = actions.removeFirst();
            try {
                next.action.run();
            } catch (AsyncCancellation e) {
                // always handled: a shutdown ended the action
            } catch (Throwable e) {
                scheduler.errors.atEnd(e);
            }
        }
        return null;
    }
}
