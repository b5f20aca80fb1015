package org.trueasync.jdbc;

import java.io.PrintWriter;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.SQLFeatureNotSupportedException;
import java.time.Duration;
import java.util.Objects;
import java.util.Properties;
import java.util.concurrent.atomic.AtomicLong;
import java.util.logging.Logger;
import javax.sql.DataSource;
import org.jspecify.annotations.Nullable;
import org.trueasync.CircuitBreakerStrategy;
import org.trueasync.Pool;
import org.trueasync.internal.jdbc.Connector;
import org.trueasync.internal.jdbc.HelperConnector;
import org.trueasync.internal.jdbc.Sessions;
import org.trueasync.internal.jdbc.Settings;
import org.trueasync.internal.jdbc.SourceConnector;
import org.trueasync.internal.jdbc.UrlConnector;
import org.trueasync.internal.jdbc.Urls;

/**
 * A database for thousands of coroutines through a few connections, with any JDBC driver.
 *
 * {@snippet class="org.trueasync.jdbc.snippets.Connections" region="pool" :
 * try (var db = PooledDataSource.forUrl("jdbc:postgresql://localhost/shop")
 *         .user("shop")
 *         .password(secret)
 *         .max(10)
 *         .build()) {
 *     try (var c = db.getConnection();
 *             var s = c.prepareStatement("select name from item where id = ?")) {
 *         s.setInt(1, id);
 *         try (var items = s.executeQuery()) {
 *             while (items.next()) show(items.getString(1));
 *         }
 *     }
 * }
 * }
 *
 * <p>{@link #getConnection} hands out a connection of the calling coroutine's own until it is closed. {@link #shared} is one connection for all coroutines: each has
 * another physical connection underneath, and only while it needs one. Either way a connection serves one coroutine; another one that uses it is refused by an {@link
 * SQLException}. When the coroutine ends, what it has not closed goes back, before anybody is told of the end.
 *
 * <p>A connection goes back rolled back and with the settings that it had: those changed through JDBC are put back; where SQL has changed some (by {@code SET}, temporary
 * tables, session locks) the session is reset, on PostgreSQL by {@code DISCARD ALL}, elsewhere by {@link Builder#resetSql}, or else is replaced. One that is lost, or
 * cannot be cleaned, is closed and replaced.
 *
 * <p>Drivers on Java sockets work on the loop, where only the coroutine waits. Drivers of native code would hold the loop: {@link Builder#onHelperThreads} has their calls made on helper threads, which is what SQLite and
 * DuckDB get by themselves.
 *
 * <p>A coroutine that is cancelled in the middle of a statement has it cancelled on the server, and sees its {@link org.trueasync.AsyncCancellation} as anywhere else.
 *
 * <p>Any thread; {@link Builder#build} on a loop thread only, and the run that it belongs to closes what is still open at its end. Coroutines of that runtime are served directly. All others
 * take a connection and give it back through the loop, which has to be free for that, and use it without: coroutines of other runtimes with the same rules as here; threads that are no coroutines (platform threads, bodies
 * of {@code Async.blocking}, virtual threads that a library has started) as they would use the driver's own. To them a call blocks, an interrupt ends the wait for a connection with an {@link
 * SQLException}, and a connection that is not closed is lost until the garbage collector has found it. After the end of the run nobody gets a connection any more, shutdown hooks included; what threads still
 * have then they can use, and close. Waiting for a connection is first come, first served, whoever waits.
 */
public final class PooledDataSource implements DataSource, AutoCloseable {
    private final Sessions sessions;
    private final Connector connector;
    private volatile @Nullable PrintWriter logWriter;

    private PooledDataSource(Sessions sessions, Connector connector) {
        this.sessions = sessions;
        this.connector = connector;
    }

    /**
     * Connections to a URL.
     *
     * @param url of JDBC; a driver for it is on the class path
     * @throws IllegalArgumentException if it is no URL of JDBC, or each connection would have a database in memory of its own
     */
    public static Builder forUrl(String url) {
        if (!url.startsWith("jdbc:"))
            throw new IllegalArgumentException("a JDBC URL begins with jdbc:, got " + Urls.masked(url));
        if (Urls.isPrivateMemory(url))
            throw new IllegalArgumentException("with " + Urls.masked(url)
                    + " each connection has a database of its own; give the database in memory a name");
        return new Builder(url, null);
    }

    /**
     * Connections of another data source, which does not pool itself.
     *
     * @param source makes connections
     */
    public static Builder around(DataSource source) {
        return new Builder(null, Objects.requireNonNull(source, "source"));
    }

    /**
     * A connection of the calling coroutine's own, or of the calling thread's: an idle one, else a new one if there are less than max, else the first that comes free.
     *
     * @return to be closed; at the end of a coroutine it is
     * @throws java.sql.SQLTransientConnectionException if none came free within {@link Builder#connectionTimeout}, or the circuit breaker refuses
     * @throws SQLException if the data source is closed or its run has ended, nobody can connect, or the thread is interrupted while it waits
     * @throws org.trueasync.AsyncCancellation if the coroutine was cancelled meanwhile
     */
    @Override
    public Connection getConnection() throws SQLException {
        return sessions.connect();
    }

    /**
     * Not supported: all connections are of one user.
     *
     * @throws SQLFeatureNotSupportedException always
     */
    @Override
    public Connection getConnection(String user, String password) throws SQLException {
        throw new SQLFeatureNotSupportedException(
                "the connections of a pool are all of one user; build another data source for " + user);
    }

    /**
     * One connection for all coroutines, to be used by as many of them at once as like. The first statement of a coroutine gets a physical connection, which
     * goes back as soon as the coroutine has no transaction, statement, result or locator open; {@code close()} gives it back at once, and leaves the
     * shared one open for everybody. Auto-commit, isolation and other settings are each coroutine's own. If the connection is lost the next use gets another one; if a
     * transaction is lost with it, the coroutine has to roll back first. Threads that are no coroutines are refused by an {@link SQLException}: nobody would learn of their end.
     *
     * @return always the same
     */
    public Connection shared() {
        return sessions.shared();
    }

    /**
     * True if the calling coroutine has a transaction open on the shared connection; takes no connection.
     *
     * @throws SQLException if no coroutine asks
     */
    public boolean inTransaction() throws SQLException {
        return sessions.isInTransaction();
    }

    /** The physical connections: how many there are and how many are in use, statistics, the circuit breaker. */
    public Pool<?> pool() {
        return sessions.pool();
    }

    /**
     * Closes what is idle at once and what is in use when it comes back; who waits for a connection gets an {@link SQLException}. Idempotent. On another thread than the loop it waits for that, at
     * most for {@link Builder#connectionTimeout}, unless it is interrupted.
     */
    @Override
    public void close() {
        sessions.close();
    }

    // ---- the rest of DataSource

    @Override
    public @Nullable PrintWriter getLogWriter() {
        return logWriter;
    }

    /** Kept, and nothing is written to it. */
    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        logWriter = out;
    }

    /**
     * Not supported here.
     *
     * @throws SQLFeatureNotSupportedException always
     */
    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("the data source is built already; use connectionTimeout there");
    }

    /** In seconds, rounded up; 0 for no limit. */
    @Override
    public int getLoginTimeout() {
        long millis = sessions.connectionTimeout().toMillis();
        return (int) Math.min(Integer.MAX_VALUE, (millis + 999) / 1000);
    }

    @Override
    public Logger getParentLogger() {
        return Logger.getLogger("org.trueasync.jdbc");
    }

    @Override
    public <T> T unwrap(Class<T> type) throws SQLException {
        if (type.isInstance(this)) return type.cast(this);
        if (connector instanceof SourceConnector around) {
            if (type.isInstance(around.source())) return type.cast(around.source());
            return around.source().unwrap(type);
        }
        throw new SQLException("this data source wraps no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        if (type.isInstance(this)) return true;
        return connector instanceof SourceConnector around
                && (type.isInstance(around.source()) || around.source().isWrapperFor(type));
    }

    @Override
    public String toString() {
        return sessions.pool() + " of connections to " + connector.target();
    }

    /** Collects the settings of a data source. Belongs to whoever made it. */
    public static final class Builder {
        private static final AtomicLong COUNTER = new AtomicLong();

        /** Longer than any program runs; sums of them in nanoseconds still fit. */
        private static final Duration LONGEST = Duration.ofDays(36_500);

        private final @Nullable String url;
        private final @Nullable DataSource source;
        private final Properties properties = new Properties();
        private @Nullable String name;
        private int min;
        private int max = 10;
        private Duration connectionTimeout = Duration.ofSeconds(30);
        private Duration validationTimeout = Duration.ofSeconds(5);
        private Duration maxLifetime = Duration.ofMinutes(30);
        private Duration idleTimeout = Duration.ofMinutes(10);
        private Duration keepaliveTime = Duration.ofMinutes(2);
        private Duration healthcheckInterval = Duration.ofSeconds(30);
        private Duration leakDetectionThreshold = Duration.ZERO;
        private @Nullable String initSql;
        private @Nullable String resetSql;
        private int statementCache = 64;
        private boolean autoCommit = true;
        private @Nullable Boolean readOnly;
        private @Nullable Integer isolation;
        private @Nullable String schema;
        private @Nullable String catalog;
        private @Nullable CircuitBreakerStrategy strategy;
        private @Nullable Boolean helperThreads;

        private Builder(@Nullable String url, @Nullable DataSource source) {
            this.url = url;
            this.source = source;
        }

        /**
         * What messages call it. Default: a number.
         *
         * @param name any
         */
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * Who connects. Default: as the URL or the other data source says.
         *
         * @param user of the database
         */
        public Builder user(String user) {
            return with("user", user);
        }

        /**
         * With which password. Default: none.
         *
         * @param password appears in no message
         */
        public Builder password(String password) {
            return with("password", password);
        }

        /**
         * Something that the driver knows; each connection gets a copy.
         *
         * @param key as the driver calls it
         * @param value its value
         * @throws IllegalArgumentException if the connections are another data source's, which has settings of its own
         */
        public Builder property(String key, String value) {
            if (source != null && !key.equals("user") && !key.equals("password"))
                throw new IllegalArgumentException(
                        "a data source takes no property, got " + key + "; set it on the data source itself");
            return with(key, value);
        }

        private Builder with(String key, String value) {
            properties.setProperty(
                    Objects.requireNonNull(key, "key"), Objects.requireNonNull(value, "value of " + key));
            return this;
        }

        /**
         * How many connections are made in advance and kept. Default 0: nothing connects before the first use.
         *
         * @param min 0 to max
         */
        public Builder min(int min) {
            this.min = min;
            return this;
        }

        /**
         * How many connections there are at most. Default 10.
         *
         * @param max >= 1
         */
        public Builder max(int max) {
            this.max = max;
            return this;
        }

        /**
         * How long to wait for a connection, and how long connecting may take. Default 30 s.
         *
         * @param timeout >= 0; zero for no limit
         */
        public Builder connectionTimeout(Duration timeout) {
            this.connectionTimeout = notNegative(timeout, "connectionTimeout");
            return this;
        }

        /**
         * How long looking at a connection may take, cleaning it up, closing it, and how long a cancelled statement may take to end. Default 5 s.
         *
         * @param timeout > 0
         */
        public Builder validationTimeout(Duration timeout) {
            Duration bounded = notNegative(timeout, "validationTimeout");
            if (!bounded.isPositive())
                throw new IllegalArgumentException("validationTimeout must be > 0, got " + timeout);
            this.validationTimeout = bounded;
            return this;
        }

        /**
         * How old a connection becomes; some get less, up to a fortieth, so that not all go at once. One in use is replaced after it. Default 30 min.
         *
         * @param lifetime >= 0; zero for no limit
         */
        public Builder maxLifetime(Duration lifetime) {
            this.maxLifetime = notNegative(lifetime, "maxLifetime");
            return this;
        }

        /**
         * How long more than {@link #min} connections may be idle. Default 10 min.
         *
         * @param timeout >= 0; zero for no limit
         */
        public Builder idleTimeout(Duration timeout) {
            this.idleTimeout = notNegative(timeout, "idleTimeout");
            return this;
        }

        /**
         * How long an idle connection is left alone before the server is asked for it. Default 2 min. One that is handed out is looked at if it was idle for 500 ms or
         * more.
         *
         * @param time >= 0; zero for ever
         */
        public Builder keepaliveTime(Duration time) {
            this.keepaliveTime = notNegative(time, "keepaliveTime");
            return this;
        }

        /**
         * How often idle connections are looked through for those three. Default 30 s.
         *
         * @param interval >= 0; zero for never
         */
        public Builder healthcheckInterval(Duration interval) {
            this.healthcheckInterval = notNegative(interval, "healthcheckInterval");
            return this;
        }

        /**
         * How long a coroutine may keep a connection before that is reported, once, with the place where it got it: as a warning of the logger {@code org.trueasync.jdbc}.
         * Default zero: never.
         *
         * @param threshold >= 0
         */
        public Builder leakDetectionThreshold(Duration threshold) {
            this.leakDetectionThreshold = notNegative(threshold, "leakDetectionThreshold");
            return this;
        }

        /**
         * SQL to run on each new connection. Default: none.
         *
         * @param sql one statement
         */
        public Builder connectionInitSql(String sql) {
            this.initSql = Objects.requireNonNull(sql, "sql");
            return this;
        }

        /**
         * SQL that brings a session back to how it began, for sessions whose settings SQL has changed. Default: {@code DISCARD ALL} on PostgreSQL; elsewhere none, and
         * such a connection is closed.
         *
         * @param sql one statement
         */
        public Builder resetSql(String sql) {
            this.resetSql = Objects.requireNonNull(sql, "sql");
            return this;
        }

        /**
         * How many prepared statements each connection keeps that nobody uses; those used longest ago go first. Default 64.
         *
         * @param statements >= 0; zero for none
         */
        public Builder statementCache(int statements) {
            if (statements < 0) throw new IllegalArgumentException("statementCache must be >= 0, got " + statements);
            this.statementCache = statements;
            return this;
        }

        /**
         * Whether sessions begin in auto-commit mode. Default true.
         *
         * @param on false for transactions throughout
         */
        public Builder autoCommit(boolean on) {
            this.autoCommit = on;
            return this;
        }

        /**
         * Whether sessions begin read-only. Default: as the driver has it.
         *
         * @param on true for read-only
         */
        public Builder readOnly(boolean on) {
            this.readOnly = on;
            return this;
        }

        /**
         * The isolation that sessions begin with. Default: as the driver has it.
         *
         * @param level one of {@link Connection}'s constants
         */
        public Builder transactionIsolation(int level) {
            this.isolation = level;
            return this;
        }

        /**
         * The schema that sessions begin in. Default: as the driver has it.
         *
         * @param schema its name
         */
        public Builder schema(String schema) {
            this.schema = Objects.requireNonNull(schema, "schema");
            return this;
        }

        /**
         * The catalog that sessions begin in. Default: as the driver has it.
         *
         * @param catalog its name
         */
        public Builder catalog(String catalog) {
            this.catalog = Objects.requireNonNull(catalog, "catalog");
            return this;
        }

        /**
         * Has a strategy decide about the pool's circuit breaker; connections that are lost count as failures. Default: by hand only.
         *
         * @param strategy of this data source alone
         */
        public Builder circuitBreaker(CircuitBreakerStrategy strategy) {
            this.strategy = Objects.requireNonNull(strategy, "strategy");
            return this;
        }

        /**
         * Whether the driver's calls are made on helper threads, while only the coroutine waits: for drivers that wait or compute in native code, or inside the JVM, where they would hold the loop. Each
         * connection makes one call at a time, in order. A call costs a hop to another thread and back; what the driver has at hand, such as the columns of the current row, costs none. Threads
         * that are no coroutines and not virtual make their calls themselves. Default: true for SQLite and DuckDB, else false.
         *
         * @param on false to have all calls made where they are
         */
        public Builder onHelperThreads(boolean on) {
            this.helperThreads = on;
            return this;
        }

        private boolean needsHelperThreads() {
            if (helperThreads != null) return helperThreads;
            return HelperConnector.isNeededFor(
                    url != null
                            ? url
                            : Objects.requireNonNull(source).getClass().getName());
        }

        private static Duration notNegative(Duration value, String what) {
            if (Objects.requireNonNull(value, what).isNegative())
                throw new IllegalArgumentException(what + " must be >= 0, got " + value);
            return value.compareTo(LONGEST) > 0 ? LONGEST : value;
        }

        /**
         * The data source, with {@link #min} connections.
         *
         * @throws IllegalArgumentException if min and max don't go together, or another data source shall be given a password without a user
         * @throws SQLException if one of the first connections can't be made
         * @throws org.trueasync.AsyncException outside a runtime
         */
        public PooledDataSource build() throws SQLException {
            if (source != null && properties.containsKey("password") && !properties.containsKey("user"))
                throw new IllegalArgumentException("a password for a data source needs a user as well");
            String called = name != null ? name : "jdbc-" + COUNTER.incrementAndGet();
            Connector connector = url != null
                    ? new UrlConnector(url, properties)
                    : new SourceConnector(
                            Objects.requireNonNull(source),
                            properties.getProperty("user"),
                            properties.getProperty("password"));
            var settings = new Settings(
                    called,
                    needsHelperThreads() ? new HelperConnector(connector) : connector,
                    min,
                    connectionTimeout,
                    validationTimeout,
                    maxLifetime,
                    idleTimeout,
                    keepaliveTime,
                    leakDetectionThreshold,
                    initSql,
                    resetSql,
                    statementCache,
                    autoCommit,
                    readOnly,
                    isolation,
                    schema,
                    catalog);
            Sessions sessions = Sessions.open(settings, pool -> {
                if (strategy != null) pool.circuitBreaker(strategy);
                pool.min(min).max(max).healthcheckInterval(healthcheckInterval);
            });
            return new PooledDataSource(sessions, connector);
        }
    }
}
