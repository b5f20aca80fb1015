package org.trueasync.internal.file;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.jspecify.annotations.Nullable;

/**
 * The locks of one file by coroutines of this process, of whatever runtime. To the system they are all the same locker, so they are kept apart
 * here, first come, first served; who gets through then asks the system, where other processes are.
 *
 * <p>To the system a part is locked once: shared locks that overlap share what is locked already. A part stays locked, and the file that locked it
 * open, as long as anybody relies on it.
 */
final class LockTable {
    /*
     * One monitor for all tables. It is held for a moment, never while anything waits, and nothing is called inside that could take another; so loop
     * threads may take it.
     */
    private static final Map<Object, LockTable> TABLES = new HashMap<>();

    /** What the system has locked for us. */
    static final class Part {
        final FileCore owner;
        final long start;
        final long end;
        /** How many locks rely on it. */
        private int users;

        Part(FileCore owner, long start, long end) {
            this.owner = owner;
            this.start = start;
            this.end = end;
        }

        long size() {
            return end - start;
        }
    }

    /** Everybody who has or wants a lock, in the order of the calls. */
    private final List<LockRequest> requests = new ArrayList<>();

    private final List<Part> parts = new ArrayList<>();
    /** Files whose closing would take locks away from others; closed when there are no locks left. */
    private final List<FileCore> toBeClosed = new ArrayList<>();

    private LockTable() {}

    /**
     * Gets in line.
     *
     * @param mayWait false: only if it is the request's turn at once
     * @return false if it has to wait, or would have to
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

    /** True if all that a waiting request waits for belongs to its own runtime. */
    static boolean waitsForItsOwnOnly(LockRequest request) {
        synchronized (TABLES) {
            LockTable table = TABLES.get(request.key());
            if (table == null) return true;
            for (LockRequest other : table.requests) {
                if (other == request) break;
                if (other.blocks(request) && other.file.loop != request.file.loop) return false;
            }
            return true;
        }
    }

    /** The system has locked what it was asked for. */
    static void held(LockRequest request) {
        for (Part part : request.own) part.owner.use.begins();
        change(request, table -> {
            request.state = LockRequest.HELD;
            table.parts.addAll(request.own);
            return List.of();
        });
    }

    /**
     * The request is over: given up, refused, or its lock is released. What nobody relies on any more is unlocked first, then who waits gets his
     * turn.
     */
    static void leave(LockRequest request) {
        List<Part> dropped = change(request, table -> {
            var unused = new ArrayList<Part>();
            if (!table.requests.remove(request) || request.state == LockRequest.WAITING) return unused;
            for (Part part : request.relied) {
                if (--part.users > 0 || !table.parts.remove(part)) continue;
                part.owner.unlock(part);
                unused.add(part);
            }
            return unused;
        });
        for (Part part : dropped) {
            FileCore owner = part.owner;
            if (owner.loop == request.file.loop) owner.use.ends();
            else owner.loop.post(owner.use::ends, owner.use::ends);
        }
    }

    /** True if the file must not be closed yet, as others' locks would go with it; it is told later. */
    static boolean holdsUpClosing(FileCore file) {
        synchronized (TABLES) {
            LockTable table = TABLES.get(file.handle.key());
            if (table == null || table.requests.isEmpty()) return false;
            table.toBeClosed.add(file);
            return true;
        }
    }

    private interface Change {
        List<Part> apply(LockTable table);
    }

    private static List<Part> change(LockRequest request, Change change) {
        List<Part> result;
        List<FileCore> closable = List.of();
        synchronized (TABLES) {
            LockTable table = TABLES.get(request.key());
            if (table == null) return List.of();
            result = change.apply(table);
            table.serve();
            if (table.requests.isEmpty()) {
                TABLES.remove(request.key());
                closable = table.toBeClosed;
            }
        }
        for (FileCore file : closable) file.loop.post(file.use::ends, file.use::ends);
        return result;
    }

    private void serve() {
        for (LockRequest request : requests) {
            if (request.state != LockRequest.WAITING || isBlocked(request)) continue;
            begin(request);
            request.turnHasCome();
        }
    }

    /** Somebody in front wants, or has, what excludes it. */
    private boolean isBlocked(LockRequest request) {
        for (LockRequest other : requests) {
            if (other == request) return false;
            if (other.blocks(request)) return true;
        }
        return false;
    }

    /** From here on the request is asking the system. Finds out what for. */
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

    /** The first part, of those that overlap with this, from its start. */
    private @Nullable Part firstAt(long start, long end) {
        Part first = null;
        for (Part part : parts)
            if (part.start < end && part.end > start && (first == null || part.start < first.start)) first = part;
        return first;
    }
}
