package org.trueasync.internal.kernel;

/** What ends with a coroutine's wait, whatever ends that. See {@link EmbeddedWaker#endsWithWait}. */
public interface WaitEnd {
    /** The wait is over. Does not throw. */
    void end();
}
