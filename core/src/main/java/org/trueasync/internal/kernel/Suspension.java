package org.trueasync.internal.kernel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.jdk.Interrupts;
import org.trueasync.internal.jdk.VirtualThreads;
import org.trueasync.internal.recorder.CoroutineEvents;

/**
 * How a stack leaves the loop thread, and what happens before and after. Events, sleep, hand-overs and yields all stand
 * on {@link #of}.
 *
 * <p>Its frame is on the stack of every suspended coroutine. From the suspension on it uses the coroutine alone:
 * another local variable would be kept there for each of them.
 */
final class Suspension {
    private Suspension() {}

    /**
     * Suspends the running coroutine until it has been put into the run queue and its turn has come. Its wait has
     * begun; if this throws, the wait has ended.
     *
     * @throws org.trueasync.AsyncException if it is pinned, or its stack is too large
     */
    static void of(CoroutineImpl<?> self) {
        try {
            if (leaves(self)) {
                if (!ExecutionContext.SWITCH.leave(held(self))) throw pinned(self);
                if (CoroutineEvents.resume()) CoroutineRecords.resumes(self);
            }
            returned(self);
        } catch (Throwable e) {
            throw Throwing.sneaky(failed(self, e));
        }
    }

    /** Calls the LEAVE handlers and chooses what runs next; false if that is the coroutine itself. */
    private static boolean leaves(CoroutineImpl<?> self) {
        if (self.hasSwitchHandlers())
            addError(self, Objects.requireNonNull(self.switchHandlers()).leave(self));
        return self.loop().scheduler.chooseInPlaceOf(self);
    }

    private static ExecutionContext held(CoroutineImpl<?> self) {
        if (CoroutineEvents.suspend()) CoroutineRecords.suspends(self);
        if (self.is(CoroutineFlags.ACCOUNTED)) Turns.suspends(self);
        return held(Objects.requireNonNull(self.context));
    }

    private static ExecutionContext held(ExecutionContext context) {
        Interrupts.keepWatching(context.thread);
        context.state = ExecutionContext.HELD;
        return context;
    }

    /** Takes the outcome of the wait and calls the ENTER handlers. */
    private static void returned(CoroutineImpl<?> self) {
        self.switchedIn();
        if (self.hasSwitchHandlers())
            addError(self, Objects.requireNonNull(self.switchHandlers()).enter(self));
    }

    private static void addError(CoroutineImpl<?> self, @Nullable Throwable thrown) {
        if (thrown != null) self.addError(thrown);
    }

    private static RuntimeException pinned(CoroutineImpl<?> self) {
        Loop loop = self.loop();
        loop.current = self;
        return loop.servedCalls.pinned(self);
    }

    /**
     * Undoes the suspension: the coroutine is pinned, or the stack or the heap is exhausted. What the tick has chosen
     * is taken up by the following one.
     *
     * @return what to throw
     */
    private static Throwable failed(CoroutineImpl<?> self, Throwable thrown) {
        Objects.requireNonNull(self.context).state = ExecutionContext.RUNNING;
        self.couldNotSuspend();
        if (self.hasSwitchHandlers()) enterAgain(self);
        return VirtualThreads.isTooLargeToFreeze(thrown) ? Misuse.stackTooLarge(self) : thrown;
    }

    /** It goes on although its LEAVE handlers have run. What ENTER throws is thrown by its next wait. */
    private static void enterAgain(CoroutineImpl<?> self) {
        try {
            Throwable thrown = Objects.requireNonNull(self.switchHandlers()).enter(self);
            if (thrown != null) self.failLater(thrown);
        } catch (VirtualMachineError full) {
            // As the suspension: the stack or the heap is exhausted, and that is thrown already.
        }
    }

    /**
     * Suspends a stack without a coroutine that waits, until the loop's frame mounts it again. In its thread.
     *
     * @return false if it is pinned
     */
    static boolean ofIdle(ExecutionContext context) {
        boolean left = false;
        try {
            left = ExecutionContext.SWITCH.leave(held(context));
        } finally {
            if (!left) context.state = ExecutionContext.RUNNING;
        }
        return left;
    }
}
