package org.trueasync.internal.http.codings;

import java.nio.ByteBuffer;
import java.nio.ByteOrder;
import java.util.zip.CRC32;
import java.util.zip.Deflater;
import org.trueasync.internal.http.message.Coding;

/** Makes gzip (RFC 1952), by the JDK. */
final class Gzip extends Packer {
    private static final byte[] HEAD = {0x1f, (byte) 0x8b, Deflater.DEFLATED, 0, 0, 0, 0, 0, 0, (byte) 0xff};
    private static final int TRAILER = 8;
    private static final int STEP = 512;

    private final Deflater deflater;
    private final CRC32 sum = new CRC32();
    private long count;

    Gzip(int level) {
        deflater = new Deflater(level, true);
    }

    @Override
    public Coding coding() {
        return Coding.GZIP;
    }

    @Override
    public void begin() {
        deflater.reset();
        sum.reset();
        count = 0;
    }

    @Override
    void pack(ByteBuffer plain, boolean flushes) {
        start();
        sum.update(plain.duplicate());
        count += plain.remaining();
        deflater.setInput(plain);
        drain(flushes ? Deflater.SYNC_FLUSH : Deflater.NO_FLUSH);
    }

    @Override
    void finish() {
        start();
        deflater.finish();
        drain(Deflater.NO_FLUSH);
        ByteBuffer.wrap(room(TRAILER), size(), TRAILER)
                .order(ByteOrder.LITTLE_ENDIAN)
                .putInt((int) sum.getValue())
                .putInt((int) count);
        packed(TRAILER);
    }

    private void start() {
        if (count == 0 && deflater.getBytesWritten() == 0) put(ByteBuffer.wrap(HEAD));
    }

    private void drain(int mode) {
        int got;
        do {
            byte[] into = room(STEP);
            int free = into.length - size();
            got = deflater.deflate(into, size(), free, mode);
            packed(got);
            if (got < free) return;
        } while (got > 0);
    }

    @Override
    public void close() {
        deflater.end();
    }
}
