package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.sql.Connection;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.Coroutine;

/** Sessions that are reset on the way to their next use. */
@Tag("P33")
@Timeout(60)
class PostgresResetTest {
    private static final String ROLE = "resets";
    private static final int USES = 40;

    /** Empty if nothing of an earlier user is there. */
    private static final String TRACES = """
            select concat_ws(', ',
                nullif(current_setting('my.setting', true), ''),
                case when current_setting('search_path') <> '"$user", public' then 'search_path' end,
                case when current_setting('statement_timeout') <> '0' then 'statement_timeout' end,
                case when current_user <> session_user then 'role' end,
                (select 'lock' from pg_locks where locktype = 'advisory' and pid = pg_backend_pid() limit 1),
                (select 'table' where to_regclass('pg_temp.mine') is not null),
                (select 'cursor' from pg_cursors where name = 'mine'),
                (select 'listens' from pg_listening_channels() limit 1),
                (select 'transaction' where pg_current_xact_id_if_assigned() is not null))
            """;

    private static final List<String> UNSEEN = List.of(
            "set my.setting to mine",
            "set search_path to nowhere",
            "set statement_timeout to 3600000",
            "set role pg_read_all_data",
            "select pg_advisory_lock(hashtext(pg_backend_pid()::text))",
            "create temporary table mine(n int)",
            "declare mine cursor with hold for select 1",
            "listen news",
            "select set_config(''my.setting'', ''mine'', false)");

    private static PostgresServer server;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    @BeforeEach
    void role() throws SQLException {
        server.role(ROLE, 4);
        server.execute("grant pg_read_all_data to " + ROLE);
        server.executeAs(
                ROLE,
                "create table thing(n int)",
                "create function does(what text) returns int language plpgsql as $$ begin execute what; return 1; end $$");
    }

    private static PooledDataSource.Builder pool(int max) {
        return PooledDataSource.forUrl(server.url()).user(ROLE).max(max);
    }

    private static String does(String unseen) {
        return "select resets.does('" + unseen + "')";
    }

    /** Between two uses nothing waits, so that no reset is late, except if the machine is. */
    @ParameterizedTest
    @CsvSource({"false, extended, 1", "true, extended, 3", "false, extendedForPrepared, 2"})
    void uses_costOnlyTheirOwnRoundTrips(boolean inTransaction, String mode, int each) {
        Async.run(() -> {
            try (var proxy = new CountingProxy(server.port());
                    var db = PooledDataSource.forUrl("jdbc:postgresql://127.0.0.1:" + proxy.port() + "/postgres")
                            .user(ROLE)
                            .property("preferQueryMode", mode)
                            .max(1)
                            .build()) {
                for (int i = 0; i < 2; i++) use(db, inTransaction);
                int before = proxy.roundTrips();
                for (int i = 0; i < USES; i++) use(db, inTransaction);
                assertThat(proxy.roundTrips() - before).isBetween(each * USES, each * USES + USES / 4);
            }
        });
    }

    private static void use(PooledDataSource db, boolean inTransaction) throws SQLException {
        try (Connection c = db.getConnection()) {
            if (inTransaction) c.setAutoCommit(false);
            assertThat(Sql.number(c, "select 1")).isEqualTo(1);
            if (!inTransaction) return;
            assertThat(Sql.number(c, "select 2")).isEqualTo(2);
            c.commit();
        }
    }

    /** After {@code DISCARD ALL} the server does not know the reset's own statements any more. */
    @Test
    void visibleChangesInBetween_theConnectionStays() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                var pids = new HashSet<Integer>();
                for (int i = 0; i < 4; i++) {
                    for (String sql : List.of("select 1", "set my.setting to mine", does(UNSEEN.get(i)))) {
                        try (Connection c = db.getConnection()) {
                            assertThat(Sql.text(c, TRACES)).isEmpty();
                            Sql.execute(c, sql);
                            pids.add(Sql.pid(c));
                        }
                    }
                }
                assertThat(pids).hasSize(1);
            }
        });
    }

    @Test
    void lockOfAnEarlierUser_isFreeWithoutANextOne() {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                for (int i = 0; i < 3; i++) {
                    try (Connection c = db.getConnection()) {
                        Sql.execute(c, does("select pg_advisory_lock(4711)"));
                    }
                    server.awaitNumber(
                            0, "locks", "select count(*) from pg_locks where locktype = 'advisory' and objid = 4711");
                }
            }
        });
    }

    @Test
    void holderThatHasNotUsedItsConnectionYet_holdsNoLockOfTheLastUser() {
        Async.run(() -> {
            try (var db = pool(2).build()) {
                for (int i = 0; i < 3; i++) {
                    try (Connection c = db.getConnection()) {
                        Sql.execute(c, does("select pg_advisory_lock(4712)"));
                    }
                    try (Connection same = db.getConnection();
                            Connection other = db.getConnection()) {
                        Sql.execute(other, "select pg_advisory_xact_lock(4712)");
                        assertThat(same.isClosed()).isFalse();
                    }
                }
            }
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void resetThatFails_theNextStatementIsNotExecuted(boolean inTransaction) {
        Async.run(() -> {
            try (var db = pool(1).build()) {
                use(db, false);
                int written = 0;
                for (int i = 0; i < 10; i++) {
                    try (Connection c = db.getConnection()) {
                        Sql.execute(c, does("set my.setting to mine"), does("deallocate all"));
                    }
                    try (Connection c = db.getConnection()) {
                        if (inTransaction) c.setAutoCommit(false);
                        Sql.execute(c, "insert into thing values (1)");
                        assertThat(Sql.text(c, TRACES)).isIn("", "transaction");
                        if (inTransaction) c.commit();
                        written++;
                    } catch (SQLException e) {
                        assertThat(e.getSQLState()).isEqualTo("08006");
                        assertThat(e.getCause()).hasMessageContaining("could not be reset");
                    }
                    try (Connection c = db.getConnection()) {
                        assertThat(Sql.text(c, TRACES)).isEmpty();
                        assertThat(Sql.number(c, "select count(*) from thing")).isEqualTo(written);
                    }
                }
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @ParameterizedTest
    @Tag("deep")
    @ValueSource(longs = {1, 2, 3, 4})
    void usersWhoAreCancelledNowAndThen_meetNothingOfEachOther(long seed) {
        var random = new Random(seed);
        var traces = new ArrayList<String>();
        Async.run(() -> {
            try (var db = pool(3).build()) {
                var users = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 60; i++) {
                    var own = new Random(random.nextLong());
                    users.add(spawn(() -> uses(db, own, traces)));
                }
                for (int i = 0; i < 40; i++) {
                    delay(random.nextInt(12));
                    users.get(random.nextInt(users.size())).cancel();
                }
                for (Coroutine<?> user : users) awaitSettled(user);
                assertThat(db.pool().activeCount()).isZero();
                assertThat(db.pool().count()).isBetween(1, 3);
            }
        });
        assertThat(traces).isEmpty();
    }

    private static void awaitSettled(Coroutine<?> user) {
        try {
            await(user);
        } catch (org.trueasync.AsyncCancellation cancelled) {
            // on purpose
        }
    }

    private static void uses(PooledDataSource db, Random random, List<String> traces) throws SQLException {
        for (int i = 0; i < 25; i++) {
            try (Connection c = db.getConnection()) {
                String found = Sql.text(c, TRACES);
                if (!found.isEmpty()) traces.add(found);
                boolean transaction = random.nextInt(3) == 0;
                if (transaction) c.setAutoCommit(false);
                Sql.execute(c, does(UNSEEN.get(random.nextInt(UNSEEN.size()))));
                if (random.nextInt(4) == 0) Sql.execute(c, "select pg_sleep(0.02)");
                if (transaction && random.nextBoolean()) c.commit();
            }
            if (random.nextInt(5) == 0) delay(random.nextInt(4));
        }
    }
}
