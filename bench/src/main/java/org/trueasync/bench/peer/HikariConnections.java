package org.trueasync.bench.peer;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.sql.Connection;
import java.sql.SQLException;

/** HikariCP. It pools only connections, so these are connections that do nothing. */
public final class HikariConnections extends PoolOnThreads<Connection> {

    private final HikariDataSource pool = new HikariDataSource(settings());

    private static HikariConfig settings() {
        var settings = new HikariConfig();
        settings.setDataSource(NoConnection.source());
        settings.setMaximumPoolSize(RESOURCES);
        settings.setConnectionTimeout(0); // no limit
        settings.setMaxLifetime(0);
        settings.setIdleTimeout(0);
        return settings;
    }

    @Override
    Connection take() throws SQLException {
        return pool.getConnection();
    }

    @Override
    void giveBack(Connection connection) throws SQLException {
        connection.close();
    }

    @Override
    public void close() {
        pool.close();
    }
}
