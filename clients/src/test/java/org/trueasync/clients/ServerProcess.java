package org.trueasync.clients;

import java.io.File;
import java.io.IOException;
import java.io.UncheckedIOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.Socket;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Comparator;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Assumptions;

/** A server that runs for the tests of this JVM, on loopback and in a folder of its own. It ends with the JVM. */
final class ServerProcess {
    private static final long TIME_LIMIT_NANOS = TimeUnit.SECONDS.toNanos(300);

    final Path folder;
    final int port;
    private final ProcessBuilder builder;
    private final Path log;
    private final List<String> atEnd;
    private Process process;

    /**
     * Starts a server, and waits until it listens.
     *
     * @param folder the folder of this server; it is deleted at the end
     * @param port the port on which it will listen
     * @param command the command that starts it
     * @param atEnd a command that takes away what the server leaves running; empty for none
     * @param environment sets environment variables
     */
    ServerProcess(
            Path folder, int port, List<String> command, List<String> atEnd, Consumer<ProcessBuilder> environment) {
        this.folder = folder;
        this.log = folder.resolve("server.log");
        this.port = port;
        this.atEnd = atEnd;
        builder = new ProcessBuilder(command)
                .directory(folder.toFile())
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.appendTo(log.toFile()))
                .redirectInput(new File("/dev/null"));
        environment.accept(builder);
        process = begin();
        Runtime.getRuntime().addShutdownHook(new Thread(this::end, "server-end"));
        awaitListening();
    }

    private Process begin() {
        try {
            return builder.start();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /** SIGKILL; returns when it has gone. */
    void kill() {
        process.destroyForcibly().onExit().join();
    }

    /** Starts it again after {@link #kill}, with its port and folder, and waits until it listens. */
    void start() {
        process = begin();
        awaitListening();
    }

    /** Makes a folder for a server. */
    static Path newFolder(String name) {
        try {
            return Files.createTempDirectory("trueasync-" + name);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    /**
     * Returns the first of the places that has the program. If none has it, aborts the test, and says what to install.
     */
    static String program(String debianPackage, String... places) {
        for (String place : places) if (Files.isExecutable(Path.of(place))) return place;
        return Assumptions.abort("no " + places[0] + " here; on Debian: apt-get install " + debianPackage);
    }

    private void awaitListening() {
        long until = System.nanoTime() + TIME_LIMIT_NANOS;
        while (true) {
            try (var probe = new Socket()) {
                probe.connect(new InetSocketAddress(InetAddress.getLoopbackAddress(), port), 1_000);
                return;
            } catch (IOException notYet) {
                if (!process.isAlive() || System.nanoTime() - until > 0)
                    throw new AssertionError("no server on port " + port + ": " + log());
            }
            try {
                process.waitFor(50, TimeUnit.MILLISECONDS);
            } catch (InterruptedException e) {
                throw new IllegalStateException(e);
            }
        }
    }

    private String log() {
        try {
            return Files.readString(log);
        } catch (IOException e) {
            return e.toString();
        }
    }

    private void end() {
        process.descendants().forEach(ProcessHandle::destroyForcibly);
        process.destroyForcibly();
        try {
            process.waitFor(10, TimeUnit.SECONDS);
            if (!atEnd.isEmpty()) {
                var last = new ProcessBuilder(atEnd)
                        .redirectErrorStream(true)
                        .redirectOutput(ProcessBuilder.Redirect.DISCARD);
                last.environment().putAll(builder.environment());
                last.start().waitFor(10, TimeUnit.SECONDS);
            }
            try (Stream<Path> all = Files.walk(folder)) {
                for (Path one : all.sorted(Comparator.reverseOrder()).toList()) Files.deleteIfExists(one);
            }
        } catch (IOException | InterruptedException | UncheckedIOException e) {
            System.err.println("left over: " + folder + ": " + e);
        }
    }
}
