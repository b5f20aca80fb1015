package org.trueasync;

import java.util.List;
import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;

/**
 * The part of {@link Async} that spawns tasks of all shapes, with and without names, on threads and on cores; use it as
 * {@code Async}. A lambda or a method reference is a {@link Task} or a {@link VoidTask}; the other overloads are for a
 * task that is in a variable already.
 *
 * <p>Loop thread only.
 */
public abstract sealed class Spawns extends Sections permits IterateSource {
    Spawns() {}

    /**
     * Queues a new coroutine. It begins when the caller waits or ends, after those that were queued before.
     *
     * @param task what it does
     * @return its handle: to await its value, or to cancel it
     * @throws AsyncException outside a runtime, or if the caller's scope has been cancelled or disposed of
     */
    public static <T> Coroutine<T> spawn(Task<T> task) {
        return Runtimes.here("Async.spawn").spawn(CoroutineKind.ORDINARY, null, Tasks.task((Callable<T>) task));
    }

    /**
     * As {@link #spawn(Task)}, for a task without a result.
     *
     * @param task what it does
     */
    public static Coroutine<?> spawn(VoidTask task) {
        return Runtimes.here("Async.spawn").spawn(CoroutineKind.ORDINARY, null, Tasks.task((Body) task));
    }

    /**
     * As {@link #spawn(Task)}, for a task without a result.
     *
     * @param task what it does
     */
    public static Coroutine<?> spawn(Runnable task) {
        return Runtimes.here("Async.spawn").spawn(CoroutineKind.ORDINARY, null, Tasks.task(task));
    }

    /**
     * As {@link #spawn(Task)}.
     *
     * @param task what it does
     */
    public static <T> Coroutine<T> spawn(Supplier<T> task) {
        return Runtimes.here("Async.spawn").spawn(CoroutineKind.ORDINARY, null, Tasks.task(task));
    }

    // ---- with a name

    /**
     * As {@link #spawn(Task)}, with a name: {@code toString}, dumps, reports and the flight recorder show it, and it is
     * what {@link Thread#getName} returns in the task. Several coroutines may have the same one.
     *
     * @param name characters that can't be printed are shown as {@code ?}; cut after 100 characters; a blank name is
     *     none
     * @param task what it does
     * @return its handle
     */
    public static <T> Coroutine<T> spawn(String name, Task<T> task) {
        return named(name, Tasks.task((Callable<T>) task));
    }

    /**
     * As {@link #spawn(String, Task)}, for a task without a result.
     *
     * @param name for reports
     * @param task what it does
     */
    public static Coroutine<?> spawn(String name, VoidTask task) {
        return named(name, Tasks.task((Body) task));
    }

    /**
     * As {@link #spawn(String, Task)}.
     *
     * @param name for reports
     * @param task what it does
     */
    public static <T> Coroutine<T> spawn(String name, Callable<T> task) {
        return named(name, Tasks.task(task));
    }

    /**
     * As {@link #spawn(String, Task)}, for a task without a result.
     *
     * @param name for reports
     * @param task what it does
     */
    public static Coroutine<?> spawn(String name, Body task) {
        return named(name, Tasks.task(task));
    }

    /**
     * As {@link #spawn(String, Task)}, for a task without a result.
     *
     * @param name for reports
     * @param task what it does
     */
    public static Coroutine<?> spawn(String name, Runnable task) {
        return named(name, Tasks.task(task));
    }

    /**
     * As {@link #spawn(String, Task)}.
     *
     * @param name for reports
     * @param task what it does
     */
    public static <T> Coroutine<T> spawn(String name, Supplier<T> task) {
        return named(name, Tasks.task(task));
    }

    /**
     * As {@link Async#launch(Body)}, with a name.
     *
     * @param name for reports
     * @param task what it does
     * @return its handle
     */
    public static Coroutine<?> launch(String name, Body task) {
        return Runtimes.here("Async.launch")
                .spawn(CoroutineKind.LAUNCHED, Objects.requireNonNull(name, "name"), Tasks.task(task));
    }

    private static <T> Coroutine<T> named(String name, Object task) {
        Objects.requireNonNull(name, "name");
        return Runtimes.here("Async.spawn").spawn(CoroutineKind.ORDINARY, name, task);
    }

    // ---- in a scope that a provider chooses

    /**
     * Queues a new coroutine in the scope that the provider chooses, and tells the provider about the coroutine if the
     * provider is a {@link SpawnStrategy}.
     *
     * @param provider a scope, or an object that chooses one. If that throws, the error is thrown here, and nothing is
     *     spawned. If {@link SpawnStrategy#afterEnqueue} throws, the coroutine exists already, and is cancelled
     * @param task what it does
     * @return its handle
     * @throws AsyncException if the scope has been cancelled or disposed of, or belongs to another runtime
     */
    public static <T> Coroutine<T> spawnWith(ScopeProvider provider, Task<T> task) {
        return Spawning.with(provider, Tasks.task((Callable<T>) task));
    }

    /**
     * As {@link #spawnWith(ScopeProvider, Task)}, for a task without a result.
     *
     * @param provider a scope, or an object that chooses one
     * @param task what it does
     */
    public static Coroutine<?> spawnWith(ScopeProvider provider, VoidTask task) {
        return Spawning.with(provider, Tasks.task((Body) task));
    }

    // ---- on a thread

    /**
     * As {@link Async#spawnThread(Callable)}.
     *
     * @param task what it does
     * @return its handle
     */
    public static <T> ThreadTask<T> spawnThread(Task<T> task) {
        return Async.spawnThread((Callable<T>) task);
    }

    /**
     * As {@link #spawnThread(Task)}, for a task without a result.
     *
     * @param task what it does
     * @return its handle
     */
    public static ThreadTask<?> spawnThread(VoidTask task) {
        return Async.spawnThread((Body) task);
    }

    /**
     * As {@link Async#spawnThread(Callable, Body)}.
     *
     * @param task what it does
     * @param bootloader runs on the thread before the task
     * @return its handle
     */
    public static <T> ThreadTask<T> spawnThread(Task<T> task, Body bootloader) {
        return Async.spawnThread((Callable<T>) task, bootloader);
    }

    // ---- on each core

    /**
     * Runs the same body on as many cores as there are processors: once in this runtime, and on each other core in a
     * runtime of its own on a new thread. Returns when all have ended. Short for {@link Cores#builder()} with its
     * defaults.
     *
     * {@snippet class="org.trueasync.snippets.CoordinationTest" region="cores" :
     * List<Integer> each = onEachCore(() -> Cores.current().index());
     * }
     *
     * @param body what runs on each core; objects that the cores share must be thread-safe
     * @return the values that it has returned, in the order of the cores; null for a core where it was cancelled
     * @throws AsyncException outside a coroutine, or on a core already
     */
    public static <T> List<T> onEachCore(Task<T> body) {
        return Cores.builder().run(body);
    }

    /**
     * As {@link #onEachCore(Task)}, for a body without a result.
     *
     * @param body what runs on each core
     */
    public static void onEachCore(VoidTask body) {
        Cores.builder().run(body);
    }
}
