package org.trueasync.internal.group;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.TaskResult;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.WaitEnd;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * One task of a group: its work, then its outcome. It is the callback of its coroutine's end, so that a task costs this
 * object and its coroutine, and nothing more.
 *
 * <pre>
 *  PENDING -> RUNNING   a slot is free: it has a coroutine
 *  PENDING -> FAILED    dropped: it or its group was cancelled, or it could not be started
 *  RUNNING -> SUCCEEDED, FAILED   settled
 * </pre>
 */
final class GroupTask extends EventCallback implements Callable<@Nullable Object>, WaitEnd {
    static final byte PENDING = 0;
    static final byte RUNNING = 1;
    static final byte SUCCEEDED = 2;
    static final byte FAILED = 3;

    final GroupCore group;
    final Object key;
    /** True if the user gave the key. */
    final boolean named;
    /** The number in the order of spawning. */
    final long position;
    /** The number in the order of settling. */
    long sequence;

    byte state;
    /** True while it runs and waits for others of the group: they may have its slot meanwhile. */
    boolean lendsSlot;
    /** In a set: true if it has been taken and is in no queue any more. */
    boolean taken;
    /** The event of this task alone, while somebody waits for it. */
    @Nullable
    TaskEvent<?> handle;

    /** The work, perhaps as {@link Sited}; once it has settled, the value or a {@link Failure}. */
    private @Nullable Object payload;

    // Links in the list of all tasks of the group, and in one queue: of those that wait, that succeeded or that failed.
    @Nullable
    GroupTask previous;

    @Nullable
    GroupTask next;

    @Nullable
    GroupTask previousInQueue;

    @Nullable
    GroupTask nextInQueue;

    GroupTask(GroupCore group, Object key, boolean named, long position, Callable<?> work) {
        this.group = group;
        this.key = key;
        this.named = named;
        this.position = position;
        this.payload = work;
    }

    /** The error of a task. */
    static final class Failure {
        /** The error as it was thrown. */
        final Throwable error;
        /** The coroutine that failed; null once the error need not be reported. */
        @Nullable
        CoroutineImpl<?> coroutine;

        Failure(Throwable error, @Nullable CoroutineImpl<?> coroutine) {
            this.error = error;
            this.coroutine = error instanceof AsyncCancellation ? null : coroutine;
        }

        boolean isUnhandled() {
            return coroutine != null;
        }
    }

    /**
     * The work with the place where it was spawned, if that is known, and with what it inherits from there, if it
     * begins later.
     */
    private record Sited(
            Callable<?> work,
            @Nullable String site,
            @Nullable Inheritance inheritance) {}

    /** Returns the work. Only before it has settled. */
    Callable<?> work() {
        Object work = Objects.requireNonNull(payload);
        return work instanceof Sited sited ? sited.work : (Callable<?>) work;
    }

    /** Keeps the place where it was spawned, and what it inherits. */
    void remember(@Nullable String site, @Nullable Inheritance inheritance) {
        payload = new Sited(work(), site, inheritance);
    }

    /** Returns what it inherits from the place where it was spawned; null if nothing was kept. */
    @Nullable
    Inheritance inheritance() {
        return payload instanceof Sited sited ? sited.inheritance : null;
    }

    /** Returns the place where it was spawned; null if that was not kept. */
    @Nullable
    String site() {
        return payload instanceof Sited sited ? sited.site : null;
    }

    boolean isSettled() {
        return state >= SUCCEEDED;
    }

    boolean hasSucceeded() {
        return state == SUCCEEDED;
    }

    /** Runs the work. Only in a group with a limit; there this object is the task of its coroutine. */
    @Override
    public @Nullable Object call() throws Exception {
        return work().call();
    }

    void begins(CoroutineImpl<?> coroutine) {
        state = RUNNING;
        coroutine.addCallback(this);
    }

    /** Returns the coroutine of a running task. */
    CoroutineImpl<?> coroutine() {
        return (CoroutineImpl<?>) Objects.requireNonNull(event());
    }

    /** Takes the task's slot back when its wait for others of the group has ended. */
    @Override
    public void end() {
        group.takeSlotBack(this);
    }

    /** Notes that the outcome has been delivered. */
    void markHandled() {
        if (state == FAILED) group.errors().handled(failure());
    }

    /**
     * Returns its key for messages, after a space; empty if it is blank, or can't be printed without running user code.
     */
    String label() {
        if (key instanceof Integer) return " #" + key;
        String name = key instanceof String text ? Names.readable(text) : null;
        return name == null ? "" : " '" + name + "'";
    }

    void succeeds(@Nullable Object value) {
        state = SUCCEEDED;
        payload = value;
    }

    void fails(Failure failure) {
        state = FAILED;
        payload = failure;
    }

    @Nullable
    Object value() {
        return payload;
    }

    /** Returns the error of a task that has failed. */
    Failure failure() {
        return (Failure) Objects.requireNonNull(payload);
    }

    @SuppressWarnings("unchecked")
    <T> TaskResult<T> result() {
        return state == FAILED
                ? new TaskResult<>(key, null, failure().error)
                : new TaskResult<>(key, (T) payload, null);
    }

    @Override
    protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable thrown) {
        event.removeCallback(this);
        group.ended(this, (CoroutineImpl<?>) event, result);
    }
}
