package org.trueasync.internal.testkit.disk;

import java.nio.channels.FileLock;
import java.nio.file.attribute.FileTime;
import java.nio.file.attribute.PosixFilePermission;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/** A file or a folder, whatever its name is. */
final class Node {
    /** Null for a folder. */
    final @Nullable Content content;

    /** By name; of a folder. */
    final TreeMap<String, Node> entries = new TreeMap<>();

    Set<PosixFilePermission> permissions;
    FileTime created;
    FileTime modified;
    FileTime accessed;
    /** Its identity for the programs that run now: locks of an earlier one are no locks. */
    Object key = new Object();
    /** How many handles of running programs are open. */
    int handles;
    /** Held by channels of the JDK's. */
    final List<FileLock> locks = new ArrayList<>(0);
    /** How many names it has, 0 or 1. */
    int names;

    Node(boolean folder, FileTime now, Set<PosixFilePermission> permissions) {
        content = folder ? null : new Content();
        created = now;
        modified = now;
        accessed = now;
        this.permissions = permissions;
    }

    boolean isFolder() {
        return content == null;
    }

    /** The bytes of a file. */
    Content content() {
        if (content == null) throw new DiskError(DiskError.IS_FOLDER);
        return content;
    }

    long size() {
        return content == null ? 4_096 : content.size;
    }
}
