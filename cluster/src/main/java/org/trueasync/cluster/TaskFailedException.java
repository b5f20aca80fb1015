package org.trueasync.cluster;

import org.jspecify.annotations.Nullable;
import org.trueasync.RemoteException;

/**
 * What a task has thrown on the member that ran it. The original is the cause, with its stack there. If it can't be
 * serialised, or the caller lacks or does not allow its class, the cause is a stand-in with its text and its stack.
 *
 * <p>Any thread.
 */
public class TaskFailedException extends RemoteException {
    private static final long serialVersionUID = 1;
    private final @Nullable String original;

    /**
     * An exception around the original.
     *
     * @param where which task, and on which member
     * @param original what it has thrown
     */
    public TaskFailedException(String where, Throwable original) {
        super(where, original);
        this.original = null;
    }

    /**
     * An exception around a stand-in.
     *
     * @param where which task, and on which member
     * @param className of the original
     * @param standIn has its text and its stack
     */
    public TaskFailedException(String where, String className, Throwable standIn) {
        super(where, standIn);
        this.original = className;
    }

    @Override
    public String remoteClassName() {
        return original == null ? super.remoteClassName() : original;
    }
}
