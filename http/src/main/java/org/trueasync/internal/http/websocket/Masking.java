package org.trueasync.internal.http.websocket;

import java.lang.invoke.MethodHandles;
import java.lang.invoke.VarHandle;
import java.nio.ByteOrder;

/** The masking of what a client sends (RFC 6455, 5.3); the same again takes it off. */
final class Masking {
    private static final VarHandle LONGS = MethodHandles.byteArrayViewVarHandle(long[].class, ByteOrder.BIG_ENDIAN);

    private Masking() {}

    /**
     * Masks a part of a payload in place.
     *
     * @param key its first byte is the highest one
     * @param position of the part in the payload
     */
    static void apply(int key, long position, byte[] bytes, int from, int to) {
        int turned = Integer.rotateLeft(key, 8 * (int) (position & 3));
        long both = ((long) turned << 32) | (turned & 0xffff_ffffL);
        int i = from;
        for (; i + 8 <= to; i += 8) LONGS.set(bytes, i, (long) LONGS.get(bytes, i) ^ both);
        for (int shift = 56; i < to; i++, shift -= 8) bytes[i] ^= (byte) (both >>> shift);
    }
}
