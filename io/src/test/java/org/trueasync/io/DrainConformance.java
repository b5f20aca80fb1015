package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.connect;
import static org.trueasync.io.Runs.read;
import static org.trueasync.io.Runs.testRun;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CopyOnWriteArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Cores;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.spi.Cleanup;
import org.trueasync.testkit.TestRun;

/** What a drain does to listening sockets, and how several cores drain. */
@Tag("D24")
public abstract class DrainConformance {
    private final TestRun run = testRun();
    private final List<String> log = new CopyOnWriteArrayList<>();

    private void waitToBeCancelled(String who) {
        try {
            Async.delay(3_600_000);
        } finally {
            log.add(who + " cancelled");
        }
    }

    private void accepting(TcpServer server) {
        try {
            while (true) {
                TcpStream peer = server.accept();
                Async.launch(() -> {
                    try (peer) {
                        peer.write(bytes("x"));
                        log.add("served");
                    }
                });
            }
        } catch (AsyncCancellation e) {
            log.add("accept cancelled");
            throw e;
        }
    }

    /** Begins a drain that lasts as long as the body. */
    private static void drain(Body meanwhile) {
        Cleanup.onDrain(meanwhile);
        Async.gracefulShutdown();
        Async.delay(3_600_000);
    }

    @Test
    void newConnection_isRefusedAndAcceptGoesOnWaiting() {
        run.run(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<?> accepting = Async.spawn(() -> accepting(server));
            Async.suspend();
            drain(() -> {
                assertThat(server.isClosed()).isTrue();
                assertThatThrownBy(() -> TcpStream.connect("127.0.0.1", server.port()))
                        .hasMessageContaining("ECONNREFUSED");
                Async.delay(20);
                assertThat(accepting.isCompleted()).isFalse();
                Coroutine<?> later = Async.spawn(() -> accepting(server));
                Async.delay(1);
                assertThat(later.isCompleted()).isFalse();
                log.add("drained");
            });
        });
        assertThat(log).containsExactly("drained", "accept cancelled", "accept cancelled");
        assertThat(run.reports()).isEmpty();
    }

    @Test
    void connectionInTheBacklog_isServed() throws Exception {
        var clients = new ArrayList<SocketChannel>();
        run.run(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Async.spawn(() -> accepting(server));
            Async.suspend();
            for (int i = 0; i < 3; i++) clients.add(connect(server.port()));
            drain(() -> {
                while (log.size() < 3) Async.delay(1);
            });
        });
        assertThat(log).containsExactly("served", "served", "served", "accept cancelled");
        for (SocketChannel client : clients) {
            assertThat(client.read(ByteBuffer.allocate(1))).isEqualTo(1);
            client.close();
        }
        assertThat(run.reports()).isEmpty();
    }

    @Test
    void connectionThatNobodyAccepted_isKeptForALaterAccept() {
        run.run(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            SocketChannel client = connect(server.port());
            drain(() -> {
                Async.delay(10);
                try (client;
                        var peer = server.accept()) {
                    peer.write(bytes("x"));
                    log.add("served");
                }
            });
        });
        assertThat(log).containsExactly("served");
    }

    @Test
    void serverClosedInTheDrain_tellsWhoWaits() {
        run.run(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            SocketChannel client = connect(server.port());
            drain(() -> {
                server.close();
                server.close();
                assertThatThrownBy(server::accept)
                        .isInstanceOf(InputOutputException.class)
                        .hasMessageContaining("the server is closed");
                assertThat(client.read(ByteBuffer.allocate(1))).as("the end").isNegative();
                client.close();
                log.add("drained");
            });
        });
        assertThat(log).containsExactly("drained");
        assertThat(run.reports()).isEmpty();
    }

    @Test
    void serverOpenedInTheDrain_listens() {
        run.run(() -> drain(() -> {
            try (var server = TcpServer.listen("127.0.0.1", 0);
                    var client = TcpStream.connect("127.0.0.1", server.port());
                    var peer = server.accept()) {
                peer.write(bytes("x"));
                log.add(read(client, 1));
            }
        }));
        assertThat(log).containsExactly("x");
    }

    @Test
    void pipeServer_refusesToo(@TempDir Path directory) {
        Path path = directory.resolve("s");
        run.run(() -> {
            PipeServer server = PipeServer.listen(path);
            Pipe early = Pipe.connect(path);
            drain(() -> {
                assertThat(Files.exists(path)).isFalse();
                try (early;
                        var peer = server.accept()) {
                    peer.write(bytes("x"));
                    assertThat(early.read(ByteBuffer.allocate(1))).isEqualTo(1);
                }
                log.add("drained");
            });
        });
        assertThat(log).containsExactly("drained");
    }

    @Test
    void nothingToDrain_closesNoServerEarly() {
        run.run(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Async.spawn(() -> {
                try {
                    accepting(server);
                } finally {
                    log.add("closed " + server.isClosed());
                }
            });
            Async.suspend();
            Async.gracefulShutdown();
        });
        assertThat(log).containsExactly("accept cancelled", "closed false");
    }

    @Test
    void cores_drainTogether() {
        var begun = new CompletableFuture<Void>();
        run.run(() -> Cores.builder().count(2).run(() -> {
            Cores cores = Cores.current();
            if (cores.index() == 0) {
                Async.await(begun);
                Async.gracefulShutdown();
                waitToBeCancelled("core 0");
            }
            Async.executor().execute(() -> {
                begun.complete(null);
                Async.delay(100);
                log.add("call on core " + cores.on(0, () -> Cores.current().index()));
            });
            waitToBeCancelled("core 1");
        }));
        assertThat(log).startsWith("call on core 0").contains("core 0 cancelled", "core 1 cancelled");
        assertThat(run.reports()).isEmpty();
    }

    @Test
    void threadThatComputes_doesNotHoldTheDrain() {
        var over = new CompletableFuture<Void>();
        run.run(() -> {
            var task = Async.spawnThread(() -> {
                while (!over.isDone()) Thread.onSpinWait();
            });
            Cleanup.onDrain(() -> Async.delay(1));
            Async.delay(10);
            Async.gracefulShutdown();
            try {
                Async.await(task);
            } finally {
                log.add("cancelled");
                over.complete(null);
            }
        });
        assertThat(log).containsExactly("cancelled");
        assertThat(run.reports()).isEmpty();
    }
}
