package org.trueasync.testkit.simulation;

import java.util.List;

/** Thrown if a simulation fails under a seed. The cause is the error. */
public final class SimulationFailure extends AssertionError {
    private static final long serialVersionUID = 1;

    private final long seed;
    private final transient List<String> story;

    SimulationFailure(long seed, String message, Throwable cause, List<String> story) {
        super(message, cause);
        this.seed = seed;
        this.story = story;
    }

    /** The seed, for {@link Simulation#replay}. */
    public long seed() {
        return seed;
    }

    /** What happened in the shortest failing run that was found: time, host, event, and the program's line of code. */
    public List<String> story() {
        return story == null ? List.of() : story;
    }
}
