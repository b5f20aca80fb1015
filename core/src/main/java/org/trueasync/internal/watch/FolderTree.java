package org.trueasync.internal.watch;

import java.nio.file.Path;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.NavigableMap;
import java.util.Objects;
import java.util.Set;
import java.util.TreeMap;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.io.IoRequest;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.WatchHandle;

/**
 * A folder, and its sub-folders if they are asked for, each with a watch of the reactor.
 *
 * <p>A folder is watched first and then listed, so what comes into it before the watch stands is in the list and what comes later is told; what
 * is both is told once or, if the list was quicker than the reactor, twice. Whatever comes, goes or changes its name is looked at: a folder is
 * watched, what is none any more is dropped with everything in it. A folder that was replaced by another one of the same name is noticed by its key,
 * or by its watch, which ends.
 */
final class FolderTree implements Watched {
    static final SystemError GONE = new SystemError("ENOENT", "the folder is gone");

    private final WatchCore core;
    private final boolean recursive;
    /** By name relative to the root, which is "" itself. */
    private final NavigableMap<String, Folder> folders = new TreeMap<>();

    private final Explorer explorer;
    private @Nullable Standing standing;
    /** Lists under way of folders whose contents are no news: at first, and after something was lost. */
    private int silentLists;

    private boolean closed;
    private boolean reported;

    FolderTree(WatchCore core) {
        this.core = core;
        this.recursive = core.settings().recursive();
        this.explorer = new Explorer(core.loop(), core.root(), this::answered);
    }

    @Override
    public void begin() {
        var root = new Folder("", null);
        folders.put("", root);
        root.watch();
        if (!recursive || closed) return;
        var request = new Standing();
        standing = request;
        list("", false);
        request.await(null);
    }

    private Path path(String name) {
        return core.root().resolve(name);
    }

    // ---- what the reactor tells

    /** A watched folder. */
    private final class Folder implements WatchHandle.Listener {
        private final String name;
        private final @Nullable Object key;
        private @Nullable WatchHandle handle;
        private boolean dropped;
        /** What was told since the watch stands and before the folder was listed; null when it is listed. */
        private @Nullable Set<String> told;

        Folder(String name, @Nullable Object key) {
            this.name = name;
            this.key = key;
        }

        String nameOf(String entry) {
            return name.isEmpty() ? entry : name + "/" + entry;
        }

        /** Begins to be told. A reactor may take its time for that, so the folder may be dropped meanwhile. */
        void watch() {
            WatchHandle made = core.loop().reactor().watch(path(name), this);
            if (dropped) made.close();
            else handle = made;
        }

        void drop() {
            dropped = true;
            if (handle != null) handle.close();
        }

        @Override
        public void onChange(@Nullable String entry, boolean renamed, boolean changed) {
            if (dropped) return;
            if (entry == null) {
                itself(renamed, changed);
                return;
            }
            if (told != null) told.add(entry);
            String full = nameOf(entry);
            core.noticed(full, renamed, changed);
            if (recursive && renamed) look(full);
        }

        /** Of a sub-folder its own folder tells the same; here it matters that this watch may have ended. */
        private void itself(boolean renamed, boolean changed) {
            if (!name.isEmpty()) {
                if (renamed) droppedByItself(name);
                return;
            }
            if (core.settings().suffixes().isEmpty()) core.noticed(null, renamed, changed);
            if (renamed) core.fail(WatchCore.error(core.root(), GONE));
        }

        @Override
        public void onOverflow() {
            if (dropped) return;
            core.noticed(null, true, true);
            if (recursive) list(name, false);
        }

        @Override
        public void onError(SystemError error) {
            if (dropped) return;
            if (name.isEmpty()) core.fail(WatchCore.error(core.root(), error));
            else droppedByItself(name);
        }
    }

    private void droppedByItself(String name) {
        drop(name);
        look(name);
    }

    // ---- sub-folders

    private void look(String name) {
        explorer.ask(new Explorer.Query(name, false, false));
    }

    private void list(String name, boolean news) {
        if (explorer.ask(new Explorer.Query(name, true, news)) && !news) silentLists++;
    }

    private void answered(Explorer.Answer answer) {
        take(answer);
        if (answer.query().contents() && !answer.query().files() && --silentLists == 0) stands();
    }

    private void take(Explorer.Answer answer) {
        String name = answer.query().name();
        if (!answer.folder()) {
            if (!name.isEmpty()) drop(name);
        } else if (!answer.query().contents()) {
            adopt(name, answer.key(), true);
        } else if (answer.contents() != null) {
            listed(name, answer.contents(), answer.query().files());
        }
    }

    /**
     * Watches a folder, unless it is watched.
     *
     * @param told whether what is in it already is news
     */
    private void adopt(String name, @Nullable Object key, boolean told) {
        Folder known = folders.get(name);
        if (known != null && Objects.equals(known.key, key)) return;
        drop(name);
        // Its folder may have been dropped meanwhile; if it comes back it will be listed.
        if (!folders.containsKey(parent(name))) return;
        var folder = new Folder(name, key);
        if (told) folder.told = new HashSet<>();
        folders.put(name, folder);
        try {
            folder.watch();
        } catch (InputOutputException e) {
            if (folders.get(name) == folder) folders.remove(name);
            if (!folder.dropped) refused(e);
            return;
        }
        if (!folder.dropped) list(name, told);
    }

    private static String parent(String name) {
        int slash = name.lastIndexOf('/');
        return slash < 0 ? "" : name.substring(0, slash);
    }

    private void refused(InputOutputException error) {
        switch (error.errno()) {
            case "ENOENT", "ENOTDIR", "ELOOP" -> {
                // Gone again already, which its folder tells.
            }
            case "EACCES", "EPERM" -> {
                if (!reported)
                    core.loop()
                            .report("Changes in some sub-folders of " + core.root() + " will not be noticed: "
                                    + error.getMessage());
                reported = true;
            }
            default -> core.fail(error);
        }
    }

    private void listed(String name, List<Explorer.Entry> entries, boolean news) {
        Folder folder = folders.get(name);
        if (folder == null) return;
        Set<String> told = folder.told;
        folder.told = null;
        dropMissing(folder, entries);
        for (Explorer.Entry entry : entries) {
            if (closed) return;
            String full = folder.nameOf(entry.name());
            if (news && (told == null || !told.contains(entry.name()))) core.noticed(full, true, false);
            if (entry.folder()) adopt(full, entry.key(), news);
        }
    }

    /** Folders that were watched and are not in the list. */
    private void dropMissing(Folder folder, List<Explorer.Entry> entries) {
        Set<String> there = entries.stream()
                .filter(Explorer.Entry::folder)
                .map(entry -> folder.nameOf(entry.name()))
                .collect(Collectors.toSet());
        String prefix = folder.nameOf("");
        var missing = new ArrayList<String>();
        for (String name : beneath(prefix).keySet())
            if (name.indexOf('/', prefix.length()) < 0 && !name.isEmpty() && !there.contains(name)) missing.add(name);
        missing.forEach(this::drop);
    }

    /** What begins with the prefix, which is empty or ends in '/'. */
    private NavigableMap<String, Folder> beneath(String prefix) {
        if (prefix.isEmpty()) return folders;
        return folders.subMap(prefix, false, prefix.substring(0, prefix.length() - 1) + (char) ('/' + 1), false);
    }

    private void drop(String name) {
        Folder folder = folders.remove(name);
        if (folder == null) return;
        folder.drop();
        NavigableMap<String, Folder> within = beneath(name + "/");
        within.values().forEach(Folder::drop);
        within.clear();
    }

    // ---- beginning, end

    /** Everything that existed at first is watched. */
    private void stands() {
        Standing request = standing;
        standing = null;
        if (request != null) request.complete(null);
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        explorer.close();
        folders.values().forEach(Folder::drop);
        folders.clear();
        stands();
    }

    @Override
    public boolean isClosed() {
        if (closed) return true;
        Folder root = folders.get("");
        return root != null && root.handle != null && root.handle.isClosed();
    }

    /** The constructor's wait until everything that exists is watched. */
    private final class Standing extends IoRequest {
        Standing() {
            super(core.loop(), "watches of the sub-folders of " + core.root());
        }

        @Override
        protected void armSource() {}

        @Override
        protected void disarmSource() {}
    }
}
