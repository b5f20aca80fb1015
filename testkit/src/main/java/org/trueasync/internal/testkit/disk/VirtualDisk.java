package org.trueasync.internal.testkit.disk;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.FileSystem;
import java.nio.file.FileSystems;
import java.nio.file.OpenOption;
import java.nio.file.Path;
import java.nio.file.attribute.FileAttribute;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.nio.file.attribute.PosixFilePermissions;
import java.nio.file.spi.FileSystemProvider;
import java.time.Instant;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.List;
import java.util.Set;
import java.util.function.LongConsumer;
import java.util.function.LongSupplier;
import java.util.random.RandomGenerator;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.FileHandle;

/**
 * The disk of one host, in memory. The working directory is {@code /}: relative paths are below it, and so are paths in
 * the real working directory. Not thread-safe: one loop thread at a time.
 *
 * <p><b>What a crash leaves.</b> It behaves as ext4 and XFS do in practice, so what is found here can happen there:
 *
 * <ul>
 *   <li><i>Names</i> (create, delete, move, for files and folders) come to the disk in the order of the calls, each
 *       whole. A crash leaves the first so many of those that are pending: after a move the old file or the new one,
 *       never half. A sync of a file or a folder brings the changes of its own names, of the names in it, and all
 *       changes before those.
 *   <li><i>Bytes</i> are pending until a sync of their file. A crash keeps, loses or tears each write: a prefix in
 *       sectors of 512 bytes, a prefix in bytes, or any of its sectors; in any order. With a write of a sector come the
 *       earlier ones of that sector. A lost write may have left its size: zeros. A file is cut before it is written
 *       again.
 *   <li>So a name does not wait for the bytes of its file: who moves a file that was not synced may find it empty.
 *   <li><i>A failed sync</i> has brought some of the pending writes, and none of them is pending any more: the next
 *       sync succeeds and does not bring them. Reading still finds them, until a crash.
 * </ul>
 */
public final class VirtualDisk {
    private static final long BEGIN = Instant.parse("2000-01-01T00:00:00Z").getEpochSecond();
    private static final int LONGEST_NAME = 255;
    /** The real working directory: for a host it is the root. */
    private static final List<String> WORKING =
            names(Path.of("").toAbsolutePath().toString());

    static final Set<PosixFilePermission> FILE_MODE = PosixFilePermissions.fromString("rw-r--r--");
    static final Set<PosixFilePermission> FOLDER_MODE = PosixFilePermissions.fromString("rwxr-xr-x");

    private final RandomGenerator random;
    private final DiskFaults faults = new DiskFaults();
    private final EntryLog log = new EntryLog();
    private final FileSystemProvider files = new VirtualFileSystemProvider(this);
    private LongSupplier clock = () -> 0;
    private LongConsumer computing = _ -> {};
    private final Node root;
    private long used;
    /** Grows when all handles die. */
    private int life;

    /**
     * Makes a disk with the folders {@code /}, {@code /tmp}, and the one for the JDK's temporary files.
     *
     * @param random decides about faults
     */
    public VirtualDisk(RandomGenerator random) {
        this.random = random;
        root = new Node(true, now(), FOLDER_MODE);
        root.names = 1;
        makeAll(Path.of("/tmp"));
        makeAll(Path.of(System.getProperty("java.io.tmpdir")));
        for (Node node : all()) log.sync(node);
    }

    /**
     * Connects the disk with the time of the host that uses it now.
     *
     * @param clock nanoseconds since the beginning of the year 2000
     * @param computing lets so many nanoseconds pass while the caller goes on, as a long computation does: for the
     *     JDK's calls, which hold the thread
     */
    public void mount(LongSupplier clock, LongConsumer computing) {
        this.clock = clock;
        this.computing = computing;
    }

    /** What goes wrong, and how long calls take. */
    public DiskFaults faults() {
        return faults;
    }

    /** This disk for the JDK's calls by path; always the same. */
    public FileSystemProvider files() {
        return files;
    }

    /**
     * Who serves a call of the JDK's by this path: the disk, unless the path is of another file system or belongs to
     * the {@linkplain ProgramFiles program itself}.
     */
    public FileSystemProvider providerOf(Path path) {
        FileSystem of = path.getFileSystem();
        return of != FileSystems.getDefault() || ProgramFiles.has(path) ? of.provider() : files;
    }

    // ---- ends

    /** The power goes: what was pending is kept, lost or torn, by the seed; all handles are dead. */
    public void crash(RandomGenerator decisions) {
        log.crash(decisions);
        for (Node node : all()) if (node.content != null) node.content.crash(decisions);
        programEnds();
    }

    /** The program is gone, however it ended; the system goes on. All handles are dead; nothing is lost. */
    public void programEnds() {
        life++;
        used = 0;
        for (Node node : all()) {
            node.handles = 0;
            node.key = new Object();
            node.locks.clear();
            if (node.content != null) used += node.content.size;
        }
    }

    private List<Node> all() {
        var found = new ArrayList<Node>();
        Deque<Node> next = new ArrayDeque<>();
        next.add(root);
        while (!next.isEmpty()) {
            Node node = next.remove();
            found.add(node);
            next.addAll(node.entries.values());
        }
        return found;
    }

    /** Stands for the programs that run now. */
    int life() {
        return life;
    }

    /** Bytes that files can still grow by. */
    public long free() {
        return Math.max(0, faults.capacity - used);
    }

    // ---- time

    FileTime now() {
        long nanos = clock.getAsLong();
        return FileTime.from(Instant.ofEpochSecond(BEGIN, nanos));
    }

    /** A call that held the thread has ended. */
    void held(boolean sync) {
        computing.accept(sync ? faults.syncNanos : faults.callNanos);
    }

    // ---- names

    /** Where a name is, whether it exists or not. */
    record Place(Node folder, String name) {
        @Nullable
        Node node() {
            return name.isEmpty() ? folder : folder.entries.get(name);
        }

        Node existing() {
            Node found = node();
            if (found == null) throw new DiskError(DiskError.NOT_FOUND);
            return found;
        }
    }

    /** The names of a path, from the root on. The JDK makes some relative paths absolute: that is undone. */
    private static List<String> names(Path path) {
        List<String> names = names(path.toString());
        int prefix = WORKING.size();
        boolean isBelow = names.size() >= prefix && names.subList(0, prefix).equals(WORKING);
        return path.isAbsolute() && isBelow ? names.subList(prefix, names.size()) : names;
    }

    private static List<String> names(String path) {
        var names = new ArrayList<String>();
        for (String name : path.split("/", -1)) {
            if (name.equals("..")) {
                if (!names.isEmpty()) names.removeLast();
            } else if (!name.isEmpty() && !name.equals(".")) {
                names.add(name);
            }
        }
        return names;
    }

    Place place(Path path) {
        List<String> names = names(path);
        if (names.isEmpty()) return new Place(root, "");
        Node folder = root;
        for (String name : names.subList(0, names.size() - 1)) folder = folder(new Place(folder, name).existing());
        String last = names.getLast();
        if (last.getBytes(StandardCharsets.UTF_8).length > LONGEST_NAME) throw new DiskError(DiskError.LONG_NAME);
        return new Place(folder(folder), last);
    }

    private static Node folder(Node node) {
        if (!node.isFolder()) throw new DiskError(DiskError.NO_FOLDER);
        return node;
    }

    Node existing(Path path) {
        return place(path).existing();
    }

    /** What has a path; null if nothing has. */
    @Nullable
    Node nodeOrNull(Path path) {
        return place(path).node();
    }

    /** The names in a folder. */
    Set<String> list(Path path) {
        return folder(existing(path)).entries.keySet();
    }

    /** Makes a file or a folder. */
    Node make(Place place, boolean folder, Set<PosixFilePermission> permissions) {
        if (place.node() != null) throw new DiskError(DiskError.EXISTS);
        var made = new Node(folder, now(), permissions);
        place.folder.modified = now();
        log.set(place.folder, place.name, made);
        return made;
    }

    private void makeAll(Path folder) {
        Path parent = folder.getParent();
        if (parent != null) makeAll(parent);
        if (nodeOrNull(folder) == null) make(place(folder), true, FOLDER_MODE);
    }

    void delete(Path path) {
        Place place = place(path);
        Node node = place.existing();
        if (node == root) throw new DiskError(DiskError.BUSY);
        if (!node.entries.isEmpty()) throw new DiskError(DiskError.NOT_EMPTY);
        log.set(place.folder, place.name, null);
        place.folder.modified = now();
        freeIfUnused(node);
    }

    /** As rename(2): replaces a file, or an empty folder by a folder. */
    void move(Path from, Path to) {
        Place old = place(from);
        Node node = old.existing();
        Place place = place(to);
        Node replaced = place.node();
        if (replaced == node) return;
        if (node == root || replaced == root) throw new DiskError(DiskError.BUSY);
        if (isIn(place.folder, node)) throw new DiskError(DiskError.INVALID);
        if (replaced != null && replaced.isFolder() != node.isFolder())
            throw new DiskError(replaced.isFolder() ? DiskError.IS_FOLDER : DiskError.NO_FOLDER);
        if (replaced != null && !replaced.entries.isEmpty()) throw new DiskError(DiskError.NOT_EMPTY);
        log.move(old.folder, old.name, place.folder, place.name);
        old.folder.modified = now();
        place.folder.modified = now();
        if (replaced != null) freeIfUnused(replaced);
    }

    /** Copies a file, or makes a folder. */
    void copy(Path from, Path to, boolean attributes) {
        Node node = existing(from);
        if (nodeOrNull(to) == node) return;
        Node copy = make(place(to), node.isFolder(), node.permissions);
        if (node.content != null) {
            var bytes = ByteBuffer.wrap(node.content.bytes, 0, node.content.size);
            while (bytes.hasRemaining()) write(copy, bytes, -1);
        }
        if (attributes) {
            copy.modified = node.modified;
            copy.accessed = node.accessed;
        }
    }

    private static boolean isIn(Node folder, Node above) {
        if (folder == above) return true;
        for (Node child : above.entries.values()) if (child.isFolder() && isIn(folder, child)) return true;
        return false;
    }

    private void freeIfUnused(Node node) {
        if (node.names == 0 && node.handles == 0 && node.content != null) used -= node.content.size;
    }

    // ---- handles

    /**
     * Opens a file or, to sync it, a folder.
     *
     * @param options as {@link java.nio.channels.FileChannel#open} takes them
     * @param attributes {@code posix:permissions} for a file that is created
     * @throws org.trueasync.InputOutputException if the disk refuses
     * @throws UnsupportedOperationException for an option or attribute that it does not have
     */
    public FileHandle open(Path path, Set<? extends OpenOption> options, FileAttribute<?>... attributes) {
        var wanted = Options.of(options, attributes);
        try {
            return new VirtualFile(this, path.toString(), open(path, wanted), wanted);
        } catch (DiskError e) {
            throw e.of("open", path.toString());
        }
    }

    Node open(Path path, Options wanted) {
        Place place = place(path);
        Node node = place.node();
        if (node != null && wanted.createsNew()) throw new DiskError(DiskError.EXISTS);
        if (node == null) {
            if (!wanted.creates()) throw new DiskError(DiskError.NOT_FOUND);
            node = make(place, false, wanted.permissions());
        } else if (wanted.writes() && node.isFolder()) {
            throw new DiskError(DiskError.IS_FOLDER);
        } else if (wanted.truncates()) {
            resize(node, 0);
        }
        node.handles++;
        if (wanted.deletes())
            delete(path); // as the reactors do on Linux: the name goes, the file stays for its handles
        return node;
    }

    void closed(Node node) {
        node.handles--;
        freeIfUnused(node);
    }

    // ---- content

    int read(Node node, ByteBuffer into, long at) {
        Content content = node.content();
        node.accessed = now();
        return content.read(into, at);
    }

    /** Writes as much as there is room for; at the end if the position is -1. */
    void write(Node node, ByteBuffer from, long position) {
        Content content = node.content();
        if (!from.hasRemaining()) return;
        if (happens(faults.writeErrors)) throw new DiskError(DiskError.BROKEN);
        long at = position < 0 ? content.size : position;
        if (at + from.remaining() > Content.MAX_SIZE) throw new DiskError(DiskError.TOO_LARGE);
        long growth = at + from.remaining() - content.size;
        int count = growth <= free() ? from.remaining() : (int) (from.remaining() - (growth - free()));
        if (count <= 0) throw new DiskError(DiskError.NO_SPACE);
        byte[] bytes = new byte[count];
        from.get(bytes);
        long before = content.size;
        content.write((int) at, bytes);
        used += content.size - before;
        node.modified = now();
    }

    void resize(Node node, long size) {
        Content content = node.content();
        if (size > Content.MAX_SIZE) throw new DiskError(DiskError.TOO_LARGE);
        if (size - content.size > free()) throw new DiskError(DiskError.NO_SPACE);
        used += size - content.size;
        content.resize((int) size);
        node.modified = now();
    }

    /** Brings a file's bytes and names to the disk, or a folder's names. */
    void sync(Node node) {
        if (faults.ignoresSync) return;
        if (happens(faults.syncErrors)) {
            if (node.content != null) node.content.syncFails(random);
            throw new DiskError(DiskError.BROKEN);
        }
        log.sync(node);
        if (node.content != null) node.content.sync();
    }

    private boolean happens(double probability) {
        return probability > 0 && random.nextDouble() < probability;
    }
}
