package org.trueasync.internal.jdbc;

import java.lang.reflect.InvocationHandler;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.lang.reflect.Proxy;
import java.sql.Array;
import java.sql.Blob;
import java.sql.CallableStatement;
import java.sql.Clob;
import java.sql.Connection;
import java.sql.DatabaseMetaData;
import java.sql.NClob;
import java.sql.PreparedStatement;
import java.sql.Ref;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.SQLXML;
import java.sql.Statement;
import java.sql.Wrapper;
import java.util.List;
import java.util.Objects;
import java.util.regex.Pattern;
import org.jspecify.annotations.Nullable;

/**
 * A proxy of one object of a driver that blocks its thread; {@link HelperCalls} makes the calls. Calls for what the
 * driver has in memory are made on the calling thread: the columns of the current row, parameters, settings. A hop for
 * each column of each row would take more time than most queries.
 */
final class HelperProxy implements InvocationHandler {
    /** The interfaces of objects that get a proxy, subtypes first. */
    private static final List<Class<?>> WRAPPED = List.of(
            CallableStatement.class,
            PreparedStatement.class,
            Statement.class,
            ResultSet.class,
            Connection.class,
            NClob.class,
            Clob.class,
            Blob.class,
            SQLXML.class,
            Array.class,
            Ref.class,
            DatabaseMetaData.class);

    private static final Pattern CONNECTION_LOCAL =
            Pattern.compile("isClosed|getAutoCommit|isReadOnly|getWarnings|clearWarnings|getTypeMap|getHoldability");

    private static final Pattern STATEMENT_LOCAL = Pattern.compile(
            "isClosed|isPoolable|getConnection|(get|clear)Warnings|clearParameters|(set|get)(Fetch.*|.*Max.*|QueryTimeout|Poolable)");

    /** Getters of a result whose value may be larger than what the driver has read so far. */
    private static final Pattern LARGE = Pattern.compile("get(Bytes|.*Stream|Blob|N?Clob|SQLXML|Array|Ref|MetaData)");

    private final HelperCalls calls;
    private final Object driver;
    private final Class<?> type;

    private HelperProxy(HelperCalls calls, Object driver, Class<?> type) {
        this.calls = calls;
        this.driver = driver;
        this.type = type;
    }

    /**
     * Returns a proxy of a driver's object; the object itself, if its calls need no thread.
     *
     * @param declaredType the type that its user sees: some drivers have one class for several interfaces
     */
    static Object of(HelperCalls calls, Object driver, Class<?> declaredType) {
        for (Class<?> type : WRAPPED)
            if (declaredType.isAssignableFrom(type) && type.isInstance(driver))
                return Proxy.newProxyInstance(
                        HelperProxy.class.getClassLoader(),
                        new Class<?>[] {type},
                        new HelperProxy(calls, driver, type));
        return driver;
    }

    @Override
    public @Nullable Object invoke(Object self, Method method, Object @Nullable [] arguments) throws Throwable {
        if (method.getDeclaringClass() == Object.class) return ofObject(self, method, arguments);
        String name = method.getName();
        if (method.getDeclaringClass() == Wrapper.class)
            return ofWrapper(name, (Class<?>) Objects.requireNonNull(arguments)[0]);
        Object[] real = unwrapped(arguments);
        if (name.equals("cancel") || name.equals("abort")) return end(name, method, real);
        if (name.equals("close") && type == Connection.class) {
            calls.close(() -> invoke(method, real));
            return null;
        }
        if (neverWaits(method, name)) {
            calls.requireUsable();
            return wrapped(invoke(method, real), method.getReturnType());
        }
        return wrapped(calls.call(() -> invoke(method, real)), method.getReturnType());
    }

    private @Nullable Object end(String name, Method method, Object @Nullable [] arguments) throws Exception {
        Object value = calls.callAtOnce(() -> invoke(method, arguments));
        // some drivers do nothing in abort
        if (name.equals("abort")) calls.close(this::closeConnection);
        return value;
    }

    private boolean closeConnection() throws SQLException {
        if (driver instanceof Connection connection) connection.close();
        return true;
    }

    private @Nullable Object invoke(Method method, Object @Nullable [] arguments) throws Exception {
        try {
            return method.invoke(driver, arguments);
        } catch (InvocationTargetException e) {
            throw Failures.sneaky(e.getCause() == null ? e : e.getCause());
        }
    }

    private boolean neverWaits(Method method, String name) {
        if (type == ResultSet.class)
            return (name.startsWith("get") && !LARGE.matcher(name).matches())
                    || name.equals("wasNull")
                    || name.equals("findColumn")
                    || name.equals("isClosed");
        if (type == Connection.class) return CONNECTION_LOCAL.matcher(name).matches();
        if (!Statement.class.isAssignableFrom(type)) return false;
        if (method.getDeclaringClass() != Statement.class && name.startsWith("set")) return true;
        return STATEMENT_LOCAL.matcher(name).matches();
    }

    private @Nullable Object wrapped(@Nullable Object value, Class<?> declaredType) {
        if (value == null) return null;
        Connection connection = calls.connection();
        return value instanceof Connection && connection != null ? connection : of(calls, value, declaredType);
    }

    private static Object @Nullable [] unwrapped(Object @Nullable [] arguments) {
        if (arguments == null) return null;
        Object[] real = arguments.clone();
        for (int i = 0; i < real.length; i++) {
            HelperProxy proxy = behind(real[i]);
            if (proxy != null) real[i] = proxy.driver;
        }
        return real;
    }

    private static @Nullable HelperProxy behind(@Nullable Object some) {
        return some != null
                        && Proxy.isProxyClass(some.getClass())
                        && Proxy.getInvocationHandler(some) instanceof HelperProxy proxy
                ? proxy
                : null;
    }

    private Object ofWrapper(String name, Class<?> wanted) throws SQLException {
        boolean has = wanted.isInstance(driver);
        if (name.equals("isWrapperFor")) return has || (driver instanceof Wrapper inner && inner.isWrapperFor(wanted));
        if (has) return driver;
        if (driver instanceof Wrapper inner) return inner.unwrap(wanted);
        throw new SQLException(driver.getClass().getName() + " is no " + wanted.getName());
    }

    private Object ofObject(Object self, Method method, Object @Nullable [] arguments) {
        return switch (method.getName()) {
            case "equals" -> arguments != null && self == arguments[0];
            case "hashCode" -> System.identityHashCode(self);
            default -> type.getSimpleName() + " of " + driver.getClass().getName() + ", on helper threads";
        };
    }
}
