package org.trueasync.bench.jmh;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.util.List;
import java.util.stream.IntStream;
import org.trueasync.bench.ChildJvm;

/** The cpu that had least to do just now, and a {@code java} that stays on it. Needs Linux and {@code taskset}. */
final class IdleCpu {

    private static final long LOOK_MILLIS = 100;

    private IdleCpu() {}

    /** Returns a command that starts the JVM on the idlest cpu; it is a file beside the log. */
    static Path java(File log) throws IOException, InterruptedException {
        int cpu = idlest();
        Path command = log.toPath().resolveSibling("java-on-cpu-" + cpu);
        Files.writeString(
                command,
                "#!/bin/sh\nexec taskset -c " + cpu + " '" + ChildJvm.JAVA.replace("'", "'\\''") + "' \"$@\"\n");
        Files.setPosixFilePermissions(command, PosixFilePermissions.fromString("rwxr-xr-x"));
        return command.toAbsolutePath();
    }

    private static int idlest() throws IOException, InterruptedException {
        List<Long> before = idleTimes();
        Thread.sleep(LOOK_MILLIS);
        List<Long> after = idleTimes();
        return IntStream.range(0, before.size())
                .boxed()
                .max((a, b) -> Long.compare(after.get(a) - before.get(a), after.get(b) - before.get(b)))
                .orElse(0);
    }

    /** Returns how long each cpu has been idle, in ticks of the system; it is the fourth figure, see proc(5). */
    private static List<Long> idleTimes() throws IOException {
        return Files.readAllLines(Path.of("/proc/stat")).stream()
                .filter(line -> line.matches("cpu\\d.*"))
                .map(line -> Long.parseLong(line.split(" +")[4]))
                .toList();
    }
}
