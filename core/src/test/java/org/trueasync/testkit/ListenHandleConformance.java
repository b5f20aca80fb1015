package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.testkit.TestLoop.loopback;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;
import org.trueasync.testkit.TestLoop.Recorder;
import org.trueasync.testkit.TestLoop.Server;

@Tag("E30")
public abstract class ListenHandleConformance {
    private final TestLoop<Reactor> loop;

    protected ListenHandleConformance(ReactorKit kit) {
        this.loop = new TestLoop<>(kit.create());
    }

    @AfterEach
    void close() {
        loop.close();
    }

    /** Only counts; the test accepts. */
    private static final class Counter implements ListenHandle.Listener {
        int told;

        @Override
        public void onConnection() {
            told++;
        }

        @Override
        public void onError(SystemError error) {
            throw new AssertionError(error);
        }
    }

    @Test
    void portTaken_listenNamesAddressAndError() {
        InetSocketAddress taken = loop.serve().address();
        int open = loop.reactor.openHandles();
        assertThatThrownBy(() -> loop.serve(taken, ListenHandle.Options.DEFAULT))
                .isInstanceOf(InputOutputException.class)
                .hasMessage("listen on 127.0.0.1:" + taken.getPort() + ": EADDRINUSE (address already in use)");
        loop.collect(2);
        assertThat(loop.reactor.openHandles()).isEqualTo(open);
    }

    @Test
    void reusePort_twoSocketsShareOnePort() {
        var options = new ListenHandle.Options(5, true, false);
        Server first = loop.serve(loopback(0), options);
        Server second = loop.serve(first.address(), options);
        assertThat(second.address()).isEqualTo(first.address());
    }

    @Test
    void connectionsWait_toldOnceUntilAcceptFindsNone() throws IOException {
        Counter counter = new Counter();
        ListenHandle handle = loop.reactor.listen(loopback(0), ListenHandle.Options.DEFAULT, counter);
        try (SocketChannel first = SocketChannel.open(handle.localAddress());
                SocketChannel second = SocketChannel.open(handle.localAddress())) {
            loop.until(() -> counter.told > 0);
            loop.collect(5);
            assertThat(counter.told).isEqualTo(1);
            TcpHandle taken = (TcpHandle) handle.accept(new Recorder());
            assertThat(taken).isNotNull();
            assertThat(taken.remoteAddress()).isEqualTo(first.getLocalAddress());
            loop.collect(5);
            assertThat(counter.told)
                    .as("the second still waits, but accept has not returned null")
                    .isEqualTo(1);
            assertThat(handle.accept(new Recorder())).isNotNull();
            assertThat(handle.accept(new Recorder())).isNull();
            assertThat(second.isConnected()).isTrue();
            loop.collect(2);
            assertThat(counter.told).isEqualTo(1);
            try (SocketChannel third = SocketChannel.open(handle.localAddress())) {
                assertThat(third.isConnected()).isTrue();
                loop.until(() -> counter.told == 2);
            }
        }
    }

    @Test
    void nobodyAccepts_loopDoesNotSpin() throws IOException {
        Counter counter = new Counter();
        ListenHandle handle = loop.reactor.listen(loopback(0), ListenHandle.Options.DEFAULT, counter);
        try (SocketChannel waiting = SocketChannel.open(handle.localAddress())) {
            assertThat(waiting.isConnected()).isTrue();
            long end = System.nanoTime() + 30_000_000;
            loop.reactor.alarm(end);
            int turns = 0;
            while (System.nanoTime() < end) {
                loop.reactor.execute(false);
                turns++;
            }
            assertThat(turns).isLessThan(10);
        }
    }

    @Test
    @Tag("E38")
    void closed_refusesAndReleasesThePort() {
        Server server = loop.serve();
        InetSocketAddress address = server.address();
        server.handle.close();
        server.handle.close();
        assertThat(server.address()).isEqualTo(address);
        assertThatThrownBy(() -> server.handle.accept(new Recorder()))
                .isInstanceOf(InputOutputException.class)
                .hasMessageContaining("EBADF (handle is closed)");
        loop.collect(2);
        assertThat(loop.reactor.openHandles()).isZero();
        loop.serve(address, ListenHandle.Options.DEFAULT);
    }

    @Test
    void closedInsideItsListener_connectionsAreDropped() throws IOException {
        ListenHandle[] handle = new ListenHandle[1];
        handle[0] = loop.reactor.listen(loopback(0), ListenHandle.Options.DEFAULT, new ListenHandle.Listener() {
            @Override
            public void onConnection() {
                handle[0].close();
            }

            @Override
            public void onError(SystemError error) {}
        });
        try (SocketChannel channel = SocketChannel.open(handle[0].localAddress())) {
            loop.until(() -> loop.reactor.openHandles() == 0);
            assertThat(channel.isOpen()).isTrue();
        }
    }
}
