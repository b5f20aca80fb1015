package org.trueasync.internal.cluster.data;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.FutureState;
import org.trueasync.Section;
import org.trueasync.cluster.ClusterException;
import org.trueasync.internal.cluster.EngineWaits;
import org.trueasync.spi.SchedulerProvider;

/** The senders of one member: in the order of their calls. */
final class Outlet extends Direction {
    /** How much one call brings at most, so that it does not hold up others who share the engine's thread. */
    private static final int MOST_VALUES = 1_000;

    private static final int MOST_BYTES = 256 * 1024;

    private static final class Outgoing {
        final byte[] value;
        final FutureState<Boolean> done = new FutureState<Boolean>().ignore();
        boolean underWay;
        boolean leaving;

        Outgoing(byte[] value) {
            this.value = value;
        }
    }

    private final ChannelEnd end;
    private final ArrayDeque<Outgoing> queue = new ArrayDeque<>();
    private long number;
    /** The keeper counts on this member to come for room. */
    private boolean inLine;
    /** The last call did not find room for all that it brought. */
    private boolean full;

    private int burst = MOST_VALUES;

    Outlet(Shared shared, ChannelEnd end, long number) {
        super(shared, end.name(), "send ");
        this.end = end;
        this.number = number;
    }

    /** Of its last call. */
    long number() {
        return number;
    }

    /** Returns when the channel has the value. */
    void send(byte[] value, @Nullable Completable<?> token) {
        EngineWaits.refuseIfSpent(token);
        end.refuseIfClosed();
        var mine = new Outgoing(value);
        queue.addLast(mine);
        lookAgain();
        try {
            if (token == null) Async.await(mine.done.future());
            else Async.await(mine.done.future(), token);
        } catch (AsyncCancellation e) {
            leave(mine, e);
        }
    }

    /** Takes the value back if that is still possible; otherwise it is sent, and a cancellation comes at the next wait. */
    private void leave(Outgoing mine, AsyncCancellation reason) {
        if (!mine.done.isCompleted()) {
            if (!mine.underWay) {
                queue.remove(mine);
                lookAgain();
                throw reason;
            }
            mine.leaving = true;
        }
        boolean sent = SchedulerProvider.get().shield(() -> Async.await(mine.done.future()));
        if (!sent) throw reason;
        if (Async.currentCoroutine().isCancellationRequested())
            Async.currentCoroutine().cancel(reason);
    }

    /** True if it has the value now; it does not wait for room. */
    boolean trySend(byte[] value) {
        refuseIfLeaving();
        if (!queue.isEmpty() || end.closedReason() != null) return false;
        return Async.protect(
                (Section<Boolean, RuntimeException>) () -> turns().withLock((Section<Boolean, RuntimeException>) () -> {
                    if (!queue.isEmpty()) return false;
                    end.stopWaiting();
                    ChannelReply reply = end.call(
                            new SendValues(shared.self(), ++number, List.of(value), 0, false), "send to", null);
                    return reply.accepted == 1;
                }));
    }

    @Override
    boolean isWanted() {
        return !queue.isEmpty() || inLine;
    }

    @Override
    boolean isDue() {
        return queue.isEmpty() ? inLine : !full;
    }

    @Override
    void ask(boolean past) {
        refuseIfLeaving();
        end.stopWaiting();
        List<Outgoing> batch = batch();
        int waiting = queue.size();
        var call = new SendValues(
                shared.self(), ++number, batch.stream().map(each -> each.value).toList(), waiting, past);
        ChannelReply reply = end.call(call, "send to", null);
        settle(batch, reply.accepted);
        if (reply.closed != null) {
            fail(end.closed(reply.closed));
            return;
        }
        // in a channel that is full most of the time, values do not travel in vain
        burst = Math.clamp(2L * reply.accepted, 1, MOST_VALUES);
        inLine = reply.accepted < waiting;
        full = reply.accepted < batch.size();
    }

    private List<Outgoing> batch() {
        List<Outgoing> batch = new ArrayList<>();
        int most = Math.min(burst, end.capacity());
        int bytes = 0;
        for (Outgoing each : queue) {
            bytes += each.value.length;
            if (!batch.isEmpty() && (batch.size() == most || bytes > MOST_BYTES)) break;
            each.underWay = true;
            batch.add(each);
        }
        return batch;
    }

    private void settle(List<Outgoing> batch, int accepted) {
        for (int i = 0; i < batch.size(); i++) {
            Outgoing each = batch.get(i);
            each.underWay = false;
            if (i < accepted) {
                queue.removeFirst();
                each.done.complete(true);
            } else if (each.leaving) {
                queue.remove(each);
                each.done.complete(false);
            }
        }
    }

    /**
     * This member is about to leave: no call begins any more, and the one under way is answered, so that its senders know.
     *
     * @param token gives up
     */
    void finish(Completable<?> token) {
        stopAsking();
        turns().lock(token);
        turns().unlock();
    }

    @Override
    void fail(Throwable error) {
        inLine = full = false;
        for (Outgoing each; (each = queue.pollFirst()) != null; ) {
            // no answer has come; only of a channel that is lost it is known that it has not taken the value
            boolean unknown = each.underWay && !end.isLost();
            if (unknown) each.done.error(unsure(error));
            else if (each.leaving) each.done.complete(false);
            else each.done.error(error);
        }
    }

    private static Throwable unsure(Throwable error) {
        return error instanceof ClusterException
                ? new ClusterException(error.getMessage() + "; whether the value was sent is not known", error)
                : error;
    }
}
