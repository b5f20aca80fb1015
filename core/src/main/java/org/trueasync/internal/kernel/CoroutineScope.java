package org.trueasync.internal.kernel;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Collection;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Context;
import org.trueasync.Coroutine;
import org.trueasync.internal.error.FaultPoint;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.queue.IntrusiveList;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.time.SectionLimit;

/**
 * An owner of coroutines and other scopes: the list of its live coroutines in spawn order, how many still count, and
 * how far its own end has got. What only some scopes have is in {@link ScopeExtras}.
 *
 * <p>There are two counts, so that no tree of scopes has to be walked: {@link #active} is what {@code awaitCompletion}
 * waits for, {@link #present} also includes the zombies. Each counts the scope's own coroutines, and each child scope
 * whose own count is not zero as one.
 *
 * <p>Loop thread only.
 */
public final class CoroutineScope extends IntrusiveList.Node {
    final Loop loop;
    final @Nullable CoroutineScope parent;
    private @Nullable CoroutineImpl<?> first;
    private @Nullable CoroutineImpl<?> last;
    private int live;
    private int active;
    private int present;
    /** A cancellation lets coroutines run on that have begun, see {@link CoroutineImpl#becomeZombie}. */
    private boolean letsRunOn;
    /** No coroutine or scope begins here any more. */
    private boolean cancelled;
    /** Cancelled, and all coroutines here and below have ended. */
    private boolean closed;
    /** No code can reach it: it closes as soon as it is empty. */
    private boolean abandoned;
    /**
     * What a hidden scope is for, as dumps say it, else null. A hidden one is not shown to users, and not cancelled
     * with its parent.
     */
    private final @Nullable String purpose;

    private @Nullable Context context;
    private @Nullable ScopeExtras extras;
    private static final int MAX_EXAMINED = 1_000;

    /** The scopes in it that have not closed, in the order of their creation. */
    final IntrusiveList<CoroutineScope> children = new IntrusiveList<>();

    private CoroutineScope(Loop loop, @Nullable CoroutineScope parent, @Nullable String purpose) {
        this.loop = loop;
        this.parent = parent;
        this.letsRunOn = parent != null && parent.letsRunOn;
        this.purpose = purpose;
    }

    /** Makes the main scope of a run. */
    static CoroutineScope main(Loop loop) {
        return independent(loop);
    }

    /** Makes a scope that is in no list, for a service coroutine. */
    static CoroutineScope unlisted(Loop loop) {
        return new CoroutineScope(loop, null, "service");
    }

    /** Makes a scope without a parent. */
    public static CoroutineScope independent(Loop loop) {
        return listed(new CoroutineScope(loop, null, null));
    }

    /**
     * Makes a scope in this one. The new scope takes over from it whether a cancellation lets coroutines run on.
     *
     * @throws AsyncException if this one has been cancelled
     */
    public CoroutineScope child() {
        requireOpen();
        return listed(new CoroutineScope(loop, this, null));
    }

    /** Makes a hidden scope in this one, which may have been cancelled. It closes with its last coroutine. */
    CoroutineScope hiddenChild(String purpose) {
        var child = new CoroutineScope(loop, this, purpose);
        child.abandoned = true;
        return listed(child);
    }

    private static CoroutineScope listed(CoroutineScope scope) {
        scope.siblings().add(scope);
        return scope;
    }

    private IntrusiveList<CoroutineScope> siblings() {
        return parent == null ? loop.scopes.roots : parent.children;
    }

    /** The loop that it belongs to. */
    public Loop loop() {
        return loop;
    }

    /** What only some scopes have. */
    public ScopeExtras extras() {
        ScopeExtras e = extras;
        if (e == null) extras = e = new ScopeExtras();
        return e;
    }

    /** As {@link #extras}, but null if the scope has needed none so far. */
    @Nullable
    ScopeExtras extrasOrNull() {
        return extras;
    }

    /** The users' object for it, or null if it has none, or none that is reachable. */
    public @Nullable Object knownHandle() {
        return extras == null ? null : extras.knownHandle();
    }

    /** The name that it was given, as reports show it, or null. */
    public @Nullable String name() {
        return extras == null ? null : extras.name;
    }

    boolean hasFinallyHandlers() {
        return extras != null && extras.hasFinallyHandlers();
    }

    // ---- spawning

    /**
     * Queues a new coroutine of this scope.
     *
     * @param name which reports show, or null
     * @param task of any shape, see {@link Tasks#task}
     * @throws AsyncException if this scope has ended
     */
    public <T> CoroutineImpl<T> spawn(CoroutineKind kind, @Nullable String name, Object task) {
        requireHere(kind == CoroutineKind.LAUNCHED ? "Scope.launch" : "Scope.spawn");
        return loop.spawner.spawn(this, kind, name, task);
    }

    /**
     * Queues a new coroutine that is not meant to be awaited, for a task that came from elsewhere. It inherits nothing
     * here: it may come in the tick of a coroutine that has nothing to do with it.
     *
     * @param site the place that is shown as its origin, see {@link CoroutineImpl#spawnLocation}
     * @throws AsyncException if this scope has ended
     */
    public CoroutineImpl<Object> launchFrom(String site, Object task) {
        requireHere("Scope.launch");
        requireOpen();
        return loop.spawner.spawnBrought(this, CoroutineKind.LAUNCHED, task, site, null);
    }

    /**
     * As {@link #spawn}, with an action before the coroutine is queued; if that throws, there is no coroutine.
     *
     * @param task what it does
     * @param beforeQueued gets the coroutine
     */
    public <T> CoroutineImpl<T> spawnWith(Object task, Consumer<? super CoroutineImpl<T>> beforeQueued) {
        requireHere("Async.spawnWith");
        requireOpen();
        return loop.spawner.spawnWith(this, task, beforeQueued);
    }

    /** Fails unless on the loop thread of a run that has not ended. */
    public void requireHere(String call) {
        if (loop.isStopped()) throw Misuse.hasEnded(call, loop);
        loop.requireLoopThread(call);
    }

    /** Fails if the scope has been cancelled. */
    void requireOpen() {
        if (cancelled) throw Misuse.scopeHasEnded(this);
    }

    /** The values that its coroutines share. */
    public Context context() {
        if (context != null) return context;
        if (isHidden() && parent != null) return parent.context();
        // Outermost first, as each context gets the one above as its parent; by a loop, as trees may be deep.
        var without = new ArrayList<CoroutineScope>();
        for (CoroutineScope s = this; s != null && s.context == null; s = s.parent) if (!s.isHidden()) without.add(s);
        for (int i = without.size() - 1; i >= 0; i--) {
            CoroutineScope scope = without.get(i);
            CoroutineScope above = scope.parent;
            while (above != null && above.isHidden()) above = above.parent;
            scope.context = new Context(above == null ? null : above.context);
        }
        if (context == null) context = new Context(null);
        return context;
    }

    /** The context of the nearest scope, from here upwards, that serves a request; null if none does. */
    public @Nullable Context requestContext() {
        for (CoroutineScope s = this; s != null; s = s.parent)
            if (s.extras != null && s.extras.request) return s.context();
        return null;
    }

    // ---- members

    void joined(CoroutineImpl<?> coroutine) {
        addLast(coroutine);
        live++;
        for (CoroutineScope s = this; s != null && s.present++ == 0; s = s.parent) {}
        for (CoroutineScope s = this; s != null && s.active++ == 0; s = s.parent) {}
    }

    /** Lists it last, without counting it. */
    void addLast(CoroutineImpl<?> coroutine) {
        coroutine.previousInScope = last;
        if (last == null) first = coroutine;
        else last.nextInScope = coroutine;
        last = coroutine;
    }

    /**
     * For {@link StuckSearch}: lists others instead of those that it lists. The counts stay.
     *
     * @param members the coroutines among them are listed, in this order
     */
    void relist(List<?> members) {
        CoroutineImpl<?> unlisted = first;
        while (unlisted != null) {
            CoroutineImpl<?> next = unlisted.nextInScope;
            unlisted.previousInScope = null;
            unlisted.nextInScope = null;
            unlisted = next;
        }
        first = null;
        last = null;
        for (int i = 0; i < members.size(); i++) if (members.get(i) instanceof CoroutineImpl<?> member) addLast(member);
    }

    void left(CoroutineImpl<?> coroutine) {
        if (coroutine.previousInScope == null) first = coroutine.nextInScope;
        else coroutine.previousInScope.nextInScope = coroutine.nextInScope;
        if (coroutine.nextInScope == null) last = coroutine.previousInScope;
        else coroutine.nextInScope.previousInScope = coroutine.previousInScope;
        coroutine.previousInScope = null;
        coroutine.nextInScope = null;
        live--;
        if (!coroutine.isZombie()) lostActive();
        for (CoroutineScope s = this; s != null && --s.present == 0; s = s.parent) s.emptied();
    }

    /** Counts one active coroutine less: it became a zombie, or ended without being one. */
    void lostActive() {
        for (CoroutineScope s = this; s != null && --s.active == 0; s = s.parent) {
            if (s.extras != null) s.notifyWaits(ScopeListeners::completed);
        }
    }

    /** Called when no coroutine is left here and below, zombies included. */
    private void emptied() {
        if (extras != null) notifyWaits(ScopeListeners::drained);
        try {
            FaultPoint.pass();
            close();
        } catch (Throwable e) {
            loop.errors.unhandled(e);
        }
    }

    /** Tells the waits for this scope. Never throws: the scopes above are still to be counted down. */
    private void notifyWaits(Consumer<ScopeListeners> call) {
        try {
            FaultPoint.pass();
            call.accept(extras().waits);
        } catch (Throwable e) {
            loop.errors.unhandled(e);
        }
    }

    /** How many coroutines it owns now, those of its child scopes not counted. */
    public int live() {
        return live;
    }

    /** True while there are coroutines, here or below, that are no zombies. */
    public boolean isActive() {
        return active > 0;
    }

    /** True while there are more coroutines here and below than one. */
    public boolean isShared() {
        return present > 1;
    }

    /** True while there are coroutines here or below. */
    public boolean isPopulated() {
        return present > 0;
    }

    void addCoroutinesTo(List<CoroutineImpl<?>> all) {
        for (CoroutineImpl<?> c = first; c != null; c = c.nextInScope) all.add(c);
    }

    /**
     * Adds the coroutines in it and below, those of each scope before those of the scopes in it. If there are none, or
     * too many coroutines or scopes to examine, adds nothing and returns false. Not by recursion, as trees may be deep.
     */
    public boolean addAllTo(Collection<Coroutine<?>> all) {
        if (present == 0) return false;
        var found = new ArrayList<Coroutine<?>>();
        var open = new ArrayDeque<CoroutineScope>();
        open.push(this);
        for (int scopes = 1; !open.isEmpty(); scopes++) {
            CoroutineScope scope = open.pop();
            if (scopes > MAX_EXAMINED || scope.present > MAX_EXAMINED || found.size() + scope.live > MAX_EXAMINED)
                return false;
            for (CoroutineImpl<?> c = scope.first; c != null; c = c.nextInScope) found.add(c);
            List<CoroutineScope> below = scope.children.toList();
            for (int i = below.size() - 1; i >= 0; i--) if (below.get(i).present > 0) open.push(below.get(i));
        }
        return all.addAll(found);
    }

    /**
     * See {@link org.trueasync.internal.event.WaitForNode#needs}, for a wait until no coroutine is left here or below.
     *
     * @param withZombies whether it lasts until the zombies have ended too
     */
    public @Nullable Coroutine<?> needs(Coroutine<?> sought, boolean withZombies) {
        CoroutineImpl<?> coroutine = CoroutineImpl.of(sought);
        if (contains(coroutine.scope()) && (withZombies || !coroutine.isZombie())) return sought;
        return present == 1 && live == 1 ? first : null;
    }

    /** True if this scope, or one that it is in, is disposed of when a time is over. */
    boolean hasDeadline() {
        for (CoroutineScope s = this; s != null; s = s.parent)
            if (s.extras != null && s.extras.hasDeadline()) return true;
        return false;
    }

    /**
     * The time until its own coroutines are cancelled, in nanoseconds, as this scope or one that it is in is disposed
     * of; {@link SectionLimit#NONE} if none has a time for that.
     */
    long remaining() {
        long least = SectionLimit.NONE;
        if (letsRunOn) return least;
        for (CoroutineScope s = this; s != null; s = s.isHidden() ? null : s.parent)
            if (s.extras != null) least = Math.min(least, s.extras.remaining());
        return least;
    }

    /**
     * Its own coroutine after another one.
     *
     * @param coroutine that is here and has not ended, or null for the first one
     */
    @Nullable
    CoroutineImpl<?> after(@Nullable CoroutineImpl<?> coroutine) {
        return coroutine == null ? first : coroutine.nextInScope;
    }

    /** Its own coroutines, in spawn order. */
    public List<CoroutineImpl<?>> coroutines() {
        var all = new ArrayList<CoroutineImpl<?>>(live);
        addCoroutinesTo(all);
        return all;
    }

    /** The scopes in it that have not closed, oldest first, without hidden ones. */
    public List<CoroutineScope> childScopes() {
        List<CoroutineScope> all = children.toList();
        all.removeIf(CoroutineScope::isHidden);
        return all;
    }

    /** The scope that it is in, or null. */
    public @Nullable CoroutineScope parent() {
        return parent;
    }

    @Nullable
    String purpose() {
        return purpose;
    }

    boolean isHidden() {
        return purpose != null;
    }

    /** True if the other scope is this one, or is in it at any depth. */
    public boolean contains(CoroutineScope other) {
        for (CoroutineScope s = other; s != null; s = s.parent) if (s == this) return true;
        return false;
    }

    // ---- its end

    /** True if a cancellation lets coroutines run on that have begun. */
    public boolean letsRunOn() {
        return letsRunOn;
    }

    /** See {@link #letsRunOn}. */
    public void setLetsRunOn(boolean on) {
        letsRunOn = on;
    }

    /** True once nothing can begin here any more. */
    public boolean isCancelled() {
        return cancelled;
    }

    /** True once it is cancelled and all coroutines here and below have ended. */
    public boolean isClosed() {
        return closed;
    }

    /**
     * Ends it and all scopes in it, except hidden ones: scopes below first, the coroutines of each in spawn order. In a
     * coroutine, as interrupts may meet locks.
     *
     * @param reason what the coroutines see thrown
     * @param asZombies lets coroutines run on that have begun, whatever the scopes' own settings
     */
    public void cancel(AsyncCancellation reason, boolean asZombies) {
        deliver(markCancelled(reason), reason, asZombies);
    }

    /**
     * As {@link #cancel(AsyncCancellation, boolean)}. Makes the reason, with its trace, only if there are coroutines to
     * see it.
     *
     * @param why its message
     */
    public void cancel(String why, boolean asZombies) {
        if (isPopulated()) cancel(new AsyncCancellation(why), asZombies);
        else markCancelled(null).forEach(CoroutineScope::close);
    }

    /**
     * Marks it and all scopes below, except hidden ones, as cancelled, so that nothing begins there any more. Also ends
     * the objects that these scopes own. Returns the scopes that were not marked before, the innermost first.
     */
    List<CoroutineScope> markCancelled(@Nullable AsyncCancellation reason) {
        var marked = new ArrayList<CoroutineScope>();
        collectOpen(marked);
        for (CoroutineScope scope : marked) scope.cancelled = true;
        for (CoroutineScope scope : marked) if (scope.extras != null) scope.extras.owned.scopeEnds(reason);
        return marked;
    }

    /**
     * Adds the scopes that are neither cancelled nor hidden, children before parents; not by recursion, as trees may be
     * deep.
     */
    private void collectOpen(List<CoroutineScope> open) {
        if (cancelled) return;
        var path = new ArrayDeque<CoroutineScope>();
        path.push(this);
        var reversed = new ArrayDeque<CoroutineScope>();
        while (!path.isEmpty()) {
            CoroutineScope scope = path.pop();
            reversed.push(scope);
            for (CoroutineScope child : scope.children.toList())
                if (!child.cancelled && !child.isHidden()) path.push(child);
        }
        open.addAll(reversed);
    }

    /**
     * Cancels the coroutines of scopes that {@link #markCancelled} has returned, or lets them run on as zombies. In a
     * coroutine.
     */
    static void deliver(List<CoroutineScope> scopes, AsyncCancellation reason, boolean asZombies) {
        for (CoroutineScope scope : scopes) {
            for (CoroutineImpl<?> coroutine : scope.coroutines()) {
                if (coroutine.mustRun() || coroutine.isCompleted()) continue;
                if ((asZombies || scope.letsRunOn) && coroutine.isStarted()) coroutine.becomeZombie();
                else coroutine.cancel(reason);
            }
        }
        for (CoroutineScope scope : scopes) scope.close();
    }

    /** Notes that its handle is unreachable, so that nothing new begins in it, and nobody waits for it any more. */
    public void abandon() {
        abandoned = true;
        if (extras != null) extras.waits.handOnKept();
        close();
    }

    /**
     * Removes a wait of the running coroutine that has ended early. Its errors, and those to come, are kept for the
     * next wait. They go on to the handlers and upwards once it is certain that the coroutine does not close the scope:
     * when it has ended, or the scope's handle is lost. Nobody closes the main scope: there they go on at once.
     *
     * @param wait the wait
     * @param untaken the errors that it holds
     */
    public void giveUp(ScopeListeners.Listener wait, List<ScopeFailure> untaken) {
        CoroutineImpl<?> waiter = loop.running();
        if (this != loop.mainScope && waiter != null) {
            extras().waits.giveUp(wait, waiter, untaken);
        } else {
            extras().waits.remove(wait);
            untaken.forEach(ScopeFailure::leave);
        }
    }

    /** True if there are errors that a wait has left, for the next one to take. */
    public boolean keepsErrors() {
        return extras != null && extras.waits.keepsErrors();
    }

    /**
     * Closes it and the scopes above, as far as they can close. A scope that was abandoned and not cancelled waits for
     * the scopes in it as well: their handles may still be in use.
     */
    private void close() {
        for (CoroutineScope s = this; s != null && s.canClose(); s = s.parent) {
            s.cancelled = true;
            s.closed = true;
            // The main scope stays in the list: the last finally handlers run in it.
            if (s != loop.mainScope) s.siblings().remove(s);
            if (s.extras != null) s.extras.closed(s);
        }
    }

    private boolean canClose() {
        return !closed && !isPopulated() && (cancelled || (abandoned && children.isEmpty()));
    }

    /** Closes it at the end of the run, unless there are coroutines in it. The scopes in it have been closed before. */
    void closeAtEnd() {
        cancelled |= !isPopulated();
        close();
    }

    // ---- errors

    /** Handles the error of one of its coroutines that is not awaited. */
    void failed(CoroutineImpl<?> coroutine, Throwable error) {
        ScopeFailure.failed(this, coroutine, error);
    }

    /**
     * Handles an error that was kept until now, because no code will ask for it any more. Only queues things.
     *
     * @param coroutine which failed
     * @param error what it threw
     */
    public void report(CoroutineImpl<?> coroutine, Throwable error) {
        ScopeFailure.offer(this, coroutine, error);
    }

    /**
     * Runs all finally handlers of something that worked in this scope, in a coroutine at the tail of the run queue. It
     * belongs to the scope above and is not dropped by a shutdown. What the handlers throw is an error of this scope.
     *
     * @param handlers get the second argument; may wait
     * @param ended what has ended
     */
    public <E> void runFinallyHandlers(List<Consumer<E>> handlers, E ended) {
        FinallyHandlers.afterWaiters(this, handlers, ended);
    }

    @Override
    public String toString() {
        String what = this == loop.mainScope ? "main scope" : Names.of("scope", name());
        int below = loop.isLoopThread() ? childScopes().size() : 0; // other threads can't walk a list that changes
        return what + ", " + live + (live == 1 ? " coroutine" : " coroutines")
                + (below == 0 ? "" : ", " + below + (below == 1 ? " child scope" : " child scopes")) + state();
    }

    /** Says how far its end has got, and what that means for its coroutines. */
    private String state() {
        if (closed) return ", closed";
        if (cancelled) return present > active ? ", cancelled, lets run on what had begun" : ", cancelled";
        if (isHidden()) return ""; // not cancelled with its scope
        return letsRunOn ? ", cancel lets run on" : ", cancel interrupts";
    }
}
