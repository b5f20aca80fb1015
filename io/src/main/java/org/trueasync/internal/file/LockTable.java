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
 * <p>An exclusive lock gets parts of its own. It waits until no shared lock relies on a part that overlaps with it,
 * even if no lock does. It may be overtaken meanwhile by shared locks that don't overlap with it: if these waited for
 * it, a coroutine that has a lock and wants another one would wait for itself.
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
    /** The number of files that are being closed, and of parts that are being unlocked: no turn begins meanwhile. */
    private int busy;

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
        FileCore file = request.file;
        boolean done = false;
        try {
            var parts = new ArrayList<Part>(1);
            for (LockedParts.Range range : request.asksFor) parts.add(new Part(file, range));
            change(request.key(), table -> {
                table.parts.add(parts);
                for (Part part : parts) part.file().use.begins();
                request.state = LockRequest.HELD;
            });
            done = true;
        } finally {
            if (!done && request.state != LockRequest.HELD)
                for (LockedParts.Range range : request.asksFor) file.unlock(range);
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
            change(request.key(), table -> table.busy -= unused.size());
            for (Part part : unused) part.file().use.ends();
        }
    }

    private void remove(LockRequest request, List<Part> unused) {
        requests.remove(request);
        request.state = LockRequest.LEFT;
        unused.addAll(parts.takeUnused(requests));
        busy += unused.size();
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
            if (may[0]) table.busy++;
            else table.closings.add(close);
        });
        return may[0];
    }

    /** To be called when a handle has been closed. Any thread. */
    static void closed(FileHandle handle) {
        if (handle.closingLosesLocks()) change(handle.key(), table -> table.busy--);
    }

    /** True if the system has locked something, is being asked to, or to unlock it, or a file is being closed. */
    private boolean hasLocks() {
        if (!parts.isEmpty() || busy > 0) return true;
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
        busy += all.size();
        return all;
    }

    private boolean isUnused() {
        return requests.isEmpty() && parts.isEmpty() && closings.isEmpty() && busy == 0;
    }

    private void serve(List<LockRequest> begun) {
        for (LockRequest request : requests) {
            if (request.state != LockRequest.WAITING || !mayBegin(request)) continue;
            begin(request);
            begun.add(request);
        }
    }

    private boolean mayBegin(LockRequest request) {
        return busy == 0 && !isExcluded(request);
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

    /** Finds out whether other loops, or threads, may hold up those who wait; adds those for which that is new. */
    private void count(List<LockRequest> changed) {
        boolean byOthers = busy > 0 || !haveSameLoop();
        for (LockRequest request : requests) {
            if (request.state != LockRequest.WAITING || request.waitsForOthers == byOthers) continue;
            request.waitsForOthers = byOthers;
            changed.add(request);
        }
    }

    private boolean haveSameLoop() {
        for (LockRequest request : requests)
            if (request.abandoned || request.file.loop != requests.getFirst().file.loop) return false;
        return true;
    }
}
