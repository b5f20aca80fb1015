package org.trueasync.internal.process;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.List;

/**
 * Collects bytes until they are needed as one array. Keeps them in pieces of growing size, so that adding copies no
 * earlier bytes.
 */
final class Bytes {
    private static final int MIN_PIECE = 4 * 1024;
    private static final int MAX_PIECE = 1024 * 1024;

    private final List<byte[]> full = new ArrayList<>();
    private byte[] piece = {};
    private int used;
    private long size;

    void add(ByteBuffer bytes) {
        size += bytes.remaining();
        while (bytes.hasRemaining()) {
            if (used == piece.length) nextPiece(bytes.remaining());
            int count = Math.min(bytes.remaining(), piece.length - used);
            bytes.get(piece, used, count);
            used += count;
        }
    }

    private void nextPiece(int needed) {
        byte[] next = new byte[Math.clamp(Math.max(size, needed), MIN_PIECE, MAX_PIECE)];
        if (used > 0) full.add(piece);
        piece = next;
        used = 0;
    }

    long size() {
        return size;
    }

    byte[] toArray() {
        byte[] all = new byte[Math.toIntExact(size)];
        int place = 0;
        for (byte[] each : full) {
            System.arraycopy(each, 0, all, place, each.length);
            place += each.length;
        }
        System.arraycopy(piece, 0, all, place, used);
        return all;
    }
}
