package org.trueasync.internal.cluster.data;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.FutureState;
import org.trueasync.Section;
import org.trueasync.internal.cluster.EngineWaits;

/**
 * The receiving side: this member's receivers from a channel, in the order of their calls. It never takes more values
 * than they want. A value whose receiver has been cancelled goes to the next one, or back to the keeper.
 */
final class ReceiveSide extends ChannelSide {
    private static final class Receiver {
        final FutureState<Boolean> done = new FutureState<Boolean>().ignore();
        byte @Nullable [] value;
    }

    private final ChannelEnd end;
    private final ArrayDeque<Receiver> queue = new ArrayDeque<>();
    /** Values for which no receiver is left here, in order; the next call gives them back to the keeper. */
    private final List<byte[]> back = new ArrayList<>();

    private long number;
    /** How many values have arrived, from the first call on. */
    private long seen;
    /** How many values the keeper still has to deliver to this member, as far as this member knows. */
    private long requested;

    /** True while a call is under way whose answer may set {@link #requested}. */
    private boolean isAsking;

    /** True if a call was given up that may have brought values. */
    private boolean isUnsure;

    /**
     * How many receivers have been given a value and have not run since. One that was cancelled meanwhile leaves the
     * value behind.
     */
    private int handedOver;

    ReceiveSide(Shared shared, ChannelEnd end, long number) {
        super(shared, end.name(), "receive ");
        this.end = end;
        this.number = number;
    }

    /** Returns the number of its last call. */
    long number() {
        return number;
    }

    byte[] receive(@Nullable Completable<?> token) {
        EngineWaits.throwIfEnded(token);
        var mine = new Receiver();
        queue.addLast(mine);
        stateChanged();
        try {
            if (token == null) Async.await(mine.done.future());
            else Async.await(mine.done.future(), token);
        } catch (AsyncCancellation e) {
            leave(mine);
            throw e;
        } finally {
            if (mine.value != null) handedOver--;
        }
        return Objects.requireNonNull(mine.value);
    }

    private void leave(Receiver mine) {
        byte[] unreceived = mine.value;
        if (unreceived == null) queue.remove(mine);
        else if (queue.isEmpty()) back.add(unreceived);
        else give(queue.removeFirst(), unreceived);
        stateChanged();
    }

    /** Returns a value if there is one now, else null. */
    byte @Nullable [] tryReceive() {
        if (!queue.isEmpty()) return null;
        List<byte[]> values = Async.protect((Section<List<byte[]>, RuntimeException>)
                () -> turns().withLock((Section<List<byte[]>, RuntimeException>) this::takeOne));
        if (values.isEmpty()) return null;
        // The others were on their way to a receiver that has left.
        take(values.subList(1, values.size()));
        stateChanged();
        return values.getFirst();
    }

    private List<byte[]> takeOne() {
        refuseIfLeaving();
        if (!queue.isEmpty()) return List.of();
        if (!back.isEmpty()) return List.of(back.removeFirst());
        var call = new TakeValues(shared.self(), ++number, 1, false, false, List.of(), seen);
        List<byte[]> values = fresh(end.call(call, "receive from", null));
        requested = 0; // with this call the member has left the queue
        return values;
    }

    /**
     * Called before this member sends. If all receivers have left, tells the keeper so and waits for the answer.
     * Otherwise the value might be delivered to this member, where no receiver waits for it.
     */
    void stopWaiting() {
        if (queue.isEmpty() && (requested > 0 || isAsking))
            turns().withLock(() -> {
                if (queue.isEmpty() && requested > 0) callKeeper(false);
            });
    }

    @Override
    boolean isWanted() {
        return !queue.isEmpty() || (!isLeaving() && (!back.isEmpty() || requested > 0));
    }

    /**
     * True if a receiver waits for which nothing was requested; if something was requested and no receiver is left; or
     * if there is something to give back.
     */
    @Override
    boolean isDue() {
        return !back.isEmpty() || queue.size() > requested || (queue.isEmpty() && requested > 0);
    }

    @Override
    void callKeeper(boolean passing) {
        refuseIfLeaving();
        while (!back.isEmpty() && !queue.isEmpty()) give(queue.removeFirst(), back.removeFirst());
        int wanted = queue.size();
        var call = new TakeValues(shared.self(), ++number, wanted, true, passing, List.copyOf(back), seen);
        back.clear();
        long before = seen;
        isAsking = wanted > 0;
        ChannelReply reply;
        try {
            reply = end.call(call, "receive from", null);
        } finally {
            isAsking = false;
        }
        take(fresh(reply));
        // Values that were delivered without a call meanwhile count as well.
        requested = Math.max(0, wanted - (seen - before));
        if (reply.closed != null && reply.size == 0 && back.isEmpty()) {
            requested = 0;
            fail(end.closed(reply.closed));
        }
    }

    /** Takes values that the keeper delivers without a call; at most as many as were requested. */
    void arrived(Delivery delivery) {
        if (!delivery.member().equals(shared.self())) return;
        if (delivery.before() > seen) {
            // Values before these are late or lost. The keeper still has them.
            shared.wakeUps().wake(wakeUpKey());
            return;
        }
        List<byte[]> values = fresh(delivery.before(), delivery.values());
        requested = Math.max(0, requested - values.size());
        take(values);
        stateChanged();
    }

    private void take(List<byte[]> values) {
        for (byte[] value : values) {
            Receiver next = queue.pollFirst();
            if (next != null) give(next, value);
            else back.add(value);
        }
    }

    private void give(Receiver receiver, byte[] value) {
        receiver.value = value;
        handedOver++;
        receiver.done.complete(true);
    }

    private List<byte[]> fresh(ChannelReply reply) {
        if (reply.before > seen) seen = reply.before; // a new keeper goes on from a copy that had counted more
        return fresh(reply.before, reply.values);
    }

    /** Returns the values that have not arrived before, and counts them. */
    private List<byte[]> fresh(long before, List<byte[]> values) {
        List<byte[]> fresh = values.subList((int) Math.min(values.size(), seen - before), values.size());
        seen += fresh.size();
        return fresh;
    }

    /**
     * Prepares to leave the cluster: gives back the values that no coroutine here has received, those on their way
     * included.
     *
     * @param token ends the waits
     */
    void handBack(Completable<?> token) {
        stopCalls();
        turns().lock(token);
        try {
            while (handedOver > 0) Async.suspend();
            while (number > 0 && (requested > 0 || isUnsure || !back.isEmpty())) {
                var call = new TakeValues(shared.self(), ++number, 0, false, false, List.copyOf(back), seen);
                back.clear();
                requested = 0;
                isUnsure = false;
                back.addAll(fresh(end.call(call, "leave", token)));
            }
        } finally {
            turns().unlock();
        }
    }

    @Override
    void fail(Throwable error) {
        // The run ends in the middle of a call. handBack gives back what the call has brought.
        if (error instanceof AsyncCancellation) isUnsure = true;
        else if (!isLeaving()) back.clear();
        if (!isLeaving()) requested = 0;
        for (Receiver each; (each = queue.pollFirst()) != null; ) each.done.error(error);
    }
}
