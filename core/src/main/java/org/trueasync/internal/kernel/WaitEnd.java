package org.trueasync.internal.kernel;

/** Something that ends with a coroutine's wait, however that wait ends. See {@link WaitState#endsWithWait}. */
public interface WaitEnd {
    /** Called when the wait is over. Does not throw. */
    void end();
}
