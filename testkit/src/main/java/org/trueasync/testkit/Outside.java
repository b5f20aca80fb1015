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
 * The world outside of a run in virtual time: answers of a server, bytes that arrive, a user who gives up. In a plain run everything completes as
 * soon as nobody is ready, in the order of asking. In an exploration with {@link Vary#COMPLETIONS} the seed decides: about the order, about the
 * moment, also in the middle of what the coroutines do, and whether a timeout comes first.
 *
 * <p>From inside of a run, on its loop.
 */
public final class Outside {
    private Outside() {}

    /**
     * Something that the world outside completes with a value: under way from now on, whether or not anybody waits for it.
     *
     * @param value what it brings
     * @return to be awaited, or to be cancelled
     */
    public static <T> Completable<T> completes(@Nullable T value) {
        return OutsideEvent.begin(VirtualTime.reactor("Outside.completes"), value, null);
    }

    /**
     * As {@link #completes}, with an error.
     *
     * @param error what the awaiter sees thrown; a checked exception as the cause of a {@link CompletionException}
     */
    public static <T> Completable<T> fails(Throwable error) {
        Objects.requireNonNull(error, "error");
        Throwable thrown =
                error instanceof RuntimeException || error instanceof Error ? error : new CompletionException(error);
        return OutsideEvent.begin(VirtualTime.reactor("Outside.fails"), null, thrown);
    }

    /**
     * Something that the world outside does: the action runs in a coroutine of its own, which begins when it happens. The run waits for it.
     *
     * @param action what happens: a cancellation, for instance
     * @return its coroutine
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
