package org.trueasync.internal.signal;

import java.util.ArrayList;
import java.util.EnumMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentSkipListMap;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.locks.ReentrantLock;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.work.Workers;
import org.trueasync.io.Signal;

/**
 * What the process does with one signal: while somebody waits, tells everybody who does, once; otherwise what it did before.
 *
 * <p>Coming may block, as it talks to the JVM: it happens in coroutines. Leaving happens anywhere, in the loop's frame too, and takes no lock: the
 * JVM's behaviour is put back by a helper thread. A signal that finds nobody in between is raised again, for that behaviour; where it is the system's
 * own, which can't be reached, such a signal counts as one with the one before.
 */
final class Disposition {
    private static final Map<Signal, Disposition> ALL = all();
    private static final Set<Loop> KNOWN = ConcurrentHashMap.newKeySet();

    private final Signal signal;
    private final String name;
    /** In the order of arrival. */
    private final ConcurrentSkipListMap<Long, SignalWaiter> waiters = new ConcurrentSkipListMap<>();

    private final AtomicLong arrivals = new AtomicLong();
    private final ReentrantLock lock = new ReentrantLock();
    /** What the JVM did before; null while it does that. Under the lock. */
    private @Nullable Object before;

    private Disposition(Signal signal) {
        this.signal = signal;
        this.name = signal.name().substring("SIG".length());
    }

    private static Map<Signal, Disposition> all() {
        var all = new EnumMap<Signal, Disposition>(Signal.class);
        for (Signal signal : Signal.values()) all.put(signal, new Disposition(signal));
        return all;
    }

    static Disposition of(Signal signal) {
        Disposition found = ALL.get(signal);
        if (found == null) throw new IllegalStateException("Bug in TrueAsync: no disposition of " + signal);
        return found;
    }

    /** Registers for the next delivery. In a coroutine. */
    SignalWaiter join(Loop loop, SignalEvent event) {
        if (KNOWN.add(loop)) loop.atStop(() -> leaveAll(loop));
        var waiter = new SignalWaiter(loop, event, arrivals.incrementAndGet());
        lock.lock();
        try {
            if (before == null) before = SystemSignals.handle(name, this::delivered);
            waiters.put(waiter.number, waiter);
        } catch (IllegalArgumentException e) {
            throw new IllegalArgumentException(
                    "can't wait for " + signal + ": the JVM keeps it for itself (" + e.getMessage()
                            + "); without the option -Xrs there are fewer of these",
                    e);
        } finally {
            lock.unlock();
        }
        return waiter;
    }

    /** As {@link #leave}; what was there before is back when this returns. In a coroutine. */
    void leaveAndSettle(SignalWaiter waiter) {
        if (waiters.remove(waiter.number) != null) settle();
    }

    /** Any thread. */
    void leave(SignalWaiter waiter) {
        if (waiters.remove(waiter.number) != null && waiters.isEmpty()) Workers.PROCESSES.execute(this::settle);
    }

    private static void leaveAll(Loop loop) {
        KNOWN.remove(loop);
        for (Disposition each : ALL.values()) {
            for (SignalWaiter waiter : each.waiters.values()) if (waiter.loop == loop) each.leave(waiter);
        }
    }

    /** Puts back what was there, if nobody waits. True if that is there now. */
    private boolean settle() {
        lock.lock();
        try {
            Object restored = before;
            if (restored != null && waiters.isEmpty()) {
                SystemSignals.restore(name, restored);
                before = null;
            }
            return before == null;
        } finally {
            lock.unlock();
        }
    }

    /** The signal has come. On a thread of the JVM's. */
    private void delivered() {
        List<SignalWaiter> told = takeAll();
        boolean restored = settle();
        boolean heard = false;
        for (SignalWaiter waiter : told) heard |= tell(waiter);
        if (!heard && restored) SystemSignals.raise(name);
    }

    /** Those who came before now. */
    private List<SignalWaiter> takeAll() {
        var taken = new ArrayList<SignalWaiter>();
        long last = arrivals.get();
        for (var entry : waiters.headMap(last, true).entrySet())
            if (waiters.remove(entry.getKey(), entry.getValue())) taken.add(entry.getValue());
        return taken;
    }

    /** False if nobody is left behind it. */
    private boolean tell(SignalWaiter waiter) {
        SignalEvent event = waiter.event();
        if (event == null) return false;
        // A run that has ended meanwhile does not swallow the signal.
        waiter.loop.post(event::happened, () -> {
            if (settle()) SystemSignals.raise(name);
        });
        return true;
    }

    // ---- for tests

    int waiters() {
        return waiters.size();
    }

    boolean isInstalled() {
        lock.lock();
        try {
            return before != null;
        } finally {
            lock.unlock();
        }
    }
}
