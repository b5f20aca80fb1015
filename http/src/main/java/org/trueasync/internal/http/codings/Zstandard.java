package org.trueasync.internal.http.codings;

import com.github.luben.zstd.EndDirective;
import com.github.luben.zstd.Zstd;
import com.github.luben.zstd.ZstdCompressCtx;
import java.nio.ByteBuffer;
import org.trueasync.internal.http.message.Coding;

/** Makes Zstandard (RFC 8878), by zstd-jni. */
final class Zstandard extends Packer {
    private static final int PIECE = 16 * 1024;
    /** A quarter of a megabyte: each body that is sent has a window. RFC 9659 lets clients refuse more than 8 MiB. */
    private static final int WINDOW_BITS = 18;

    private static final ByteBuffer NOTHING = ByteBuffer.allocateDirect(0);

    private final ZstdCompressCtx context = new ZstdCompressCtx();
    private final int level;
    private final ByteBuffer in = ByteBuffer.allocateDirect(PIECE);
    private final ByteBuffer out = ByteBuffer.allocateDirect(PIECE);

    Zstandard(int level) {
        this.level = level;
    }

    /** Loads the library; throws an error if it is not there. */
    static void load() {
        Zstd.defaultCompressionLevel();
    }

    @Override
    public Coding coding() {
        return Coding.ZSTANDARD;
    }

    @Override
    public void begin() {
        context.reset();
        context.setLevel(level).setWindowLog(WINDOW_BITS).setContentSize(false);
    }

    @Override
    void pack(ByteBuffer plain, boolean flushes) {
        while (plain.hasRemaining()) {
            int count = Math.min(plain.remaining(), PIECE);
            in.clear().put(plain.slice(plain.position(), count)).flip();
            plain.position(plain.position() + count);
            while (in.hasRemaining()) step(in, EndDirective.CONTINUE);
        }
        if (flushes) while (!step(NOTHING, EndDirective.FLUSH)) {}
    }

    @Override
    void finish() {
        while (!step(NOTHING, EndDirective.END)) {}
    }

    private boolean step(ByteBuffer from, EndDirective mode) {
        boolean done = context.compressDirectByteBufferStream(out.clear(), from, mode);
        put(out.flip());
        return done;
    }

    @Override
    public void close() {
        context.close();
    }
}
