package org.trueasync.internal.unobserved;

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
 * <p>An outcome is often there before anyone asks for it, and that is no mistake. So watching one must cost next to nothing: a link in a list and a
 * phantom reference, without a lock and without an entry in a table. The reference queue is not polled all the time. Instead there is one unreachable
 * dummy object; when the garbage collector finds it, a collection has happened, and the queue is polled.
 */
public final class UnobservedOutcomes {
    private final ReferenceQueue<Object> gone = new ReferenceQueue<>();
    private final Consumer<Runnable> toService;
    private final Consumer<Runnable> postToService;
    private final Consumer<String> sink;
    private @Nullable UnobservedOutcome first;
    private boolean awaitsCollector;

    /**
     * Creates one without outcomes.
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
    public UnobservedOutcome watch(Object holder, UnobservedWarning warning) {
        var neglect = new UnobservedOutcome(this, holder, gone, warning);
        warning.held();
        neglect.next = first;
        if (first != null) first.previous = neglect;
        first = neglect;
        if (!awaitsCollector) awaitCollector();
        return neglect;
    }

    void leave(UnobservedOutcome neglect) {
        if (neglect.previous != null) neglect.previous.next = neglect.next;
        else if (first == neglect) first = neglect.next;
        if (neglect.next != null) neglect.next.previous = neglect.previous;
        neglect.previous = null;
        neglect.next = null;
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
            var neglect = (UnobservedOutcome) reference;
            leave(neglect);
            if (neglect.warning().heldByNobody()) due.add(neglect.warning());
        }
        if (first != null) awaitCollector();
        say(due);
    }

    /**
     * Has all warnings that are due written, at the end of the run, when no outcome can be taken any more.
     *
     * @return false if there are none
     */
    public boolean reportAll() {
        var due = new ArrayList<UnobservedWarning>();
        for (UnobservedOutcome neglect = first; neglect != null; neglect = neglect.next) {
            neglect.clear();
            if (neglect.warning().isDue()) due.add(neglect.warning());
        }
        first = null;
        if (due.isEmpty()) return false;
        toService.accept(() -> say(due.reversed()));
        return true;
    }

    /** Writes the warnings; those with the same text once, with their number. */
    private void say(List<UnobservedWarning> due) {
        var times = new LinkedHashMap<String, Integer>();
        for (UnobservedWarning warning : due) times.merge(warning.text(), 1, Integer::sum);
        for (Map.Entry<String, Integer> one : times.entrySet()) {
            String text = one.getValue() == 1 ? one.getKey() : one.getValue() + " times: " + one.getKey();
            toService.accept(() -> sink.accept(text));
        }
    }
}
