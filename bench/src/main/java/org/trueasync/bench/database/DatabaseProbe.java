package org.trueasync.bench.database;

import com.sun.management.OperatingSystemMXBean;
import com.zaxxer.hikari.HikariConfig;
import com.zaxxer.hikari.HikariDataSource;
import java.lang.management.ManagementFactory;
import java.sql.SQLException;
import java.util.ArrayList;
import java.util.concurrent.atomic.AtomicLong;
import javax.sql.DataSource;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;
import org.trueasync.jdbc.PooledDataSource;

/**
 * {@code select 1} by many over few connections: {@code DatabaseProbe PEER URL} prints {@code JDBC}, the microseconds that a query takes, in the best of 40 passes, and the
 * microseconds of cpu time that this process takes for one, over all of them.
 */
public final class DatabaseProbe {

    static final int USERS = 1_000;
    static final int CONNECTIONS = 10;

    private static final int EACH = 5;
    private static final int WARM_UP = 40;
    private static final int PASSES = 40;
    private static final OperatingSystemMXBean SYSTEM =
            (OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean();

    /** Every user asks; returns how many answers came. */
    private interface Pass {
        long run();
    }

    private final String url;
    private final int users;
    private final int each;
    private double wall = Double.MAX_VALUE;
    private double cpu;
    private long answers;

    DatabaseProbe(String url, int users, int each) {
        this.url = url;
        this.users = users;
        this.each = each;
    }

    public static void main(String[] arguments) {
        ParentWatch.start();
        var probe = new DatabaseProbe(arguments[1], USERS, EACH);
        probe.run(Peer.valueOf(arguments[0]), WARM_UP, PASSES);
        System.out.println("JDBC " + probe.wall + " " + probe.cpu);
        System.exit(0);
    }

    /** Returns how many answers came in all passes. */
    long run(Peer peer, int warmUp, int passes) {
        switch (peer) {
            case OURS ->
                Async.run(() -> {
                    try (var source =
                            PooledDataSource.forUrl(url).max(CONNECTIONS).build()) {
                        passes(warmUp, passes, () -> coroutines(source));
                    }
                });
            case HIKARI -> {
                try (var source = new HikariDataSource(hikari())) {
                    passes(warmUp, passes, () -> virtualThreads(source));
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

    private void passes(int warmUp, int passes, Pass pass) {
        for (int i = 0; i < warmUp; i++) answers += pass.run();
        long warm = answers;
        long cpuBefore = SYSTEM.getProcessCpuTime();
        for (int i = 0; i < passes; i++) {
            long begin = System.nanoTime();
            long done = pass.run();
            wall = Math.min(wall, (System.nanoTime() - begin) / 1e3 / done);
            answers += done;
        }
        cpu = (SYSTEM.getProcessCpuTime() - cpuBefore) / 1e3 / (answers - warm);
    }

    private long coroutines(DataSource source) {
        var done = new AtomicLong();
        Body user = () -> done.addAndGet(ask(source));
        var all = new ArrayList<Coroutine<?>>(users);
        for (int i = 0; i < users; i++) all.add(Async.spawn(user));
        for (Coroutine<?> one : all) Async.await(one);
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
            for (Thread one : all) one.join();
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a workload", e);
        }
        if (failure[0] != null) throw new IllegalStateException("the workload failed", failure[0]);
        return done.get();
    }

    /** The same for all: a connection for each query. */
    private int ask(DataSource source) throws SQLException {
        int sum = 0;
        for (int i = 0; i < each; i++) {
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
