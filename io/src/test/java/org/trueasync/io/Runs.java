package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.IOException;
import java.net.InetSocketAddress;
import java.net.StandardSocketOptions;
import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.nio.charset.StandardCharsets;
import java.util.ServiceLoader;
import java.util.concurrent.atomic.AtomicReference;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.ReactorProvider;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.testkit.TestRun;

/**
 * What the tests of this package share: runs on the reactor that is on the class path, as each reactor's module runs
 * them.
 */
final class Runs {
    /** Found once: a run that begins without descriptors could not read the files of services. */
    private static final ReactorProvider PROVIDER = ServiceLoader.load(ReactorProvider.class)
            .findFirst()
            .orElseThrow(() -> new AssertionError("no reactor is on the class path"));

    private Runs() {}

    static Reactor reactor() {
        return PROVIDER.create();
    }

    static TestRun testRun() {
        return new TestRun(Runs::reactor);
    }

    static void run(Body main) {
        testRun().run(main);
    }

    /** Runs, then looks that nothing native is left open. */
    static void runClean(Body main) {
        runClean(testRun(), main);
    }

    /** As {@link #runClean(Body)}, in such a run. */
    static void runClean(TestRun run, Body main) {
        run.run(() -> {
            main.run();
            for (int i = 0; i < 200 && SchedulerProvider.get().reactor().openHandles() > 0; i++) Async.delay(1);
            assertThat(SchedulerProvider.get().reactor().openHandles())
                    .as("native handles")
                    .isZero();
            assertThat(Async.runtimeStats().activeEvents()).as("active events").isZero();
        });
    }

    /** A connection inside one loop. */
    record Pair(TcpServer server, TcpStream client, TcpStream peer) implements AutoCloseable {
        static Pair open() {
            return open("127.0.0.1");
        }

        static Pair open(String host) {
            TcpServer server = TcpServer.listen(host, 0);
            Coroutine<TcpStream> accepted = Async.spawn(() -> server.accept());
            TcpStream client = TcpStream.connect(host, server.port());
            return new Pair(server, client, Async.await(accepted));
        }

        @Override
        public void close() {
            client.close();
            peer.close();
            server.close();
        }
    }

    /** A connection whose far end is a plain JDK socket, which no loop looks after. */
    record Foreign(TcpServer server, SocketChannel far, TcpStream stream) implements AutoCloseable {
        static Foreign open() {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            return new Foreign(server, connect(server.port()), server.accept());
        }

        /** Resets the connection. */
        void reset() throws IOException {
            far.setOption(StandardSocketOptions.SO_LINGER, 0);
            far.close();
        }

        @Override
        public void close() throws IOException {
            far.close();
            stream.close();
            server.close();
        }
    }

    /** A connection of the JDK's, in the backlog when this returns; no other coroutine has run meanwhile. */
    static SocketChannel connect(int port) {
        var channel = new AtomicReference<SocketChannel>();
        Thread thread = Thread.ofPlatform().daemon().start(() -> {
            try {
                channel.set(SocketChannel.open(new InetSocketAddress("127.0.0.1", port)));
            } catch (IOException e) {
                throw new AssertionError(e);
            }
        });
        while (thread.isAlive()) Thread.onSpinWait();
        return channel.get();
    }

    static ByteBuffer bytes(String text) {
        return ByteBuffer.wrap(text.getBytes(StandardCharsets.UTF_8));
    }

    static String read(TcpStream stream, int most) {
        ByteBuffer into = ByteBuffer.allocate(most);
        int count = stream.read(into);
        if (count < 0) return "end";
        assertThat(into.position()).isEqualTo(count);
        return new String(into.array(), 0, count, StandardCharsets.UTF_8);
    }

    static String readFully(TcpStream stream, int count) {
        ByteBuffer into = ByteBuffer.allocate(count);
        while (into.hasRemaining() && stream.read(into) >= 0) {
            // more
        }
        return new String(into.array(), 0, into.position(), StandardCharsets.UTF_8);
    }

    /** Sends back what comes, until the end or until the stream is closed. */
    static void echo(TcpStream stream) {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        try {
            while (stream.read(buffer) >= 0) {
                stream.write(buffer.flip());
                buffer.clear();
            }
        } catch (InputOutputException e) {
            if (!stream.isClosed()) throw e;
        }
        stream.close();
    }

    /** Lets the reactor turn until the coroutine has been woken, without letting it run. */
    static void awaitQueued(Coroutine<?> coroutine) {
        Async.currentCoroutine().asHighPriority();
        long end = System.nanoTime() + 10_000_000_000L;
        while (!coroutine.isQueued() && System.nanoTime() - end < 0) Async.suspend();
        assertThat(coroutine.isQueued()).isTrue();
    }

    /** Some turns of the loop. */
    static void settle() {
        for (int i = 0; i < 10; i++) Async.delay(1);
    }

    /** A coroutine that writes until it is parked on a full buffer. */
    static Coroutine<?> parkedWriter(TcpStream stream) {
        Coroutine<?> writer = Async.spawn(() -> {
            while (true) stream.write(ByteBuffer.allocate(1 << 20));
        });
        settle();
        assertThat(writer.isCompleted()).isFalse();
        return writer;
    }
}
