package org.trueasync.testkit.simulation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.*;

import java.nio.ByteBuffer;
import java.nio.file.Path;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.InputOutputException;
import org.trueasync.io.Pipe;
import org.trueasync.io.PipeServer;

/** Unix sockets, in hosts. */
@Timeout(60)
class SimulatedPipeTest {
    private static final Path PATH = Path.of("/run/control");

    private static String errno(Path path) {
        try (Pipe pipe = Pipe.connect(path)) {
            return "connected";
        } catch (InputOutputException e) {
            return e.errno();
        }
    }

    @Test
    void name_isOfItsHost_andEndsWithItsProgram() {
        Simulation.replay(1, sim -> {
            Host store = sim.host("store", () -> {
                assertThat(errno(PATH)).isEqualTo("ENOENT");
                var server = PipeServer.listen(PATH);
                assertThatThrownBy(() -> PipeServer.listen(PATH)).hasMessageContaining("EADDRINUSE");
                spawn(() -> {
                    try (Pipe peer = server.accept()) {
                        peer.write(ByteBuffer.wrap("hello".getBytes()));
                    }
                });
                try (Pipe pipe = Pipe.connect(PATH)) {
                    ByteBuffer into = ByteBuffer.allocate(100);
                    while (pipe.read(into) >= 0) {}
                    assertThat(new String(into.array(), 0, into.position())).isEqualTo("hello");
                    sim.reachable("answered");
                }
                server.close();
                assertThat(errno(PATH)).isEqualTo("ENOENT");
                PipeServer.listen(PATH);
                delay(60_000);
            });
            sim.client(() -> {
                delay(100);
                assertThat(errno(PATH)).isEqualTo("ENOENT");
                store.kill();
                store.restart();
                delay(100);
            });
        });
    }
}
