package org.trueasync.internal.kernel;

import java.util.concurrent.Callable;
import org.trueasync.Body;

/** Turns the shapes of a task into the one that the kernel runs. */
public final class Tasks {
    private Tasks() {}

    /**
     * A task without a result.
     *
     * @param body what it does
     */
    @SuppressWarnings("NullAway") // the value of a task without one
    public static Callable<Object> of(Body body) {
        java.util.Objects.requireNonNull(body, "task");
        return () -> {
            try {
                body.run();
            } catch (Throwable e) {
                throw Throwing.sneaky(e);
            }
            return null;
        };
    }

    @SuppressWarnings("NullAway") // the value of a task without one
    static Callable<Object> of(Runnable body) {
        java.util.Objects.requireNonNull(body, "task");
        return () -> {
            body.run();
            return null;
        };
    }
}
