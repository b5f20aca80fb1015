package org.trueasync.internal.threads;

import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.spi.Event;
import org.trueasync.spi.ResumeCallback;

/**
 * One thread of a pool: a runtime that takes tasks and runs each in a scope of its own, as many at a time as the pool
 * allows.
 */
final class PoolWorker implements Body {
    private final ThreadPoolCore pool;
    private final ChildRuntime child;
    private final int maxTasks;
    /** True if it replaces an old worker, which goes on if this one can't begin. */
    final boolean isReplacement;

    // Written inside the pool's FlatCombiner.
    volatile boolean ready;
    volatile boolean retired;
    volatile boolean over;

    // Used on its own thread.
    private final Set<PoolRun<?>> runs = new LinkedHashSet<>();
    private final List<PoolRun<?>> undecided = new ArrayList<>(0);
    private final Vacancy vacancy = new Vacancy();
    private boolean hasWorked;
    /** True if its main coroutine has ended by an exception. */
    private boolean dying;

    private @Nullable CoroutineImpl<?> main;
    private volatile boolean booted;
    private volatile @Nullable Loop loop;

    PoolWorker(ThreadPoolCore pool, String name, boolean watched, int maxTasks, boolean isReplacement) {
        this.pool = pool;
        this.maxTasks = maxTasks;
        this.isReplacement = isReplacement;
        child = new ChildRuntime(pool.family, name, watched, false, this, thrown -> pool.ended(this, thrown));
    }

    void start() {
        child.start();
    }

    /**
     * Called when the pool was cancelled: shuts this worker down if it has not booted yet; else cancels its tasks if
     * wanted. Any thread.
     *
     * @param reason the exception that the cancelled coroutines throw
     * @param tasksToo true to cancel its tasks too
     */
    void cancel(AsyncCancellation reason, boolean tasksToo) {
        Loop here = loop;
        if (!booted) child.shutdown(reason);
        else if (tasksToo && here != null) here.post(() -> List.copyOf(runs).forEach(run -> run.job.cancel(reason)));
    }

    boolean isHere(Loop here) {
        return child.isHere(here);
    }

    /** The event that there is room for one more task. */
    private static final class Vacancy extends Event {
        void occurred() {
            notifyCallbacks(null, null);
        }

        @Override
        public String info() {
            return "end of a task";
        }
    }

    @Override
    public void run() throws Throwable {
        CoroutineImpl<?> self = Runtimes.currentCoroutine("ThreadPool");
        Loop here = self.loop();
        loop = here;
        main = self;
        if (!boot(self)) return;
        booted = true;
        pool.ready(this);
        boolean done = false;
        try {
            work(self, here);
            done = true;
        } finally {
            dying = !done;
        }
    }

    private void work(CoroutineImpl<?> self, Loop here) {
        while (true) {
            while (runs.size() >= maxTasks) {
                self.newWait();
                self.resumeWhen(vacancy, ResumeCallback.RESOLVE);
                self.awaitEvents();
            }
            settleUndecided();
            PoolJob<?> job = pool.take(this, here);
            if (job == null) return;
            hasWorked = true;
            begin(job, here);
        }
    }

    private boolean boot(CoroutineImpl<?> self) {
        Body bootloader = pool.bootloader;
        if (bootloader == null) return true;
        try {
            bootloader.run();
            return true;
        } catch (Throwable e) {
            if (self.isCancellationRequested()) throw Throwing.sneaky(e);
            pool.bootFailed(this, e, self.loop().lineage().hasCaused(e));
            return false;
        }
    }

    private <T> void begin(PoolJob<T> job, Loop here) {
        var run = new PoolRun<T>(this, here, job);
        runs.add(run);
        run.begin();
        pool.begun(job);
    }

    /** Called when a task and all that it has spawned have ended. */
    void ended(PoolRun<?> run) {
        runs.remove(run);
        if (run.isCancelledUnrequested()) {
            decideLater(run);
        } else {
            settle(run);
            if (beginNext()) return;
        }
        vacancy.occurred();
    }

    /**
     * Begins the next task where one has ended, without a switch; the main coroutine is needed only to wait. False if
     * there is none.
     */
    private boolean beginNext() {
        CoroutineImpl<?> self = main;
        if (self == null || self.isCompleted() || self.isCancellationRequested()) return false;
        PoolJob<?> next = pool.poll(this);
        if (next == null) return false;
        begin(next, self.loop());
        return true;
    }

    private void settle(PoolRun<?> run) {
        pool.hasEnded();
        run.settle();
    }

    /**
     * Settles a task that was cancelled without a request, once the main coroutine has run. If the worker is ending,
     * that coroutine is cancelled by now and ahead in the run queue; then the task fails with the worker's error.
     */
    private void decideLater(PoolRun<?> run) {
        undecided.add(run);
        Loop here = loop;
        if (dying || vacancy.hasCallbacks() || here == null) return; // work() settles it, or the worker ends
        Body settling = () -> {
            if (!dying) settleUndecided();
        };
        here.mainScope().spawn(CoroutineKind.ORDINARY, null, Tasks.task(settling));
    }

    private void settleUndecided() {
        for (PoolRun<?> run : undecided) settle(run);
        undecided.clear();
    }

    /** Returns the tasks that it has begun and not ended. After its run has ended. */
    List<PoolRun<?>> abandoned() {
        var all = new ArrayList<PoolRun<?>>(undecided);
        all.addAll(runs);
        return all;
    }

    boolean hasWorked() {
        return hasWorked;
    }

    void report(String what, Throwable error) {
        pool.report(what, error);
    }

    @Override
    public String toString() {
        return child.toString();
    }
}
