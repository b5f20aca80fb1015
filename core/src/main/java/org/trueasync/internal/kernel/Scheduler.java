package org.trueasync.internal.kernel;

import org.jspecify.annotations.Nullable;
import org.trueasync.internal.recorder.TurnRing;
import org.trueasync.spi.Microtask;

/**
 * Chooses what runs next. The tick runs in the context of the coroutine that suspends or has ended; if it finds
 * nothing, the loop's frame chooses, see {@link EventLoop}.
 */
final class Scheduler {
    private static final int MICROTASKS_PER_TICK = 10_000;

    private final Loop loop;
    private final Agenda agenda;
    /** The user's microtask, queued whenever a coroutine suspends or ends. */
    private final @Nullable Microtask heartbeat;

    /** A tick has found that a poll is due. */
    private boolean pollDue;

    Scheduler(Loop loop, Agenda agenda) {
        this.loop = loop;
        this.agenda = agenda;
        Runnable beat = loop.settings.heartbeat();
        this.heartbeat = beat == null ? null : Microtask.of(beat);
    }

    /** Chooses what runs in place of a coroutine that suspends; false if that is the coroutine itself. */
    boolean chooseInPlaceOf(CoroutineImpl<?> self) {
        Object chosen = tick();
        if (chosen == self) return false;
        handOver(chosen);
        return true;
    }

    /**
     * Runs the tick after a coroutine has ended on this context. Returns the new coroutine that begins on the same
     * context, or null. In the context.
     */
    @Nullable
    CoroutineImpl<?> chooseAfterEndOn(ExecutionContext context) {
        loop.current = null;
        context.coroutine = null;
        Object chosen = tick();
        if (chosen instanceof CoroutineImpl<?> coroutine && coroutine.context == null && !context.dedicated) {
            coroutine.context = context;
            loop.current = coroutine;
            loop.counters.contextReuses++;
            if (loop.ring != null) loop.ring.turnAfterEnd(coroutine.id());
            return coroutine;
        }
        if (loop.ring != null) loop.ring.put(TurnRing.END, TurnRing.COMPLETED, 0);
        handOver(chosen);
        return null;
    }

    /** Has the loop's frame mount what the tick has chosen. */
    private void handOver(@Nullable Object chosen) {
        agenda.setNext(chosen);
        if (chosen == null) loop.counters.schedulerSwitches++;
        else loop.counters.directSwitches++;
    }

    /**
     * One tick, in the context of the coroutine that gives control away. Null if the loop's frame must look: nothing is
     * ready, a poll is due, or the service has work.
     */
    private @Nullable Object tick() {
        loop.servedCalls.restart();
        if (heartbeat != null) agenda.microtasks.add(heartbeat);
        takeArrivals();
        if (agenda.microtasks.canDrain()) runMicrotasks();
        Object chosen = agenda.takeNext();
        if (chosen != null) return chosen;
        if (loop.clock.isDue()) {
            pollDue = true;
            return null;
        }
        return agenda.hasJobs() ? null : pollRunQueue();
    }

    /** True if a tick has left a poll to the loop's frame; forgets that. */
    boolean takePollDue() {
        boolean due = pollDue;
        pollDue = false;
        return due;
    }

    void runMicrotasks() {
        try {
            agenda.microtasks.drain(MICROTASKS_PER_TICK);
        } catch (Throwable e) {
            loop.errors.unhandled(e);
        }
    }

    /** Takes in what other threads have brought. */
    void takeArrivals() {
        if (!loop.remoteQueue.isEmpty()) loop.remoteQueue.drain();
    }

    @Nullable
    Object pollRunQueue() {
        Object entry;
        while ((entry = agenda.queue.poll()) != null) {
            if (!(entry instanceof CoroutineImpl<?> coroutine)) return entry;
            if (coroutine.isCancelledUnstarted() && coroutine.context == null) coroutine.finaliseUnstarted();
            else if (coroutine.isQueued()) return coroutine;
        }
        return null;
    }

    void enqueue(CoroutineImpl<?> coroutine) {
        if (coroutine.isHighPriority()) agenda.queue.addFirst(coroutine);
        else agenda.queue.addLast(coroutine);
    }
}
