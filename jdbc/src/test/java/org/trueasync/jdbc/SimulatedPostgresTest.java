package org.trueasync.jdbc;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.sql.Connection;
import java.sql.PreparedStatement;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.postgresql.ds.PGSimpleDataSource;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.testkit.simulation.Simulation;

/** PostgreSQL's driver, with a pool of ours before it, and a server of its protocol on another host. */
@Timeout(300)
class SimulatedPostgresTest {
    private static final Duration CALL = Duration.ofSeconds(8);
    private static final Duration VALIDATION = Duration.ofSeconds(2);
    private static final int SUM = WireServer.ACCOUNTS * WireServer.EACH;

    private static PGSimpleDataSource driver() {
        var driver = new PGSimpleDataSource();
        driver.setServerNames(new String[] {"db"});
        driver.setDatabaseName("bank");
        driver.setUser("teller");
        return driver;
    }

    private static PooledDataSource pool() throws SQLException {
        return PooledDataSource.around(driver())
                .name("bank")
                .min(0)
                .max(3)
                .connectionTimeout(Duration.ofSeconds(3))
                .validationTimeout(VALIDATION)
                .build();
    }

    private static void change(Connection connection, int id, int by) throws SQLException {
        try (PreparedStatement update =
                connection.prepareStatement("update account set balance = balance + ? where id = ?")) {
            update.setInt(1, by);
            update.setInt(2, id);
            assertThat(update.executeUpdate()).isEqualTo(1);
        }
    }

    private static int ask(Connection connection, String sql, int... parameters) throws SQLException {
        try (PreparedStatement query = connection.prepareStatement(sql)) {
            for (int i = 0; i < parameters.length; i++) query.setInt(i + 1, parameters[i]);
            try (ResultSet result = query.executeQuery()) {
                result.next();
                return result.getInt(1);
            }
        }
    }

    private static int sum(Connection connection) throws SQLException {
        return ask(connection, "select sum(balance) from account");
    }

    @Test
    void statementsAndTransactions() {
        Simulation.replay(1, sim -> {
            sim.host("db", WireServer::serve);
            sim.client(() -> {
                delay(10);
                PooledDataSource pool = pool();
                for (int i = 0; i < 8; i++) { // the driver prepares a statement at the fifth use
                    try (Connection connection = pool.getConnection()) {
                        connection.setAutoCommit(false);
                        change(connection, 1, 10);
                        change(connection, 2, -10);
                        assertThat(sum(connection)).isEqualTo(SUM);
                        if (i % 2 == 0) connection.commit();
                        else connection.rollback();
                    }
                }
                try (Connection connection = pool.getConnection()) {
                    assertThat(ask(connection, "select balance from account where id = ?", 1))
                            .isEqualTo(WireServer.EACH + 40);
                }
                assertThat(pool.pool().count()).isEqualTo(1);
                pool.close();
            });
        });
    }

    @Test
    void silentServer_aWaitIsEndedByWithTimeout_andThePoolGoesOn() {
        Simulation.replay(1, sim -> {
            sim.host("db", WireServer::serve);
            sim.client(() -> {
                delay(10);
                PooledDataSource pool = pool();
                try (Connection connection = pool.getConnection()) {
                    assertThat(sum(connection)).isEqualTo(SUM);
                }
                sim.cut("client", "db");
                delay(2_000); // by now the pool looks at a connection before it lends it
                Duration begin = sim.elapsed();
                assertThatThrownBy(pool::getConnection).isInstanceOf(SQLException.class);
                assertThat(sim.elapsed().minus(begin)).isBetween(Duration.ofSeconds(2), Duration.ofSeconds(6));
                sim.mend("client", "db");
                delay(1_000);
                // a connection that is lent waits for ever, if nobody ends that
                try (Connection connection = pool.getConnection()) {
                    sim.cut("client", "db");
                    delay(1);
                    Duration asked = sim.elapsed();
                    assertThatThrownBy(() -> withTimeout(Duration.ofSeconds(5), () -> sum(connection)))
                            .isInstanceOf(AsyncTimeoutException.class);
                    // the driver asks the server to cancel, which does not hear it: then its socket is closed
                    assertThat(sim.elapsed().minus(asked))
                            .isEqualTo(Duration.ofSeconds(5).plus(VALIDATION));
                    assertThat(connection.isValid(1)).isFalse();
                } catch (SQLException broken) {
                    assertThat(broken.getMessage()).contains("clos");
                }
                sim.mend("client", "db");
                delay(1_000);
                try (Connection connection = pool.getConnection()) {
                    assertThat(sum(connection)).isEqualTo(SUM);
                }
                pool.close();
            });
        });
    }

    // ---- faults

    /** What tellers have moved to account 0: of which transactions it is known that they are committed. */
    private static final class Moved {
        int known;
        int perhaps;
    }

    private static List<String> bank(Simulation sim) {
        List<String> log = new ArrayList<>();
        var moved = new Moved();
        sim.host("db", WireServer::serve);
        sim.faults()
                .partitions()
                .kills("db")
                .resets()
                .slowLinks()
                .packetLoss()
                .pauses("db")
                .every(Duration.ofSeconds(2))
                .until(Duration.ofSeconds(20));
        for (String what : List.of("committed", "failed")) sim.reachable(what);
        sim.client(() -> {
            delay(10);
            PooledDataSource pool = pool();
            List<Coroutine<?>> tellers = new ArrayList<>();
            for (int i = 1; i < WireServer.ACCOUNTS; i++) {
                int id = i;
                var random = new SplittableRandom(sim.random().nextLong());
                tellers.add(spawn(() -> {
                    while (sim.elapsed().toSeconds() < 20) {
                        move(sim, pool, id, moved, log);
                        delay(random.nextInt(1_500));
                    }
                }));
            }
            for (Coroutine<?> teller : tellers) await(teller);
            delay(Duration.ofSeconds(240)); // what a partition has left at the server has ended by then
            withTimeout(Duration.ofSeconds(5), () -> {
                try (Connection connection = pool.getConnection()) {
                    int balance = ask(connection, "select balance from account where id = ?", 0) - WireServer.EACH;
                    sim.always(sum(connection) == SUM, "no money is made");
                    sim.always(
                            balance >= moved.known && balance <= moved.known + moved.perhaps,
                            balance + " of " + moved.known + " + " + moved.perhaps);
                    log.add(sim.elapsed() + " " + balance + " of " + moved.known + " + " + moved.perhaps);
                }
            });
            sim.always(pool.pool().stats().active() == 0, pool.pool().stats().toString());
            pool.close();
        });
        return log;
    }

    private static void move(Simulation sim, PooledDataSource pool, int from, Moved moved, List<String> log) {
        Duration begin = sim.elapsed();
        boolean[] commits = {false};
        try {
            withTimeout(CALL, () -> {
                try (Connection connection = pool.getConnection()) {
                    connection.setAutoCommit(false);
                    change(connection, from, -1);
                    change(connection, 0, 1);
                    sim.always(sum(connection) == SUM, "a transaction sees all or nothing of others");
                    commits[0] = true;
                    connection.commit();
                    moved.known++;
                    commits[0] = false;
                }
            });
            sim.reachable("committed");
            log.add(sim.elapsed() + " " + from + " committed");
        } catch (SQLException | AsyncTimeoutException e) {
            sim.reachable(e instanceof SQLException ? "failed" : "late");
            log.add(sim.elapsed() + " " + from + " "
                    + e.toString().lines().findFirst().orElse(""));
        }
        if (commits[0]) moved.perhaps++;
        Duration took = sim.elapsed().minus(begin);
        // the limit of the driver's clean-up holds for each of its reads
        sim.always(took.compareTo(CALL.plus(VALIDATION.multipliedBy(2))) <= 0, "a call ends in time, after " + took);
    }

    @Test
    void noMoneyIsLostOrMade_underFaults() {
        Simulation.explore(6, SimulatedPostgresTest::bank);
    }

    @Test
    @Tag("deep")
    void noMoneyIsLostOrMade_underFaults_often() {
        Simulation.explore(300, SimulatedPostgresTest::bank);
    }

    @Test
    void sameSeed_isTheSameRun() {
        Simulation.replay(1, SimulatedPostgresTest::bank); // initialises classes
        for (long seed = 1; seed <= 2; seed++) {
            List<List<String>> both = new ArrayList<>();
            for (int i = 0; i < 2; i++) Simulation.replay(seed, sim -> both.add(bank(sim)));
            assertThat(both.getFirst()).hasSizeGreaterThan(10).isEqualTo(both.getLast());
        }
    }
}
