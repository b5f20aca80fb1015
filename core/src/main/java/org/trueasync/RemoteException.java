package org.trueasync;

import org.trueasync.internal.error.Causes;

/**
 * What a task on another thread has failed with, for those who await it. The original, with the stack of its own thread, is the cause.
 *
 * <p>Any thread.
 */
public class RemoteException extends AsyncException {
    private static final long serialVersionUID = 1;
    private final String remoteClassName;

    /**
     * An exception around one of another thread.
     *
     * @param where which thread
     * @param original what failed there
     */
    public RemoteException(String where, Throwable original) {
        super(where + " failed with " + Causes.text(original), original);
        remoteClassName = original.getClass().getName();
    }

    /** The class of the original, {@code java.io.IOException} for instance. */
    public String remoteClassName() {
        return remoteClassName;
    }
}
