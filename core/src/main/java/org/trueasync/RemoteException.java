package org.trueasync;

import org.trueasync.internal.error.Causes;

/**
 * Thrown by a wait for a task that has failed on another thread. The original error, with the stack of its own thread,
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
     * @param where what has failed, a thread for instance; the message begins with it
     * @param original the error there
     */
    public RemoteException(String where, Throwable original) {
        super(where + " failed with " + Causes.text(original), original);
        remoteClassName = original.getClass().getName();
    }

    /** Returns the class name of the original error, {@code java.io.IOException} for instance. */
    public String remoteClassName() {
        return remoteClassName;
    }
}
