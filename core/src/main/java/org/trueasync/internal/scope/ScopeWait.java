package org.trueasync.internal.scope;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.event.HeldByWakers;
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.ScopeFailure;
import org.trueasync.internal.kernel.ScopeListeners;
import org.trueasync.spi.Event;

/**
 * One wait for the coroutines of a scope. It is notified from {@link #begin} to {@link #end} or {@link #giveUp}, so
 * that it misses nothing in between. It is responsible for the errors that it gets, until it has taken them or given
 * them back; it must do one of these.
 */
final class ScopeWait extends Event implements ScopeListeners.Listener, WaitForNode, HeldByWakers {
    private final CoroutineScope scope;
    private final boolean forZombies;
    /** The errors that have come, and that were neither kept nor handed over so far. */
    private final ArrayDeque<ScopeFailure> newErrors = new ArrayDeque<>(1);
    /** The errors to throw when the wait is over. */
    private final List<ScopeFailure> kept = new ArrayList<>(1);

    /**
     * Creates a wait.
     *
     * @param scope the scope
     * @param forZombies true to wait for zombies too
     */
    ScopeWait(CoroutineScope scope, boolean forZombies) {
        this.scope = scope;
        this.forZombies = forZombies;
    }

    /** Begins to be notified; takes over the errors that earlier waits have left. */
    void begin() {
        ScopeListeners waits = scope.extras().waits();
        newErrors.addAll(waits.takeKept());
        waits.add(this);
    }

    /** Ends. Gives the errors that were not taken back to the scope. In a coroutine. */
    void end() {
        scope.extras().waits().remove(this);
        keepNewErrors();
        for (ScopeFailure failure : List.copyOf(kept)) failure.leave();
        kept.clear();
    }

    /** Ends early: leaves the errors that were not taken to the next wait, see {@link CoroutineScope#giveUp}. */
    void giveUp() {
        keepNewErrors();
        scope.giveUp(this, new ArrayList<>(kept));
        kept.clear();
    }

    /** True if no coroutine is left to wait for. */
    boolean isOver() {
        return !(forZombies ? scope.isPopulated() : scope.isActive());
    }

    /** True if there are errors that were neither kept nor handed over. */
    boolean hasNewErrors() {
        return !newErrors.isEmpty();
    }

    /** Keeps the errors that have come, to be thrown in the end; returns the first of them, or null. */
    @Nullable
    Throwable keepNewErrors() {
        ScopeFailure first = newErrors.peek();
        kept.addAll(newErrors);
        newErrors.clear();
        return first == null ? null : first.error();
    }

    /**
     * Passes the error that came first to a handler. If the handler throws, the handler's error is kept instead, with
     * the first error attached.
     *
     * @param handler may wait
     * @throws AsyncCancellation what the handler threw, if it was cancelled; the error is not taken
     */
    void handOver(Consumer<Throwable> handler) {
        ScopeFailure failure = newErrors.peek();
        if (failure == null) return;
        Throwable thrown = null;
        try {
            handler.accept(failure.error());
        } catch (AsyncCancellation cancelled) {
            throw cancelled;
        } catch (Throwable e) {
            thrown = e;
        }
        newErrors.remove(failure);
        failure.take();
        if (thrown != null)
            kept.add(failure.with(
                    Causes.contains(thrown, failure.error()) ? thrown : Causes.joined(thrown, failure.error())));
    }

    /**
     * Takes all errors: returns the first one with the others attached, or null. For callers that throw or report it.
     */
    @Nullable
    Throwable take() {
        keepNewErrors();
        Throwable all = null;
        for (ScopeFailure failure : kept) {
            failure.take();
            all = all == null ? failure.error() : Causes.joined(all, failure.error());
        }
        kept.clear();
        return all;
    }

    @Override
    public void completed() {
        if (!forZombies) notifyCallbacks(null, null);
    }

    @Override
    public void drained() {
        if (forZombies) notifyCallbacks(null, null);
    }

    @Override
    public void failed(ScopeFailure failure) {
        failure.held();
        newErrors.add(failure);
        notifyCallbacks(null, null);
    }

    /** Adds all coroutines of the scope. Others could spawn into it, but that would not end these. */
    @Override
    public boolean addProducers(Collection<Coroutine<?>> by) {
        return scope.addAllTo(by);
    }

    @Override
    public @Nullable Coroutine<?> needs(Coroutine<?> sought) {
        return scope.needs(sought, forZombies);
    }

    @Override
    public String info() {
        return (forZombies ? "last coroutine of " : "completion of ") + scope;
    }
}
