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
import org.trueasync.Body;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.future.FutureCore;
import org.trueasync.internal.kernel.CoroutineScope;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.ScopeExtras;
import org.trueasync.internal.kernel.StallActions;
import org.trueasync.internal.scope.AwaitScope;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;
import org.trueasync.spi.ProcessorPin;
import org.trueasync.spi.TimerEvent;

/**
 * One core of several: a loop, with the scope in which the program's body and the calls of other cores run. Loop thread
 * only, unless a method says otherwise.
 *
 * <pre>
 *  busy    -> stalled  coroutines wait here, and nothing but a message could wake one
 *  busy    -> done     no coroutine is left in the scope
 *  stalled,
 *  done    -> busy     a message has come
 *  done    -> over     all cores are done, and no message is on its way
 *  stalled -> busy     no core can go on, no message is on its way, not all are done: a deadlock, which the loop finds
 * </pre>
 *
 * <p>A stalled loop must not find a deadlock, as a message might come. So it counts one more active event, and waits.
 * When a message has come, that event stays for another 50 ms: a loop that often waits for answers is spared the search
 * for a deadlock at each wait.
 */
public final class CoreMember {
    /** For how long a loop that was stalled and has been woken does not look for a stall again. */
    private static final Duration STALL_PAUSE = Duration.ofMillis(50);

    private final CoresRun<?> run;
    final int index;
    final Loop loop;
    private final Quiescence.Member quiescence;
    final CoroutineScope scope;
    private final FutureCore<Object> allStarted;
    private final Map<Object, Object> values = new WeakHashMap<>();
    /** How often {@link #agreed} was called here, by key. */
    private final Map<Object, Integer> agreementCounts = new HashMap<>(0);

    /** While no coroutine is left in the scope: the future that is completed to go on. Else null. */
    private @Nullable FutureCore<Object> restEnds;

    private boolean allDone;
    /** True while this core counts one more active event, so that the loop waits and finds no deadlock. */
    private boolean countsAsActive;
    /** True if the loop is to find a deadlock at its next stall. */
    private boolean deadlocked;
    /** True while this core's deadlock has been noted and not been reported. */
    private boolean unreported;

    private boolean closed;
    /** True once the loop has resolved a deadlock, and has cancelled all of its coroutines for that. */
    private volatile boolean deadlockResolved;
    /**
     * Messages that have come between the noting of this core's deadlock and its report. They are handled after the
     * report.
     */
    private final Queue<Message> held = new ArrayDeque<>(0);

    /** Runs for {@link #STALL_PAUSE}. */
    private @Nullable TimerEvent stallPause;

    private final StallActions.Action stall = new StallActions.Action() {
        @Override
        protected void stalled() {
            stalledHere();
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
        allStarted = signal(loop);
    }

    /**
     * A future that another core completes to wake a coroutine on this loop. Waiting for it is no deadlock, and its
     * outcome needs no observer.
     */
    static FutureCore<Object> signal(Loop loop) {
        var signal = new FutureCore<Object>(loop);
        signal.feedFromOutside();
        signal.ignore();
        return signal;
    }

    /**
     * Runs the body and the calls of other cores until all cores are done. In a coroutine that is not in
     * {@link #scope}.
     */
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
        loop.setCore(new Loop.Core(run, index));
        run.memberStarted(this);
        try {
            Awaiting.until(allStarted);
            loop.stallActions().addLast(stall);
            if (!run.isEnding())
                scope.spawn(CoroutineKind.LAUNCHED, "core " + index, Tasks.task((Body) () -> run.body(index)));
            while (!allDone && !run.isEnding()) {
                AwaitScope.completion(scope, null);
                deadlockReported();
                if (!run.isEnding()) rest();
            }
        } catch (AsyncCancellation e) {
            deadlockReported();
            run.end(e);
            throw e;
        } catch (Throwable e) {
            run.failed(index, e);
        } finally {
            close();
        }
    }

    /** No coroutine is left in the scope: waits for a message, or until all cores are done. */
    private void rest() {
        FutureCore<Object> next = signal(loop);
        restEnds = next;
        if (quiescence.rest(true)) run.allAtRest();
        try {
            Awaiting.until(next);
        } finally {
            restEnds = null;
        }
    }

    private void close() {
        // A core on a thread of its own is a run. In its shutdown that run itself waits for all coroutines, and gives
        // up those that never end. Until then they may still call other cores.
        if (index > 0 && loop.isShuttingDown()) return;
        try {
            cancelOnce(run.reason());
            AwaitScope.end(scope);
        } finally {
            scope.cancel(run.reason(), false);
            loop.stallActions().remove(stall);
            if (stallPause != null) stallPause.dispose();
            stopCountingAsActive();
            CoresRun.HERE.set(loop, null);
            loop.setCore(null);
            hasEnded();
        }
    }

    /** From now on this core refuses every message. On its loop, or after the loop's end. */
    void hasEnded() {
        closed = true;
        deadlockReported();
        if (quiescence.rest(true)) run.allAtRest();
    }

    private void stopCountingAsActive() {
        if (!countsAsActive) return;
        countsAsActive = false;
        loop.activeEvents().decrement();
    }

    // ---- called by other cores, on this loop

    /** Begins the body, as all cores have started. */
    void begin() {
        allStarted.tryComplete(null);
    }

    /** Ends this core's work, as all cores are done and no message is on its way. */
    void allAreDone() {
        allDone = true;
        endRest();
    }

    /** Ends the program's part on this core: cancels its coroutines. */
    void end(AsyncCancellation reason) {
        becomeBusy();
        allStarted.tryComplete(null);
        loop.inService(() -> {
            cancelOnce(reason);
            endRest();
        });
    }

    /**
     * Cancels the coroutines of core 0, unless they have been cancelled already. The other cores have threads of their
     * own; these are shut down, which cancels their coroutines. No coroutine may be cancelled twice: the second
     * cancellation would interrupt the clean-up after the first.
     */
    private void cancelOnce(AsyncCancellation reason) {
        if (index == 0 && !deadlockResolved && !loop.isShuttingDown()) scope.cancel(reason, false);
    }

    private void endRest() {
        FutureCore<Object> waiting = restEnds;
        if (waiting != null) waiting.tryComplete(null);
    }

    // ---- messages

    /** Called when a coroutine here is about to send a message to another core. */
    void sends() {
        becomeBusy();
        quiescence.sends();
    }

    /**
     * Sends a message to this core. Any thread.
     *
     * @param handling what the message does; run on this core's loop
     * @param orphaned run instead if the loop has ended
     */
    void post(Runnable handling, Runnable orphaned) {
        post(new Message(handling, orphaned));
    }

    /**
     * As {@link #post}, for a message of which there may be any number: slows the sender down, see {@link Loop#bring}.
     */
    void bring(Runnable handling, Runnable orphaned) {
        var message = new Message(handling, orphaned);
        loop.bring(() -> arrived(message), orphaned);
    }

    private void post(Message message) {
        loop.post(() -> arrived(message), message.orphaned);
    }

    private record Message(Runnable handling, Runnable orphaned) {}

    /**
     * A message has come. It may be from the clean-up on another core. So it must not wake a coroutine here whose wait
     * is part of a deadlock that is not reported yet.
     */
    private void arrived(Message message) {
        if (unreported) held.add(message);
        else handle(message);
    }

    private void handle(Message message) {
        becomeBusy();
        quiescence.receives();
        try {
            message.handling.run();
        } finally {
            // This core has ended, so no coroutine of it will say that it is at rest again.
            if (closed) hasEnded();
        }
    }

    /** True if no new call may begin here. On its loop, or after its end. */
    boolean refuses() {
        return closed || deadlockResolved || scope.isCancelled() || loop.isShuttingDown();
    }

    /** True if all coroutines here have been cancelled and need not be cancelled again. Any thread. */
    boolean wasCancelled() {
        return deadlockResolved || scope.isCancelled();
    }

    private void becomeBusy() {
        if (!quiescence.isResting()) return;
        quiescence.goOn();
        endRest();
        if (countsAsActive) lookForStallsLater();
    }

    // ---- deadlocks

    /** Called when the loop has stalled: no coroutine here can go on by itself. In a service coroutine. */
    private void stalledHere() {
        if (deadlocked) return;
        countsAsActive = true;
        loop.activeEvents().increment();
        if (quiescence.rest(false)) run.allAtRest();
    }

    private void lookForStallsLater() {
        if (stallPause != null) return;
        TimerEvent timer = loop.timers().oneShot(STALL_PAUSE);
        timer.setHidden(true);
        timer.addCallback(new EventCallback() {
            @Override
            protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                if (error != null) return;
                stallPause = null;
                stopCountingAsActive();
                if (!deadlocked) loop.stallActions().addLast(stall);
            }
        });
        timer.start();
        stallPause = timer;
    }

    /** Notes a deadlock if coroutines wait here, as no message will ever come. */
    void noteDeadlock() {
        if (!unreported && quiescence.isResting() && !quiescence.isDone()) {
            deadlocked = true;
            unreported = true;
            run.deadlockFound();
        }
        run.deadlockNoted();
    }

    /** Lets this loop find and report its deadlock, as all cores have noted theirs. */
    void findDeadlock() {
        if (!deadlocked) return;
        quiescence.goOn();
        stopCountingAsActive();
    }

    /**
     * The loop has reported its deadlock and cancelled all coroutines that waited here, this one too. Their clean-up
     * may wait for other cores, so stalls are looked for again.
     */
    private void deadlockReported() {
        if (!unreported) return;
        unreported = false;
        deadlocked = false;
        deadlockResolved = true;
        if (!closed) loop.stallActions().addLast(stall);
        run.deadlockReported();
        // By way of the loop: if that has ended, each message is orphaned and so answered.
        for (Message next = held.poll(); next != null; next = held.poll()) post(next);
    }

    // ---- values

    /**
     * The value that belongs to a key on this core. Each core has its own.
     *
     * @param key held weakly
     * @param initial makes the value when it is first asked for; may suspend
     */
    @SuppressWarnings("unchecked")
    public <V> V value(Object key, Supplier<? extends V> initial) {
        Object known = values.get(key);
        if (known == null) {
            V made = initial.get();
            // If that suspended, another coroutine may have stored its own value meanwhile. Then that one counts.
            known = values.putIfAbsent(key, made);
            if (known == null) known = made;
        }
        return (V) known;
    }

    /**
     * A value on which all cores agree. The first core that asks makes it, and the others wait for it. With the same
     * key, the first calls of all cores get one value, their second calls another one, and so on.
     *
     * @param key what the value is for
     * @param first makes the value; called on one core only
     */
    public <V> V agreed(Object key, Callable<V> first) {
        int nth = agreementCounts.merge(key, 1, Integer::sum);
        return run.agreed(new AgreementKey(key, nth), first);
    }

    /** See {@link #agreed}. */
    record AgreementKey(Object key, int nth) {}

    /** The number of this core, from 0. */
    public int index() {
        return index;
    }

    /** The run of all cores, to which this one belongs. */
    public CoresRun<?> run() {
        return run;
    }
}
