package org.trueasync.internal.process;

import java.nio.ByteBuffer;

/** A child's output, kept up to a limit. */
final class Captured extends ChildOutput {
    private final long limit;
    private final Bytes bytes = new Bytes();
    private boolean cut;

    /**
     * Makes one without bytes.
     *
     * @param limit bytes kept, at most; more are dropped
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

    /** True if bytes were dropped. */
    boolean isCut() {
        return cut;
    }

    byte[] bytes() {
        return bytes.toArray();
    }
}
