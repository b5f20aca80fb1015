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

    /** Makes one with a name that nobody can foresee, mode 0700 where the system knows modes: the JDK's default for a temporary directory. */
    static PrivateDirectory create() throws IOException {
        return new PrivateDirectory(Files.createTempDirectory("trueasync-"));
    }

    Path path() {
        return path;
    }

    /** Removes it with what it holds, following no link. What can't be removed stays: the process is ending, there is nobody to tell. */
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
            Diagnostics.complain("could not remove " + path + ": " + e);
        }
    }
}
