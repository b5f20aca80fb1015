package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.*;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Deque;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;

/**
 * A bank on a bad day: 1,000 tellers with 50 transfers each over 10 connections, while sessions are killed, the server
 * is restarted and tellers are cancelled in the middle. Each transfer is done exactly once, the money stays, and nobody
 * finds in a session what another has left there.
 */
@Tag("deep")
@Tag("P31")
@Tag("P33")
@Tag("P34")
@Tag("F60")
@Tag("F61")
@Tag("F62")
@Timeout(600)
class PostgresBankTest {
    private static final String ROLE = "bank";
    private static final int MAX = 10;
    private static final int TELLERS = 1_000;
    private static final int TRANSFERS = 20;
    private static final int ACCOUNTS = 200;
    private static final int INITIAL = 1_000;

    /** What a session says of itself before a transfer begins. */
    private static final String TRACES = """
            select concat_ws(' ',
                case when pg_current_xact_id_if_assigned() is not null then 'transaction' end,
                case when current_setting('search_path') <> '"$user", public' then 'search_path' end,
                case when current_setting('statement_timeout') <> '0' then 'statement_timeout' end,
                case when current_setting('default_transaction_read_only') <> 'off' then 'read_only' end,
                case when current_setting('bank.teller', true) <> '' then 'teller ' || current_setting('bank.teller', true) end,
                case when to_regclass('pg_temp.litter') is not null then 'temporary table' end,
                (select 'listens ' || min(c) from pg_listening_channels() c),
                (select 'prepared ' || min(name) from pg_prepared_statements where name like 'litter%'))""";

    /** The same; costs the server more than a transfer does. */
    private static final String LOCKS =
            "select 'lock ' || min(objid) from pg_locks where locktype = 'advisory' and pid = pg_backend_pid()";

    /** What is left lying about, to be swept up by the pool. */
    private static final List<String> LITTER = List.of(
            "set search_path to nowhere",
            "set statement_timeout to '1h'",
            "set default_transaction_read_only to on",
            "set bank.teller to 'somebody'",
            "create temporary table litter(what text)",
            "listen litter",
            "select pg_advisory_lock(42)",
            "prepare litter as select 1",
            "begin",
            "begin; insert into journal values (-1, -1, 0, 0, 0)");

    private static PostgresServer server;

    @BeforeAll
    static void server() {
        server = PostgresServer.get();
    }

    @Test
    void thousandTellersWithSessionsOfTheirOwn_moneyUnchanged() throws Exception {
        onABadDay(false);
    }

    @Test
    void thousandTellersOnTheSharedConnection_moneyUnchanged() throws Exception {
        onABadDay(true);
    }

    private static void onABadDay(boolean shared) throws Exception {
        long seed = Long.getLong("trueasync.test.seed", 20261121L);
        server.role(ROLE, MAX);
        server.executeAs(
                ROLE,
                "create table account(id int primary key, balance bigint not null)",
                "create table journal(teller int, number int, giver int, taker int, amount int, primary key (teller, number))",
                "insert into account select n, " + INITIAL + " from generate_series(0, " + (ACCOUNTS - 1) + ") n");
        var history = new HashMap<String, List<String>>();
        try (var trouble = new Trouble(server, ROLE, seed)) {
            Async.run(() -> {
                try (var db = PooledDataSource.forUrl(server.url())
                        .user(ROLE)
                        .name(ROLE)
                        .max(MAX)
                        .connectionTimeout(Duration.ofSeconds(60))
                        .build()) {
                    new Bank(db, shared, seed, trouble, history).open();
                    assertThat(db.pool().activeCount()).isZero();
                    assertThat(db.pool().count()).isLessThanOrEqualTo(MAX);
                    server.awaitNoTransaction(ROLE);
                }
            });
            assertThat(trouble.mostConnections()).isBetween(1, MAX);
        }
        server.awaitConnections(ROLE, 0);
        try (Connection c = server.superuser()) {
            Sql.execute(c, "set search_path to " + ROLE);
            assertThat(Sql.number(c, "select sum(balance) from account")).isEqualTo(ACCOUNTS * INITIAL);
            assertThat(Sql.number(c, "select count(*) from journal")).isEqualTo(TELLERS * TRANSFERS);
            assertThat(contradictions(c, history))
                    .as("accounts whose balance is not what the journal says")
                    .isEmpty();
        }
    }

    /**
     * Accounts whose balance is not what the journal says, and what became of each attempt at the transfers that may be
     * to blame.
     */
    private static List<String> contradictions(Connection c, Map<String, List<String>> history) throws SQLException {
        var found = new ArrayList<String>();
        try (var query = c.createStatement();
                ResultSet account = query.executeQuery("""
                        select id, balance - said from (select id, balance, %d
                            + (select coalesce(sum(amount), 0) from journal where taker = a.id)
                            - (select coalesce(sum(amount), 0) from journal where giver = a.id) said from account a) compared
                        where balance <> said order by id""".formatted(INITIAL))) {
            while (account.next()) {
                int id = account.getInt(1);
                long more = account.getLong(2);
                found.add("account " + id + " has " + more + " more than it should; transfers of so much:");
                found.addAll(suspects(c, id, Math.abs(more), history));
            }
        }
        return found;
    }

    private static List<String> suspects(Connection c, int account, long amount, Map<String, List<String>> history)
            throws SQLException {
        var found = new ArrayList<String>();
        try (var query = c.createStatement();
                ResultSet row = query.executeQuery(
                        "select teller, number, giver, taker, xmin from journal where %d in (giver, taker) and amount = %d"
                                .formatted(account, amount))) {
            while (row.next()) {
                String transfer = row.getInt(1) + "/" + row.getInt(2);
                found.add("  " + transfer + " from " + row.getInt(3) + " to " + row.getInt(4) + ", transaction "
                        + row.getString(5) + ": " + history.get(transfer));
            }
        }
        return found;
    }

    /**
     * One of its tellers is one coroutine after another: who is cancelled has a successor that goes on with the next
     * transfer.
     */
    private static final class Bank {
        final PooledDataSource db;
        final boolean shared;
        final Random random;
        final Trouble trouble;
        /** What became of each attempt at a transfer. */
        final Map<String, List<String>> history;

        final Deque<Coroutine<?>> atWork = new ArrayDeque<>();
        int done;
        int cancelled;
        int failed;

        /** True once a teller had an error that has nothing to do with the bad day. */
        boolean hasFailed;

        Bank(PooledDataSource db, boolean shared, long seed, Trouble trouble, Map<String, List<String>> history) {
            this.db = db;
            this.shared = shared;
            this.random = new Random(seed);
            this.trouble = trouble;
            this.history = history;
        }

        void open() {
            for (int i = 0; i < TELLERS; i++) begins(i, 0);
            Coroutine<?> supervisor = spawn(this::supervise);
            try {
                while (!atWork.isEmpty()) leaves(atWork.removeFirst());
            } finally {
                supervisor.cancel();
            }
            IO.println("bank: %d transfers, %d errors, %d cancelled, %s".formatted(done, failed, cancelled, trouble));
            assertThat(cancelled).isGreaterThan(100);
            assertThat(failed).isGreaterThan(10);
        }

        /**
         * Cancelled after the last thing it waited for, a teller has done all its work and ends as cancelled
         * nevertheless.
         */
        private void leaves(Coroutine<?> teller) {
            try {
                await(teller);
            } catch (AsyncCancellation e) {
                // of the bank itself, because a teller has failed
                if (hasFailed) throw e;
                assertThat(teller.isCancelled()).isTrue();
            }
        }

        /** If nothing is done for long, says who waits for what. */
        private void supervise() throws SQLException {
            for (int before = -1; before != done; delay(Duration.ofSeconds(20))) before = done;
            IO.println("nothing done for 20 s: " + db + ", " + db.pool().stats());
            Async.dump()
                    .lines()
                    .filter(l -> !l.contains("pool 'bank'"))
                    .limit(200)
                    .forEach(IO::println);
            try (Connection c = server.superuser();
                    var query = c.createStatement();
                    ResultSet rows = query.executeQuery(
                            "select pid, state, wait_event, query from pg_stat_activity where usename = 'bank'")) {
                while (rows.next())
                    IO.println(rows.getInt(1) + " " + rows.getString(2) + " " + rows.getString(3) + " "
                            + rows.getString(4));
            }
        }

        void begins(int teller, int first) {
            atWork.add(spawn(() -> {
                int number = first;
                try {
                    for (; number < TRANSFERS; number++) {
                        while (!transferred(teller, number)) {
                            failed++;
                            delay(5 + random.nextInt(20));
                        }
                        trouble.progress(++done);
                    }
                } catch (AsyncCancellation e) {
                    cancelled++;
                    begins(teller, number);
                } catch (Throwable e) {
                    // who comes later fails because the bank is closing
                    if (hasFailed) return;
                    hasFailed = true;
                    throw e;
                }
            }));
        }

        boolean transferred(int teller, int number) throws SQLException {
            Connection mine = shared ? db.shared() : null;
            try {
                if (mine == null) mine = db.getConnection();
                transfer(mine, teller, number);
                return true;
            } catch (SQLException e) {
                // closed: the bank has failed, and nobody would ever be served again
                if (!PostgresServer.AWAY.contains(e.getSQLState()) || db.pool().isClosed()) throw e;
                if (shared) givesUp(mine);
                return false;
            } finally {
                if (!shared && mine != null) mine.close();
            }
        }

        private static void givesUp(Connection mine) throws SQLException {
            try {
                if (!mine.getAutoCommit()) mine.rollback();
                else mine.close(); // ends what SQL has begun
            } catch (SQLException e) {
                if (!PostgresServer.AWAY.contains(e.getSQLState())) throw e;
            }
            mine.setAutoCommit(true);
        }

        private void transfer(Connection mine, int teller, int number) throws SQLException {
            var steps = new StringBuilder("coroutine #" + currentCoroutine().id());
            try {
                transfer(mine, teller, number, steps);
            } catch (Throwable e) {
                steps.append(" ").append(e);
                throw e;
            } finally {
                history.computeIfAbsent(teller + "/" + number, t -> new ArrayList<>(1))
                        .add(steps.toString());
            }
        }

        private void transfer(Connection mine, int teller, int number, StringBuilder steps) throws SQLException {
            assertThat(mine.getAutoCommit()).isTrue();
            assertThat(Sql.text(mine, TRACES)).as("left by another").isEmpty();
            if (random.nextInt(8) == 0)
                assertThat(Sql.text(mine, LOCKS)).as("left by another").isNull();
            mine.setAutoCommit(false);
            boolean doomed = random.nextInt(30) == 0;
            if (doomed) cancelSoon(currentCoroutine());
            if (doomed) steps.append(" doomed");
            int giver = random.nextInt(ACCOUNTS);
            int taker = (giver + 1 + random.nextInt(ACCOUNTS - 1)) % ACCOUNTS;
            int amount = 1 + random.nextInt(100);
            boolean isNew = journal(mine, teller, number, giver, taker, amount);
            steps.append(isNew ? " new" : " known");
            if (isNew) {
                move(mine, Math.min(giver, taker), giver < taker ? -amount : amount);
                steps.append(" moved");
                move(mine, Math.max(giver, taker), giver < taker ? amount : -amount);
                steps.append(" moved");
            }
            if (doomed && random.nextBoolean()) Sql.execute(mine, "select pg_sleep(60)");
            mine.commit();
            steps.append(" committed");
            mine.setAutoCommit(true);
            boolean last = number == TRANSFERS - 1;
            if (shared ? last : random.nextInt(20) == 0) Sql.execute(mine, LITTER.get(random.nextInt(LITTER.size())));
        }

        /** At some moment of what the coroutine does next, or while it waits for a connection later on. */
        private void cancelSoon(Coroutine<?> victim) {
            int millis = random.nextInt(4);
            spawn(() -> {
                delay(millis);
                victim.cancel();
            });
        }

        /**
         * Whether this transfer is a new one: a connection that is lost in a commit does not say whether it was done.
         */
        private static boolean journal(Connection mine, int teller, int number, int giver, int taker, int amount)
                throws SQLException {
            try (var insert =
                    mine.prepareStatement("insert into journal values (?, ?, ?, ?, ?) on conflict do nothing")) {
                insert.setInt(1, teller);
                insert.setInt(2, number);
                insert.setInt(3, giver);
                insert.setInt(4, taker);
                insert.setInt(5, amount);
                return insert.executeUpdate() == 1;
            }
        }

        /** The smaller account first, so that no two transfers wait for each other. */
        private static void move(Connection mine, int account, int amount) throws SQLException {
            try (var update = mine.prepareStatement("update account set balance = balance + ? where id = ?")) {
                update.setInt(1, amount);
                update.setInt(2, account);
                assertThat(update.executeUpdate()).isEqualTo(1);
            }
        }
    }
}
