package org.trueasync.internal.scope;

import org.trueasync.AsyncCancellation;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.unobserved.Handles;

/**
 * What happens to a scope whose handle the user has lost without closing it. One inside another scope is that one's to end: it only closes when it
 * is empty. One without a parent nobody can ever end any more: if there are coroutines in it, that is reported and they are told to end.
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
     * @param handle what the user holds
     * @param scope must not know the handle
     */
    public static void watch(Object handle, CoroutineScope scope) {
        var lost = new LostHandle(scope, scope.loop().settings().spawnSite());
        scope.extras().watchedBy(Handles.whenUnreachable(handle, lost));
    }

    /** On the thread of {@link Handles}; or on the loop's, when the scope has closed and there is nothing left to watch. */
    @Override
    public void run() {
        if (scope.isClosed()) return;
        Loop loop = scope.loop();
        loop.post(() -> loop.inService(this::end));
    }

    private void end() {
        if (scope.parent() == null && scope.isPopulated() && !scope.isCancelled()) {
            scope.loop()
                    .report("Leak: a scope, created at " + site
                            + ", was lost without close() while it owned coroutines (" + scope
                            + "); it is disposed of");
            scope.cancel(new AsyncCancellation("its scope, created at " + site + ", was lost without close()"), false);
        }
        scope.abandon();
    }
}
