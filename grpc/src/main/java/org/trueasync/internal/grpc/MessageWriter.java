package org.trueasync.internal.grpc;

import io.grpc.Compressor;
import io.grpc.Drainable;
import io.grpc.KnownLength;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;

/** A message with its prefix. */
final class MessageWriter extends ByteArrayOutputStream {
    static final int PREFIX = 5;
    private static final int SMALL = 512;

    private MessageWriter(int size) {
        super(size);
    }

    /**
     * Packs a message.
     *
     * @param compressor null to leave it as it is
     */
    static ByteBuffer pack(InputStream message, @Nullable Compressor compressor) {
        try (message) {
            int known = message instanceof KnownLength ? message.available() : SMALL;
            var all = new MessageWriter(PREFIX + known);
            all.writeBytes(new byte[PREFIX]);
            if (compressor == null) drain(message, all);
            else
                try (OutputStream packing = compressor.compress(all)) {
                    drain(message, packing);
                }
            int length = all.size() - PREFIX;
            return ByteBuffer.wrap(all.buf, 0, all.count)
                    .put(0, (byte) (compressor == null ? 0 : 1))
                    .putInt(1, length);
        } catch (IOException e) {
            throw new UncheckedIOException("a message can't be written: " + e.getMessage(), e);
        }
    }

    private static void drain(InputStream message, OutputStream to) throws IOException {
        if (message instanceof Drainable drainable) drainable.drainTo(to);
        else message.transferTo(to);
    }
}
