package org.trueasync.reactor.nio;

import java.io.File;
import java.io.IOException;
import java.nio.channels.FileChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** The pipes from a child to us, which the JDK does not know. Made before the child, and without names once it has begun. */
final class Fifos implements AutoCloseable {
    /*
     * The JDK closes its own pipes of a child when the child ends, though the child's children may still write; and a thread that waits in one can't be
     * called off. So the pipes are FIFOs. The JDK can't make one: `mkfifo` is run, once for all that a child needs. Each is opened at both ends, then at
     * the child's end by ProcessBuilder, and then its name and the end that kept all this from blocking go away: what is left is a pipe.
     */
    private static final @Nullable String COMMAND = List.of("/usr/bin/mkfifo", "/bin/mkfifo").stream()
            .filter(name -> Files.isExecutable(Path.of(name)))
            .findFirst()
            .orElse(null);

    private final Path folder = Files.createTempDirectory("ta");
    private final List<Path> paths = new ArrayList<>();
    private final List<FileChannel> keepers = new ArrayList<>();
    private final List<FileChannel> ours = new ArrayList<>();
    private int opened;
    private boolean begun;

    /**
     * Makes some.
     *
     * @param count how many, at least 1
     */
    Fifos(int count) throws IOException {
        try {
            for (int i = 0; i < count; i++) paths.add(folder.resolve("p" + i));
            make();
        } catch (Throwable e) {
            close();
            throw e;
        }
    }

    /** Whether there can be any here; else the JDK's own pipes have to do. */
    static boolean available() {
        return COMMAND != null;
    }

    private void make() throws IOException {
        var command = new ArrayList<>(List.of(String.valueOf(COMMAND), "-m", "600"));
        for (Path path : paths) command.add(path.toString());
        Process process = new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD)
                .start();
        int status = endOf(process);
        if (status != 0) throw new IOException(COMMAND + " ended with " + status);
    }

    private static int endOf(Process process) {
        boolean interrupted = false;
        try {
            while (true) {
                try {
                    return process.waitFor();
                } catch (InterruptedException e) {
                    interrupted = true;
                }
            }
        } finally {
            if (interrupted) Thread.currentThread().interrupt();
        }
    }

    /**
     * Opens the next one, to be read.
     *
     * @return our end; closing it calls off who reads there
     */
    FileChannel open() throws IOException {
        Path path = paths.get(opened++);
        keepers.add(FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
        FileChannel end = FileChannel.open(path, StandardOpenOption.READ);
        ours.add(end);
        return end;
    }

    /** The child's end of the one that was opened last. */
    File last() {
        return paths.get(opened - 1).toFile();
    }

    /** The child has them: our ends stay open. */
    void begun() {
        begun = true;
    }

    /** The names go away; without a child our ends too. */
    @Override
    public void close() throws IOException {
        for (FileChannel keeper : keepers) keeper.close();
        if (!begun) for (FileChannel end : ours) end.close();
        for (Path path : paths) Files.deleteIfExists(path);
        Files.deleteIfExists(folder);
    }
}
