package org.trueasync;

import org.trueasync.internal.error.Causes;

/**
 * Thrown by a wait for a task on another thread that has failed. The original error, with the stack of its own thread,
 * is the cause.
 *
 * <p>Any thread.
 */
public class RemoteException extends AsyncException {
    private static final long serialVersionUID = 1;
    private final String remoteClassName;

    /**
     * Creates an exception around an error of another thread.
     *
     * @param where which thread
     * @param original the error there
     */
    public RemoteException(String where, Throwable original) {
        super(where + " failed with " + Causes.text(original), original);
        remoteClassName = original.getClass().getName();
    }

    /** Returns the class name of the original, {@code java.io.IOException} for instance. */
    public String remoteClassName() {
        return remoteClassName;
    }
}
