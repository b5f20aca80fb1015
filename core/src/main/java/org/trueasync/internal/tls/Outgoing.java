package org.trueasync.internal.tls;

import java.nio.ByteBuffer;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * What one write is to encrypt: one buffer or several. The engine is given memory on the heap only, as ciphers are several times faster there; and a
 * buffer that can't be read fails here, where no record has been begun.
 */
final class Outgoing {
    /** What a record holds. */
    private static final int RECORD = 16 * 1024;

    private final ByteBuffer[] all;
    private int first;

    Outgoing(ByteBuffer from) {
        all = new ByteBuffer[] {Objects.requireNonNull(from, "from")};
    }

    Outgoing(ByteBuffer[] from) {
        all = Objects.requireNonNull(from, "from").clone();
        for (int i = 0; i < all.length; i++) if (all[i] == null) throw new NullPointerException("from[" + i + "]");
    }

    boolean isEmpty() {
        while (first < all.length && !all[first].hasRemaining()) first++;
        return first == all.length;
    }

    /**
     * Makes a record of the next bytes, as many as fit into one. There must be some.
     *
     * @param net where the record goes
     */
    SSLEngineResult wrap(SSLEngine engine, ByteBuffer net) throws SSLException {
        ByteBuffer next = all[first];
        boolean fills = next.remaining() >= RECORD || first == all.length - 1;
        if (fills && next.hasArray()) return engine.wrap(next, net);
        ByteBuffer copy = Buffers.take().limit(RECORD);
        try {
            int end = gather(copy);
            SSLEngineResult result = engine.wrap(copy.flip(), net);
            taken(result.bytesConsumed(), end);
            return result;
        } finally {
            Buffers.give(copy);
        }
    }

    /** Copies without moving positions; the buffers up to the index that is returned have been used. */
    private int gather(ByteBuffer copy) {
        int index = first;
        while (index < all.length && copy.hasRemaining()) {
            ByteBuffer part = all[index];
            // one that is there twice has its bytes once
            if (isBetween(first, index, part)) break;
            int length = Math.min(part.remaining(), copy.remaining());
            copy.put(part.slice(part.position(), length));
            index++;
        }
        return index;
    }

    private boolean isBetween(int from, int end, ByteBuffer part) {
        for (int i = from; i < end; i++) if (all[i] == part) return true;
        return false;
    }

    private void taken(int count, int end) {
        int left = count;
        for (int i = first; i < end && left > 0; i++) {
            int length = Math.min(left, all[i].remaining());
            all[i].position(all[i].position() + length);
            left -= length;
        }
    }
}
