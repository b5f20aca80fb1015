package org.trueasync.internal.threads;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.ConcurrentLinkedQueue;
import java.util.concurrent.atomic.AtomicInteger;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.task.Drain;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.EndOfRun;

/**
 * The objects of a run that other threads use: its channels, its pools and the runtimes that it has started. When the
 * run has nothing more to do, its channels and pools end and those runtimes are shut down. The run waits for them, so
 * that none of its threads remains; it waits no longer than a shutdown may take. Threads that are late are named in a
 * report and left.
 */
final class ThreadsOfRun implements Drain.Part {
    /** The longest wait of {@link #stop} for runs to end: a run that is unwound has used up its shutdown time. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final Map<Loop, ThreadsOfRun> ALL = new ConcurrentHashMap<>();

    private final Loop owner;
    private final Set<ThreadPoolCore> pools = weakSet();
    private final Set<ThreadChannelCore> channels = weakSet();

    private final Set<ChildRuntime> children = ConcurrentHashMap.newKeySet();
    /** Runtimes whose runs have ended; their threads have only a few instructions left. */
    private final ConcurrentLinkedQueue<ChildRuntime> leaving = new ConcurrentLinkedQueue<>();

    private final AtomicInteger started = new AtomicInteger();
    private volatile boolean over;
    private boolean watched;

    private ThreadsOfRun(Loop owner) {
        this.owner = owner;
    }

    /** Its objects may be collected before the end. Loop thread. */
    private static <T> Set<T> weakSet() {
        return Collections.newSetFromMap(new WeakHashMap<>());
    }

    /** Returns the object of a run that has not ended. Loop thread. */
    static ThreadsOfRun of(Loop owner) {
        ThreadsOfRun ofRun = ALL.get(owner);
        if (ofRun == null) {
            ofRun = new ThreadsOfRun(owner);
            ALL.put(owner, ofRun);
            owner.atStop(ofRun::stop);
            owner.drain().add(ofRun);
        }
        ofRun.watch();
        return ofRun;
    }

    Loop owner() {
        return owner;
    }

    /**
     * Registers {@link #end} again if needed: clean-up actions may have run already, and may themselves start threads.
     */
    private void watch() {
        if (watched) return;
        watched = true;
        Cleanup.atEnd(this::end);
    }

    /** Adds a channel that ends with the run. Loop thread. */
    void add(ThreadChannelCore channel) {
        channels.add(channel);
    }

    /** Adds a pool that ends with the run. Loop thread. */
    void add(ThreadPoolCore pool) {
        pools.add(pool);
    }

    /** Adds a runtime that is about to start. Any thread. */
    void add(ChildRuntime child) {
        ChildRuntime first;
        while ((first = leaving.peek()) != null && first.hasEnded()) leaving.remove(first);
        children.add(child);
        if (over)
            throw new AsyncException("the run that " + child + " belongs to has ended", new EndOfRun(owner.reactor()));
    }

    /** Removes a runtime that could not be started. Any thread. */
    void remove(ChildRuntime child) {
        children.remove(child);
    }

    /** Called when a runtime's run has ended. On its thread. */
    void leaves(ChildRuntime child) {
        leaving.add(child);
        children.remove(child);
    }

    /** Returns a name for one more thread or pool. Any thread. */
    String newName(String what) {
        return owner.settings().name() + "-" + what + "-" + started.incrementAndGet();
    }

    @Override
    public boolean isUnderWay() {
        for (ChildRuntime child : children) if (child.isUnderWay()) return true;
        return false;
    }

    /** Has its runtimes drain with the owner. */
    @Override
    public void drain() {
        children.forEach(ChildRuntime::drain);
    }

    /** Ends channels, pools and runtimes when the program has ended. In a coroutine. */
    private void end() {
        watched = false;
        if (owner.isOver()) return; // this run does not wait for coroutines any more; stop() follows
        long limitNanos = owner.settings().shutdownTimeout().toNanos();
        try {
            for (ChildRuntime child : awaitEnd(endAll(), limitNanos)) {
                String text = child + " was told to end with its run, and did not within "
                        + owner.settings().shutdownTimeout().toMillis() + " ms; it is left";
                owner.settings().diagnostics().accept(text);
            }
        } catch (InterruptedException e) {
            // this run is unwound: stop() follows
        }
    }

    /** Waits for the ends of these runtimes; returns those that have not ended in time. */
    private static List<ChildRuntime> awaitEnd(List<ChildRuntime> children, long nanos) throws InterruptedException {
        long endNanos = System.nanoTime() + nanos;
        var late = new ArrayList<ChildRuntime>(0);
        for (ChildRuntime child : children)
            if (!child.awaitEnd(Math.max(0, endNanos - System.nanoTime()))) late.add(child);
        return late;
    }

    /**
     * Ends channels, pools and runtimes that are left when the run is over. On the loop thread, where no coroutine runs
     * any more.
     */
    private void stop() {
        over = true;
        ALL.remove(owner);
        List<ChildRuntime> all = endAll();
        all.addAll(leaving);
        try {
            awaitEnd(all, GRACE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    /**
     * Tells all to end. Pools first: a worker that dies because a channel has ended must not be replaced. Channels
     * last, so that most coroutines that wait for one are woken by their cancellation.
     */
    private List<ChildRuntime> endAll() {
        owner.lineage().startsToEnd();
        new ArrayList<>(pools).forEach(ThreadPoolCore::runEnds);
        var all = new ArrayList<>(children);
        var reason = new AsyncCancellation("runtime '" + owner.name() + "', which started this thread, ends");
        for (ChildRuntime child : all) child.shutdown(reason);
        new ArrayList<>(channels).forEach(ThreadChannelCore::runEnds);
        return all;
    }
}
