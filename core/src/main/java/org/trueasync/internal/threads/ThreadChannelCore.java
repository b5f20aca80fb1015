package org.trueasync.internal.threads;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.ThreadChannelException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.queue.IntrusiveList;
import org.trueasync.spi.EndOfRun;
import org.trueasync.spi.Reactor;

/**
 * The queue behind a {@link org.trueasync.ThreadChannel}.
 *
 * <p>A value is handed to a waiting receiver directly, and then belongs to it. If the receiver leaves without it, the
 * value goes back to its place, in front of those that were sent after it. The value of a sender that had to wait
 * belongs to the sender until a receiver takes it: if the sender leaves before, it takes the value along.
 *
 * <p>Invariants, inside (that is, in the {@link FlatCombiner}): receivers wait only while there is no value; senders
 * wait only while there is no room.
 */
public final class ThreadChannelCore {
    private static final int INITIAL_CAPACITY = 16;

    private final int capacity;
    private final @Nullable String name;
    /** The reactor of the run with which it ends; null for none. */
    private final @Nullable Reactor run;

    final FlatCombiner gate = new FlatCombiner();
    private final IntrusiveList<ReceiveWaiter> receivers = new IntrusiveList<>();
    private final IntrusiveList<SendWaiter> senders = new IntrusiveList<>();
    private final List<ReceiveWaiter> returned = new ArrayList<>(0);
    /** Values, and senders in place of their values, see {@link SendWaiter}. */
    private @Nullable Object[] ring;

    private int head;
    private int count;
    /** The number of values that have been given out, which is the number of the next one. */
    private long handedOutCount;

    /** A copy of {@code count} for threads that are not inside. */
    private final AtomicInteger size = new AtomicInteger();
    /** The number of values in {@code returned}, for threads that are not inside. */
    private volatile int returnedCount;

    private volatile @Nullable End end;

    /** The reason for which the channel has ended. */
    private enum End {
        CLOSED("was closed"),
        DISCONNECTED("ended with the runtime that it belongs to");

        final String text;

        End(String text) {
            this.text = text;
        }
    }

    /**
     * Creates an empty channel. It ends with the runtime of the caller, if there is one.
     *
     * @param capacity >= 1
     * @param name printable, or null
     */
    public ThreadChannelCore(int capacity, @Nullable String name) {
        if (capacity < 1)
            throw new IllegalArgumentException(
                    "capacity must be >= 1, got " + capacity + "; a channel between threads has no rendezvous");
        this.capacity = capacity;
        this.name = name;
        ring = new Object[Math.min(capacity, INITIAL_CAPACITY)];
        Loop owner = Runtimes.hereOrNull();
        run = owner == null ? null : owner.reactor();
        if (owner != null) ThreadsOfRun.of(owner).add(this);
    }

    // ---- sending

    /** See {@link org.trueasync.ThreadChannel#send(Object)}. */
    public void send(@Nullable Object value, @Nullable Completable<?> token) {
        Loop loop = begin("ThreadChannel.send", token);
        boolean othersTurn = loop != null && loop.isOthersTurn();
        if (gate.tryEnter()) {
            boolean sent;
            try {
                sent = end == null && offer(value);
            } finally {
                gate.leave();
            }
            if (sent) {
                if (loop != null && othersTurn) loop.giveWay();
                return;
            }
        }
        requireOpen();
        var waiter = new SendWaiter(this, loop, value);
        try {
            waiter.call(gate, token);
        } catch (AsyncCancellation e) {
            if (waiter.takeBack()) throw e;
            ThreadWaiter.cancelNextWait(e, loop, token); // a receiver has the value, so it was sent
            return;
        }
        if (waiter.isRefused()) throw ended();
    }

    /** See {@link org.trueasync.ThreadChannel#trySend(Object)}. */
    public boolean trySend(@Nullable Object value) {
        gate.enter();
        try {
            return end == null && offer(value);
        } finally {
            gate.leave();
        }
    }

    /** Checks caller and token of a call that may wait; returns the caller's loop, or null. */
    private static @Nullable Loop begin(String call, @Nullable Completable<?> token) {
        Loop loop = Parker.loopHere(call, token);
        Awaiting.admit(token);
        if (loop != null) loop.requireLoopThread(call);
        return loop;
    }

    /**
     * Gives a value, or a sender with its value, to a waiting receiver or into the buffer; false if there is no room.
     * True also for a sender that has left meanwhile. Inside.
     */
    private boolean offer(@Nullable Object entry) {
        ReceiveWaiter receiver = receivers.poll();
        if (receiver != null) {
            if (entry instanceof SendWaiter sender && !sender.take()) receivers.addFirst(receiver);
            else receiver.receive(entry instanceof SendWaiter sender ? sender.value : entry, handedOutCount++);
            return true;
        }
        if (count == capacity || !senders.isEmpty()) return false;
        put(entry);
        return true;
    }

    private void put(@Nullable Object entry) {
        if (count == ring.length) grow();
        int at = head + count;
        ring[at < ring.length ? at : at - ring.length] = entry;
        count++;
        size.lazySet(count);
    }

    private void grow() {
        var larger = new @Nullable Object[(int) Math.min(capacity, ring.length * 2L)];
        System.arraycopy(ring, head, larger, 0, ring.length - head);
        System.arraycopy(ring, 0, larger, ring.length - head, head);
        ring = larger;
        head = 0;
    }

    /** Begins a send that may have to wait. Inside. */
    void begin(SendWaiter sender) {
        if (end != null) sender.refuse();
        else if (offer(sender)) sender.end();
        else senders.add(sender);
    }

    /** Removes a sender that has left. Inside. */
    void withdraw(SendWaiter sender) {
        if (senders.remove(sender)) return;
        for (int i = 0; i < count; i++) {
            if (ring[(head + i) % ring.length] != sender) continue;
            for (int j = i; j < count - 1; j++) ring[(head + j) % ring.length] = ring[(head + j + 1) % ring.length];
            ring[(head + count - 1) % ring.length] = null;
            count--;
            size.lazySet(count);
            admit();
            return;
        }
    }

    /** Admits the senders that have waited longest, while there is room. Inside. */
    private void admit() {
        SendWaiter sender;
        while (count < capacity && (sender = senders.poll()) != null) {
            if (!sender.isOffered()) continue;
            put(sender);
            sender.end();
        }
    }

    // ---- receiving

    /** See {@link org.trueasync.ThreadChannel#receive()}. */
    public @Nullable Object receive(@Nullable Completable<?> token) {
        Loop loop = begin("ThreadChannel.receive", token);
        boolean othersTurn = loop != null && loop.isOthersTurn();
        if (gate.tryEnter()) {
            boolean found;
            Object value = null;
            try {
                found = hasNext();
                if (found) value = next();
            } finally {
                gate.leave();
            }
            if (found) {
                if (loop != null && othersTurn) loop.giveWay();
                return value;
            }
        }
        var waiter = new ReceiveWaiter(this, loop);
        waiter.call(gate, token);
        if (waiter.isRefused()) throw ended();
        return waiter.value();
    }

    /** Removes entries whose senders have taken their values back; true if there is a value. Inside. */
    private boolean hasNext() {
        if (!returned.isEmpty()) return true;
        while (count > 0) {
            if (!(ring[head] instanceof SendWaiter sender) || sender.take()) return true;
            removeHead();
        }
        return false;
    }

    /** Takes the next value, which {@link #hasNext} has found. Inside. */
    private @Nullable Object next() {
        if (!returned.isEmpty()) return nextReturned().value();
        Object entry = removeHead();
        handedOutCount++;
        return entry instanceof SendWaiter sender ? sender.value : entry;
    }

    private ReceiveWaiter nextReturned() {
        ReceiveWaiter first = returned.removeFirst();
        returnedCount = returned.size();
        return first;
    }

    private @Nullable Object removeHead() {
        Object entry = ring[head];
        ring[head] = null;
        head = head + 1 == ring.length ? 0 : head + 1;
        count--;
        size.lazySet(count);
        admit();
        return entry;
    }

    /** Begins a receive that may have to wait. Inside. */
    void begin(ReceiveWaiter receiver) {
        if (!returned.isEmpty()) {
            ReceiveWaiter first = nextReturned();
            receiver.receive(first.value(), first.number());
        } else if (hasNext()) {
            long number = handedOutCount;
            receiver.receive(next(), number);
        } else if (end != null) {
            receiver.refuse();
        } else {
            receivers.add(receiver);
        }
    }

    /**
     * Removes a receiver that has left. The value that it had got goes to the receiver that waits longest, or back to
     * its place. Inside.
     */
    void withdraw(ReceiveWaiter receiver) {
        if (receivers.remove(receiver) || !receiver.takeBack()) return;
        ReceiveWaiter waiting = receivers.poll();
        if (waiting != null) {
            waiting.receive(receiver.value(), receiver.number());
            return;
        }
        int at = returned.size();
        while (at > 0 && returned.get(at - 1).number() > receiver.number()) at--;
        returned.add(at, receiver);
        returnedCount = returned.size();
    }

    // ---- the end

    /** See {@link org.trueasync.ThreadChannel#close()}. Any thread. */
    public void close() {
        end(End.CLOSED);
    }

    /** Ends the channel with the runtime that it belongs to. Any thread; a second call has no effect. */
    void runEnds() {
        end(End.DISCONNECTED);
    }

    private void end(End why) {
        gate.run(() -> {
            if (end == null) end = why;
            SendWaiter sender;
            while ((sender = senders.poll()) != null) sender.refuse();
            ReceiveWaiter receiver;
            while ((receiver = receivers.poll()) != null) receiver.refuse();
        });
        // The thread inside may run the action a moment later. When this call returns, nothing can be sent any more.
        while (end == null) Thread.onSpinWait();
    }

    private void requireOpen() {
        if (end != null) throw ended();
    }

    private ThreadChannelException ended() {
        End why = java.util.Objects.requireNonNull(end);
        var ended = new ThreadChannelException(this + " " + why.text);
        if (why == End.DISCONNECTED && run != null) ended.initCause(new EndOfRun(run));
        return ended;
    }

    // ---- about it

    /** True once it has ended. Any thread. */
    public boolean isClosed() {
        return end != null;
    }

    /** True if it was closed, and did not end with its runtime. Any thread. */
    public boolean isClosedOnPurpose() {
        return end == End.CLOSED;
    }

    /** Returns the number of values that a receiver could have: given back, or in the buffer. Any thread. */
    public int size() {
        return returnedCount + size.get();
    }

    /** True if the buffer has no room. Values that receivers have given back take none. Any thread. */
    public boolean isFull() {
        return size.get() == capacity;
    }

    public int capacity() {
        return capacity;
    }

    @Override
    public String toString() {
        return Names.of("thread channel", name) + " (" + size() + "/" + capacity + ")";
    }
}
