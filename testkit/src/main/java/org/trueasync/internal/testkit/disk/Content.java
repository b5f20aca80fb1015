package org.trueasync.internal.testkit.disk;

import java.nio.ByteBuffer;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.random.RandomGenerator;

/**
 * The bytes of a file, as programs see them and as the disk has them. A change is pending until a sync; each can be
 * taken back, so the bytes on the disk are the ones seen without the pending changes.
 */
final class Content {
    static final int MAX_SIZE = 1 << 29;

    /** Pending bytes of one file at most; beyond, the oldest changes are written back, as a system does. */
    private static final long MAX_PENDING = 8 << 20;

    byte[] bytes = new byte[0]; // zero beyond the size
    int size;
    private final List<Change> pending = new ArrayList<>(0);
    private long pendingBytes;
    private int sizeOnDisk;
    /** By number, what the disk has of sectors that a sync has failed to write, and that count as written. */
    private final Map<Integer, byte[]> unwritten = new HashMap<>(0);

    /** Bytes of equal number, before and after; a cut writes zeros. */
    @SuppressWarnings("ArrayRecordComponent") // changes are not compared
    record Change(int at, byte[] before, byte[] after, int sizeBefore, int sizeAfter) {
        boolean isCut() {
            return sizeAfter < sizeBefore;
        }

        int end() {
            return at + after.length;
        }

        void undo(byte[] bytes) {
            System.arraycopy(before, 0, bytes, at, before.length);
        }
    }

    int read(ByteBuffer into, long at) {
        if (!into.hasRemaining()) return 0;
        if (at >= size) return -1;
        int count = Math.min(into.remaining(), size - (int) at);
        into.put(bytes, (int) at, count);
        return count;
    }

    void write(int at, byte[] after) {
        int newSize = Math.max(size, at + after.length);
        grow(newSize);
        change(new Change(at, Arrays.copyOfRange(bytes, at, at + after.length), after, size, newSize));
    }

    void resize(int newSize) {
        if (newSize == size) return;
        grow(newSize);
        int length = Math.max(0, size - newSize);
        byte[] tail = length == 0 ? new byte[0] : Arrays.copyOfRange(bytes, newSize, size);
        change(new Change(Math.min(size, newSize), tail, new byte[length], size, newSize));
    }

    private void change(Change change) {
        System.arraycopy(change.after, 0, bytes, change.at, change.after.length);
        size = change.sizeAfter;
        pending.add(change);
        pendingBytes += change.after.length;
        if (pendingBytes > MAX_PENDING) write(pending.subList(0, (pending.size() + 1) / 2));
    }

    private void grow(int length) {
        if (length > bytes.length) bytes = Arrays.copyOf(bytes, Math.max(length, Math.min(bytes.length * 2, MAX_SIZE)));
    }

    /** Brings the first of the changes to the disk. */
    private void write(List<Change> first) {
        for (Change change : first) {
            pendingBytes -= change.after.length;
            sizeOnDisk = change.sizeAfter;
            if (unwritten.isEmpty()) continue;
            for (int sector = Sectors.of(change.at); sector <= Sectors.last(change); sector++) unwritten.remove(sector);
        }
        first.clear();
    }

    /** Brings every change to the disk. */
    void sync() {
        write(pending);
    }

    /**
     * Brings some of the changes to the disk. All of them count as written: no later sync brings them, unless a later
     * change of the same sector takes them along.
     */
    void syncFails(RandomGenerator random) {
        byte[] disk = afterCrash(random);
        int all = Math.max(size, disk.length);
        byte[] onDisk = Arrays.copyOf(disk, Sectors.end(all));
        byte[] seen = Arrays.copyOf(Arrays.copyOf(bytes, size), onDisk.length);
        unwritten.clear();
        for (int start = 0; start < onDisk.length; start += Sectors.SIZE)
            if (!Arrays.equals(onDisk, start, start + Sectors.SIZE, seen, start, start + Sectors.SIZE))
                unwritten.put(start / Sectors.SIZE, Arrays.copyOfRange(onDisk, start, start + Sectors.SIZE));
        pending.clear();
        pendingBytes = 0;
        sizeOnDisk = disk.length;
    }

    /** Loses what has not come to the disk; the seed decides what of the pending changes has. */
    void crash(RandomGenerator random) {
        bytes = afterCrash(random);
        size = bytes.length;
        sizeOnDisk = size;
        pending.clear();
        pendingBytes = 0;
        unwritten.clear();
    }

    private byte[] afterCrash(RandomGenerator random) {
        if (pending.isEmpty() && unwritten.isEmpty() && size == sizeOnDisk) return Arrays.copyOf(bytes, size);
        var fates = new Fates(pending, sizeOnDisk, random);
        int largest = Math.max(size, fates.size());
        for (Change change : pending) largest = Math.max(largest, Math.max(change.sizeBefore, change.end()));
        byte[] seen = Arrays.copyOf(bytes, Sectors.end(largest));
        for (Change change : pending.reversed()) change.undo(seen);
        byte[] onDisk = seen.clone();
        unwritten.forEach((sector, was) -> {
            int start = sector * Sectors.SIZE;
            if (start < onDisk.length) System.arraycopy(was, 0, onDisk, start, Sectors.SIZE);
        });
        Arrays.fill(onDisk, Math.min(sizeOnDisk, onDisk.length), onDisk.length, (byte) 0);
        fates.apply(seen, onDisk);
        return Arrays.copyOf(onDisk, fates.size());
    }

    /** Numbers of sectors, which a disk writes as a whole, or tears. */
    static final class Sectors {
        static final int SIZE = 512;

        private Sectors() {}

        static int of(int position) {
            return position / SIZE;
        }

        static int last(Change change) {
            return change.after.length == 0 ? of(change.at) - 1 : of(change.end() - 1);
        }

        /** The end of the last sector that has one of so many bytes. */
        static int end(int bytes) {
            return (bytes + SIZE - 1) / SIZE * SIZE;
        }
    }
}
