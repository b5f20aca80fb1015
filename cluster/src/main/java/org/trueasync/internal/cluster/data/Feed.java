package org.trueasync.internal.cluster.data;

import com.hazelcast.core.HazelcastException;
import com.hazelcast.core.HazelcastInstanceNotActiveException;
import java.util.UUID;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import java.util.function.Consumer;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.Completable;
import org.trueasync.ThreadChannel;
import org.trueasync.ThreadChannelException;
import org.trueasync.cluster.ClusterException;
import org.trueasync.spi.SchedulerProvider;

/**
 * A subscription of this member. The engine's threads put values into a bounded backlog, and coroutines of this member
 * receive them from there. Neither an engine's thread nor another member waits for a slow coroutine.
 *
 * <p>Loop thread only, except where it says otherwise.
 *
 * @param <T> type of the values
 */
public final class Feed<T> {
    private final ThreadChannel<Object> backlog;
    private final boolean dropping;
    private final String what;
    private final Function<Object, T> reader;
    private final Consumer<UUID> deregister;
    private final Consumer<Feed<?>> forget;
    private final AtomicLong missed = new AtomicLong();
    private @Nullable UUID registration;
    private volatile boolean closed;

    Feed(
            int backlog,
            boolean dropping,
            String what,
            Function<Object, T> reader,
            Consumer<UUID> deregister,
            Consumer<Feed<?>> forget) {
        if (backlog < 1) throw new IllegalArgumentException("backlog must be >= 1, got " + backlog);
        this.backlog = new ThreadChannel<>(what, backlog);
        this.dropping = dropping;
        this.what = what;
        this.reader = reader;
        this.deregister = deregister;
        this.forget = forget;
    }

    void begin(Function<Consumer<Object>, UUID> register) {
        registration = engineCall(() -> register.apply(this::add));
    }

    /**
     * Adds a value to the backlog. If there is no room, counts the value, and ends the feed unless it drops values. On
     * the engine's threads.
     */
    private void add(Object arrived) {
        if (closed || backlog.trySend(arrived) || backlog.isClosed()) return;
        missed.incrementAndGet();
        if (!dropping) backlog.close();
    }

    /**
     * Waits for the next value, and returns it.
     *
     * @param token gives the wait up; null for none
     */
    public T receive(@Nullable Completable<?> token) {
        Object arrived;
        try {
            arrived = token == null ? backlog.receive() : backlog.receive(token);
        } catch (ThreadChannelException e) {
            throw end(e);
        }
        return reader.apply(arrived);
    }

    private ClusterException end(ThreadChannelException cause) {
        if (!closed && missed.get() > 0)
            return new ClusterException(
                    what + " has ended: this member was too slow, " + backlog.capacity()
                            + " messages waited when one more came",
                    cause);
        return new ClusterException(what + " is closed", cause);
    }

    /**
     * True if the error means only that this feed was closed.
     *
     * @param thrown the error that {@link #receive} has thrown
     */
    public boolean isOver(ClusterException thrown) {
        return closed && thrown.getCause() instanceof ThreadChannelException;
    }

    /** True once the feed was closed, or its member has begun to leave. Any thread. */
    public boolean isClosed() {
        return closed;
    }

    /** Returns how many values found no room. Any thread. */
    public long missed() {
        return missed.get();
    }

    /** Ends the subscription, and waits until the engine has removed it. */
    public void close() {
        if (closed) return;
        end();
        UUID known = registration;
        if (known == null) return;
        // Protected from a pending cancellation: otherwise the engine would go on bringing values that nobody takes.
        SchedulerProvider.get()
                .shield(() -> engineCall(() -> {
                    try {
                        deregister.accept(known);
                    } catch (HazelcastInstanceNotActiveException e) {
                        // The member has left the cluster meanwhile: the engine has no subscription any more.
                    }
                    return known;
                }));
    }

    /** Ends the feed, but not the engine's subscription. Values in the backlog can still be received. Any thread. */
    void end() {
        closed = true;
        backlog.close();
        forget.accept(this);
    }

    private UUID engineCall(Callable<UUID> call) {
        try {
            return Async.blocking(call);
        } catch (HazelcastInstanceNotActiveException e) {
            throw new ClusterException(what + ": this member has left its cluster", e);
        } catch (HazelcastException e) {
            throw new ClusterException(what + ": " + e.getMessage(), e);
        }
    }

    @Override
    public String toString() {
        return what;
    }
}
