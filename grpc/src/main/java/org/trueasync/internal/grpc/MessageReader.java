package org.trueasync.internal.grpc;

import io.grpc.Decompressor;
import io.grpc.KnownLength;
import io.grpc.Status;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import org.jspecify.annotations.Nullable;

/** Takes messages out of a body: each has a byte of flags and four of its length before it. */
final class MessageReader {
    private static final int PREFIX = 5;

    private final InputStream in;
    private final int most;
    private final @Nullable Decompressor decompressor;
    private boolean compressed;
    private int length;

    /**
     * Makes one.
     *
     * @param most bytes of a message, compressed and not
     * @param decompressor null if the peer has named none
     */
    MessageReader(InputStream in, int most, @Nullable Decompressor decompressor) {
        this.in = in;
        this.most = most;
        this.decompressor = decompressor;
    }

    /** Waits for the begin of the next message; returns false at the end of the body. */
    boolean next() throws IOException {
        byte[] prefix = in.readNBytes(PREFIX);
        if (prefix.length == 0) return false;
        if (prefix.length < PREFIX) throw cut();
        int flags = prefix[0] & 0xff;
        if (flags > 1) throw internal("the flags of a message must be 0 or 1, got " + flags);
        compressed = flags == 1;
        if (compressed && decompressor == null) throw internal("a compressed message without grpc-encoding");
        length = (prefix[1] & 0xff) << 24 | (prefix[2] & 0xff) << 16 | (prefix[3] & 0xff) << 8 | (prefix[4] & 0xff);
        if (length < 0 || length > most) throw tooLarge(length & 0xffff_ffffL);
        return true;
    }

    /** Reads the message that has begun. Memory is taken as its bytes come, not as its length promises. */
    byte[] message() throws IOException {
        byte[] message = in.readNBytes(length);
        if (message.length < length) throw cut();
        Decompressor decoder = compressed ? decompressor : null;
        if (decoder == null) return message;
        byte[] decoded;
        try (InputStream plain = decoder.decompress(new ByteArrayInputStream(message))) {
            decoded = plain.readNBytes((int) Math.min(most + 1L, Integer.MAX_VALUE));
        } catch (IOException e) { // of the decoder, as all of the message is here
            throw internal("a message can't be decompressed: " + e.getMessage());
        }
        if (decoded.length > most) throw tooLarge(-1);
        return decoded;
    }

    private RuntimeException tooLarge(long size) {
        return Status.RESOURCE_EXHAUSTED
                .withDescription(
                        "gRPC message exceeds maximum size " + most + (size < 0 ? " once decompressed" : ": " + size))
                .asRuntimeException();
    }

    private static RuntimeException cut() {
        return internal("the body ends in the middle of a message");
    }

    private static RuntimeException internal(String text) {
        return Status.INTERNAL.withDescription(text).asRuntimeException();
    }

    /** A message as a stream whose length is known. */
    static InputStream stream(byte[] message) {
        return new Known(message);
    }

    private static final class Known extends ByteArrayInputStream implements KnownLength {
        Known(byte[] message) {
            super(message);
        }
    }
}
