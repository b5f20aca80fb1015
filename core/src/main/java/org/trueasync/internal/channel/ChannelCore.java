package org.trueasync.internal.channel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.ChannelException;
import org.trueasync.CloseReason;
import org.trueasync.Completable;
import org.trueasync.Received;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.await.SpareWaiters;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Names;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.task.ScopeOwned;

/*
 * A channel. Loop thread only.
 *
 * A wake only queues a coroutine. From then on this coroutine alone owns what it was woken for:
 *
 *  - A RECEIVER that is served has its value in its waiter (PROMISED); no other coroutine can take it. If it leaves
 *    without taking the value, the value goes to the receiver that waits longest. If none waits, the value is free
 *    again, ahead of everything that was sent later.
 *  - A SENDER that gets a place has its value put into the buffer at once (ADMITTED), so a receiver need not wait until
 *    it runs. If it leaves while the value is still there, the value is removed, and the place goes to the sender that
 *    waits longest. Once a receiver has the value, the send has succeeded, even if its wait throws; a cancellation is
 *    then thrown at its next wait.
 *  - Without a buffer, and when there is nothing in it, a receiver takes the value from the sender that waits longest
 *    (TAKEN).
 *
 * The order of values: those given back, those in the buffer, those of waiting senders. 'occupied' counts the first two
 * kinds and the promised ones.
 *
 * Invariants: if a receiver waits, no value is free and no sender waits (except for one select on both sides: it can't
 * serve itself); if a sender waits, occupied >= capacity. The channel does not change between the check that shows that
 * a call has to wait and its joining of the queue: a wait arms its channels before its other events.
 */
public final class ChannelCore implements ScopeOwned.Owned {
    /** Returned by {@link #next()} when the channel was closed explicitly and is empty. */
    public static final Object END = new Object();

    final Loop loop;
    private final int capacity;
    final WaitQueue<ChannelWaiter> receivers = new WaitQueue<>();
    private final WaitQueue<ChannelWaiter> senders = new WaitQueue<>();
    private final ValueBuffer buffer = new ValueBuffer();
    private final ReturnedValues returned = new ReturnedValues();
    /** The values in the buffer, those given back and those promised. */
    private int occupied;

    private int promised;
    private long lastPromise;
    private final SpareWaiters<ChannelWaiter> spareReceivers = new SpareWaiters<>();
    private final SpareWaiters<ChannelWaiter> spareSenders = new SpareWaiters<>();
    private @Nullable String name;
    private @Nullable WaitObserver observer;
    private @Nullable CloseReason reason;
    private @Nullable Throwable closeCause;
    private @Nullable ChannelEnd end;
    /**
     * The list of the creating scope's channels, and this one's entry in it. Neither the scope nor the channel keeps
     * the other one reachable.
     */
    private @Nullable ScopeOwned siblings;

    private @Nullable Object entry;

    /**
     * Creates an open channel.
     *
     * @param loop the loop of the coroutines that use it
     * @param capacity the number of values it can buffer; 0 for a rendezvous
     * @throws IllegalArgumentException if the capacity is negative
     */
    public ChannelCore(Loop loop, int capacity) {
        if (capacity < 0)
            throw new IllegalArgumentException(
                    "capacity of a channel must be >= 0, got " + capacity + "; 0 hands each value over directly");
        this.loop = loop;
        this.capacity = capacity;
    }

    /**
     * Creates an open channel of the current scope, which closes it when the scope is cancelled or disposed of.
     *
     * @param loop the loop of the coroutines that use it
     * @param capacity the number of values it can buffer; 0 for a rendezvous
     * @throws IllegalArgumentException if the capacity is negative
     */
    public static ChannelCore owned(Loop loop, int capacity) {
        var channel = new ChannelCore(loop, capacity);
        channel.siblings = loop.currentScope().extras().owned();
        channel.entry = channel.siblings.add(channel);
        return channel;
    }

    /** Enters it again into the list of its scope, which may have lost it. */
    void renewEntry() {
        if (siblings != null && entry != null) entry = siblings.renew(entry, this);
    }

    @Override
    public void scopeEnds(@Nullable AsyncCancellation ofScope) {
        close(CloseReason.SCOPE_DISPOSED, ofScope);
    }

    /** See {@link org.trueasync.Channel#Channel(String)}. */
    public void setName(String given) {
        name = Names.readable(given);
    }

    /** Registers the only observer. Called before the channel is used. */
    void observe(WaitObserver newObserver) {
        observer = newObserver;
    }

    // ---- sending

    /** See {@link org.trueasync.Channel#send(Object, Completable)}. */
    public void send(@Nullable Object value, @Nullable Completable<?> token) {
        loop.requireLoopThread("Channel.send");
        if (token != null) Awaiting.admit(token);
        boolean othersTurn = loop.isOthersTurn();
        if (reason != null) throw closed();
        if (!canPut()) {
            sendWaiting(value, token);
        } else {
            put(value);
            if (othersTurn) loop.giveWay();
        }
    }

    /** See {@link org.trueasync.Channel#trySend}. */
    public boolean trySend(@Nullable Object value) {
        loop.requireLoopThread("Channel.trySend");
        if (reason != null) return false;
        // Without a buffer, one value may be left for the next receiver.
        if (!canPut() && (capacity > 0 || size() > 0)) return false;
        put(value);
        return true;
    }

    /** True if a send to this open channel need not wait. */
    boolean canPut() {
        return firstReceiver() != null || occupied < capacity;
    }

    /** Gives a value to the receiver that waits longest, or else puts it into the buffer, even if that is full. */
    void put(@Nullable Object value) {
        occupied++;
        ChannelWaiter receiver = firstReceiver();
        if (receiver != null) promise(receiver, value, ++lastPromise);
        else buffer.add(value);
        if (observer != null) observer.progress();
    }

    private void sendWaiting(@Nullable Object value, @Nullable Completable<?> token) {
        CoroutineImpl<?> self = loop.requireCurrent("Channel.send");
        ChannelWaiter waiter = newSender(value);
        Throwable thrown = await(self, waiter, token);
        boolean sent = thrown == null || isSent(self, waiter, thrown);
        recycle(waiter);
        if (thrown != null && !sent) throw failure(thrown);
    }

    /**
     * True if a send has succeeded although its wait has thrown: a receiver has the value. Otherwise the value is
     * withdrawn.
     *
     * @param self the sender's coroutine
     */
    boolean isSent(CoroutineImpl<?> self, ChannelWaiter waiter, Throwable thrown) {
        if (!waiter.isServed()) return false;
        boolean sent = !buffer.takeBack(waiter.order);
        if (sent) self.deferToNextWait(thrown);
        else freed();
        return sent;
    }

    // ---- receiving

    /** See {@link org.trueasync.Channel#receive(Completable)}. */
    public @Nullable Object receive(@Nullable Completable<?> token) {
        Object value = next(token, "Channel.receive");
        if (value == END) throw closed();
        return value;
    }

    /**
     * Receives as {@link #receive} does, but does not wait.
     *
     * @param expired the token that has fired; its error is thrown if the call would have to wait
     */
    public @Nullable Object receiveNow(Completable<?> expired) {
        loop.requireLoopThread("Channel.receive");
        if (!hasValue() && !isDrained()) Awaiting.requireOpen(expired);
        return receive(null);
    }

    /**
     * Receives as {@link #receive} does, but returns {@link #END} if the channel was closed explicitly and is empty.
     */
    public @Nullable Object next() {
        Object value = next(null, "Channel.iterator");
        if (value == END && reason != CloseReason.EXPLICIT) throw closed();
        return value;
    }

    /** See {@link org.trueasync.Channel#receiveAsync}. */
    public FutureCore<Object> receiveAsync() {
        loop.requireLoopThread("Channel.receiveAsync");
        if (!hasValue() && !isDrained()) return ReceivingFuture.waitingAt(this);
        var done = new FutureCore<Object>(loop);
        if (hasValue()) done.complete(poll());
        else done.fail(closed());
        return done;
    }

    /** See {@link org.trueasync.Channel#tryReceive}. */
    public Received<Object> tryReceive() {
        loop.requireLoopThread("Channel.tryReceive");
        return hasValue() ? Received.of(poll()) : Received.nothing();
    }

    private @Nullable Object next(@Nullable Completable<?> token, String call) {
        loop.requireLoopThread(call);
        if (token != null) Awaiting.admit(token);
        boolean othersTurn = loop.isOthersTurn();
        if (hasValue()) {
            Object value = poll();
            if (othersTurn) loop.giveWay();
            return value;
        }
        if (isDrained()) return END;
        return receiveWaiting(token, call);
    }

    /** True if there is a value that is not promised to a receiver. */
    boolean hasValue() {
        return !buffer.isEmpty() || !senders.isEmpty() || !returned.isEmpty();
    }

    /**
     * True if the channel is closed and no value is in the buffer, given back or promised. (A promised value may still
     * be given back.)
     */
    boolean isDrained() {
        return reason != null && occupied == 0;
    }

    /** Takes the first value. There must be one. */
    @Nullable
    Object poll() {
        Object value;
        if (!returned.isEmpty()) {
            value = returned.poll();
            freed();
        } else if (!buffer.isEmpty()) {
            value = buffer.poll();
            freed();
        } else {
            ChannelWaiter sender = Objects.requireNonNull(senders.first());
            value = sender.value;
            sender.order = ChannelWaiter.TAKEN;
            sender.serve();
        }
        if (observer != null) observer.progress();
        return value;
    }

    private @Nullable Object receiveWaiting(@Nullable Completable<?> token, String call) {
        CoroutineImpl<?> self = loop.requireCurrent(call);
        ChannelWaiter waiter = newReceiver();
        Throwable thrown = await(self, waiter, token);
        Object value = thrown == null ? take(waiter) : END;
        if (thrown != null) leave(waiter);
        recycle(waiter);
        if (thrown != null && !isPlain(thrown)) throw failure(thrown);
        return value;
    }

    /** Takes the value that was promised to a receiver. */
    @Nullable
    Object take(ChannelWaiter receiver) {
        promised--;
        freed();
        if (observer != null) observer.progress();
        return receiver.value;
    }

    /** Passes the value that a leaving receiver was promised, if any, to the next one, or gives it back. */
    void leave(ChannelWaiter receiver) {
        if (!receiver.isServed()) return;
        promised--;
        ChannelWaiter next = firstReceiver();
        if (next != null) promise(next, receiver.value, receiver.order);
        else returned.add(receiver.order, receiver.value);
    }

    // ---- waiting

    /** Waits; returns the error of the wait, or null. */
    private static @Nullable Throwable await(
            CoroutineImpl<?> self, ChannelWaiter waiter, @Nullable Completable<?> token) {
        try {
            if (token == null) self.suspend(waiter);
            else Awaiting.until(self, waiter, token);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    void joined(ChannelWaiter waiter) {
        if (observer != null && queueOf(waiter).size() == 1) observer.waitBegins(waiter.sends);
    }

    /** Called when the waiter has left its queue, served or not, and before its coroutine is woken. */
    void left(ChannelWaiter waiter) {
        if (observer != null && queueOf(waiter).isEmpty()) observer.waitEnds(waiter.sends);
    }

    private WaitQueue<ChannelWaiter> queueOf(ChannelWaiter waiter) {
        return waiter.sends ? senders : receivers;
    }

    private @Nullable ChannelWaiter firstReceiver() {
        ChannelWaiter receiver = receivers.first();
        while (receiver != null && receiver.isAbandoned()) {
            receiver.end();
            receiver = receivers.first();
        }
        return receiver;
    }

    private void promise(ChannelWaiter receiver, @Nullable Object value, long order) {
        receiver.value = value;
        receiver.order = order;
        promised++;
        receiver.serve();
    }

    /** Counts one value less: gives the place to a waiting sender, or ends a closed channel that is empty now. */
    private void freed() {
        occupied--;
        ChannelWaiter sender = senders.first();
        if (sender != null && occupied < capacity) {
            occupied++;
            sender.order = buffer.add(sender.value);
            sender.serve();
        } else if (reason != null && occupied == 0) {
            drained();
        }
    }

    private void drained() {
        refuseAll(receivers);
        if (end != null) end.fire();
    }

    /** Returns the event that fires when the channel is drained. If it is drained already, the event does not fire. */
    ChannelEnd end() {
        if (end == null) end = new ChannelEnd(this);
        return end;
    }

    ChannelWaiter newReceiver() {
        ChannelWaiter spare = spareReceivers.poll();
        return spare != null ? spare : new ChannelWaiter(this, receivers, false);
    }

    ChannelWaiter newSender(@Nullable Object value) {
        ChannelWaiter waiter = spareSenders.poll();
        if (waiter == null) waiter = new ChannelWaiter(this, senders, true);
        waiter.value = value;
        return waiter;
    }

    /** Keeps a waiter for reuse; its wait is over and settled. */
    void recycle(ChannelWaiter waiter) {
        waiter.clear();
        (waiter.sends ? spareSenders : spareReceivers).add(waiter);
    }

    // ---- the end

    /** See {@link org.trueasync.Channel#close}. */
    public void close() {
        loop.requireLoopThread("Channel.close");
        close(CloseReason.EXPLICIT, null);
    }

    /**
     * Closes the channel for a reason, unless it is closed already.
     *
     * @param why the reason
     * @param cause the error because of which it closes, or null
     */
    void close(CloseReason why, @Nullable Throwable cause) {
        if (reason != null) return;
        reason = why;
        closeCause = cause;
        if (siblings != null && entry != null) siblings.remove(entry);
        siblings = null;
        refuseAll(senders);
        // while a value is promised, a waiting receiver may still get it
        if (occupied == 0) drained();
        if (observer != null) observer.closed();
    }

    private void refuseAll(WaitQueue<ChannelWaiter> queue) {
        queue.refuseAll(() -> new ClosedWakeup(Objects.requireNonNull(reason)));
    }

    /** True if the wait ended because the channel was closed, and no other error was added. */
    static boolean isPlain(Throwable thrown) {
        return thrown instanceof ClosedWakeup && thrown.getSuppressed().length == 0;
    }

    /** Returns the exception that the waiting call throws. */
    RuntimeException failure(Throwable thrown) {
        if (!(thrown instanceof ClosedWakeup)) return Throwing.sneaky(thrown);
        ChannelException closed = closed();
        for (Throwable other : thrown.getSuppressed()) Causes.suppress(closed, other);
        return closed;
    }

    /** Returns the exception of a call on a closed channel. */
    ChannelException closed() {
        CloseReason why = Objects.requireNonNull(reason);
        return new ChannelException(info() + " is closed" + ClosedText.of(why), why, closeCause);
    }

    // ---- about it

    /** See {@link org.trueasync.Channel#capacity}. */
    public int capacity() {
        return capacity;
    }

    /** See {@link org.trueasync.Channel#size}. */
    public int size() {
        // a sender waits only if there is no room
        return occupied == 0 && !senders.isEmpty() ? 1 : occupied;
    }

    /** See {@link org.trueasync.Channel#isFull}. */
    public boolean isFull() {
        return size() >= Math.max(1, capacity);
    }

    /** See {@link org.trueasync.Channel#isClosed}. */
    public boolean isClosed() {
        return reason != null;
    }

    /** Returns one line: the number of values, the capacity, and the waiters. */
    public String info() {
        var text = new StringBuilder(Names.of("channel", name))
                .append(" (")
                .append(size())
                .append('/')
                .append(capacity);
        if (promised > 0) text.append(", ").append(promised).append(" promised");
        describe(receivers, text, "receiver");
        describe(senders, text, "sender");
        return text.append(')').toString();
    }

    private static void describe(WaitQueue<?> waiting, StringBuilder text, String what) {
        int count = waiting.size();
        if (count > 0) text.append(", ").append(count).append(' ').append(what).append(count == 1 ? "" : "s");
    }
}
