package org.trueasync.internal.kernel;

import org.trueasync.internal.foreign.LoopSockets;

/** What the loop that the calling thread belongs to does for the JDK's sockets. */
public final class PolledSockets {
    private final LoopSockets sockets = Runtimes.here("PolledSockets").sockets;

    /** How many descriptors it polls itself. In a coroutine. */
    public int count() {
        return sockets.waiting();
    }

    /** How many threads were woken for no reason, as the loop seemed to be under them. */
    public int rescues() {
        return sockets.rescues();
    }
}
