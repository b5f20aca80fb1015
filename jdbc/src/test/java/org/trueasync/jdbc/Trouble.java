package org.trueasync.jdbc;

import java.sql.Connection;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.util.Random;
import java.util.concurrent.LinkedBlockingQueue;
import org.trueasync.jdbc.PostgresServer.Stop;

/**
 * A thread that makes trouble on the server, each time that the work has got so much further, and in between counts the
 * role's connections as the superuser sees them.
 */
final class Trouble implements AutoCloseable {
    private static final int KILL_EVERY = 800;
    private static final int RESTART_EVERY = 4_000;

    /** From here on kills are frequent: on the shared connection, only last transfers leave something lying about. */
    private static final int LATE = 18_000;

    private static final int KILL_EVERY_WHEN_LATE = 20;

    private enum Kind {
        KILL,
        RESTART,
        END
    }

    private final PostgresServer server;
    private final String role;
    private final Random random;
    private final LinkedBlockingQueue<Kind> wanted = new LinkedBlockingQueue<>();
    private final Thread thread = new Thread(this::run, "trouble");
    private volatile int most;
    private volatile int killed;
    private volatile int restarts;
    private volatile Throwable error;

    Trouble(PostgresServer server, String role, long seed) {
        this.server = server;
        this.role = role;
        this.random = new Random(seed);
        thread.start();
    }

    /** So much is done; called for each number once. */
    void progress(int done) {
        if (done % RESTART_EVERY == RESTART_EVERY / 2) wanted.add(Kind.RESTART);
        else if (done % (done > LATE ? KILL_EVERY_WHEN_LATE : KILL_EVERY) == 0) wanted.add(Kind.KILL);
    }

    /** The greatest number of connections that was seen. */
    int mostConnections() {
        return most;
    }

    private void run() {
        try {
            boolean polite = true;
            for (Kind next; (next = watch()) != Kind.END; ) {
                if (next == Kind.KILL) {
                    kill();
                } else {
                    server.restart(polite ? Stop.POLITE : Stop.ABRUPT);
                    polite = !polite;
                    restarts++;
                }
            }
        } catch (Throwable e) {
            error = e;
        }
    }

    private void kill() {
        killed += random.nextInt(4) == 0
                ? server.terminateAll(role)
                : server.number(
                        "select count(pg_terminate_backend(pid)) from (select pid from pg_stat_activity where usename = '"
                                + role + "' order by pid offset " + random.nextInt(10) + " limit 1) one");
    }

    /** Counts until trouble is wanted. */
    private Kind watch() throws SQLException, InterruptedException {
        try (Connection c = server.superuser();
                var count = c.prepareStatement("select count(*) from pg_stat_activity where usename = ?")) {
            count.setString(1, role);
            while (true) {
                try (ResultSet row = count.executeQuery()) {
                    row.next();
                    most = Math.max(most, row.getInt(1));
                }
                Kind next = wanted.poll(10, java.util.concurrent.TimeUnit.MILLISECONDS);
                if (next != null) return next;
            }
        }
    }

    @Override
    public void close() throws InterruptedException {
        wanted.add(Kind.END);
        thread.join();
        server.start();
        if (error != null) throw new AssertionError("the trouble-maker itself", error);
    }

    @Override
    public String toString() {
        return killed + " sessions killed, " + restarts + " restarts, at most " + most + " connections";
    }
}
