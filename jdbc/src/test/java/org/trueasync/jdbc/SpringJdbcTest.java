package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.springframework.dao.DataIntegrityViolationException;
import org.springframework.dao.DuplicateKeyException;
import org.springframework.jdbc.core.DataClassRowMapper;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.jdbc.core.simple.JdbcClient;
import org.springframework.jdbc.core.simple.SimpleJdbcInsert;
import org.springframework.jdbc.datasource.DataSourceTransactionManager;
import org.springframework.jdbc.datasource.DelegatingDataSource;
import org.springframework.jdbc.datasource.SingleConnectionDataSource;
import org.springframework.jdbc.support.GeneratedKeyHolder;
import org.springframework.transaction.TransactionDefinition;
import org.springframework.transaction.support.TransactionSynchronization;
import org.springframework.transaction.support.TransactionSynchronizationManager;
import org.springframework.transaction.support.TransactionTemplate;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/** Spring's JdbcTemplate as it is: its resources are bound to threads, and each coroutine is one. */
@Tag("P31")
@Tag("P33")
class SpringJdbcTest {
    private static final String ROLE = "spring";
    private static final int MAX = 5;

    private static PostgresServer server;

    record Book(long id, String title, int pages) {}

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    @BeforeEach
    void table() {
        server.role(ROLE, MAX);
        server.executeAs(
                ROLE,
                "create table book(id bigint generated always as identity primary key, title text unique not null, pages int not null)");
    }

    private interface Work {
        void with(PooledDataSource db, JdbcTemplate jdbc) throws Exception;
    }

    private static void run(Work work) {
        Async.run(() -> {
            try (var db =
                    PooledDataSource.forUrl(server.url()).user(ROLE).max(MAX).build()) {
                work.with(db, new JdbcTemplate(db));
                assertThat(db.pool().activeCount()).isZero();
            }
            server.awaitConnections(ROLE, 0);
        });
    }

    private static TransactionTemplate transactions(DataSource db) {
        return new TransactionTemplate(new DataSourceTransactionManager(db));
    }

    @Test
    void queriesMappedToRecords_fromManyCoroutines() {
        run((db, jdbc) -> {
            var writers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 200; i++) {
                int n = i;
                writers.add(spawn(() -> {
                    jdbc.update("insert into book(title, pages) values (?, ?)", "book " + n, n);
                    Book found = jdbc.queryForObject(
                            "select * from book where title = ?", new DataClassRowMapper<>(Book.class), "book " + n);
                    assertThat(Objects.requireNonNull(found).pages()).isEqualTo(n);
                }));
            }
            awaitAllOrFail(writers);
            assertThat(jdbc.queryForObject("select sum(pages) from book", Integer.class))
                    .isEqualTo(199 * 200 / 2);
            assertThat(JdbcClient.create(db)
                            .sql("select * from book where pages < :limit order by pages")
                            .param("limit", 3)
                            .query(Book.class)
                            .list())
                    .extracting(Book::title)
                    .containsExactly("book 0", "book 1", "book 2");
        });
    }

    @Test
    void transactionTemplate_commitsAndRollsBackPerCoroutine() {
        run((db, jdbc) -> {
            var transactions = transactions(db);
            var users = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 100; i++) {
                int n = i;
                users.add(spawn(() -> {
                    try {
                        transactions.executeWithoutResult(status -> {
                            int pid = pid(jdbc);
                            jdbc.update("insert into book(title, pages) values (?, 1)", "a" + n);
                            suspend();
                            jdbc.update("insert into book(title, pages) values (?, 1)", "b" + n);
                            assertThat(pid(jdbc)).isEqualTo(pid);
                            if (n % 3 == 0) status.setRollbackOnly();
                            if (n % 3 == 1) throw new IllegalStateException("on purpose");
                        });
                        assertThat(n % 3).isNotEqualTo(1);
                    } catch (IllegalStateException e) {
                        assertThat(n % 3).isEqualTo(1);
                    }
                }));
            }
            awaitAllOrFail(users);
            assertThat(jdbc.queryForObject("select count(*) from book", Integer.class))
                    .isEqualTo(2 * 33);
        });
    }

    private static int pid(JdbcTemplate jdbc) {
        return Objects.requireNonNull(jdbc.queryForObject("select pg_backend_pid()", Integer.class));
    }

    @Test
    void nestedAndSuspendedTransactions_asSpringHasThem() {
        run((db, jdbc) -> {
            var outer = transactions(db);
            var nested = transactions(db);
            nested.setPropagationBehavior(TransactionDefinition.PROPAGATION_NESTED);
            var apart = transactions(db);
            apart.setPropagationBehavior(TransactionDefinition.PROPAGATION_REQUIRES_NEW);
            outer.executeWithoutResult(status -> {
                jdbc.update("insert into book(title, pages) values ('outer', 1)");
                nested.executeWithoutResult(inner -> {
                    jdbc.update("insert into book(title, pages) values ('nested', 1)");
                    inner.setRollbackOnly();
                });
                apart.executeWithoutResult(other -> jdbc.update("insert into book(title, pages) values ('apart', 1)"));
                status.flush();
            });
            assertThat(jdbc.queryForList("select title from book order by title", String.class))
                    .containsExactly("apart", "outer");
        });
    }

    @Test
    void readOnlyAndIsolation_areOfTheTransactionAlone() {
        run((db, jdbc) -> {
            var reading = transactions(db);
            reading.setReadOnly(true);
            reading.setIsolationLevel(TransactionDefinition.ISOLATION_SERIALIZABLE);
            for (int i = 0; i < 2 * MAX; i++) {
                reading.executeWithoutResult(status -> {
                    assertThat(jdbc.queryForObject("show transaction_isolation", String.class))
                            .isEqualTo("serializable");
                    assertThat(jdbc.queryForObject("show transaction_read_only", String.class))
                            .isEqualTo("on");
                });
                assertThat(jdbc.queryForObject("show transaction_isolation", String.class))
                        .isEqualTo("read committed");
                jdbc.update("insert into book(title, pages) values (?, 1)", "after " + i);
            }
        });
    }

    @Test
    void batchAndGeneratedKeys() {
        run((db, jdbc) -> {
            var rows = new ArrayList<Object[]>();
            for (int i = 0; i < 1_000; i++) rows.add(new Object[] {"book " + i, i});
            assertThat(jdbc.batchUpdate("insert into book(title, pages) values (?, ?)", rows))
                    .hasSize(1_000)
                    .containsOnly(1);

            var keys = new GeneratedKeyHolder();
            jdbc.update(
                    c -> {
                        var insert = c.prepareStatement(
                                "insert into book(title, pages) values ('keyed', 7)", new String[] {"id"});
                        return insert;
                    },
                    keys);
            assertThat(jdbc.queryForObject("select pages from book where id = ?", Integer.class, keys.getKey()))
                    .isEqualTo(7);
            Number key = new SimpleJdbcInsert(db)
                    .withTableName("book")
                    .usingGeneratedKeyColumns("id")
                    .executeAndReturnKey(Map.of("title", "simple", "pages", 8));
            assertThat(jdbc.queryForObject("select title from book where id = ?", String.class, key))
                    .isEqualTo("simple");
        });
    }

    @Test
    void streamedResult_holdsItsConnectionWhileItIsRead() {
        run((db, jdbc) -> {
            jdbc.setFetchSize(50);
            var transactions = transactions(db);
            var readers = new ArrayList<Coroutine<Long>>();
            for (int i = 0; i < 20; i++) {
                readers.add(spawn(() -> transactions.execute(status -> {
                    try (var numbers = jdbc.queryForStream(
                            "select n from generate_series(1, 1000) n", (row, n) -> row.getLong(1))) {
                        return numbers.peek(n -> {
                                    if (n % 50 == 0) suspend();
                                })
                                .mapToLong(n -> n)
                                .sum();
                    }
                })));
            }
            for (var reader : readers) assertThat(await(reader)).isEqualTo(500_500L);
            try (var numbers =
                    jdbc.queryForStream("select n from generate_series(1, 1000) n", (row, n) -> row.getLong(1))) {
                assertThat(numbers.limit(3).toList()).containsExactly(1L, 2L, 3L);
                assertThat(db.pool().activeCount()).isEqualTo(1);
            }
        });
    }

    @Test
    void errors_areTranslated() {
        run((db, jdbc) -> {
            jdbc.update("insert into book(title, pages) values ('twice', 1)");
            assertThatThrownBy(() -> jdbc.update("insert into book(title, pages) values ('twice', 1)"))
                    .isInstanceOf(DuplicateKeyException.class);
            assertThatThrownBy(() -> jdbc.update("insert into book(title, pages) values (null, 1)"))
                    .isInstanceOf(DataIntegrityViolationException.class);
        });
    }

    @Test
    @Tag("P34")
    void cancelledInATransaction_rolledBackAndTheCancellationIsNotTranslated() {
        run((db, jdbc) -> {
            var transactions = transactions(db);
            var victim = spawn(() -> transactions.executeWithoutResult(status -> {
                jdbc.update("insert into book(title, pages) values ('never', 1)");
                jdbc.execute("select pg_sleep(600)");
            }));
            server.suspendUntilAsleep(ROLE);
            victim.cancel();
            assertThatThrownBy(() -> await(victim)).isInstanceOf(AsyncCancellation.class);
            server.awaitIdle(ROLE);
            assertThat(jdbc.queryForObject("select count(*) from book", Integer.class))
                    .isZero();
        });
    }

    /** Spring swallows whatever closing a statement throws, and setting a connection back. */
    @Test
    @Tag("P34")
    void cancelledBeforeAStatementIsClosed_theNextStatementThrowsIt() {
        run((db, jdbc) -> {
            var victim = spawn(() -> transactions(db).executeWithoutResult(status -> {
                jdbc.execute((Statement s) -> {
                    s.execute("insert into book(title, pages) values ('never', 1)");
                    Async.currentCoroutine().cancel();
                    return null;
                });
                jdbc.execute("select pg_sleep(600)");
            }));
            assertThatThrownBy(() -> await(victim)).isInstanceOf(AsyncCancellation.class);
            assertThat(jdbc.queryForObject("select count(*) from book", Integer.class))
                    .isZero();
        });
    }

    @Test
    @Tag("P34")
    void cancelledBeforeAReadOnlyTransaction_itsFirstStatementThrowsIt() {
        run((db, jdbc) -> {
            // Before it has its connection Spring makes an error of its own of anything.
            var transactions = transactions(new DelegatingDataSource(db) {
                @Override
                public Connection getConnection() throws SQLException {
                    Connection connection = super.getConnection();
                    Async.currentCoroutine().cancel();
                    return connection;
                }
            });
            transactions.setReadOnly(true);
            var victim =
                    spawn(() -> transactions.executeWithoutResult(status -> jdbc.queryForList("select * from book")));
            assertThatThrownBy(() -> await(victim)).isInstanceOf(AsyncCancellation.class);
            assertThat(victim.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("P34")
    void cancelledAfterTheCommit_committedAndTheNextWaitThrowsIt() {
        run((db, jdbc) -> {
            var transactions = transactions(db);
            var victim = spawn(() -> {
                transactions.executeWithoutResult(status -> {
                    TransactionSynchronizationManager.registerSynchronization(new TransactionSynchronization() {
                        @Override
                        public void afterCommit() {
                            Async.currentCoroutine().cancel();
                        }
                    });
                    jdbc.update("insert into book(title, pages) values ('kept', 1)");
                });
                delay(600_000);
            });
            assertThatThrownBy(() -> await(victim)).isInstanceOf(AsyncCancellation.class);
            assertThat(jdbc.queryForObject("select count(*) from book", Integer.class))
                    .isEqualTo(1);
        });
    }

    @Test
    @Tag("P32")
    void onTheSharedConnection_eachCoroutineHasItsOwn() {
        run((db, own) -> {
            var jdbc = new JdbcTemplate(new SingleConnectionDataSource(db.shared(), true));
            var users = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 100; i++) {
                int n = i;
                users.add(spawn(() -> jdbc.update("insert into book(title, pages) values (?, ?)", "shared " + n, n)));
            }
            awaitAllOrFail(users);
            assertThat(jdbc.queryForObject("select count(*) from book", Integer.class))
                    .isEqualTo(100);
            List<Connection> seen = new ArrayList<>();
            jdbc.execute((Connection c) -> seen.add(c));
            assertThat(seen).hasSize(1);
        });
    }
}
