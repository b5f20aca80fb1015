package org.trueasync.io;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.trueasync.Async;
import org.trueasync.Coroutine;
import org.trueasync.InputOutputException;

/** What the tests of TLS share. */
final class TlsRuns {
    private TlsRuns() {}

    static TlsOptions client() {
        return TlsOptions.client(TlsCertificates.trusting());
    }

    static TlsOptions server() {
        return TlsOptions.server(TlsCertificates.context("server"));
    }

    /** A TLS connection inside one loop. */
    record Pair(TcpServer server, TlsStream client, TlsStream peer) implements AutoCloseable {
        static Pair open() {
            return open(TlsRuns.client(), TlsRuns.server());
        }

        static Pair open(String version) {
            return open(TlsRuns.client().protocols(version), TlsRuns.server());
        }

        static Pair open(TlsOptions clients, TlsOptions servers) {
            TcpServer server = TcpServer.listen("127.0.0.1", 0);
            Coroutine<TlsStream> accepted = Async.spawn(() -> server.accept().tls(servers));
            TlsStream client = TcpStream.connect("127.0.0.1", server.port()).tls(clients);
            return new Pair(server, client, Async.await(accepted));
        }

        @Override
        public void close() {
            client.close();
            peer.close();
            server.close();
        }
    }

    /** The connection itself, which only somebody in between would end without a word. */
    static org.trueasync.internal.io.StreamCore tcpCore(TlsStream stream) {
        return stream.tcp().tcpCore();
    }

    static String read(ByteStream stream, int most) {
        ByteBuffer into = ByteBuffer.allocate(most);
        int count = stream.read(into);
        return count < 0 ? "end" : new String(into.array(), 0, count, StandardCharsets.UTF_8);
    }

    static String readFully(ByteStream stream, int count) {
        ByteBuffer into = ByteBuffer.allocate(count);
        while (into.hasRemaining() && stream.read(into) >= 0) {
            // more
        }
        return new String(into.array(), 0, into.position(), StandardCharsets.UTF_8);
    }

    /** Sends back what comes, until the end. */
    static void echo(ByteStream stream) {
        ByteBuffer buffer = ByteBuffer.allocate(1 << 16);
        try (stream) {
            while (stream.read(buffer.clear()) >= 0) stream.write(buffer.flip());
        } catch (InputOutputException e) {
            if (!stream.isClosed()) throw e;
        }
    }
}
