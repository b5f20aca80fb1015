package org.trueasync.internal.jdbc;

import java.sql.Connection;
import java.sql.Driver;
import java.sql.DriverManager;
import java.sql.SQLException;
import java.util.Properties;
import java.util.ServiceConfigurationError;
import java.util.ServiceLoader;
import org.jspecify.annotations.Nullable;

/** Connects to a URL, with the driver that accepts it. */
public final class UrlConnector implements Connector {
    private final String url;
    private final Properties properties;
    private @Nullable Driver driver;

    /**
     * Prepares to connect; does not connect yet.
     *
     * @param url of JDBC
     * @param properties user, password and other properties for the driver
     */
    public UrlConnector(String url, Properties properties) {
        this.url = url;
        this.properties = copy(properties);
    }

    @Override
    public Connection connect() throws SQLException {
        Driver known = driver;
        try {
            Connection connection = known == null ? connectByFirst() : connectBy(known);
            if (connection == null) throw noDriver();
            return connection;
        } catch (SQLException e) {
            throw quotesUrl(e) ? masked(e) : e;
        }
    }

    private @Nullable Connection connectBy(Driver some) throws SQLException {
        // a driver may keep or change what it is given
        return some.connect(url, copy(properties));
    }

    private static Properties copy(Properties original) {
        var copy = new Properties();
        for (String name : original.stringPropertyNames()) copy.setProperty(name, original.getProperty(name));
        return copy;
    }

    /**
     * Connects with the first driver that accepts the URL. Asks the registered drivers, then the providers of the
     * context class loader, which {@link DriverManager} hides from us if their loader is not ours.
     */
    private @Nullable Connection connectByFirst() throws SQLException {
        for (Driver registered : DriverManager.drivers().toList()) {
            Connection connection = tryWith(registered);
            if (connection != null) return connection;
        }
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        var offered = ServiceLoader.load(Driver.class, loader).iterator();
        while (true) {
            Driver next;
            try {
                if (!offered.hasNext()) return null;
                next = offered.next();
            } catch (ServiceConfigurationError broken) {
                // the next provider may still be sound
                continue;
            }
            Connection connection = tryWith(next);
            if (connection != null) return connection;
        }
    }

    private @Nullable Connection tryWith(Driver some) throws SQLException {
        try {
            if (!some.acceptsURL(url)) return null;
        } catch (SQLException | RuntimeException none) {
            // counts as false
            return null;
        }
        Connection connection = connectBy(some);
        if (connection != null) driver = some;
        return connection;
    }

    private boolean quotesUrl(SQLException error) {
        if (url.equals(target())) return false;
        int depth = 0;
        for (Throwable e = error; e != null && depth++ < 10; e = e.getCause())
            if (String.valueOf(e.getMessage()).contains(url)) return true;
        return false;
    }

    /** Returns the error without the URL's secrets, and without its causes, as they may quote the URL too. */
    private SQLException masked(SQLException error) {
        String text = String.valueOf(error.getMessage()).replace(url, target());
        var masked = new SQLException(text, error.getSQLState(), error.getErrorCode());
        masked.setStackTrace(error.getStackTrace());
        return masked;
    }

    private SQLException noDriver() {
        return new SQLException(
                "no JDBC driver accepts " + target() + "; is the driver's jar on the class path?", "08001");
    }

    @Override
    public String target() {
        return Urls.masked(url);
    }
}
