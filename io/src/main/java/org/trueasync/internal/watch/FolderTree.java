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
 * A folder, and its sub-folders if the settings ask for them, each with a watch of the reactor.
 *
 * <p>If sub-folders are watched, a folder is watched first and then listed. So an entry that comes before the watch
 * begins is in the list, and one that comes later is reported by the reactor. An entry that is in the list and in a
 * report is passed on once or, if the list was quicker than the reactor, twice. Every name that comes or goes is looked
 * at: if it is a folder, it is watched; if it is none any more, its watch and those below it are dropped. A folder that
 * was replaced by another one of the same name is noticed by its file key, or because its watch ends.
 */
final class FolderTree implements Watched {
    static final SystemError GONE = new SystemError("ENOENT", "the folder is gone");

    private final WatchCore core;
    private final boolean recursive;
    /** By name relative to the root, whose own name is "". */
    private final NavigableMap<String, Folder> folders = new TreeMap<>();

    /** The first of them; {@link #isClosed} may be asked on any thread, and the map is not for that. */
    private final Folder root = new Folder("", null);

    private final Explorer explorer;
    private @Nullable InitialWatches initialWatches;
    /** Number of lists under way whose entries are not reported as new: at the beginning, and after an overflow. */
    private int silentLists;

    private boolean closed;
    private boolean refusalReported;

    FolderTree(WatchCore core) {
        this.core = core;
        this.recursive = core.settings().recursive();
        this.explorer = new Explorer(core.loop(), core.root(), this::answered);
    }

    @Override
    public void begin() {
        folders.put("", root);
        root.watch();
        if (!recursive || closed) return;
        var request = new InitialWatches();
        initialWatches = request;
        list("", false);
        request.await(null);
    }

    private Path path(String name) {
        return core.root().resolve(name);
    }

    // ---- news of the reactor

    /** A watched folder. */
    private final class Folder implements WatchHandle.Listener {
        private final String name;
        private final @Nullable Object key;
        private @Nullable WatchHandle handle;
        private boolean dropped;
        /**
         * Entries that the reactor has reported before the folder is listed: the list does not report them again. Null
         * afterwards, and if the list reports nothing.
         */
        private @Nullable Set<String> reportedNames;

        Folder(String name, @Nullable Object key) {
            this.name = name;
            this.key = key;
        }

        String nameOf(String entry) {
            return name.isEmpty() ? entry : name + "/" + entry;
        }

        /** Begins to watch. That may take a reactor some time, so the folder may be dropped meanwhile. */
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
                folderChanged(renamed, changed);
                return;
            }
            if (reportedNames != null) reportedNames.add(entry);
            String full = nameOf(entry);
            core.noticed(full, renamed, changed);
            if (recursive && renamed) check(full);
        }

        /**
         * Handles a change of the folder itself. For a sub-folder, the parent's watch reports the change; this report
         * only means that the sub-folder's own watch may have ended.
         */
        private void folderChanged(boolean renamed, boolean changed) {
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
        check(name);
    }

    // ---- sub-folders

    private void check(String name) {
        explorer.ask(new Explorer.Query(name, false, false));
    }

    private void list(String name, boolean reportAsNew) {
        if (explorer.ask(new Explorer.Query(name, true, reportAsNew)) && !reportAsNew) silentLists++;
    }

    private void answered(Explorer.Answer answer) {
        take(answer);
        if (answer.query().contents() && !answer.query().files() && --silentLists == 0) watchesComplete();
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
     * Watches a folder, unless it is watched already.
     *
     * @param reportAsNew whether the entries that it has already are reported as new
     */
    private void adopt(String name, @Nullable Object key, boolean reportAsNew) {
        Folder known = folders.get(name);
        if (known != null && Objects.equals(known.key, key)) return;
        drop(name);
        // The parent may have been dropped meanwhile; if it comes back, it is listed again.
        if (!folders.containsKey(parent(name))) return;
        var folder = new Folder(name, key);
        if (reportAsNew) folder.reportedNames = new HashSet<>();
        folders.put(name, folder);
        try {
            folder.watch();
        } catch (InputOutputException e) {
            if (folders.get(name) == folder) folders.remove(name);
            if (!folder.dropped) refused(e);
            return;
        }
        if (!folder.dropped) list(name, reportAsNew);
    }

    private static String parent(String name) {
        int slash = name.lastIndexOf('/');
        return slash < 0 ? "" : name.substring(0, slash);
    }

    private void refused(InputOutputException error) {
        switch (error.errno()) {
            case "ENOENT", "ENOTDIR", "ELOOP" -> {
                // The folder is gone already; its parent reports that.
            }
            case "EACCES", "EPERM" -> {
                if (!refusalReported)
                    core.loop()
                            .report("Changes in some sub-folders of " + core.root() + " will not be noticed: "
                                    + error.getMessage());
                refusalReported = true;
            }
            default -> core.fail(error);
        }
    }

    private void listed(String name, List<Explorer.Entry> entries, boolean reportAsNew) {
        Folder folder = folders.get(name);
        if (folder == null) return;
        Set<String> reportedNames = folder.reportedNames;
        folder.reportedNames = null;
        dropMissing(folder, entries);
        for (Explorer.Entry entry : entries) {
            if (closed) return;
            String full = folder.nameOf(entry.name());
            if (reportAsNew && (reportedNames == null || !reportedNames.contains(entry.name())))
                core.noticed(full, true, false);
            if (entry.folder()) adopt(full, entry.key(), reportAsNew);
        }
    }

    /** Drops the watched sub-folders that are not in the list. */
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

    /** Returns the folders whose names begin with the prefix, which is empty or ends in '/'. */
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

    /**
     * Ends the wait of {@link #begin}, because every folder that existed at the beginning is watched, or the tree is
     * closed.
     */
    private void watchesComplete() {
        InitialWatches request = initialWatches;
        initialWatches = null;
        if (request != null) request.complete(null);
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        explorer.close();
        folders.values().forEach(Folder::drop);
        folders.clear();
        watchesComplete();
    }

    @Override
    public boolean isClosed() {
        WatchHandle handle = root.handle;
        return closed || (handle != null && handle.isClosed());
    }

    /** The wait of {@link #begin} until every existing folder is watched. */
    private final class InitialWatches extends IoRequest {
        InitialWatches() {
            super(core.loop(), "watches of the sub-folders of " + core.root());
        }

        @Override
        protected void armSource() {}

        @Override
        protected void disarmSource() {}
    }
}
