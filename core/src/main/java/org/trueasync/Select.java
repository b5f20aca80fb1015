package org.trueasync;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.trueasync.internal.channel.Selection;

/**
 * Waits for the first of several operations, exactly one of which takes effect, and does what follows it.
 *
 * {@snippet class="org.trueasync.snippets.CoordinationTest" region="select" :
 * String news = Select.<String>of()
 *         .receive(orders, order -> "order " + order)
 *         .send(replies, "ready", () -> "reply sent")
 *         .await(stopped, why -> "stopped: " + why)
 *         .onTimeout(Duration.ofSeconds(1), () -> "nothing new")
 *         .select();
 * }
 *
 * <p>If several need not wait, the one that was declared first is taken: put first what matters most. If all must wait, the first that happens is taken, and
 * in each channel's line this coroutine has its place by the time of arrival, like everybody. The others leave no trace: no value is
 * received, none is sent. What follows runs in the calling coroutine, after the operation, and may wait.
 *
 * <p>It may be used again, by one coroutine at a time. Loop thread only, except {@code of}.
 *
 * @param <R> what all branches come to
 */
public final class Select<R> {
    private final Selection selection = new Selection();

    private Select() {}

    /** One without operations. */
    public static <R> Select<R> of() {
        return new Select<>();
    }

    /**
     * What follows an operation that brings a value.
     *
     * @param <T> type of the value
     * @param <R> type of the result
     */
    @FunctionalInterface
    public interface Branch<T, R> {
        /**
         * Does it.
         *
         * @param value what the operation brought
         * @return the result of the select
         * @throws Exception passed on; a checked one as the cause of a {@link java.util.concurrent.CompletionException}
         */
        R then(T value) throws Exception;
    }

    /**
     * Receives from a channel. If it is closed and empty, that counts as having happened: {@link ChannelException} is thrown.
     *
     * @param channel where from
     * @param branch gets the value
     */
    public <T> Select<R> receive(Channel<T> channel, Branch<? super T, ? extends R> branch) {
        selection.receive(channel.core(), action(branch), null);
        return this;
    }

    /**
     * As {@link #receive(Channel, Branch)}, with a branch of its own for a channel that is closed and empty.
     *
     * @param channel where from
     * @param branch gets the value
     * @param closed gets the error that would be thrown otherwise
     */
    public <T> Select<R> receive(
            Channel<T> channel,
            Branch<? super T, ? extends R> branch,
            Branch<? super ChannelException, ? extends R> closed) {
        selection.receive(channel.core(), action(branch), action(closed));
        return this;
    }

    /**
     * Sends to a channel. If it is closed, that counts as having happened: {@link ChannelException} is thrown.
     *
     * @param channel where to
     * @param value the value, may be null
     * @param branch follows once it has been sent
     */
    public <T> Select<R> send(Channel<T> channel, T value, Callable<? extends R> branch) {
        Objects.requireNonNull(branch, "branch");
        selection.send(channel.core(), value, ignored -> branch.call());
        return this;
    }

    /**
     * Waits for the end of something. If that is an error, it is thrown.
     *
     * @param one what to wait for
     * @param branch gets its value
     */
    public <T> Select<R> await(Completable<T> one, Branch<? super T, ? extends R> branch) {
        selection.await(Objects.requireNonNull(one, "what to await"), action(branch));
        return this;
    }

    /**
     * Waits for a time, counted from the beginning of the wait.
     *
     * @param time >= 0; with zero the select does not wait, as with {@link #otherwise}
     * @param branch follows if nothing else has happened until then
     * @throws IllegalArgumentException if the time is negative
     */
    public Select<R> onTimeout(Duration time, Callable<? extends R> branch) {
        Objects.requireNonNull(branch, "branch");
        selection.after(time, ignored -> branch.call());
        return this;
    }

    /**
     * Makes the select one that does not wait.
     *
     * @param branch follows if every operation would have to wait
     */
    public Select<R> otherwise(Callable<? extends R> branch) {
        Objects.requireNonNull(branch, "branch");
        selection.otherwise(ignored -> branch.call());
        return this;
    }

    /**
     * Chooses, and does what follows.
     *
     * @return what the branch returns
     * @throws AsyncCancellation if the coroutine was cancelled while it waited; then nothing has taken effect
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // a branch may return null; R says whether it may
    public R select() {
        return (R) selection.select(null);
    }

    /**
     * As {@link #select()}, given up when a token fires.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token fired first; then nothing has taken effect
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // as above
    public R select(Completable<?> cancellation) {
        return (R) selection.select(Objects.requireNonNull(cancellation, "cancellation"));
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the operation's value is a T, null where T may be
    private static <T> Selection.Action action(Branch<T, ?> branch) {
        Objects.requireNonNull(branch, "branch");
        return value -> branch.then((T) value);
    }
}
