package org.trueasync.internal.file;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.file.LockedParts.Part;
import org.trueasync.spi.FileHandle;

/**
 * The locks on one file by coroutines of this process, in all its runtimes. For the system they are all the same
 * locker, so this table keeps them apart, first come, first served. A request whose turn has come then asks the system,
 * which keeps processes apart.
 *
 * <p>An exclusive lock gets parts of its own. Where the system can't unlock a piece of what was locked, it has to wait
 * until no shared lock relies on a part that overlaps with it, even if no lock does. It may be overtaken meanwhile by
 * shared locks that don't overlap with it: if these waited for it, a coroutine that has a lock and wants another one
 * would wait for itself.
 */
final class LockTable {
    /*
     * One monitor for all tables. It is held briefly, and nothing that is called under it takes another lock: a
     * coroutine that met one would be suspended and keep the monitor. So the loop thread may take it anywhere. Parts
     * are unlocked, and loops are woken, after it has been left.
     */
    private static final Map<Object, LockTable> TABLES = new HashMap<>();

    /** What a new request has to do. */
    enum Entry {
        /** It is its turn to ask the system. */
        TURN,
        /** It has to wait for its turn. */
        WAIT,
        /** It would have to wait for a lock, and is not in the table. */
        REFUSED
    }

    /** All requests that have or want a lock, in the order of the calls. */
    private final List<LockRequest> requests = new ArrayList<>();

    private final LockedParts parts = new LockedParts();
    /** Closes files whose closing would release locks of others; run when there are no locks left. */
    private final List<Runnable> closings = new ArrayList<>();
    /** The number of such files that are being closed: no lock is granted meanwhile. */
    private int closing;

    private LockTable() {}

    private static LockTable of(Object key) {
        LockTable table = TABLES.get(key);
        if (table == null) {
            table = new LockTable();
            TABLES.put(key, table);
        }
        return table;
    }

    /**
     * Adds a request; its turn comes at once if nothing excludes it.
     *
     * @param waitsForLocks false: a request that would have to wait for another lock is not added
     */
    static Entry enter(LockRequest request, boolean waitsForLocks) {
        var entry = new Entry[1];
        change(request.key(), table -> entry[0] = table.add(request, waitsForLocks));
        return entry[0];
    }

    private Entry add(LockRequest request, boolean waitsForLocks) {
        if (isExcluded(request) && !waitsForLocks) return Entry.REFUSED;
        requests.add(request);
        if (!mayBegin(request)) return Entry.WAIT;
        begin(request);
        return Entry.TURN;
    }

    /** Records that the system has locked what the request has asked for. */
    static void held(LockRequest request) {
        request.file.use.begins();
        try {
            change(request.key(), table -> {
                table.parts.add(new LockedParts.Holding(request.file), request.asksFor);
                request.state = LockRequest.HELD;
            });
        } finally {
            if (request.state != LockRequest.HELD)
                for (LockedParts.Range range : request.asksFor) request.file.unlock(range);
            // without parts of its own it relies on those of others
            if (request.state != LockRequest.HELD || request.asksFor.isEmpty()) request.file.use.ends();
        }
    }

    /** Records that the coroutine has stopped waiting for the system, which has still to answer. */
    static void abandoned(LockRequest request) {
        change(request.key(), table -> request.abandoned = true);
    }

    /**
     * Removes a request that was abandoned or refused, or whose lock is released. First unlocks what no lock relies on
     * any more; then the waiting requests get their turn. In a coroutine, or where it may meet a lock.
     */
    static void leave(LockRequest request) {
        var unused = new ArrayList<Part>(1);
        change(request.key(), table -> table.remove(request, unused));
        if (unused.isEmpty()) return;
        try {
            Throwing.forEach(unused, part -> part.file().unlock(part.range()));
        } finally {
            var ended = new ArrayList<FileCore>(1);
            change(request.key(), table -> ended.addAll(table.parts.unlocked(unused)));
            for (FileCore file : ended) file.use.ends();
        }
    }

    private void remove(LockRequest request, List<Part> unused) {
        boolean reliedOnParts = request.state != LockRequest.WAITING;
        if (requests.contains(request) && reliedOnParts) {
            var others = new ArrayList<LockRequest>(requests.size());
            for (LockRequest other : requests)
                if (other != request && other.state != LockRequest.WAITING) others.add(other);
            unused.addAll(parts.release(request, others));
        }
        requests.remove(request);
        request.state = LockRequest.LEFT;
    }

    /**
     * Closes a handle when that takes no lock from others.
     *
     * @param close closes it, then calls {@link #closed}; not called if this returns true
     * @return true if the caller closes it now, and calls {@link #closed} then
     */
    static boolean mayClose(FileHandle handle, Runnable close) {
        if (!handle.closingLosesLocks()) return true;
        var may = new boolean[1];
        change(handle.key(), table -> {
            may[0] = !table.hasLocks();
            if (may[0]) table.closing++;
            else table.closings.add(close);
        });
        return may[0];
    }

    /** To be called when a handle has been closed. Any thread. */
    static void closed(FileHandle handle) {
        if (handle.closingLosesLocks()) change(handle.key(), table -> table.closing--);
    }

    /** True if the system has locked something, or is being asked to. */
    private boolean hasLocks() {
        if (!parts.isEmpty()) return true;
        for (LockRequest request : requests) if (request.state != LockRequest.WAITING) return true;
        return false;
    }

    private interface Change {
        void apply(LockTable table);
    }

    /** Changes a table; then the waiting requests whose turn has come get it, and loops learn what they wait for. */
    private static void change(Object key, Change change) {
        var begun = new ArrayList<LockRequest>(1);
        var recounted = new ArrayList<LockRequest>(0);
        List<Runnable> closable = List.of();
        try {
            synchronized (TABLES) {
                LockTable table = of(key);
                try {
                    change.apply(table);
                    table.serve(begun);
                    table.count(recounted);
                    closable = table.closable();
                } finally {
                    if (table.isUnused()) TABLES.remove(key);
                }
            }
        } finally {
            for (LockRequest request : recounted) request.postCount();
            for (LockRequest request : begun) request.wakeForTurn();
            for (Runnable close : closable) close.run();
        }
    }

    private List<Runnable> closable() {
        if (closings.isEmpty() || hasLocks()) return List.of();
        List<Runnable> all = List.copyOf(closings);
        closings.clear();
        closing += all.size();
        return all;
    }

    private boolean isUnused() {
        return requests.isEmpty() && parts.isEmpty() && closings.isEmpty() && closing == 0;
    }

    private void serve(List<LockRequest> begun) {
        for (LockRequest request : requests) {
            if (request.state != LockRequest.WAITING || !mayBegin(request)) continue;
            begin(request);
            begun.add(request);
        }
    }

    private boolean mayBegin(LockRequest request) {
        return closing == 0 && !parts.isBeingUnlocked(request) && !isExcluded(request);
    }

    /** True if an earlier request wants, or has, a lock that excludes this one, or if the system shares some of it. */
    private boolean isExcluded(LockRequest request) {
        for (LockRequest other : requests) {
            if (other == request) break;
            if (other.blocks(request)) return true;
        }
        return !request.shared && parts.isLocked(request);
    }

    /** Begins the request's turn to ask the system for what is not locked yet. */
    private void begin(LockRequest request) {
        request.asksFor = parts.notLocked(request);
        request.state = LockRequest.ASKING;
    }

    // ---- what requests wait for

    /** Finds out for each waiting request whether its own loop can end the wait; adds those for which that is new. */
    private void count(List<LockRequest> changed) {
        boolean sameLoop = haveSameLoop();
        for (LockRequest request : requests) {
            if (request.state != LockRequest.WAITING) continue;
            boolean waitsForOthers =
                    closing > 0 || parts.isBeingUnlocked(request) || (!sameLoop && waitsForOthers(request));
            if (waitsForOthers == request.waitsForOthers) continue;
            request.waitsForOthers = waitsForOthers;
            changed.add(request);
        }
    }

    private boolean haveSameLoop() {
        for (LockRequest request : requests)
            if (request.abandoned || request.file.loop != requests.getFirst().file.loop) return false;
        return true;
    }

    /**
     * True if a request that holds up this one is not ended by a coroutine of its loop. Requests of its loop that wait,
     * or ask the system, count for themselves.
     */
    private boolean waitsForOthers(LockRequest request) {
        boolean earlier = true;
        for (LockRequest other : requests) {
            if (other == request) earlier = false;
            else if ((other.abandoned || other.file.loop != request.file.loop)
                    && ((earlier && other.blocks(request)) || sharesPart(other, request))) return true;
        }
        return false;
    }

    private boolean sharesPart(LockRequest other, LockRequest request) {
        return !request.shared && other.state != LockRequest.WAITING && parts.keepsLocked(other, request);
    }
}
