package org.trueasync.reactor.libuv;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;
import java.lang.foreign.ValueLayout;
import java.nio.charset.StandardCharsets;
import java.nio.file.LinkOption;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.PosixFilePermission;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The JDK's options for opening a file, in the system's terms.
 *
 * @param flags of open(2)
 * @param mode of a file that is made, before the system applies the process's umask
 * @param deleteOnClose whether the name is removed as soon as the file is open
 */
record UvFileOptions(int flags, int mode, boolean deleteOnClose) {
    /** False on other systems, whose numbers differ from Linux's, and with C libraries that lack some of the calls. */
    static final boolean ARE_KNOWN =
            System.getProperty("os.name", "").equals("Linux") && has("preadv2") && has("pwritev2") && has("statx");

    private static final int DEFAULT_MODE = 0666;

    private static boolean has(String function) {
        return UvLibrary.symbols().find(function).isPresent();
    }

    /** Converts options and attributes; null if only the JDK knows one of them. */
    static @Nullable UvFileOptions of(Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        boolean append = options.contains(StandardOpenOption.APPEND);
        boolean write = append || options.contains(StandardOpenOption.WRITE);
        boolean read = !write || options.contains(StandardOpenOption.READ);
        int flags = FileCalls.CLOSE_ON_EXEC | FileCalls.NO_TERMINAL;
        flags |= read && write ? FileCalls.READ_WRITE : write ? FileCalls.WRITE_ONLY : FileCalls.READ_ONLY;
        boolean delete = false;
        for (OpenOption option : options) {
            if (option == LinkOption.NOFOLLOW_LINKS) {
                flags |= FileCalls.NO_FOLLOW;
            } else if (!(option instanceof StandardOpenOption standard)) {
                return null;
            } else {
                flags |= switch (standard) {
                    case READ, WRITE, SPARSE -> 0;
                    case APPEND -> FileCalls.APPEND;
                    case TRUNCATE_EXISTING -> write ? FileCalls.TRUNCATE : 0;
                    case CREATE -> write ? FileCalls.CREATE : 0;
                    case CREATE_NEW -> write ? FileCalls.CREATE | FileCalls.EXCLUSIVE : 0;
                    case DELETE_ON_CLOSE -> FileCalls.NO_FOLLOW;
                    case SYNC -> FileCalls.SYNC;
                    case DSYNC -> FileCalls.DATA_SYNC;
                };
                delete |= standard == StandardOpenOption.DELETE_ON_CLOSE;
            }
        }
        int mode = DEFAULT_MODE;
        for (FileAttribute<?> attribute : attributes) {
            if (!attribute.name().equals("posix:permissions") || !(attribute.value() instanceof Set<?> permissions))
                return null;
            mode = 0;
            for (Object permission : permissions) {
                if (!(permission instanceof PosixFilePermission posix)) return null;
                mode |= bit(posix);
            }
        }
        return new UvFileOptions(flags, mode, delete);
    }

    private static int bit(PosixFilePermission permission) {
        return switch (permission) {
            case OWNER_READ -> 0400;
            case OWNER_WRITE -> 0200;
            case OWNER_EXECUTE -> 0100;
            case GROUP_READ -> 040;
            case GROUP_WRITE -> 020;
            case GROUP_EXECUTE -> 010;
            case OTHERS_READ -> 04;
            case OTHERS_WRITE -> 02;
            case OTHERS_EXECUTE -> 01;
        };
    }

    /** Returns the address of a path's own bytes, ended by a zero. */
    static long name(Arena arena, Path path) {
        String text = path.toString();
        byte[] bytes = text.isEmpty() ? new byte[] {'.'} : bytes(path, text);
        MemorySegment block = arena.allocate(bytes.length + 1L);
        MemorySegment.copy(bytes, 0, block, ValueLayout.JAVA_BYTE, 0, bytes.length);
        return block.address();
    }

    /** If not all characters are ASCII, the text may not give the bytes exactly; the path's URI does. */
    private static byte[] bytes(Path path, String text) {
        if (text.chars().allMatch(c -> c < 128)) return text.getBytes(StandardCharsets.US_ASCII);
        String raw = path.toUri().getRawPath();
        byte[] bytes = new byte[raw.length()];
        int length = 0;
        for (int i = 0; i < raw.length(); i++) {
            char c = raw.charAt(i);
            if (c == '%') {
                bytes[length++] = (byte) Integer.parseInt(raw, i + 1, i + 3, 16);
                i += 2;
            } else {
                bytes[length++] = (byte) c;
            }
        }
        return java.util.Arrays.copyOf(bytes, length);
    }
}
