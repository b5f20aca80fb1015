package org.trueasync.internal.process;

import java.nio.ByteBuffer;

/** A child's output that is kept whole, up to a limit. */
final class Captured extends ChildOutput {
    private final long limit;
    private final Bytes bytes = new Bytes();
    private boolean cut;

    /**
     * Nothing has come yet.
     *
     * @param limit most bytes kept; what is above is dropped
     */
    Captured(String what, long limit, Runnable changed) {
        super(what, changed);
        this.limit = limit;
    }

    @Override
    void take(ByteBuffer more) {
        long room = limit - bytes.size();
        if (more.remaining() > room) {
            cut = true;
            more.limit(more.position() + (int) room);
        }
        bytes.add(more);
    }

    /** True if something was dropped. */
    boolean isCut() {
        return cut;
    }

    byte[] bytes() {
        return bytes.toArray();
    }
}
