package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.trueasync.testkit.TestLoop.bytes;
import static org.trueasync.testkit.TestLoop.loopback;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;
import org.trueasync.testkit.TestLoop.Pair;
import org.trueasync.testkit.TestLoop.Recorder;
import org.trueasync.testkit.TestLoop.Server;

/**
 * What a listener throws comes out of execute(); on libuv an exception that left an upcall would end the JVM instead.
 */
@Tag("F55")
public abstract class FailingListenerConformance {
    private final ReactorKit kit;
    private final TestLoop<Reactor> loop;

    protected FailingListenerConformance(ReactorKit kit) {
        this.kit = kit;
        this.loop = new TestLoop<>(kit.create());
    }

    @AfterEach
    void close() {
        loop.close();
    }

    private static final class Boom extends RuntimeException {
        private static final long serialVersionUID = 1;

        Boom(String message) {
            super(message);
        }
    }

    /** Throws the named call's name. */
    private static final class Failing extends Recorder {
        private final String when;

        Failing(String when) {
            this.when = when;
        }

        private void boom(String call) {
            if (call.equals(when)) throw new Boom(call);
        }

        @Override
        public void onConnected(SystemError error) {
            super.onConnected(error);
            boom("onConnected");
        }

        @Override
        public void onBytes(ByteBuffer bytes) {
            super.onBytes(bytes);
            boom("onBytes");
        }

        @Override
        public void onEnd() {
            super.onEnd();
            boom("onEnd");
        }

        @Override
        public void onReadError(SystemError error) {
            super.onReadError(error);
            boom("onReadError");
        }

        @Override
        public void onWritten(SystemError error) {
            super.onWritten(error);
            boom("onWritten");
        }

        @Override
        public void onShutdown(SystemError error) {
            super.onShutdown(error);
            boom("onShutdown");
        }

        @Override
        public void onClosed() {
            super.onClosed();
            boom("onClosed");
        }
    }

    private Throwable nextFailure() {
        return catchThrowable(() -> loop.until(() -> false));
    }

    private Failing connected(Server server, String when) {
        Failing client = new Failing(when);
        client.stream = loop.reactor.connect(server.address(), client);
        if (when.equals("onConnected"))
            assertThat(nextFailure()).isInstanceOf(Boom.class).hasMessage(when);
        loop.until(() -> client.has("connected") && !server.accepted.isEmpty());
        return client;
    }

    @Test
    void everyStreamCallThrows_executeRethrowsAndTheStreamStillWorks() throws Exception {
        Server server = loop.serve();
        connected(server, "onConnected").stream.close();
        server.accepted.removeFirst().stream.close();

        Failing reader = connected(server, "onBytes");
        StreamHandle other = server.accepted.removeFirst().stream;
        reader.stream.startReading();
        other.tryWrite(bytes("one"));
        assertThat(nextFailure()).isInstanceOf(Boom.class).hasMessage("onBytes");
        other.tryWrite(bytes("two"));
        assertThat(nextFailure()).isInstanceOf(Boom.class).hasMessage("onBytes");
        assertThat(reader.text).hasToString("onetwo");

        for (String when : new String[] {"onEnd", "onWritten", "onShutdown", "onClosed"}) {
            Failing client = connected(server, when);
            Recorder side = server.accepted.removeFirst();
            client.stream.startReading();
            switch (when) {
                case "onEnd" -> side.stream.shutdown();
                case "onWritten" -> client.stream.write(bytes("x"));
                case "onShutdown" -> client.stream.shutdown();
                default -> client.stream.close();
            }
            assertThat(nextFailure()).isInstanceOf(Boom.class).hasMessage(when);
        }

        Failing refused = connected(server, "onShutdown");
        refused.stream.shutdown();
        assertThat(nextFailure()).hasMessage("onShutdown");
        refused.stream.shutdown();
        assertThat(nextFailure()).as("reported without an upcall").hasMessage("onShutdown");
    }

    @Test
    void readErrorCallThrows_executeRethrows() throws Exception {
        Failing[] failing = new Failing[1];
        ListenHandle[] handle = new ListenHandle[1];
        handle[0] = loop.reactor.listen(loopback(0), ListenHandle.Options.DEFAULT, new ListenHandle.Listener() {
            @Override
            public void onConnection() {
                Failing candidate = new Failing("onReadError");
                candidate.stream = (TcpHandle) handle[0].accept(candidate);
                candidate.stream.startReading();
                failing[0] = candidate;
            }

            @Override
            public void onError(SystemError error) {}
        });
        SocketChannel peer = SocketChannel.open(handle[0].localAddress());
        loop.until(() -> failing[0] != null);
        peer.setOption(java.net.StandardSocketOptions.SO_LINGER, 0);
        peer.close();
        assertThat(nextFailure()).isInstanceOf(Boom.class).hasMessage("onReadError");
    }

    @Test
    void connectionCallThrows_executeRethrows() throws Exception {
        ListenHandle handle =
                loop.reactor.listen(loopback(0), ListenHandle.Options.DEFAULT, new ListenHandle.Listener() {
                    @Override
                    public void onConnection() {
                        throw new Boom("onConnection");
                    }

                    @Override
                    public void onError(SystemError error) {}
                });
        try (SocketChannel peer = SocketChannel.open(handle.localAddress())) {
            assertThat(peer.isConnected()).isTrue();
            assertThat(nextFailure()).isInstanceOf(Boom.class).hasMessage("onConnection");
        }
    }

    @Test
    void pollCallThrows_executeRethrows() {
        ReactorKit.Descriptors descriptors = kit.requireDescriptors();
        int[] pair = descriptors.pair();
        PollHandle poll = loop.reactor.poll(pair[0], new PollHandle.Listener() {
            @Override
            public void onReady(int ready) {
                throw new Boom("onReady");
            }

            @Override
            public void onError(SystemError error) {}
        });
        poll.watch(PollHandle.WRITABLE);
        assertThat(nextFailure()).isInstanceOf(Boom.class).hasMessage("onReady");
        poll.close();
        descriptors.close(pair[0]);
        descriptors.close(pair[1]);
    }

    @Test
    @Tag("F52")
    void severalThrowInOneTurn_firstIsThrownWithTheOthersSuppressed() {
        Server server = loop.serve();
        Failing first = connected(server, "onClosed");
        Failing second = connected(server, "onClosed");
        first.stream.close();
        second.stream.close();
        Throwable thrown = nextFailure();
        assertThat(thrown).isInstanceOf(Boom.class);
        assertThat(thrown.getSuppressed()).hasSize(1).allSatisfy(t -> assertThat(t)
                .isInstanceOf(Boom.class));
        loop.collect(1);
    }

    @Test
    void stackOverflowsInAListener_executeRethrowsAndTheJvmLives() {
        Pair pair = loop.pair();
        Recorder deep = new Recorder() {
            @Override
            public void onConnected(SystemError error) {
                recurse(1);
            }

            private int recurse(int depth) {
                return recurse(depth + 1) + 1;
            }
        };
        deep.stream = loop.reactor.connect(pair.listener().address(), deep);
        assertThat(nextFailure()).isInstanceOf(StackOverflowError.class);
    }

    @Test
    void closedCallThrowsDuringClose_everythingIsReleasedFirst() {
        Reactor reactor = kit.create();
        reactor.connect(loopback(1), new Failing("onClosed"));
        assertThatThrownBy(reactor::close).isInstanceOf(Boom.class).hasMessage("onClosed");
        assertThat(reactor.openHandles()).isZero();
        reactor.close();
    }
}
