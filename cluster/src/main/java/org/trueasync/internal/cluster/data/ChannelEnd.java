package org.trueasync.internal.cluster.data;

import java.time.Duration;
import java.util.UUID;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.ChannelException;
import org.trueasync.CloseReason;
import org.trueasync.Completable;
import org.trueasync.OperationCanceledException;
import org.trueasync.Section;
import org.trueasync.cluster.ClusterException;
import org.trueasync.internal.cluster.EngineWaits;
import org.trueasync.spi.SchedulerProvider;

/**
 * A channel as one member sees it.
 *
 * <p>Loop thread only.
 */
public final class ChannelEnd {
    private final Shared shared;
    private final String name;
    private final int capacity;
    private final ReceiveSide receiving;
    private final SendSide sending;
    private @Nullable String closed;
    private boolean lost;

    /**
     * An end, which has not called the keeper yet.
     *
     * @param before the end of a lost channel of this name, or null: its calls may still be on their way, so the
     *     numbers go on
     */
    ChannelEnd(Shared shared, String name, int capacity, @Nullable ChannelEnd before) {
        this.shared = shared;
        this.name = name;
        this.capacity = capacity;
        receiving = new ReceiveSide(shared, this, before == null ? 0 : before.receiving.number());
        sending = new SendSide(shared, this, before == null ? 0 : before.sending.number());
    }

    /** Makes the channel if there is none. */
    void open() {
        UUID self = shared.self();
        ChannelReply reply = protectedCall(new OpenChannel(self, capacity), "open");
        if (reply.capacity != capacity)
            throw new ClusterException(toString() + " has room for " + reply.capacity + " values, not for " + capacity
                    + "; all members must ask for the same");
    }

    // ---- values

    /**
     * Sends a value.
     *
     * @param value any that can be serialised
     * @param token ends the wait, null for none
     */
    public void send(@Nullable Object value, @Nullable Completable<?> token) {
        EngineWaits.throwIfEnded(token);
        sending.send(shared.values().encode(value, toString()), token);
    }

    /**
     * Sends a value if there is room.
     *
     * @param value any that can be serialised
     */
    public boolean trySend(@Nullable Object value) {
        return sending.trySend(shared.values().encode(value, toString()));
    }

    /**
     * Returns the next value as bytes, for {@link #read}.
     *
     * @param token ends the wait, null for none
     */
    public byte[] receive(@Nullable Completable<?> token) {
        return receiving.receive(token);
    }

    /** Returns the next value as bytes, for {@link #read}; null if there is none. */
    public byte @Nullable [] tryReceive() {
        return receiving.tryReceive();
    }

    /**
     * Reads a value that was received.
     *
     * @param bytes of the value
     */
    public @Nullable Object read(byte[] bytes) {
        return shared.values().decode(bytes, toString());
    }

    // ---- state

    /**
     * Closes it for all members.
     *
     * @param why for messages
     */
    public void close(String why) {
        var call = new CloseChannel(shared.self(), why);
        // even if a cancellation is pending: others wait for it
        ChannelReply reply = SchedulerProvider.get().shield(() -> call(call, "close", null));
        if (reply.closed != null) closed(reply.closed);
    }

    /** Returns how many values there are. */
    public int size() {
        return protectedCall(new QueryChannel(shared.self()), "look at").size;
    }

    /** True once any member has closed it. */
    public boolean isClosed() {
        return closed != null || protectedCall(new QueryChannel(shared.self()), "look at").closed != null;
    }

    /** Returns how many values fit. */
    public int capacity() {
        return capacity;
    }

    /** Returns the name. */
    public String name() {
        return name;
    }

    boolean isLost() {
        return lost;
    }

    // ---- calls

    /** Called before this member sends: see {@link ReceiveSide#stopWaiting}. */
    void stopWaiting() {
        receiving.stopWaiting();
    }

    /**
     * Prepares to leave the cluster: waits for the answer of a send under way, then gives back the values that were not
     * received. Each of the two takes at most as long as the limit.
     */
    void leave(Duration limit) {
        if (lost) return;
        tryWithin(sending::finish, limit);
        tryWithin(receiving::handBack, limit);
    }

    private static void tryWithin(Consumer<Completable<?>> step, Duration limit) {
        try {
            step.accept(Async.timeout(limit));
        } catch (ClusterException | OperationCanceledException e) {
            // the member that keeps the channel does not answer, or it is lost
        }
    }

    /** Takes values that have come without a call of this member. */
    void arrived(Delivery delivery) {
        receiving.arrived(delivery);
    }

    private ChannelReply protectedCall(ChannelCall call, String what) {
        return Async.protect((Section<ChannelReply, RuntimeException>) () -> call(call, what, null));
    }

    ChannelReply call(ChannelCall call, String what, @Nullable Completable<?> token) {
        // by now there may be a new channel of this name, with an end of its own
        if (lost) throw Shared.lost(toString());
        ChannelReply reply = shared.call(SharedConfig.CHANNELS, name, call, token, what + " " + this);
        if (!reply.found) {
            lost = true;
            throw Shared.lost(toString());
        }
        shared.wakeUps().wake(reply.receivers, receiving.wakeUpKey());
        shared.wakeUps().wake(reply.senders, sending.wakeUpKey());
        return reply;
    }

    @Nullable
    String closedReason() {
        return closed;
    }

    /** Notes that the channel is closed; returns the error for its users. */
    ChannelException closed(String why) {
        closed = why;
        return new ChannelException(this + " is closed: " + why, CloseReason.EXPLICIT, null);
    }

    void refuseIfClosed() {
        if (closed != null) throw closed(closed);
    }

    @Override
    public String toString() {
        return "cluster channel '" + name + "'";
    }
}
