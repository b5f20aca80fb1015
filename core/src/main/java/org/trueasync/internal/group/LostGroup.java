package org.trueasync.internal.group;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.failure.Handles;
import org.trueasync.internal.kernel.CoroutineScope;

/**
 * Learns when a group's handle is unreachable. It must not keep the handle or the group's data reachable: a group that
 * is dropped is collected by the next garbage collection, with its values. A group that still has something to do stays
 * reachable through its running tasks, as an error holder, or through {@link #pinned}.
 */
final class LostGroup implements Runnable {
    private final CoroutineScope scope;
    private WeakReference<GroupCore> group;
    /** The group, while it has handlers to call at its end; else null. */
    volatile @Nullable GroupCore pinned;
    /** True once the loss of the handle has no effect any more. */
    volatile boolean ignored;

    LostGroup(GroupCore group) {
        this.scope = group.scope();
        this.group = new WeakReference<>(group);
    }

    /** Makes sure that its reference to the group has not been cleared. */
    void knows(GroupCore self) {
        if (!group.refersTo(self)) group = new WeakReference<>(self);
    }

    void watch(Object handle) {
        Handles.whenUnreachable(handle, this);
    }

    /** Called on the thread of {@link Handles} when the handle is unreachable. */
    @Override
    public void run() {
        if (!ignored) scope.loop().post(() -> scope.loop().inService(this::handleGone));
    }

    private void handleGone() {
        GroupCore known = group.get();
        if (known != null) known.handleLost();
        else scope.abandon(); // it had nothing left to do
    }
}
