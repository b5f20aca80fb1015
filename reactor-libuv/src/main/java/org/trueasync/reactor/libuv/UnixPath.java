package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_BYTE;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.nio.charset.Charset;
import java.nio.file.Path;
import org.trueasync.InputOutputException;

/** {@code struct sockaddr_un}: a path as the system takes it, in native memory until it is closed. */
final class UnixPath implements AutoCloseable {
    private static final int PATH = 2;
    private static final int ROOM = Platform.MAC ? 104 : 108;

    private static final Charset ENCODING = Charset.forName(System.getProperty("sun.jnu.encoding", "UTF-8"));

    private final Arena arena = Arena.ofConfined();
    private final MemorySegment block = arena.allocate(SocketAddresses.SIZE, 8);
    private final int length;

    /**
     * Converts a path.
     *
     * @throws InputOutputException {@code ENAMETOOLONG} if it does not fit
     */
    UnixPath(Path path) {
        byte[] bytes = path.toString().getBytes(ENCODING);
        length = PATH + bytes.length + 1;
        if (bytes.length >= ROOM) {
            arena.close();
            throw new InputOutputException(
                    "socket " + path + ": ENAMETOOLONG (" + bytes.length + " bytes, " + (ROOM - 1) + " at most)",
                    "ENAMETOOLONG");
        }
        if (Platform.MAC) {
            block.set(JAVA_BYTE, 0, (byte) length);
            block.set(JAVA_BYTE, 1, (byte) Platform.AF_UNIX);
        } else {
            block.set(java.lang.foreign.ValueLayout.JAVA_SHORT, 0, (short) Platform.AF_UNIX);
        }
        MemorySegment.copy(bytes, 0, block, JAVA_BYTE, PATH, bytes.length);
    }

    /** Address of the structure. */
    long address() {
        return block.address();
    }

    /** Its size in bytes. */
    int length() {
        return length;
    }

    /** Address of the path alone, ended by a zero. */
    long string() {
        return block.address() + PATH;
    }

    @Override
    public void close() {
        arena.close();
    }
}
