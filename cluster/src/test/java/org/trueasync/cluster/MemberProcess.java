package org.trueasync.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.BlockingQueue;
import java.util.concurrent.LinkedBlockingQueue;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import org.trueasync.Async;

/** A member in a process of its own, and what it says line by line. */
final class MemberProcess implements AutoCloseable {
    private static final int TIME_LIMIT_SECONDS = 90;

    /** After its last line. */
    private static final String END = "(the process has ended)";

    private final Process process;
    private final BlockingQueue<String> said = new LinkedBlockingQueue<>();
    private final List<String> passedOver = new ArrayList<>();
    private final List<String> everything = new ArrayList<>();
    private final Thread listener;

    private MemberProcess(Process process) {
        this.process = process;
        listener = Thread.ofPlatform().daemon().start(this::listen);
    }

    /**
     * Starts one, and does not wait for it.
     *
     * @param around the command's beginning, with which another command runs it; may be empty
     * @param main the program
     */
    static MemberProcess start(List<String> around, Class<?> main, String... arguments) throws IOException {
        var command = new ArrayList<>(around);
        command.addAll(List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:+UseSerialGC",
                "-XX:TieredStopAtLevel=1",
                "-Xmx256m",
                "--add-opens",
                "java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                main.getName()));
        command.addAll(List.of(arguments));
        return new MemberProcess(
                new ProcessBuilder(command).redirectErrorStream(true).start());
    }

    private void listen() {
        try (BufferedReader out = process.inputReader(StandardCharsets.UTF_8)) {
            for (String line; (line = out.readLine()) != null; ) {
                everything.add(line);
                said.add(line);
            }
        } catch (IOException e) {
            said.add("unreadable: " + e);
        }
        said.add(END);
    }

    /**
     * The rest of the next line that begins with these words; only this coroutine waits. Lines before it are passed
     * over.
     */
    String says(String first) {
        return Async.blocking(() -> {
            for (String line; (line = said.poll(TIME_LIMIT_SECONDS, TimeUnit.SECONDS)) != null; ) {
                if (line.startsWith(first))
                    return line.substring(first.length()).strip();
                passedOver.add(line);
                if (line.equals(END)) break;
            }
            throw new AssertionError("the other member does not say '" + first + "' but " + passedOver);
        });
    }

    /** SIGKILL, and every line that it has said and nobody has asked for. */
    List<String> kill() {
        process.destroyForcibly();
        return Async.blocking(() -> {
            process.waitFor();
            listener.join();
            return List.copyOf(said);
        });
    }

    void signal(String name) throws Exception {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (status != 0) throw new IOException("kill -" + name + " has failed with " + status);
    }

    /**
     * Stops it. Its threads stop one after another once the signal was sent, and may do much until then where the
     * processors are busy.
     */
    void stop() throws Exception {
        signal("STOP");
        Waiting.until("it has stopped", this::hasStopped);
    }

    private boolean hasStopped() {
        try (Stream<Path> threads = Files.list(Path.of("/proc", Long.toString(process.pid()), "task"))) {
            for (Path thread : (Iterable<Path>) threads::iterator) {
                String status = Files.readString(thread.resolve("stat"));
                if (status.charAt(status.lastIndexOf(')') + 2) != 'T') return false;
            }
            return true;
        } catch (IOException e) {
            return false; // a thread has just ended
        }
    }

    /** All that it has said, once it has ended. */
    List<String> everything() {
        return List.copyOf(everything);
    }

    /** Waits until it has ended by itself: its exit code. */
    int ended() {
        return Async.blocking(() -> {
            if (!process.waitFor(TIME_LIMIT_SECONDS, TimeUnit.SECONDS))
                throw new AssertionError("the other member does not end; it has said " + passedOver + said);
            listener.join();
            return process.exitValue();
        });
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly();
        if (!process.waitFor(TIME_LIMIT_SECONDS, TimeUnit.SECONDS)) throw new IOException("the member does not end");
    }
}
