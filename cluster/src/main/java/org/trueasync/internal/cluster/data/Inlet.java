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

/** The receivers of one member, in the order of their calls. It never takes more than they want; what one of them leaves behind goes to the next, or back. */
final class Inlet extends Direction {
    private static final class Receiver {
        final FutureState<Boolean> done = new FutureState<Boolean>().ignore();
        byte @Nullable [] value;

        void give(byte[] given) {
            value = given;
            done.complete(true);
        }
    }

    private final ChannelEnd end;
    private final ArrayDeque<Receiver> queue = new ArrayDeque<>();
    private final List<byte[]> back = new ArrayList<>();
    private long number;
    private boolean inLine;

    Inlet(Shared shared, ChannelEnd end) {
        super(shared, end.name(), "receive ");
        this.end = end;
    }

    byte[] receive(@Nullable Completable<?> token) {
        ChannelEnd.refuseIfSpent(token);
        var mine = new Receiver();
        queue.addLast(mine);
        begin();
        try {
            if (token == null) Async.await(mine.done.future());
            else Async.await(mine.done.future(), token);
        } catch (AsyncCancellation e) {
            leave(mine);
            throw e;
        }
        return Objects.requireNonNull(mine.value);
    }

    private void leave(Receiver mine) {
        byte[] left = mine.value;
        if (left == null) queue.remove(mine);
        else if (queue.isEmpty()) back.add(left);
        else queue.removeFirst().give(left);
        if (queue.isEmpty()) lookAgain();
    }

    /** A value if there is one now, else null. */
    byte @Nullable [] tryReceive() {
        if (!queue.isEmpty()) return null;
        List<byte[]> values = Async.protect((Section<List<byte[]>, RuntimeException>)
                () -> turns().withLock((Section<List<byte[]>, RuntimeException>) this::takeOne));
        return values.isEmpty() ? null : values.getFirst();
    }

    private List<byte[]> takeOne() {
        if (!queue.isEmpty() || !back.isEmpty()) return List.of();
        return end.call(new TakeValues(shared.self(), ++number, 1, false, false, List.of()), "receive from").values;
    }

    @Override
    boolean isWanted() {
        return !queue.isEmpty() || !back.isEmpty() || inLine;
    }

    @Override
    boolean ask(boolean past) {
        while (!back.isEmpty() && !queue.isEmpty()) queue.removeFirst().give(back.removeFirst());
        int wanted = queue.size();
        var call = new TakeValues(shared.self(), ++number, wanted, true, past, List.copyOf(back));
        back.clear();
        ChannelReply reply = end.call(call, "receive from");
        for (byte[] value : reply.values) {
            Receiver next = queue.pollFirst();
            if (next != null) next.give(value);
            else back.add(value);
        }
        if (reply.closed != null && reply.size == 0 && back.isEmpty()) {
            inLine = false;
            fail(end.closed(reply.closed));
            return false;
        }
        inLine = reply.values.size() < wanted;
        return inLine && !queue.isEmpty() && back.isEmpty();
    }

    @Override
    void fail(Throwable error) {
        inLine = false;
        back.clear();
        for (Receiver each; (each = queue.pollFirst()) != null; ) each.done.error(error);
    }
}
