package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.jupiter.api.Assumptions.assumeTrue;
import static org.trueasync.io.Runs.bytes;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import java.util.Random;
import org.junit.jupiter.api.BeforeAll;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;

/** Unix sockets and UDP with a partner that is not ours: socat. */
abstract class SocatConformance {
    @TempDir
    Path folder;

    @BeforeAll
    static void socatIsThere() {
        assumeTrue(
                Arrays.stream(System.getenv("PATH").split(":"))
                        .anyMatch(folder -> Files.isExecutable(Path.of(folder, "socat"))),
                "socat is not installed");
    }

    private static Process socat(String one, String other) throws IOException {
        // by default it ends half a second after the end of one side, whatever is still to come through
        return new ProcessBuilder("socat", "-t60", one, other)
                .redirectError(ProcessBuilder.Redirect.INHERIT)
                .start();
    }

    private static String readFully(ByteStream stream, int count) {
        ByteBuffer into = ByteBuffer.allocate(count);
        while (into.hasRemaining() && stream.read(into) >= 0) {
            // more
        }
        return new String(into.array(), 0, into.position(), StandardCharsets.UTF_8);
    }

    @Test
    void socatConnectsToAUnixSocket_andIsAnswered() {
        Runs.runClean(() -> {
            Path path = folder.resolve("socket");
            PipeServer server = PipeServer.listen(path);
            Process socat = socat("-", "UNIX-CONNECT:" + path);
            try {
                Pipe pipe = server.accept();
                socat.getOutputStream().write("question".getBytes(StandardCharsets.UTF_8));
                socat.getOutputStream().flush();
                assertThat(readFully(pipe, 8)).isEqualTo("question");
                pipe.write(bytes("answer"));
                assertThat(new String(socat.getInputStream().readNBytes(6), StandardCharsets.UTF_8))
                        .isEqualTo("answer");
                socat.getOutputStream().close();
                assertThat(pipe.read(ByteBuffer.allocate(1))).isEqualTo(-1);
                pipe.close();
            } finally {
                socat.destroy();
            }
            server.close();
        });
    }

    @Test
    void socatListensOnAUnixSocket_megabytesComeBackUnchanged() {
        Runs.runClean(() -> {
            Path path = folder.resolve("socket");
            Process socat = socat("UNIX-LISTEN:" + path, "EXEC:cat");
            try {
                Pipe pipe = connected(path);
                byte[] sent = new byte[3 << 20];
                new Random(3).nextBytes(sent);
                Coroutine<?> writer = Async.spawn(() -> {
                    pipe.write(ByteBuffer.wrap(sent, 0, 1000), ByteBuffer.wrap(sent, 1000, sent.length - 1000));
                    pipe.shutdownOutput();
                });
                ByteBuffer got = ByteBuffer.allocate(sent.length);
                while (got.hasRemaining()) assertThat(pipe.read(got)).isPositive();
                Async.await(writer);
                assertThat(Arrays.equals(got.array(), sent)).isTrue();
                assertThat(pipe.read(ByteBuffer.allocate(1))).isEqualTo(-1);
                pipe.close();
            } finally {
                socat.destroy();
            }
        });
    }

    private static Pipe connected(Path path) {
        for (int attempt = 0; ; attempt++) {
            try {
                return Pipe.connect(path);
            } catch (InputOutputException notYet) {
                if (attempt == 1_000) throw notYet;
                Async.delay(10);
            }
        }
    }

    @Test
    void socatSendsDatagrams_andIsAnswered() {
        Runs.runClean(() -> {
            UdpSocket socket = UdpSocket.bind("127.0.0.1", 0);
            Process socat = socat("-", "UDP4:127.0.0.1:" + socket.localAddress().getPort());
            try {
                for (String text : new String[] {"first", "other"}) {
                    socat.getOutputStream().write(text.getBytes(StandardCharsets.UTF_8));
                    socat.getOutputStream().flush();
                    ByteBuffer into = ByteBuffer.allocate(100);
                    var from = socket.receive(into);
                    assertThat(into.position()).isEqualTo(5);
                    socket.send(into.flip(), from);
                    assertThat(new String(socat.getInputStream().readNBytes(5), StandardCharsets.UTF_8))
                            .isEqualTo(text);
                }
            } finally {
                socat.destroy();
            }
            socket.close();
        });
    }
}
