package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.blocking;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.HashMap;
import java.util.Map;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.internal.testkit.Nightly;
import org.trueasync.internal.testkit.Resources;
import org.trueasync.internal.testkit.WritersUnderKills;
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
    private static final int LONGEST_ABSENCE_MILLIS = 300;

    private final Random random = new Random(Long.getLong("trueasync.nightly.seed", System.nanoTime()));
    private final Writes writes = new Writes();
    private int ofOneSession;
    private @Nullable Resources early;

    @Test
    @Timeout(7_200)
    void killedServer_whatWasAcknowledgedIsThereOnce_andThePoolRecovers() throws Exception {
        PostgresServer server = PostgresServer.get();
        server.role(ROLE, WritersUnderKills.CONNECTIONS);
        server.executeAs(ROLE, "create table written(id bigint, part int)");
        try {
            Async.run(() -> {
                try (var db = PooledDataSource.forUrl(server.url())
                        .user(ROLE)
                        .max(WritersUnderKills.CONNECTIONS)
                        .connectionTimeout(WritersUnderKills.RECOVERS)
                        .build()) {
                    var writers = new WritersUnderKills(db.pool(), () -> write(db), random);
                    early = Nightly.repeat(5, () -> {
                        writers.round(() -> kill(server));
                        assertThat(writes.compare(blocking(() -> found(server))))
                                .isEmpty();
                    });
                    Nightly.figure(
                            "kills of PostgreSQL",
                            writers.figures(writes) + "; %,d of the kills of one session".formatted(ofOneSession));
                }
            });
            server.awaitConnections(ROLE, 0);
        } finally {
            server.start();
        }
        if (early != null) Resources.now().requireNoMoreThan(early);
    }

    private void kill(PostgresServer server) throws Exception {
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

    private boolean write(PooledDataSource db) throws SQLException {
        try {
            if (random.nextBoolean()) inOneStatement(db.shared());
            else inATransaction(db);
            return true;
        } catch (SQLException e) {
            if (!PostgresServer.AWAY.contains(e.getSQLState())) throw e;
            return false;
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

    private void inATransaction(PooledDataSource db) throws SQLException {
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
