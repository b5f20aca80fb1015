package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.internal.testkit.Nightly;
import org.trueasync.internal.testkit.Resources;
import org.trueasync.internal.testkit.Writes;
import org.trueasync.jdbc.PostgresServer.Stop;

/**
 * A real PostgreSQL is killed with SIGKILL, again and again, while many coroutines write through one pool: the whole
 * server, which then starts anew, or one session, which makes the server end all others and recover. What was
 * acknowledged is there once, and by both its rows; what has failed before its commit is not. The pool recovers by
 * itself, within a minute; nothing is left over.
 */
class KillsNightly {
    private static final String ROLE = "kills";
    private static final int MAX = 10;
    private static final int WRITERS = 120;
    private static final int LONGEST_PEACE_MILLIS = 600;
    private static final int LONGEST_ABSENCE_MILLIS = 300;
    private static final Duration RECOVERS = Duration.ofSeconds(60);

    private final Random random = new Random(Long.getLong("trueasync.nightly.seed", System.nanoTime()));
    private final Writes writes = new Writes();
    private int kills;
    private int ofOneSession;
    private long longestRecovery;
    private @Nullable Resources early;

    @Test
    @Timeout(7_200)
    void killedServer_whatWasAcknowledgedIsThereOnce_andThePoolRecovers() throws Exception {
        PostgresServer server = PostgresServer.get();
        server.role(ROLE, MAX);
        server.executeAs(ROLE, "create table written(id bigint, part int)");
        long begin = System.nanoTime();
        long nanos = Nightly.budget(5).toNanos();
        try {
            Async.run(() -> {
                try (var db = PooledDataSource.forUrl(server.url())
                        .user(ROLE)
                        .max(MAX)
                        .connectionTimeout(RECOVERS)
                        .build()) {
                    do {
                        round(server, db);
                        if (early == null && System.nanoTime() - begin > nanos / 4) early = Resources.now();
                    } while (System.nanoTime() - begin < nanos);
                }
            });
            server.awaitConnections(ROLE, 0);
        } finally {
            server.start();
        }
        if (early != null) Resources.now().requireNoMoreThan(early);
        Nightly.figure(
                "kills of PostgreSQL",
                "%,d kills, %,d of them of one session; %s; all %d coroutines wrote again within %,d ms"
                        .formatted(kills, ofOneSession, writes, WRITERS, longestRecovery));
    }

    private void round(PostgresServer server, PooledDataSource db) throws Exception {
        var writers = new ArrayList<Writer>();
        var running = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < WRITERS; i++) {
            var writer = new Writer(db);
            writers.add(writer);
            running.add(spawn(writer::run));
        }
        delay(random.nextInt(LONGEST_PEACE_MILLIS));
        long back = kill(server);
        for (Writer writer : writers) writer.successes = 0;
        try {
            withTimeout(RECOVERS, () -> {
                for (Writer writer : writers) while (writer.successes == 0) delay(1);
            });
        } catch (AsyncTimeoutException e) {
            throw new AssertionError(
                    "the pool has not recovered: " + db + ", " + db.pool().stats() + "\n" + dump(), e);
        }
        longestRecovery = Math.max(longestRecovery, (System.nanoTime() - back) / 1_000_000);
        for (Writer writer : writers) writer.isOver = true;
        awaitAllOrFail(running);
        assertThat(db.pool().activeCount()).isZero();
        assertThat(db.pool().count()).isLessThanOrEqualTo(MAX);
        assertThat(coroutines()).hasSize(1);
        assertThat(writes.compare(blocking(() -> found(server)))).isEmpty();
    }

    /** Returns when the server is there again: that time. */
    private long kill(PostgresServer server) throws Exception {
        kills++;
        if (random.nextInt(4) == 0 && blocking(() -> server.killOne(ROLE))) {
            ofOneSession++;
        } else {
            int absence = random.nextInt(LONGEST_ABSENCE_MILLIS);
            blocking(() -> {
                server.stop(Stop.KILLED);
                Thread.sleep(absence);
                server.start();
            });
        }
        return System.nanoTime();
    }

    private static Map<Long, Integer> found(PostgresServer server) throws SQLException {
        Map<Long, Integer> found = new HashMap<>();
        try (Connection c = server.superuser()) {
            Sql.execute(c, "set search_path to " + ROLE);
            try (var query = c.createStatement();
                    ResultSet row = query.executeQuery(
                            "select id, count(*), count(*) filter (where part = 1) from written group by id")) {
                while (row.next()) found.put(row.getLong(1), row.getInt(2) == 2 * row.getInt(3) ? row.getInt(3) : -1);
            }
            Sql.execute(c, "truncate written");
        }
        return found;
    }

    /** Writes one thing after another. */
    private final class Writer {
        private final PooledDataSource db;
        private int successes;
        private boolean isOver;

        Writer(PooledDataSource db) {
            this.db = db;
        }

        void run() throws SQLException {
            while (!isOver) {
                try {
                    if (random.nextBoolean()) inOneStatement(db.shared());
                    else inATransaction();
                    successes++;
                    delay(random.nextInt(10));
                } catch (SQLException e) {
                    if (!PostgresServer.AWAY.contains(e.getSQLState())) throw e;
                    delay(5 + random.nextInt(20));
                }
            }
        }

        private void inOneStatement(Connection shared) throws SQLException {
            long write = writes.begin();
            try {
                Sql.execute(shared, "insert into written values (%1$d, 1), (%1$d, 2)".formatted(write));
                writes.acknowledged(write);
            } catch (SQLException e) {
                writes.unknown(write);
                throw e;
            }
        }

        private void inATransaction() throws SQLException {
            try (Connection mine = db.getConnection()) {
                mine.setAutoCommit(false);
                long write = writes.begin();
                try {
                    for (int part = 1; part <= 2; part++)
                        Sql.execute(mine, "insert into written values (%d, %d)".formatted(write, part));
                } catch (SQLException e) {
                    writes.refused(write);
                    throw e;
                }
                try {
                    mine.commit();
                } catch (SQLException e) {
                    writes.unknown(write);
                    throw e;
                }
                writes.acknowledged(write);
            }
        }
    }
}
