package org.trueasync.internal.jdbc;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a data source was built with. Durations of zero mean never, or no limit.
 *
 * @param name what messages call it
 * @param connector makes connections
 * @param min how many the pool keeps
 * @param connectionTimeout how long to wait for a connection, and how long connecting may take
 * @param validationTimeout how long it may take to check a connection, to clean or to close it, and for a cancelled
 *     statement to end; > 0
 * @param maxLifetime how old a connection becomes
 * @param idleTimeout how long a connection may be idle if there are more than min
 * @param keepaliveTime how long an idle connection goes unchecked
 * @param leakDetectionThreshold how long a user may keep a connection before that is reported
 * @param initSql run on each new connection, and after each reset of its session
 * @param resetSql restores a session's original state
 * @param resetAfterUse whether a session is reset after each use, null for with PostgreSQL only
 * @param statementCache prepared statements kept for each connection
 * @param autoCommit how sessions begin
 * @param readOnly how sessions begin, null for as the driver does
 * @param isolation how sessions begin, null for as the driver does
 * @param schema how sessions begin, null for as the driver does
 * @param catalog how sessions begin, null for as the driver does
 */
public record Settings(
        String name,
        Connector connector,
        int min,
        Duration connectionTimeout,
        Duration validationTimeout,
        Duration maxLifetime,
        Duration idleTimeout,
        Duration keepaliveTime,
        Duration leakDetectionThreshold,
        @Nullable String initSql,
        @Nullable String resetSql,
        @Nullable Boolean resetAfterUse,
        int statementCache,
        boolean autoCommit,
        @Nullable Boolean readOnly,
        @Nullable Integer isolation,
        @Nullable String schema,
        @Nullable String catalog) {}
