package org.trueasync.internal.kernel;

import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.Event;

/** One wait for the coroutines of a scope. It is told from {@link ScopeWaits#add} to {@link ScopeWaits#remove}, so that nothing is missed in between. */
public final class ScopeWait extends Event {
    private final CoroutineScope scope;
    private final boolean forZombies;
    private final ArrayDeque<Throwable> errors = new ArrayDeque<>(1);

    /**
     * A wait.
     *
     * @param scope the scope
     * @param forZombies whether zombies count
     */
    public ScopeWait(CoroutineScope scope, boolean forZombies) {
        this.scope = scope;
        this.forZombies = forZombies;
    }

    /** True if there is nobody left to wait for. */
    public boolean isOver() {
        return !(forZombies ? scope.isPopulated() : scope.isActive());
    }

    /** An error that no handler has taken, or null; each is brought once. */
    public @Nullable Throwable nextError() {
        return errors.poll();
    }

    void completed() {
        if (!forZombies) notifyCallbacks(null, null);
    }

    void drained() {
        if (forZombies) notifyCallbacks(null, null);
    }

    void failed(Throwable error) {
        errors.add(error);
        notifyCallbacks(null, null);
    }

    @Override
    public String info() {
        return (forZombies ? "last coroutine of " : "completion of ") + scope;
    }
}
