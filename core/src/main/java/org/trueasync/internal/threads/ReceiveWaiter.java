package org.trueasync.internal.threads;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;

/** A receiver that has to wait; then the value that it got, with the value's number in the order of sending. */
final class ReceiveWaiter extends ThreadWaiter {
    private final ThreadChannelCore channel;
    private @Nullable Object value;
    private long number;
    private boolean received;
    private boolean refused;

    ReceiveWaiter(ThreadChannelCore channel, @Nullable Loop loop) {
        super(loop);
        this.channel = channel;
    }

    @Override
    void begin() {
        channel.begin(this);
    }

    @Override
    void withdraw() {
        channel.withdraw(this);
    }

    void receive(@Nullable Object handedOut, long itsNumber) {
        value = handedOut;
        number = itsNumber;
        received = true;
        end();
    }

    void refuse() {
        refused = true;
        end();
    }

    /** Takes the value away from a receiver that has left. True, once only, if it had one. */
    boolean takeBack() {
        boolean had = received;
        received = false;
        return had;
    }

    boolean isRefused() {
        return refused;
    }

    @Nullable
    Object value() {
        return value;
    }

    long number() {
        return number;
    }

    @Override
    public String toString() {
        return "receive from " + channel;
    }
}
