package org.trueasync.internal.testkit;

import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.stream.Stream;

/**
 * What the process holds.
 *
 * @param heap megabytes that are left after a collection
 * @param resident megabytes of memory, with the heap as far as it has grown; 0 where the system does not tell
 * @param descriptors 0 where the system does not tell
 */
public record Resources(long heap, long resident, long descriptors, int threads) {
    private static final Path STATUS = Path.of("/proc/self/status");
    private static final Path DESCRIPTORS = Path.of("/proc/self/fd");

    /** What it holds now. */
    public static Resources now() throws IOException {
        System.gc();
        long heap = ManagementFactory.getMemoryMXBean().getHeapMemoryUsage().getUsed() >> 20;
        long resident = 0;
        long descriptors = 0;
        if (Files.exists(STATUS)) {
            resident = Files.readAllLines(STATUS).stream()
                            .filter(line -> line.startsWith("VmRSS:"))
                            .mapToLong(line -> Long.parseLong(line.replaceAll("\\D", "")))
                            .sum()
                    >> 10;
            try (Stream<Path> open = Files.list(DESCRIPTORS)) {
                descriptors = open.count();
            }
        }
        return new Resources(
                heap, resident, descriptors, ManagementFactory.getThreadMXBean().getThreadCount());
    }

    /** Fails if this is clearly more than before: by what a leak makes in the rest of a night, and no noise does. */
    public void requireNoMoreThan(Resources before) {
        boolean isFlat = heap <= before.heap + before.heap / 2 + 16
                && resident <= before.resident + before.resident / 4 + 96
                && descriptors <= before.descriptors + 40
                && threads <= before.threads + 16;
        if (!isFlat) throw new AssertionError(this + " at the end, " + before + " after the first quarter");
    }
}
