package org.trueasync.internal.file;

import java.util.ArrayList;
import java.util.List;
import java.util.Set;

/**
 * The parts of one file that the system has locked for this process. The system locks each part once: shared locks that
 * overlap rely on what is locked already. A part stays locked as it is, and the file that locked it stays open, while a
 * lock relies on some of it.
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

    /** A part, and the file that has locked it. It counts as a use of that file's handle. */
    record Part(FileCore file, Range range) {
        boolean overlaps(LockRequest request) {
            return range.overlaps(request.start, request.end);
        }
    }

    private final List<Part> locked = new ArrayList<>();

    boolean isEmpty() {
        return locked.isEmpty();
    }

    /** True if the system has locked some of it, for whatever lock. */
    boolean isLocked(LockRequest request) {
        for (Part part : locked) if (part.overlaps(request)) return true;
        return false;
    }

    /** What of a request's range the system has not locked yet. */
    List<Range> notLocked(LockRequest request) {
        var gaps = new ArrayList<Range>(1);
        gaps.add(new Range(request.start, request.end));
        for (Part part : locked) subtract(gaps, part.range.start, part.range.end);
        return gaps;
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

    /** Adds what a request has locked. All of it or nothing. */
    void add(List<Part> parts) {
        locked.addAll(parts);
    }

    /**
     * Takes out the parts that no lock relies on now that a request has left.
     *
     * @param others those that have a lock, or for which the system is being asked
     * @return the parts, which the caller unlocks
     */
    List<Part> takeUnused(LockRequest left, Set<LockRequest> others) {
        var unused = new ArrayList<Part>(1);
        for (Part part : locked) if (part.overlaps(left) && !isUsed(part, others)) unused.add(part);
        if (!unused.isEmpty()) locked.removeAll(unused);
        return unused;
    }

    private static boolean isUsed(Part part, Set<LockRequest> locks) {
        for (LockRequest lock : locks) if (part.overlaps(lock)) return true;
        return false;
    }
}
