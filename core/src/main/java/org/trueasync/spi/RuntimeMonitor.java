package org.trueasync.spi;

import java.util.Objects;
import org.trueasync.RuntimeStats;
import org.trueasync.internal.kernel.LoopProbe;
import org.trueasync.internal.run.Monitors;

/**
 * A runtime as monitoring sees it: its loop does nothing for that, and a reader never waits.
 *
 * <p>Any thread.
 */
public final class RuntimeMonitor {
    private final LoopProbe probe;

    private RuntimeMonitor(LoopProbe probe) {
        this.probe = probe;
    }

    /**
     * Tells an observer of all runtimes of this process: in this call of those that run, and later of each one when it
     * begins. The runtimes of cores are told; those of {@link org.trueasync.Async#spawnThread} and of a
     * {@link org.trueasync.ThreadPool} are not, as there may be any number of them.
     *
     * @param observer what to tell
     * @return the registration. Closing it ends it, and calls what the observer returned for each runtime that still
     *     runs
     */
    public static Cleanup.Registration watchAll(Observer observer) {
        Objects.requireNonNull(observer, "observer");
        return Monitors.add(probe -> Objects.requireNonNull(
                observer.began(new RuntimeMonitor(probe)), "the observer must return what to call at the end"))::run;
    }

    /** Returns the runtime's name. Of several with the same one, the second one's has {@code -2} at its end. */
    public String name() {
        return probe.name();
    }

    /**
     * Returns its counts, read while the loop goes on: they need not quite agree with each other. Returns at once, also
     * while the loop is held. After the end of the run the counts mean nothing.
     */
    public RuntimeStats stats() {
        return probe.stats();
    }

    /** Is told of runtimes. */
    @FunctionalInterface
    public interface Observer {
        /**
         * Called when a runtime begins, on its thread, or by the thread that calls {@link #watchAll}. Must not wait; an
         * error that it throws is reported, and the run goes on.
         *
         * @param runtime the one that begins, or runs already
         * @return called once: at the end of the run, or when the registration is closed
         */
        Runnable began(RuntimeMonitor runtime);
    }
}
