package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/**
 * Users of the shared connection do what comes to their mind, some are cancelled and some sessions are killed. Each
 * knows which of its rows must be there, and no two meet on one session while one of them has a transaction.
 */
@Tag("deep")
@Tag("P31")
@Tag("P32")
@Tag("P33")
@Tag("P36")
@Tag("F62")
@Timeout(600)
class PostgresRandomTest {
    private static final String ROLE = "random";
    private static final int USERS = 300;

    /** On the average, between two disturbances. */
    private static final int ACTS_IN_PEACE = 20;

    /** Killed, or kept waiting for too long by those who sit on all connections. */
    private static final Set<String> BAD_DAY = Set.of("57P01", "08006", "08003", "08007", "08001");

    private static PostgresServer server;

    private final Map<Integer, User> sessionsInTransaction = new HashMap<>();
    private int acts;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    @ParameterizedTest
    @ValueSource(longs = {1, 2, 3, 4})
    void usersOfTheSharedConnection_findTheirRowsAndNobodyElsesSession(long seed) {
        server.role(ROLE, 4);
        server.executeAs(ROLE, "create table thing(who int, n int)", "create index on thing(who)");
        var random = new Random(seed);
        Async.run(() -> {
            try (var db = PooledDataSource.forUrl(server.url())
                    .user(ROLE)
                    .max(4)
                    .statementCache((int) seed)
                    .connectionTimeout(Duration.ofSeconds(20))
                    .build()) {
                var users = new ArrayList<User>();
                var atWork = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < USERS; i++) {
                    var user = new User(db, i, new Random(random.nextLong()));
                    users.add(user);
                    atWork.add(spawn(user::works));
                }
                disturb(atWork, random);
                for (Coroutine<?> one : atWork) await(one);
                assertThat(db.pool().activeCount()).isZero();
                assertThat(db.pool().count()).isLessThanOrEqualTo(4);
                server.awaitNoTransaction(ROLE);
                // whom the last disturbance has killed is found out after half a second without work
                delay(600);
                for (User user : users) user.finds(db.shared());
                assertThat(users.stream().mapToInt(u -> u.committed.size()).sum())
                        .isGreaterThan(USERS);
            }
        });
        server.awaitConnections(ROLE, 0);
    }

    /**
     * So often for so much work, and not for so much time: or on a slow machine everybody is cancelled before having
     * done anything.
     */
    private void disturb(List<Coroutine<?>> atWork, Random random) {
        int next = 0;
        while (atWork.stream().anyMatch(c -> !c.isCompleted())) {
            delay(1);
            while (next <= acts) {
                next += 1 + random.nextInt(2 * ACTS_IN_PEACE);
                Coroutine<?> one = atWork.get(random.nextInt(USERS));
                if (random.nextInt(3) == 0) one.cancel();
                if (random.nextInt(30) == 0) server.terminateAll(ROLE);
            }
        }
    }

    private final class User {
        final PooledDataSource db;
        final Connection shared;
        final int id;
        final Random random;
        final Set<Integer> committed = new HashSet<>();
        final Set<Integer> pending = new HashSet<>();
        /** Nobody has told how their commit ended. */
        final Set<Integer> unknown = new HashSet<>();

        final List<Statement> open = new ArrayList<>();
        int next;
        boolean raw;
        boolean committing;
        int session;

        User(PooledDataSource db, int id, Random random) {
            this.db = db;
            this.shared = db.shared();
            this.id = id;
            this.random = random;
        }

        void works() throws SQLException {
            try {
                for (int i = 5 + random.nextInt(25); i > 0; i--) {
                    try {
                        act();
                        acts++;
                    } catch (SQLException e) {
                        if (!BAD_DAY.contains(e.getSQLState())) throw e;
                        recovers();
                    }
                }
                if (random.nextBoolean()) closesAll();
            } catch (AsyncCancellation e) {
                // may come at any moment
            } finally {
                if (committing) unknown.addAll(pending);
                leavesTransaction();
            }
        }

        void act() throws SQLException {
            boolean byHand = !shared.getAutoCommit();
            assertThat(db.inTransaction()).as("in a transaction").isEqualTo(raw || (byHand && session != 0));
            switch (random.nextInt(12)) {
                case 0, 1, 2 -> inserts(byHand);
                case 3 -> counts(byHand);
                case 4 -> {
                    if (!byHand && !raw) shared.setAutoCommit(false);
                }
                case 5 -> {
                    if (!byHand && !raw) begins();
                }
                case 6, 7 -> {
                    if (byHand || raw) ends(byHand, random.nextInt(3) > 0);
                }
                case 8 -> leavesOpen(byHand);
                case 9 -> {
                    if (byHand) savepoint();
                }
                case 10 -> {
                    Sql.execute(shared, "set statement_timeout to " + (60_000 + random.nextInt(1000)));
                    if (byHand && session == 0) entersTransaction();
                }
                default -> delay(random.nextInt(3));
            }
        }

        private void begins() throws SQLException {
            Sql.execute(shared, "begin");
            raw = true;
            entersTransaction();
        }

        private void entersTransaction() throws SQLException {
            session = Sql.pid(shared);
            assertThat(sessionsInTransaction.put(session, this))
                    .as("who else is on it")
                    .isNull();
        }

        private void leavesTransaction() {
            pending.clear();
            raw = false;
            committing = false;
            if (session != 0) sessionsInTransaction.remove(session, this);
            session = 0;
        }

        private void sameSession() throws SQLException {
            if (session != 0) assertThat(Sql.pid(shared)).isEqualTo(session);
        }

        private void inserts(boolean byHand) throws SQLException {
            int n = ++next;
            boolean alone = !byHand && !raw;
            if (alone) {
                pending.add(n);
                committing = true;
            }
            try (var insert = shared.prepareStatement("insert into thing values (?, ?)")) {
                insert.setInt(1, id);
                insert.setInt(2, n);
                insert.executeUpdate();
            }
            if (alone) {
                committed.add(n);
                leavesTransaction();
            } else {
                pending.add(n);
                if (session == 0) entersTransaction();
                sameSession();
            }
        }

        private void counts(boolean byHand) throws SQLException {
            if (!unknown.isEmpty()) return;
            assertThat(Sql.number(shared, "select count(*) from thing where who = " + id))
                    .isEqualTo(committed.size() + pending.size());
            if (byHand && session == 0) entersTransaction();
            sameSession();
        }

        private void ends(boolean byHand, boolean commit) throws SQLException {
            committing = commit;
            // nobody else may be blamed for meeting the session as soon as it is free
            if (session != 0) sessionsInTransaction.remove(session, this);
            if (!byHand) Sql.execute(shared, commit ? "commit" : "rollback");
            else if (commit) shared.commit();
            else shared.rollback();
            if (commit) committed.addAll(pending);
            leavesTransaction();
            if (byHand && random.nextBoolean()) shared.setAutoCommit(true);
        }

        private void savepoint() throws SQLException {
            var savepoint = shared.setSavepoint();
            if (session == 0) entersTransaction();
            Sql.execute(shared, "insert into thing values (" + id + ", " + ++next + ")");
            shared.rollback(savepoint);
            sameSession();
        }

        private void leavesOpen(boolean byHand) throws SQLException {
            if (open.size() > 2) {
                closesAll();
                return;
            }
            Statement statement = shared.createStatement();
            open.add(statement);
            statement.setFetchSize(2);
            ResultSet rows = statement.executeQuery("select * from generate_series(1, 10)");
            assertThat(rows.next()).isTrue();
            assertThat(db.pool().activeCount()).isPositive();
            if (byHand && session == 0) entersTransaction();
        }

        private void closesAll() throws SQLException {
            for (Statement one : open) one.close();
            open.clear();
        }

        /** After an error of a bad day. */
        private void recovers() throws SQLException {
            if (committing) unknown.addAll(pending);
            leavesTransaction();
            open.clear();
            try {
                if (!shared.getAutoCommit()) shared.rollback();
            } catch (SQLException e) {
                if (!BAD_DAY.contains(e.getSQLState())) throw e;
            }
            shared.close();
            shared.setAutoCommit(true);
        }

        void finds(Connection c) throws SQLException {
            var found = new HashSet<Integer>();
            try (var query = c.prepareStatement("select n from thing where who = ?")) {
                query.setInt(1, id);
                try (ResultSet rows = query.executeQuery()) {
                    while (rows.next()) assertThat(found.add(rows.getInt(1))).isTrue();
                }
            }
            assertThat(found).containsAll(committed);
            found.removeAll(committed);
            assertThat(unknown).containsAll(found);
        }
    }
}
