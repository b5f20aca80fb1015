package org.trueasync.launcher;

import java.io.IOException;
import java.nio.file.FileVisitOption;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;

/**
 * Tells whether files have changed without reading them: by their number, size, and the times when they were written
 * and, where the system keeps that, last touched in any way.
 */
final class FileState {
    /** A directory with more files than this is not looked through. */
    private static final int MOST_FILES = 10_000;

    private FileState() {}

    /**
     * A text that is another one after each change of the file, or of any file in the directory.
     *
     * @throws IOException if that can't be told
     */
    static String of(Path path) throws IOException {
        Map<String, Object> state;
        try {
            state = Files.readAttributes(path, "unix:ino,size,lastModifiedTime,ctime,isDirectory");
        } catch (NoSuchFileException absent) {
            return "absent";
        } catch (UnsupportedOperationException | IllegalArgumentException otherSystem) {
            throw new IOException("no such attributes here", otherSystem);
        }
        if (Boolean.TRUE.equals(state.get("isDirectory"))) return ofDirectory(path);
        return state.get("ino") + " " + state.get("size") + " " + state.get("lastModifiedTime") + " "
                + state.get("ctime");
    }

    /** Links are followed, as the compiler follows them; a circle of links is an error. */
    private static String ofDirectory(Path directory) throws IOException {
        Map<String, String> states = new TreeMap<>();
        Files.walkFileTree(
                directory, Set.of(FileVisitOption.FOLLOW_LINKS), Integer.MAX_VALUE, new SimpleFileVisitor<>() {
                    @Override
                    public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                        if (states.size() == MOST_FILES) throw new IOException("too many files in " + directory);
                        states.put(file.toString(), of(file));
                        return FileVisitResult.CONTINUE;
                    }
                });
        return states.toString();
    }
}
