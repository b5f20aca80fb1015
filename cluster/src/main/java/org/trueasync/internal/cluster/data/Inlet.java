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

/** The receivers of one member, in the order of their calls. It never takes more than they want; what one of them leaves behind goes to the next, or back. */
final class Inlet extends Direction {
    private static final class Receiver {
        final FutureState<Boolean> done = new FutureState<Boolean>().ignore();
        byte @Nullable [] value;
    }

    private final ChannelEnd end;
    private final ArrayDeque<Receiver> queue = new ArrayDeque<>();
    private final List<byte[]> back = new ArrayList<>();
    private long number;
    /** How many values have come, from the first call on. */
    private long seen;
    /** For how many values the keeper takes this member to wait. */
    private long asked;

    /** A call was given up, and may have brought values. */
    private boolean isUnsure;

    /** How many receivers have been given a value, and have not gone on with it yet: one that was cancelled leaves it behind. */
    private int inHand;

    Inlet(Shared shared, ChannelEnd end, long number) {
        super(shared, end.name(), "receive ");
        this.end = end;
        this.number = number;
    }

    /** Of its last call. */
    long number() {
        return number;
    }

    byte[] receive(@Nullable Completable<?> token) {
        EngineWaits.refuseIfSpent(token);
        var mine = new Receiver();
        queue.addLast(mine);
        lookAgain();
        try {
            if (token == null) Async.await(mine.done.future());
            else Async.await(mine.done.future(), token);
        } catch (AsyncCancellation e) {
            leave(mine);
            throw e;
        } finally {
            if (mine.value != null) inHand--;
        }
        return Objects.requireNonNull(mine.value);
    }

    private void leave(Receiver mine) {
        byte[] left = mine.value;
        if (left == null) queue.remove(mine);
        else if (queue.isEmpty()) back.add(left);
        else give(queue.removeFirst(), left);
        lookAgain();
    }

    /** A value if there is one now, else null. */
    byte @Nullable [] tryReceive() {
        if (!queue.isEmpty()) return null;
        List<byte[]> values = Async.protect((Section<List<byte[]>, RuntimeException>)
                () -> turns().withLock((Section<List<byte[]>, RuntimeException>) this::takeOne));
        if (values.isEmpty()) return null;
        // one that was under way for a receiver who has left has come with it
        take(values.subList(1, values.size()));
        lookAgain();
        return values.getFirst();
    }

    private List<byte[]> takeOne() {
        refuseIfLeaving();
        if (!queue.isEmpty()) return List.of();
        if (!back.isEmpty()) return List.of(back.removeFirst());
        var call = new TakeValues(shared.self(), ++number, 1, false, false, List.of(), seen);
        List<byte[]> values = fresh(end.call(call, "receive from", null));
        asked = 0; // this call has left the line
        return values;
    }

    /** If all who waited here have left: the keeper learns it before anything else happens, so that no value of this member's comes to nobody. */
    void stopWaiting() {
        if (queue.isEmpty() && asked > 0)
            turns().withLock(() -> {
                if (queue.isEmpty() && asked > 0) ask(false);
            });
    }

    @Override
    boolean isWanted() {
        return !queue.isEmpty() || (!isLeaving() && (!back.isEmpty() || asked > 0));
    }

    /** One who waits, and is not asked for; or asked for, and has left, as long as nobody is in his place. */
    @Override
    boolean isDue() {
        return !back.isEmpty() || queue.size() > asked || (queue.isEmpty() && asked > 0);
    }

    @Override
    void ask(boolean past) {
        refuseIfLeaving();
        while (!back.isEmpty() && !queue.isEmpty()) give(queue.removeFirst(), back.removeFirst());
        int wanted = queue.size();
        var call = new TakeValues(shared.self(), ++number, wanted, true, past, List.copyOf(back), seen);
        back.clear();
        long before = seen;
        ChannelReply reply = end.call(call, "receive from", null);
        take(fresh(reply));
        // those that came meanwhile without a call are among them
        asked = Math.max(0, wanted - (seen - before));
        if (reply.closed != null && reply.size == 0 && back.isEmpty()) {
            asked = 0;
            fail(end.closed(reply.closed));
        }
    }

    /** Values that come without a call; as many as are asked for at most. */
    void arrived(Delivery delivery) {
        if (!delivery.member().equals(shared.self())) return;
        if (delivery.before() > seen) {
            // those before them are late or lost; the keeper has them
            shared.bells().ring(bell());
            return;
        }
        List<byte[]> values = fresh(delivery.before(), delivery.values());
        asked = Math.max(0, asked - values.size());
        take(values);
        lookAgain();
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
        inHand++;
        receiver.done.complete(true);
    }

    private List<byte[]> fresh(ChannelReply reply) {
        if (reply.before > seen) seen = reply.before; // the keeper's count goes on from a copy that knew more
        return fresh(reply.before, reply.values);
    }

    /** Those that have not come before. */
    private List<byte[]> fresh(long before, List<byte[]> values) {
        List<byte[]> fresh = values.subList((int) Math.min(values.size(), seen - before), values.size());
        seen += fresh.size();
        return fresh;
    }

    /**
     * This member is about to leave: what nobody here has received goes back, also what is on its way.
     *
     * @param token gives up
     */
    void handBack(Completable<?> token) {
        stopAsking();
        turns().withLock(() -> {
            while (inHand > 0) Async.suspend();
            while (number > 0 && (asked > 0 || isUnsure || !back.isEmpty())) {
                var call = new TakeValues(shared.self(), ++number, 0, false, false, List.copyOf(back), seen);
                back.clear();
                asked = 0;
                isUnsure = false;
                back.addAll(fresh(end.call(call, "leave", token)));
            }
        });
    }

    @Override
    void fail(Throwable error) {
        // the run ends in the middle of a call: what that has brought is handed back later
        if (error instanceof AsyncCancellation) isUnsure = true;
        else if (!isLeaving()) back.clear();
        if (!isLeaving()) asked = 0;
        for (Receiver each; (each = queue.pollFirst()) != null; ) each.done.error(error);
    }
}
