package org.trueasync.internal.channel;

import org.trueasync.spi.Event;

/** The event that nothing more will be received from a channel. Fires once. */
final class ChannelEnd extends Event {
    private final ChannelCore channel;

    ChannelEnd(ChannelCore channel) {
        this.channel = channel;
    }

    void fire() {
        notifyCallbacks(null, null);
    }

    @Override
    public String info() {
        return "the end of " + channel.info();
    }
}
