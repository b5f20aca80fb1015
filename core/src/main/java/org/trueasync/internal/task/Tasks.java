package org.trueasync.internal.task;

import java.util.Objects;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.internal.error.Throwing;

/**
 * The types of a task: Callable, Body and Runnable. A coroutine keeps the user's own object, mostly without a
 * wrapper.
 */
public final class Tasks {
    private Tasks() {}

    /**
     * Returns a task without a result as a Callable, whose value is null.
     *
     * @param body the task
     */
    @SuppressWarnings("NullAway") // the value of a task without one
    public static Callable<Object> of(Body body) {
        Objects.requireNonNull(body, "task");
        return () -> run(body);
    }

    /** Wraps an object that implements several of the types, so that it runs as the type it was passed as. */
    private record OnlyBody(Body body) implements Body {
        @Override
        public void run() throws Throwable {
            body.run();
        }
    }

    /** Returns a task that {@link #run} calls as a Callable. */
    public static Object task(Callable<?> task) {
        return Objects.requireNonNull(task, "task");
    }

    /** Returns a task that {@link #run} calls as a Body, even if it has other types too. */
    public static Object task(Body body) {
        Objects.requireNonNull(body, "task");
        return body instanceof Callable ? new OnlyBody(body) : body;
    }

    /** Returns a task that {@link #run} calls as a Runnable, even if it has other types too. */
    public static Object task(Runnable body) {
        Objects.requireNonNull(body, "task");
        return body instanceof Callable || body instanceof Body ? new OnlyBody(body::run) : body;
    }

    /**
     * Runs a task of any type.
     *
     * @return its value; null if it has none
     */
    public static @Nullable Object run(Object task) throws Throwable {
        // This frame is on the stack of every suspended coroutine, and calls the user's code without another one.
        if (task instanceof Callable<?> callable) return callable.call();
        if (task instanceof Body body) body.run();
        else ((Runnable) task).run();
        return null;
    }

    private static @Nullable Object run(Body body) {
        try {
            body.run();
        } catch (Throwable e) {
            throw Throwing.sneaky(e);
        }
        return null;
    }
}
