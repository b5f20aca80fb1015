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

/** The sending side: this member's senders to a channel, in the order of their calls. */
final class SendSide extends ChannelSide {
    /**
     * The maximum of values of one call. The engine's thread has other calls to serve, so none may take it for long.
     */
    private static final int MAX_VALUES = 1_000;

    private static final int MAX_BYTES = 256 * 1024;

    private static final class Outgoing {
        final byte[] value;
        final FutureState<Boolean> done = new FutureState<Boolean>().ignore();
        boolean underWay;
        /** True if its sender has given up, and only waits for the answer of the call under way. */
        boolean leaving;

        Outgoing(byte[] value) {
            this.value = value;
        }
    }

    private final ChannelEnd end;
    private final ArrayDeque<Outgoing> queue = new ArrayDeque<>();
    private long number;
    /** True if the keeper has this member in its queue for room in the channel. */
    private boolean isQueued;
    /** True if the last call did not find room for all of its values. */
    private boolean full;

    /** How many values the next call brings, at most. */
    private int burst = MAX_VALUES;

    SendSide(Shared shared, ChannelEnd end, long number) {
        super(shared, end.name(), "send ");
        this.end = end;
        this.number = number;
    }

    /** Returns the number of its last call. */
    long number() {
        return number;
    }

    /** Sends a value; returns when the channel has it. */
    void send(byte[] value, @Nullable Completable<?> token) {
        EngineWaits.throwIfEnded(token);
        end.refuseIfClosed();
        var mine = new Outgoing(value);
        queue.addLast(mine);
        stateChanged();
        try {
            if (token == null) Async.await(mine.done.future());
            else Async.await(mine.done.future(), token);
        } catch (AsyncCancellation e) {
            leave(mine, e);
        }
    }

    /**
     * Gives a send up. If its value is not under way, the value is taken back. Otherwise the answer is awaited: if the
     * value was sent, {@code send} succeeds, and a cancellation is thrown at the next wait.
     */
    private void leave(Outgoing mine, AsyncCancellation reason) {
        if (!mine.done.isCompleted()) {
            if (!mine.underWay) {
                queue.remove(mine);
                stateChanged();
                throw reason;
            }
            mine.leaving = true;
        }
        boolean sent = SchedulerProvider.get().shield(() -> Async.await(mine.done.future()));
        if (!sent) throw reason;
        if (Async.currentCoroutine().isCancellationRequested())
            Async.currentCoroutine().cancel(reason);
    }

    /** Sends a value if there is room; true if the channel has it now. Waits for the answer, but not for room. */
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
        return !queue.isEmpty() || isQueued;
    }

    @Override
    boolean isDue() {
        return queue.isEmpty() ? isQueued : !full;
    }

    @Override
    void callKeeper(boolean passing) {
        refuseIfLeaving();
        end.stopWaiting();
        List<Outgoing> batch = batch();
        int waiting = queue.size();
        var call = new SendValues(
                shared.self(), ++number, batch.stream().map(each -> each.value).toList(), waiting, passing);
        ChannelReply reply = end.call(call, "send to", null);
        settle(batch, reply.accepted);
        if (reply.closed != null) {
            fail(end.closed(reply.closed));
            return;
        }
        // The next call brings at most twice as many values as had room this time: a full channel would
        // refuse the rest.
        burst = Math.clamp(2L * reply.accepted, 1, MAX_VALUES);
        isQueued = reply.accepted < waiting;
        full = reply.accepted < batch.size();
    }

    private List<Outgoing> batch() {
        List<Outgoing> batch = new ArrayList<>();
        int max = Math.min(burst, end.capacity());
        int bytes = 0;
        for (Outgoing each : queue) {
            bytes += each.value.length;
            if (!batch.isEmpty() && (batch.size() == max || bytes > MAX_BYTES)) break;
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
     * Prepares to leave the cluster: no call begins any more, and the one under way is waited for, so that its senders
     * get its outcome.
     *
     * @param token ends the wait
     */
    void finish(Completable<?> token) {
        stopCalls();
        turns().lock(token);
        turns().unlock();
    }

    @Override
    void fail(Throwable error) {
        isQueued = full = false;
        for (Outgoing each; (each = queue.pollFirst()) != null; ) {
            // The call had no answer, so the channel may have the value. If the channel is lost, it is certain that it
            // has not.
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
