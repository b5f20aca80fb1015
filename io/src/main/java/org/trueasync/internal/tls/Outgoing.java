package org.trueasync.internal.tls;

import java.nio.ByteBuffer;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLException;

/**
 * The buffers that one write encrypts. The engine gets heap memory only, because ciphers are several times faster
 * there. A buffer that can't be read fails here, before a record is begun.
 */
final class Outgoing {
    /** Bytes that a record holds. */
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
     * Makes a record of the next bytes, as many as fit. {@link #isEmpty} must have returned false.
     *
     * @param net receives the record
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

    /** Copies the next bytes without moving positions. Returns the index of the first buffer that was not used. */
    private int gather(ByteBuffer copy) {
        int index = first;
        while (index < all.length && copy.hasRemaining()) {
            ByteBuffer part = all[index];
            // a buffer that occurs twice gives its bytes once
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
        int toSkip = count;
        for (int i = first; i < end && toSkip > 0; i++) {
            int length = Math.min(toSkip, all[i].remaining());
            all[i].position(all[i].position() + length);
            toSkip -= length;
        }
    }
}
