package org.trueasync.internal.cores;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.HashMap;
import java.util.Map;
import java.util.Queue;
import java.util.WeakHashMap;
import java.util.concurrent.Callable;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.ScopeExtras;
import org.trueasync.internal.kernel.StallAction;
import org.trueasync.internal.scope.ScopeWaiting;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ProcessorPin;
import org.trueasync.spi.TimerEvent;

/**
 * One core of several: a loop, and the scope in which the body and the calls of other cores run on it. Loop thread, where nothing else is said.
 *
 * <pre>
 *  busy    -> stalled  a coroutine waits there, and nothing but a message could wake it
 *  busy    -> done     nobody is left in the scope
 *  stalled,
 *  done    -> busy     a message has come
 *  done    -> over     all are done, and no message is on its way
 *  stalled -> busy     nothing can happen any more, and not all are done: the loop finds a deadlock
 * </pre>
 *
 * A stalled loop has to be kept waiting, as it might be woken: it gets an active event for that. It keeps it for a while when it is woken, so that a loop that waits for answers all
 * the time does not look for a deadlock each time.
 */
public final class CoreMember {
    /** How long a loop that was stalled is not asked again. */
    private static final Duration NOT_ASKED_AGAIN = Duration.ofMillis(50);

    private final CoresRun<?> run;
    final int index;
    final Loop loop;
    private final Quiescence.Member quiescence;
    final CoroutineScope scope;
    private final FutureCore<Object> go;
    private final Map<Object, Object> values = new WeakHashMap<>();
    /** How often, by key. */
    private final Map<Object, Integer> asked = new HashMap<>(0);

    private @Nullable FutureCore<Object> turn;
    private boolean over;
    private boolean keptWaiting;
    private boolean stuck;
    private boolean unreported;
    private boolean closed;
    /** A deadlock's resolution has told all coroutines of the loop to end. */
    private volatile boolean told;
    /** What has come since its deadlock was noted, until that is reported. */
    private final Queue<Message> held = new ArrayDeque<>(0);

    private @Nullable TimerEvent askAgain;

    private final StallAction stall = new StallAction() {
        @Override
        protected void stalled() {
            waitsForOthers();
        }
    };

    CoreMember(CoresRun<?> run, int index, Loop loop, Quiescence.Member quiescence) {
        this.run = run;
        this.index = index;
        this.loop = loop;
        this.quiescence = quiescence;
        scope = CoroutineScope.independent(loop);
        scope.extras().name = "core " + index;
        scope.extras().errorHandler = ScopeExtras.ErrorHandler.passing(error -> run.failed(index, error));
        go = signal(loop);
    }

    /** What others complete, to wake whoever waits here. */
    static FutureCore<Object> signal(Loop loop) {
        var signal = new FutureCore<Object>(loop);
        signal.feedFromOutside();
        signal.ignore();
        return signal;
    }

    /** Runs the body and what others ask for, until all cores are done. In a coroutine outside of the scope. */
    void serve() {
        if (run.isPinned()) {
            try (ProcessorPin _ = loop.reactor().pin(index)) {
                serveHere();
            }
        } else {
            serveHere();
        }
    }

    private void serveHere() {
        CoresRun.HERE.set(loop, this);
        run.isUp(this);
        try {
            Awaiting.until(go);
            loop.stallActions().addLast(stall);
            if (!run.isEnding()) scope.launch("core " + index, () -> run.body(index));
            while (!over && !run.isEnding()) {
                ScopeWaiting.completion(scope, null);
                wasReported();
                if (!run.isEnding()) rest();
            }
        } catch (AsyncCancellation e) {
            wasReported();
            run.end(e);
            throw e;
        } catch (Throwable e) {
            run.failed(index, e);
        } finally {
            close();
        }
    }

    /** Nothing is left to do: waits for a message, or for the others. */
    private void rest() {
        FutureCore<Object> next = signal(loop);
        turn = next;
        if (quiescence.rest(true)) run.nothingHappensAnyMore();
        try {
            Awaiting.until(next);
        } finally {
            turn = null;
        }
    }

    private void close() {
        // The run of a thread waits for all coroutines itself, and knows which of them never return; they may still
        // call others.
        if (index > 0 && loop.isShuttingDown()) return;
        try {
            cancelOnce(run.reason());
            ScopeWaiting.end(scope);
        } finally {
            scope.cancel(run.reason(), false);
            loop.stallActions().remove(stall);
            if (askAgain != null) askAgain.dispose();
            letGo();
            CoresRun.HERE.set(loop, null);
            hasEnded();
        }
    }

    /** Nothing will ever be done here, apart from refusing what still comes. On its loop, or when that has ended. */
    void hasEnded() {
        closed = true;
        wasReported();
        if (quiescence.rest(true)) run.nothingHappensAnyMore();
    }

    private void letGo() {
        if (!keptWaiting) return;
        keptWaiting = false;
        loop.activeEvents().decrement();
    }

    // ---- told by others, on this loop

    /** All cores are there. */
    void begin() {
        go.tryComplete(null);
    }

    /** All are done. */
    void isOver() {
        over = true;
        takeTurn();
    }

    /** Its part of the program is to end. */
    void end(AsyncCancellation reason) {
        wakes();
        go.tryComplete(null);
        loop.inService(() -> {
            cancelOnce(reason);
            takeTurn();
        });
    }

    /** A thread of ours is shut down, and that tells all coroutines on it; the clean-up of a coroutine that was told twice would be interrupted. */
    private void cancelOnce(AsyncCancellation reason) {
        if (index == 0 && !told && !loop.isShuttingDown()) scope.cancel(reason, false);
    }

    private void takeTurn() {
        FutureCore<Object> waiting = turn;
        if (waiting != null) waiting.tryComplete(null);
    }

    // ---- messages

    /** Before one goes out. */
    void sends() {
        wakes();
        quiescence.sends();
    }

    /** One has come for this core. Any thread. */
    void post(Runnable handling, Runnable orphaned) {
        post(new Message(handling, orphaned));
    }

    private void post(Message message) {
        loop.post(() -> comes(message), message.orphaned);
    }

    private record Message(Runnable handling, Runnable orphaned) {}

    /** What another core's clean-up does must not wake anybody here whose wait is part of a deadlock that is still to be told. */
    private void comes(Message message) {
        if (unreported) held.add(message);
        else handle(message);
    }

    private void handle(Message message) {
        wakes();
        quiescence.receives();
        try {
            message.handling.run();
        } finally {
            // Nobody else says that this core is at rest again.
            if (closed) hasEnded();
        }
    }

    /** True if nothing new begins here. On its loop, or when that has ended. */
    boolean refuses() {
        return closed || told || scope.isCancelled() || loop.isShuttingDown();
    }

    /** True if all coroutines here have been told to end, so that nobody has to tell them again. Any thread. */
    boolean wasTold() {
        return told || scope.isCancelled();
    }

    private void wakes() {
        if (!quiescence.isResting()) return;
        quiescence.goOn();
        takeTurn();
        if (keptWaiting) askAgainSoon();
    }

    // ---- deadlocks

    /** No coroutine here can go on by itself. In a service coroutine. */
    private void waitsForOthers() {
        if (stuck) return;
        keptWaiting = true;
        loop.activeEvents().increment();
        if (quiescence.rest(false)) run.nothingHappensAnyMore();
    }

    private void askAgainSoon() {
        if (askAgain != null) return;
        TimerEvent timer = loop.timers().oneShot(NOT_ASKED_AGAIN);
        timer.setHidden(true);
        timer.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                if (error != null) return;
                askAgain = null;
                letGo();
                if (!stuck) loop.stallActions().addLast(stall);
            }
        });
        timer.start();
        askAgain = timer;
    }

    /** No message will ever come: who waits here waits for ever. */
    void isStuck() {
        if (!unreported && quiescence.isResting() && !quiescence.isDone()) {
            stuck = true;
            unreported = true;
            run.hasDeadlock();
        }
        run.deadlockNoted();
    }

    /** All know: the loop may find its deadlock. */
    void findDeadlock() {
        if (!stuck) return;
        quiescence.goOn();
        letGo();
    }

    /** The loop has told all that wait here, and so this one. What they do at their end may wait for other cores again. */
    private void wasReported() {
        if (!unreported) return;
        unreported = false;
        stuck = false;
        told = true;
        if (!closed) loop.stallActions().addLast(stall);
        run.deadlockReported();
        // Where the loop has ended, that answers in its place.
        for (Message next = held.poll(); next != null; next = held.poll()) post(next);
    }

    // ---- values

    /** The core's own value of something that each has one of. */
    @SuppressWarnings("unchecked")
    public <V> V value(Object key, Supplier<? extends V> initial) {
        Object known = values.get(key);
        if (known == null) {
            V made = initial.get();
            // Making it may have waited, and somebody else may have been faster.
            known = values.putIfAbsent(key, made);
            if (known == null) known = made;
        }
        return (V) known;
    }

    /**
     * A value that is the same on all cores: the first one that asks makes it, the others wait for that. Each core's n-th question with a key has the same answer as the others' n-th.
     *
     * @param key what is asked for
     * @param first makes it
     */
    public <V> V agreed(Object key, Callable<V> first) {
        int nth = asked.merge(key, 1, Integer::sum);
        return run.agreed(new Question(key, nth), first);
    }

    /** See {@link #agreed}. */
    record Question(Object key, int nth) {}

    /** Which one it is, from 0. */
    public int index() {
        return index;
    }

    /** All of them. */
    public CoresRun<?> run() {
        return run;
    }
}
