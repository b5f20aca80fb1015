package org.trueasync.testkit;

import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStreamReader;
import java.nio.channels.FileChannel;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.nio.file.StandardOpenOption;
import java.util.List;

/**
 * Another process that locks files: {@code LockHolder PATH} locks it as a whole and keeps that until its standard input
 * ends.
 */
public final class LockHolder implements AutoCloseable {
    private final Process process;
    private final BufferedReader said;

    private LockHolder(Process process) {
        this.process = process;
        this.said = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    public static void main(String[] arguments) throws IOException {
        try (var channel = FileChannel.open(Path.of(arguments[0]), StandardOpenOption.WRITE)) {
            channel.lock();
            System.out.println("locked");
            while (System.in.read() >= 0) {
                // until the end
            }
        }
    }

    /** Starts one. */
    static LockHolder of(Path path) throws IOException {
        return new LockHolder(new ProcessBuilder(List.of(
                        Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                        "-XX:TieredStopAtLevel=1",
                        "-cp",
                        System.getProperty("java.class.path"),
                        LockHolder.class.getName(),
                        path.toString()))
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start());
    }

    /** Returns when it has the lock. Blocks. */
    LockHolder awaitLock() throws IOException {
        if (!"locked".equals(said.readLine())) throw new AssertionError("the other process has no lock");
        return this;
    }

    /** Has it give the lock back and end. Blocks. */
    @Override
    public void close() throws IOException {
        process.getOutputStream().close();
        try {
            process.waitFor();
        } catch (InterruptedException e) {
            throw new AssertionError(e);
        }
    }
}
