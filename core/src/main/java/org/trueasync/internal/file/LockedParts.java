package org.trueasync.internal.file;

import java.util.ArrayList;
import java.util.List;

/**
 * The parts of one file that the system has locked for this process. The system locks each part once: shared locks that
 * overlap rely on what is locked already. A part stays locked, and the file that locked it stays open, while a lock
 * relies on it.
 *
 * <p>Guarded by the monitor of {@link LockTable}.
 */
final class LockedParts {
    /** Bytes of a file, from {@code start} to before {@code end}; without an end if that is the largest long. */
    record Range(long start, long end) {
        boolean overlaps(long from, long to) {
            return start < to && from < end;
        }

        /** Length as {@link org.trueasync.spi.FileHandle#unlock} takes it. */
        long size() {
            return end == Long.MAX_VALUE ? Long.MAX_VALUE : end - start;
        }
    }

    /** What one file has locked for one request. It keeps the file's handle open until all of it is unlocked. */
    static final class Holding {
        final FileCore file;
        private int parts;

        Holding(FileCore file) {
            this.file = file;
        }
    }

    /** A part that is locked, or is being unlocked. */
    record Part(Holding holding, Range range) {
        FileCore file() {
            return holding.file;
        }
    }

    private final List<Part> locked = new ArrayList<>();
    /** No lock relies on these any more, but the system has not unlocked them yet. */
    private final List<Part> unlocking = new ArrayList<>();

    boolean isEmpty() {
        return locked.isEmpty() && unlocking.isEmpty();
    }

    /** True if the system has locked some of it, for whatever lock. */
    boolean isLocked(LockRequest request) {
        return overlaps(locked, request);
    }

    /** True if some of it is being unlocked: soon it is not locked any more. */
    boolean isBeingUnlocked(LockRequest request) {
        return overlaps(unlocking, request);
    }

    private static boolean overlaps(List<Part> parts, LockRequest request) {
        for (Part part : parts) if (part.range.overlaps(request.start, request.end)) return true;
        return false;
    }

    /** True if a part that can only be unlocked as a whole is in the way of a request, and a lock relies on it. */
    boolean keepsLocked(LockRequest lock, LockRequest request) {
        for (Part part : locked)
            if (!part.file().handle.unlocksPieces()
                    && part.range.overlaps(request.start, request.end)
                    && part.range.overlaps(lock.start, lock.end)) return true;
        return false;
    }

    /** What of a request's range the system has not locked yet. */
    List<Range> notLocked(LockRequest request) {
        var gaps = new ArrayList<Range>(1);
        gaps.add(new Range(request.start, request.end));
        for (Part part : locked) subtract(gaps, part.range.start, part.range.end);
        return gaps;
    }

    /** Adds what a request has locked. */
    void add(Holding holding, List<Range> ranges) {
        for (Range range : ranges) locked.add(new Part(holding, range));
        holding.parts += ranges.size();
    }

    /**
     * Takes out what no lock relies on any more, now that one has been released.
     *
     * @param released the lock
     * @param others the locks that are left, with those for which the system is being asked
     * @return the parts that the caller unlocks, and passes to {@link #unlocked} then
     */
    List<Part> release(LockRequest released, List<LockRequest> others) {
        var unused = new ArrayList<Part>(1);
        var kept = new ArrayList<Part>(locked.size());
        for (Part part : locked) {
            if (part.range.overlaps(released.start, released.end)) split(part, released, others, unused, kept);
            else kept.add(part);
        }
        unlocking.addAll(unused);
        locked.clear();
        locked.addAll(kept);
        return unused;
    }

    private static void split(
            Part part, LockRequest released, List<LockRequest> others, List<Part> unused, List<Part> kept) {
        Range whole = part.range;
        var free = new ArrayList<Range>(1);
        // Beyond the released lock others rely on it: otherwise it would have been unlocked there already.
        if (part.file().handle.unlocksPieces())
            free.add(new Range(Math.max(whole.start, released.start), Math.min(whole.end, released.end)));
        else free.add(whole);
        for (LockRequest other : others) subtract(free, other.start, other.end);
        boolean all = free.size() == 1 && free.getFirst().equals(whole);
        if (free.isEmpty() || !(all || part.file().handle.unlocksPieces())) {
            kept.add(part);
            return;
        }
        var rest = new ArrayList<Range>(1);
        rest.add(whole);
        for (Range range : free) {
            unused.add(new Part(part.holding, range));
            subtract(rest, range.start, range.end);
        }
        for (Range range : rest) kept.add(new Part(part.holding, range));
        part.holding.parts += free.size() + rest.size() - 1;
    }

    /**
     * Forgets parts that have been unlocked.
     *
     * @return the files that one use of ends for each time they are in the list
     */
    List<FileCore> unlocked(List<Part> parts) {
        var ended = new ArrayList<FileCore>(1);
        unlocking.removeAll(parts);
        for (Part part : parts) if (--part.holding.parts == 0) ended.add(part.file());
        return ended;
    }

    private static void subtract(List<Range> ranges, long from, long to) {
        for (int i = ranges.size() - 1; i >= 0; i--) {
            Range range = ranges.get(i);
            if (!range.overlaps(from, to)) continue;
            ranges.remove(i);
            if (to < range.end) ranges.add(i, new Range(to, range.end));
            if (range.start < from) ranges.add(i, new Range(range.start, from));
        }
    }
}
