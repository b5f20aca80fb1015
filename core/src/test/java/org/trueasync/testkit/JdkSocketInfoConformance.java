package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.net.DatagramPacket;
import java.net.DatagramSocket;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.UnixDomainSocketAddress;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Coroutine;

/** What is told of a coroutine that JDK code has parked for a socket, whoever polls it. */
public abstract class JdkSocketInfoConformance {
    private static final String LOOPBACK = "127\\.0\\.0\\.1:";

    private final TestRun run;

    protected JdkSocketInfoConformance(ReactorKit kit) {
        this.run = new TestRun(kit::create);
    }

    private static String infoOf(Body wait) {
        Coroutine<?> waiting = Async.spawn(wait);
        Async.delay(1);
        return infoOf(waiting);
    }

    private static String infoOf(Coroutine<?> waiting) {
        String info = String.join("", waiting.awaitingInfo());
        assertThat(Async.dump()).contains(info);
        waiting.cancel();
        try {
            Async.await(waiting);
        } catch (AsyncCancellation expected) {
            // not of a selection, which ends well when it is interrupted
        }
        return info;
    }

    @Test
    void read_tellsDescriptorAndBothAddresses() {
        run.run(() -> {
            try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress());
                    var socket = new Socket(server.getInetAddress(), server.getLocalPort())) {
                assertThat(infoOf(() -> socket.getInputStream().read()))
                        .matches("blocked in java\\.net\\.Socket.*read, descriptor \\d+, " + LOOPBACK
                                + socket.getLocalPort() + " to " + LOOPBACK + server.getLocalPort());
            }
        });
    }

    @Test
    void acceptAndReceive_tellTheirOwnAddress() {
        run.run(() -> {
            try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                assertThat(infoOf(server::accept))
                        .matches("blocked in java\\.net\\.ServerSocket\\.accept, descriptor \\d+, " + LOOPBACK
                                + server.getLocalPort());
            }
            try (var socket = new DatagramSocket(new InetSocketAddress(InetAddress.getLoopbackAddress(), 0))) {
                int port = socket.getLocalPort();
                assertThat(infoOf(() -> socket.receive(new DatagramPacket(new byte[1], 1))))
                        .matches("blocked in java\\.net\\.DatagramSocket\\.receive, descriptor \\d+, " + LOOPBACK
                                + port);
            }
        });
    }

    @Test
    void unixDomainSocketAndSelector_tellTheirDescriptor(@TempDir Path folder) {
        run.run(() -> {
            Path path = folder.resolve("socket");
            try (var server = ServerSocketChannel.open(StandardProtocolFamily.UNIX)) {
                server.bind(UnixDomainSocketAddress.of(path));
                assertThat(infoOf(server::accept))
                        .matches(
                                "blocked in sun\\.nio\\.ch\\.ServerSocketChannelImpl\\.accept, descriptor \\d+, a Unix domain socket");
            }
            Files.delete(path);
            try (var selector = Selector.open()) {
                assertThat(infoOf(selector::select))
                        .matches("blocked in sun\\.nio\\.ch\\.SelectorImpl\\.select, descriptor \\d+");
            }
        });
    }

    @Test
    void afterTheWait_theNextOneTellsNothingOfIt() {
        run.run(() -> {
            var latch = new CountDownLatch(1);
            var timedOut = new boolean[1];
            try (var server = new ServerSocket(0, 1, InetAddress.getLoopbackAddress())) {
                server.setSoTimeout(1);
                Coroutine<?> waiting = Async.spawn(() -> {
                    assertThatThrownBy(server::accept).isInstanceOf(SocketTimeoutException.class);
                    timedOut[0] = true;
                    latch.await();
                });
                while (!timedOut[0]) Async.delay(1);
                assertThat(infoOf(waiting)).isEqualTo("blocked in java.util.concurrent.CountDownLatch.await");
            }
        });
    }
}
