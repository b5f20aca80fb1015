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
import org.trueasync.internal.event.WaitForNode;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.ScopeFailure;
import org.trueasync.internal.kernel.ScopeWaits;
import org.trueasync.spi.Event;

/**
 * One wait for the coroutines of a scope. It is told from {@link ScopeWaits#add} to {@link ScopeWaits#remove}, so that nothing is missed in between. The errors that it is given
 * are in its hands until it has taken or left them, and it must do one or the other.
 */
public final class ScopeWait extends Event implements ScopeWaits.Told, WaitForNode {
    private final CoroutineScope scope;
    private final boolean forZombies;
    /** Not looked at so far. */
    private final ArrayDeque<ScopeFailure> news = new ArrayDeque<>(1);
    /** To be thrown when the wait is over. */
    private final List<ScopeFailure> kept = new ArrayList<>(1);

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

    /** True if there are errors that nobody has looked at. */
    public boolean hasNews() {
        return !news.isEmpty();
    }

    /** Keeps the errors that have come, to be thrown in the end; returns the first of them, or null. */
    public @Nullable Throwable keepNews() {
        ScopeFailure first = news.peek();
        kept.addAll(news);
        news.clear();
        return first == null ? null : first.error();
    }

    /**
     * Has a handler take the error that came first. If the handler throws, that is kept in place of the error, which it carries.
     *
     * @param handler may wait
     * @throws AsyncCancellation what the handler threw, if it was cancelled; the error is not taken
     */
    public void handOver(Consumer<Throwable> handler) {
        ScopeFailure failure = news.peek();
        if (failure == null) return;
        Throwable thrown = null;
        try {
            handler.accept(failure.error());
        } catch (AsyncCancellation cancelled) {
            throw cancelled;
        } catch (Throwable e) {
            thrown = e;
        }
        news.remove(failure);
        if (thrown != null)
            kept.add(failure.with(
                    Causes.contains(thrown, failure.error()) ? thrown : Causes.joined(thrown, failure.error())));
    }

    /** All errors that it has, taken: the first one with the others attached, or null. For who throws or tells it. */
    public @Nullable Throwable take() {
        keepNews();
        Throwable all = null;
        for (ScopeFailure failure : kept) all = all == null ? failure.error() : Causes.joined(all, failure.error());
        kept.clear();
        return all;
    }

    /** Goes without what it has not taken: that is the scope's again. In a coroutine. */
    public void leave() {
        keepNews();
        for (ScopeFailure failure : List.copyOf(kept)) failure.leave();
        kept.clear();
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
        news.add(failure);
        notifyCallbacks(null, null);
    }

    /** Somebody else could spawn into it, but that would not end what is there. */
    @Override
    public boolean addProducers(Collection<Coroutine<?>> by) {
        return scope.addAllTo(by);
    }

    @Override
    public String info() {
        return (forZombies ? "last coroutine of " : "completion of ") + scope;
    }
}
