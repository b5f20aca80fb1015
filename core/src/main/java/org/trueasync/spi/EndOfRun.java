package org.trueasync.spi;

import java.util.Objects;
import org.trueasync.AsyncCancellation;

/**
 * Says that the end of a run has ended what a call needed: the cause of the call's exception. In that run, and in the
 * threads that it has started, an exception with this cause is no failure. A coroutine that it leaves counts as
 * cancelled, and nothing is reported. Elsewhere it is an exception as any other.
 *
 * <p>An object that ends with its run gives this cause to the exceptions that it throws from then on. Any thread.
 */
public final class EndOfRun extends AsyncCancellation {
    private static final long serialVersionUID = 1;

    private final transient Reactor run;

    /**
     * Creates the cause for one exception.
     *
     * @param run the reactor of the run that ends, see {@link SchedulerProvider#reactor}
     */
    public EndOfRun(Reactor run) {
        super("its run ends, or has ended");
        this.run = Objects.requireNonNull(run, "run");
    }

    /**
     * True if this is about the run of that reactor.
     *
     * @param reactor of a run
     */
    public boolean isOf(Reactor reactor) {
        return run == reactor;
    }
}
