package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import org.jspecify.annotations.Nullable;

/** A temporary directory that only its owner can enter. */
final class PrivateDirectory implements AutoCloseable {
    private final Path path;

    private PrivateDirectory(Path path) {
        this.path = path;
    }

    /**
     * Creates the directory with an unpredictable name, and mode 0700 if the system has modes: the JDK's default for
     * temporary directories.
     */
    static PrivateDirectory create() throws IOException {
        return new PrivateDirectory(Files.createTempDirectory("trueasync-"));
    }

    Path path() {
        return path;
    }

    /**
     * Removes the directory and its content, without following links. If something can't be removed, prints a message;
     * the rest stays.
     */
    @Override
    public void close() {
        try {
            Files.walkFileTree(path, new SimpleFileVisitor<>() {
                @Override
                public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                    Files.delete(file);
                    return FileVisitResult.CONTINUE;
                }

                @Override
                public FileVisitResult postVisitDirectory(Path directory, @Nullable IOException error)
                        throws IOException {
                    Files.delete(directory);
                    return FileVisitResult.CONTINUE;
                }
            });
        } catch (IOException e) {
            Diagnostics.printError("could not remove " + path + ": " + e);
        }
    }
}
