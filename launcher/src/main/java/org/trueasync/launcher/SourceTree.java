package org.trueasync.launcher;

import com.sun.source.util.TaskEvent;
import com.sun.source.util.TaskListener;
import java.io.IOException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.NotDirectoryException;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeMap;
import java.util.TreeSet;
import javax.tools.ForwardingJavaFileManager;
import javax.tools.JavaFileObject;
import javax.tools.StandardJavaFileManager;
import javax.tools.StandardLocation;
import org.jspecify.annotations.Nullable;

/**
 * What a compilation has looked at in the program's source tree: the files that it has read, and the names of the
 * sources in each directory where it has looked for one. As long as neither changes, the same compilation has the same
 * result.
 */
final class SourceTree implements TaskListener {
    private final Map<Path, String> before = new HashMap<>();
    private final Map<Path, List<String>> directories = new TreeMap<>();
    private final Set<Path> read = new TreeSet<>();
    private @Nullable IOException gap;

    /** The file manager of a compilation that this is to note; for the sources of the packages below a directory. */
    StandardFiles noting(StandardJavaFileManager files, Path root) {
        note(root);
        return new StandardFiles(files, root);
    }

    /** Notes a directory before the compiler looks into it. */
    private void note(Path directory) {
        if (directories.containsKey(directory)) return;
        try {
            List<String> names = sourcesIn(directory);
            directories.put(directory, names);
            for (String name : names) see(directory.resolve(name));
        } catch (IOException unknown) {
            gap = unknown;
        }
    }

    /** Notes how a file is before the compiler reads it. */
    void see(Path file) {
        Path path = file.toAbsolutePath();
        Path name = path.normalize();
        if (before.containsKey(name)) return;
        try {
            before.put(name, FileState.of(path));
        } catch (IOException unknown) {
            gap = unknown;
        }
    }

    @Override
    public void finished(TaskEvent event) {
        JavaFileObject file = event.getSourceFile();
        if (event.getKind() == TaskEvent.Kind.PARSE && file != null) {
            read.add(Path.of(file.toUri()).normalize());
        }
    }

    /** The directories, each with the names of the sources in it. */
    Map<Path, List<String>> directories() {
        return directories;
    }

    /**
     * The files that were read, each with its content.
     *
     * @throws IOException if a file has changed since the compiler was about to read it, or something could not be
     *     noted
     */
    Map<Path, byte[]> files() throws IOException {
        if (gap != null) throw gap;
        Map<Path, byte[]> contents = new TreeMap<>();
        for (Path file : read) {
            contents.put(file, Files.readAllBytes(file));
            if (!FileState.of(file).equals(before.get(file))) throw new IOException(file + " has changed");
        }
        return contents;
    }

    /** Returns a file or directory that is not as it was before the compiler read it; null if there is none. */
    @Nullable
    Path changed() throws IOException {
        for (Map.Entry<Path, List<String>> directory : directories.entrySet())
            if (!sourcesIn(directory.getKey()).equals(directory.getValue())) return directory.getKey();
        for (Map.Entry<Path, String> file : before.entrySet())
            if (!FileState.of(file.getKey()).equals(file.getValue())) return file.getKey();
        return null;
    }

    /** The names of the sources in a directory, in order; none if there is no such directory. */
    static List<String> sourcesIn(Path directory) throws IOException {
        List<String> names = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(directory)) {
            for (Path file : found) {
                String name = file.getFileName().toString();
                if (name.endsWith(".java")) names.add(name);
            }
        } catch (NoSuchFileException | NotDirectoryException none) {
            return List.of();
        }
        names.sort(null);
        return names;
    }

    /** Notes each directory of sources that the compiler asks for. */
    final class StandardFiles extends ForwardingJavaFileManager<StandardJavaFileManager> {
        private final Path root;

        private StandardFiles(StandardJavaFileManager files, Path root) {
            super(files);
            this.root = root;
        }

        @Override
        public Iterable<JavaFileObject> list(
                Location location, String packageName, Set<JavaFileObject.Kind> kinds, boolean recurse)
                throws IOException {
            if (location == StandardLocation.SOURCE_PATH) note(root.resolve(packageName.replace('.', '/')));
            return super.list(location, packageName, kinds, recurse);
        }
    }
}
