package org.trueasync;

import java.util.Map;
import java.util.Objects;
import org.trueasync.internal.iterate.Iterating;

/**
 * The part of {@link Async} that runs over the items of a source, in a file of its own; use it as {@code Async}.
 *
 * <p>Public because reflection refuses static methods that a public class inherits from one that is not.
 *
 * <p>Loop thread only.
 */
public abstract sealed class IterateSource extends Spawns permits AwaitSeveral {
    IterateSource() {}

    /**
     * As {@link #iterate(Iterable, IterateAction, int, boolean)}, with any number of actions in progress; coroutines
     * that actions have spawned are cancelled in the end.
     *
     * @param source the items
     * @param action called for each item
     */
    public static <E> void iterate(Iterable<? extends E> source, IterateAction<? super E> action) {
        Iterating.iterate(source, action, 0, true, null);
    }

    /**
     * As {@link #iterate(Iterable, IterateAction, int, boolean)}; coroutines that actions have spawned are cancelled in
     * the end.
     *
     * @param source the items
     * @param action called for each item
     * @param concurrency how many actions may be in progress, >= 0; 0 for no limit
     */
    public static <E> void iterate(Iterable<? extends E> source, IterateAction<? super E> action, int concurrency) {
        Iterating.iterate(source, action, concurrency, true, null);
    }

    /**
     * Calls an action for each item. Returns when all calls have ended, and all coroutines that they have spawned. One
     * coroutine takes the items and calls the action; while the action waits, another one goes on with the next item.
     * So actions that wait overlap, and an action that does not wait costs no coroutine of its own. Items are taken in
     * order, one at a time, even if taking one waits.
     *
     * <p>When an action returns false, no further items are taken; the actions in progress run to their end. When an
     * action or the source throws, no further items are taken either, and the other actions are cancelled. When they
     * have ended, that error is thrown, a checked exception as the cause of a
     * {@link java.util.concurrent.CompletionException}. Coroutines that the actions spawn belong to this call: an
     * unobserved error of one of them ends the call in the same way. Cancelling the caller cancels the actions.
     *
     * @param source the items: of a collection, those that it has now; anything else is pulled as needed
     * @param action called for each item, in coroutines of a scope of their own
     * @param concurrency how many actions may be in progress, >= 0; 0 for no limit
     * @param cancelPending whether coroutines that the actions have spawned are cancelled when all actions have ended,
     *     or awaited
     * @throws IllegalArgumentException if the concurrency is negative
     * @throws AsyncException outside a coroutine, or if the caller's scope has been cancelled
     * @throws AsyncCancellation if the caller was cancelled; the actions have ended then
     */
    public static <E> void iterate(
            Iterable<? extends E> source, IterateAction<? super E> action, int concurrency, boolean cancelPending) {
        Iterating.iterate(source, action, concurrency, cancelPending, null);
    }

    /**
     * As {@link #iterate(Iterable, IterateAction, int, boolean)}; cancelled when the token ends.
     *
     * @param source the items
     * @param action called for each item
     * @param concurrency how many actions may be in progress, >= 0; 0 for no limit
     * @param cancelPending whether coroutines that the actions have spawned are cancelled in the end, or awaited
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call; the actions have ended
     *     then
     */
    public static <E> void iterate(
            Iterable<? extends E> source,
            IterateAction<? super E> action,
            int concurrency,
            boolean cancelPending,
            Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        Iterating.iterate(source, action, concurrency, cancelPending, cancellation);
    }

    /**
     * As {@link #iterate(Map, IterateEntryAction, int, boolean)}, with any number of actions in progress; coroutines
     * that actions have spawned are cancelled in the end.
     *
     * @param source the entries
     * @param action called for each entry
     */
    public static <K, V> void iterate(Map<K, V> source, IterateEntryAction<? super K, ? super V> action) {
        Iterating.iterate(source, action, 0, true, null);
    }

    /**
     * As {@link #iterate(Map, IterateEntryAction, int, boolean)}; coroutines that actions have spawned are cancelled in
     * the end.
     *
     * @param source the entries
     * @param action called for each entry
     * @param concurrency how many actions may be in progress, >= 0; 0 for no limit
     */
    public static <K, V> void iterate(
            Map<K, V> source, IterateEntryAction<? super K, ? super V> action, int concurrency) {
        Iterating.iterate(source, action, concurrency, true, null);
    }

    /**
     * As {@link #iterate(Iterable, IterateAction, int, boolean)}, for the entries that a map has now.
     *
     * @param source the entries
     * @param action gets the value and the key of each
     * @param concurrency how many actions may be in progress, >= 0; 0 for no limit
     * @param cancelPending whether coroutines that the actions have spawned are cancelled when all actions have ended,
     *     or awaited
     * @throws IllegalArgumentException if the concurrency is negative
     */
    public static <K, V> void iterate(
            Map<K, V> source, IterateEntryAction<? super K, ? super V> action, int concurrency, boolean cancelPending) {
        Iterating.iterate(source, action, concurrency, cancelPending, null);
    }

    /**
     * As {@link #iterate(Map, IterateEntryAction, int, boolean)}; cancelled when the token ends.
     *
     * @param source the entries
     * @param action gets the value and the key of each
     * @param concurrency how many actions may be in progress, >= 0; 0 for no limit
     * @param cancelPending whether coroutines that the actions have spawned are cancelled in the end, or awaited
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call; the actions have ended
     *     then
     */
    public static <K, V> void iterate(
            Map<K, V> source,
            IterateEntryAction<? super K, ? super V> action,
            int concurrency,
            boolean cancelPending,
            Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        Iterating.iterate(source, action, concurrency, cancelPending, cancellation);
    }
}
