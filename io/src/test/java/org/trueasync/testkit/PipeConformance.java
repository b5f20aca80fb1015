package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.testkit.TestRun.failureOf;

import java.io.IOException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.LinkOption;
import java.nio.file.Path;
import java.nio.file.attribute.PosixFilePermissions;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.ByteStream;
import org.trueasync.io.Pipe;
import org.trueasync.io.PipeServer;

/** Unix sockets as coroutines see them, on whatever reactor. Not every one has files for them. */
public abstract class PipeConformance extends StreamConformance {
    @TempDir
    Path folder;

    protected PipeConformance(ReactorKit kit) {
        super(kit);
    }

    @Override
    protected void require() {
        kit.requireNetwork();
    }

    private Path socket() {
        return folder.resolve("socket");
    }

    private record Pipes(PipeServer server, Pipe near, Pipe far) implements Ends {
        static Pipes open(Path path) {
            PipeServer server = PipeServer.listen(path);
            Coroutine<Pipe> accepted = Async.spawn(() -> server.accept());
            Pipe client = Pipe.connect(path);
            return new Pipes(server, client, Async.await(accepted));
        }

        @Override
        public void shutdownNear() {
            near.shutdownOutput();
        }

        @Override
        public void close() {
            near.close();
            far.close();
            server.close();
        }
    }

    @Override
    protected Ends open() {
        return Pipes.open(socket());
    }

    private static String rights(Path path) throws IOException {
        return PosixFilePermissions.toString(Files.getPosixFilePermissions(path, LinkOption.NOFOLLOW_LINKS));
    }

    private static InputOutputException refused(ThrowingBody body) {
        try {
            body.run();
        } catch (InputOutputException e) {
            return e;
        } catch (Throwable e) {
            throw new AssertionError(e);
        }
        throw new AssertionError("was not refused");
    }

    private interface ThrowingBody {
        void run() throws Throwable;
    }

    // ---- the file

    @Test
    void file_isForThisUserAloneAndGoneAfterClosing() {
        kit.requireSockets();
        clean(() -> {
            PipeServer server = PipeServer.listen(socket());
            assertThat(rights(socket())).isEqualTo("rw-------");
            assertThat(server.path()).isEqualTo(socket());
            server.close();
            assertThat(socket()).doesNotExist();
            server.close();
        });
    }

    @Test
    void otherPermissions_areExactlyThose() {
        kit.requireSockets();
        clean(() -> {
            for (String rights : List.of("rw-rw-rw-", "rw-rw----", "rwxrwxrwx", "-w-------", "---------")) {
                PipeServer server = PipeServer.listen(socket(), PipeServer.Options.DEFAULT.withPermissions(rights));
                assertThat(rights(socket())).isEqualTo(rights);
                server.close();
            }
            assertThatThrownBy(() -> PipeServer.Options.DEFAULT.withPermissions("all"))
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    void runEndsWithAnOpenServer_fileIsRemoved() {
        kit.requireSockets();
        run.run(() -> {
            PipeServer.listen(socket());
            assertThat(Files.exists(socket(), LinkOption.NOFOLLOW_LINKS)).isTrue();
        });
        assertThat(Files.exists(socket(), LinkOption.NOFOLLOW_LINKS)).isFalse();
    }

    @Test
    void fileReplacedMeanwhile_isLeftAlone() {
        kit.requireSockets();
        clean(() -> {
            PipeServer server = PipeServer.listen(socket());
            Files.delete(socket());
            Files.writeString(socket(), "somebody else's");
            server.close();
            assertThat(socket()).hasContent("somebody else's");
        });
    }

    // ---- what is there already

    @Test
    void socketOfAKilledServer_isReplaced() {
        kit.requireSockets();
        clean(() -> {
            // the JDK leaves the file behind, as a killed server does
            try (var killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                killed.bind(UnixDomainSocketAddress.of(socket()));
            }
            assertThat(Files.exists(socket(), LinkOption.NOFOLLOW_LINKS)).isTrue();
            try (Ends ends = open()) {
                ends.near().write(bytes("works"));
                assertThat(readFully(ends.far(), 5)).isEqualTo("works");
                assertThat(rights(socket())).isEqualTo("rw-------");
            }
        });
    }

    @Test
    void somebodyAnswers_isRefusedAndGoesOnWorking() {
        kit.requireSockets();
        clean(() -> {
            PipeServer first = PipeServer.listen(socket());
            InputOutputException refused = refused(() -> PipeServer.listen(socket()));
            assertThat(refused.errno()).isEqualTo("EADDRINUSE");
            assertThat(refused).hasMessageContaining(socket().toString()).hasMessageContaining("answers");
            // the one that only looked
            first.accept().close();
            Coroutine<Pipe> accepted = Async.spawn(() -> first.accept());
            Pipe client = Pipe.connect(socket());
            Async.await(accepted).close();
            client.close();
            first.close();
        });
    }

    @Test
    void somethingElseIsThere_isRefusedAndLeftAlone() {
        kit.requireSockets();
        clean(() -> {
            Path file = Files.writeString(folder.resolve("file"), "content");
            Path directory = Files.createDirectory(folder.resolve("directory"));
            assertThat(refused(() -> PipeServer.listen(file)))
                    .hasMessageContaining("no socket")
                    .hasMessageContaining("EADDRINUSE");
            assertThat(refused(() -> PipeServer.listen(directory))).hasMessageContaining("no socket");
            assertThat(file).hasContent("content");
            assertThat(directory).isEmptyDirectory();
        });
    }

    @Test
    void linkIsThere_isNeitherFollowedNorReplaced() {
        kit.requireSockets();
        clean(() -> {
            Path target = folder.resolve("target");
            Path link = Files.createSymbolicLink(folder.resolve("link"), target);
            assertThat(refused(() -> PipeServer.listen(link))).hasMessageContaining("symbolic link");
            assertThat(Files.exists(target, LinkOption.NOFOLLOW_LINKS)).isFalse();
            // nor where it leads to a dead socket
            try (var killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                killed.bind(UnixDomainSocketAddress.of(target));
            }
            assertThat(refused(() -> PipeServer.listen(link))).hasMessageContaining("symbolic link");
            assertThat(Files.isSymbolicLink(link)).isTrue();
            assertThat(Files.exists(target, LinkOption.NOFOLLOW_LINKS)).isTrue();
        });
    }

    @Test
    void folderIsMissingOrPathTooLong_isRefusedByName() {
        kit.requireSockets();
        clean(() -> {
            assertThat(refused(() -> PipeServer.listen(folder.resolve("none/socket"))))
                    .satisfies(e -> assertThat(e.errno()).isEqualTo("ENOENT"))
                    .hasMessageContaining("none/socket");
            Path tooLong = folder.resolve("x".repeat(120));
            assertThat(refused(() -> PipeServer.listen(tooLong)))
                    .satisfies(e -> assertThat(e.errno()).isEqualTo("ENAMETOOLONG"))
                    .hasMessageContaining("107");
            assertThat(refused(() -> Pipe.connect(tooLong)).errno()).isEqualTo("ENAMETOOLONG");
            assertThat(folder).isEmptyDirectory();
        });
    }

    @Test
    void relativePath_isTheProcesssFolder() {
        kit.requireSockets();
        clean(() -> {
            Path relative = Path.of("").toAbsolutePath().relativize(socket());
            PipeServer server = PipeServer.listen(relative);
            assertThat(server.path()).isAbsolute();
            assertThat(Files.isSameFile(server.path(), socket())).isTrue();
            server.close();
        });
    }

    // ---- connecting

    @Test
    void nobodyListens_connectingIsRefusedByName() {
        kit.requireSockets();
        clean(() -> {
            InputOutputException missing = refused(() -> Pipe.connect(socket()));
            assertThat(missing.errno()).isEqualTo("ENOENT");
            assertThat(missing).hasMessageContaining("connect to").hasMessageContaining(socket().toString());
            try (var killed = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                killed.bind(UnixDomainSocketAddress.of(socket()));
            }
            assertThat(refused(() -> Pipe.connect(socket())).errno()).isEqualTo("ECONNREFUSED");
        });
    }

    @Test
    @Tag("E40")
    void backlogIsFull_connectingWaitsAndCanBeGivenUp() {
        clean(() -> {
            PipeServer server = PipeServer.listen(
                    socket(), new PipeServer.Options(PosixFilePermissions.fromString("rw-------"), 1));
            var waiting = new ArrayList<Coroutine<Pipe>>();
            for (int i = 0; i < 6; i++) waiting.add(Async.spawn(() -> Pipe.connect(socket())));
            for (int i = 0; i < 10; i++) Async.delay(1);
            assertThat(waiting).anyMatch(c -> !c.isCompleted());
            assertThatThrownBy(() -> Pipe.connect(socket(), Async.timeout(5)))
                    .isInstanceOf(OperationCanceledException.class);
            for (int i = 0; i < 6; i++) server.accept().close();
            for (Coroutine<Pipe> client : waiting) Async.await(client).close();
            server.close();
        });
    }

    @Test
    @Tag("E38")
    @Tag("E40")
    void serverClosed_everyAccepterWakesWithAnError() {
        clean(() -> {
            PipeServer server = PipeServer.listen(socket());
            var accepters = List.<Coroutine<?>>of(
                    Async.spawn(() -> server.accept()), Async.spawn(() -> server.accept(Async.timeout(100_000))));
            Async.suspend();
            server.close();
            for (Coroutine<?> accepter : accepters)
                assertThat(failureOf(accepter))
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining(socket().toString())
                        .hasMessageContaining("closed");
        });
    }

    @Test
    void jdkClient_isServed() {
        kit.requireSockets();
        clean(() -> {
            PipeServer server = PipeServer.listen(socket());
            try (var client = SocketChannel.open(UnixDomainSocketAddress.of(socket()))) {
                Pipe pipe = server.accept();
                client.write(bytes("from the JDK"));
                assertThat(readFully(pipe, 12)).isEqualTo("from the JDK");
                pipe.write(bytes("back"));
                ByteBuffer into = ByteBuffer.allocate(4);
                while (into.hasRemaining()) client.read(into);
                assertThat(new String(into.array(), java.nio.charset.StandardCharsets.UTF_8))
                        .isEqualTo("back");
                assertThat(pipe.toString()).contains(socket().toString());
                pipe.close();
            }
            server.close();
        });
    }

    @Test
    @Tag("E40")
    @Tag("F2")
    void acceptCancelledAfterAConnectionCame_nextInLineGetsIt() {
        kit.requireSockets();
        clean(() -> {
            PipeServer server = PipeServer.listen(socket());
            Coroutine<?> first = Async.spawn(() -> server.accept());
            Coroutine<Pipe> second = Async.spawn(() -> server.accept());
            Async.suspend();
            SocketChannel client = SocketChannel.open(UnixDomainSocketAddress.of(socket()));
            awaitQueued(kit, first);
            first.cancel();
            ByteStream accepted = Async.await(second);
            assertThat(first.isCancelled()).isTrue();
            client.close();
            accepted.close();
            server.close();
        });
    }

    @Test
    @Tag("F77")
    void calledOnAnotherThread_isRefused() {
        clean(() -> {
            Pipes pipes = Pipes.open(socket());
            var thrown = new ArrayList<Throwable>();
            Thread stranger = Thread.ofPlatform().start(() -> {
                for (Body call : List.<Body>of(
                        () -> pipes.near.read(ByteBuffer.allocate(1)),
                        () -> pipes.near.write(bytes("x")),
                        () -> pipes.near.shutdownOutput(),
                        () -> pipes.server.accept(),
                        pipes.near::close,
                        pipes.server::close,
                        () -> Pipe.connect(socket()),
                        () -> PipeServer.listen(folder.resolve("other")))) {
                    try {
                        call.run();
                        thrown.add(null);
                    } catch (Throwable e) {
                        thrown.add(e);
                    }
                }
            });
            stranger.join();
            assertThat(thrown).hasSize(8).allSatisfy(e -> assertThat(e).isInstanceOf(AsyncException.class));
            assertThat(pipes.near.isClosed() || pipes.server.isClosed()).isFalse();
            pipes.close();
        });
    }

    @Test
    @Timeout(400)
    @Tag("deep")
    @Tag("F79")
    void tenThousandRounds_leaveNothingBehind() {
        run.timeLimit(Duration.ofSeconds(120));
        int[] round = {0};
        clean(() -> Resources.requireFlat(kit, () -> {
            try (Ends ends = open()) {
                ends.near().write(bytes("x"));
                assertThat(readFully(ends.far(), 1)).isEqualTo("x");
                // half of them with somebody who waits
                if (round[0]++ % 2 == 0) return;
                Coroutine<?> reader = Async.spawn(() -> read(ends.near(), 1));
                Async.suspend();
                ends.near().close();
                failureOf(reader);
            }
        }));
        assertThat(folder).isEmptyDirectory();
    }
}
