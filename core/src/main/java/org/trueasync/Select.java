package org.trueasync;

import java.time.Duration;
import java.util.Objects;
import java.util.concurrent.Callable;
import org.trueasync.internal.channel.ChannelCore;
import org.trueasync.internal.channel.Selection;

/**
 * Waits for the first of several operations and runs its branch. At most one of the operations takes effect: none if
 * this wait throws.
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
 * <p>If several operations need not wait, the one that was declared first is taken: declare the most important one
 * first. If all must wait, the first that can happen is taken; in each channel's wait queue this coroutine has its
 * place by the time of arrival, like any other. The other operations have no effect: no value is received or sent. The
 * branch runs in the calling coroutine, after the operation, and may wait.
 *
 * <p>It may be used again, by one coroutine at a time. Loop thread only, except {@code of}.
 *
 * @param <R> type of the result of all branches
 */
public final class Select<R> {
    private final Selection selection = new Selection();

    private Select() {}

    /** Creates a select without operations. */
    public static <R> Select<R> of() {
        return new Select<>();
    }

    /**
     * The code that runs after an operation that has a value.
     *
     * @param <T> type of the value
     * @param <R> type of the result
     */
    @FunctionalInterface
    public interface Branch<T, R> {
        /**
         * Runs the branch.
         *
         * @param value the value of the operation
         * @return the result of the select
         * @throws Exception thrown by the select; a checked exception as the cause of a
         *     {@link java.util.concurrent.CompletionException}
         */
        R then(T value) throws Exception;
    }

    /**
     * Adds a receive from a channel. If the channel is closed and empty, the operation happens and throws
     * {@link ChannelException}.
     *
     * @param channel the channel to receive from
     * @param branch gets the value
     */
    public <T> Select<R> receive(Channel<T> channel, Branch<? super T, ? extends R> branch) {
        selection.receive(core(channel), action(branch), null);
        return this;
    }

    /**
     * As {@link #receive(Channel, Branch)}, with a second branch for a channel that is closed and empty.
     *
     * @param channel the channel to receive from
     * @param branch gets the value
     * @param closed gets the error that would be thrown otherwise
     */
    public <T> Select<R> receive(
            Channel<T> channel,
            Branch<? super T, ? extends R> branch,
            Branch<? super ChannelException, ? extends R> closed) {
        selection.receive(core(channel), action(branch), action(closed));
        return this;
    }

    /**
     * Adds a send to a channel. If the channel is closed, the operation happens and throws {@link ChannelException}.
     *
     * @param channel the channel to send to
     * @param value the value, may be null
     * @param branch runs after the send
     */
    public <T> Select<R> send(Channel<T> channel, T value, Callable<? extends R> branch) {
        Objects.requireNonNull(branch, "branch");
        selection.send(core(channel), value, ignored -> branch.call());
        return this;
    }

    /**
     * Adds a wait for the end of something. If it ends with an error, the select throws that.
     *
     * @param awaited what to wait for
     * @param branch gets its value
     */
    public <T> Select<R> await(Completable<T> awaited, Branch<? super T, ? extends R> branch) {
        selection.await(Objects.requireNonNull(awaited, "what to await"), action(branch));
        return this;
    }

    /**
     * Adds a timeout, counted from the beginning of the wait.
     *
     * @param time >= 0; with zero the select does not wait, as with {@link #otherwise}
     * @param branch runs if no other operation has happened by then
     * @throws IllegalArgumentException if the time is negative
     */
    public Select<R> onTimeout(Duration time, Callable<? extends R> branch) {
        Objects.requireNonNull(branch, "branch");
        selection.after(time, ignored -> branch.call());
        return this;
    }

    /**
     * Makes the select not wait.
     *
     * @param branch runs if every operation would have to wait
     * @throws IllegalStateException if the select has such a branch already
     */
    public Select<R> otherwise(Callable<? extends R> branch) {
        Objects.requireNonNull(branch, "branch");
        selection.otherwise(ignored -> branch.call());
        return this;
    }

    /**
     * Waits for the first operation and runs its branch. What the operation or the branch throws is thrown, a checked
     * exception as the cause of a {@link java.util.concurrent.CompletionException}.
     *
     * @return what the branch returns
     * @throws IllegalStateException if the select has no operation, no timeout and no {@link #otherwise}
     * @throws AsyncException if another coroutine waits with this select, or outside a coroutine
     * @throws AsyncCancellation if the coroutine was cancelled while it waited; then nothing has taken effect
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // a branch may return null; R says whether it may
    public R select() {
        return (R) selection.select(null);
    }

    /**
     * As {@link #select()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws OperationCanceledException if the token ended first, or had ended before the call, even if an operation
     *     need not wait; then nothing has taken effect
     */
    @SuppressWarnings({"unchecked", "NullAway"}) // as above
    public R select(Completable<?> cancellation) {
        return (R) selection.select(Objects.requireNonNull(cancellation, "cancellation"));
    }

    private static ChannelCore core(Channel<?> channel) {
        return Objects.requireNonNull(channel, "channel").core();
    }

    @SuppressWarnings({"unchecked", "NullAway"}) // the operation's value is a T, null where T may be
    private static <T> Selection.Action action(Branch<T, ?> branch) {
        Objects.requireNonNull(branch, "branch");
        return value -> branch.then((T) value);
    }
}
