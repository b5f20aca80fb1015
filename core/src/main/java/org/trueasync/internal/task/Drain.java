package org.trueasync.internal.task;

import java.lang.ref.WeakReference;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.CopyOnWriteArrayList;
import java.util.function.BooleanSupplier;
import java.util.function.Consumer;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.internal.error.ProgramTrace;

/**
 * What is under way in a run, and what happens when its drain begins. Under way are the tasks of executors that have
 * been accepted, drain hooks that run, and drains of runtimes on other threads. The kernel decides when a drain begins
 * and ends.
 *
 * <p>Loop thread, where nothing else is said.
 */
public final class Drain {
    /** A drain hook; registered by its identity, as a program may register one body twice. */
    public static final class Hook {
        private final Body body;

        /**
         * A hook that is not registered.
         *
         * @param body may wait
         */
        public Hook(Body body) {
            this.body = Objects.requireNonNull(body, "hook");
        }
    }

    /** Something that takes part in each drain of a run: listening sockets, runtimes on other threads. */
    @FunctionalInterface
    public interface Part {
        /** Called when the drain begins, before its hooks begin. In a coroutine; does not wait. */
        void drain();

        /** True if a drain would have to wait for this part. Any thread; may be out of date. */
        default boolean isUnderWay() {
            return false;
        }
    }

    private final Consumer<Body> spawner;
    private final BooleanSupplier tasksWait;
    private final Runnable whenIdle;
    private final Consumer<String> diagnostics;
    private final Set<Hook> hooks = new LinkedHashSet<>(0);
    private final List<WeakReference<Part>> parts = new CopyOnWriteArrayList<>();
    private int underWay;
    private volatile boolean active;

    /**
     * The drain of a run that has not begun.
     *
     * @param spawner begins a coroutine that counts as under way
     * @param tasksWait whether tasks have been accepted whose coroutines do not exist yet
     * @param whenIdle called during a drain, when nothing is under way any more; may be called again
     * @param diagnostics gets reports, in a coroutine
     */
    public Drain(Consumer<Body> spawner, BooleanSupplier tasksWait, Runnable whenIdle, Consumer<String> diagnostics) {
        this.spawner = spawner;
        this.tasksWait = tasksWait;
        this.whenIdle = whenIdle;
        this.diagnostics = diagnostics;
    }

    // ---- what takes part

    /** Registers a hook for the begin of the drain. During the drain it begins at once. */
    public void add(Hook hook) {
        if (active) begin(hook);
        else hooks.add(hook);
    }

    /** Removes a hook. One that has begun runs on. */
    public void remove(Hook hook) {
        hooks.remove(hook);
    }

    /** Adds something that takes part from now on. It is held weakly. */
    public void add(Part part) {
        remove(part);
        parts.add(new WeakReference<>(part));
    }

    /** Removes something that takes part. */
    public void remove(Part part) {
        parts.removeIf(known -> known.refersTo(null) || known.refersTo(part));
    }

    // ---- what is under way

    /** Something has begun for which a drain waits. */
    public void entered() {
        underWay++;
    }

    /** Something has ended for which a drain waits. */
    public void left() {
        if (--underWay == 0 && active) whenIdle.run();
    }

    /** How much is under way. */
    public int underWay() {
        return underWay;
    }

    /** True if a drain has nothing to wait for any more. */
    public boolean isIdle() {
        return underWay == 0 && !tasksWait.getAsBoolean();
    }

    /** True if there is something that a drain is for. Any thread; on others than the loop's it may be out of date. */
    public boolean isNeeded() {
        if (!hooks.isEmpty() || !isIdle()) return true;
        for (WeakReference<Part> known : parts) {
            Part part = known.get();
            if (part != null && part.isUnderWay()) return true;
        }
        return false;
    }

    // ---- the drain itself

    /** True from the begin of the drain to its end. Any thread. */
    public boolean isActive() {
        return active;
    }

    /** Begins it. In a coroutine. */
    public void begin() {
        active = true;
        for (WeakReference<Part> known : parts) {
            Part part = known.get();
            if (part != null) part.drain();
        }
        List<Hook> all = List.copyOf(hooks);
        hooks.clear();
        all.forEach(this::begin);
    }

    private void begin(Hook hook) {
        spawner.accept(() -> run(hook));
    }

    private void run(Hook hook) throws Throwable {
        try {
            hook.body.run();
        } catch (Throwable e) {
            // The end of the drain cancels the hooks that still run, which is no failure of theirs.
            if (!active && e instanceof AsyncCancellation) throw e;
            diagnostics.accept("A drain hook has failed; the drain goes on: " + ProgramTrace.of(e));
        }
    }

    /** Ends it: nothing waits any more for what is under way. */
    public void end() {
        active = false;
    }
}
