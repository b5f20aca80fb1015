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
     * Connects to there.
     *
     * @param url of JDBC
     * @param properties user, password and what else the driver knows
     */
    public UrlConnector(String url, Properties properties) {
        this.url = url;
        this.properties = copy(properties);
    }

    @Override
    public Connection connect() throws SQLException {
        Driver known = driver;
        if (known == null) driver = known = find();
        // a driver may keep or change what it is given
        Connection connection = known.connect(url, copy(properties));
        if (connection == null) throw noDriver();
        return connection;
    }

    private static Properties copy(Properties original) {
        var copy = new Properties();
        for (String name : original.stringPropertyNames()) copy.setProperty(name, original.getProperty(name));
        return copy;
    }

    /** Drivers that have been registered, then those that the program's class path offers, which the registry hides from us if their loader is not ours. */
    private Driver find() throws SQLException {
        for (Driver registered : DriverManager.drivers().toList()) if (registered.acceptsURL(url)) return registered;
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        var offered = ServiceLoader.load(Driver.class, loader).iterator();
        while (true) {
            try {
                if (!offered.hasNext()) throw noDriver();
                Driver next = offered.next();
                if (next.acceptsURL(url)) return next;
            } catch (ServiceConfigurationError broken) {
                // another one's driver may still be sound
            }
        }
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
