package org.trueasync.internal.group;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.TaskResult;
import org.trueasync.internal.jdk.Inheritance;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.WaitEnd;
import org.trueasync.internal.site.Names;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/**
 * One task of a group: what it does, then what came of it. It is the callback of its coroutine's end, so that a task costs this object and its
 * coroutine, and nothing more.
 *
 * <pre>
 *  PENDING -> RUNNING   a slot is free: it has a coroutine
 *  PENDING -> FAILED    dropped: the group was cancelled
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
    /** The key is the user's own. */
    final boolean named;
    /** In the order of spawning. */
    final long position;
    /** In the order of settling. */
    long sequence;

    byte state;
    /** It runs, and waits for others of the group, who may have its slot meanwhile. */
    boolean lendsSlot;
    /** Of a set: it is somebody's already, and in no line any more. */
    boolean taken;
    /** Somebody waits for this one alone. */
    @Nullable
    TaskEvent<?> handle;

    /** What it does; then its value, or a {@link Failure}. */
    private @Nullable Object payload;

    // Links: of all tasks of the group; of those that wait, those that succeeded or those that failed.
    @Nullable
    GroupTask previous;

    @Nullable
    GroupTask next;

    @Nullable
    GroupTask previousInLine;

    @Nullable
    GroupTask nextInLine;

    GroupTask(GroupCore group, Object key, boolean named, long position, Callable<?> work) {
        this.group = group;
        this.key = key;
        this.named = named;
        this.position = position;
        this.payload = work;
    }

    /** Why a task has failed. */
    static final class Failure {
        /** As it was thrown. */
        final Throwable error;
        /** Which failed; null once nobody needs to be told. */
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

    /** Where it was spawned, if that is known, and what it inherits from there, if it will not begin there. */
    private record Sited(
            Callable<?> work,
            @Nullable String site,
            @Nullable Inheritance inheritance) {}

    /** What it does. Until it has settled. */
    Callable<?> work() {
        Object work = Objects.requireNonNull(payload);
        return work instanceof Sited sited ? sited.work : (Callable<?>) work;
    }

    /** Keeps where it was spawned, and what it inherits. */
    void remember(@Nullable String site, @Nullable Inheritance inheritance) {
        payload = new Sited(work(), site, inheritance);
    }

    /** What it inherits from where it was spawned, if it did not begin there. */
    @Nullable
    Inheritance inheritance() {
        return payload instanceof Sited sited ? sited.inheritance : null;
    }

    /** Where it was spawned, if that was kept. */
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

    /** Of a group with a limit: runs, as what its coroutine was given to do. */
    @Override
    public @Nullable Object call() throws Exception {
        return work().call();
    }

    void begins(CoroutineImpl<?> coroutine) {
        state = RUNNING;
        coroutine.addCallback(this);
    }

    /** The coroutine of one that runs. */
    CoroutineImpl<?> coroutine() {
        return (CoroutineImpl<?>) Objects.requireNonNull(event());
    }

    /** It has waited for others of the group, and needs its slot again. */
    @Override
    public void end() {
        group.takeSlotBack(this);
    }

    /** Somebody has got what came of it. */
    void markHandled() {
        if (state == FAILED) group.errors().handled(failure());
    }

    /** Its key, for a person to read, behind a space; only one that can be shown without running code of the program's. */
    String label() {
        return key instanceof String name
                ? " '" + Names.readable(name) + "'"
                : key instanceof Integer ? " #" + key : "";
    }

    void succeeds(@Nullable Object value) {
        state = SUCCEEDED;
        payload = value;
    }

    void fails(Failure failure) {
        state = FAILED;
        payload = failure;
    }

    /** The value of one that has succeeded. */
    @Nullable
    Object value() {
        return payload;
    }

    /** Why it has failed; of one that has. */
    Failure failure() {
        return (Failure) Objects.requireNonNull(payload);
    }

    /** What came of it, for users. */
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
