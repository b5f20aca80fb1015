package org.trueasync.cluster;

import java.io.BufferedReader;
import java.io.IOException;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import org.trueasync.Async;
import org.trueasync.Body;

/** A member in a process of its own, which runs what others send. */
final class OtherMember implements AutoCloseable {
    /** Of this very process, for the tasks that run in it. */
    static Cluster here;

    private final Process process;

    private OtherMember(Process process) {
        this.process = process;
    }

    /**
     * Starts one, and does not wait for it.
     *
     * @param around the command's beginning, with which another command runs it; may be empty
     */
    static OtherMember start(String name, String bind, String members, Duration silence, String... around)
            throws IOException {
        var command = new ArrayList<>(List.of(around));
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
                OtherMember.class.getName(),
                name,
                bind,
                members,
                silence.toString()));
        return new OtherMember(new ProcessBuilder(command)
                .redirectErrorStream(true)
                .redirectOutput(ProcessBuilder.Redirect.PIPE)
                .start());
    }

    /** Waits for its first words: where it listens, or why it does not. */
    String address() {
        return Async.blocking(() -> {
            BufferedReader out = process.inputReader(StandardCharsets.UTF_8);
            var said = new StringBuilder();
            for (String line = out.readLine(); line != null; line = out.readLine()) {
                if (line.startsWith("member ")) return line.substring("member ".length());
                said.append(line).append('\n');
            }
            throw new IOException("the member has ended: " + said);
        });
    }

    /** SIGKILL: no last word. */
    void kill() {
        process.destroyForcibly();
    }

    void signal(String name) throws Exception {
        int status = new ProcessBuilder("kill", "-" + name, Long.toString(process.pid()))
                .start()
                .waitFor();
        if (status != 0) throw new IOException("kill -" + name + " has failed with " + status);
    }

    @Override
    public void close() throws Exception {
        process.destroyForcibly();
        if (!process.waitFor(60, TimeUnit.SECONDS)) throw new IOException("the member does not end");
    }

    public static void main(String[] arguments) {
        Async.run((Body) () -> {
            here = Cluster.join(ClusterConfig.builder()
                    .name(arguments[0])
                    .bind(arguments[1])
                    .members(arguments[2].split(",", -1))
                    .silence(Duration.parse(arguments[3]))
                    .engine(BadDaysTest::impatient)
                    .build());
            System.out.println("member " + here.self().address());
            here.awaitClosed();
        });
    }
}
