package org.trueasync.internal.io;

import org.trueasync.internal.kernel.Scheduler;

/** A writer's place in the line of writers. */
final class Turn extends IoRequest {
    private final StreamCore stream;

    Turn(StreamCore stream, Scheduler scheduler) {
        super(scheduler, "turn to write to " + stream.peer());
        this.stream = stream;
    }

    @Override
    protected void armSource() {
        stream.waits(this);
    }

    @Override
    protected void disarmSource() {
        stream.leaves(this);
    }
}
