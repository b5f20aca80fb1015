package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What can be done with a regular file on the loop thread, because its file system does not wait for a disk then. */
enum AtOnce {
    /** Reading what is in memory; the system is told to refuse the rest. */
    READING,

    /**
     * The same, and writing to what is in memory. Not on Btrfs: it supports such writes too, but refuses nearly all of
     * them.
     */
    READING_AND_WRITING,

    /** Everything: there is no disk, and a swapped-out page is as rare as in a program's own memory. */
    ALL;

    private static final long TMPFS = 0x01021994;
    private static final long RAMFS = 0x858458f6L;
    private static final long XFS = 0x58465342;

    /** Flag of {@code fstatfs}: on this mounted file system each write ends with a sync. */
    private static final long MOUNTED_SYNCHRONOUS = 0x10;

    /** Attribute of a file, see chattr(1): each write to it ends with a sync. */
    private static final int SYNCHRONOUS = 0x8;

    /**
     * Finds out what can be done with a file.
     *
     * @param file descriptor of a regular file
     * @param flags with which it was opened
     */
    static AtOnce of(Arena arena, MemorySegment errno, int file, int flags) {
        MemorySegment system = arena.allocate(FileCalls.STATFS_SIZE, 8);
        if (FileCalls.systemOf(errno, file, system) < 0) return READING;
        long type = system.get(JAVA_LONG, 0) & 0xffff_ffffL;
        if (type == TMPFS || type == RAMFS) return ALL;
        if (type != XFS) return READING;
        // Even a write that must not block waits for its sync.
        boolean syncs = (flags & (FileCalls.SYNC | FileCalls.DATA_SYNC)) != 0
                || (system.get(JAVA_LONG, FileCalls.STATFS_FLAGS) & MOUNTED_SYNCHRONOUS) != 0;
        MemorySegment attributes = arena.allocate(8, 8);
        boolean known = !syncs && FileCalls.attributes(errno, file, attributes) >= 0;
        return known && (attributes.get(JAVA_INT, 0) & SYNCHRONOUS) == 0 ? READING_AND_WRITING : READING;
    }
}
