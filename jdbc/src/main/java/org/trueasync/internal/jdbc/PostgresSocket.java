package org.trueasync.internal.jdbc;

import java.io.IOException;
import java.io.InputStream;
import java.lang.reflect.Field;
import java.net.Socket;
import java.sql.Connection;
import org.jspecify.annotations.Nullable;

/** The socket inside PostgreSQL's driver. */
final class PostgresSocket {
    private static final DriverMethod EXECUTOR = new DriverMethod("getQueryExecutor");
    private static final DriverMethod QUERY_MODE = new DriverMethod("getPreferQueryMode");
    private static final DriverMethod THRESHOLD = new DriverMethod("getPrepareThreshold");

    private PostgresSocket() {}

    /**
     * Puts a wire between the driver and its socket, above TLS.
     *
     * @param driver between two calls
     * @return null if the driver is another one than we know, or was told not to prepare statements on the server
     */
    static @Nullable ResetWire wire(Connection driver, ResetMessages reset) {
        Object executor = EXECUTOR.resultOn(driver);
        String mode = String.valueOf(QUERY_MODE.resultOn(driver));
        boolean prepares = THRESHOLD.resultOn(driver) instanceof Integer uses && uses != 0;
        if (executor == null || !prepares || !(mode.equals("EXTENDED") || mode.equals("EXTENDED_CACHE_EVERYTHING")))
            return null;
        try {
            return wire(field(executor, "pgStream"), reset);
        } catch (ReflectiveOperationException | RuntimeException | IOException unknown) {
            return null;
        }
    }

    private static @Nullable ResetWire wire(Object stream, ResetMessages reset)
            throws ReflectiveOperationException, IOException {
        Class<?> type = stream.getClass();
        boolean encryptedByItself = (Boolean) type.getMethod("isGssEncrypted").invoke(stream);
        if (encryptedByItself || ((InputStream) field(stream, "pgInput")).available() > 0) return null;
        var socket = (Socket) type.getMethod("getSocket").invoke(stream);
        var wire = new ResetWire(socket.getInputStream(), socket.getOutputStream(), reset);
        type.getMethod("changeSocket", Socket.class).invoke(stream, new WrappedSocket(socket, wire));
        wire.isReadBy((InputStream) field(stream, "pgInput"));
        return wire;
    }

    private static Object field(Object object, String name) throws ReflectiveOperationException {
        for (Class<?> type = object.getClass(); type != null; type = type.getSuperclass()) {
            for (Field field : type.getDeclaredFields()) {
                if (!field.getName().equals(name)) continue;
                field.setAccessible(true);
                Object value = field.get(object);
                if (value != null) return value;
            }
        }
        throw new NoSuchFieldException(name);
    }
}
