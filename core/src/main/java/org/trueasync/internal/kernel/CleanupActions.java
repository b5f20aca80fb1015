package org.trueasync.internal.kernel;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;

/**
 * The actions for the end of the run. One coroutine runs them one after another; when an action suspends, the LEAVE is caught by a switch handler
 * and a new high-priority coroutine goes on with the next action, while the first one waits.
 */
final class CleanupActions {
    private final Scheduler scheduler;
    private final ArrayDeque<Body> actions = new ArrayDeque<>();

    CleanupActions(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    void add(Body action) {
        actions.addFirst(java.util.Objects.requireNonNull(action, "action"));
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
            Body action = actions.poll();
            if (action == null) break;
            try {
                action.run();
            } catch (AsyncCancellation e) {
                // always handled: a shutdown ended the action
            } catch (Throwable e) {
                scheduler.errors.atEnd(e);
            }
        }
        return null;
    }
}
