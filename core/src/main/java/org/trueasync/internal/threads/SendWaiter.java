package org.trueasync.internal.threads;

import java.util.concurrent.atomic.AtomicInteger;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;

/**
 * A sender that has to wait, with its value. It is in the wait queue, then in the buffer in place of its value. One
 * compare-and-set decides between a receiver that takes the value and a sender that leaves and takes it back.
 */
final class SendWaiter extends ThreadWaiter {
    private static final int OFFERED = 0;
    private static final int TAKEN = 1;
    private static final int TAKEN_BACK = 2;
    private static final int REFUSED = 3;

    final @Nullable Object value;
    private final ThreadChannelCore channel;
    /** Changed inside and outside: the sender must know at once whether it still has its value. */
    private final AtomicInteger state = new AtomicInteger(OFFERED);

    SendWaiter(ThreadChannelCore channel, @Nullable Loop loop, @Nullable Object value) {
        super(loop);
        this.channel = channel;
        this.value = value;
    }

    @Override
    void begin() {
        if (isOffered()) channel.begin(this);
    }

    @Override
    void withdraw() {
        if (state.get() != TAKEN) channel.withdraw(this);
    }

    /** Takes the value for a receiver. True if the receiver has it. */
    boolean take() {
        return state.compareAndSet(OFFERED, TAKEN);
    }

    /** Takes the value back for the sender. False if a receiver has it. */
    boolean takeBack() {
        return state.compareAndSet(OFFERED, TAKEN_BACK) || state.get() != TAKEN;
    }

    boolean isOffered() {
        return state.get() == OFFERED;
    }

    /** Refuses the send, because the channel has ended. */
    void refuse() {
        state.compareAndSet(OFFERED, REFUSED);
        end();
    }

    boolean isRefused() {
        return state.get() == REFUSED;
    }

    @Override
    public String toString() {
        return "send to " + channel;
    }
}
