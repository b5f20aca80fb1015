package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatObject;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.sql.Connection;
import java.sql.SQLException;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.CsvSource;
import org.postgresql.PGConnection;
import org.trueasync.Async;

/** What a connection is like when the next one gets it. There is one connection, so that the next one does. */
@Tag("P33")
@Tag("F62")
class PostgresReturnTest {
    private static final String ROLE = "handover";

    private static PostgresServer server;

    /** Executions of the prepared statement so far. */
    private int times;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    @BeforeEach
    void table() throws SQLException {
        server.role(ROLE, 1);
        server.executeAs(ROLE, "create table thing(n int)");
        // nobody can tell from its use what each of these does to the session
        server.executeAs(
                ROLE,
                "create function travels() returns text language sql"
                        + " as $$ select set_config('TimeZone', 'Asia/Tokyo', false) $$",
                "create function does(what text) returns int language plpgsql as $$ begin execute what; return 1; end $$");
    }

    private static PooledDataSource.Builder one() {
        return PooledDataSource.forUrl(server.url()).user(ROLE).max(1);
    }

    private interface Use {
        void with(Connection connection) throws Exception;
    }

    /**
     * What two coroutines do, one after the other, each with the only connection; returns whether it was the same
     * physical one.
     */
    private static boolean oneAfterTheOther(PooledDataSource db, boolean shared, Use first, Use second)
            throws Exception {
        int[] pids = new int[2];
        Use[] uses = {first, second};
        for (int i = 0; i < 2; i++) {
            int n = i;
            await(spawn(() -> {
                if (shared) {
                    uses[n].with(db.shared());
                    pids[n] = Sql.pid(db.shared());
                } else {
                    try (Connection mine = db.getConnection()) {
                        pids[n] = Sql.pid(mine);
                        uses[n].with(mine);
                    }
                }
            }));
            assertThat(db.pool().activeCount()).isZero();
            assertThat(server.inTransaction(ROLE)).isZero();
        }
        return pids[0] == pids[1];
    }

    @ParameterizedTest
    @CsvSource({"false,begin", "false,autocommit", "true,begin", "true,autocommit"})
    @Tag("P32")
    void openTransaction_rolledBackAndTheConnectionGoesOn(boolean shared, String how) {
        Async.run(() -> {
            try (var db = one().build()) {
                assertThat(oneAfterTheOther(
                                db,
                                shared,
                                c -> {
                                    if (how.equals("begin")) Sql.execute(c, "begin");
                                    else c.setAutoCommit(false);
                                    Sql.execute(c, "insert into thing values (1)");
                                },
                                c -> {
                                    assertThat(c.getAutoCommit()).isTrue();
                                    assertThat(Sql.number(c, "select count(*) from thing"))
                                            .isZero();
                                }))
                        .as("the same connection")
                        .isTrue();
            }
        });
    }

    @Test
    void transactionThatHasFailed_nextOneBeginsAnew() {
        Async.run(() -> {
            try (var db = one().build()) {
                assertThat(oneAfterTheOther(
                                db,
                                false,
                                c -> {
                                    c.setAutoCommit(false);
                                    assertThatThrownBy(() -> Sql.execute(c, "select 1/0"))
                                            .isInstanceOf(SQLException.class);
                                    assertThatThrownBy(() -> Sql.execute(c, "select 1"))
                                            .hasMessageContaining("aborted");
                                },
                                c -> Sql.execute(c, "insert into thing values (1)")))
                        .isTrue();
            }
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "set search_path to nowhere      | select current_setting('search_path')",
                "set statement_timeout to '1h'   | select current_setting('statement_timeout')",
                "set application_name to 'other' | select current_setting('application_name')",
                "set timezone to 'Asia/Tokyo'    | select current_setting('timezone')",
                "set session characteristics as transaction read only | select current_setting('transaction_read_only')",
                "set my.setting to 'mine'        | select coalesce(current_setting('my.setting', true), '')",
                "set role pg_read_all_data       | select current_user",
                "create temporary table t(n int) | select count(to_regclass('pg_temp.t'))",
                "select pg_advisory_lock(7)      | select count(*) from pg_locks where locktype = 'advisory'",
                "listen news                     | select count(*) from pg_listening_channels()",
                "prepare p as select 1           | select count(*) from pg_prepared_statements where name = 'p'",
                "declare c cursor with hold for select 1 | select count(*) from pg_cursors where name = 'c'",
                "select set_config('my.setting', 'mine', false) | select coalesce(current_setting('my.setting', true), '')",
                "do $$ begin perform set_config('my.setting', 'mine', false); end $$ | select coalesce(current_setting('my.setting', true), '')",
                "do $$ begin create temporary table t(n int); end $$ | select count(to_regclass('pg_temp.t'))",
                "select 1 as n into temporary t  | select count(to_regclass('pg_temp.t'))",
                "update pg_settings set setting = '3600000' where name = 'statement_timeout' | select current_setting('statement_timeout')",
                "UPDATE pg_catalog.pg_settings SET setting = 'nowhere' WHERE name = 'search_path' | select current_setting('search_path')",
                "with s as (select 1) update pg_settings set setting = 'on' where name = 'row_security' | select current_setting('row_security')",
                "select travels() | select current_setting('timezone')",
                "select U&\"set\\005fconfig\"('search_path', 'nowhere', false) | select current_setting('search_path')",
                "select does('set my.setting to mine') | select coalesce(current_setting('my.setting', true), '')",
                "select does('set statement_timeout to 3600000') | select current_setting('statement_timeout')",
                "select does('set application_name to other') | select current_setting('application_name')",
                "select does('set role pg_read_all_data') | select current_user",
                "select does('create temporary table t(n int)') | select count(to_regclass('pg_temp.t'))",
                "select does('select pg_advisory_lock(7)') | select count(*) from pg_locks where locktype = 'advisory'",
                "select does('listen news') | select count(*) from pg_listening_channels()",
                "select does('declare c cursor with hold for select 1') | select count(*) from pg_cursors where name = 'c'",
                "insert into thing select length(travels()) | select current_setting('timezone')",
            })
    void sessionStateByRawSql_doesNotCross(String change, String question) {
        server.execute("grant pg_read_all_data to " + ROLE);
        Async.run(() -> {
            try (var db = one().build()) {
                String[] answers = new String[2];
                boolean same = oneAfterTheOther(
                        db,
                        false,
                        c -> {
                            answers[0] = Sql.text(c, question);
                            Sql.execute(c, change);
                        },
                        c -> answers[1] = Sql.text(c, question));
                assertThat(answers[1]).isEqualTo(answers[0]);
                assertThat(same).as("the same connection").isTrue();
            }
        });
    }

    @ParameterizedTest
    @CsvSource(
            delimiter = '|',
            value = {
                "create view views as select does('set my.setting to mine') as n | select * from views",
                "create table filled(n int default does('set my.setting to mine')) | insert into filled default values",
                "create function triggered() returns trigger language plpgsql as $$ begin perform does('set my.setting to mine'); return new; end $$; create trigger triggers before insert on thing for each row execute function triggered() | insert into thing values (1)",
                "create function attribute(thing) returns int language sql as $$ select does('set my.setting to mine') $$ | select (row(1)::thing).attribute",
                "create function added(int, int) returns int language sql as $$ select does('set my.setting to mine') $$; create operator @@@ (leftarg = int, rightarg = int, function = added) | select 1 @@@ 2",
            })
    void sessionStateBehindTheStatement_doesNotCross(String behind, String statement) {
        server.executeAs(ROLE, behind);
        sessionStateByRawSql_doesNotCross(statement, "select coalesce(current_setting('my.setting', true), '')");
    }

    @Test
    void sessionThatIsReset_keepsItsPreparedStatements() {
        Async.run(() -> {
            try (var db = one().property("prepareThreshold", "1").build()) {
                String query = "select count(*) from thing where n = ?";
                Use asks = c -> {
                    try (var statement = c.prepareStatement(query)) {
                        statement.setInt(1, 1);
                        statement.executeQuery().next();
                    }
                    assertThat(Sql.number(
                                    c,
                                    "select generic_plans + custom_plans from pg_prepared_statements"
                                            + " where statement like 'select count(*) from thing where%'"))
                            .isEqualTo(++times);
                };
                assertThat(oneAfterTheOther(db, false, asks, asks)).isTrue();
            }
        });
    }

    @Test
    void sessionThatIsNotReset_isTrusted() {
        Async.run(() -> {
            try (var db = one().resetAfterUse(false).build()) {
                String[] setting = new String[1];
                oneAfterTheOther(
                        db,
                        false,
                        c -> Sql.execute(c, "select does('set my.setting to mine')"),
                        c -> setting[0] = Sql.text(c, "select current_setting('my.setting', true)"));
                assertThat(setting[0]).isEqualTo("mine");
            }
        });
    }

    @Test
    void resetOfOnesOwn_isRunAfterEachUse() {
        Async.run(() -> {
            try (var db = one().resetSql("set my.setting to 'reset'").build()) {
                String[] setting = new String[1];
                oneAfterTheOther(
                        db,
                        false,
                        c -> Sql.execute(c, "select does('set my.setting to mine')"),
                        c -> setting[0] = Sql.text(c, "select current_setting('my.setting', true)"));
                assertThat(setting[0]).isEqualTo("reset");
            }
        });
    }

    @Test
    void settingThroughTheDriverAfterOneUnseen_neitherCrosses() {
        Async.run(() -> {
            try (var db = one().build()) {
                String path = "select current_setting('search_path')";
                String[] answers = new String[3];
                Use changes = c -> {
                    answers[0] = Sql.text(c, path);
                    Sql.execute(c, "select does('set search_path to nowhere')");
                    c.setSchema("elsewhere");
                    c.setReadOnly(true);
                };
                oneAfterTheOther(db, false, changes, c -> {
                    answers[1] = Sql.text(c, path);
                    assertThat(c.isReadOnly()).isFalse();
                });
                oneAfterTheOther(db, false, c -> c.setSchema("elsewhere"), c -> answers[2] = Sql.text(c, path));
                assertThat(answers[1]).isEqualTo(answers[0]);
                assertThat(answers[2]).isEqualTo(answers[0]);
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"set my.setting to 'mine'", "select 1"})
    @Tag("P35")
    void readOnlySessions_areSoAgainAfterAReset(String sql) {
        Async.run(() -> {
            try (var db =
                    one().property("readOnlyMode", "always").readOnly(true).build()) {
                Use looks = c -> {
                    Sql.execute(c, sql);
                    assertThat(Sql.text(c, "show transaction_read_only")).isEqualTo("on");
                };
                assertThat(oneAfterTheOther(db, false, looks, looks)).isTrue();
            }
        });
    }

    @Test
    void sessionStateThroughTheDriver_doesNotCross() {
        Async.run(() -> {
            try (var db = one().build()) {
                oneAfterTheOther(
                        db,
                        false,
                        c -> {
                            c.setAutoCommit(false);
                            c.setReadOnly(true);
                            c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                            c.setSchema("public");
                            c.setClientInfo("ApplicationName", "mine");
                            c.setHoldability(java.sql.ResultSet.CLOSE_CURSORS_AT_COMMIT);
                            Sql.execute(c, "select 1");
                        },
                        c -> {
                            assertThat(c.getAutoCommit()).isTrue();
                            assertThat(c.isReadOnly()).isFalse();
                            assertThat(c.getTransactionIsolation()).isEqualTo(Connection.TRANSACTION_READ_COMMITTED);
                            assertThat(c.getSchema()).isEqualTo(ROLE);
                            assertThat(Sql.text(c, "select current_setting('application_name')"))
                                    .isNotEqualTo("mine");
                            assertThat(Sql.text(c, "show transaction_isolation"))
                                    .isEqualTo("read committed");
                            Sql.execute(c, "insert into thing values (1)");
                        });
            }
        });
    }

    @Test
    @Tag("P36")
    void warningsAndNotifications_doNotCross() {
        Async.run(() -> {
            try (var db = one().build()) {
                oneAfterTheOther(
                        db,
                        false,
                        c -> {
                            Sql.execute(c, "listen news", "notify news, 'for the first one'", "select 1");
                            Sql.execute(c, "do $$ begin raise warning 'for the first one'; end $$");
                        },
                        c -> {
                            assertThatObject(c.getWarnings()).isNull();
                            assertThat(c.unwrap(PGConnection.class).getNotifications())
                                    .isNullOrEmpty();
                        });
            }
        });
    }

    @Test
    @Tag("P35")
    void whatTheBuilderHasSet_isThereAgainForTheNextOne() {
        server.execute("create schema if not exists elsewhere authorization handover");
        Async.run(() -> {
            try (var db = one().connectionInitSql("set statement_timeout to '59min'")
                    .schema("elsewhere")
                    .readOnly(true)
                    .transactionIsolation(Connection.TRANSACTION_REPEATABLE_READ)
                    .autoCommit(false)
                    .build()) {
                Use looks = c -> {
                    assertThat(c.getAutoCommit()).isFalse();
                    assertThat(Sql.text(c, "select current_setting('statement_timeout')"))
                            .isEqualTo("59min");
                    assertThat(Sql.text(c, "select current_schema()")).isEqualTo("elsewhere");
                    assertThat(Sql.text(c, "show transaction_isolation")).isEqualTo("repeatable read");
                    assertThat(Sql.text(c, "show transaction_read_only")).isEqualTo("on");
                };
                Use changes = c -> {
                    looks.with(c);
                    c.rollback();
                    c.setReadOnly(false);
                    c.setTransactionIsolation(Connection.TRANSACTION_SERIALIZABLE);
                    c.setSchema("public");
                    c.setAutoCommit(true);
                    Sql.execute(c, "set statement_timeout to 0");
                };
                assertThat(oneAfterTheOther(db, false, changes, looks)).isTrue();
                server.terminateAll(ROLE);
                server.awaitConnections(ROLE, 0);
                // longer than a connection is taken for sound after its last use
                delay(600);
                assertThat(oneAfterTheOther(db, false, changes, looks)).isTrue();
            }
        });
    }

    @Test
    @Tag("P35")
    void applicationName_isThereAgainAfterAReset() {
        Async.run(() -> {
            try (var db = one().property("ApplicationName", "shop").build()) {
                assertThat(oneAfterTheOther(
                                db, false, c -> Sql.execute(c, "set application_name to 'other'"), c -> assertThat(
                                                Sql.text(c, "show application_name"))
                                        .isEqualTo("shop")))
                        .isTrue();
            }
        });
    }

    @Test
    @Tag("P32")
    void withoutAutoCommit_aQuestionAboutTheSessionLeavesNoTransactionBehind() {
        Async.run(() -> {
            try (var db = one().autoCommit(false).build()) {
                try (Connection c = db.getConnection()) {
                    // the driver asks the server, which begins a transaction
                    assertThat(c.getSchema()).isEqualTo(ROLE);
                    assertThat(server.inTransaction(ROLE)).isEqualTo(1);
                }
                assertThat(server.inTransaction(ROLE)).isZero();
                assertThat(db.shared().getSchema()).isEqualTo(ROLE);
                assertThat(db.inTransaction()).isTrue();
                db.shared().rollback();
                assertThat(db.inTransaction()).isFalse();
                assertThat(db.pool().activeCount()).isZero();
            }
        });
    }

    @ParameterizedTest
    @CsvSource({"false", "true"})
    @Tag("P32")
    void coroutineThatEndsWithoutClosing_hasGivenBackBeforeItsAwaiterGoesOn(boolean shared) {
        Async.run(() -> {
            try (var db = one().build()) {
                var careless = spawn(() -> {
                    Connection mine = shared ? db.shared() : db.getConnection();
                    mine.setAutoCommit(false);
                    Sql.execute(mine, "insert into thing values (1)");
                    mine.createStatement()
                            .executeQuery("select * from generate_series(1, 1000)")
                            .next();
                });
                await(careless);
                assertThat(db.pool().activeCount()).isZero();
                assertThat(server.inTransaction(ROLE)).isZero();
                assertThat(Sql.number(db.shared(), "select count(*) from thing"))
                        .isZero();
            }
        });
    }

    @Test
    void coroutineThatFails_hasGivenBackBeforeItsAwaiterGoesOn() {
        Async.run(() -> {
            try (var db = one().build()) {
                var failing = spawn(() -> {
                    Connection mine = db.getConnection();
                    Sql.execute(mine, "begin", "insert into thing values (1)");
                    throw new IllegalStateException("on purpose");
                });
                assertThatThrownBy(() -> await(failing)).hasMessage("on purpose");
                assertThat(db.pool().activeCount()).isZero();
                assertThat(Sql.number(db.shared(), "select count(*) from thing"))
                        .isZero();
            }
        });
    }

    @Test
    @Tag("P34")
    void resetThatFails_theConnectionIsDestroyed() {
        Async.run(() -> {
            try (var db = one().build()) {
                assertThat(oneAfterTheOther(
                                db,
                                false,
                                c -> {
                                    Sql.execute(c, "begin");
                                    int pid = Sql.pid(c);
                                    server.terminate(pid);
                                    // the client hears of the end before the transaction has ended
                                    server.awaitConnections(ROLE, 0);
                                },
                                c -> Sql.execute(c, "select 1")))
                        .as("the same connection")
                        .isFalse();
                assertThat(db.pool().count()).isEqualTo(1);
            }
        });
    }
}
