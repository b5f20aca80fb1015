package org.trueasync.testkit;

import java.util.Objects;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.Coroutine;

/**
 * Simulates the world outside of a run in virtual time: answers of a server, bytes that arrive, a user who cancels. In
 * a plain run everything completes when the loop polls next, at the latest when no coroutine is ready, in the order of
 * the calls. In an exploration with {@link Vary#COMPLETIONS} the seed decides the order and the moment, which may be
 * between any two steps of the coroutines, and whether a timeout comes first.
 *
 * <p>Called inside a run, on its loop thread; elsewhere each method throws an {@link org.trueasync.AsyncException}.
 */
public final class Outside {
    private Outside() {}

    /**
     * Begins something that the world outside completes with a value, whether or not a coroutine waits for it.
     *
     * @param value the value that it completes with
     * @return the pending completion, to be awaited or cancelled
     */
    public static <T> Completable<T> completes(@Nullable T value) {
        return OutsideEvent.begin(VirtualTime.reactor("Outside.completes"), value, null);
    }

    /**
     * As {@link #completes}, but with an error.
     *
     * @param error thrown to the awaiting coroutine; a checked exception as the cause of a {@link CompletionException}
     */
    public static <T> Completable<T> fails(Throwable error) {
        Objects.requireNonNull(error, "error");
        Throwable thrown =
                error instanceof RuntimeException || error instanceof Error ? error : new CompletionException(error);
        return OutsideEvent.begin(VirtualTime.reactor("Outside.fails"), null, thrown);
    }

    /**
     * Begins something that the world outside does: the action runs in a new coroutine, at the moment when it happens.
     * The run waits for that coroutine.
     *
     * @param action what happens: a cancellation, for instance
     * @return the action's coroutine
     */
    public static Coroutine<?> happens(Body action) {
        Objects.requireNonNull(action, "action");
        Completable<?> moment = completes(null);
        return Async.spawn((Body) () -> {
            try {
                Async.await(moment);
            } catch (AsyncCancellation e) {
                moment.cancel();
                throw e;
            }
            action.run();
        });
    }
}
