package org.trueasync.reactor.nio;

import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

/**
 * Starts processes by the JDK where it has room for that. With too few descriptors left, the JDK (25.0.3) closes some
 * of its own twice, and the second time a number may be another's; or it blames its helper, which could not load its
 * libraries.
 */
final class ProcessStart {
    /** What the JDK opens: five pipes. Its helper needs one descriptor more. */
    private static final int DESCRIPTORS = 12;

    private static final Path NOTHING = Path.of("/dev/null");

    private ProcessStart() {}

    /**
     * Starts a process.
     *
     * @throws IOException also if the process or the system has too few descriptors left
     */
    static Process start(ProcessBuilder builder) throws IOException {
        requireDescriptors();
        return builder.start();
    }

    private static void requireDescriptors() throws IOException {
        List<FileChannel> opened = new ArrayList<>(DESCRIPTORS);
        try {
            while (opened.size() < DESCRIPTORS) opened.add(FileChannel.open(NOTHING));
        } finally {
            for (FileChannel each : opened) each.close();
        }
    }
}
