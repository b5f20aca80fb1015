package org.trueasync.internal.http.codings;

import com.aayushatharva.brotli4j.decoder.BrotliInputStream;
import com.github.luben.zstd.ZstdInputStreamNoFinalizer;
import java.io.IOException;
import java.io.InputStream;
import java.util.ArrayList;
import java.util.List;
import java.util.zip.GZIPInputStream;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Coding;

/** Makes what packs and unpacks. */
public final class Codecs {
    private static final int BUFFER = 8 * 1024;
    /** 8 MiB, as RFC 9659 has it: a peer could ask for more memory otherwise. */
    private static final int MAX_WINDOW_BITS = 23;

    private static volatile @Nullable List<Coding> available;

    private Codecs() {}

    /**
     * Returns the codings whose libraries are there, in the order of preference for what is made while it is sent.
     * Loads the libraries: not on the loop.
     */
    public static List<Coding> available() {
        List<Coding> known = available;
        if (known != null) return known;
        var found = new ArrayList<Coding>();
        if (loads(() -> Zstandard.load())) found.add(Coding.ZSTANDARD);
        if (loads(() -> Brotli.load())) found.add(Coding.BROTLI);
        found.add(Coding.GZIP);
        List<Coding> all = List.copyOf(found);
        available = all;
        return all;
    }

    private static boolean loads(Runnable library) {
        try {
            library.run();
            return true;
        } catch (LinkageError e) {
            return false; // it is not there, or not for this system
        }
    }

    /**
     * Makes a packer.
     *
     * @param coding an available one
     * @param level 1 to 9, from the fastest to the smallest
     */
    public static Packer packer(Coding coding, int level) {
        return switch (coding) {
            case GZIP -> new Gzip(level);
            case BROTLI -> new Brotli(level);
            case ZSTANDARD -> new Zstandard(level);
        };
    }

    /**
     * Unpacks a stream. What is no good fails with an {@link IOException}.
     *
     * @param coding an available one
     */
    public static InputStream unpacked(Coding coding, InputStream packed) throws IOException {
        return switch (coding) {
            case GZIP -> new GZIPInputStream(packed, BUFFER);
            case BROTLI -> new BrotliInputStream(packed, BUFFER);
            case ZSTANDARD -> new ZstdInputStreamNoFinalizer(packed).setLongMax(MAX_WINDOW_BITS);
        };
    }
}
