package org.trueasync.jdbc;

import static org.trueasync.Async.*;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.sql.Connection;
import java.sql.SQLException;
import java.sql.Statement;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import java.util.SplittableRandom;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.PoolStats;
import org.trueasync.RuntimeStats;
import org.trueasync.io.LineReader;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;
import org.trueasync.testkit.simulation.Simulation;

/** A pool whose server and network fail at each step: what its users may count on all the same. */
@Timeout(300)
class SimulatedFaultsTest {
    private static final int PORT = 5432;
    private static final int MAX = 4;
    private static final Duration CALL = Duration.ofSeconds(8);
    private static final Duration VALIDATION = Duration.ofSeconds(2);
    private static final List<String> ASKING =
            List.of("execute", "commit", "rollback", "isValid", "setAutoCommit", "setReadOnly");

    /** A driver that sends a line for each call. */
    private static final class Driver {
        final Simulation sim;
        final FakeDatabase database = new FakeDatabase();
        final Map<FakeDatabase.Session, Wire> wires = new HashMap<>();
        final Map<Coroutine<?>, Integer> leases = new HashMap<>();
        int lastLease;

        static final class Wire {
            final TcpStream stream;
            final LineReader lines;
            Coroutine<?> busy;
            int diedIn = -1;
            int dirtyBy = -1;

            Wire(TcpStream stream) {
                this.stream = stream;
                lines = stream.lines();
            }
        }

        Driver(Simulation sim) {
            this.sim = sim;
            database.disturbance = this::call;
        }

        private void call(FakeDatabase.Session session, String call) throws SQLException {
            if (call.equals("connect")) {
                try {
                    Wire wire = new Wire(connect());
                    try {
                        ask(wire, "hello");
                    } catch (Throwable e) {
                        wire.stream.close();
                        throw e;
                    }
                    wires.put(session, wire);
                } catch (InputOutputException e) {
                    throw new SQLException(e.getMessage(), "08001", e);
                }
                return;
            }
            Wire wire = wires.get(session);
            if (call.equals("close") || call.equals("abort")) {
                wire.stream.close();
                return;
            }
            if (!ASKING.contains(call)) return;
            Integer lease = leases.getOrDefault(currentCoroutine(), -2);
            sim.always(
                    wire.busy == null,
                    "one user at a time: " + call + " of " + currentCoroutine() + " beside " + wire.busy);
            if (call.equals("execute")) {
                sim.always(
                        wire.diedIn == -1 || wire.diedIn == lease,
                        "a connection that is dead is not handed out again: session " + session.number);
                sim.always(
                        wire.dirtyBy == -1 || wire.dirtyBy == lease,
                        "no transaction of another lease: session " + session.number);
            }
            wire.busy = currentCoroutine();
            boolean done = false;
            try {
                if (wire.diedIn != -1) throw new SQLException("it is dead", "08003");
                ask(wire, call);
                done = true;
                if (call.equals("execute") && !session.autoCommit) wire.dirtyBy = lease;
                if (call.equals("commit") || call.equals("rollback")) wire.dirtyBy = -1;
            } finally {
                wire.busy = null;
                if (!done) {
                    if (wire.diedIn == -1) wire.diedIn = lease;
                    wire.stream.close();
                }
            }
        }

        private static TcpStream connect() throws SQLException {
            var made = new CompletableFuture<TcpStream>();
            Coroutine<?> connecting = spawn(() -> {
                try {
                    TcpStream stream = TcpStream.connect("db", PORT);
                    if (!made.complete(stream)) stream.close();
                } catch (InputOutputException e) {
                    made.completeExceptionally(e);
                }
            });
            try {
                return made.get();
            } catch (InterruptedException e) {
                made.cancel(true);
                connecting.cancel();
                Thread.currentThread().interrupt();
                throw new SQLException("closed by interrupt", "08001", e);
            } catch (ExecutionException e) {
                throw new SQLException(e.getCause().getMessage(), "08001", e);
            }
        }

        /** Waits as drivers do, in a way that an interrupt ends. */
        private static void ask(Wire wire, String line) throws SQLException {
            var answer = new CompletableFuture<String>();
            spawn(() -> {
                try {
                    wire.stream.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
                    answer.complete(wire.lines.readLine());
                } catch (InputOutputException e) {
                    answer.completeExceptionally(e);
                }
            });
            try {
                if (!("ok " + line).equals(answer.get())) throw new SQLException("the server has closed it", "08006");
            } catch (InterruptedException e) {
                wire.stream.close();
                Thread.currentThread().interrupt();
                throw new SQLException("closed by interrupt", "08006", e);
            } catch (ExecutionException e) {
                throw new SQLException(e.getCause().getMessage(), "08006", e);
            }
        }
    }

    private static void server(Simulation sim, int[] open) {
        open[0] = 0;
        TcpServer server = TcpServer.listen("0.0.0.0", PORT);
        while (true) {
            TcpStream peer = server.accept();
            spawn(() -> {
                open[0]++;
                try (peer) {
                    for (String line : peer.lines()) {
                        if (sim.random().nextInt(4) == 0) delay(sim.random().nextInt(100));
                        if (sim.random().nextInt(200) == 0 && sim.elapsed().toSeconds() < 60) return;
                        peer.write(ByteBuffer.wrap(("ok " + line + "\n").getBytes(StandardCharsets.UTF_8)));
                    }
                } catch (InputOutputException gone) {
                    // it has gone
                } finally {
                    open[0]--;
                }
            });
        }
    }

    @Test
    void poolStaysWhole() {
        Simulation.explore(5, SimulatedFaultsTest::poolStaysWhole);
    }

    @Test
    @Tag("deep")
    void poolStaysWhole_often() {
        Simulation.explore(100, SimulatedFaultsTest::poolStaysWhole);
    }

    private static void poolStaysWhole(Simulation sim) {
        int[] open = {0};
        sim.host("db", () -> server(sim, open));
        sim.faults()
                .partitions()
                .kills()
                .resets()
                .slowLinks()
                .pauses("db")
                .every(Duration.ofSeconds(3))
                .until(Duration.ofSeconds(60));
        for (String what : List.of("done", "failed", "no connection", "cancelled", "waits")) sim.reachable(what);
        sim.client(() -> client(sim, open));
    }

    private static void client(Simulation sim, int[] open) throws SQLException {
        var random = new SplittableRandom(sim.random().nextLong());
        var driver = new Driver(sim);
        RuntimeStats before = runtimeStats();
        PooledDataSource source = PooledDataSource.around(driver.database.source())
                .min(0)
                .max(MAX)
                .connectionTimeout(Duration.ofSeconds(3))
                .validationTimeout(VALIDATION)
                .idleTimeout(Duration.ofSeconds(20))
                .keepaliveTime(Duration.ofSeconds(5))
                .healthcheckInterval(Duration.ofSeconds(2))
                .maxLifetime(Duration.ofSeconds(30))
                .build();
        var users = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < 7; i++) {
            var own = random.split();
            users.add(spawn(() -> {
                while (sim.elapsed().toSeconds() < 60) {
                    use(sim, driver, source, own);
                    PoolStats stats = source.pool().stats();
                    sim.always(stats.count() <= MAX, "the pool is not too large: " + stats);
                    if (stats.waiting() > 0) sim.reachable("waits");
                    delay(own.nextInt(1_500));
                }
            }));
        }
        users.forEach(user -> await(user));
        delay(Duration.ofSeconds(200).minus(sim.elapsed()));
        sim.always(
                source.pool().stats().active() == 0,
                "none is in use: " + source.pool().stats());
        for (int i = 0; i < 5; i++) {
            withTimeout(Duration.ofSeconds(1), () -> {
                driver.leases.put(currentCoroutine(), ++driver.lastLease);
                try (Connection connection = source.getConnection();
                        Statement statement = connection.createStatement()) {
                    statement.execute("x");
                }
            });
        }
        delay(1_000);
        sim.always(
                open[0] == source.pool().count(),
                "the server has " + open[0] + " of " + source.pool().stats());
        sim.always(
                driver.database.open() == source.pool().count(),
                "the driver has " + driver.database.open() + " of "
                        + source.pool().stats());
        delay(30_000);
        sim.always(source.pool().count() == 0, "idle ones go: " + source.pool().stats());
        source.close();
        delay(1_000);
        sim.always(open[0] == 0, "the server has " + open[0] + " after the end");
        RuntimeStats after = runtimeStats();
        sim.always(
                after.coroutines() == before.coroutines() && after.reactorHandles() == before.reactorHandles(),
                after.toString());
    }

    private static void use(Simulation sim, Driver driver, PooledDataSource source, SplittableRandom random) {
        Duration began = sim.elapsed();
        int lease = ++driver.lastLease;
        driver.leases.put(currentCoroutine(), lease);
        boolean[] had = {false};
        try {
            withTimeout(random.nextInt(4) == 0 ? Duration.ofMillis(1 + random.nextInt(400)) : CALL, () -> {
                try (Connection connection = source.getConnection()) {
                    had[0] = true;
                    boolean transaction = random.nextBoolean();
                    if (transaction) connection.setAutoCommit(false);
                    for (int i = 0; i < 1 + random.nextInt(3); i++) {
                        try (Statement statement = connection.createStatement()) {
                            statement.execute("x");
                        }
                        if (random.nextInt(3) == 0) delay(random.nextInt(300));
                    }
                    if (transaction && random.nextInt(3) > 0) connection.commit();
                }
            });
            sim.reachable("done");
        } catch (SQLException e) {
            sim.reachable(had[0] ? "failed" : "no connection");
        } catch (AsyncTimeoutException e) {
            sim.reachable("cancelled");
        }
        Duration took = sim.elapsed().minus(began);
        sim.always(took.compareTo(CALL.plus(VALIDATION.multipliedBy(3))) <= 0, "a use ends in time, after " + took);
    }
}
