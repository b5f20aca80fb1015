package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.testkit.TestLoop.bytes;
import static org.trueasync.testkit.TestLoop.loopback;

import java.io.IOException;
import java.lang.foreign.Arena;
import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.ServerSocket;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.List;
import java.util.concurrent.atomic.AtomicLong;
import java.util.concurrent.atomic.AtomicReference;
import java.util.function.Consumer;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncException;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.TcpHandle;
import org.trueasync.testkit.TestLoop.Pair;
import org.trueasync.testkit.TestLoop.Recorder;
import org.trueasync.testkit.TestLoop.Server;

@Tag("E30")
public abstract class StreamHandleConformance {
    private static final int MORE_THAN_LATE_ROOM = 16 << 20;

    private final TestLoop<Reactor> loop;

    protected StreamHandleConformance(ReactorKit kit) {
        this.loop = new TestLoop<>(kit.create());
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private void echoes(Server server) {
        Pair pair = loop.pair(server);
        TcpHandle client = pair.client().stream;
        TcpHandle other = pair.server().stream;
        assertThat(client.remoteAddress()).isEqualTo(server.address()).isEqualTo(other.localAddress());
        assertThat(other.remoteAddress()).isEqualTo(client.localAddress());
        assertThat(other.startReading()).isNull();
        assertThat(client.startReading()).isNull();
        for (String message : List.of("hello", "again")) {
            ByteBuffer out = bytes(message);
            assertThat(client.tryWrite(out)).isNull();
            assertThat(out.hasRemaining()).isFalse();
            loop.until(() -> pair.server().text.toString().endsWith(message));
            other.write(bytes(message));
            loop.until(() -> pair.client().text.toString().endsWith(message));
        }
        assertThat(pair.client().text).hasToString("helloagain");
        client.shutdown();
        loop.until(() -> pair.server().has("end"));
        assertThat(pair.client().events).containsExactly("connected", "shutdown");
        assertThat(pair.server().events).containsExactly("written", "written", "end");
    }

    @Test
    void buffersMemoryBelongsToAnotherThread_nothingIsTaken() throws InterruptedException {
        Pair pair = loop.pair();
        TcpHandle client = pair.client().stream;
        var made = new AtomicReference<ByteBuffer>();
        Thread.ofPlatform()
                .start(() -> made.set(Arena.ofConfined().allocate(10).asByteBuffer()))
                .join();
        assertThatThrownBy(() -> client.tryWrite(made.get())).isInstanceOf(WrongThreadException.class);
        assertThatThrownBy(() -> client.write(made.get())).isInstanceOf(WrongThreadException.class);
        assertThat(made.get().position()).isZero();
        client.write(bytes("next"));
        assertThat(pair.server().stream.startReading()).isNull();
        loop.until(() -> pair.server().text.toString().equals("next"));
        assertThat(pair.client().events).containsExactly("connected", "written");
    }

    @Test
    void optionsAndAddressOnAnotherThread_refusedBeforeTheSystemSeesThem() throws InterruptedException {
        TcpHandle client = loop.pair().client().stream;
        for (Consumer<TcpHandle> call :
                List.<Consumer<TcpHandle>>of(s -> s.noDelay(true), s -> s.keepAlive(5), TcpHandle::localAddress)) {
            var thrown = new AtomicReference<Throwable>();
            Thread.ofPlatform()
                    .name("stranger")
                    .start(() -> {
                        try {
                            call.accept(client);
                        } catch (Throwable e) {
                            thrown.set(e);
                        }
                    })
                    .join();
            assertThat(thrown.get()).isInstanceOf(AsyncException.class).hasMessageContaining("'stranger'");
        }
    }

    @Test
    void connectedOverIpv4_echoes() {
        echoes(loop.serve());
    }

    @Test
    void connectedOverIpv6_echoes() throws IOException {
        InetAddress v6 = InetAddress.ofLiteral("::1");
        try (ServerSocket probe = new ServerSocket(0, 1, v6)) {
            assertThat(probe.isBound()).isTrue();
        } catch (IOException none) {
            Assumptions.abort("no IPv6 here");
        }
        Server server = loop.serve(new InetSocketAddress(v6, 0), new ListenHandle.Options(10, false, true));
        assertThat(server.address().getAddress()).isInstanceOf(Inet6Address.class);
        echoes(server);
    }

    @Test
    void nobodyListens_connectReportsEconnrefused() throws IOException {
        int port;
        try (ServerSocket socket = new ServerSocket(0, 1, InetAddress.ofLiteral("127.0.0.1"))) {
            port = socket.getLocalPort();
        }
        Recorder client = new Recorder();
        client.stream = loop.reactor.connect(loopback(port), client);
        assertThat(client.events).isEmpty();
        loop.until(() -> !client.events.isEmpty());
        assertThat(client.events).containsExactly("connect ECONNREFUSED");
        assertThat(client.stream.startReading()).isNotNull();
        assertThat(client.stream.tryWrite(bytes("x"))).isNotNull();
        client.stream.close();
        loop.until(() -> client.has("closed"));
        assertThat(loop.reactor.openHandles()).isZero();
    }

    @Test
    void addressNotUsable_connectNamesItAndLeaksNothing() {
        assertThatThrownBy(() -> loop.reactor.connect(
                        new InetSocketAddress(InetAddress.ofLiteral("255.255.255.255"), 9), new Recorder()))
                .isInstanceOf(InputOutputException.class)
                .hasMessageMatching("connect to 255\\.255\\.255\\.255:9: E[A-Z]+ \\(.*\\)");
        loop.collect(2);
        assertThat(loop.reactor.openHandles()).isZero();
    }

    @Test
    void hostNotResolved_refusedAsMisuse() {
        assertThatThrownBy(
                        () -> loop.reactor.connect(InetSocketAddress.createUnresolved("somewhere", 1), new Recorder()))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("somewhere");
    }

    private SocketChannel dial(Server server) throws IOException {
        SocketChannel channel = SocketChannel.open(server.address());
        loop.until(() -> !server.accepted.isEmpty());
        return channel;
    }

    private static void reset(SocketChannel channel) throws IOException {
        channel.setOption(StandardSocketOptions.SO_LINGER, 0);
        channel.close();
    }

    @Test
    @Tag("F5")
    void peerResetsWhileReading_readErrorReported() throws IOException {
        Server server = loop.serve();
        SocketChannel peer = dial(server);
        Recorder side = server.accepted.getFirst();
        assertThat(side.stream.startReading()).isNull();
        reset(peer);
        loop.until(() -> !side.events.isEmpty());
        assertThat(side.events).containsExactly("read ECONNRESET");
        assertThat(side.stream.tryWrite(bytes("x"))).isNotNull();
    }

    @Test
    @Tag("E39")
    void peerResetsWhileWriting_everyWriteReportedInOrder() throws IOException {
        Server server = loop.serve();
        SocketChannel peer = dial(server);
        Recorder side = server.accepted.getFirst();
        fill(side.stream);
        side.stream.write(ByteBuffer.allocate(MORE_THAN_LATE_ROOM));
        side.stream.write(ByteBuffer.allocate(1));
        loop.collect(2);
        assertThat(side.events).isEmpty();
        reset(peer);
        loop.until(() -> side.events.size() == 2);
        assertThat(side.events).allMatch(event -> event.startsWith("write E"));
        side.stream.write(bytes("late"));
        assertThat(side.events).as("never synchronously").hasSize(2);
        loop.until(() -> side.events.size() == 3);
    }

    /** Writes until the system takes no more; what TCP acknowledges later makes a little room again. */
    private static void fill(TcpHandle stream) {
        ByteBuffer chunk = ByteBuffer.allocate(1 << 20);
        do {
            chunk.clear();
            assertThat(stream.tryWrite(chunk)).isNull();
        } while (!chunk.hasRemaining());
    }

    @Test
    @Tag("E32")
    void slowReader_writesWaitAndArriveWhole() throws Exception {
        Server server = loop.serve();
        SocketChannel peer = dial(server);
        Recorder side = server.accepted.getFirst();
        AtomicLong expected = new AtomicLong();
        // The bytes count up through everything that is sent, so that loss, doubling and reordering show.
        long total = 0;
        for (boolean direct : new boolean[] {false, true}) {
            ByteBuffer source = direct ? ByteBuffer.allocateDirect(1 << 22) : ByteBuffer.allocate(1 << 22);
            for (int i = 0; i < source.capacity(); i++) source.put((byte) (total + i));
            source.flip();
            if (!direct) assertThat(side.stream.tryWrite(source)).isNull();
            total += source.capacity();
            side.stream.write(source);
            assertThat(source.hasRemaining()).isFalse();
        }
        ByteBuffer refused = bytes("out of turn");
        assertThat(side.stream.tryWrite(refused)).isNull();
        assertThat(refused.position()).as("an earlier write is under way").isZero();
        side.stream.shutdown();
        long all = total;
        Thread reader = Thread.ofPlatform().start(() -> {
            ByteBuffer in = ByteBuffer.allocate(10_000);
            long at = 0;
            try {
                while (peer.read(in.clear()) >= 0) {
                    for (int i = 0; i < in.position(); i++) if (in.get(i) != (byte) at++) return;
                }
            } catch (IOException e) {
                return;
            }
            expected.set(at);
        });
        loop.until(() -> side.has("shutdown"));
        assertThat(side.events).containsExactly("written", "written", "shutdown");
        reader.join();
        assertThat(expected.get()).isEqualTo(all);
        peer.close();
    }

    @Test
    @Tag("E37")
    void readingStopped_bytesStayInTheSystemUntilWanted() {
        Pair pair = loop.pair();
        TcpHandle side = pair.server().stream;
        side.startReading();
        side.stopReading();
        pair.client().stream.tryWrite(bytes("kept"));
        pair.client().stream.shutdown();
        loop.until(() -> pair.client().has("shutdown"));
        loop.collect(5);
        assertThat(pair.server().text).isEmpty();
        assertThat(pair.server().events).isEmpty();
        side.startReading();
        loop.until(() -> pair.server().has("end"));
        assertThat(pair.server().text).hasToString("kept");
        side.startReading();
        loop.until(() -> pair.server().events.size() == 2);
        assertThat(pair.server().events)
                .as("the end is there for every later reader")
                .containsExactly("end", "end");
    }

    @Test
    void readingStopped_unwantedBytesDoNotMakeTheLoopSpin() {
        Pair pair = loop.pair();
        pair.server().stream.startReading();
        pair.server().stream.stopReading();
        pair.client().stream.tryWrite(bytes("waits"));
        long end = System.nanoTime() + 30_000_000;
        loop.reactor.alarm(end);
        int turns = 0;
        while (System.nanoTime() < end) {
            loop.reactor.execute(false);
            turns++;
        }
        assertThat(turns).isLessThan(10);
    }

    @Test
    void listenerStopsAfterEachMessage_nothingIsLostAndNoMoreDelivered() {
        Server server = loop.serve();
        int[] calls = new int[1];
        Recorder stopping = new Recorder() {
            @Override
            public void onBytes(ByteBuffer bytes) {
                calls[0]++;
                super.onBytes(bytes);
                stream.stopReading();
            }
        };
        stopping.stream = loop.reactor.connect(server.address(), stopping);
        loop.until(() -> stopping.has("connected") && server.accepted.size() == 1);
        TcpHandle sender = server.accepted.getFirst().stream;
        sender.write(ByteBuffer.allocate(1 << 20));
        sender.shutdown();
        int starts = 0;
        while (!stopping.has("end")) {
            int before = calls[0];
            stopping.stream.startReading();
            starts++;
            loop.until(() -> calls[0] > before || stopping.has("end"));
            loop.collect(3);
            assertThat(calls[0]).isLessThanOrEqualTo(before + 1);
        }
        assertThat(stopping.received).isEqualTo(1 << 20);
        assertThat(starts).isGreaterThan(15);
    }

    @Test
    @Tag("E38")
    void closedTwice_closedOnceAndEverythingRefused() {
        Pair pair = loop.pair();
        TcpHandle side = pair.server().stream;
        fill(side);
        side.write(ByteBuffer.allocate(MORE_THAN_LATE_ROOM));
        side.close();
        side.close();
        assertThat(side.isClosed()).isTrue();
        assertThat(side.startReading()).hasToString("EBADF (handle is closed)");
        assertThat(side.tryWrite(bytes("x"))).hasToString("EBADF (handle is closed)");
        assertThat(side.noDelay(true)).hasToString("EBADF (handle is closed)");
        assertThat(side.keepAlive(1)).hasToString("EBADF (handle is closed)");
        side.stopReading();
        assertThat(side.localAddress()).isNull();
        assertThatThrownBy(() -> side.write(bytes("x")))
                .isInstanceOf(InputOutputException.class)
                .hasMessageContaining("EBADF");
        assertThatThrownBy(side::shutdown)
                .isInstanceOf(InputOutputException.class)
                .hasMessageContaining("EBADF");
        loop.until(() -> pair.server().has("closed"));
        loop.collect(2);
        assertThat(pair.server().events).containsExactly("closed");
        side.close();
    }

    @Test
    void closedWhileConnecting_listenerHearsOnlyTheEnd() {
        Server server = loop.serve();
        Recorder client = new Recorder();
        client.stream = loop.reactor.connect(server.address(), client);
        client.stream.close();
        loop.until(() -> client.has("closed"));
        assertThat(client.events).containsExactly("closed");
    }

    @Test
    void closedInsideItsListener_noMoreCalls() {
        Server server = loop.serve();
        Recorder client = new Recorder() {
            @Override
            public void onBytes(ByteBuffer bytes) {
                super.onBytes(bytes);
                stream.close();
            }
        };
        client.stream = loop.reactor.connect(server.address(), client);
        loop.until(() -> client.has("connected") && !server.accepted.isEmpty());
        client.stream.startReading();
        server.accepted.getFirst().stream.write(ByteBuffer.allocate(1 << 19));
        loop.until(() -> client.has("closed"));
        assertThat(client.received).isLessThanOrEqualTo(64 * 1024);
        assertThat(client.events).containsExactly("connected", "closed");
    }

    @Test
    void shutTwice_secondIsRefused() {
        Pair pair = loop.pair();
        pair.client().stream.shutdown();
        pair.client().stream.shutdown();
        assertThat(pair.client().events).containsExactly("connected");
        loop.until(() -> pair.client().events.size() == 3);
        assertThat(pair.client().events).containsExactlyInAnyOrder("connected", "shutdown", "shutdown ENOTCONN");
        pair.client().stream.write(bytes("late"));
        loop.until(() -> pair.client().events.size() == 4);
        assertThat(pair.client().events.getLast()).isEqualTo("write EPIPE");
    }

    @Test
    void writtenBeforeConnected_sentOnceConnected() {
        Server server = loop.serve();
        Recorder client = new Recorder();
        client.stream = loop.reactor.connect(server.address(), client);
        client.stream.write(bytes("early"));
        loop.until(() -> client.has("written"));
        server.accepted.getFirst().stream.startReading();
        loop.until(() -> server.accepted.getFirst().text.toString().equals("early"));
    }

    @Test
    void emptyWrite_isReportedToo() {
        Pair pair = loop.pair();
        pair.client().stream.write(ByteBuffer.allocate(0));
        loop.until(() -> pair.client().has("written"));
        assertThat(pair.client().stream.tryWrite(ByteBuffer.allocate(0))).isNull();
        assertThat(pair.client().stream.tryWrite(ByteBuffer.allocateDirect(0))).isNull();
    }

    @Test
    void readOnlyAndSlicedBuffers_areWrittenFromTheirPosition() {
        Pair pair = loop.pair();
        pair.server().stream.startReading();
        pair.client().stream.tryWrite(bytes("--one").position(2).slice().asReadOnlyBuffer());
        pair.client().stream.write(bytes("--two").position(2).slice().asReadOnlyBuffer());
        ByteBuffer direct = ByteBuffer.allocateDirect(10)
                .put(bytes("--three--"))
                .flip()
                .position(2)
                .limit(7);
        pair.client().stream.write(direct.duplicate());
        loop.until(() -> pair.client().events.stream().filter("written"::equals).count() == 2);
        pair.client().stream.tryWrite(direct);
        loop.until(() -> pair.server().text.toString().equals("onetwothreethree"));
    }

    @Test
    void options_areAccepted() {
        TcpHandle stream = loop.pair().client().stream;
        assertThat(stream.noDelay(false)).isNull();
        assertThat(stream.noDelay(true)).isNull();
        assertThat(stream.keepAlive(5)).isNull();
        assertThat(stream.keepAlive(0)).isNull();
        assertThatThrownBy(() -> stream.keepAlive(-1))
                .isInstanceOf(IllegalArgumentException.class)
                .hasMessageContaining("-1");
    }

    /** One descriptor, two interests: each is served by itself, and takes nothing from the other. */
    @Test
    @Tag("E25")
    @Tag("E30")
    void readingAndWritingWaitTogether_eachIsServedAlone() {
        Pair pair = loop.pair();
        pair.client().stream.startReading();
        int count = 0;
        do {
            pair.client().stream.write(ByteBuffer.allocate(1 << 20));
            count++;
            loop.collect(2);
        } while (pair.client().events.size() > count); // "connected", and one for each that is written
        assertThat(pair.server().stream.tryWrite(bytes("one"))).isNull();
        loop.until(() -> pair.client().text.toString().equals("one"));
        assertThat(pair.client().events.size()).isLessThanOrEqualTo(count);
        long all = (long) count << 20;
        pair.server().stream.startReading();
        loop.until(() -> pair.server().received == all);
        loop.until(() -> pair.client().events.contains("written"));
        assertThat(pair.server().stream.tryWrite(bytes(" two"))).isNull();
        loop.until(() -> pair.client().text.toString().equals("one two"));
    }
}
