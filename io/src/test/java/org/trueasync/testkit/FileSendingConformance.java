package org.trueasync.testkit;

import static java.nio.file.StandardOpenOption.CREATE;
import static java.nio.file.StandardOpenOption.READ;
import static java.nio.file.StandardOpenOption.WRITE;
import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.Arrays;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.TcpServer;
import org.trueasync.io.TcpStream;

/** Files that are sent to streams. */
public abstract class FileSendingConformance extends FileSuite {
    protected FileSendingConformance(ReactorKit kit) {
        super(kit);
    }

    @Test
    void sendTo_bringsAPartOfTheFileToAStream() {
        byte[] content = random(2_000_000);
        onSockets((client, peer) -> {
            Files.write(path, content);
            try (var file = AsyncFile.open(path, READ)) {
                Coroutine<byte[]> received =
                        Async.spawn(() -> peer.inputStream().readAllBytes());
                client.write(bytes("head"));
                assertThat(file.sendTo(client, 1_000, 1_500_000)).isEqualTo(1_500_000);
                assertThat(file.sendTo(client, 1_999_990, 100)).isEqualTo(10);
                assertThat(file.sendTo(client, 0, 0)).isZero();
                assertThat(file.position()).isZero();
                client.shutdownOutput();
                byte[] all = Async.await(received);
                assertThat(new String(all, 0, 4, StandardCharsets.UTF_8)).isEqualTo("head");
                assertThat(Arrays.equals(all, 4, 1_500_004, content, 1_000, 1_501_000))
                        .isTrue();
                assertThat(Arrays.equals(all, 1_500_004, all.length, content, 1_999_990, 2_000_000))
                        .isTrue();
                assertThatThrownBy(() -> file.sendTo(client, -1, 1)).isInstanceOf(IllegalArgumentException.class);
                assertThatThrownBy(() -> file.sendTo(client, 0, -1)).isInstanceOf(IllegalArgumentException.class);
            }
        });
    }

    @Test
    void sendTo_isOneWriteToTheOthers() {
        byte[] content = new byte[30_000_000];
        Arrays.fill(content, (byte) 'f');
        onSockets((client, peer) -> {
            Files.write(path, content);
            try (var file = AsyncFile.open(path, READ)) {
                Coroutine<?> sender = Async.spawn(() -> file.sendTo(client, 0, Long.MAX_VALUE));
                Coroutine<?> writer = Async.spawn(() -> client.write(bytes("tail")));
                Async.delay(5);
                assertThat(sender.isCompleted()).as("the peer reads nothing").isFalse();
                // the file itself is not held up by the peer
                assertThat(file.size()).isEqualTo(30_000_000);
                Coroutine<byte[]> received =
                        Async.spawn(() -> peer.inputStream().readAllBytes());
                Async.await(sender);
                Async.await(writer);
                client.shutdownOutput();
                byte[] all = Async.await(received);
                assertThat(all).hasSize(30_000_004);
                assertThat(new String(all, 29_999_999, 5, StandardCharsets.UTF_8))
                        .isEqualTo("ftail");
            }
        });
    }

    @Test
    @Tag("E40")
    void sendToCancelled_leavesAndTheStreamGoesOn() {
        byte[] content = new byte[30_000_000];
        Arrays.fill(content, (byte) 'f');
        onSockets((client, peer) -> {
            Files.write(path, content);
            try (var file = AsyncFile.open(path, READ)) {
                Coroutine<?> sender = Async.spawn(() -> file.sendTo(client, 0, Long.MAX_VALUE));
                Async.delay(5);
                sender.cancel();
                assertThat(failureOf(sender)).isInstanceOf(AsyncCancellation.class);
                Coroutine<?> writer = Async.spawn(() -> client.write(bytes("tail")));
                Coroutine<byte[]> received =
                        Async.spawn(() -> peer.inputStream().readAllBytes());
                Async.await(writer);
                client.shutdownOutput();
                byte[] all = Async.await(received);
                for (int i = 0; i < all.length - 4; i++) if (all[i] != 'f') throw new AssertionError("at " + i);
                assertThat(new String(all, all.length - 4, 4, StandardCharsets.UTF_8))
                        .isEqualTo("tail");
            }
        });
    }

    @Test
    void sendToAnotherFile_copies() {
        byte[] content = random(700_000);
        run(() -> {
            Files.write(path, content);
            Path copy = folder.resolve("copy");
            try (var from = AsyncFile.open(path, READ);
                    var to = AsyncFile.open(copy, CREATE, WRITE)) {
                assertThat(from.sendTo(to, 0, Long.MAX_VALUE)).isEqualTo(700_000);
            }
            assertThat(Arrays.equals(Files.readAllBytes(copy), content)).isTrue();
        });
    }

    private interface OnSockets {
        void run(TcpStream client, TcpStream peer) throws Exception;
    }

    private void onSockets(OnSockets body) {
        kit.requireSockets();
        run(() -> {
            try (var server = TcpServer.listen("127.0.0.1", 0)) {
                Coroutine<TcpStream> accepted = Async.spawn(() -> server.accept());
                try (var client = TcpStream.connect("127.0.0.1", server.port());
                        var peer = Async.await(accepted)) {
                    body.run(client, peer);
                }
            }
        });
    }
}
