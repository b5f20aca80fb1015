package org.trueasync.bench.database;

import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.io.IOException;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;
import org.trueasync.bench.ProcessClock;
import org.trueasync.jdbc.PooledDataSource;

/**
 * Many users query {@code select 1} over few connections: {@code DatabaseProbe PEER URL}. For each line that comes it
 * makes one pass and prints {@code JDBC}, the microseconds that a query takes, and the microseconds of cpu time that
 * this process takes for a query.
 */
public final class DatabaseProbe {

    static final int USERS = 1_000;
    static final int CONNECTIONS = 10;

    private static final int QUERIES_PER_USER = 5;
    /** How many times a pass makes the queries of all users. */
    static final int TIMES = 8;

    /** Makes the queries of all users once; returns how many answers came. */
    private interface Pass {
        long run();
    }

    private final String url;
    private final int users;
    private final int queriesPerUser;
    private final ProcessClock clock = new ProcessClock(ProcessHandle.current().pid());
    private long answers;

    DatabaseProbe(String url, int users, int queriesPerUser) throws IOException {
        this.url = url;
        this.users = users;
        this.queriesPerUser = queriesPerUser;
    }

    public static void main(String[] arguments) throws Exception {
        var probe = new DatabaseProbe(arguments[1], USERS, QUERIES_PER_USER);
        probe.run(Peer.valueOf(arguments[0]), DatabaseProbe::isToldToGoOn);
    }

    private static boolean isToldToGoOn() {
        ParentWatch.awaitLine();
        return true;
    }

    /**
     * Makes passes until it is told to end.
     *
     * @param goesOn asked before each pass; false ends them
     * @return how many answers came in all
     */
    long run(Peer peer, Callable<Boolean> goesOn) throws Exception {
        switch (peer) {
            case OURS, OURS_NOT_RESET ->
                Async.run(() -> {
                    var builder = PooledDataSource.forUrl(url).max(CONNECTIONS);
                    // as HikariCP, which leaves the sessions as they are
                    if (peer == Peer.OURS_NOT_RESET) builder.resetAfterUse(false);
                    try (var source = builder.build()) {
                        passes(() -> Async.blocking(goesOn), () -> coroutines(source));
                    }
                });
            case HIKARI -> {
                try (var source = new HikariDataSource(hikari())) {
                    passes(goesOn, () -> virtualThreads(source));
                }
            }
            default -> throw new IllegalArgumentException(peer.title + " has no part in this workload");
        }
        return answers;
    }

    private HikariConfig hikari() {
        var settings = new HikariConfig();
        settings.setJdbcUrl(url);
        settings.setMaximumPoolSize(CONNECTIONS);
        settings.setConnectionTimeout(0); // no limit
        return settings;
    }

    private void passes(Callable<Boolean> goesOn, Pass pass) throws Exception {
        while (goesOn.call()) {
            long cpu = clock.nanos();
            long begin = System.nanoTime();
            long done = 0;
            for (int i = 0; i < TIMES; i++) done += pass.run();
            double wall = (System.nanoTime() - begin) / 1e3 / done;
            System.out.println("JDBC " + wall + " " + (clock.nanos() - cpu) / 1e3 / done);
            answers += done;
        }
    }

    private long coroutines(DataSource source) {
        var done = new AtomicLong();
        Body user = () -> done.addAndGet(ask(source));
        var all = new ArrayList<Coroutine<?>>(users);
        for (int i = 0; i < users; i++) all.add(Async.spawn(user));
        for (Coroutine<?> coroutine : all) Async.await(coroutine);
        return done.get();
    }

    private long virtualThreads(DataSource source) {
        var done = new AtomicLong();
        var failure = new Throwable[1];
        Runnable user = () -> {
            try {
                done.addAndGet(ask(source));
            } catch (SQLException | RuntimeException e) {
                failure[0] = e;
            }
        };
        var all = new ArrayList<Thread>(users);
        for (int i = 0; i < users; i++) all.add(Thread.startVirtualThread(user));
        try {
            for (Thread thread : all) thread.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a workload", e);
        }
        if (failure[0] != null) throw new IllegalStateException("the workload failed", failure[0]);
        return done.get();
    }

    /** Makes one user's queries, in the same way for all peers: a connection for each query. */
    private int ask(DataSource source) throws SQLException {
        int sum = 0;
        for (int i = 0; i < queriesPerUser; i++) {
            try (var connection = source.getConnection();
                    var statement = connection.prepareStatement("select 1");
                    var row = statement.executeQuery()) {
                row.next();
                sum += row.getInt(1);
            }
        }
        return sum;
    }
}
