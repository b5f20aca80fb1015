package org.trueasync.internal.task;

import java.util.Objects;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.internal.error.Throwing;

/** The shapes of a task: Callable, Body, Runnable and Supplier. A coroutine keeps what the user gave, without an object around it. */
public final class Tasks {
    private Tasks() {}

    /**
     * A task without a result, in the shape that asks for one.
     *
     * @param body what it does
     */
    @SuppressWarnings("NullAway") // the value of a task without one
    public static Callable<Object> of(Body body) {
        Objects.requireNonNull(body, "task");
        return () -> run(body);
    }

    /** For what has several shapes: it is run in the one that was asked for. */
    private record OnlyBody(Body body) implements Body {
        @Override
        public void run() throws Throwable {
            body.run();
        }
    }

    /** A task that {@link #run} takes for a Callable. */
    public static Object task(Callable<?> task) {
        return Objects.requireNonNull(task, "task");
    }

    /** A task that {@link #run} asks for its value, whatever else it is. */
    public static Object task(Supplier<?> task) {
        Objects.requireNonNull(task, "task");
        return (Callable<?>) task::get;
    }

    /** A task that {@link #run} takes for a Body, whatever else it is. */
    public static Object task(Body body) {
        Objects.requireNonNull(body, "task");
        return body instanceof Callable ? new OnlyBody(body) : body;
    }

    /** A task that {@link #run} takes for a Runnable, whatever else it is. */
    public static Object task(Runnable body) {
        Objects.requireNonNull(body, "task");
        return body instanceof Callable || body instanceof Body ? new OnlyBody(body::run) : body;
    }

    /**
     * Runs a task of any shape.
     *
     * @return its value; null if it has none
     */
    public static @Nullable Object run(Object task) throws Exception {
        if (task instanceof Callable<?> callable) return callable.call();
        if (task instanceof Body body) run(body);
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
