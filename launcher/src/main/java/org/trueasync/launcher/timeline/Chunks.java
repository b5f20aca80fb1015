package org.trueasync.launcher.timeline;

import java.io.EOFException;
import java.io.IOException;
import java.io.RandomAccessFile;
import java.nio.file.Path;

/**
 * Looks at the headers of a recording's chunks, as the JDK's reader of streams passes in silence over what it can't
 * read. A header begins with a mark, a version, and the chunk's size.
 */
final class Chunks {
    private static final int MARK = 'F' << 24 | 'L' << 16 | 'R' << 8;
    private static final int HEADER = 68;

    private Chunks() {}

    /**
     * False if the file breaks off, or has something else after its chunks.
     *
     * @throws IOException if it can't be read, or does not begin as a recording
     */
    static boolean areWhole(Path recording) throws IOException {
        try (var file = new RandomAccessFile(recording.toFile(), "r")) {
            long length = file.length();
            if (length < HEADER || file.readInt() != MARK) throw new IOException("it does not begin as one");
            for (long at = 0; at < length; ) {
                file.seek(at);
                if (file.readInt() != MARK) return false;
                file.readInt();
                long size = file.readLong();
                if (size < HEADER || size > length - at) return false;
                at += size;
            }
            return true;
        } catch (EOFException breaksOff) {
            return false;
        }
    }
}
