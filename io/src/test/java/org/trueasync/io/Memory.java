package org.trueasync.io;

import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;

/** What the system says of this process. */
final class Memory {
    private static final Path STATM = Path.of("/proc/self/statm");

    private Memory() {}

    /** Resident memory in bytes; skips the test where the system does not tell. */
    static long resident() {
        assumeTrue(Files.isReadable(STATM), "no /proc here");
        try {
            return Long.parseLong(Files.readString(STATM).split(" ")[1]) * 4096;
        } catch (IOException e) {
            throw new AssertionError(e);
        }
    }
}
