package org.trueasync.internal.file;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The locks on one file by coroutines of this process, in all its runtimes. For the system they are all the same
 * locker, so this table keeps them apart, first come, first served. A request whose turn has come then asks the system,
 * which keeps processes apart.
 *
 * <p>The system locks each part once: shared locks that overlap rely on the parts that are locked already. A part stays
 * locked, and the file that locked it stays open, while any lock relies on it. An exclusive lock gets parts of its own:
 * it waits until no lock relies on a part that overlaps with it.
 */
final class LockTable {
    /*
     * One monitor for all tables. It is held briefly, and nothing that is called under it takes another lock: a
     * coroutine that met one would be suspended and keep the monitor. So the loop thread may take it anywhere. Parts
     * are unlocked, and loops are woken, after it has been left.
     */
    private static final Map<Object, LockTable> TABLES = new HashMap<>();

    /** A part of the file that the system locks for this process, or is asked to lock. */
    static final class Part {
        final FileCore owner;
        final long start;
        final long end;
        /** Locks that rely on it. Zero for a part in {@link #parts}: it is being unlocked. */
        private int users;

        Part(FileCore owner, long start, long end) {
            this.owner = owner;
            this.start = start;
            this.end = end;
        }

        long size() {
            return end - start;
        }

        private boolean overlaps(LockRequest request) {
            return start < request.end && end > request.start;
        }
    }

    /** All requests that have or want a lock, in the order of the calls. */
    private final List<LockRequest> requests = new ArrayList<>();

    /** What the system has locked. */
    private final List<Part> parts = new ArrayList<>();
    /** Files whose closing would release locks of others; closed when there are no locks left. */
    private final List<FileCore> closeWhenUnlocked = new ArrayList<>();

    private LockTable() {}

    /**
     * Adds a request; its turn comes at once if no earlier one excludes it.
     *
     * @param mayWait false: a request that would have to wait is not added
     * @return true if it is the request's turn; false if it has to wait, or would have to
     */
    static boolean enter(LockRequest request, boolean mayWait) {
        synchronized (TABLES) {
            LockTable table = TABLES.computeIfAbsent(request.key(), key -> new LockTable());
            if (table.isBlocked(request)) {
                if (mayWait) table.requests.add(request);
                return false;
            }
            table.requests.add(request);
            table.begin(request);
            return true;
        }
    }

    /** True if a waiting request waits only for requests of its own runtime. */
    static boolean waitsForOwnRuntimeOnly(LockRequest request) {
        synchronized (TABLES) {
            LockTable table = TABLES.get(request.key());
            if (table == null) return true;
            boolean earlier = true;
            for (LockRequest other : table.requests) {
                if (other == request) {
                    earlier = false;
                    continue;
                }
                boolean holdsUp = (earlier && table.goesFirst(other, request)) || reliesOnPartOf(other, request);
                if (holdsUp && other.file.loop != request.file.loop) return false;
            }
            for (Part part : table.parts) if (part.users == 0 && part.overlaps(request)) return false;
            return true;
        }
    }

    private static boolean reliesOnPartOf(LockRequest other, LockRequest request) {
        for (Part part : other.relied) if (part.overlaps(request)) return true;
        return false;
    }

    /** Records that the system has locked the request's parts. */
    static void held(LockRequest request) {
        for (Part part : request.own) part.owner.use.begins();
        change(request, table -> {
            request.state = LockRequest.HELD;
            table.parts.addAll(request.own);
        });
    }

    /**
     * Removes a request that was given up or refused, or whose lock is released. First unlocks the parts that no lock
     * relies on any more; then the waiting requests get their turn. In a coroutine, or where it may meet a lock.
     */
    static void leave(LockRequest request) {
        var unused = new ArrayList<Part>(1);
        change(request, table -> table.remove(request, unused));
        if (unused.isEmpty()) return;
        for (Part part : unused) part.owner.unlock(part);
        change(request, table -> table.parts.removeAll(unused));
        for (Part part : unused) {
            FileCore owner = part.owner;
            if (owner.loop == request.file.loop) owner.use.ends();
            else owner.loop.post(owner.use::ends, owner.use::ends);
        }
    }

    /** Removes a request; adds to a list the parts that are to be unlocked. */
    private void remove(LockRequest request, List<Part> unused) {
        if (!requests.remove(request) || request.state == LockRequest.WAITING) return;
        for (Part part : request.relied) if (--part.users == 0 && parts.contains(part)) unused.add(part);
    }

    /**
     * True if closing the file would release locks of others. The table then ends the file's use when no locks are
     * left.
     */
    static boolean holdsUpClosing(FileCore file) {
        synchronized (TABLES) {
            LockTable table = TABLES.get(file.handle.key());
            if (table == null) return false;
            table.closeWhenUnlocked.add(file);
            return true;
        }
    }

    private interface Change {
        void apply(LockTable table);
    }

    /** Changes the request's table; then the waiting requests whose turn has come get it. */
    private static void change(LockRequest request, Change change) {
        List<LockRequest> begun = new ArrayList<>(1);
        List<FileCore> closable = List.of();
        synchronized (TABLES) {
            LockTable table = TABLES.get(request.key());
            if (table == null) return;
            change.apply(table);
            table.serve(begun);
            if (table.requests.isEmpty() && table.parts.isEmpty()) {
                TABLES.remove(request.key());
                closable = table.closeWhenUnlocked;
            }
        }
        for (LockRequest waiting : begun) waiting.wakeForTurn();
        for (FileCore file : closable) file.loop.post(file.use::ends, file.use::ends);
    }

    private void serve(List<LockRequest> begun) {
        for (LockRequest request : requests) {
            if (request.state != LockRequest.WAITING || isBlocked(request)) continue;
            begin(request);
            begun.add(request);
        }
    }

    /** True if an earlier request, or what the system has locked, excludes this one. */
    private boolean isBlocked(LockRequest request) {
        for (Part part : parts) if (part.overlaps(request) && (!request.shared || part.users == 0)) return true;
        for (LockRequest other : requests) {
            if (other == request) return false;
            if (goesFirst(other, request)) return true;
        }
        return false;
    }

    /** True if the later request has to wait for the earlier one, or for what that one waits for. */
    private boolean goesFirst(LockRequest earlier, LockRequest later) {
        if (earlier.blocks(later)) return true;
        if (earlier.state != LockRequest.WAITING) return false;
        // The later one would keep the part locked, and the earlier one would wait for ever.
        for (Part part : parts) if (part.overlaps(earlier) && part.overlaps(later)) return true;
        return false;
    }

    /** Begins the request's turn to ask the system. Finds out for which parts: those that are not locked yet. */
    private void begin(LockRequest request) {
        request.state = LockRequest.ASKING;
        long from = request.start;
        Part next;
        while (from < request.end && (next = firstAt(from, request.end)) != null) {
            if (from < next.start) request.own.add(new Part(request.file, from, next.start));
            request.relied.add(next);
            from = next.end;
        }
        if (from < request.end) request.own.add(new Part(request.file, from, request.end));
        request.relied.addAll(request.own);
        for (Part part : request.relied) part.users++;
    }

    /** Returns the first of the parts that overlap with this range; null if none does. */
    private @Nullable Part firstAt(long start, long end) {
        Part first = null;
        for (Part part : parts)
            if (part.start < end && part.end > start && (first == null || part.start < first.start)) first = part;
        return first;
    }
}
