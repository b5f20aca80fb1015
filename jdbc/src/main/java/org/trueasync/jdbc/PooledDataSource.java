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
 * <p>{@link #getConnection} hands out a connection of the calling coroutine's own until it is closed. {@link #shared}
 * is one connection for all coroutines: each has a physical connection of its own underneath, and only while it needs
 * one. Either way a physical connection serves one coroutine at a time. A call by another coroutine throws an
 * {@link SQLException}, except {@code abort}, {@code Statement.cancel} and, between calls, a {@code close} in the same
 * runtime. When the coroutine ends, what it has not closed is given back, before anything that awaits the coroutine
 * goes on.
 *
 * <p>When a connection is given back, an open transaction is rolled back, and settings that were changed through JDBC
 * are restored. A session of PostgreSQL is reset whatever was executed, unless {@link Builder#resetAfterUse} is off. On
 * other databases, if the beginning of a statement shows a change of the session ({@code SET}, temporary tables), it is
 * reset by {@link Builder#resetSql}; without a {@code resetSql}, the connection is replaced. A connection that is lost,
 * or cannot be cleaned, is closed and replaced.
 *
 * <p>Drivers on Java sockets work on the loop, where only the coroutine waits. Drivers of native code would hold the
 * loop: {@link Builder#onHelperThreads} has helper threads make their calls. For SQLite and DuckDB that is the default.
 *
 * <p>A coroutine that is cancelled in the middle of a statement has it cancelled on the server, and gets its
 * {@link org.trueasync.AsyncCancellation} as in any other wait.
 *
 * <p>Any thread; {@link Builder#build} in a coroutine only. The end of that coroutine's run closes the data source.
 * Coroutines of that runtime are served directly. All other callers take a connection and give it back through the
 * loop, which has to be free for that; the calls between go to the driver directly. Coroutines of other runtimes follow
 * the rules above. Threads that are no coroutines (platform threads, bodies of {@code Async.blocking}, virtual threads
 * that a library has started) use a connection as they would use the driver's own: a call blocks, an interrupt ends the
 * wait for a connection with an {@link SQLException}, and a connection that is not closed is lost until the garbage
 * collector has found it. After the end of the run no caller gets a connection any more, not even a shutdown hook;
 * connections that threads still have then can be used and closed. All waiters for a connection are served in the order
 * of their calls.
 */
public final class PooledDataSource implements DataSource, AutoCloseable {
    private final Sessions sessions;
    private final Connector connector;
    private final int min;
    private final int max;
    private volatile @Nullable PrintWriter logWriter;

    private PooledDataSource(Sessions sessions, Connector connector, int min, int max) {
        this.sessions = sessions;
        this.connector = connector;
        this.min = min;
        this.max = max;
    }

    /**
     * Begins a data source of connections to a URL.
     *
     * @param url of JDBC; a driver for it is on the class path
     * @throws IllegalArgumentException if it does not begin with {@code jdbc:}, or if each connection would have its
     *     own database in memory
     */
    public static Builder forUrl(String url) {
        if (!Objects.requireNonNull(url, "url").startsWith("jdbc:"))
            throw new IllegalArgumentException(
                    "a JDBC URL begins with jdbc:, got " + Urls.masked(url).replaceAll("\\p{Cntrl}", "?"));
        if (Urls.isPrivateMemory(url))
            throw new IllegalArgumentException("with " + Urls.masked(url)
                    + " each connection has a database of its own; give the database in memory a name");
        return new Builder(url, null);
    }

    /**
     * Begins a data source that pools the connections of another data source.
     *
     * @param source makes connections, and does not pool them itself
     */
    public static Builder around(DataSource source) {
        return new Builder(null, Objects.requireNonNull(source, "source"));
    }

    /**
     * Returns a connection for the calling coroutine or thread alone: an idle one, else a new one if there are fewer
     * than {@link Builder#max}, else the next that comes free.
     *
     * @return to be closed by the caller; the end of a coroutine closes it too
     * @throws java.sql.SQLTransientConnectionException if none came free within {@link Builder#connectionTimeout}, if
     *     connecting took longer than that, or if the circuit breaker refuses
     * @throws SQLException if the data source is closed or its run has ended, if connecting fails, if the thread is
     *     interrupted while it waits, or if the caller is a callback of a loop or a coroutine that is ending
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
     * Returns the one connection for all coroutines; any number of them may use it at once. The first call of a
     * coroutine that needs the database takes a physical connection. It is given back as soon as the coroutine has no
     * transaction, statement, result or locator open; after an {@code unwrap} only at the end of the coroutine.
     * {@code close()} gives it back at once, rolled back, and leaves the shared connection open for all coroutines.
     * Auto-commit, isolation and other settings are each coroutine's own. If the physical connection is lost, the next
     * use gets another one; if a transaction is lost with it, the coroutine has to roll back or close first. To threads
     * that are no coroutines its methods throw an {@link SQLException}, because the data source would not learn of
     * their end.
     *
     * @return always the same
     */
    public Connection shared() {
        return sessions.shared();
    }

    /**
     * True if the calling coroutine has a transaction open on the shared connection; takes no connection.
     *
     * @throws SQLException if the caller is no coroutine, or one that is ending
     */
    public boolean inTransaction() throws SQLException {
        return sessions.isInTransaction();
    }

    /**
     * Returns the pool of physical connections: how many there are and how many are in use, statistics, the circuit
     * breaker.
     */
    public Pool<?> pool() {
        return sessions.pool();
    }

    /** Returns how many connections are kept at least: {@link Builder#min}. */
    public int min() {
        return min;
    }

    /** Returns how many connections there are at most: {@link Builder#max}. */
    public int max() {
        return max;
    }

    /**
     * Closes idle connections at once and those in use when they are given back; callers that wait for a connection get
     * an {@link SQLException}. Idempotent. A caller that is no coroutine of the data source's runtime waits until the
     * loop has done so: at most for {@link Builder#connectionTimeout}, and until it is interrupted or cancelled. A
     * callback of another loop does not wait.
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

    /** Stores the writer; nothing is ever written to it. */
    @Override
    public void setLogWriter(@Nullable PrintWriter out) {
        logWriter = out;
    }

    /**
     * Not supported: {@link Builder#connectionTimeout} is the limit.
     *
     * @throws SQLFeatureNotSupportedException always
     */
    @Override
    public void setLoginTimeout(int seconds) throws SQLException {
        throw new SQLFeatureNotSupportedException("the data source is built already; use connectionTimeout there");
    }

    /** Returns {@link Builder#connectionTimeout} in seconds, rounded up; 0 for no limit. */
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
        if (Objects.requireNonNull(type, "type").isInstance(this)) return type.cast(this);
        if (connector instanceof SourceConnector around) {
            if (type.isInstance(around.source())) return type.cast(around.source());
            return around.source().unwrap(type);
        }
        throw new SQLException("this data source wraps no " + type.getName());
    }

    @Override
    public boolean isWrapperFor(Class<?> type) throws SQLException {
        if (Objects.requireNonNull(type, "type").isInstance(this)) return true;
        return connector instanceof SourceConnector around
                && (type.isInstance(around.source()) || around.source().isWrapperFor(type));
    }

    @Override
    public String toString() {
        return sessions.pool() + " of connections to " + connector.target();
    }

    /** Collects the settings of a data source. Not thread-safe. */
    public static final class Builder {
        private static final AtomicLong COUNTER = new AtomicLong();

        /** A limit that no program reaches; sums of it in nanoseconds fit into a long. */
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
        private @Nullable Boolean resetAfterUse;
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
         * The name of the data source in messages. Default: "jdbc-" and a number.
         *
         * @param name any
         */
        public Builder name(String name) {
            this.name = Objects.requireNonNull(name, "name");
            return this;
        }

        /**
         * The user of the database. Default: as the URL or the other data source says.
         *
         * @param user its name
         */
        public Builder user(String user) {
            return with("user", user);
        }

        /**
         * The user's password. Default: as the URL or the other data source says.
         *
         * @param password appears in no message
         */
        public Builder password(String password) {
            return with("password", password);
        }

        /**
         * A property for the driver; each connection gets a copy.
         *
         * @param key as the driver calls it
         * @param value its value
         * @throws IllegalArgumentException if the connections come from another data source, unless the key is user or
         *     password
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
         * @param min 0 to max; {@link #build} checks that
         */
        public Builder min(int min) {
            this.min = min;
            return this;
        }

        /**
         * How many connections there are at most. Default 10.
         *
         * @param max >= 1; {@link #build} checks that
         */
        public Builder max(int max) {
            this.max = max;
            return this;
        }

        /**
         * How long to wait for a connection that comes free, and how long an attempt to connect may take; a call may
         * take both times. While the server can't take connections yet, attempts begin until the time is over. Default
         * 30 s.
         *
         * @param timeout >= 0; zero for no limit
         * @throws IllegalArgumentException if it is negative
         */
        public Builder connectionTimeout(Duration timeout) {
            this.connectionTimeout = notNegative(timeout, "connectionTimeout");
            return this;
        }

        /**
         * How long it may take to check a connection, to clean it, to close it, and for a cancelled statement to end.
         * Default 5 s.
         *
         * @param timeout > 0
         * @throws IllegalArgumentException if it is not positive
         */
        public Builder validationTimeout(Duration timeout) {
            Duration bounded = notNegative(timeout, "validationTimeout");
            if (!bounded.isPositive())
                throw new IllegalArgumentException("validationTimeout must be > 0, got " + timeout);
            this.validationTimeout = bounded;
            return this;
        }

        /**
         * How old a connection becomes; each gets up to a fortieth less, at random, so that not all expire at once. One
         * in use is replaced after it is given back. Default 30 min.
         *
         * @param lifetime >= 0; zero for no limit
         * @throws IllegalArgumentException if it is negative
         */
        public Builder maxLifetime(Duration lifetime) {
            this.maxLifetime = notNegative(lifetime, "maxLifetime");
            return this;
        }

        /**
         * How long a connection may be idle if there are more than {@link #min}. Default 10 min.
         *
         * @param timeout >= 0; zero for no limit
         * @throws IllegalArgumentException if it is negative
         */
        public Builder idleTimeout(Duration timeout) {
            this.idleTimeout = notNegative(timeout, "idleTimeout");
            return this;
        }

        /**
         * How long an idle connection goes unchecked before the server is asked whether it still works. Default 2 min.
         * Apart from that, a connection is checked before it is handed out if its last use or check was 500 ms ago or
         * more.
         *
         * @param time >= 0; zero for no such check
         * @throws IllegalArgumentException if it is negative
         */
        public Builder keepaliveTime(Duration time) {
            this.keepaliveTime = notNegative(time, "keepaliveTime");
            return this;
        }

        /**
         * How often idle connections are examined for {@link #maxLifetime}, {@link #idleTimeout} and
         * {@link #keepaliveTime}. Default 30 s.
         *
         * @param interval >= 0; zero for never
         * @throws IllegalArgumentException if it is negative
         */
        public Builder healthcheckInterval(Duration interval) {
            this.healthcheckInterval = notNegative(interval, "healthcheckInterval");
            return this;
        }

        /**
         * How long a coroutine or thread may keep a connection before that is reported, once, with the place where it
         * was taken: as a warning of the logger {@code org.trueasync.jdbc}. Time in which something held the loop, so
         * that the connection could not be given back, does not count. Default zero: never.
         *
         * @param threshold >= 0
         * @throws IllegalArgumentException if it is negative
         */
        public Builder leakDetectionThreshold(Duration threshold) {
            this.leakDetectionThreshold = notNegative(threshold, "leakDetectionThreshold");
            return this;
        }

        /**
         * SQL to run on each new connection, and again after its session was reset. Default: none.
         *
         * @param sql one statement
         */
        public Builder connectionInitSql(String sql) {
            this.initSql = Objects.requireNonNull(sql, "sql");
            return this;
        }

        /**
         * SQL that restores the original state of a session that SQL has changed. Default: {@code DISCARD ALL} on
         * PostgreSQL; elsewhere none, and such a connection is closed.
         *
         * @param sql one statement
         */
        public Builder resetSql(String sql) {
            this.resetSql = Objects.requireNonNull(sql, "sql");
            return this;
        }

        /**
         * Whether a session is reset each time its connection is given back, if anything was executed. No text of a
         * statement shows what functions, triggers and views do to the session. True on PostgreSQL by default, where it
         * costs one round trip and keeps prepared statements; a {@link #resetSql} of your own is run instead, and
         * prepared statements go. Elsewhere false by default; true runs {@link #resetSql}, and without one replaces the
         * connection. If false, only those changes are undone that the beginning of a statement shows ({@code SET},
         * {@code LISTEN}, temporary tables...), or that the server reports by itself.
         *
         * @param on false if nothing that is executed changes the session unseen
         */
        public Builder resetAfterUse(boolean on) {
            this.resetAfterUse = on;
            return this;
        }

        /**
         * How many unused prepared statements each connection keeps; the least recently used is closed first. Default
         * 64.
         *
         * @param statements >= 0; zero for none
         * @throws IllegalArgumentException if it is negative
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
         * Has a strategy decide about the pool's circuit breaker; connections that are lost count as failures. Default:
         * none, the program opens and closes it.
         *
         * @param strategy of this data source alone
         */
        public Builder circuitBreaker(CircuitBreakerStrategy strategy) {
            this.strategy = Objects.requireNonNull(strategy, "strategy");
            return this;
        }

        /**
         * Whether helper threads make the driver's calls, while only the coroutine waits: for drivers that wait or
         * compute in native code, or inside the JVM, where they would hold the loop. Each connection makes one call at
         * a time, in order. A call costs a hop to another thread and back; what the driver has at hand, such as the
         * columns of the current row, costs none. Platform threads other than the loop make their calls themselves.
         * Default: true for SQLite and DuckDB, else false.
         *
         * @param on false to have all calls made on the calling thread
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
         * Builds the data source and makes its first {@link #min} connections.
         *
         * @throws IllegalArgumentException if min and max don't go together, or another data source would get a
         *     password without a user
         * @throws SQLException if one of the first connections can't be made
         * @throws org.trueasync.AsyncException outside a runtime, or if the call has to wait and the caller is no
         *     coroutine
         * @throws org.trueasync.AsyncCancellation if the coroutine was cancelled meanwhile
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
                    resetAfterUse,
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
            return new PooledDataSource(sessions, connector, min, max);
        }
    }
}
