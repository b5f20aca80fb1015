package org.trueasync.cluster;

import org.jspecify.annotations.Nullable;

/**
 * The member that had the task is gone: it was killed, it hangs, its network is cut, or it left while the task ran. The
 * task may have run, in part or to its end; this is not known. A {@link RepeatableTask} that any member may run is sent
 * to another one instead.
 *
 * <p>Any thread.
 */
public class MemberLostException extends ClusterException {
    private static final long serialVersionUID = 1;
    private final transient @Nullable ClusterMember member;

    /**
     * An exception.
     *
     * @param member the one that is gone
     * @param message what has happened
     * @param cause what the engine says, or null
     */
    public MemberLostException(ClusterMember member, String message, @Nullable Throwable cause) {
        super(message, cause);
        this.member = member;
    }

    /** Returns the member that is gone; null if this exception was serialised. */
    public @Nullable ClusterMember member() {
        return member;
    }
}
