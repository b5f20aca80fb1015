package org.trueasync.internal.testkit;

import java.nio.channels.CancelledKeyException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.spi.AbstractSelectionKey;

/** What a {@link VirtualSelector} knows of a channel. Loop thread. */
final class VirtualKey extends AbstractSelectionKey {
    /** A channel that can be selected. */
    interface Ready {
        /** Those of some operations that would not wait now; when others of them no longer would, waiters are woken. */
        int ready(int operations);

        /** Woken when one may be ready that was not. */
        SocketWait waiters();
    }

    private final VirtualSelector selector;
    private final SelectableChannel channel;
    private int interest;
    private int ready;

    VirtualKey(VirtualSelector selector, SelectableChannel channel) {
        this.selector = selector;
        this.channel = channel;
    }

    Ready side() {
        return (Ready) channel;
    }

    /** What is ready now of what is wanted. */
    int now() {
        return isValid() ? side().ready(interest) : 0;
    }

    /** Sets or adds what is ready; returns whether that is news. */
    boolean isReadyFor(int operations, boolean adds) {
        int before = ready;
        ready = adds ? before | operations : operations;
        return !adds || ready != before;
    }

    @Override
    public SelectableChannel channel() {
        return channel;
    }

    @Override
    public Selector selector() {
        return selector;
    }

    @Override
    public int interestOps() {
        requireValid();
        return interest;
    }

    @Override
    public SelectionKey interestOps(int operations) {
        requireValid();
        if ((operations & ~channel.validOps()) != 0)
            throw new IllegalArgumentException("not all of the operations " + operations + " are of " + channel);
        interest = operations;
        return this;
    }

    @Override
    public int readyOps() {
        requireValid();
        return ready;
    }

    private void requireValid() {
        if (!isValid()) throw new CancelledKeyException();
    }
}
