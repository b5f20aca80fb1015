package org.trueasync.internal.failure;

import java.util.ArrayList;
import java.util.List;
import java.util.function.Predicate;
import org.jspecify.annotations.Nullable;
import org.trueasync.DeadlockError;
import org.trueasync.internal.error.Causes;

/**
 * The error that a run throws in the end: the newest one outermost, with those before it as its causes. A deadlock
 * stays outermost. So does exhausted memory if the later error is only its consequence: code that could not be linked.
 * Noting an error calls none of its methods and, up to a number, takes no memory. So it may be done in the loop's
 * frame, where an error's methods could block the loop, and when the heap is full.
 */
public final class ExitErrors {
    private static final int ROOM = 32;

    /** Not a lambda: with a full heap it could not be linked. */
    private static final Predicate<Throwable> EXHAUSTION = new Predicate<>() {
        @Override
        public boolean test(Throwable error) {
            return error instanceof VirtualMachineError;
        }
    };

    private final List<Throwable> noted = new ArrayList<>(ROOM);

    /** Notes an error. Never throws. */
    public void note(Throwable error) {
        if (!noted.isEmpty() && noted.getLast() == error) return;
        try {
            noted.add(error);
        } catch (OutOfMemoryError full) {
            // the noted errors are enough
        }
    }

    /** Returns all noted errors as one, or null if there are none. Called when no coroutine runs any more. */
    public @Nullable Throwable combined() {
        Throwable exit = null;
        for (Throwable error : noted) {
            if (exit == null) exit = error;
            else if (exit instanceof DeadlockError) exit = Causes.joined(exit, error);
            else if (Causes.carries(error, exit) && !isConsequence(exit, error)) exit = error;
            else if (!isConsequence(exit, error) && !Causes.carries(exit, error)) exit = Causes.chained(error, exit);
        }
        noted.clear();
        if (exit != null) noted.add(exit);
        return exit;
    }

    private static boolean isConsequence(Throwable earlier, Throwable later) {
        return earlier instanceof VirtualMachineError && later instanceof LinkageError && Causes.any(later, EXHAUSTION);
    }
}
