package org.trueasync.internal.channel;

import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.ChannelException;
import org.trueasync.CloseReason;
import org.trueasync.Completable;
import org.trueasync.Received;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.await.SpareWaiters;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.owner.ScopeOwned;
import org.trueasync.internal.site.Names;

/*
 * A channel. Loop thread only.
 *
 * A wake only queues a coroutine; until it runs, what it was woken for is its own and nobody else's:
 *
 *  - A RECEIVER that is served has its value in its waiter (PROMISED), out of everybody's reach. If it leaves instead of taking the value, the
 *    value goes to the receiver that waits longest; if none does, it is free again, before everything that was sent later.
 *  - A SENDER that gets a slot has its value put into the buffer at once (ADMITTED): who receives meanwhile need not wait for it to run. If it leaves
 *    while the value is still there, the value goes with it, and the slot to the sender that waits longest. Once somebody has the value the send has
 *    succeeded, whatever its coroutine is told afterwards; a cancellation is then due at its next wait.
 *  - Without a buffer, and when there is nothing in it, a receiver takes the value from the sender that waits longest (TAKEN).
 *
 * The order of values: those given back, the buffer, the senders that wait. 'occupied' counts the first two and what is promised.
 *
 * Invariants: if a receiver waits, no value is free and no sender waits (one select on both sides excepted: it can't serve itself); if a sender waits,
 * occupied >= capacity. Nothing happens between the look at the channel and joining a queue: a wait arms its channels before anything else.
 */
public final class ChannelCore implements ScopeOwned.Owned {
    /** What {@link #next()} returns when the channel was closed explicitly and nothing is left. */
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
    /** What ends with the scope that this was created in, and this one's entry there; neither scope nor channel keeps the other. */
    private @Nullable ScopeOwned siblings;

    private @Nullable Object entry;

    /**
     * An open channel.
     *
     * @param loop whose coroutines use it
     * @param capacity how many values it holds for receivers to come
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
     * An open channel of the current scope, which closes it when it is cancelled or disposed of.
     *
     * @param loop whose coroutines use it
     * @param capacity how many values it holds for receivers to come
     * @throws IllegalArgumentException if the capacity is negative
     */
    public static ChannelCore owned(Loop loop, int capacity) {
        var channel = new ChannelCore(loop, capacity);
        channel.siblings = loop.currentScope().extras().owned();
        channel.entry = channel.siblings.add(channel);
        return channel;
    }

    @Override
    public void scopeEnds() {
        close(CloseReason.SCOPE_DISPOSED, null);
    }

    /** See {@link org.trueasync.Channel#Channel(String)}. */
    public void setName(String given) {
        name = Names.readable(given);
    }

    /** Has somebody told of what happens here; before anything does. */
    void observe(WaitObserver one) {
        observer = one;
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
        // without a buffer one value may be left for the next receiver
        if (!canPut() && (capacity > 0 || size() > 0)) return false;
        put(value);
        return true;
    }

    /** True if a send to this open channel need not wait. */
    boolean canPut() {
        return firstReceiver() != null || occupied < capacity;
    }

    /** Gives a value to the receiver that waits longest, else to the buffer, whether or not that is full. */
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
     * Whether a send has succeeded although its wait has thrown: somebody has the value. Otherwise nobody will have it.
     *
     * @param self its coroutine
     */
    boolean isSent(CoroutineImpl<?> self, ChannelWaiter waiter, Throwable thrown) {
        if (!waiter.isServed()) return false;
        boolean sent = !buffer.takeBack(waiter.order);
        if (sent) self.goOnDespite(thrown);
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
     * As {@link #receive}, where that does not wait.
     *
     * @param expired what gives it up otherwise
     */
    public @Nullable Object receiveNow(Completable<?> expired) {
        loop.requireLoopThread("Channel.receive");
        if (!hasValue() && !isDrained()) Awaiting.requireOpen(expired);
        return receive(null);
    }

    /** As {@link #receive}, but {@link #END} if the channel was closed explicitly and nothing is left. */
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

    /** True if there is a value that is promised to nobody. */
    boolean hasValue() {
        return !buffer.isEmpty() || !senders.isEmpty() || !returned.isEmpty();
    }

    /** True if nothing will ever be received any more. What is promised may still be given back. */
    boolean isDrained() {
        return reason != null && occupied == 0;
    }

    /** Takes the first value; there is one. */
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

    /** A receiver takes what was promised to it. */
    @Nullable
    Object take(ChannelWaiter receiver) {
        promised--;
        freed();
        if (observer != null) observer.progress();
        return receiver.value;
    }

    /** A receiver leaves; what was promised to it goes on. */
    void leave(ChannelWaiter receiver) {
        if (!receiver.isServed()) return;
        promised--;
        ChannelWaiter heir = firstReceiver();
        if (heir != null) promise(heir, receiver.value, receiver.order);
        else returned.add(receiver.order, receiver.value);
    }

    // ---- waiting

    /** Returns what the wait has thrown. */
    private static @Nullable Throwable await(
            CoroutineImpl<?> self, ChannelWaiter waiter, @Nullable Completable<?> token) {
        try {
            if (token == null) waiter.awaitDirectly(self);
            else Awaiting.until(self, waiter, token);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    /** The waiter stands in its queue from now on. */
    void joined(ChannelWaiter waiter) {
        if (observer != null && queueOf(waiter).size() == 1) observer.waitBegins(waiter.sends);
    }

    /** The waiter has left its queue, served or not; it is not woken yet. */
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

    /** One value less: there may be a slot for a sender, or nothing more to wait for. */
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

    /** Fires when nothing will be received any more; not while that is so already. */
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

    /** The wait is over and everything is decided. */
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
     * Closes it for a reason, unless it is closed.
     *
     * @param why the reason
     * @param cause what made it close, or null
     */
    void close(CloseReason why, @Nullable Throwable cause) {
        if (reason != null) return;
        reason = why;
        closeCause = cause;
        if (siblings != null && entry != null) siblings.remove(entry);
        siblings = null;
        refuseAll(senders);
        // who waits beside a promised value may still inherit it
        if (occupied == 0) drained();
        if (observer != null) observer.closed();
    }

    private void refuseAll(WaitQueue<ChannelWaiter> queue) {
        queue.refuseAll(() -> new ClosedWakeup(Objects.requireNonNull(reason)));
    }

    /** True if it was closed and nothing else came with it. */
    static boolean isPlain(Throwable thrown) {
        return thrown instanceof ClosedWakeup && thrown.getSuppressed().length == 0;
    }

    /** What a wait throws. */
    RuntimeException failure(Throwable thrown) {
        if (!(thrown instanceof ClosedWakeup)) return Throwing.sneaky(thrown);
        ChannelException closed = closed();
        for (Throwable other : thrown.getSuppressed()) Causes.suppress(closed, other);
        return closed;
    }

    /** The error of whoever uses a channel that is closed. */
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
        // where there is room nobody waits to send
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

    /** One line: what it holds, of how much, and who waits. */
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

    /** How many they are; nothing if there are none. */
    private static void describe(WaitQueue<?> waiting, StringBuilder text, String what) {
        int count = waiting.size();
        if (count > 0) text.append(", ").append(count).append(' ').append(what).append(count == 1 ? "" : "s");
    }
}
