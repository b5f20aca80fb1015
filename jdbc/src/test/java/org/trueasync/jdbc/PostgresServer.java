package org.trueasync.jdbc;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.lang.ProcessBuilder.Redirect;
import java.nio.file.FileVisitResult;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.SimpleFileVisitor;
import java.nio.file.attribute.BasicFileAttributes;
import java.sql.Connection;
import java.sql.DriverManager;
import java.sql.ResultSet;
import java.sql.SQLException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Assumptions;
import org.trueasync.Async;
import org.trueasync.internal.testkit.FreePort;

/**
 * A real PostgreSQL, one for the JVM of the tests: it is started by the first test that asks for it, and stopped with
 * the JVM. Its calls wait in files and child processes; from a coroutine they go through {@code Async.blocking}, and
 * {@code query} and {@code execute} need not.
 *
 * <p>A test class takes a role of its own, and with it a schema of that name which is searched first; so no class sees
 * another's tables.
 */
final class PostgresServer {
    /** How to stop. */
    enum Stop {
        /** Sessions are told (57P01), transactions are rolled back, everything is written. */
        POLITE,
        /** As after a crash: connections break without a word, and the next start recovers from the log. */
        ABRUPT,
        /** SIGKILL to all its processes. */
        KILLED
    }

    /** What a server that is killed, stopped or starting says, and what a driver says of it: SQL states. */
    static final Set<String> AWAY = Set.of("08000", "08001", "08003", "08006", "57P01", "57P02", "57P03", "53300");

    private static @Nullable PostgresServer running;
    private static @Nullable Throwable refused;

    private final Path data;
    private final Path log;
    private final int port;
    private @Nullable EmbeddedPostgres postgres;

    private PostgresServer() throws IOException {
        data = Files.createTempDirectory("trueasync-postgres");
        log = data.resolveSibling(data.getFileName() + ".log");
        try {
            postgres = begin(FreePort.any());
        } catch (Throwable e) {
            deleteData();
            throw e;
        }
        port = postgres.getPort();
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "postgres-end"));
        execute("create role needs_password");
    }

    /** The server, running. Where no binary of it runs, the test that asks is aborted, with the reason. */
    static synchronized PostgresServer get() {
        if (running == null && refused == null) {
            try {
                running = new PostgresServer();
            } catch (IOException | RuntimeException | LinkageError e) {
                refused = e;
            }
        }
        if (running == null) return Assumptions.abort("no PostgreSQL runs here: " + refused);
        running.start();
        return running;
    }

    private EmbeddedPostgres begin(int fixedPort) throws IOException {
        var output = Redirect.appendTo(log.toFile());
        return EmbeddedPostgres.builder()
                .setDataDirectory(data)
                .setCleanDataDirectory(false)
                .setRegisterShutdownHook(false)
                .setPort(fixedPort)
                .setPGStartupWait(Duration.ofSeconds(60))
                // the library turns it off: what was committed would be lost with an abrupt stop
                .setServerConfig("synchronous_commit", "on")
                // processes die here, the machine does not: what the system has been given is there after a kill
                .setServerConfig("fsync", "off")
                .setServerConfig("max_connections", "80")
                .setServerConfig("unix_socket_directories", "")
                .setServerConfig("log_min_messages", "fatal")
                .setOutputRedirector(output)
                .setErrorRedirector(output)
                .setDataDirectoryCustomizer(PostgresServer::letIn)
                .start();
    }

    /** Members of the role {@code needs_password} need theirs, all others are trusted; nobody comes from elsewhere. */
    private static void letIn(File folder) {
        var rules = List.of(
                "host all +needs_password all scram-sha-256",
                "host all all 127.0.0.1/32 trust",
                "host all all ::1/128 trust");
        try {
            Files.write(folder.toPath().resolve("pg_hba.conf"), rules);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    // the server as a whole

    /** Stops the server, if it runs, and waits until it has gone. */
    synchronized void stop(Stop how) {
        EmbeddedPostgres stopping = postgres;
        if (stopping == null) return;
        postgres = null;
        try {
            if (how == Stop.ABRUPT) quit();
            if (how == Stop.KILLED) kill();
            stopping.close();
            // the library waits for a few seconds only
            awaitGone();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private void quit() throws IOException {
        String pid = Files.readAllLines(lifeSign()).getFirst().trim();
        new ProcessBuilder("kill", "-QUIT", pid).start().onExit().join();
        awaitGone();
    }

    private void kill() throws IOException {
        long pid = Long.parseLong(Files.readAllLines(lifeSign()).getFirst().trim());
        var all = new ArrayList<ProcessHandle>();
        ProcessHandle.of(pid).ifPresent(server -> {
            all.add(server);
            server.descendants().forEach(all::add);
        });
        all.forEach(ProcessHandle::destroyForcibly);
        for (ProcessHandle one : all) one.onExit().join();
        // another process may get its number meanwhile, and be taken for this server
        Files.deleteIfExists(lifeSign());
    }

    private void awaitGone() throws IOException {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        for (; Files.exists(lifeSign()); pause())
            if (System.nanoTime() > end) throw new IOException(lifeSign() + " is still there after 60 s");
    }

    /** Removed by the server as the last thing that it does, when its port is free. */
    private Path lifeSign() {
        return data.resolve("postmaster.pid");
    }

    /** Starts the server, if it does not run, with the data and on the port that it had. */
    synchronized void start() {
        if (postgres != null) return;
        try {
            postgres = begin(port);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    synchronized void restart(Stop how) {
        stop(how);
        start();
    }

    private void end() {
        stop(Stop.POLITE);
        try {
            deleteData();
        } catch (IOException e) {
            System.err.println("left over: " + data + ": " + e);
        }
    }

    private void deleteData() throws IOException {
        Files.deleteIfExists(log);
        Files.walkFileTree(data, new SimpleFileVisitor<>() {
            @Override
            public FileVisitResult visitFile(Path file, BasicFileAttributes attributes) throws IOException {
                Files.delete(file);
                return FileVisitResult.CONTINUE;
            }

            @Override
            public FileVisitResult postVisitDirectory(Path folder, @Nullable IOException error) throws IOException {
                if (error != null) throw error;
                Files.delete(folder);
                return FileVisitResult.CONTINUE;
            }
        });
    }

    // who may come

    /** A URL of this server without a user. */
    String url() {
        return "jdbc:postgresql://127.0.0.1:" + port + "/postgres";
    }

    int port() {
        return port;
    }

    /**
     * A new role without any tables, with a schema of its name; one of that name that there was goes, with all that it
     * owns. -1: any number of connections.
     */
    void role(String name, int connectionLimit) {
        terminateAll(name);
        awaitConnections(name, 0);
        if (number("select count(*) from pg_roles where rolname = '" + name + "'") > 0)
            execute("drop owned by " + name + " cascade", "drop role " + name);
        execute(
                "create role " + name + " login connection limit " + connectionLimit,
                "create schema " + name + " authorization " + name);
    }

    /** As {@link #role}; it is let in with this password only. */
    void roleWithPassword(String name, String password) {
        role(name, -1);
        execute("grant needs_password to " + name, "alter role " + name + " password '" + password + "'");
    }

    // what the server itself sees; asked by the superuser, with a connection that no pool knows

    /** Now open connections of the role. */
    int connections(String role) {
        return count(role, "true");
    }

    /** Those of the role that execute something at the moment. */
    int busy(String role) {
        return count(role, "state = 'active'");
    }

    /** Those of the role that are in a {@code pg_sleep}; what a driver asks while it connects does not count. */
    int sleeping(String role) {
        return count(role, "state = 'active' and query like '%pg_sleep%'");
    }

    /** Those of the role that are in a transaction, busy or not. */
    int inTransaction(String role) {
        return count(role, "xact_start is not null");
    }

    /** Those of the role that wait for a lock. */
    int waitingForLock(String role) {
        return count(role, "wait_event_type = 'Lock'");
    }

    private int count(String role, String condition) {
        return number("select count(*) from pg_stat_activity where usename = '" + role + "' and " + condition);
    }

    /** Kills all sessions of the role, as an administrator does; returns how many. */
    int terminateAll(String role) {
        return number("select count(pg_terminate_backend(pid)) from pg_stat_activity where usename = '" + role + "'");
    }

    /** Kills those of the role that are in a {@code pg_sleep}. */
    void terminateSleeping(String role) {
        number(
                "select count(pg_terminate_backend(pid)) from pg_stat_activity where query like '%pg_sleep%' and usename = '"
                        + role + "'");
    }

    /** Kills one session. */
    void terminate(int pid) {
        number("select count(pg_terminate_backend(" + pid + "))");
    }

    /** SIGKILL to a session of the role, if there is one: the server then ends all others, and recovers. */
    boolean killOne(String role) {
        int pid = number("select coalesce(min(pid), 0) from pg_stat_activity where usename = '" + role + "'");
        return pid != 0
                && ProcessHandle.of(pid).filter(ProcessHandle::destroyForcibly).isPresent();
    }

    /** Stops the process of a session, which then answers nothing, as if its network were gone. */
    void freeze(int pid) {
        signal("STOP", pid);
    }

    void thaw(int pid) {
        signal("CONT", pid);
    }

    private static void signal(String name, int pid) {
        try {
            Process kill = new ProcessBuilder("kill", "-" + name, Integer.toString(pid)).start();
            if (kill.onExit().join().exitValue() != 0) throw new AssertionError("no process " + pid);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** Waits until the role has this many connections: the server notices a closed one a moment later. */
    void awaitConnections(String role, int expected) {
        awaitNumber(
                expected,
                "connections of " + role,
                "select count(*) from pg_stat_activity where usename = '" + role + "'");
    }

    /** Waits until nothing of the role is executed. */
    void awaitIdle(String role) {
        awaitNumber(
                0,
                "busy connections of " + role,
                "select count(*) from pg_stat_activity where state = 'active' and usename = '" + role + "'");
    }

    /** Waits until no session of the role is in a transaction: one that was killed may take a moment to end. */
    void awaitNoTransaction(String role) {
        awaitNumber(
                0,
                "transactions of " + role,
                "select count(*) from pg_stat_activity where xact_start is not null and usename = '" + role + "'");
    }

    /** Suspends the calling coroutine until one of the role executes something. */
    void suspendUntilBusy(String role) {
        suspendUntil("something that " + role + " executes", () -> busy(role) > 0);
    }

    /** As {@link #suspendUntilBusy}, until the role executes {@code pg_sleep}; to connect is no matter. */
    void suspendUntilAsleep(String role) {
        suspendUntil("a sleep of " + role, () -> sleeping(role) > 0);
    }

    /** Suspends the calling coroutine again and again until this is so; an error after 200 seconds. */
    static void suspendUntil(String what, BooleanSupplier isSo) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(200);
        while (!isSo.getAsBoolean()) {
            if (System.nanoTime() > end) throw new AssertionError("did not come: " + what);
            Async.suspend();
        }
    }

    /** Waits until a query gives this number, for what the server does in its own time; an error after 200 seconds. */
    void awaitNumber(int expected, String what, String query) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(200);
        for (int found; (found = number(query)) != expected; pause())
            if (System.nanoTime() > end) throw new AssertionError(what + ": " + found + ", not " + expected);
    }

    int number(String query) {
        try (Connection c = superuser();
                var statement = c.createStatement();
                ResultSet row = statement.executeQuery(query)) {
            row.next();
            return row.getInt(1);
        } catch (SQLException e) {
            throw new AssertionError(query, e);
        }
    }

    void execute(String... statements) {
        try (Connection c = superuser();
                var statement = c.createStatement()) {
            for (String one : statements) statement.execute(one);
        } catch (SQLException e) {
            throw new AssertionError(String.join("; ", statements), e);
        }
    }

    /** As the role, so that what is created belongs to it and is in its schema. */
    void executeAs(String role, String... statements) {
        var all = new ArrayList<>(List.of("set role " + role, "set search_path to " + role));
        all.addAll(List.of(statements));
        execute(all.toArray(String[]::new));
    }

    /** A connection of the superuser's, to be closed by the caller. */
    Connection superuser() throws SQLException {
        return DriverManager.getConnection(url() + "?user=postgres");
    }

    private static void pause() {
        try {
            Thread.sleep(5);
        } catch (InterruptedException e) {
            throw new IllegalStateException(e);
        }
    }
}
