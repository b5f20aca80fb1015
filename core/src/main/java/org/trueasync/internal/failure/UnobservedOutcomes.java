package org.trueasync.internal.failure;

import java.lang.ref.PhantomReference;
import java.lang.ref.Reference;
import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;

/**
 * The outcomes of one runtime that nobody has taken so far. Loop thread only.
 *
 * <p>An outcome is often there before anyone asks for it, and that is no mistake. So watching one must cost next to
 * nothing: a link in a list and a phantom reference, without a lock and without an entry in a table. The reference
 * queue is not polled all the time. Instead there is one unreachable dummy object; when the garbage collector finds it,
 * a collection has happened, and the queue is polled.
 */
public final class UnobservedOutcomes {
    /**
     * The watch over one holder of an outcome, a future for instance. It lasts until somebody takes the outcome or the
     * holder is unreachable. Loop thread only.
     */
    public final class Watch extends PhantomReference<Object> {
        private final UnobservedWarning warning;
        private @Nullable Watch previous;
        private @Nullable Watch next;

        private Watch(Object holder, UnobservedWarning warning) {
            super(holder, gone);
            this.warning = warning;
        }

        public UnobservedWarning warning() {
            return warning;
        }

        /** Ends the watch, because the outcome has been taken: the warning is not written. */
        public void settle() {
            warning.settle();
            leave(this);
            clear();
        }
    }

    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
    private final Consumer<Runnable> toService;
    private final Consumer<Runnable> postToService;
    private final Consumer<String> sink;
    private @Nullable Watch first;
    private boolean awaitsCollector;

    /**
     * Creates an empty list of outcomes.
     *
     * @param toService runs an action in a service coroutine, where it may meet a lock; called on the loop thread
     * @param postToService runs an action in a service coroutine; called on any thread
     * @param sink receives the warnings; called in a service coroutine
     */
    public UnobservedOutcomes(Consumer<Runnable> toService, Consumer<Runnable> postToService, Consumer<String> sink) {
        this.toService = toService;
        this.postToService = postToService;
        this.sink = sink;
    }

    /**
     * Watches a holder of an outcome.
     *
     * @param holder becomes unreachable when nobody can ask for the outcome any more
     * @param warning the text to write then; must not refer to the holder
     * @return the watch, to be ended when the outcome is taken
     */
    public Watch watch(Object holder, UnobservedWarning warning) {
        var outcome = new Watch(holder, warning);
        warning.held();
        outcome.next = first;
        if (first != null) first.previous = outcome;
        first = outcome;
        if (!awaitsCollector) awaitCollector();
        return outcome;
    }

    private void leave(Watch outcome) {
        if (outcome.previous != null) outcome.previous.next = outcome.next;
        else if (first == outcome) first = outcome.next;
        if (outcome.next != null) outcome.next.previous = outcome.previous;
        outcome.previous = null;
        outcome.next = null;
    }

    private void awaitCollector() {
        awaitsCollector = true;
        Handles.whenUnreachable(new Object(), () -> postToService.accept(this::collected));
    }

    private void collected() {
        awaitsCollector = false;
        var due = new ArrayList<UnobservedWarning>();
        Reference<?> reference;
        while ((reference = gone.poll()) != null) {
            var outcome = (Watch) reference;
            leave(outcome);
            if (outcome.warning.heldByNobody()) due.add(outcome.warning);
        }
        if (first != null) awaitCollector();
        write(due);
    }

    /**
     * Has all warnings that are due written, at the end of the run, when no outcome can be taken any more.
     *
     * @return false if there are none
     */
    public boolean reportAll() {
        var due = new ArrayList<UnobservedWarning>();
        for (Watch outcome = first; outcome != null; outcome = outcome.next) {
            outcome.clear();
            if (outcome.warning.isDue()) due.add(outcome.warning);
        }
        first = null;
        if (due.isEmpty()) return false;
        toService.accept(() -> write(due.reversed()));
        return true;
    }

    /** Writes the warnings. Warnings with the same text are written once, with their number. */
    private void write(List<UnobservedWarning> due) {
        var times = new LinkedHashMap<String, Integer>();
        for (UnobservedWarning warning : due) times.merge(warning.text(), 1, Integer::sum);
        for (Map.Entry<String, Integer> entry : times.entrySet()) {
            int count = entry.getValue();
            String text = count == 1 ? entry.getKey() : count + " times: " + entry.getKey();
            toService.accept(() -> sink.accept(text));
        }
    }
}
