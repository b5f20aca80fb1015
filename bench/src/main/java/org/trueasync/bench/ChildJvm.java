package org.trueasync.bench;

import java.io.BufferedReader;
import java.io.File;
import java.io.IOException;
import java.io.InputStreamReader;
import java.io.UncheckedIOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.TimeUnit;

/**
 * A JVM of its own on our class path. It prints lines on its standard output. It ends when its standard input ends
 * (most programs do so by {@link ParentWatch}), so that it never outlives the driver.
 */
public final class ChildJvm implements AutoCloseable {

    /** The command that starts a JVM like this one. */
    public static final String JAVA =
            Path.of(System.getProperty("java.home"), "bin", "java").toString();

    private final Process process;
    private final BufferedReader output;
    private final String what;

    private ChildJvm(Process process, String what) {
        this.process = process;
        this.what = what;
        this.output = new BufferedReader(new InputStreamReader(process.getInputStream(), StandardCharsets.UTF_8));
    }

    public static ChildJvm start(File errors, List<String> flags, Class<?> main, Object... arguments) {
        var command = new ArrayList<String>();
        command.add(JAVA);
        command.addAll(flags);
        command.add("-cp");
        command.add(Arrays.stream(arguments)
                .filter(Peer.class::isInstance)
                .map(peer -> ClassPath.of((Peer) peer))
                .findFirst()
                .orElse(ClassPath.OWN));
        command.add(main.getName());
        for (Object argument : arguments) {
            command.add((argument instanceof Peer peer ? peer.code() : argument).toString());
        }
        try {
            Process process = new ProcessBuilder(command)
                    .redirectError(ProcessBuilder.Redirect.appendTo(errors))
                    .start();
            return new ChildJvm(process, main.getSimpleName() + " " + List.of(arguments));
        } catch (IOException e) {
            throw new UncheckedIOException("cannot start " + command, e);
        }
    }

    public long pid() {
        return process.pid();
    }

    /** Waits for the line {@code <keyword> <values...>} and returns its values. Skips other lines. */
    public String[] expect(String keyword) {
        try {
            for (String line = output.readLine(); line != null; line = output.readLine()) {
                String[] words = line.split(" ");
                if (words[0].equals(keyword)) {
                    return List.of(words).subList(1, words.length).toArray(String[]::new);
                }
            }
            process.waitFor();
        } catch (IOException e) {
            throw new UncheckedIOException(what + ": cannot read its output", e);
        } catch (InterruptedException e) {
            throw new IllegalStateException(what + ": interrupted", e);
        }
        throw new IllegalStateException(what + " ended with status " + process.exitValue() + " before it said '"
                + keyword + "'; its errors are in the log");
    }

    public void send(String line) {
        try {
            process.getOutputStream().write((line + "\n").getBytes(StandardCharsets.UTF_8));
            process.getOutputStream().flush();
        } catch (IOException e) {
            throw new UncheckedIOException(what + ": does not listen", e);
        }
    }

    @Override
    public void close() {
        process.destroyForcibly();
        try {
            process.waitFor(5, TimeUnit.SECONDS);
        } catch (InterruptedException e) {
            throw new IllegalStateException(what + ": interrupted", e);
        }
    }
}
