package org.trueasync;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.CompletionStage;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.AwaitingSeveral;
import org.trueasync.internal.await.StageEvent;
import org.trueasync.internal.kernel.Runtimes;

/**
 * The part of {@link Async} that waits for several things, in a file of its own; use it as {@code Async}. All forms
 * have the same rules, which the guide explains. Members may come from a collection, a map or a lazy source. A member
 * that has ended already counts at once; of several such members, the first one in the input comes first. A checked
 * exception of a member appears as the cause of a {@link java.util.concurrent.CompletionException}. If a lazy source
 * throws, the wait ends at once and throws that error. Members that are not needed for the result go on, and the call
 * has unsubscribed from them when it returns. With {@link AwaitOption#PARTIAL} a form with a token returns the outcomes
 * so far when the token ends, and throws no {@link OperationCanceledException}.
 *
 * <p>Public because reflection refuses static methods that a public class inherits from one that is not.
 *
 * <p>Loop thread only, except {@code lazily}.
 */
public abstract sealed class AwaitSeveral extends IterateSource permits Async {
    AwaitSeveral() {}

    // ---- all

    /**
     * Waits until all have ended; no error of theirs is thrown.
     *
     * @param all what to wait for
     * @param options how the outcomes are shown
     */
    public static <T> Outcomes<Integer, T> awaitAll(
            Iterable<? extends Completable<? extends T>> all, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAll", AwaitingSeveral.ALL, all, null)
                .outcomes(options);
    }

    /**
     * As {@link #awaitAll(Iterable, AwaitOption...)}; gives up when the token ends.
     *
     * @param all what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> Outcomes<Integer, T> awaitAll(
            Iterable<? extends Completable<? extends T>> all, Completable<?> cancellation, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAll", AwaitingSeveral.ALL, all, token(cancellation), options)
                .outcomes(options);
    }

    /**
     * As {@link #awaitAll(Iterable, AwaitOption...)}. A token in the arguments is only one more member to wait for: to
     * give up when it ends, pass a list and a token.
     *
     * @param first what to wait for
     * @param more what to wait for as well
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // read only
    public static <T> Outcomes<Integer, T> awaitAll(Completable<? extends T> first, Completable<? extends T>... more) {
        return AwaitingSeveral.settled("Async.awaitAll", AwaitingSeveral.ALL, listed(first, more), null)
                .outcomes();
    }

    /**
     * As {@link #awaitAll(Iterable, AwaitOption...)}, by the keys of the input.
     *
     * @param all what to wait for
     * @param options how the outcomes are shown
     */
    public static <K, T> Outcomes<K, T> awaitAll(
            Map<K, ? extends Completable<? extends T>> all, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAll", AwaitingSeveral.ALL, all, null)
                .outcomes(options);
    }

    /**
     * As {@link #awaitAll(Map, AwaitOption...)}; gives up when the token ends.
     *
     * @param all what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <K, T> Outcomes<K, T> awaitAll(
            Map<K, ? extends Completable<? extends T>> all, Completable<?> cancellation, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAll", AwaitingSeveral.ALL, all, token(cancellation), options)
                .outcomes(options);
    }

    // ---- all values

    /**
     * Waits until all have ended and returns their values, in the order of the input. The first error, in the order of
     * ending, is thrown at once; the other members go on.
     *
     * @param all what to wait for
     * @param options how the outcomes are shown
     */
    public static <T> List<T> awaitAllOrFail(Iterable<? extends Completable<? extends T>> all, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAllOrFail", AwaitingSeveral.ALL, all, null)
                .values(options);
    }

    /**
     * As {@link #awaitAllOrFail(Iterable, AwaitOption...)}; gives up when the token ends.
     *
     * @param all what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> List<T> awaitAllOrFail(
            Iterable<? extends Completable<? extends T>> all, Completable<?> cancellation, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAllOrFail", AwaitingSeveral.ALL, all, token(cancellation), options)
                .values(options);
    }

    /**
     * As {@link #awaitAllOrFail(Iterable, AwaitOption...)}. A token in the arguments is only one more member to wait
     * for: to give up when it ends, pass a list and a token.
     *
     * @param first what to wait for
     * @param more what to wait for as well
     */
    @SafeVarargs
    @SuppressWarnings("varargs") // read only
    public static <T> List<T> awaitAllOrFail(Completable<? extends T> first, Completable<? extends T>... more) {
        return AwaitingSeveral.succeeded("Async.awaitAllOrFail", AwaitingSeveral.ALL, listed(first, more), null)
                .values();
    }

    /**
     * As {@link #awaitAllOrFail(Iterable, AwaitOption...)}, by the keys of the input.
     *
     * @param all what to wait for
     * @param options how the outcomes are shown
     */
    public static <K, T> Map<K, T> awaitAllOrFail(
            Map<K, ? extends Completable<? extends T>> all, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAllOrFail", AwaitingSeveral.ALL, all, null)
                .<K, T>outcomes(options)
                .results();
    }

    /**
     * As {@link #awaitAllOrFail(Map, AwaitOption...)}; gives up when the token ends.
     *
     * @param all what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <K, T> Map<K, T> awaitAllOrFail(
            Map<K, ? extends Completable<? extends T>> all, Completable<?> cancellation, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAllOrFail", AwaitingSeveral.ALL, all, token(cancellation), options)
                .<K, T>outcomes(options)
                .results();
    }

    // ---- the first

    /**
     * Returns the value of the first member that ends, or throws its error. Null if there are no members.
     *
     * @param any what to wait for
     */
    public static <T> @Nullable T awaitAnyOrFail(Iterable<? extends Completable<? extends T>> any) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOrFail", 1, any, null).first();
    }

    /**
     * As {@link #awaitAnyOrFail(Iterable)}; gives up when the token ends.
     *
     * @param any what to wait for
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> @Nullable T awaitAnyOrFail(
            Iterable<? extends Completable<? extends T>> any, Completable<?> cancellation) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOrFail", 1, any, token(cancellation))
                .first();
    }

    /**
     * As {@link #awaitAnyOrFail(Iterable)}, by the keys of the input.
     *
     * @param any what to wait for
     */
    public static <K, T> @Nullable T awaitAnyOrFail(Map<K, ? extends Completable<? extends T>> any) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOrFail", 1, any, null).first();
    }

    /**
     * As {@link #awaitAnyOrFail(Map)}; gives up when the token ends.
     *
     * @param any what to wait for
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <K, T> @Nullable T awaitAnyOrFail(
            Map<K, ? extends Completable<? extends T>> any, Completable<?> cancellation) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOrFail", 1, any, token(cancellation))
                .first();
    }

    // ---- the first value

    /**
     * Waits until one has succeeded, or all have failed; no error of theirs is thrown.
     *
     * @param any what to wait for
     */
    public static <T> FirstSuccess<T> awaitFirstSuccess(Iterable<? extends Completable<? extends T>> any) {
        return AwaitingSeveral.settled("Async.awaitFirstSuccess", 1, any, null).firstSuccess();
    }

    /**
     * As {@link #awaitFirstSuccess(Iterable)}; gives up when the token ends.
     *
     * @param any what to wait for
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> FirstSuccess<T> awaitFirstSuccess(
            Iterable<? extends Completable<? extends T>> any, Completable<?> cancellation) {
        return AwaitingSeveral.settled("Async.awaitFirstSuccess", 1, any, token(cancellation))
                .firstSuccess();
    }

    /**
     * As {@link #awaitFirstSuccess(Iterable)}, by the keys of the input.
     *
     * @param any what to wait for
     */
    public static <K, T> FirstSuccess<T> awaitFirstSuccess(Map<K, ? extends Completable<? extends T>> any) {
        return AwaitingSeveral.settled("Async.awaitFirstSuccess", 1, any, null).firstSuccess();
    }

    /**
     * As {@link #awaitFirstSuccess(Map)}; gives up when the token ends.
     *
     * @param any what to wait for
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <K, T> FirstSuccess<T> awaitFirstSuccess(
            Map<K, ? extends Completable<? extends T>> any, Completable<?> cancellation) {
        return AwaitingSeveral.settled("Async.awaitFirstSuccess", 1, any, token(cancellation))
                .firstSuccess();
    }

    // ---- some

    /**
     * Waits until {@code count} members have succeeded, or all have ended; no error of theirs is thrown. Returns the
     * outcomes of the members that have ended by then.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param options how the outcomes are shown
     * @throws IllegalArgumentException if the count is negative
     */
    public static <T> Outcomes<Integer, T> awaitAnyOf(
            int count, Iterable<? extends Completable<? extends T>> any, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAnyOf", count, any, null).outcomes(options);
    }

    /**
     * As {@link #awaitAnyOf(int, Iterable, AwaitOption...)}; gives up when the token ends.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> Outcomes<Integer, T> awaitAnyOf(
            int count,
            Iterable<? extends Completable<? extends T>> any,
            Completable<?> cancellation,
            AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAnyOf", count, any, token(cancellation), options)
                .outcomes(options);
    }

    /**
     * As {@link #awaitAnyOf(int, Iterable, AwaitOption...)}, by the keys of the input.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param options how the outcomes are shown
     */
    public static <K, T> Outcomes<K, T> awaitAnyOf(
            int count, Map<K, ? extends Completable<? extends T>> any, AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAnyOf", count, any, null).outcomes(options);
    }

    /**
     * As {@link #awaitAnyOf(int, Map, AwaitOption...)}; gives up when the token ends.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <K, T> Outcomes<K, T> awaitAnyOf(
            int count,
            Map<K, ? extends Completable<? extends T>> any,
            Completable<?> cancellation,
            AwaitOption... options) {
        return AwaitingSeveral.settled("Async.awaitAnyOf", count, any, token(cancellation), options)
                .outcomes(options);
    }

    // ---- some values

    /**
     * Returns the values of the first {@code count} members that succeed, in the order of the input. An error before
     * that is thrown at once.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param options how the outcomes are shown
     * @throws IllegalArgumentException if the count is negative
     */
    public static <T> List<T> awaitAnyOfOrFail(
            int count, Iterable<? extends Completable<? extends T>> any, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOfOrFail", count, any, null)
                .values(options);
    }

    /**
     * As {@link #awaitAnyOfOrFail(int, Iterable, AwaitOption...)}; gives up when the token ends.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <T> List<T> awaitAnyOfOrFail(
            int count,
            Iterable<? extends Completable<? extends T>> any,
            Completable<?> cancellation,
            AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOfOrFail", count, any, token(cancellation), options)
                .values(options);
    }

    /**
     * As {@link #awaitAnyOfOrFail(int, Iterable, AwaitOption...)}, by the keys of the input.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param options how the outcomes are shown
     */
    public static <K, T> Map<K, T> awaitAnyOfOrFail(
            int count, Map<K, ? extends Completable<? extends T>> any, AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOfOrFail", count, any, null)
                .<K, T>outcomes(options)
                .results();
    }

    /**
     * As {@link #awaitAnyOfOrFail(int, Map, AwaitOption...)}; gives up when the token ends.
     *
     * @param count how many, >= 0; with fewer members, all
     * @param any what to wait for
     * @param cancellation the token
     * @param options how the outcomes are shown
     * @throws OperationCanceledException if the token ended first; its error is the cause
     */
    public static <K, T> Map<K, T> awaitAnyOfOrFail(
            int count,
            Map<K, ? extends Completable<? extends T>> any,
            Completable<?> cancellation,
            AwaitOption... options) {
        return AwaitingSeveral.succeeded("Async.awaitAnyOfOrFail", count, any, token(cancellation), options)
                .<K, T>outcomes(options)
                .results();
    }

    // ---- members for these waits

    /**
     * Makes a lazy source for these waits from a stream. A helper coroutine takes its elements while the wait goes on;
     * making an element may suspend. The source can be used once.
     *
     * @param source the stream, for instance of coroutines that it spawns one after the other
     */
    @SuppressWarnings("StreamToIterable") // it may be used once, as documented
    public static <M> Iterable<M> lazily(Stream<M> source) {
        Objects.requireNonNull(source, "source");
        return () -> source.iterator();
    }

    /**
     * As {@link #lazily(Stream)}, for the elements of an iterator. The source can be used once.
     *
     * @param source the iterator; the wait uses it alone
     */
    public static <M> Iterable<M> lazily(Iterator<M> source) {
        Objects.requireNonNull(source, "source");
        return () -> source;
    }

    /**
     * As {@link #lazily(Stream)}, for a collection whose iteration suspends. An {@code Iterable} that is no collection
     * is a lazy source by itself.
     *
     * @param source the collection
     */
    public static <M> Iterable<M> lazily(Iterable<M> source) {
        Objects.requireNonNull(source, "source");
        return () -> source.iterator();
    }

    /**
     * Returns a stage as a {@code Completable}, to await it among others or to use it as a token. Cancelling it also
     * cancels the stage's {@code CompletableFuture}, if it has one. All its methods are for the loop thread only.
     *
     * @param foreign any stage
     * @throws AsyncException outside a runtime
     */
    public static <T> Completable<T> completable(CompletionStage<T> foreign) {
        Objects.requireNonNull(foreign, "foreign");
        return StageEvent.completable(Runtimes.here("Async.completable"), foreign);
    }

    private static <T> List<Completable<? extends T>> listed(
            Completable<? extends T> first, Completable<? extends T>[] more) {
        var all = new ArrayList<Completable<? extends T>>(more.length + 1);
        all.add(first);
        for (Completable<? extends T> member : more) all.add(member);
        return all;
    }

    private static Completable<?> token(Completable<?> cancellation) {
        return Objects.requireNonNull(cancellation, "cancellation");
    }
}
