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
import org.trueasync.spi.Cleanup;

/**
 * What a run has that others threads know: its channels, its pools and the runtimes that it has started. When it has nothing left to do itself, they end and those
 * runtimes are shut down; it waits for that, so that no thread of it is left. That takes as long as a shutdown may take; who has not ended by then is named and left.
 */
final class ThreadsOfRun {
    /** What other threads use too, and what ends with the run. */
    interface Shared {
        /** Any thread; again does nothing. */
        void runEnds();
    }

    /** A run that was itself given up has used its time up. */
    private static final Duration GRACE = Duration.ofSeconds(1);

    private static final Map<Loop, ThreadsOfRun> ALL = new ConcurrentHashMap<>();

    private final Loop owner;
    /** Weak: a channel that the program has forgotten goes before the end. Loop thread. */
    private final Set<Shared> shared = Collections.newSetFromMap(new WeakHashMap<>());

    private final Set<ChildRuntime> children = ConcurrentHashMap.newKeySet();
    /** Their runs have ended; what their threads still have to do is a few instructions. */
    private final ConcurrentLinkedQueue<ChildRuntime> leaving = new ConcurrentLinkedQueue<>();

    private final AtomicInteger started = new AtomicInteger();
    private volatile boolean over;
    private boolean watched;

    private ThreadsOfRun(Loop owner) {
        this.owner = owner;
    }

    /** Those of a run that has not ended. Loop thread. */
    static ThreadsOfRun of(Loop owner) {
        ThreadsOfRun ofRun = ALL.get(owner);
        if (ofRun == null) {
            ofRun = new ThreadsOfRun(owner);
            ALL.put(owner, ofRun);
            owner.atStop(ofRun::stop);
        }
        ofRun.watch();
        return ofRun;
    }

    Loop owner() {
        return owner;
    }

    /** Actions for the end may have run already, and bring new threads themselves. */
    private void watch() {
        if (watched) return;
        watched = true;
        Cleanup.atEnd(this::end);
    }

    /** Loop thread. */
    void add(Shared one) {
        shared.add(one);
    }

    /** Any thread. */
    void add(ChildRuntime child) {
        ChildRuntime first;
        while ((first = leaving.peek()) != null && first.hasEnded()) leaving.remove(first);
        children.add(child);
        if (over) throw new AsyncException("the run that " + child + " belongs to has ended");
    }

    /** It has not begun after all. Any thread. */
    void remove(ChildRuntime child) {
        children.remove(child);
    }

    /** Its run has ended. On its thread. */
    void leaves(ChildRuntime child) {
        leaving.add(child);
        children.remove(child);
    }

    /** A name for one more thread. Any thread. */
    String newName(String what) {
        return owner.settings().name() + "-" + what + "-" + started.incrementAndGet();
    }

    /** The program has ended. In a coroutine. */
    private void end() {
        watched = false;
        long limit = owner.settings().shutdownTimeout().toNanos();
        try {
            for (ChildRuntime child : awaitEnd(tell(), limit)) {
                String text = child + " was told to end with its run, and did not within "
                        + owner.settings().shutdownTimeout().toMillis() + " ms; it is left";
                owner.settings().diagnostics().accept(text);
            }
        } catch (InterruptedException e) {
            // this run is given up: stop() follows
        }
    }

    /** Waits for each; returns those that have not ended in time. */
    private static List<ChildRuntime> awaitEnd(List<ChildRuntime> told, long nanos) throws InterruptedException {
        long end = System.nanoTime() + nanos;
        var late = new ArrayList<ChildRuntime>(0);
        for (ChildRuntime child : told) if (!child.awaitEnd(Math.max(0, end - System.nanoTime()))) late.add(child);
        return late;
    }

    /** The run is over, whatever it has left. On the loop thread, where nobody runs any more. */
    private void stop() {
        over = true;
        ALL.remove(owner);
        List<ChildRuntime> all = tell();
        all.addAll(leaving);
        try {
            awaitEnd(all, GRACE.toNanos());
        } catch (InterruptedException e) {
            Thread.currentThread().interrupt();
        }
    }

    private List<ChildRuntime> tell() {
        new ArrayList<>(shared).forEach(Shared::runEnds);
        var all = new ArrayList<>(children);
        var reason =
                new AsyncCancellation("runtime '" + owner.settings().name() + "', which started this thread, ends");
        for (ChildRuntime child : all) child.shutdown(reason);
        return all;
    }
}
