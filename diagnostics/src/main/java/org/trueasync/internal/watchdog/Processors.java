package org.trueasync.internal.watchdog;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.List;

/** How crowded the machine is. */
final class Processors {
    private static final Path STATISTICS = Path.of("/proc/stat");
    private static final String RUNNING = "procs_running ";

    private Processors() {}

    /** The part of a processor that one more thread would get, from 0 to 1; 1 where the system does not tell. */
    static double room() {
        try {
            return room(Files.readAllLines(STATISTICS));
        } catch (IOException | RuntimeException e) {
            return 1;
        }
    }

    /**
     * As {@link #room()}, from the system's statistics.
     *
     * @param statistics lines as Linux has them
     */
    static double room(List<String> statistics) {
        int processors = 0;
        int running = 0;
        for (String line : statistics) {
            if (line.startsWith("cpu") && !line.startsWith("cpu ")) processors++;
            else if (line.startsWith(RUNNING)) running = number(line.substring(RUNNING.length()));
        }
        return processors == 0 || running <= processors ? 1 : (double) processors / running;
    }

    private static int number(String text) {
        try {
            return Integer.parseInt(text.strip());
        } catch (NumberFormatException e) {
            return 0;
        }
    }
}
