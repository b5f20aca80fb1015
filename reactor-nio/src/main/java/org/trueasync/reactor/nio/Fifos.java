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

/**
 * The pipes from a child to us, made without the JDK: FIFOs that are made before the child and lose their names once it
 * has begun.
 */
final class Fifos implements AutoCloseable {
    /*
     * The JDK closes its own pipes of a child when the child ends, though the child's children may still write; and a
     * thread that waits in such a pipe can't be released. So the pipes are FIFOs. The JDK can't make one, so `mkfifo`
     * is run, once for all that a child needs. Each FIFO is opened for both sides (the keeper, with which no other
     * opening blocks), then by us to read, then by ProcessBuilder for the child. Then its name is removed and the
     * keeper closed: a pipe remains.
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
     * Makes FIFOs in a private folder.
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

    /** True if this system has {@code mkfifo}; else the JDK's own pipes are used. */
    static boolean available() {
        return COMMAND != null;
    }

    private void make() throws IOException {
        var command = new ArrayList<>(List.of(String.valueOf(COMMAND), "-m", "600"));
        for (Path path : paths) command.add(path.toString());
        Process process = ProcessStart.start(new ProcessBuilder(command)
                .redirectOutput(ProcessBuilder.Redirect.DISCARD)
                .redirectError(ProcessBuilder.Redirect.DISCARD));
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
     * Opens the next FIFO.
     *
     * @return our end, to read; closing it ends a read that waits there
     */
    FileChannel open() throws IOException {
        Path path = paths.get(opened++);
        keepers.add(FileChannel.open(path, StandardOpenOption.READ, StandardOpenOption.WRITE));
        FileChannel end = FileChannel.open(path, StandardOpenOption.READ);
        ours.add(end);
        return end;
    }

    /** The path of the FIFO that was opened last, for the child's end. */
    File last() {
        return paths.get(opened - 1).toFile();
    }

    /** Makes {@link #close} leave our ends open, because the child has begun. */
    void begun() {
        begun = true;
    }

    /** Removes the names; closes our ends too, unless the child has begun. */
    @Override
    public void close() throws IOException {
        for (FileChannel keeper : keepers) keeper.close();
        if (!begun) for (FileChannel end : ours) end.close();
        for (Path path : paths) Files.deleteIfExists(path);
        Files.deleteIfExists(folder);
    }
}
