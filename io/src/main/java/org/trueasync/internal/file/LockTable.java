package org.trueasync.internal.file;

import java.util.ArrayList;
import java.util.HashMap;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.error.Throwing;
import org.trueasync.internal.file.LockedParts.Part;
import org.trueasync.internal.kernel.Runtimes;
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

    /** Stands for other threads among those who may hold up a request. */
    private static final Object OTHER_THREADS = new Object();

    /** The last of all requests that have or want a lock; each knows the one before it, in the order of the calls. */
    private @Nullable LockRequest last;

    /**
     * Waiting requests that no earlier one blocks any more; they are looked at after each change. Each of the others
     * is a follower of the last earlier request that blocks it, so that a change looks at those alone whom it concerns.
     */
    private final Set<LockRequest> candidates = new LinkedHashSet<>();

    /** Those whose turn has begun: the others rely on nothing that the system has locked. */
    private final Set<LockRequest> begun = new LinkedHashSet<>();

    /** How often each loop, and {@link #OTHER_THREADS}, may hold up a request. */
    private final Map<Object, Integer> holders = new HashMap<>();

    /** Whether what waits may be held up by others than its own loop. */
    private boolean byOthers;

    private final LockedParts parts = new LockedParts();
    /** Closes files whose closing would release locks of others; run when there are no locks left. */
    private final List<Runnable> closings = new ArrayList<>();
    /** The number of files that are being closed, and of locks that are being unlocked: no turn begins meanwhile. */
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
        request.previous = last;
        if (!waitsForLocks && (blockerOf(request) != null || isLockedFor(request))) return Entry.REFUSED;
        if (last != null) last.next = request;
        last = request;
        request.entered = true;
        holders.merge(request.file.loop, 1, Integer::sum);
        request.waitsForOthers = byOthers;
        return begins(request) ? Entry.TURN : Entry.WAIT;
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
                if (request.shared) table.release(request.followers);
            });
            done = true;
        } finally {
            if (!done && request.state != LockRequest.HELD)
                for (LockedParts.Range range : request.asksFor) file.unlock(range);
        }
    }

    /** Records that the coroutine has stopped waiting for the system, which has still to answer. */
    static void abandoned(LockRequest request) {
        change(request.key(), table -> {
            table.holders.computeIfPresent(holderOf(request), LockTable::oneLess);
            request.abandoned = true;
            table.holders.merge(holderOf(request), 1, Integer::sum);
        });
    }

    /**
     * Removes a request that was abandoned or refused, or whose lock is released. First unlocks what no lock relies on
     * any more; then the waiting requests get their turn. In a coroutine, or where it may meet a lock.
     */
    static void leave(LockRequest request) {
        var unused = new ArrayList<Part>(1);
        Object holder = Runtimes.hereOrNull() == request.file.loop ? request.file.loop : OTHER_THREADS;
        change(request.key(), table -> table.remove(request, holder, unused));
        if (unused.isEmpty()) return;
        try {
            Throwing.forEach(unused, part -> part.file().unlock(part.range()));
        } finally {
            change(request.key(), table -> table.end(holder));
            for (Part part : unused) part.file().use.ends();
        }
    }

    private void remove(LockRequest request, Object holder, List<Part> unused) {
        request.state = LockRequest.LEFT;
        if (!request.entered) return;
        request.entered = false;
        if (request.next == null) last = request.previous;
        else request.next.previous = request.previous;
        if (request.previous != null) request.previous.next = request.next;
        if (request.place != null) request.place.remove(request);
        release(request.followers);
        if (begun.remove(request)) unused.addAll(parts.takeUnused(request, begun));
        if (!unused.isEmpty()) begin(holder);
        holders.computeIfPresent(holderOf(request), LockTable::oneLess);
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
            if (may[0]) table.begin(OTHER_THREADS);
            else table.closings.add(close);
        });
        return may[0];
    }

    /** To be called when a handle has been closed. Any thread. */
    static void closed(FileHandle handle) {
        if (handle.closingLosesLocks()) change(handle.key(), table -> table.end(OTHER_THREADS));
    }

    /** A file is going to be closed, or parts unlocked. */
    private void begin(Object holder) {
        busy++;
        holders.merge(holder, 1, Integer::sum);
    }

    private void end(Object holder) {
        busy--;
        holders.computeIfPresent(holder, LockTable::oneLess);
    }

    /** Whoever it waits for may be on another thread once its coroutine has gone. */
    private static Object holderOf(LockRequest request) {
        return request.abandoned ? OTHER_THREADS : request.file.loop;
    }

    private static @Nullable Integer oneLess(Object holder, int count) {
        return count == 1 ? null : count - 1;
    }

    /** True if the system has locked something, is being asked to, or to unlock it, or a file is being closed. */
    private boolean hasLocks() {
        return !parts.isEmpty() || busy > 0 || !begun.isEmpty();
    }

    private interface Change {
        void apply(LockTable table);
    }

    /** Changes a table; then the waiting requests whose turn has come get it, and loops learn what they wait for. */
    private static void change(Object key, Change change) {
        var woken = new ArrayList<LockRequest>(1);
        var recounted = new ArrayList<LockRequest>(0);
        List<Runnable> closable = List.of();
        try {
            synchronized (TABLES) {
                LockTable table = of(key);
                try {
                    change.apply(table);
                    table.serve(woken);
                    table.count(recounted);
                    closable = table.closable();
                } finally {
                    if (table.isUnused()) TABLES.remove(key);
                }
            }
        } finally {
            for (LockRequest request : recounted) request.postCount();
            for (LockRequest request : woken) request.wakeForTurn();
            for (Runnable close : closable) close.run();
        }
    }

    private List<Runnable> closable() {
        if (closings.isEmpty() || hasLocks()) return List.of();
        List<Runnable> all = List.copyOf(closings);
        closings.clear();
        for (int i = 0; i < all.size(); i++) begin(OTHER_THREADS);
        return all;
    }

    private boolean isUnused() {
        return last == null && parts.isEmpty() && closings.isEmpty() && busy == 0;
    }

    private void serve(List<LockRequest> woken) {
        if (candidates.isEmpty() || busy > 0) return;
        List<LockRequest> now = List.copyOf(candidates);
        candidates.clear();
        for (LockRequest request : now) if (begins(request)) woken.add(request);
    }

    /** Has those look for their turn who followed a request that does not block them any more. */
    private void release(Set<LockRequest> followers) {
        for (LockRequest request : followers) wait(request, candidates);
        followers.clear();
    }

    private static void wait(LockRequest request, Set<LockRequest> place) {
        place.add(request);
        request.place = place;
    }

    /** Begins the request's turn, or has it wait where it is found when that may begin. */
    private boolean begins(LockRequest request) {
        LockRequest blocker = blockerOf(request);
        if (blocker != null) wait(request, blocker.followers);
        else if (busy > 0 || isLockedFor(request)) wait(request, candidates);
        else {
            request.place = null;
            begin(request);
            return true;
        }
        return false;
    }

    /** Returns the last earlier request that wants, or has, a lock that excludes this one. */
    private static @Nullable LockRequest blockerOf(LockRequest request) {
        LockRequest other = request.previous;
        while (other != null && !other.blocks(request)) other = other.previous;
        return other;
    }

    /** True if an exclusive request has to wait until what the system has locked there is unlocked. */
    private boolean isLockedFor(LockRequest request) {
        return !request.shared && parts.isLocked(request);
    }

    /** Begins the request's turn to ask the system for what is not locked yet. */
    private void begin(LockRequest request) {
        request.asksFor = parts.notLocked(request);
        request.state = LockRequest.ASKING;
        begun.add(request);
    }

    // ---- what requests wait for

    /** Finds out whether other loops, or threads, may hold up those who wait; adds those for which that is new. */
    private void count(List<LockRequest> changed) {
        boolean now = holders.size() > 1;
        if (now == byOthers) return;
        byOthers = now;
        for (LockRequest request = last; request != null; request = request.previous) {
            if (request.state != LockRequest.WAITING) continue;
            request.waitsForOthers = byOthers;
            changed.add(request);
        }
    }
}
