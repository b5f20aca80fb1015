package org.trueasync.internal.group;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.CompositeException;
import org.trueasync.Coroutine;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.ScopeOwned;

/**
 * A group of tasks in a scope of its own. It admits tasks ({@link Admission}), runs as many at a time as its limit
 * allows, and keeps their outcomes, until {@link OutcomeQueries} or {@link Joins} deliver them. A task that waits for a
 * slot has no coroutine.
 *
 * <p>Tasks settle where their coroutines end: no user code runs there, and nothing waits. Settling a task costs the
 * same, however many there are.
 *
 * <p>Loop thread only.
 */
public final class GroupCore implements ScopeOwned.Owned {
    private final CoroutineScope scope;
    private final GroupSettings settings;
    private final Keys keys = new Keys();
    private final Admission admission;
    private final SpawnedTasks spawnedTasks = new SpawnedTasks();
    private final TaskQueue pending = new TaskQueue();
    final TaskQueue succeeded = new TaskQueue();
    final TaskQueue failed = new TaskQueue();
    final ChangeEvent progress = new ChangeEvent(this, "the next task of ");
    private final ChangeEvent end = new ChangeEvent(this, "the end of ");
    private final GroupDelivery delivery;
    private final GroupErrors errors;
    private final LostGroup lost;
    private int running;
    /** The number of running tasks that wait for others of the group, and so take no slot. */
    private int lending;

    private long sequence;
    private boolean closed;
    private @Nullable List<Consumer<GroupCore>> finallyHandlers;
    private @Nullable Object ownership;

    private GroupCore(CoroutineScope parent, GroupSettings settings, boolean consuming) {
        this.settings = settings;
        this.scope = parent.child();
        this.admission = new Admission(this, settings.places());
        this.errors = new GroupErrors(this);
        this.lost = new LostGroup(this);
        this.delivery = consuming ? new Joins(this) : new OutcomeQueries(this);
        this.ownership = scope.extras().owned().add(this);
    }

    /**
     * Creates an empty group.
     *
     * @param call the creating call, for messages
     * @param settings the limits of tasks that run and wait
     * @param parent the parent of its scope; null for the current scope
     * @param consuming true if each outcome is handed out once
     */
    public static GroupCore create(
            String call, GroupSettings settings, @Nullable CoroutineScope parent, boolean consuming) {
        CoroutineScope above = parent == null ? Runtimes.here(call).currentScope() : parent;
        above.requireHere(call);
        return new GroupCore(above, settings, consuming);
    }

    Loop loop() {
        return scope.loop();
    }

    CoroutineScope scope() {
        return scope;
    }

    SpawnedTasks spawnedTasks() {
        return spawnedTasks;
    }

    GroupErrors errors() {
        return errors;
    }

    // ---- spawning

    /**
     * Adds a task; waits while the queue is full.
     *
     * @param givenKey its key, or null for the next number
     * @param task its work
     * @return its handle
     */
    public <T> TaskEvent<T> spawn(@Nullable Object givenKey, Callable<?> task) {
        String call = settings.named(givenKey == null ? "spawn" : "spawnWithKey");
        Objects.requireNonNull(task, "task");
        scope.requireHere(call);
        requireOpen();
        if (givenKey != null) keys.take(givenKey);
        try {
            admission.enter(call);
            requireOpen();
            Object key = givenKey != null ? givenKey : keys.number();
            var member = new GroupTask(this, key, givenKey != null, spawnedTasks.nextPosition(), task);
            add(member);
            return new TaskEvent<>(member);
        } catch (Throwable e) {
            if (givenKey != null) keys.giveBack(givenKey);
            admission.grant();
            throw e;
        }
    }

    private void requireOpen() {
        if (closed) throw Admission.closed(this);
    }

    private void add(GroupTask task) {
        if (slotsTaken() < settings.concurrency()) {
            start(task);
        } else {
            String site = loop().settings().spawnSite();
            Inheritance inheritance = loop().inheritance();
            boolean known = !site.equals(CodeSites.UNKNOWN);
            if (known || inheritance != null) task.remember(known ? site : null, inheritance);
            pending.add(task);
        }
        spawnedTasks.add(task);
    }

    private void start(GroupTask task) {
        String site = task.site();
        Inheritance inheritance = task.inheritance();
        Object work = settings.isLimited() ? task : task.work();
        String name = task.key instanceof String key ? key : null;
        CoroutineImpl<?> coroutine = scope.spawn(CoroutineKind.ORDINARY, name, work);
        if (site != null) coroutine.setSpawnLocation(site);
        if (inheritance != null) coroutine.inherits(inheritance);
        coroutine.markObserved();
        task.begins(coroutine);
        running++;
    }

    private void startNext() {
        if (!pending.isEmpty() && loop().isShuttingDown()) dropPending(new AsyncCancellation("the runtime shuts down"));
        while (slotsTaken() < settings.concurrency()) {
            GroupTask next = pending.poll();
            if (next == null) return;
            try {
                start(next);
            } catch (Throwable e) {
                settle(next, new GroupTask.Failure(e, null));
            }
        }
    }

    private int slotsTaken() {
        return running - lending;
    }

    /**
     * Called when a coroutine begins to wait for tasks of this group. If it is one of them, its slot goes to the queue
     * for the length of the wait: the task that it waits for may be there.
     */
    void lendSlot() {
        if (!settings.isLimited()) return;
        CoroutineImpl<?> self = loop().running();
        if (self == null
                || !(self.task() instanceof GroupTask task)
                || task.group != this
                || task.lendsSlot
                || !self.endsWithWait(task)) return;
        task.lendsSlot = true;
        lending++;
        startNext();
    }

    /** Counts a task's slot again. If another task has got it, one more than the limit runs for a while. */
    void takeSlotBack(GroupTask task) {
        task.lendsSlot = false;
        lending--;
    }

    /** True if the caller is a task of the group, or another coroutine in the group's scope or in one below. */
    boolean isCalledFromInside() {
        return scope.contains(loop().currentScope());
    }

    /** True for the coroutines of its tasks, and for others that were spawned into its own scope. */
    boolean ownsDirectly(Coroutine<?> coroutine) {
        return ((CoroutineImpl<?>) coroutine).scope() == scope;
    }

    /** Returns the number of tasks that run or wait for a slot. */
    int inside() {
        return running + pending.size();
    }

    // ---- settling

    void ended(GroupTask task, CoroutineImpl<?> coroutine, @Nullable Object value) {
        Throwable thrown = coroutine.exception();
        running--;
        try {
            if (thrown == null) settle(task, value);
            else settle(task, new GroupTask.Failure(thrown, coroutine));
        } finally {
            startNext();
            admission.grant();
            finishIfOver();
        }
    }

    private void settle(GroupTask task, @Nullable Object value) {
        task.succeeds(value);
        settled(task);
    }

    private void settle(GroupTask task, GroupTask.Failure failure) {
        task.fails(failure);
        errors.happened(task);
        settled(task);
    }

    private void settled(GroupTask task) {
        task.sequence = sequence++;
        spawnedTasks.settled();
        queueOf(task).add(task);
        TaskEvent<?> handle = task.handle;
        if (handle != null) handle.settled();
        delivery.settled(task);
        progress.fire();
    }

    /** Removes a settled task, which has been handed out, from the group. */
    void deliver(GroupTask task) {
        spawnedTasks.remove(task);
        if (task.named) keys.free(task.key);
        if (task.state == GroupTask.FAILED) errors.handled(task.failure());
    }

    // ---- its end

    /** Admits no more tasks. The tasks that are in the group go on. */
    public void close() {
        scope.requireHere(settings.named("close"));
        closeAdmission();
        finishIfOver();
    }

    private void closeAdmission() {
        if (closed) return;
        closed = true;
        admission.close();
    }

    /** As {@link #cancel(AsyncCancellation)}, with a reason that names the kind of the group. */
    public void cancel() {
        cancel(new AsyncCancellation(settings.kindInWords() + " cancelled"));
    }

    /**
     * Ends the group: drops waiting tasks and cancels running ones, even if its scope lets coroutines run on.
     *
     * @param reason the exception that the tasks throw
     */
    public void cancel(AsyncCancellation reason) {
        scope.requireHere(settings.named("cancel"));
        Objects.requireNonNull(reason, "reason");
        scope.setLetsRunOn(false);
        if (scope.isCancelled()) for (CoroutineImpl<?> coroutine : scope.coroutines()) coroutine.cancel(reason);
        end(reason);
    }

    /**
     * Cancels a running task, or drops one that waits for a slot. While a task waits, another one runs, so the group is
     * not over then.
     */
    void cancel(GroupTask task, AsyncCancellation reason) {
        requireHere("spawn's handle");
        if (task.state == GroupTask.RUNNING) task.coroutine().cancel(reason);
        if (task.state != GroupTask.PENDING) return;
        pending.remove(task);
        try {
            settle(task, new GroupTask.Failure(reason, null));
        } finally {
            admission.grant();
        }
    }

    /** Ends the group: drops waiting tasks, and cancels running ones unless its scope lets coroutines run on. */
    public void dispose() {
        scope.requireHere(settings.named("dispose"));
        end(new AsyncCancellation("the group was disposed of"));
    }

    private void end(AsyncCancellation reason) {
        closeAdmission();
        dropPending(reason);
        scope.cancel(reason, false);
        finishIfOver();
    }

    /** Ends the group when its scope is ended from above, or by an error in it. */
    @Override
    public void scopeEnds(@Nullable AsyncCancellation reason) {
        closeAdmission();
        if (!pending.isEmpty()) dropPending(new AsyncCancellation("the scope of the group was cancelled"));
        finishIfOver();
    }

    /** See {@link org.trueasync.internal.event.HeldByWakers#isReachableAgain}. */
    void isReachableAgain() {
        lost.knows(this);
        if (ownership != null) ownership = scope.extras().owned().renew(ownership, this);
    }

    private void dropPending(AsyncCancellation reason) {
        for (GroupTask task = pending.poll(); task != null; task = pending.poll())
            settle(task, new GroupTask.Failure(reason, null));
    }

    private void finishIfOver() {
        if (!closed || !isFinished() || end.isClosed()) return;
        Object owned = ownership;
        ownership = null;
        if (owned != null) scope.extras().owned().remove(owned);
        end.fireLast();
        delivery.over();
        progress.fire();
        List<Consumer<GroupCore>> handlers = finallyHandlers;
        finallyHandlers = null;
        lost.pinned = null;
        if (handlers != null) {
            errors.holdReports();
            handlers.add(group -> errors.allowReports());
            scope.runFinallyHandlers(handlers, this);
        }
        scope.abandon();
        errors.groupIsOver();
    }

    /** Closes the group when its handle is unreachable, so no task can be added any more. */
    void handleLost() {
        closeAdmission();
        finishIfOver();
        errors.handleGone();
    }

    /** Says that the loss of the handle has no effect any more. */
    void ignoreLostHandle() {
        lost.ignored = true;
    }

    /**
     * Waits until no task runs or waits for a slot.
     *
     * @param token gives the wait up, or null
     */
    public void awaitCompletion(@Nullable Completable<?> token) {
        String call = settings.named("awaitCompletion");
        scope.requireHere(call);
        Awaiting.markUsed(token);
        if (!closed)
            throw new AsyncException(call + " needs a closed group, and this one still takes tasks: " + this
                    + "; close it first, or use its futures");
        if (end.isClosed()) return;
        CoroutineImpl<?> self = Runtimes.currentCoroutine(call);
        if (scope.contains(self.scope()))
            throw new AsyncException(call + " was called by coroutine " + self.label()
                    + ", which belongs to the group: it would wait for itself; call it from outside the group");
        Awaiting.requireOpen(token);
        Awaiting.until(self, end, token);
    }

    boolean isEnd(ChangeEvent event) {
        return event == end;
    }

    /** Adds a handler of the group's end; false if it has ended. */
    public boolean addFinally(Consumer<GroupCore> handler) {
        scope.requireHere(settings.named("onFinally"));
        if (end.isClosed()) return false;
        if (finallyHandlers == null) finallyHandlers = new ArrayList<>(2);
        finallyHandlers.add(handler);
        lost.pinned = this;
        return true;
    }

    // ---- about it

    /** True if a new task would begin at once. */
    boolean hasFreeSlot() {
        return !closed && slotsTaken() < settings.concurrency();
    }

    /** True while no task runs or waits for a slot. */
    public boolean isFinished() {
        return running == 0 && pending.isEmpty();
    }

    public boolean isClosed() {
        return closed;
    }

    /** True once it admits no more tasks and all have settled. */
    boolean isOver() {
        return end.isClosed();
    }

    /** Returns the number of tasks spawned so far, without those that a set has handed out. */
    public int size() {
        return spawnedTasks.size();
    }

    /** Returns the values so far, in the order of spawning. */
    public OutcomeMap<@Nullable Object> results() {
        scope.requireHere(settings.named("results"));
        return resultsBefore(spawnedTasks.nextPosition());
    }

    OutcomeMap<@Nullable Object> resultsBefore(long position) {
        var values = new OutcomeMap<@Nullable Object>(succeeded.size());
        for (GroupTask t = spawnedTasks.first(); t != null && t.position < position; t = t.next)
            if (t.hasSucceeded() && !t.taken) values.append(t.key, t.value());
        return values;
    }

    /** Returns the errors of the tasks with a smaller position, in the order of spawning; null if none has failed. */
    @Nullable
    CompositeException errorsBefore(long position) {
        CompositeException errors = null;
        for (GroupTask t = failed.isEmpty() ? null : spawnedTasks.first();
                t != null && t.position < position;
                t = t.next) {
            if (t.state != GroupTask.FAILED || t.taken) continue;
            if (errors == null) errors = new CompositeException();
            errors.add(t.failure().error);
        }
        return errors;
    }

    TaskQueue queueOf(GroupTask task) {
        return task.hasSucceeded() ? succeeded : failed;
    }

    /** Returns the errors of the tasks so far, in the order of spawning. They count as handled from now on. */
    public OutcomeMap<Throwable> takeErrors() {
        scope.requireHere(settings.named("errors"));
        var all = new OutcomeMap<Throwable>(failed.size());
        for (GroupTask t = failed.isEmpty() ? null : spawnedTasks.first(); t != null; t = t.next) {
            if (t.state != GroupTask.FAILED || t.taken) continue;
            all.append(t.key, t.failure().error);
            errors.handled(t.failure());
        }
        return all;
    }

    /** Says that no error of a task is to be reported, now or later. */
    public void suppressErrors() {
        scope.requireHere(settings.named("suppressErrors"));
        errors.suppress(failed);
    }

    // ---- delivery

    boolean awaitsErrorOf(GroupTask task) {
        return delivery.awaitsErrorOf(task);
    }

    public OutcomeQueries queries() {
        return (OutcomeQueries) delivery;
    }

    public Joins joins() {
        return (Joins) delivery;
    }

    void requireHere(String method) {
        scope.requireHere(settings.named(method));
    }

    /**
     * Watches the handle, to learn when nobody can use it any more.
     *
     * @param handle the object that the user holds
     */
    public void watch(Object handle) {
        lost.watch(handle);
    }

    @Override
    public String toString() {
        return Names.of(settings.kind(), settings.name()) + ", " + running + " running, " + pending.size()
                + " waiting, " + (succeeded.size() + failed.size()) + " settled" + (closed ? ", closed" : "");
    }
}
