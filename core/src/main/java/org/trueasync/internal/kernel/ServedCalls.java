package org.trueasync.internal.kernel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;

/**
 * Counts the calls that are served without a switch, so that a loop of them holds up no other coroutine; see
 * {@link Loop#isOthersTurn}.
 */
final class ServedCalls {
    private final Loop loop;

    /** How many more calls are served before other coroutines have their turn. */
    private int callsLeft = Loop.SERVED_IN_A_ROW;

    /** The error that was last thrown in a coroutine because it is pinned. */
    private @Nullable AsyncException pinned;

    ServedCalls(Loop loop) {
        this.loop = loop;
    }

    /** Starts the count again: others have their turn now. */
    void restart() {
        callsLeft = Loop.SERVED_IN_A_ROW;
    }

    boolean isOthersTurn() {
        return --callsLeft < 0 && mustGiveWay();
    }

    private boolean mustGiveWay() {
        restart();
        CoroutineImpl<?> self = loop.current;
        if (self == null || loop.isInSchedulerContext(self) || self.isPreparing()) return false;
        loop.requireMaySuspend(self);
        self.throwPending();
        return true;
    }

    void giveWay() {
        CoroutineImpl<?> self = Objects.requireNonNull(loop.current);
        try {
            letOthersRun(self);
        } catch (Throwable e) {
            throwAtNextCall(self, e);
        }
    }

    boolean rest(long nanos) {
        CoroutineImpl<?> self = Objects.requireNonNull(loop.current);
        try {
            self.delay(nanos);
            return true;
        } catch (Throwable e) {
            if (e != pinned) throwAtNextCall(self, e);
            pinned = null;
            return false;
        }
    }

    private void throwAtNextCall(CoroutineImpl<?> self, Throwable due) {
        self.deferToNextWait(due);
        callsLeft = 0;
    }

    void shareLoop(int calls) {
        callsLeft -= calls - 1;
        if (isOthersTurn()) letOthersRun(Objects.requireNonNull(loop.current));
    }

    /** Yields. Does nothing if the running coroutine is pinned. */
    private void letOthersRun(CoroutineImpl<?> self) {
        try {
            self.yieldNow();
        } catch (AsyncException e) {
            if (e != pinned) throw e;
        } finally {
            pinned = null;
        }
    }

    /** Makes the error for the running coroutine, which is pinned, and remembers it. */
    AsyncException pinned(CoroutineImpl<?> self) {
        AsyncException error = Misuse.pinned(self);
        pinned = error;
        return error;
    }

    boolean isPinned(Throwable thrown) {
        return thrown == pinned;
    }
}
