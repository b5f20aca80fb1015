package org.trueasync;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.BinaryOperator;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.cores.CoreMember;
import org.trueasync.internal.cores.CoresRun;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.run.Machine;
import org.trueasync.internal.task.Tasks;

/**
 * The same program on several processors: {@link Builder#run(Task)} runs a body on N runtimes, each with a thread, a
 * loop and coroutines of its own. The caller's runtime is core 0. This class is a core's view of all of them.
 *
 * <p>Cores share nothing: state that belongs to a core is changed on that core alone, so it needs no lock. To use the
 * state of another core, run a task there ({@link #on}), or send a value through a {@link ThreadChannel}. Tasks and
 * values that cross should not be changed any more.
 *
 * {@snippet class="org.trueasync.snippets.CoordinationTest" region="owner" :
 * var counts = PerCore.of(() -> new HashMap<String, Integer>());
 * Cores.builder().run(() -> {
 *     Cores cores = Cores.current();
 *     for (String word : List.of("red", "green", "red"))
 *         cores.onOwnerOf(word, () -> counts.get().merge(word, 1, Integer::sum));
 * });
 * }
 *
 * <p>All cores are one program. They begin together and end together: a core whose body has returned serves the others
 * until all bodies have returned, and everything that they have started has ended. An unhandled error ends all cores
 * and is thrown by {@link Builder#run}. A shutdown of one core, and a cancellation of the caller, end all of them
 * too. If nothing can happen any more on any core, each one that has waiting coroutines reports a deadlock.
 *
 * <p>Calls of one core to another begin there in the order in which they were made. Loop thread only, except
 * {@code builder}, {@code count} and {@code ownerOf}. Memory consistency effects: actions before a call happen-before
 * the task, and the task happens-before the return from the wait for it.
 */
public final class Cores {
    private final CoresRun<?> run;

    private Cores(CoresRun<?> run) {
        this.run = run;
    }

    /** Returns a builder with the settings of a program on several cores. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the cores of the program that the calling coroutine belongs to.
     *
     * @throws AsyncException outside of {@link Builder#run}
     */
    public static Cores current() {
        return new Cores(CoresRun.here("Cores.current").run());
    }

    private CoreMember here(String call) {
        CoreMember here = CoresRun.here(call);
        if (here.run() != run)
            throw new AsyncException(call + ": these cores are not the ones of this runtime; ask Cores.current() here");
        return here;
    }

    /** Returns how many cores there are. */
    public int count() {
        return run.count();
    }

    /** Returns the number of this core; 0 is the core of the caller of {@link Builder#run}. */
    public int index() {
        return here("Cores.index").index();
    }

    /**
     * Returns the number of the core that owns a key. For the same number of cores it is always the same, if the key's
     * hash code depends on its value only, as for strings, numbers, and records of these.
     *
     * @param key of any type
     */
    public int ownerOf(Object key) {
        return run.ownerOf(Objects.requireNonNull(key, "key"));
    }

    // ---- a task on one core

    /**
     * Runs a task on a core and waits for its end. The task is a coroutine there: it may wait, and coroutines that it
     * spawns belong to that core and go on when the task has ended. On the caller's own core the task is just called. A
     * cancellation of the caller cancels the task, and does not wait for its end.
     *
     * @param core 0 to {@link #count} - 1
     * @param task runs on that core
     * @return its value, not copied
     * @throws AsyncException if that core ends or has ended, or outside of {@link Builder#run}
     * @throws java.util.concurrent.CompletionException with a checked exception of the task as its cause; any other
     *     error of the task is thrown as it is
     * @throws IndexOutOfBoundsException if there is no such core
     */
    public <T> T on(int core, Task<T> task) {
        Objects.requireNonNull(task, "task");
        CoreMember here = here("Cores.on");
        return here.index() == core ? call(task) : await(here, core, task);
    }

    /**
     * As {@link #on(int, Task)}, for a task without a result.
     *
     * @param core 0 to {@link #count} - 1
     * @param task runs on that core
     */
    public void on(int core, Body task) {
        Objects.requireNonNull(task, "task");
        CoreMember here = here("Cores.on");
        if (here.index() == core) call(Tasks.of(task));
        else await(here, core, Tasks.of(task));
    }

    /**
     * Runs a task on the core that owns a key; see {@link #ownerOf} and {@link #on(int, Task)}.
     *
     * @param key of any type
     * @param task runs on that core
     * @return its value, not copied
     */
    public <T> T onOwnerOf(Object key, Task<T> task) {
        return on(ownerOf(key), task);
    }

    /**
     * As {@link #onOwnerOf(Object, Task)}, for a task without a result.
     *
     * @param key of any type
     * @param task runs on that core
     */
    public void onOwnerOf(Object key, Body task) {
        on(ownerOf(key), task);
    }

    private static <T> T call(Callable<T> task) {
        try {
            return task.call();
        } catch (Throwable e) {
            throw Throwing.sneaky(Throwing.forAwaiter(e));
        }
    }

    private <T> T await(CoreMember here, int core, Callable<T> task) {
        Future<T> answer = new Future<>(run.send(here, core, task));
        try {
            return Awaiting.one(answer, null);
        } finally {
            if (!answer.isCompleted()) answer.cancel();
        }
    }

    /**
     * Queues a task on a core, which may be this one, and does not wait. The future need not be awaited; the program
     * does not end before the task.
     *
     * @param core 0 to {@link #count} - 1
     * @param task runs on that core
     * @return a future of its value, or of what it threw; cancelling it cancels the task. It fails with
     *     {@link AsyncException} if that core ends or has ended
     * @throws IndexOutOfBoundsException if there is no such core
     */
    public <T> Future<T> submitTo(int core, Task<T> task) {
        return new Future<>(run.send(here("Cores.submitTo"), core, Objects.requireNonNull(task, "task")));
    }

    /**
     * As {@link #submitTo(int, Task)}, for a task without a result.
     *
     * @param core 0 to {@link #count} - 1
     * @param task runs on that core
     */
    public Future<?> submitTo(int core, Body task) {
        return new Future<>(run.send(here("Cores.submitTo"), core, Tasks.of(task)));
    }

    // ---- a task on each core

    /**
     * Runs a task on all cores at the same time and waits for all. The first error is thrown, and the tasks that have
     * not ended are cancelled.
     *
     * @param task runs on each core
     * @return the values in the order of the cores
     */
    public <T> List<T> onAll(Task<T> task) {
        Objects.requireNonNull(task, "task");
        CoreMember here = here("Cores.onAll");
        var answers = new ArrayList<Future<T>>(count());
        for (int i = 0; i < count(); i++) answers.add(new Future<>(run.send(here, i, task)));
        boolean done = false;
        try {
            List<T> values = Async.awaitAllOrFail(answers);
            done = true;
            return values;
        } finally {
            if (!done) for (Future<T> answer : answers) answer.cancel();
        }
    }

    /**
     * As {@link #onAll(Task)}, for a task without a result.
     *
     * @param task runs on each core
     */
    public void onAll(Body task) {
        Objects.requireNonNull(task, "task");
        onAll((Task<Object>) Tasks.of(task)::call);
    }

    /**
     * Gets a value from each core and combines them to one: {@code cores.reduce(() -> requests.get(), Integer::sum)}.
     *
     * @param task runs on each core, on all at once
     * @param joined combines two values; called on this core, in the order of the cores
     * @return the combined value
     */
    public <T> T reduce(Task<T> task, BinaryOperator<T> joined) {
        Objects.requireNonNull(joined, "joined");
        List<T> values = onAll(task);
        T all = values.getFirst();
        for (T next : values.subList(1, values.size())) all = joined.apply(all, next);
        return all;
    }

    @Override
    public String toString() {
        return count() == 1 ? "1 core" : count() + " cores";
    }

    /** Collects the settings of a program on several cores. Belongs to whoever made it. */
    public static final class Builder {
        private int count;
        private boolean pinned;

        private Builder() {}

        /**
         * Sets the number of cores. Default: {@link Async#availableParallelism}.
         *
         * @param cores >= 1; may be more than there are processors
         * @throws IllegalArgumentException if it is less
         */
        public Builder count(int cores) {
            if (cores < 1) throw new IllegalArgumentException("count must be >= 1, got " + cores);
            count = cores;
            return this;
        }

        /**
         * Keeps the thread of each core on one processor while the program runs: the thread of core k on the k-th
         * processor that the process may use, starting again from the first one if there are more cores. Default: the
         * system moves threads as it likes.
         *
         * <p>Needs the reactor {@code libuv} on Linux. Threads and child processes that are started on a core inherit
         * its processor, except for the runtime's own threads, those of {@link ThreadPool}s, and processes that
         * {@code Exec} starts. {@link Runtime#availableProcessors} is 1 on such a thread;
         * {@link Async#availableParallelism} does not change.
         */
        public Builder pinned() {
            pinned = true;
            return this;
        }

        /**
         * Runs the body on each core; the caller's runtime is core 0. Returns when all bodies, and everything that they
         * have started, have ended.
         *
         * @param body what runs on each core
         * @return the values that it returned, in the order of the cores; null for a core where it ended with an
         *     {@link AsyncCancellation}
         * @throws AsyncException outside a coroutine, or on a core already; or if {@link #pinned} was called and
         *     threads can't be pinned
         * @throws AsyncCancellation if the caller was cancelled, or a core was shut down
         * @throws java.util.concurrent.CompletionException with a checked exception that nothing on a core handled as
         *     its cause; any other such error is thrown as it is
         */
        public <T> List<T> run(Task<T> body) {
            return CoresRun.run(count(), pinned, body);
        }

        /**
         * As {@link #run(Task)}, for a body without a result.
         *
         * @param body what runs on each core
         */
        public void run(Body body) {
            CoresRun.run(count(), pinned, Tasks.of(body));
        }

        private int count() {
            return count > 0 ? count : Machine.parallelism();
        }
    }
}
