package org.trueasync.internal.process;

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
import org.trueasync.internal.run.SystemSignals;
import org.trueasync.internal.work.Workers;
import org.trueasync.io.Signal;

/**
 * What the process does with one signal. While there are waiters, each of them is told once; otherwise the process does
 * what it did before.
 *
 * <p>{@link #join} may block, as it talks to the JVM, and is called in coroutines. {@link #leave} is called anywhere,
 * in the loop's frame too, and takes no lock: a helper thread puts the JVM's behaviour back. A signal that comes in
 * between, and finds no waiter, is raised again for that behaviour. If the behaviour is the system's default action,
 * which can't be raised from here, the signal is dropped, as if the system had merged it with the signal before.
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
    /** The handler from before; null while that handler is in place. Guarded by the lock. */
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

    /**
     * Registers for the next delivery. In a coroutine.
     *
     * @throws IllegalArgumentException if the JVM keeps the signal for itself
     * @throws org.trueasync.AsyncException if the JVM has no module {@code jdk.unsupported}
     */
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

    /**
     * As {@link #leave}, but if this was the last waiter, the behaviour from before is back when this returns. In a
     * coroutine.
     */
    void leaveAndSettle(SignalWaiter waiter) {
        if (waiters.remove(waiter.number) != null) settle();
    }

    /** Removes a waiter. Any thread. */
    void leave(SignalWaiter waiter) {
        if (waiters.remove(waiter.number) != null && waiters.isEmpty()) Workers.PROCESSES.execute(this::settle);
    }

    private static void leaveAll(Loop loop) {
        KNOWN.remove(loop);
        for (Disposition each : ALL.values()) {
            for (SignalWaiter waiter : each.waiters.values()) if (waiter.loop == loop) each.leave(waiter);
        }
    }

    /** Puts the behaviour from before back if there is no waiter. True if that behaviour is in place now. */
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

    /** Called when the signal has come. On a thread of the JVM's. */
    private void delivered() {
        List<SignalWaiter> taken = takeAll();
        boolean restored = settle();
        boolean notifiedAny = false;
        for (SignalWaiter waiter : taken) notifiedAny |= notifyWaiter(waiter);
        if (!notifiedAny && restored) SystemSignals.raise(name);
    }

    /** Removes and returns the waiters that came before now. */
    private List<SignalWaiter> takeAll() {
        var taken = new ArrayList<SignalWaiter>();
        long last = arrivals.get();
        for (var entry : waiters.headMap(last, true).entrySet())
            if (waiters.remove(entry.getKey(), entry.getValue())) taken.add(entry.getValue());
        return taken;
    }

    /** Tells a waiter. False if its event has been collected. */
    private boolean notifyWaiter(SignalWaiter waiter) {
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
