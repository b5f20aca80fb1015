package org.trueasync.internal.http.codings;

import com.aayushatharva.brotli4j.Brotli4jLoader;
import com.aayushatharva.brotli4j.encoder.Encoder;
import com.aayushatharva.brotli4j.encoder.EncoderJNI;
import com.aayushatharva.brotli4j.encoder.EncoderJNI.Operation;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.ByteBuffer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Coding;

/** Makes Brotli (RFC 7932), by brotli4j. */
final class Brotli extends Packer {
    private static final int INPUT = 16 * 1024;
    /** A quarter of a megabyte: each body that is sent has a window. */
    private static final int WINDOW_BITS = 18;

    private final int level;
    /** It serves one body. */
    private EncoderJNI.@Nullable Wrapper encoder;

    Brotli(int level) {
        this.level = level;
    }

    /** Loads the library; throws an error if it is not there. */
    static void load() {
        Brotli4jLoader.ensureAvailability();
    }

    @Override
    public Coding coding() {
        return Coding.BROTLI;
    }

    @Override
    public void begin() {
        close();
        try {
            encoder = new EncoderJNI.Wrapper(INPUT, level, WINDOW_BITS, Encoder.Mode.TEXT);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    @Override
    void pack(ByteBuffer plain, boolean flushes) {
        while (plain.hasRemaining()) {
            ByteBuffer input = encoder().getInputBuffer();
            int count = Math.min(plain.remaining(), input.capacity());
            input.clear().put(plain.slice(plain.position(), count));
            plain.position(plain.position() + count);
            push(Operation.PROCESS, count);
        }
        if (flushes) push(Operation.FLUSH, 0);
    }

    @Override
    void finish() {
        push(Operation.FINISH, 0);
    }

    private void push(Operation operation, int count) {
        EncoderJNI.Wrapper to = encoder();
        to.push(operation, count);
        while (true) {
            if (!to.isSuccess()) throw new IllegalStateException("Brotli has failed to compress");
            if (to.hasMoreOutput()) put(to.pull());
            else if (to.hasRemainingInput()) to.push(operation, 0);
            else return;
        }
    }

    private EncoderJNI.Wrapper encoder() {
        if (encoder == null) throw new IllegalStateException("no body was begun");
        return encoder;
    }

    @Override
    public void close() {
        if (encoder != null) encoder.destroy();
        encoder = null;
    }
}
