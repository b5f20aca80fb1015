package org.trueasync.internal.run;

import org.trueasync.internal.jdk.OwnStack;
import org.trueasync.internal.kernel.Runtimes;

/**
 * Lets several runtimes run on one thread, in turns: the loop of each gives the thread away while it waits. For
 * simulations, whose reactors wait for no system. Each object is for one run. All calls on the same platform thread,
 * which has no runtime of its own meanwhile.
 */
public final class SharedThread {
    private final OwnStack stack;
    private final Runtimes.Share share = new Runtimes.Share();

    /**
     * Creates the turn of a run that has not begun.
     *
     * @param run runs a runtime, on the thread that calls it; throws nothing
     */
    public SharedThread(Runnable run) {
        stack = new OwnStack(run);
    }

    /**
     * Begins the run, or goes on with it, until its reactor calls {@link #leave} or the run has ended.
     *
     * @return false if it has ended
     */
    public boolean resume() {
        share.enter();
        try {
            return stack.resume();
        } finally {
            share.leave();
        }
    }

    /**
     * Gives the thread away; returns with the next {@link #resume}. In {@link org.trueasync.spi.Reactor#execute},
     * outside of listeners.
     */
    public static void leave() {
        OwnStack.leave();
    }
}
