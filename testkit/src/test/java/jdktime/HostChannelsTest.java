package jdktime;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.blocking;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;

import java.io.IOException;
import java.net.ConnectException;
import java.net.InetSocketAddress;
import java.net.PortUnreachableException;
import java.net.ProtocolFamily;
import java.net.Socket;
import java.net.SocketTimeoutException;
import java.net.StandardProtocolFamily;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.AsynchronousCloseException;
import java.nio.channels.AsynchronousSocketChannel;
import java.nio.channels.CancelledKeyException;
import java.nio.channels.ClosedByInterruptException;
import java.nio.channels.ClosedChannelException;
import java.nio.channels.ClosedSelectorException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.IllegalBlockingModeException;
import java.nio.channels.NotYetConnectedException;
import java.nio.channels.Pipe;
import java.nio.channels.SelectionKey;
import java.nio.channels.Selector;
import java.nio.channels.ServerSocketChannel;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Body;
import org.trueasync.testkit.VirtualTime;
import org.trueasync.testkit.simulation.Simulation;

/** The JDK's channels and selectors, in hosts. */
@Timeout(60)
class HostChannelsTest {
    private static final int PORT = 7000;

    private static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    private static String text(ByteBuffer filled) {
        return StandardCharsets.UTF_8.decode(filled.flip()).toString();
    }

    /** A server in the usual way: one thread, one selector. Gives back what it gets. */
    private static void echo() throws IOException {
        try (var selector = Selector.open();
                var server = ServerSocketChannel.open()) {
            server.configureBlocking(false).register(selector, SelectionKey.OP_ACCEPT);
            server.bind(new InetSocketAddress(PORT));
            while (true) {
                selector.select();
                for (Iterator<SelectionKey> keys = selector.selectedKeys().iterator(); keys.hasNext(); ) {
                    SelectionKey key = keys.next();
                    keys.remove();
                    try {
                        if (key.isAcceptable()) {
                            SocketChannel peer = server.accept();
                            peer.configureBlocking(false)
                                    .register(selector, SelectionKey.OP_READ, ByteBuffer.allocate(100_000));
                        } else {
                            serve(key);
                        }
                    } catch (IOException gone) {
                        key.channel().close();
                    }
                }
            }
        }
    }

    private static void serve(SelectionKey key) throws IOException {
        var channel = (SocketChannel) key.channel();
        var buffer = (ByteBuffer) key.attachment();
        if (key.isReadable() && channel.read(buffer) < 0) {
            channel.close();
            return;
        }
        buffer.flip();
        channel.write(buffer);
        buffer.compact();
        key.interestOps((buffer.position() > 0 ? SelectionKey.OP_WRITE : 0)
                | (buffer.hasRemaining() ? SelectionKey.OP_READ : 0));
    }

    private static void withEcho(Body client) {
        Simulation.replay(1, sim -> {
            sim.host("server", HostChannelsTest::echo);
            sim.client(() -> {
                delay(1);
                client.run();
            });
        });
    }

    private static SocketChannel connected() throws IOException {
        return SocketChannel.open(new InetSocketAddress("server", PORT));
    }

    private static void client(Body main) {
        Simulation.replay(1, sim -> sim.client(main));
    }

    // ---- TCP

    @Test
    void blockingClient_talksToASelectingServer() {
        withEcho(() -> {
            try (var channel = connected()) {
                assertThat(channel.isConnected()).isTrue();
                assertThat(channel.getRemoteAddress()).hasToString("server/10.0.0.1:7000");
                assertThat(channel.getLocalAddress().toString()).startsWith("/10.0.0.2:3276");
                assertThat(channel.socket().getInetAddress().getHostName()).isEqualTo("server");
                channel.write(bytes("hello"));
                var got = ByteBuffer.allocate(10);
                while (got.position() < 5) channel.read(got);
                assertThat(text(got)).isEqualTo("hello");
                channel.shutdownOutput();
                assertThat(channel.read(got.clear())).isEqualTo(-1);
                assertThatThrownBy(() -> channel.write(bytes("x"))).isInstanceOf(ClosedChannelException.class);
                channel.shutdownInput();
                assertThat(channel.read(got)).isEqualTo(-1);
            }
        });
    }

    @Test
    void manyBytes_comeBackWhole_throughFullWindows() {
        int size = 3_000_000;
        withEcho(() -> {
            try (var channel = connected();
                    var selector = Selector.open()) {
                channel.configureBlocking(false);
                var key = channel.register(selector, SelectionKey.OP_READ | SelectionKey.OP_WRITE);
                var out = ByteBuffer.allocate(size);
                for (int i = 0; i < size; i++) out.put((byte) (i * 31));
                out.flip();
                var in = ByteBuffer.allocate(size);
                int full = 0;
                while (in.hasRemaining()) {
                    selector.select(ready -> {
                        try {
                            if (ready.isWritable()) channel.write(out);
                            if (ready.isReadable() && channel.read(in) < 0) throw new AssertionError("ended");
                        } catch (IOException e) {
                            throw new AssertionError(e);
                        }
                    });
                    if (out.hasRemaining() && channel.write(out) == 0) full++;
                    if (!out.hasRemaining()) key.interestOps(SelectionKey.OP_READ);
                }
                for (int i = 0; i < size; i++) if (in.get(i) != (byte) (i * 31)) throw new AssertionError("at " + i);
                assertThat(full).isPositive();
            }
        });
    }

    @Test
    void connecting_withoutWaiting() {
        withEcho(() -> {
            try (var selector = Selector.open();
                    var channel = SocketChannel.open();
                    var refused = SocketChannel.open()) {
                channel.configureBlocking(false);
                refused.configureBlocking(false);
                assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
                        .isInstanceOf(NotYetConnectedException.class);
                channel.register(selector, SelectionKey.OP_CONNECT, "accepts");
                refused.register(selector, SelectionKey.OP_CONNECT, "refuses");
                assertThat(channel.connect(new InetSocketAddress("server", PORT)))
                        .isFalse();
                assertThat(refused.connect(new InetSocketAddress("server", 1))).isFalse();
                assertThat(channel.isConnectionPending()).isTrue();
                assertThat(channel.finishConnect()).isFalse();
                List<String> ready = new ArrayList<>();
                while (ready.size() < 2)
                    selector.select(key -> {
                        ready.add("" + key.attachment());
                        key.interestOps(0);
                    });
                assertThat(ready).containsExactlyInAnyOrder("accepts", "refuses");
                assertThat(channel.finishConnect()).isTrue();
                assertThatThrownBy(refused::finishConnect)
                        .isInstanceOf(ConnectException.class)
                        .hasMessage("Connection refused");
                assertThat(refused.isOpen()).isFalse();
            }
        });
    }

    @Test
    void buffersInARow_areGatheredAndScattered() {
        withEcho(() -> {
            try (var channel = connected()) {
                assertThat(channel.write(new ByteBuffer[] {bytes("ab"), bytes(""), bytes("cde")}))
                        .isEqualTo(5);
                delay(10);
                var one = ByteBuffer.allocate(3);
                var other = ByteBuffer.allocate(10);
                long count = channel.read(new ByteBuffer[] {one, other});
                while (count < 5) count += channel.read(new ByteBuffer[] {one, other});
                assertThat(text(one) + "," + text(other)).isEqualTo("abc,de");
            }
        });
    }

    @Test
    void socketOfAChannel_hasLimitsAndStreams() {
        withEcho(() -> {
            try (var channel = connected()) {
                var socket = channel.socket();
                socket.setTcpNoDelay(true);
                assertThat(channel.getOption(StandardSocketOptions.TCP_NODELAY)).isTrue();
                socket.getOutputStream().write("hi".getBytes(StandardCharsets.UTF_8));
                assertThat(socket.getInputStream().readNBytes(2)).asString().isEqualTo("hi");
                socket.setSoTimeout(5_000);
                long begin = System.nanoTime();
                assertThatThrownBy(() -> socket.getInputStream().read()).isInstanceOf(SocketTimeoutException.class);
                assertThat(System.nanoTime() - begin).isBetween(5_000_000_000L, 5_001_000_000L);
                channel.configureBlocking(false);
                assertThatThrownBy(() -> socket.getInputStream().read())
                        .isInstanceOf(IllegalBlockingModeException.class);
                assertThat(channel.read(ByteBuffer.allocate(1))).isZero();
            }
        });
    }

    @Test
    void closedOrInterrupted_whileItWaits() {
        withEcho(() -> {
            for (boolean interrupts : new boolean[] {true, false}) {
                SocketChannel channel = connected();
                var failure = new AtomicReference<Exception>();
                var thread = new Thread(() -> {
                    try {
                        channel.read(ByteBuffer.allocate(1));
                    } catch (IOException e) {
                        failure.set(e);
                    }
                });
                thread.start();
                delay(10);
                if (interrupts) thread.interrupt();
                else channel.close();
                thread.join();
                assertThat(failure.get())
                        .isExactlyInstanceOf(
                                interrupts ? ClosedByInterruptException.class : AsynchronousCloseException.class);
                assertThat(channel.isOpen()).isFalse();
            }
        });
    }

    @Test
    void interruptOfAPlatformThread_doesNotEndASocketsRead() {
        withEcho(() -> {
            try (var socket = new Socket("server", PORT)) {
                var seen = new AtomicReference<String>();
                var thread = new Thread(() -> {
                    try {
                        int read = socket.getInputStream().read();
                        seen.set((char) read + " " + Thread.currentThread().isInterrupted());
                    } catch (IOException e) {
                        seen.set(e.toString());
                    }
                });
                thread.start();
                delay(10);
                thread.interrupt();
                delay(10);
                assertThat(thread.isAlive()).isTrue();
                socket.getOutputStream().write('x');
                thread.join();
                assertThat(seen).hasValue("x true");
            }
        });
    }

    // ---- selectors

    @Test
    void selector_endsInTime_byWakeup_interruptAndClose() {
        client(() -> {
            var selector = Selector.open();
            long begin = System.nanoTime();
            assertThat(selector.select(3_000)).isZero();
            assertThat(System.nanoTime() - begin).isEqualTo(3_000_000_000L);
            selector.wakeup();
            assertThat(selector.select()).isZero(); // the one that was woken before

            var thread = new Thread(() -> {
                try {
                    selector.select();
                    selector.select();
                    if (!Thread.currentThread().isInterrupted()) throw new AssertionError("not interrupted");
                    Thread.interrupted();
                    selector.select();
                } catch (IOException | ClosedSelectorException e) {
                    throw new AssertionError(e);
                }
            });
            AtomicReference<Throwable> failure = new AtomicReference<>();
            thread.setUncaughtExceptionHandler((where, thrown) -> failure.set(thrown));
            thread.start();
            delay(10);
            selector.wakeup();
            delay(10);
            assertThat(thread.isAlive()).isTrue();
            thread.interrupt();
            delay(10);
            assertThat(thread.isAlive()).isTrue();
            selector.close();
            thread.join();
            assertThat(failure.get()).isNull();
            assertThat(selector.isOpen()).isFalse();
            assertThatThrownBy(selector::selectNow).isInstanceOf(ClosedSelectorException.class);
        });
    }

    @Test
    void keys_areCancelled_andRegisteredAgain() {
        withEcho(() -> {
            try (var selector = Selector.open();
                    var other = Selector.open();
                    var channel = connected()) {
                assertThatThrownBy(() -> channel.register(selector, SelectionKey.OP_READ))
                        .isInstanceOf(IllegalBlockingModeException.class);
                channel.configureBlocking(false);
                var key = channel.register(selector, SelectionKey.OP_READ);
                var second = channel.register(other, SelectionKey.OP_WRITE);
                assertThat(channel.keyFor(selector)).isSameAs(key);
                assertThatThrownBy(() -> key.interestOps(SelectionKey.OP_ACCEPT))
                        .isInstanceOf(IllegalArgumentException.class);
                assertThat(other.selectNow()).isEqualTo(1);
                assertThat(selector.selectNow()).isZero();
                channel.write(bytes("a"));
                assertThat(selector.select()).isEqualTo(1);
                assertThat(selector.select()).isZero(); // selected, and nothing new
                assertThat(selector.selectedKeys()).containsExactly(key);
                key.cancel();
                assertThat(key.isValid()).isFalse();
                assertThatThrownBy(key::readyOps).isInstanceOf(CancelledKeyException.class);
                selector.selectNow();
                assertThat(selector.keys()).isEmpty();
                assertThat(selector.selectedKeys()).isEmpty();
                assertThat(channel.register(selector, SelectionKey.OP_READ)).isNotSameAs(key);
                channel.close();
                assertThat(second.isValid()).isFalse();
            }
        });
    }

    // ---- UDP

    @Test
    void datagrams_blockingAndNot() {
        Simulation.replay(1, sim -> {
            sim.host("server", () -> {
                try (var channel = DatagramChannel.open().bind(new InetSocketAddress(PORT))) {
                    var buffer = ByteBuffer.allocate(100);
                    while (true) {
                        var from = channel.receive(buffer.clear());
                        channel.send(buffer.flip(), from);
                    }
                }
            });
            sim.host("empty", () -> {});
            sim.client(() -> {
                delay(1);
                try (var channel = DatagramChannel.open();
                        var selector = Selector.open()) {
                    channel.configureBlocking(false).register(selector, SelectionKey.OP_READ);
                    var buffer = ByteBuffer.allocate(10);
                    assertThat(channel.receive(buffer)).isNull();
                    channel.send(bytes("hello"), new InetSocketAddress("server", PORT));
                    assertThat(selector.select()).isEqualTo(1);
                    assertThat(channel.receive(buffer)).hasToString("/10.0.0.1:7000");
                    assertThat(text(buffer)).isEqualTo("hello");

                    channel.connect(new InetSocketAddress("server", PORT));
                    channel.write(new ByteBuffer[] {bytes("a"), bytes("bc")});
                    selector.selectedKeys().clear();
                    selector.select();
                    var one = ByteBuffer.allocate(2);
                    var other = ByteBuffer.allocate(2);
                    assertThat(channel.read(new ByteBuffer[] {one, other})).isEqualTo(3);
                    assertThat(text(one) + "," + text(other)).isEqualTo("ab,c");
                }
                try (var channel = DatagramChannel.open().connect(new InetSocketAddress("empty", PORT))) {
                    channel.write(bytes("x"));
                    assertThatThrownBy(() -> channel.read(ByteBuffer.allocate(1)))
                            .isInstanceOf(PortUnreachableException.class);
                }
            });
        });
    }

    // ---- what there is not, and where

    @Test
    void theRest_isRefusedByName_onHostsAlone() {
        ProtocolFamily unix = StandardProtocolFamily.UNIX;
        client(() -> {
            for (Callable<?> open : List.<Callable<?>>of(
                    AsynchronousSocketChannel::open,
                    () -> SocketChannel.open(unix),
                    Pipe::open,
                    () -> DatagramChannel.open().socket(),
                    () -> DatagramChannel.open().join(null, null)))
                assertThatThrownBy(open::call)
                        .isInstanceOf(UnsupportedOperationException.class)
                        .hasMessageContaining("simulated");
        });
        VirtualTime.run(() -> Selector.open().close());
    }

    @Test
    void socketThatWouldHoldItsHost_isRefused() {
        withEcho(() -> assertThatThrownBy(() -> blocking(() -> new Socket("server", PORT)))
                .hasStackTraceContaining("can't wait in Async.blocking"));
    }

    private static List<String> asked(long seed) {
        List<String> log = new ArrayList<>();
        Simulation.replay(seed, sim -> {
            sim.host("server", HostChannelsTest::echo);
            sim.faults().kills().partitions().resets().packetLoss().every(Duration.ofSeconds(2));
            sim.client(() -> {
                for (int i = 0; i < 10; i++) {
                    try (var channel = SocketChannel.open();
                            var selector = Selector.open()) {
                        channel.configureBlocking(false);
                        channel.register(selector, SelectionKey.OP_CONNECT);
                        channel.connect(new InetSocketAddress("server", PORT));
                        selector.select(1_000);
                        if (!channel.finishConnect()) throw new IOException("connecting takes too long");
                        channel.keyFor(selector).interestOps(SelectionKey.OP_READ);
                        channel.write(bytes("number " + i));
                        selector.selectedKeys().clear();
                        if (selector.select(1_000) == 0) throw new IOException("no answer");
                        var buffer = ByteBuffer.allocate(100);
                        channel.read(buffer);
                        log.add(sim.elapsed() + " " + text(buffer));
                    } catch (IOException e) {
                        log.add(sim.elapsed() + " " + e);
                    }
                    spawn(() -> {});
                    Thread.sleep(1_000);
                }
            });
        });
        return log;
    }

    @Test
    void sameSeed_isTheSameRun_underFaults() {
        List<String> all = new ArrayList<>();
        for (long seed = 1; seed <= 8; seed++) {
            List<String> log = asked(seed);
            assertThat(asked(seed)).isEqualTo(log);
            all.addAll(log);
        }
        assertThat(all).anyMatch(line -> line.contains("number 7")).anyMatch(line -> line.contains("Exception"));
    }
}
