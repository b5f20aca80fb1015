package org.trueasync.reactor.nio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/** A handle over a channel for which a selector can wait. */
abstract class SelectedHandle extends NioHandle {
    private final SelectableChannel selectable;
    private @Nullable SelectionKey key;

    /** Makes a handle over a channel, which must be non-blocking before {@link #want}. */
    SelectedHandle(NioReactor reactor, SelectableChannel channel) {
        super(reactor);
        selectable = channel;
    }

    /**
     * Called when the channel is ready, unless the handle is closed.
     *
     * @param operations the wanted operations for which it is ready
     */
    abstract void ready(int operations);

    /** Adds an operation to those for which the selector waits. Adding it again costs nothing. */
    final void want(int operation) {
        SelectionKey mine = key;
        if (mine != null) {
            mine.interestOpsOr(operation);
            return;
        }
        try {
            key = selectable.register(reactor.selector(), operation, this);
        } catch (ClosedChannelException impossible) {
            throw new IllegalStateException(
                    "Bug in TrueAsync: " + this + " is closed; please report this trace", impossible);
        }
    }

    /** Removes an operation that {@link #want} has added. */
    final void unwant(int operation) {
        if (key != null) key.interestOpsAnd(~operation);
    }

    /**
     * Closes the channel. The JDK closes the descriptor now or, if the channel is registered, when the selector is used
     * next.
     */
    @Override
    void release() {
        closeQuietly(selectable);
    }

    static void closeQuietly(SelectableChannel channel) {
        try {
            channel.close();
        } catch (IOException | UncheckedIOException nothingToBeDone) {
            // the descriptor is gone all the same
        }
    }
}
