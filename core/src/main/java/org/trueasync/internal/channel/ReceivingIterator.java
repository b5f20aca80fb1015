package org.trueasync.internal.channel;

import java.util.Iterator;
import java.util.NoSuchElementException;
import org.jspecify.annotations.Nullable;

/**
 * Receives until the channel is closed and empty. {@code hasNext} does the waiting: it takes the value that
 * {@code next} returns.
 */
public final class ReceivingIterator<T> implements Iterator<T> {
    /** The mark that no value has been received ahead. */
    private static final Object NONE = new Object();

    private final ChannelCore channel;
    private @Nullable Object ahead = NONE;

    /**
     * Creates an iterator, which shares the channel's values with other iterators.
     *
     * @param channel the channel to receive from
     */
    public ReceivingIterator(ChannelCore channel) {
        this.channel = channel;
    }

    @Override
    public boolean hasNext() {
        if (ahead == NONE) ahead = channel.next();
        return ahead != ChannelCore.END;
    }

    @Override
    @SuppressWarnings({"unchecked", "NullAway"}) // a value may be null; T says whether it may
    public T next() {
        if (!hasNext()) throw new NoSuchElementException(channel.info() + " is closed and empty");
        Object value = ahead;
        ahead = NONE;
        return (T) value;
    }
}
