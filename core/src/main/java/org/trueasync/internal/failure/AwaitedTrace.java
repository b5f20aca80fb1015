package org.trueasync.internal.failure;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletionException;
import java.util.function.Supplier;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.task.Tasks;

/**
 * Adds the awaiting coroutines to an error's stack trace. Below the frames of the coroutine that failed come those of
 * the coroutine that awaited it and got the error, and so on, as if one had called the other.
 *
 * <pre>
 * java.lang.IllegalStateException: no such row
 *     at Main.load(Main.java:30)
 *     at awaited.by coroutine #1()
 *     at Main.main(Main.java:12)
 * </pre>
 *
 * <p>The error stays the same object. Any number of coroutines may await it: each place is added once, and at most
 * eight of them. Some errors are left as they are: cancellations, because thousands of coroutines may be given the same
 * one; exhausted memory and stack overflows; and errors that have no stack or do not let it be set. An error's class
 * may belong to the program, so each of its methods may fail.
 */
public final class AwaitedTrace {
    private static final String SEPARATOR = "awaited";
    private static final int MAX_AWAITERS = 8;
    private static final int MAX_FRAMES = 24;

    private AwaitedTrace() {}

    /**
     * Adds the place of the caller. Called in the coroutine that is about to get the error, inside the call that has
     * awaited it.
     *
     * @param error the error of the awaited thing; for a {@link CompletionException} the place is added to its cause
     * @param awaiter gives the label of the coroutine that awaits
     * @return the same error
     */
    public static Throwable of(Throwable error, Supplier<String> awaiter) {
        if (error instanceof AsyncCancellation || error instanceof VirtualMachineError) return error;
        try {
            Throwable cause = error instanceof CompletionException ? Causes.cause(error) : null;
            add(cause != null ? cause : error, awaiter);
        } catch (Throwable own) {
            // The error does not let its stack be set, or there is no memory for it. Then it is thrown as it is.
        }
        return error;
    }

    private static void add(Throwable error, Supplier<String> awaiter) {
        StackTraceElement[] known = error.getStackTrace();
        if (known.length == 0) return;
        List<StackTraceElement> here = framesOfCaller();
        if (here.isEmpty()) return;
        int awaiters = 0;
        for (StackTraceElement frame : known) if (frame.getClassName().equals(SEPARATOR)) awaiters++;
        if (awaiters >= MAX_AWAITERS) return;
        // The place is in the trace already: added before, or the error was made in this very call, so no other
        // coroutine is involved.
        if (Collections.indexOfSubList(List.of(known), here) >= 0) return;
        var all = new ArrayList<StackTraceElement>(known.length + here.size() + 1);
        all.addAll(awaiters == 0 ? programPart(known) : List.of(known));
        all.add(new StackTraceElement(SEPARATOR, "by coroutine " + awaiter.get(), "", -1));
        all.addAll(here);
        error.setStackTrace(all.toArray(StackTraceElement[]::new));
    }

    /** Returns the frames of the running coroutine, from the innermost one of the program on. */
    private static List<StackTraceElement> framesOfCaller() {
        StackTraceElement[] stack = new Throwable().getStackTrace();
        int first = 0;
        while (first < stack.length && !CodeSites.isUserCode(stack[first])) first++;
        List<StackTraceElement> frames = programPart(stack);
        if (first >= frames.size()) return List.of();
        return frames.subList(first, Math.min(frames.size(), first + MAX_FRAMES));
    }

    /** Returns the stack without our own frames at the bottom, which run the coroutine's body. */
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
