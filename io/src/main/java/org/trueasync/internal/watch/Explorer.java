package org.trueasync.internal.watch;

import java.io.IOException;
import java.nio.file.DirectoryIteratorException;
import java.nio.file.DirectoryStream;
import java.nio.file.Files;
import java.nio.file.InvalidPathException;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.BasicFileAttributes;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.SequencedSet;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.work.Workers;

/**
 * Looks at folders on a helper thread: what an entry is, what a folder contains. Queries are answered one after
 * another, in order, so each answer is newer than all earlier ones. Links are not followed, except where the root
 * itself is one.
 *
 * <p>The answers are given in the service coroutine, because the listener asks the reactor for watches, and that may
 * take a lock. The next batch of queries begins when all answers of the batch before were given.
 */
final class Explorer {
    private static final int BATCH = 256;

    /**
     * What to look at.
     *
     * @param name relative to the root
     * @param contents whether to list its entries too
     * @param files whether the list has files as well as folders
     */
    record Query(String name, boolean contents, boolean files) {}

    /**
     * An entry of a folder.
     *
     * @param name without its folder
     * @param folder whether it is a folder
     * @param key shows whether a folder was replaced by another one of the same name; null where the file system has no
     *     such key
     */
    record Entry(String name, boolean folder, @Nullable Object key) {}

    /**
     * What was found.
     *
     * @param query that is answered
     * @param folder whether it is a folder
     * @param key of the folder, or null
     * @param contents the folder's entries; null if they were not asked for or can't be read, and if this is no folder
     */
    record Answer(
            Query query,
            boolean folder,
            @Nullable Object key,
            @Nullable List<Entry> contents) {}

    private final Loop loop;
    private final Path root;
    private final Consumer<Answer> listener;
    private final SequencedSet<Query> queries = new LinkedHashSet<>();
    private boolean busy;
    private boolean closed;

    /**
     * Makes an explorer without queries.
     *
     * @param loop on which queries are asked and answered
     * @param root to which names are relative
     * @param listener gets the answers, one after another
     */
    Explorer(Loop loop, Path root, Consumer<Answer> listener) {
        this.loop = loop;
        this.root = root;
        this.listener = listener;
    }

    /** Asks a query. False if the explorer is closed, or if the same query waits already: then both get one answer. */
    boolean ask(Query query) {
        if (closed || !queries.add(query)) return false;
        if (!busy) begin();
        return true;
    }

    /** Stops giving answers. */
    void close() {
        closed = true;
        queries.clear();
    }

    private void begin() {
        var batch = new ArrayList<Query>();
        while (batch.size() < BATCH && !queries.isEmpty()) batch.add(queries.removeFirst());
        Workers.FILES.execute(() -> {
            var answers = new ArrayList<Answer>();
            for (Query query : batch) answers.add(answer(query));
            loop.post(() -> loop.inService(() -> answered(answers)));
        });
        busy = true;
    }

    private void answered(List<Answer> answers) {
        try {
            for (Answer answer : answers) if (!closed) listener.accept(answer);
        } finally {
            busy = false;
        }
        if (!closed && !queries.isEmpty()) begin();
    }

    // ---- on the helper thread

    private Answer answer(Query query) {
        try {
            Path path = root.resolve(query.name);
            BasicFileAttributes found = query.name.isEmpty() ? followed(path) : attributes(path);
            if (!found.isDirectory()) return new Answer(query, false, null, null);
            List<Entry> contents = query.contents ? contents(path, query.files) : null;
            return new Answer(query, true, found.fileKey(), contents);
        } catch (IOException | InvalidPathException | SecurityException notToBeSeen) {
            return new Answer(query, false, null, null);
        }
    }

    /** Follows links; for the root, which may be one. */
    private static BasicFileAttributes followed(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class);
    }

    private static BasicFileAttributes attributes(Path path) throws IOException {
        return Files.readAttributes(path, BasicFileAttributes.class, LinkOption.NOFOLLOW_LINKS);
    }

    private static @Nullable List<Entry> contents(Path folder, boolean files) {
        var entries = new ArrayList<Entry>();
        try (DirectoryStream<Path> stream = Files.newDirectoryStream(folder)) {
            for (Path path : stream) {
                Entry entry = entry(path);
                if (files || entry.folder) entries.add(entry);
            }
        } catch (IOException | DirectoryIteratorException notToBeSeen) {
            return null;
        }
        return entries;
    }

    private static Entry entry(Path path) {
        String name = String.valueOf(path.getFileName());
        try {
            BasicFileAttributes found = attributes(path);
            return new Entry(name, found.isDirectory(), found.fileKey());
        } catch (IOException gone) {
            return new Entry(name, false, null);
        }
    }
}
