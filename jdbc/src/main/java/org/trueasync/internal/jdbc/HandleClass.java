package org.trueasync.internal.jdbc;

import java.lang.invoke.MethodHandle;
import java.lang.invoke.MethodHandles;
import java.lang.invoke.MethodType;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.ParameterMetaData;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.ResultSetMetaData;
import java.sql.SQLXML;
import java.sql.Statement;
import org.jspecify.annotations.Nullable;

/**
 * Makes handles of one of JDBC's interfaces. Their classes are generated when they are first needed: the interfaces
 * have some 650 methods, and nearly all of them are passed on in the same way.
 */
record HandleClass(MethodHandle constructor) {
    static final HandleClass CONNECTION = of(ConnectionHandle.class, Connection.class);
    static final HandleClass STATEMENT = of(StatementHandle.class, Statement.class);
    static final HandleClass PREPARED = of(PreparedHandle.class, PreparedStatement.class);
    static final HandleClass CALLABLE = of(PreparedHandle.class, CallableStatement.class);
    static final HandleClass RESULT = of(ResultHandle.class, ResultSet.class);
    static final HandleClass META_DATA = of(MetaDataHandle.class, DatabaseMetaData.class);
    static final HandleClass RESULT_META_DATA = of(DescriptionHandle.class, ResultSetMetaData.class);
    static final HandleClass PARAMETER_META_DATA = of(DescriptionHandle.class, ParameterMetaData.class);
    static final HandleClass BLOB = of(LocatorHandle.class, Blob.class);
    static final HandleClass CLOB = of(LocatorHandle.class, Clob.class);
    static final HandleClass NCLOB = of(LocatorHandle.class, NClob.class);
    static final HandleClass SQLXML = of(LocatorHandle.class, SQLXML.class);
    static final HandleClass ARRAY = of(LocatorHandle.class, Array.class);
    static final HandleClass REF = of(LocatorHandle.class, Ref.class);

    private static HandleClass of(Class<? extends Handle> base, Class<?> type) {
        Class<?>[] parameters = {Lease.class, Object.class, Handle.class};
        MethodHandle constructor = HandleGenerator.constructor(base, type, parameters);
        return new HandleClass(constructor.asType(MethodType.methodType(Handle.class, parameters)));
    }

    /** Generates the classes, if that has not been done. */
    static void generate() {
        // being called initialises the class
    }

    /**
     * Makes a handle.
     *
     * @param lease of the connection
     * @param delegate the driver's object
     * @param parent what it was made from
     */
    Handle make(Lease lease, Object delegate, @Nullable Handle parent) {
        try {
            return (Handle) constructor.invokeExact(lease, delegate, parent);
        } catch (Throwable e) {
            throw Failures.sneaky(e);
        }
    }

    static Connection connection(Lease lease, Connection driver) {
        return (Connection) CONNECTION.make(lease, driver, null);
    }

    /** Makes the handles behind {@link Sessions#shared()}, which use whichever connection the coroutine has. */
    static final class Shared {
        private static final MethodHandle CONNECTION = of(SharedConnection.class, Connection.class);
        private static final MethodHandle META_DATA = of(SharedMetaData.class, DatabaseMetaData.class);

        private Shared() {}

        private static MethodHandle of(Class<? extends SharedHandle> base, Class<?> type) {
            return HandleGenerator.constructor(base, type, Sessions.class);
        }

        static Connection connection(Sessions sessions) {
            return (Connection) make(CONNECTION, sessions);
        }

        static DatabaseMetaData metaData(Sessions sessions) {
            return (DatabaseMetaData) make(META_DATA, sessions);
        }

        /** Generates the classes, if that has not been done. */
        static void generate() {
            // being called initialises the class
        }

        private static Object make(MethodHandle constructor, Sessions sessions) {
            try {
                return constructor.invoke(sessions);
            } catch (Throwable e) {
                throw Failures.sneaky(e);
            }
        }
    }

    /** Returns the lookup that defines the generated classes. */
    static MethodHandles.Lookup lookup() {
        return MethodHandles.lookup();
    }
}
