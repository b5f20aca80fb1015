package org.trueasync.internal.scope;

import org.trueasync.AsyncCancellation;
import org.trueasync.internal.failure.Handles;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Loop;

/**
 * Handles the loss of the handle of a scope that was not closed. A scope inside another scope is ended by that one, so
 * it is only made to close when it is empty. The same holds for a scope that a timer ends. Any other scope without a
 * parent can't be ended by anybody any more: if it has coroutines, that is reported, and they are cancelled.
 */
public final class LostHandle implements Runnable {
    private final CoroutineScope scope;
    private final String site;

    private LostHandle(CoroutineScope scope, String site) {
        this.scope = scope;
        this.site = site;
    }

    /**
     * Watches a new handle.
     *
     * @param handle the object that the user holds
     * @param scope the scope; it must not refer to the handle
     */
    public static void watch(Object handle, CoroutineScope scope) {
        var lost = new LostHandle(scope, scope.loop().settings().spawnSite());
        scope.extras().watchedBy(Handles.whenUnreachable(handle, lost));
    }

    /**
     * Called on the thread of {@link Handles} when the handle is unreachable; or on the loop thread, when the scope has
     * closed and the watch ends.
     */
    @Override
    public void run() {
        if (scope.isClosed() && !scope.keepsErrors()) return;
        Loop loop = scope.loop();
        loop.post(() -> loop.inService(this::end));
    }

    private void end() {
        boolean isEndedByOthers = scope.parent() != null || scope.extras().hasDeadline();
        if (!isEndedByOthers && scope.isPopulated() && !scope.isCancelled()) {
            scope.loop()
                    .report("Leak: a scope, created at " + site
                            + ", was lost without close() while it owned coroutines (" + scope
                            + "); it is disposed of");
            scope.cancel(new AsyncCancellation("its scope, created at " + site + ", was lost without close()"), false);
        }
        scope.abandon();
    }
}
