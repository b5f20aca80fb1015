package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.io.Runs.awaitQueued;
import static org.trueasync.io.Runs.bytes;
import static org.trueasync.io.Runs.connect;
import static org.trueasync.io.Runs.read;
import static org.trueasync.io.Runs.readFully;
import static org.trueasync.io.Runs.runClean;
import static org.trueasync.testkit.TestRun.failureOf;

import java.nio.ByteBuffer;
import java.nio.channels.SocketChannel;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.spi.ListenHandle;

public abstract class TcpServerConformance {
    @Test
    void portTaken_errorNamesAddressAndErrno() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            assertThatThrownBy(() -> TcpServer.listen("127.0.0.1", server.port()))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("listen on 127.0.0.1:" + server.port())
                    .hasMessageContaining("EADDRINUSE");
            server.close();
            TcpServer again = TcpServer.listen("127.0.0.1", server.port());
            again.close();
        });
    }

    @Test
    void badArguments_refusedWithTheValue() {
        runClean(() -> {
            assertThatThrownBy(() -> TcpServer.listen("127.0.0.1", -1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> TcpServer.listen("127.0.0.1", 65_536))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("65536");
            assertThatThrownBy(() -> TcpServer.listen("", 0)).isInstanceOf(IllegalArgumentException.class);
            assertThatThrownBy(() -> new ListenHandle.Options(0, false, false))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("0");
            assertThatThrownBy(() -> TcpServer.listen("192.0.2.1", 0))
                    .isInstanceOf(InputOutputException.class)
                    .hasMessageContaining("192.0.2.1")
                    .hasMessageContaining("EADDRNOTAVAIL");
        });
    }

    @Test
    void address_hasTheRealPortAlsoAfterClose() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("localhost", 0);
            assertThat(server.port()).isPositive();
            assertThat(server.localAddress().getPort()).isEqualTo(server.port());
            server.close();
            assertThat(server.isClosed()).isTrue();
            assertThat(server.port()).isPositive();
        });
    }

    @Test
    void manyClientsAtOnce_allServed() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<?> accepting = Async.spawn(() -> {
                while (true) {
                    TcpStream stream = server.accept();
                    Async.spawn(() -> Runs.echo(stream));
                }
            });
            var clients = new ArrayList<Coroutine<String>>();
            for (int i = 0; i < 200; i++) {
                String text = "client " + i;
                clients.add(Async.spawn(() -> {
                    try (TcpStream stream = TcpStream.connect("127.0.0.1", server.port())) {
                        stream.write(bytes(text));
                        return readFully(stream, text.length());
                    }
                }));
            }
            assertThat(new HashSet<>(Async.awaitAllOrFail(clients))).hasSize(200);
            server.close();
            assertThat(failureOf(accepting)).isInstanceOf(InputOutputException.class);
        });
    }

    @Test
    @Tag("F2")
    @Tag("F4")
    void twoAcceptersAndTwoConnectionsInOneTurn_bothServed() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<TcpStream> first = Async.spawn(() -> server.accept());
            Coroutine<TcpStream> second = Async.spawn(() -> server.accept());
            Async.suspend();
            SocketChannel a = connect(server.port());
            SocketChannel b = connect(server.port());
            assertThat(Async.await(first).remoteAddress().getPort())
                    .isEqualTo(a.socket().getLocalPort());
            assertThat(Async.await(second).remoteAddress().getPort())
                    .isEqualTo(b.socket().getLocalPort());
            Async.await(first).close();
            Async.await(second).close();
            a.close();
            b.close();
            server.close();
        });
    }

    @Test
    @Tag("E40")
    @Tag("F2")
    void acceptCancelledInTheTurnInWhichAConnectionCame_connectionIsNotLost() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<?> first = Async.spawn(() -> server.accept());
            Async.suspend();
            SocketChannel far = connect(server.port());
            awaitQueued(first);
            first.cancel();
            assertThat(failureOf(first)).isInstanceOf(AsyncCancellation.class);
            far.write(bytes("here"));
            TcpStream accepted = server.accept();
            assertThat(read(accepted, 9)).isEqualTo("here");
            accepted.close();
            far.close();
            server.close();
        });
    }

    @Test
    @Tag("E40")
    @Tag("F2")
    void accepterInLineCancelled_othersAreServed() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            var accepters = new ArrayList<Coroutine<TcpStream>>();
            for (int i = 0; i < 3; i++) accepters.add(Async.spawn(() -> server.accept()));
            Async.suspend();
            accepters.get(0).cancel();
            SocketChannel a = connect(server.port());
            Async.await(accepters.get(1)).close();
            SocketChannel b = connect(server.port());
            Async.await(accepters.get(2)).close();
            a.close();
            b.close();
            server.close();
        });
    }

    @Test
    @Tag("E38")
    void closedWithConnectionsInTheBacklog_everybodyIsTold() throws Exception {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            SocketChannel far = connect(server.port());
            server.close();
            Runs.settle();
            ByteBuffer one = ByteBuffer.allocate(1);
            // on a thread, as the JDK's read would only park this coroutine
            var told = new java.util.concurrent.CompletableFuture<Boolean>();
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    told.complete(far.read(one) < 0);
                } catch (java.io.IOException e) {
                    told.complete(true);
                }
            });
            assertThat(Async.await(told)).isTrue();
            far.close();
        });
    }

    @Test
    @Tag("E40")
    @Tag("F38")
    void acceptTimesOut_serverStaysUsable() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            for (int i = 0; i < 3; i++)
                assertThatThrownBy(() -> server.accept(Async.timeout(1)))
                        .isInstanceOf(OperationCanceledException.class);
            SocketChannel far = connect(server.port());
            TcpStream accepted = server.accept(Async.timeout(3_600_000));
            assertThat(Async.runtimeStats().timers()).isZero();
            accepted.close();
            far.close();
            server.close();
        });
    }

    @Test
    void reusePort_twoServersShareOnePort() {
        runClean(() -> {
            var options = new ListenHandle.Options(16, true, false);
            TcpServer one = TcpServer.listen("127.0.0.1", 0, options);
            TcpServer two = TcpServer.listen("127.0.0.1", one.port(), options);
            one.close();
            SocketChannel far = connect(two.port());
            two.accept().close();
            far.close();
            two.close();
        });
    }

    @Test
    void connectionGoneBeforeAccept_acceptGivesAStreamThatEnds() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            connect(server.port()).close();
            TcpStream stream = server.accept();
            assertThat(read(stream, 1)).isEqualTo("end");
            stream.close();
            server.close();
        });
    }

    @Test
    @Tag("E38")
    void streamsOutliveTheirServer() {
        runClean(() -> {
            Runs.Pair pair = Runs.Pair.open();
            pair.server().close();
            pair.client().write(bytes("still here"));
            assertThat(read(pair.peer(), 20)).isEqualTo("still here");
            pair.close();
        });
    }

    @Test
    void acceptAfterClose_errorNamesTheAddress() {
        runClean(() -> {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            server.close();
            assertThatThrownBy(server::accept)
                    .isInstanceOf(InputOutputException.class)
                    .hasMessage("accept on 127.0.0.1:" + server.port() + ": the server is closed");
            for (Runnable call : List.<Runnable>of(server::close, server::close)) call.run();
        });
    }
}
