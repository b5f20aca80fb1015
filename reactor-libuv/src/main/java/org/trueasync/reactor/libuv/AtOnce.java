package org.trueasync.reactor.libuv;

import static java.lang.foreign.ValueLayout.JAVA_INT;
import static java.lang.foreign.ValueLayout.JAVA_LONG;

import java.lang.foreign.Arena;
import java.lang.foreign.MemorySegment;

/** What can be done with a regular file on the loop thread, as its file system never makes that wait for a disk. */
enum AtOnce {
    /** Reading what is in memory; the system is asked to refuse the rest. */
    READING,

    /** The same, and writing to what is in memory. Btrfs takes such writes too, but refuses nearly each of them. */
    READING_AND_WRITING,

    /** Everything: there is no disk, and a page that was swapped out is as rare as it is in a program's own memory. */
    ALL;

    private static final long TMPFS = 0x01021994;
    private static final long RAMFS = 0x858458f6L;
    private static final long XFS = 0x58465342;

    /** Of what {@code fstatfs} says about the mounted file system: each write ends with a sync. */
    private static final long MOUNTED_SYNCHRONOUS = 0x10;

    /** Of a file, see chattr(1): as above. */
    private static final int SYNCHRONOUS = 0x8;

    /**
     * Finds it out.
     *
     * @param file a regular one
     * @param flags with which it was opened
     */
    static AtOnce of(Arena arena, MemorySegment errno, int file, int flags) {
        MemorySegment system = arena.allocate(FileCalls.STATFS_SIZE, 8);
        if (FileCalls.systemOf(errno, file, system) < 0) return READING;
        long type = system.get(JAVA_LONG, 0) & 0xffff_ffffL;
        if (type == TMPFS || type == RAMFS) return ALL;
        if (type != XFS) return READING;
        // A write that is not to wait waits for its sync nevertheless.
        boolean syncs = (flags & (FileCalls.SYNC | FileCalls.DATA_SYNC)) != 0
                || (system.get(JAVA_LONG, FileCalls.STATFS_FLAGS) & MOUNTED_SYNCHRONOUS) != 0;
        MemorySegment attributes = arena.allocate(8, 8);
        boolean known = !syncs && FileCalls.attributes(errno, file, attributes) >= 0;
        return known && (attributes.get(JAVA_INT, 0) & SYNCHRONOUS) == 0 ? READING_AND_WRITING : READING;
    }
}
