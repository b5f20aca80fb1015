package org.trueasync.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.InputOutputException;
import org.trueasync.io.LineReader;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

@Timeout(60)
class SimulationTest {
    /** Answers each line. */
    private static void echo(int port) {
        var server = TcpServer.listen("0.0.0.0", port);
        while (true) {
            TcpStream peer = server.accept();
            spawn(() -> {
                try (peer) {
                    for (String line : peer.lines()) write(peer, "echo " + line);
                }
            });
        }
    }

    private static String ask(String host, int port, String line) {
        try (var stream = TcpStream.connect(host, port)) {
            write(stream, line);
            return stream.lines().readLine();
        }
    }

    private static void write(TcpStream stream, String line) {
        stream.write(ByteBuffer.wrap((line + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    @Test
    void hosts_reachEachOtherByName() {
        List<String> answers = new ArrayList<>();
        Simulation.replay(1, sim -> {
            sim.host("db", () -> echo(5432));
            sim.client(() -> answers.add(ask("db", 5432, "a") + " at " + sim.elapsed().toMillis()));
        });
        assertThat(answers).containsExactly("echo a at 0");
    }

    @Test
    void kill_isSilent_restartResets() {
        List<String> log = new ArrayList<>();
        Simulation.replay(1, sim -> {
            Host db = sim.host("db", () -> {
                try {
                    echo(5432);
                } finally {
                    log.add("finally");
                }
            });
            sim.client(() -> {
                try (var stream = TcpStream.connect("db", 5432)) {
                    write(stream, "a");
                    var lines = stream.lines();
                    log.add(lines.readLine());
                    db.kill();
                    delay(10);
                    log.add("up " + db.isUp());
                    write(stream, "b");
                    delay(5_000);
                    db.restart();
                    assertThatThrownBy(lines::readLine).hasMessageContaining("ECONNRESET");
                    log.add("reset at " + sim.elapsed().toSeconds());
                    log.add(ask("db", 5432, "c"));
                }
            });
        });
        assertThat(log).containsExactly("echo a", "up false", "reset at 6", "echo c");
    }
}
