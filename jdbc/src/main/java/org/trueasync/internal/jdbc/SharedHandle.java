package org.trueasync.internal.jdbc;

import java.sql.SQLException;
import org.jspecify.annotations.Nullable;

/**
 * A handle for all coroutines at once: each call goes to the connection that the calling coroutine has, or takes for
 * the call. {@link HandleClass} adds the methods, as to {@link Handle}.
 */
abstract class SharedHandle {
    final Sessions sessions;

    SharedHandle(Sessions sessions) {
        this.sessions = sessions;
    }

    /** Returns the object to call: a handle of the coroutine's own connection. */
    abstract Object enter() throws SQLException;

    /** The same: the handle of the coroutine's own connection deals with a pending cancellation. */
    final Object enterShielded() throws SQLException {
        return enter();
    }

    final void leave() throws SQLException {
        sessions.ofCaller().giveBackIfDone();
    }

    final Throwable leave(Throwable thrown) {
        try {
            sessions.ofCaller().giveBackIfDone();
        } catch (Throwable e) {
            return Failures.joined(thrown, e);
        }
        return thrown;
    }

    final @Nullable Object wrap(@Nullable Object handle) {
        return handle;
    }

    final void notePrepared(String sql) {}

    final void noteSharding() {}

    final void noteStream() {}

    /**
     * See {@link java.sql.Wrapper#unwrap}. Once a driver's object is given out, the coroutine has the connection until
     * it closes it or ends.
     */
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) return type.cast(this);
        Object own = enter();
        T unwrapped;
        try {
            unwrapped = ((java.sql.Wrapper) own).unwrap(type);
        } catch (Throwable e) {
            throw Failures.sneaky(leave(e));
        }
        leave();
        return unwrapped;
    }

    /** See {@link java.sql.Wrapper#isWrapperFor}. */
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        if (type.isInstance(this)) return true;
        Object own = enter();
        boolean is;
        try {
            is = ((java.sql.Wrapper) own).isWrapperFor(type);
        } catch (Throwable e) {
            throw Failures.sneaky(leave(e));
        }
        leave();
        return is;
    }
}
