package org.trueasync.internal.jdbc;

import java.io.InputStream;
import java.io.Reader;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * What a user has in place of a driver's object. Sub-classes have the methods that need special treatment;
 * {@link HandleClass} adds the others, which all do the same: enter, call the driver's object, wrap what it returns,
 * leave.
 */
abstract class Handle {
    final Lease lease;
    final Object delegate;
    final @Nullable Handle parent;

    /** The index among the lease's open handles; -1 if it is not among them. */
    int index = -1;

    /** True once its user has closed it, or it was closed with its parent. */
    boolean closed;

    Handle(Lease lease, Object delegate, @Nullable Handle parent) {
        this.lease = lease;
        this.delegate = delegate;
        this.parent = parent;
    }

    // ---- called by generated methods

    /** Begins a call that may wait; returns the object to call. */
    Object enter() throws SQLException {
        requireOpen();
        lease.begin(what(), cancellable());
        return delegate;
    }

    /** As {@link #enter}, for a call that is made even if a cancellation is pending. */
    final Object enterShielded() throws SQLException {
        requireOpen();
        lease.beginShielded(what(), null);
        return delegate;
    }

    /** Returns its name for messages. */
    String what() {
        return "this object";
    }

    final void requireOpen() throws SQLException {
        if (closed) throw Failures.over(what());
    }

    /** Ends a call that has succeeded. */
    void leave() throws SQLException {
        Throwable thrown = lease.end(null);
        if (thrown != null) throw Failures.sneaky(thrown);
    }

    /** Ends a call that has failed; returns what to throw. */
    Throwable leave(Throwable thrown) {
        Throwable toThrow = lease.end(thrown);
        return toThrow == null ? thrown : toThrow;
    }

    /**
     * Returns the object for a call that does not wait: one that reads what the driver has, or sets what is sent later.
     * Throws if a coroutine has the lease and another caller calls, as the owner may be in a call.
     */
    Object target() throws SQLException {
        requireOpen();
        lease.physical(what());
        lease.requireOwner();
        return delegate;
    }

    SQLException failed(SQLException thrown) {
        return lease.failed(thrown);
    }

    /** Called before data is changed without a statement. */
    final void noteWrite() {
        lease.noteExecution();
    }

    /** Called before a change after which a prepared statement can't be cached. */
    void noteChange() {}

    /** Called for an argument that can be read only once. */
    void noteStream() {}

    /** Called for an argument that is declared as {@code Object}. */
    final void noteArgument(@Nullable Object value) {
        if (value instanceof InputStream || value instanceof Reader) noteStream();
    }

    /** Returns what a user gets for a driver's object. */
    @Nullable
    Object wrap(@Nullable Object value) {
        return switch (value) {
            case null -> null;
            case String s -> s;
            case Number n -> n;
            case CallableStatement s -> opened(HandleClass.CALLABLE.make(lease, s, this));
            case PreparedStatement s -> opened(HandleClass.PREPARED.make(lease, s, this));
            case Statement s -> opened(HandleClass.STATEMENT.make(lease, s, this));
            case ResultSet r -> result(r);
            case NClob l -> opened(HandleClass.NCLOB.make(lease, l, this));
            case Clob l -> opened(HandleClass.CLOB.make(lease, l, this));
            case Blob l -> opened(HandleClass.BLOB.make(lease, l, this));
            case SQLXML l -> opened(HandleClass.SQLXML.make(lease, l, this));
            case Array l -> opened(HandleClass.ARRAY.make(lease, l, this));
            case Ref l -> opened(HandleClass.REF.make(lease, l, this));
            case DatabaseMetaData m -> HandleClass.META_DATA.make(lease, m, this);
            case ResultSetMetaData m -> wrapResultDescription(m);
            case ParameterMetaData m -> wrapParameterDescription(m);
            default -> value;
        };
    }

    /** As {@link #wrap}, for metadata of a result, whatever other types the object has. */
    final @Nullable Object wrapResultDescription(@Nullable Object description) {
        return description == null ? null : HandleClass.RESULT_META_DATA.make(lease, description, this);
    }

    /** As {@link #wrap}, for metadata of parameters, whatever other types the object has. */
    final @Nullable Object wrapParameterDescription(@Nullable Object description) {
        return description == null ? null : HandleClass.PARAMETER_META_DATA.make(lease, description, this);
    }

    /** Makes a handle of a result, registered as open unless its parent is a statement, which closes its results. */
    private Handle result(ResultSet result) {
        Handle handle = HandleClass.RESULT.make(lease, result, this);
        return this instanceof StatementHandle ? handle : opened(handle);
    }

    Handle opened(Handle handle) {
        lease.opened(handle);
        return handle;
    }

    /** Returns the driver's object behind an argument, or the argument if it is no handle. */
    static @Nullable Object unwrapped(@Nullable Object argument) {
        return argument instanceof Handle handle ? handle.delegate : argument;
    }

    // ---- for the lease

    /**
     * Returns the statement to cancel if the coroutine is cancelled in a call of this handle; null if there is none.
     */
    @Nullable
    Statement cancellable() {
        return parent == null ? null : parent.cancellable();
    }

    /** Closes the handle for its user; throws for other callers. */
    final void closeByUser(@Nullable Statement cancellable) throws SQLException {
        if (closed || lease.isOver()) return;
        lease.beginShielded(what(), cancellable);
        Throwable thrown = null;
        try {
            closeDelegate();
        } catch (Throwable e) {
            thrown = e;
        }
        lease.closed(this);
        thrown = lease.end(thrown);
        try {
            lease.giveBackIfDone();
        } catch (Throwable e) {
            thrown = Failures.joined(thrown, e);
        }
        if (thrown != null) throw Failures.sneaky(thrown);
    }

    /** Closes the driver's object. */
    void closeDelegate() throws SQLException {}

    // ---- java.sql.Wrapper, and Object

    /**
     * See {@link java.sql.Wrapper#unwrap}. Once a driver's object is given out, the lease lasts until the connection is
     * closed or the coroutine ends.
     */
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) return type.cast(this);
        Object driver = target();
        if (type.isInstance(driver)) {
            lease.noteEscape();
            return type.cast(driver);
        }
        if (driver instanceof java.sql.Wrapper wrapper && wrapper.isWrapperFor(type)) {
            lease.noteEscape();
            return wrapper.unwrap(type);
        }
        throw new SQLException("neither this handle nor " + driver.getClass().getName() + " is a " + type.getName());
    }

    /** See {@link java.sql.Wrapper#isWrapperFor}. */
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        if (type.isInstance(this)) return true;
        Object driver = target();
        return type.isInstance(driver) || (driver instanceof java.sql.Wrapper wrapper && wrapper.isWrapperFor(type));
    }

    @Override
    public String toString() {
        return lease.isOver() ? "object of a " + lease + " that was given back" : String.valueOf(delegate);
    }
}
