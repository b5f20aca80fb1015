package org.trueasync.internal.testkit;

import java.time.Duration;
import java.util.concurrent.Callable;
import org.jspecify.annotations.Nullable;

/**
 * Runs work on a thread of its own and checks it in real time. If the work makes no progress within the limit, it is
 * stopped, and an {@link AssertionError} is thrown, instead of hanging the build.
 */
public final class Guarded<T> {
    /** The work that is checked. Any thread. */
    public interface Watched {
        /** A number that changes while the work makes progress. */
        long progress();

        /** A description of the work's state, for people. Takes up to a second. */
        String state();

        /** Stops the work, because it makes no progress or its test was interrupted. */
        void stop();
    }

    private static final int CHECKS = 4;

    private final Watched watched;
    private final Duration realTimeLimit;
    private final Thread thread;
    private @Nullable T result;
    private @Nullable Throwable thrown;
    private @Nullable AssertionError late;

    /**
     * Work that has not begun.
     *
     * @param work runs on a thread of its own
     * @param watched the same work, as others see it
     * @param realTimeLimit how long it may make no progress
     */
    public Guarded(Callable<T> work, Watched watched, Duration realTimeLimit) {
        this.watched = watched;
        this.realTimeLimit = realTimeLimit;
        thread = new Thread(
                () -> {
                    try {
                        result = work.call();
                    } catch (Throwable e) {
                        thrown = e;
                    }
                },
                "virtual time");
        thread.setDaemon(true);
    }

    /** Does the work, and returns its value; throws what it throws. */
    public @Nullable T run() {
        thread.start();
        // on a thread of its own, as the caller may be a coroutine whose time is virtual
        Thread watch = Thread.ofPlatform().daemon().name("virtual time limit").start(this::watch);
        try {
            watch.join();
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
            throw stuck("the test was interrupted");
        }
        if (late != null) throw late;
        if (thrown != null) throw sneaky(thrown);
        return result;
    }

    private void watch() {
        try {
            long seen = watched.progress();
            for (int checksWithoutProgress = 0; !thread.join(realTimeLimit.dividedBy(CHECKS)); ) {
                long now = watched.progress();
                checksWithoutProgress = now == seen ? checksWithoutProgress + 1 : 0;
                seen = now;
                if (checksWithoutProgress == CHECKS) {
                    late = stuck("the run did not end within " + realTimeLimit + " of real time");
                    return;
                }
            }
        } catch (InterruptedException e) {
            late = stuck("the watching thread was interrupted");
        }
    }

    private AssertionError stuck(String what) {
        var error = new AssertionError(what + ": " + watched.state() + "\nThe stack is the loop's.");
        error.setStackTrace(thread.getStackTrace());
        watched.stop();
        return error;
    }

    /** Throws any error as it is; the type says only that the call does not return. */
    public static RuntimeException sneaky(Throwable error) {
        return Guarded.<RuntimeException>thrown(error);
    }

    @SuppressWarnings("unchecked")
    private static <E extends Throwable> RuntimeException thrown(Throwable error) throws E {
        throw (E) error;
    }
}
