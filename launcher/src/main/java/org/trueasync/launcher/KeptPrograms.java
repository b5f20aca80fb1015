package org.trueasync.launcher;

import java.io.ByteArrayOutputStream;
import java.io.DataInputStream;
import java.io.DataOutputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.nio.charset.StandardCharsets;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.nio.file.attribute.FileTime;
import java.time.Duration;
import java.time.Instant;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.Comparator;
import java.util.List;
import java.util.Map;
import java.util.jar.Attributes;
import java.util.stream.Stream;
import java.util.zip.Deflater;
import java.util.zip.ZipEntry;
import java.util.zip.ZipFile;
import java.util.zip.ZipOutputStream;
import org.jspecify.annotations.Nullable;

/**
 * Programs that were compiled in earlier runs, one jar each, in the user's cache. Each jar has a record of everything
 * that the compiler has read; a program is used again only if all of that is still the same. A jar is replaced as a
 * whole, so a program that runs from it keeps what it has opened.
 */
final class KeptPrograms {
    /**
     * A kept program.
     *
     * @param messages what the compiler said
     */
    record Kept(Path jar, String mainClass, String messages) {}

    private static final String RECORD = "META-INF/trueasync/compilation";
    private static final String SUFFIX = ".jar";
    private static final int MOST_PROGRAMS = 100;
    private static final Duration LONGEST_UNUSED = Duration.ofDays(30);
    private static final Duration TOUCHED_EVERY = Duration.ofHours(12);

    private final Path jar;
    private final byte[] circumstances;

    private KeptPrograms(Path jar, byte[] circumstances) {
        this.jar = jar;
        this.circumstances = circumstances;
    }

    /**
     * The place for one program.
     *
     * @param cache the user's cache directory
     * @param circumstances what else decides the result of the compilation and its messages
     */
    static KeptPrograms in(Path cache, String circumstances) {
        byte[] bytes = circumstances.getBytes(StandardCharsets.UTF_8);
        long hash = 0;
        for (byte b : bytes) hash = hash * 0x100000001B3L + b;
        return new KeptPrograms(cache.resolve(Long.toHexString(hash) + SUFFIX), bytes);
    }

    /** Returns the program; null if it is not there, or anything that it was compiled from has changed. */
    @Nullable
    Kept find() {
        if (!Files.isRegularFile(jar)) return null;
        try (ZipFile opened = new ZipFile(jar.toFile())) {
            ZipEntry entry = opened.getEntry(RECORD);
            if (entry == null) return null;
            try (InputStream raw = opened.getInputStream(entry)) {
                DataInputStream in = new DataInputStream(raw);
                if (!Arrays.equals(read(in), circumstances)) return null;
                String mainClass = text(in);
                String messages = text(in);
                for (int left = in.readInt(); left > 0; left--) {
                    Path directory = Path.of(text(in));
                    if (!text(in).equals(joined(SourceTree.sourcesIn(directory)))) return null;
                }
                for (int left = in.readInt(); left > 0; left--) {
                    Path source = Path.of(text(in));
                    if (!Arrays.equals(read(in), Files.readAllBytes(source))) return null;
                }
                touch();
                return new Kept(jar, mainClass, messages);
            }
        } catch (IOException | RuntimeException unusable) {
            return null;
        }
    }

    /**
     * Keeps a program that has just been compiled. If that is not possible, nothing is kept.
     *
     * @param messages what the compiler said
     * @param libraries what it was compiled with
     * @param classes the directory with its classes
     */
    void keep(String mainClass, String messages, SourceTree tree, List<Path> libraries, Path classes) {
        try {
            for (Path library : libraries) {
                // The compiler has followed it; find would have to look at everything there too.
                if (Files.isRegularFile(library) && JarManifest.value(library, Attributes.Name.CLASS_PATH) != null)
                    return;
            }
            byte[] record = record(mainClass, messages, tree);
            Path unfinished = Files.createTempFile(jar.getParent(), "new", null);
            try {
                write(unfinished, record, classes);
                Files.move(unfinished, jar, StandardCopyOption.ATOMIC_MOVE);
            } finally {
                Files.deleteIfExists(unfinished);
            }
            removeOld();
        } catch (IOException | RuntimeException unwritable) {
            // the next run compiles again
        }
    }

    private byte[] record(String mainClass, String messages, SourceTree tree) throws IOException {
        ByteArrayOutputStream bytes = new ByteArrayOutputStream();
        DataOutputStream out = new DataOutputStream(bytes);
        write(out, circumstances);
        write(out, mainClass);
        write(out, messages);
        out.writeInt(tree.directories().size());
        for (Map.Entry<Path, List<String>> directory : tree.directories().entrySet()) {
            write(out, directory.getKey().toString());
            write(out, joined(directory.getValue()));
        }
        Map<Path, byte[]> files = tree.files();
        out.writeInt(files.size());
        for (Map.Entry<Path, byte[]> file : files.entrySet()) {
            write(out, file.getKey().toString());
            write(out, file.getValue());
        }
        return bytes.toByteArray();
    }

    private static void write(Path file, byte[] record, Path classes) throws IOException {
        List<Path> all;
        try (Stream<Path> tree = Files.walk(classes)) {
            all = tree.filter(Files::isRegularFile).sorted().toList();
        }
        try (OutputStream raw = Files.newOutputStream(file);
                ZipOutputStream zip = new ZipOutputStream(raw)) {
            zip.setLevel(Deflater.NO_COMPRESSION);
            zip.putNextEntry(new ZipEntry(RECORD));
            zip.write(record);
            for (Path path : all) {
                zip.putNextEntry(new ZipEntry(classes.relativize(path).toString()));
                Files.copy(path, zip);
            }
        }
    }

    private void touch() throws IOException {
        Instant now = Instant.now();
        if (Files.getLastModifiedTime(jar).toInstant().isBefore(now.minus(TOUCHED_EVERY))) {
            Files.setLastModifiedTime(jar, FileTime.from(now));
        }
    }

    /** Removes what nobody has used for a long time, and what is too much. */
    private void removeOld() throws IOException {
        record Dated(Path path, Instant used) {}
        List<Dated> jars = new ArrayList<>();
        try (DirectoryStream<Path> found = Files.newDirectoryStream(jar.getParent(), "*" + SUFFIX)) {
            for (Path path : found)
                jars.add(new Dated(path, Files.getLastModifiedTime(path).toInstant()));
        }
        jars.sort(Comparator.comparing(Dated::used).reversed());
        Instant oldest = Instant.now().minus(LONGEST_UNUSED);
        for (int i = 0; i < jars.size(); i++) {
            if (i >= MOST_PROGRAMS || jars.get(i).used().isBefore(oldest))
                Files.deleteIfExists(jars.get(i).path());
        }
    }

    private static String joined(List<String> names) {
        return String.join("/", names);
    }

    private static void write(DataOutputStream out, String text) throws IOException {
        write(out, text.getBytes(StandardCharsets.UTF_8));
    }

    private static void write(DataOutputStream out, byte[] bytes) throws IOException {
        out.writeInt(bytes.length);
        out.write(bytes);
    }

    private static String text(DataInputStream in) throws IOException {
        return new String(read(in), StandardCharsets.UTF_8);
    }

    private static byte[] read(DataInputStream in) throws IOException {
        return in.readNBytes(in.readInt());
    }
}
