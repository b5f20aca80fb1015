package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.timeout;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicInteger;
import org.trueasync.Completable;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.io.SlowNames;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.internal.testkit.WaitTable;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.UdpHandle;

/** Waits of sockets for peers, for names and for datagrams, and of intervals. */
final class SocketWaits extends WaitTable {
    private static final AtomicInteger PATHS = new AtomicInteger();

    SocketWaits() {
        accepting();
        connecting();
        names();
        datagrams();
        intervals();
    }

    private static Path path() {
        return Path.of("/tmp/every-wait-server-" + PATHS.incrementAndGet());
    }

    // ---- connections

    private void accepting() {
        for (String method : List.of("TcpServer.accept()", "TcpServer.accept(Completable)"))
            row(method, wait -> {
                TcpServer server = TcpServer.listen("127.0.0.1", 0);
                List<AutoCloseable> clients = new ArrayList<>();
                call(method, wait, token -> {
                    TcpStream accepted = takesToken(method) ? server.accept(token) : server.accept();
                    accepted.close();
                });
                accepts(wait, clients, () -> TcpStream.connect("127.0.0.1", server.port()));
                wait.closes(server::close);
            });
        for (String method : List.of("PipeServer.accept()", "PipeServer.accept(Completable)"))
            row(method, wait -> {
                PipeServer server = PipeServer.listen(path());
                List<AutoCloseable> clients = new ArrayList<>();
                call(method, wait, token -> {
                    Pipe accepted = takesToken(method) ? server.accept(token) : server.accept();
                    accepted.close();
                });
                accepts(wait, clients, () -> Pipe.connect(server.path()));
                wait.closes(server::close);
            });
    }

    private interface Connecting {
        AutoCloseable connect();
    }

    /** One client comes, once it is taken another one. */
    private static void accepts(WaitCase wait, List<AutoCloseable> clients, Connecting connecting) {
        wait.serve(() -> clients.add(connecting.connect())).comesFromOutside().closes(() -> {
            for (AutoCloseable client : clients) client.close();
        });
    }

    /** The backlog is full, so a client waits until somebody accepts. */
    private void connecting() {
        for (String method : List.of("TcpStream.connect(String, int)", "TcpStream.connect(String, int, Completable)"))
            row(method, wait -> {
                TcpServer server = TcpServer.listen("127.0.0.1", 0, new ListenHandle.Options(1, false, false));
                List<TcpStream> waiting = filled(() -> TcpStream.connect("127.0.0.1", server.port()));
                call(method, wait, token -> {
                    TcpStream stream = takesToken(method)
                            ? TcpStream.connect("127.0.0.1", server.port(), token)
                            : TcpStream.connect("127.0.0.1", server.port());
                    stream.close();
                });
                wait.serve(() -> acceptAll(token -> server.accept(token)))
                        .endsInADrain()
                        .closes(server::close)
                        .closes(() -> closeAll(waiting));
            });
        for (String method : List.of("Pipe.connect(Path)", "Pipe.connect(Path, Completable)"))
            row(method, wait -> {
                PipeServer server =
                        PipeServer.listen(path(), new PipeServer.Options(PipeServer.Options.DEFAULT.permissions(), 1));
                List<Pipe> waiting = filled(() -> Pipe.connect(server.path()));
                call(method, wait, token -> {
                    Pipe pipe = takesToken(method) ? Pipe.connect(server.path(), token) : Pipe.connect(server.path());
                    pipe.close();
                });
                wait.serve(() -> acceptAll(token -> server.accept(token)))
                        .endsInADrain()
                        .closes(server::close)
                        .closes(() -> closeAll(waiting));
            });
    }

    private interface Accepting {
        AutoCloseable accept(Completable<?> token);
    }

    /** Those who have given up are among them. */
    private static void acceptAll(Accepting accepting) throws Exception {
        try {
            while (true) accepting.accept(timeout(1)).close();
        } catch (OperationCanceledException e) {
            // no more
        }
    }

    private interface Making<T> {
        T make();
    }

    private static <T extends AutoCloseable> List<T> filled(Making<T> making) {
        List<T> made = new ArrayList<>();
        made.add(making.make());
        return made;
    }

    private static void closeAll(List<? extends AutoCloseable> all) throws Exception {
        for (AutoCloseable one : all) one.close();
    }

    // ---- names

    private void name(String method, On<SlowNames.Held> on) {
        row(method, wait -> {
            SlowNames.Held held = SlowNames.hold();
            call(method, wait, token -> on.call(held, token));
            wait.serve(held::release).needsThreads().closes(held::release);
        });
    }

    private void names() {
        name("Dns.resolve(String)", (held, token) -> assertThat(Dns.resolve(held.host()))
                .containsExactly(held.address()));
        name("Dns.resolve(String, Completable)", (held, token) -> assertThat(Dns.resolve(held.host(), token))
                .containsExactly(held.address()));
        name("Dns.reverse(InetAddress)", (held, token) -> assertThat(Dns.reverse(fresh(held)))
                .isEqualTo(held.host()));
        name("Dns.reverse(InetAddress, Completable)", (held, token) -> assertThat(Dns.reverse(fresh(held), token))
                .isEqualTo(held.host()));
        name("TcpServer.listen(String, int)", (held, token) -> TcpServer.listen(held.host(), 0)
                .close());
        name("TcpServer.listen(String, int, Options)", (held, token) -> TcpServer.listen(
                        held.host(), 0, ListenHandle.Options.DEFAULT)
                .close());
        name("UdpSocket.bind(String, int)", (held, token) -> UdpSocket.bind(held.host(), 0)
                .close());
        name("UdpSocket.bind(String, int, Options)", (held, token) -> UdpSocket.bind(
                        held.host(), 0, UdpHandle.Options.DEFAULT)
                .close());
        for (String method : List.of("UdpSocket.connect(String, int)", "UdpSocket.connect(String, int, Completable)"))
            row(method, wait -> {
                SlowNames.Held held = SlowNames.hold();
                UdpSocket socket = UdpSocket.bind("127.0.0.1", 0);
                call(method, wait, token -> {
                    if (takesToken(method)) socket.connect(held.host(), 7, token);
                    else socket.connect(held.host(), 7);
                    assertThat(socket.remoteAddress()).isEqualTo(new InetSocketAddress(held.address(), 7));
                });
                wait.serve(held::release).needsThreads().closes(held::release).closes(socket::close);
            });
    }

    /** Without a name that it remembers. */
    private static InetAddress fresh(SlowNames.Held held) throws java.net.UnknownHostException {
        return InetAddress.getByAddress(held.address().getAddress());
    }

    // ---- datagrams

    private record Sockets(UdpSocket near, UdpSocket far) {
        static Sockets open() {
            return new Sockets(UdpSocket.bind("127.0.0.1", 0), UdpSocket.bind("127.0.0.1", 0));
        }

        void close() {
            near.close();
            far.close();
        }
    }

    @FunctionalInterface
    private interface Receives {
        void receive(UdpSocket socket, ByteBuffer into, Completable<?> token);
    }

    private void received(String method, Receives receives) {
        row(method, wait -> {
            Sockets sockets = Sockets.open();
            sockets.near.connect("127.0.0.1", sockets.far.localAddress().getPort());
            call(method, wait, token -> {
                ByteBuffer into = ByteBuffer.allocate(100);
                receives.receive(sockets.near, into, token);
                assertThat(StandardCharsets.UTF_8.decode(into.flip()).toString())
                        .isEqualTo("some");
            });
            wait.serve(() -> sockets.far.send(some(), sockets.near.localAddress()))
                    .comesFromOutside()
                    .closes(sockets::close);
        });
    }

    private void datagrams() {
        received("UdpSocket.receive(ByteBuffer)", (socket, into, token) -> socket.receive(into));
        received("UdpSocket.receive(ByteBuffer, Completable)", UdpSocket::receive);
        received("UdpSocket.read(ByteBuffer)", (socket, into, token) -> socket.read(into));
        received("UdpSocket.read(ByteBuffer, Completable)", UdpSocket::read);
        sent("UdpSocket.write(ByteBuffer)", (sockets, token) -> sockets.near.write(some()));
        sent("UdpSocket.write(ByteBuffer, Completable)", (sockets, token) -> sockets.near.write(some(), token));
        sent(
                "UdpSocket.send(ByteBuffer, InetSocketAddress)",
                (sockets, token) -> sockets.near.send(some(), sockets.far.localAddress()));
        sent(
                "UdpSocket.send(ByteBuffer, InetSocketAddress, Completable)",
                (sockets, token) -> sockets.near.send(some(), sockets.far.localAddress(), token));
    }

    private static ByteBuffer some() {
        return ByteBuffer.wrap("some".getBytes(StandardCharsets.UTF_8));
    }

    /** The system has no room; what was given up is not sent. */
    private void sent(String method, On<Sockets> on) {
        row(method, wait -> {
            Sockets sockets = Sockets.open();
            List<DeviceReactor.Datagrams> all =
                    ((DeviceReactor) SchedulerProvider.get().reactor()).sockets;
            DeviceReactor.Datagrams near = all.get(all.size() - 2);
            if (method.contains("write"))
                sockets.near.connect("127.0.0.1", sockets.far.localAddress().getPort());
            near.isFull(true);
            var sent = new AtomicInteger();
            call(method, wait, token -> {
                on.call(sockets, token);
                sent.incrementAndGet();
            });
            wait.serve(() -> near.isFull(false))
                    .comesFromOutside()
                    .leaves(() -> {
                        for (int left = sent.get(); left > 0; left--) sockets.far.receive(ByteBuffer.allocate(9));
                        assertThatThrownBy(() -> sockets.far.receive(ByteBuffer.allocate(9), timeout(10)))
                                .isInstanceOf(OperationCanceledException.class);
                    })
                    .closes(sockets::close);
        });
    }

    // ---- time

    private void intervals() {
        for (String method : List.of("Interval.await()", "Interval.await(Completable)"))
            row(method, wait -> {
                Interval interval = Interval.every(Duration.ofMillis(200));
                call(method, wait, token -> {
                    if (takesToken(method)) interval.await(token);
                    else interval.await();
                });
                wait.serve(() -> delay(300)).elapses();
            });
    }
}
