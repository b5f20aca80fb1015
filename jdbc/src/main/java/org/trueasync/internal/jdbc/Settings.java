package org.trueasync.internal.jdbc;

import java.time.Duration;
import org.jspecify.annotations.Nullable;

/**
 * What a data source was built with. Durations of zero mean never, or no limit.
 *
 * @param name what messages call it
 * @param connector makes connections
 * @param min how many the pool keeps
 * @param connectionTimeout how long to wait for a connection
 * @param validationTimeout how long it may take to check a connection, to clean or to close it
 * @param maxLifetime how old a connection becomes
 * @param idleTimeout how long a connection may be idle if there are more than min
 * @param keepaliveTime how long an idle one goes unchecked
 * @param leakDetectionThreshold how long one may be held before that is reported
 * @param initSql run on each new connection
 * @param resetSql restores a session's original state
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
        int statementCache,
        boolean autoCommit,
        @Nullable Boolean readOnly,
        @Nullable Integer isolation,
        @Nullable String schema,
        @Nullable String catalog) {}
