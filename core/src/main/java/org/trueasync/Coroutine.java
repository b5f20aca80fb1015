package org.trueasync;

import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.CoroutineImpl;

/**
 * The handle of one coroutine: ordinary blocking code that shares the loop thread with all others of its runtime.
 *
 * <p>Life: <i>queued</i> (spawned, not begun) &rarr; <i>running</i> &rarr; <i>completed</i>, with <i>running</i> &harr;
 * <i>suspended</i> in between. A coroutine that is cancelled before it begins completes without running.
 *
 * <p>Threads: {@link #id}, {@link #name}, {@link #spawnLocation}, {@code toString} and the methods that ask for its
 * state ({@code is...}) may be called on any thread; the answer was true a moment ago. All other methods are for the
 * loop thread of the runtime that owns the coroutine; a call from another thread throws {@link AsyncException}.
 * {@link #result} and {@link #exception} may be called on any thread once the run has ended. What a suspended coroutine
 * waits for and where is shown to other threads by {@link AsyncRuntime#dump()}.
 *
 * <p>Only this library makes coroutines.
 *
 * @param <T> type of the result
 */
public sealed interface Coroutine<T> extends Completable<T> permits CoroutineImpl {
    /**
     * Returns its number: unique within the process and positive. Within a runtime the numbers are in spawn order,
     * except those of threads of {@link Async#threadFactory}.
     */
    long id();

    /**
     * Returns the name that it was given, as reports show it and as {@link Thread#getName} returns it in its body; null
     * if it has none. If the body has renamed its thread, it is that name while it runs.
     */
    @Nullable
    String name();

    /**
     * Waits for its end and returns its value, or throws its error: as {@link Async#await(Completable)}.
     *
     * @throws AsyncCancellation if this coroutine, or the calling one, was cancelled
     * @throws java.util.concurrent.CompletionException with the error as its cause, if that is a checked exception
     * @throws AsyncException if it is the calling coroutine: it would wait for itself
     */
    T await();

    /**
     * As {@link #await()}; gives up when the token ends. This coroutine goes on then.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    T await(Completable<?> cancellation);

    /**
     * As {@link #await()}; gives up after a time. This coroutine goes on then: {@link #cancel} ends it.
     *
     * @param limit >= 0; with zero this does not wait: it gives up at once if the coroutine has not ended
     * @throws OperationCanceledException if the time is over; its cause is an {@link AsyncTimeoutException}
     * @throws IllegalArgumentException if the limit is negative
     */
    T await(Duration limit);

    /**
     * As {@link #cancel(AsyncCancellation)}, with a reason in words.
     *
     * @param reason what the message of the cancellation says; if there are values, a format for {@link String#format}
     * @param values what the format refers to; without any, the reason is taken as it is
     * @throws java.util.IllegalFormatException if the format does not fit the values; nothing is cancelled then
     */
    void cancel(String reason, @Nullable Object... values);

    /**
     * Lets this coroutine enter the run queue at its head from now on; if it is in the queue now, it moves to the head.
     * After {@link Async#suspend} it still goes to the back. Returns this.
     */
    Coroutine<T> asHighPriority();

    /** Returns the context that belongs to this coroutine alone. */
    Context context();

    /**
     * Returns the value that the body returned; null if it has not completed, has failed, was cancelled, or returned
     * null. Never blocks.
     */
    @Nullable
    T result();

    /**
     * Returns what the body threw; null if it has not completed, or has succeeded. Never blocks. The error counts as
     * observed then.
     */
    @Nullable
    Throwable exception();

    /** True once the body has begun to run. */
    boolean isStarted();

    /** True while it is in the run queue. */
    boolean isQueued();

    /** True for the coroutine that executes right now. */
    boolean isRunning();

    /** True while it has begun, has not ended and does not run; also while it is in the run queue for its next turn. */
    boolean isSuspended();

    /**
     * True from the first request to cancel it on, by {@link #cancel()}, its scope or a shutdown, whether or not the
     * cancellation has been delivered or caught.
     */
    boolean isCancellationRequested();

    /** Returns the line that spawned it, as {@code File.java:12}, or {@code unknown} when spawn sites are off. */
    String spawnLocation();

    /**
     * Returns the innermost line of user code that waits, as {@code File.java:40}, or {@code unknown} when it is not
     * suspended.
     */
    String suspendLocation();

    /** Returns one line for each event that it waits for now; empty when it waits for nothing. */
    List<String> awaitingInfo();

    /** Returns the frames of the suspended body, innermost first; null unless suspended. */
    StackTraceElement @Nullable [] trace();

    /**
     * Runs the callback once after this coroutine has ended, with whatever outcome but a {@link VirtualMachineError}.
     * Several callbacks run one after the other, in the order of registration, in one coroutine of their own. If this
     * coroutine has ended already, the callback runs at once in the caller.
     *
     * @param callback gets this coroutine; may suspend
     */
    void onFinally(Consumer<Coroutine<T>> callback);
}
