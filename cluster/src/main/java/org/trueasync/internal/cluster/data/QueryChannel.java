package org.trueasync.internal.cluster.data;

import java.util.UUID;

/** Asks how full the channel is, and whether it is closed; changes nothing. */
@SuppressWarnings("serial") // it travels as our own kind
final class QueryChannel extends ChannelCall {
    QueryChannel() {
        this(Wire.NOBODY);
    }

    QueryChannel(UUID member) {
        super(member);
    }

    @Override
    void apply(ChannelState state, ChannelChange change, long now) {}

    @Override
    public int getClassId() {
        return Wire.QUERY_CHANNEL;
    }
}
