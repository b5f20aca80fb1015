package org.trueasync.reactor.nio;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.SelectableChannel;
import java.nio.channels.SelectionKey;
import org.jspecify.annotations.Nullable;

/** A handle over a channel that a selector can wait for. */
abstract class SelectedHandle extends NioHandle {
    private final SelectableChannel selectable;
    private @Nullable SelectionKey key;

    /** A handle over a channel that does not block. */
    SelectedHandle(NioReactor reactor, SelectableChannel channel) {
        super(reactor);
        selectable = channel;
    }

    /**
     * The channel is ready; never called once the handle is closed.
     *
     * @param operations what it is ready for, of what was asked for
     */
    abstract void ready(int operations);

    /** Asks for readiness, besides what was asked for before. Asking again costs nothing. */
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

    /** Takes {@link #want} back. */
    final void unwant(int operation) {
        if (key != null) key.interestOpsAnd(~operation);
    }

    /** The JDK gives the descriptor back now, or, if the selector knows the channel, when the selector is used next. */
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
