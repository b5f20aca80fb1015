package org.trueasync.internal.threads;

import java.util.List;
import java.util.Set;
import java.util.concurrent.Callable;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicBoolean;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicLong;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.ThreadPoolException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.queue.IntrusiveList;
import org.trueasync.spi.EndOfRun;

/**
 * The queue and the workers behind a {@link org.trueasync.ThreadPool}.
 *
 * <p>Invariants, inside (that is, in the {@link FlatCombiner}): workers are idle only while the queue is empty;
 * submitters wait only while the queue is full. A task belongs to a worker from the moment that it is handed over, so
 * that no other worker takes it. It goes back to the head of the queue if the worker ends before it has begun the task.
 */
public final class ThreadPoolCore {
    final ThreadsOfRun family;
    final @Nullable Body bootloader;
    private final String name;
    private final int queueSize;
    private final boolean coroutineMode;
    private final int maxTasksPerWorker;
    private final FlatCombiner gate = new FlatCombiner();
    private final IntrusiveList<PoolJob<?>> queue = new IntrusiveList<>();
    private final IntrusiveList<SubmitWaiter> submitters = new IntrusiveList<>();
    private final IntrusiveList<TakeWaiter> idle = new IntrusiveList<>();
    private final IntrusiveList<ConditionWaiter> terminations = new IntrusiveList<>();
    private final IntrusiveList<ConditionWaiter> boots = new IntrusiveList<>();
    private final IntrusiveList<ConditionWaiter> reloads = new IntrusiveList<>();
    private final Set<PoolWorker> workers = ConcurrentHashMap.newKeySet();
    private final AtomicInteger workersBegun = new AtomicInteger();
    private final AtomicBoolean reloading = new AtomicBoolean();
    private final AtomicLong reloadsRequested = new AtomicLong();
    /** The number of reload calls served. Written by the call that reloads. */
    private volatile long reloadedUpTo;

    private final AtomicInteger pending = new AtomicInteger();
    private final AtomicInteger running = new AtomicInteger();
    private final AtomicInteger completed = new AtomicInteger();
    private volatile boolean closed;
    private volatile boolean endedWithRun;
    private volatile @Nullable Throwable cause;
    /** The reason of a cancellation that includes the running tasks; null before. */
    private volatile @Nullable AsyncCancellation cancellation;

    /**
     * Creates a pool and starts its workers. It ends with the runtime of the caller.
     *
     * @param size the number of workers, >= 1
     * @param queueSize the number of tasks that may wait, >= 1
     * @param bootloader runs on each worker before its first task, or null
     * @param coroutineMode true if a worker may begin a task while others of its tasks wait
     * @param maxTasksPerWorker the number of tasks that a worker has at a time, >= 1
     */
    public ThreadPoolCore(
            int size, int queueSize, @Nullable Body bootloader, boolean coroutineMode, int maxTasksPerWorker) {
        Loop owner = Runtimes.here("new ThreadPool");
        this.family = ThreadsOfRun.of(owner);
        this.bootloader = bootloader;
        this.queueSize = queueSize;
        this.coroutineMode = coroutineMode;
        this.maxTasksPerWorker = maxTasksPerWorker;
        name = family.newName("pool");
        family.add(this);
        try {
            for (int i = 0; i < size; i++) start(newWorker(false));
        } catch (Throwable e) {
            cancel();
            throw e;
        }
    }

    private PoolWorker newWorker(boolean isReplacement) {
        String thread = name + "-worker-" + workersBegun.incrementAndGet();
        return new PoolWorker(this, thread, coroutineMode, maxTasksPerWorker, isReplacement);
    }

    /** Starts a worker. Any thread, not inside. */
    private void start(PoolWorker worker) {
        workers.add(worker);
        try {
            worker.start();
        } catch (Throwable e) {
            workers.remove(worker);
            gate.run(() -> {
                worker.over = true;
                endSatisfiedWaits();
            });
            throw e;
        }
    }

    // ---- submitting

    /** See {@link org.trueasync.ThreadPool#submit(Callable)}. */
    public <T> FutureCore<T> submit(Callable<T> task, @Nullable Completable<?> token) {
        Loop loop = Runtimes.here("ThreadPool.submit");
        Awaiting.admit(token);
        boolean othersTurn = loop.isOthersTurn();
        requireOpen();
        var job = new PoolJob<T>(this, loop, task);
        if (gate.tryEnter()) {
            boolean accepted;
            try {
                accepted = !closed && accept(job);
            } finally {
                gate.leave();
            }
            if (accepted) {
                if (othersTurn) loop.giveWay();
                return job.future();
            }
        }
        job.fromWorker = isWorker(loop);
        var waiter = new SubmitWaiter(this, loop, job);
        try {
            waiter.call(gate, token);
        } catch (AsyncCancellation e) {
            if (job.abandon() || job.isAbandoned()) throw e;
            ThreadWaiter.cancelNextWait(e, loop, token); // a worker has the task
            return job.future();
        }
        if (waiter.isRefused()) throw refusal();
        return job.future();
    }

    private void requireOpen() {
        if (closed) throw refusal();
    }

    private boolean isWorker(Loop loop) {
        for (PoolWorker worker : workers) if (worker.isHere(loop)) return true;
        return false;
    }

    private ThreadPoolException refusal() {
        Throwable why = cause;
        if (why != null) return new ThreadPoolException(this + " has ended, as a worker could not begin: " + why, why);
        return endedWithRun
                ? endOfRun(this + " is closed, as its run has ended")
                : new ThreadPoolException(this + " is closed", null);
    }

    /**
     * Gives a task to an idle worker or into the queue; false if the queue is full. A submitter that is a worker never
     * waits for room, since it might have to make room itself. Inside.
     */
    private boolean accept(PoolJob<?> job) {
        TakeWaiter taker = idle.poll();
        if (taker != null) {
            give(taker, job);
            return true;
        }
        if (queue.size() >= queueSize && !job.fromWorker) return false;
        queue.add(job);
        pending.lazySet(queue.size());
        return true;
    }

    /** Gives a task to an idle worker, unless the task was abandoned meanwhile. Inside. */
    private void give(TakeWaiter taker, PoolJob<?> job) {
        if (!job.take()) {
            idle.addFirst(taker);
            return;
        }
        running.incrementAndGet();
        taker.give(job);
    }

    /** Begins a submission that may have to wait. Inside. */
    void begin(SubmitWaiter submitter) {
        if (closed) submitter.refuse();
        else if (accept(submitter.job)) submitter.end();
        else submitters.add(submitter);
    }

    /** Removes a submitter that has left, and its task. Inside. */
    void withdraw(SubmitWaiter submitter) {
        submitters.remove(submitter);
        if (submitter.job.abandon()) unqueue(submitter.job);
    }

    /** Called when a task was abandoned before a worker had it. Any thread. */
    void abandoned(PoolJob<?> job) {
        completed.incrementAndGet();
        gate.run(() -> unqueue(job));
    }

    private void unqueue(PoolJob<?> job) {
        if (queue.remove(job)) admit();
    }

    /** Admits the submitters that have waited longest, while there is room. Inside. */
    private void admit() {
        SubmitWaiter submitter;
        while (queue.size() < queueSize && (submitter = submitters.poll()) != null) {
            if (!submitter.job.isWaiting()) continue;
            queue.add(submitter.job);
            submitter.end();
        }
        pending.lazySet(queue.size());
    }

    // ---- for the workers

    /** Returns the next task, or null if the worker is to end. Suspends the worker's main coroutine. */
    @Nullable
    PoolJob<?> take(PoolWorker worker, Loop loop) {
        var waiter = new TakeWaiter(this, worker, loop);
        waiter.call(gate, null);
        return waiter.takeJob();
    }

    /** Returns the next task if that needs no wait, else null. On the worker's loop. */
    @Nullable
    PoolJob<?> poll(PoolWorker worker) {
        if (pending.get() == 0 || !gate.tryEnter()) return null;
        try {
            return worker.retired ? null : next();
        } finally {
            gate.leave();
        }
    }

    /** Gives a worker its next task, or lets it wait or end. Inside. */
    void begin(TakeWaiter taker) {
        PoolJob<?> job = taker.worker.retired ? null : next();
        if (job != null || closed || taker.worker.retired) taker.give(job);
        else idle.addFirst(taker);
    }

    /** Takes the first task in the queue that was not abandoned, for a worker; null if there is none. Inside. */
    private @Nullable PoolJob<?> next() {
        PoolJob<?> job;
        while ((job = queue.poll()) != null) {
            admit();
            if (!job.take()) continue;
            running.incrementAndGet();
            return job;
        }
        return null;
    }

    /** Removes the waiter of a worker that ends; gives back the task that it may have got. Inside. */
    void withdraw(TakeWaiter taker) {
        if (idle.remove(taker)) return;
        PoolJob<?> job = taker.takeJob();
        if (job == null) return;
        running.decrementAndGet();
        job.handBack();
        AsyncCancellation reason = job.cancellation();
        if (reason != null || closed) {
            if (job.abandon()) reject(job, reason != null ? reason : new AsyncCancellation(this + " has ended"));
            return;
        }
        TakeWaiter other = idle.poll();
        if (other != null) {
            give(other, job);
        } else {
            queue.addFirst(job);
            pending.lazySet(queue.size());
        }
    }

    private void reject(PoolJob<?> job, AsyncCancellation reason) {
        completed.incrementAndGet();
        job.ended(null, reason);
    }

    /** Called when a worker has begun a task. On its loop. */
    void begun(PoolJob<?> job) {
        AsyncCancellation reason = cancellation;
        if (reason != null) job.cancel(reason);
    }

    /** Counts a task that has ended in any way. Any thread. */
    void hasEnded() {
        running.decrementAndGet();
        completed.incrementAndGet();
    }

    void ready(PoolWorker worker) {
        gate.run(() -> {
            worker.ready = true;
            ConditionWaiter.endSatisfied(boots);
        });
    }

    /**
     * Called when a worker's bootloader has failed. In the worker's main coroutine.
     *
     * @param byEndOfRun true if that was caused by the end of a run, and is not reported
     */
    void bootFailed(PoolWorker worker, Throwable error, boolean byEndOfRun) {
        boolean reports = !byEndOfRun && (worker.isReplacement || !closed);
        if (!worker.isReplacement) gate.run(() -> endWithError(error));
        String what = worker.isReplacement
                ? "a new worker could not begin; the old ones go on"
                : "it has ended, as a worker could not begin";
        if (reports) report(what, error);
    }

    private void endWithError(Throwable error) {
        if (cause == null && !closed) cause = error;
        closeInside();
        PoolJob<?> job;
        while ((job = queue.poll()) != null) {
            if (!job.abandon()) continue;
            completed.incrementAndGet();
            job.ended(null, refusal());
        }
        pending.lazySet(0);
    }

    /** Called when a worker's run has ended. On the worker's thread. */
    void ended(PoolWorker worker, @Nullable Throwable thrown) {
        List<PoolRun<?>> abandoned = worker.abandoned();
        for (PoolRun<?> run : abandoned) {
            hasEnded();
            Throwable why = thrown != null ? thrown : run.error();
            String text = "the worker of a task in " + this + " has ended";
            boolean byRun = endedWithRun && thrown == null;
            run.job.ended(null, byRun ? endOfRun(text) : new ThreadPoolException(text, why));
        }
        boolean missed = !closed && !worker.retired;
        if (missed && worker.hasWorked()) {
            replace();
        } else if (missed && (worker.ready || !worker.isReplacement)) {
            Throwable why = thrown != null ? thrown : new AsyncCancellation(worker + " was shut down");
            gate.run(() -> endWithError(why));
            report("it has ended, as a worker has died before its first task", why);
        } else if (thrown != null && abandoned.isEmpty()) {
            report(worker + " has failed", thrown);
        }
        workers.remove(worker);
        gate.run(() -> {
            worker.over = true;
            endSatisfiedWaits();
        });
    }

    /** Starts a worker in place of one that has died. */
    private void replace() {
        try {
            start(newWorker(false));
        } catch (Throwable e) {
            if (workers.size() > 1) {
                report("no thread for a worker in place of one that has died", e);
            } else {
                gate.run(() -> endWithError(e));
                report("it has ended, as there is no thread for a worker", e);
            }
        }
    }

    private void endSatisfiedWaits() {
        ConditionWaiter.endSatisfied(boots);
        ConditionWaiter.endSatisfied(terminations);
    }

    // ---- reload

    /** See {@link org.trueasync.ThreadPool#reload()}. */
    public void reload() {
        Loop loop = Runtimes.here("ThreadPool.reload");
        requireOpen();
        long mine = reloadsRequested.incrementAndGet();
        while (reloadedUpTo < mine && !closed) {
            if (reloading.compareAndSet(false, true)) {
                replaceAll(loop);
                return;
            }
            new ConditionWaiter(reloads, loop, "reload of " + this) {
                @Override
                boolean holds() {
                    return !reloading.get();
                }
            }.call(gate, null);
        }
    }

    /**
     * Replaces all workers, for all calls of {@link #reload} so far. A later call needs another round: workers that
     * boot already may miss what it wants to be loaded.
     */
    private void replaceAll(Loop loop) {
        long upTo = reloadsRequested.get();
        boolean done = false;
        try {
            replaceEach(loop);
            done = true;
        } finally {
            if (done) reloadedUpTo = upTo;
            gate.run(() -> {
                reloading.set(false);
                ConditionWaiter.endSatisfied(reloads);
            });
        }
    }

    private void replaceEach(Loop loop) {
        for (PoolWorker old : List.copyOf(workers)) {
            if (old.retired) continue;
            PoolWorker next = newWorker(true);
            start(next);
            boolean waited = false;
            try {
                new ConditionWaiter(boots, loop, "start of a worker of " + this) {
                    @Override
                    boolean holds() {
                        return next.ready || next.over;
                    }
                }.call(gate, null);
                waited = true;
            } finally {
                if (!waited) gate.run(() -> retire(next));
            }
            if (!next.ready) return;
            // if the old one has died, it has been replaced already
            gate.run(() -> retire(old.over ? next : old));
        }
    }

    private void retire(PoolWorker surplus) {
        surplus.retired = true;
        TakeWaiter waiting = null;
        for (int i = idle.size(); i > 0; i--) {
            TakeWaiter first = java.util.Objects.requireNonNull(idle.poll());
            if (first.worker == surplus) waiting = first;
            else idle.add(first);
        }
        if (waiting != null) waiting.give(null);
    }

    // ---- the end

    /** See {@link org.trueasync.ThreadPool#close()}. */
    public void close() {
        gate.run(this::closeInside);
        while (!closed) Thread.onSpinWait(); // the thread inside runs the action in a moment
        Loop loop = Parker.loopHere("ThreadPool.close", null);
        if (loop != null && isWorker(loop)) return;
        new ConditionWaiter(terminations, loop, "end of " + this) {
            @Override
            boolean holds() {
                return closed && workers.isEmpty();
            }
        }.call(gate, null);
    }

    private void closeInside() {
        closed = true;
        SubmitWaiter submitter;
        while ((submitter = submitters.poll()) != null) {
            submitter.job.abandon();
            submitter.refuse();
        }
        TakeWaiter taker;
        while ((taker = idle.poll()) != null) taker.give(null);
    }

    /** See {@link org.trueasync.ThreadPool#cancel()}. Any thread. */
    public void cancel() {
        var reason = new AsyncCancellation(this + " was cancelled");
        if (coroutineMode) cancellation = reason;
        gate.run(() -> {
            closeInside();
            PoolJob<?> job;
            while ((job = queue.poll()) != null) if (job.abandon()) reject(job, reason);
            pending.lazySet(0);
        });
        for (PoolWorker worker : workers) worker.cancel(reason, coroutineMode);
    }

    /** Ends the pool with the run that it belongs to. Any thread; a second call has no effect. */
    void runEnds() {
        endedWithRun = true;
        cancel();
        while (!closed) Thread.onSpinWait(); // as in close
    }

    private ThreadPoolException endOfRun(String text) {
        return new ThreadPoolException(text, new EndOfRun(family.owner().reactor()));
    }

    // ---- about it

    /** True once it takes no more tasks. Any thread. */
    public boolean isClosed() {
        return closed;
    }

    public int pendingCount() {
        return pending.get();
    }

    /** Returns the number of tasks that workers have. */
    public int runningCount() {
        return running.get();
    }

    /** Returns the number of tasks that have ended, or were dropped from the queue. */
    public int completedCount() {
        return completed.get();
    }

    /** Returns the number of threads. */
    public int workerCount() {
        return workers.size();
    }

    /** Writes a report. Only where the thread may wait for a lock. */
    void report(String what, Throwable error) {
        family.owner().settings().diagnostics().accept(this + ": " + what + "\n" + Causes.trace(error));
    }

    @Override
    public String toString() {
        return "thread pool '" + name + "'";
    }
}
