package org.trueasync.internal.group;

import java.lang.ref.WeakReference;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.unobserved.Handles;

/**
 * Learns when a group's handle is unreachable. It must keep neither the handle nor what the group keeps alive: groups that are simply dropped go with the garbage
 * collector's next round, values and all. A group that has something left to do is kept by that: by its running tasks, or as one with errors or handlers, see {@link
 * #pinned}.
 */
final class LostGroup implements Runnable {
    private final CoroutineScope scope;
    private final WeakReference<GroupCore> group;
    /** The group, while it has handlers to call at its end. */
    volatile @Nullable GroupCore pinned;
    /** Nothing depends on the handle any more. */
    volatile boolean done;

    LostGroup(GroupCore group) {
        this.scope = group.scope();
        this.group = new WeakReference<>(group);
    }

    void watch(Object handle) {
        Handles.whenUnreachable(handle, this);
    }

    /** On a thread of the JDK's. */
    @Override
    public void run() {
        if (!done) scope.loop().post(() -> scope.loop().inService(this::handleGone));
    }

    private void handleGone() {
        GroupCore known = group.get();
        if (known != null) known.lost();
        else scope.abandon(); // it had nothing left to do
    }
}
