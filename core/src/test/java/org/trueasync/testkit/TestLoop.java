package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.function.BooleanSupplier;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/**
 * A reactor whose turns the test runs by hand.
 *
 * @param <R> of which kind
 */
public final class TestLoop<R extends Reactor> implements AutoCloseable {
    public final R reactor;

    /** Waiting turns so far. */
    public int turns;

    public TestLoop(R reactor) {
        this.reactor = reactor;
    }

    /** Runs waiting turns until the condition holds; fails after 60 s, which no test needs. */
    public void until(BooleanSupplier condition) {
        long end = System.nanoTime() + Duration.ofSeconds(60).toNanos();
        reactor.alarm(end);
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end)
                    .as("gave up waiting; open handles: " + reactor.openHandles())
                    .isNegative();
            reactor.execute(false);
            turns++;
        }
        reactor.alarm(Long.MAX_VALUE);
    }

    /** Runs turns that collect without waiting. */
    public void collect(int count) {
        for (int i = 0; i < count; i++) reactor.execute(true);
    }

    public Server serve(InetSocketAddress address, ListenHandle.Options options) {
        return new Server(this, address, options);
    }

    public Server serve() {
        return serve(loopback(0), ListenHandle.Options.DEFAULT);
    }

    /** A client and the server's side of one connection inside this loop. */
    public Pair pair() {
        return pair(serve());
    }

    public Pair pair(Server server) {
        Recorder client = new Recorder();
        client.stream = reactor.connect(server.address(), client);
        until(() -> client.has("connected") && server.accepted.size() > 0);
        return new Pair(client, server.accepted.removeFirst(), server);
    }

    public static InetSocketAddress loopback(int port) {
        return new InetSocketAddress(InetAddress.ofLiteral("127.0.0.1"), port);
    }

    public static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    @Override
    public void close() {
        reactor.close();
        assertThat(reactor.openHandles()).isZero();
    }

    public record Pair(Recorder client, Recorder server, Server listener) {}

    /** Takes every connection that comes. */
    public static final class Server implements ListenHandle.Listener {
        public final ListenHandle handle;
        public final List<Recorder> accepted = new ArrayList<>();
        public final List<SystemError> errors = new ArrayList<>();
        public int told;

        public Server(TestLoop<?> loop, InetSocketAddress address, ListenHandle.Options options) {
            handle = loop.reactor.listen(address, options, this);
        }

        public InetSocketAddress address() {
            return (InetSocketAddress) handle.localAddress();
        }

        @Override
        public void onConnection() {
            told++;
            while (true) {
                Recorder recorder = new Recorder();
                TcpHandle stream = (TcpHandle) handle.accept(recorder);
                if (stream == null) return;
                recorder.stream = stream;
                accepted.add(recorder);
            }
        }

        @Override
        public void onError(SystemError error) {
            errors.add(error);
        }
    }

    /** Writes down what a stream's listener hears. */
    public static class Recorder implements StreamHandle.Listener {
        public TcpHandle stream;
        public final List<String> events = new ArrayList<>();
        public final StringBuilder text = new StringBuilder();
        public long received;

        public boolean has(String event) {
            return events.contains(event);
        }

        @Override
        public void onConnected(SystemError error) {
            events.add(error == null ? "connected" : "connect " + error.errno());
        }

        @Override
        public void onBytes(ByteBuffer bytes) {
            received += bytes.remaining();
            if (text.length() < 1000) text.append(StandardCharsets.UTF_8.decode(bytes));
        }

        @Override
        public void onEnd() {
            events.add("end");
        }

        @Override
        public void onReadError(SystemError error) {
            events.add("read " + error.errno());
        }

        @Override
        public void onWritten(SystemError error) {
            events.add(error == null ? "written" : "write " + error.errno());
        }

        @Override
        public void onShutdown(SystemError error) {
            events.add(error == null ? "shutdown" : "shutdown " + error.errno());
        }

        @Override
        public void onClosed() {
            events.add("closed");
        }
    }
}
