package org.trueasync.internal.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.site.CodeSites;
import org.trueasync.internal.task.Tasks;

/**
 * Adds to the stack of an error who has awaited it: below the frames of the coroutine that failed stand those of the coroutine that got the error, and so on, as if one had
 * called the other.
 *
 * <pre>
 * java.lang.IllegalStateException: no such row
 *     at Main.load(Main.java:30)
 *     at awaited.by coroutine #1()
 *     at Main.main(Main.java:12)
 * </pre>
 *
 * <p>It stays the same object, which any number may await: each place is added once, and no more than a few. Cancellations are left alone, as one reason is thrown in
 * thousands of coroutines; so is what has no stack or does not let it be set. Errors are the program's own code, which may fail in any of their methods.
 */
public final class AwaitedTrace {
    private static final String SEPARATOR = "awaited";
    private static final int MOST_AWAITERS = 8;
    private static final int MOST_FRAMES = 24;

    private AwaitedTrace() {}

    /**
     * In the coroutine to which it is about to be thrown, in the call that has awaited it.
     *
     * @param error what was awaited has failed with this
     * @return the same
     */
    public static Throwable of(Throwable error) {
        if (error instanceof AsyncCancellation || error instanceof VirtualMachineError) return error;
        try {
            Throwable cause = error instanceof CompletionException ? Causes.cause(error) : null;
            add(cause != null ? cause : error);
        } catch (Throwable own) {
            // it does not let its trace be set
        }
        return error;
    }

    private static void add(Throwable error) {
        StackTraceElement[] known = Causes.frames(error);
        if (known.length == 0) return;
        List<StackTraceElement> here = framesOfCaller();
        if (here.isEmpty()) return;
        int awaiters = 0;
        for (StackTraceElement frame : known) if (frame.getClassName().equals(SEPARATOR)) awaiters++;
        if (awaiters >= MOST_AWAITERS) return;
        // Added before, or made in this very call: nothing has been crossed then.
        if (Collections.indexOfSubList(List.of(known), here) >= 0) return;
        var all = new ArrayList<StackTraceElement>(known.length + here.size() + 1);
        all.addAll(awaiters == 0 ? programPart(known) : List.of(known));
        all.add(new StackTraceElement(SEPARATOR, "by coroutine " + Causes.coroutineHere(), "", -1));
        all.addAll(here);
        Causes.asking(() -> error.setStackTrace(all.toArray(StackTraceElement[]::new)));
    }

    /** From the innermost frame of the program on. */
    private static List<StackTraceElement> framesOfCaller() {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        int first = 0;
        while (first < stack.length && !CodeSites.isUserCode(stack[first].getClassName())) first++;
        List<StackTraceElement> frames = programPart(stack);
        if (first >= frames.size()) return List.of();
        return frames.subList(first, Math.min(frames.size(), first + MOST_FRAMES));
    }

    /** Without what runs a coroutine, which is at the bottom of each. */
    private static List<StackTraceElement> programPart(StackTraceElement[] stack) {
        for (int i = stack.length - 1; i >= 0; i--) {
            if (!CodeSites.isBody(stack[i])) continue;
            int end = i;
            while (end > 0 && stack[end - 1].getClassName().equals(Tasks.class.getName())) end--;
            return List.of(stack).subList(0, end);
        }
        return List.of(stack);
    }
}
