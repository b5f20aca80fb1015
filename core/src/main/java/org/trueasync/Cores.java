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
import org.trueasync.internal.machine.Machine;
import org.trueasync.internal.task.Tasks;

/**
 * The same program on several processors: {@link Async#onEachCore} runs a body on N runtimes, each with a thread, a loop and coroutines of its own. The caller's runtime is core 0. This is what a core
 * knows of the others.
 *
 * <p>Cores share nothing: what belongs to a core is changed on it alone, so it needs no lock. Whoever needs something of another core has a task run there ({@link #on}), or sends a value through a
 * {@link ThreadChannel}. Tasks and values that cross should not be changed any more.
 *
 * {@snippet class="org.trueasync.snippets.CoordinationTest" region="owner" :
 * var counts = PerCore.of(() -> new HashMap<String, Integer>());
 * onEachCore(() -> {
 *     Cores cores = Cores.current();
 *     for (String word : List.of("red", "green", "red"))
 *         cores.onOwnerOf(word, () -> counts.get().merge(word, 1, Integer::sum));
 * });
 * }
 *
 * <p>All are one program. They begin together and end together: a core whose body has returned serves the others until all bodies have returned, and everything that they have started has ended. An error that
 * nobody handles ends all of them and is thrown by {@link Async#onEachCore}; so does a shutdown of one of them, and a cancellation of the caller. If nothing can happen any more on any of
 * them, each that has coroutines waiting reports a deadlock.
 *
 * <p>Calls of one core to another begin there in the order in which they were made. Loop thread only, except {@code builder}, {@code count} and {@code ownerOf}. Memory consistency effects: what was done before a call happens before
 * the task, and that before what follows the wait for it.
 */
public final class Cores {
    private final CoresRun<?> run;

    private Cores(CoresRun<?> run) {
        this.run = run;
    }

    /** Settings for a program on several cores. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * The cores among which the calling coroutine's is one.
     *
     * @throws AsyncException outside of {@link Async#onEachCore}
     */
    public static Cores current() {
        return new Cores(CoresRun.here("Cores.current").run());
    }

    private CoreMember here(String call) {
        CoreMember here = CoresRun.here(call);
        if (here.run() != run) throw new AsyncException(call + ": these cores are not the ones of this runtime");
        return here;
    }

    /** How many there are. */
    public int count() {
        return run.count();
    }

    /** Which one this is, from 0, the caller's of {@link Async#onEachCore}. */
    public int index() {
        return here("Cores.index").index();
    }

    /**
     * Which core owns a key. Always the same one while there are as many cores, if the key's hash code follows from its value, as that of strings, numbers and records does.
     *
     * @param key of any type
     */
    public int ownerOf(Object key) {
        return run.ownerOf(Objects.requireNonNull(key, "key"));
    }

    // ---- a task on one core

    /**
     * Runs a task on a core and waits for its end. There it is a coroutine: it may wait, and what it spawns is that core's, and goes on when the task has ended. On the core that calls, the task is just
     * called. A cancellation of the caller cancels the task, and does not wait for it.
     *
     * @param core 0 to {@link #count} - 1
     * @param task runs there
     * @return its value, as it is
     * @throws AsyncException if that core has ended
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
     * @param task runs there
     */
    public void on(int core, VoidTask task) {
        Objects.requireNonNull(task, "task");
        CoreMember here = here("Cores.on");
        if (here.index() == core) call(Tasks.of(task));
        else await(here, core, Tasks.of(task));
    }

    /**
     * Runs a task on the core that owns a key; see {@link #ownerOf} and {@link #on(int, Task)}.
     *
     * @param key of any type
     * @param task runs there
     * @return its value, as it is
     */
    public <T> T onOwnerOf(Object key, Task<T> task) {
        return on(ownerOf(key), task);
    }

    /**
     * As {@link #onOwnerOf(Object, Task)}, for a task without a result.
     *
     * @param key of any type
     * @param task runs there
     */
    public void onOwnerOf(Object key, VoidTask task) {
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
     * Queues a task on a core, this one too, and does not wait. Nobody has to wait for the future; the program ends when the task has.
     *
     * @param core 0 to {@link #count} - 1
     * @param task runs there
     * @return its value, or what it threw; cancelling it cancels the task
     * @throws IndexOutOfBoundsException if there is no such core
     */
    public <T> Future<T> submitTo(int core, Task<T> task) {
        return new Future<>(run.send(here("Cores.submitTo"), core, Objects.requireNonNull(task, "task")));
    }

    /**
     * As {@link #submitTo(int, Task)}, for a task without a result.
     *
     * @param core 0 to {@link #count} - 1
     * @param task runs there
     */
    public Future<?> submitTo(int core, VoidTask task) {
        return new Future<>(run.send(here("Cores.submitTo"), core, Tasks.of(task)));
    }

    // ---- a task on each core

    /**
     * Runs a task on each core, on all at once, and waits for all. The first error is thrown, and the tasks that have not ended are cancelled.
     *
     * @param task runs on each
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
     * @param task runs on each
     */
    public void onAll(VoidTask task) {
        Objects.requireNonNull(task, "task");
        Task<Boolean> asTask = () -> {
            task.run();
            return true;
        };
        onAll(asTask);
    }

    /**
     * Asks each core for a value and makes one of all: {@code cores.reduce(() -> requests.get(), Integer::sum)}.
     *
     * @param task runs on each, on all at once
     * @param joined makes one value of two; called here, in the order of the cores
     * @return the one value
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
         * How many cores. Default: {@link Async#availableParallelism}.
         *
         * @param cores >= 1, also more than there are processors
         * @throws IllegalArgumentException if it is less
         */
        public Builder count(int cores) {
            if (cores < 1) throw new IllegalArgumentException("count must be >= 1, got " + cores);
            count = cores;
            return this;
        }

        /**
         * Keeps the thread of each core on one processor while the program runs: that of core k on the k-th of those that the process may use, and round. Default: the system moves threads as it likes.
         *
         * <p>Needs the reactor {@code libuv} on Linux. Threads and child processes that are started on a core begin on its processor, as the system has it, but for the runtime's own threads, {@link ThreadPool}s and what {@code Exec} starts. {@link Runtime#availableProcessors} is 1
         * there; {@link Async#availableParallelism} is not.
         */
        public Builder pinned() {
            pinned = true;
            return this;
        }

        /**
         * Runs the body on each core, the caller's runtime being the first; returns when all bodies, and everything that they have started, have ended.
         *
         * @param body what runs on each
         * @return what it has returned, in the order of the cores; null for one that was cancelled
         * @throws AsyncException outside a coroutine, or on a core already; if threads can't be pinned, and are to be
         */
        public <T> List<T> run(Task<T> body) {
            return CoresRun.run(count(), pinned, body);
        }

        /**
         * As {@link #run(Task)}, for a body without a result.
         *
         * @param body what runs on each
         */
        public void run(VoidTask body) {
            CoresRun.run(count(), pinned, Tasks.of(body));
        }

        private int count() {
            return count > 0 ? count : Machine.parallelism();
        }
    }
}
