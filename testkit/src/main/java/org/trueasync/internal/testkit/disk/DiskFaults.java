package org.trueasync.internal.testkit.disk;

/** What a disk does to its programs, and how long it takes. May be changed at any time on the loop thread. */
public final class DiskFaults {
    /** Bytes that the files have room for together; a write that finds none fails with {@code ENOSPC}. */
    public long capacity = 1L << 30;

    /** The probability, from 0 to 1, that a write fails with {@code EIO} and writes nothing. */
    public double writeErrors;

    /** The probability, from 0 to 1, that a sync fails with {@code EIO}: see {@link VirtualDisk}. */
    public double syncErrors;

    /** True for a drive that says that it has stored what it keeps in a volatile cache: a sync does nothing. */
    public boolean ignoresSync;

    /** What a sync takes, in nanoseconds. */
    public long syncNanos = 100_000;

    /** What each other call takes, in nanoseconds. */
    public long callNanos = 10_000;

    DiskFaults() {}

    /**
     * What a call takes, in nanoseconds.
     *
     * @param call as {@link org.trueasync.spi.Reactor#helpers} gets it
     */
    public long nanos(String call) {
        return call.startsWith("sync ") ? syncNanos : callNanos;
    }
}
