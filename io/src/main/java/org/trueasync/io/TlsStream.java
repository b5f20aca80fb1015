package org.trueasync.io;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.security.cert.X509Certificate;
import java.util.ArrayList;
import java.util.List;
import javax.net.ssl.SSLPeerUnverifiedException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.tls.TlsCore;

/**
 * A TLS connection, made by {@link TcpStream#tls(TlsOptions)}: a byte stream that is encrypted and protected against
 * changes. Loop thread only, except {@code applicationProtocol}, {@code isClosed},
 * {@code peerCertificates}, {@code protocol}, {@code session} and {@code tcp}: on another thread every other method
 * throws an {@link org.trueasync.AsyncException}.
 *
 * <p>The peer ends the stream with close_notify. A connection that ends without it was cut, perhaps by an attacker: the
 * reader gets an {@link org.trueasync.InputOutputException} after the last bytes.
 *
 * <p><b>Cancellation</b> leaves the stream usable: a cancelled read loses no byte. A record that a cancelled write has
 * begun is sent whole, before the next write.
 */
public final class TlsStream extends CoreStream<TlsCore> {
    private final TcpStream tcp;

    TlsStream(TcpStream tcp, TlsCore core) {
        super(core);
        this.tcp = tcp;
    }

    // ---- result of the handshake

    /**
     * The session: ciphers, certificates, the server names that a client has asked for
     * ({@link javax.net.ssl.ExtendedSSLSession}). Any thread.
     */
    public SSLSession session() {
        return core.session();
    }

    /** The version of TLS, {@code TLSv1.3} for instance. Any thread. */
    public String protocol() {
        return core.session().getProtocol();
    }

    /**
     * The application protocol that both sides have agreed on, see {@link TlsOptions#applicationProtocols}; null if
     * there is none. Any thread.
     */
    public @Nullable String applicationProtocol() {
        return core.applicationProtocol();
    }

    /** The peer's certificate chain, its own certificate first; empty if it has sent none. Any thread. */
    public List<X509Certificate> peerCertificates() {
        var certificates = new ArrayList<X509Certificate>();
        try {
            for (var certificate : core.session().getPeerCertificates())
                if (certificate instanceof X509Certificate x509) certificates.add(x509);
        } catch (SSLPeerUnverifiedException none) {
            return List.of();
        }
        return List.copyOf(certificates);
    }

    /** The connection underneath, for its addresses and options. It refuses reads and writes. */
    public TcpStream tcp() {
        return tcp;
    }

    /**
     * The local address; null once the system does not know it any more.
     *
     * @throws org.trueasync.InputOutputException if the connection is closed
     */
    public @Nullable InetSocketAddress localAddress() {
        return tcp.localAddress();
    }

    /**
     * The peer's address; null once the system does not know it any more.
     *
     * @throws org.trueasync.InputOutputException if the connection is closed
     */
    public @Nullable InetSocketAddress remoteAddress() {
        return tcp.remoteAddress();
    }

    // ---- the stream

    /**
     * Reads the bytes that are there, at most those of one record; while there are none, only this coroutine waits.
     * Several readers are served in the order of their calls.
     *
     * @param into filled from position towards limit; position moves by the result. A buffer on the heap with room for
     *     17 KiB saves a copy
     * @return bytes read, at least 1; -1 when the peer has ended the stream, then always
     * @throws IllegalArgumentException if {@code into} is read-only or has no room
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; no byte is lost
     * @throws org.trueasync.InputOutputException if the connection was cut, or closed before or meanwhile, a record is
     *     not authentic, or the peer sent an alert or wanted to renegotiate
     */
    @Override
    public int read(ByteBuffer into) {
        return super.read(into);
    }

    /**
     * Ends the output with close_notify: the peer reads the end of the stream after all writes that were called
     * earlier. Returns when the system has taken it. Reading goes on; in TLS 1.2 many peers then close the connection.
     * Further calls send nothing.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; the message names peer
     *     and errno
     */
    @Override
    public void shutdownOutput() {
        core.shutdownOutput(null);
    }

    /**
     * As {@link #shutdownOutput()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public void shutdownOutput(Completable<?> cancellation) {
        core.shutdownOutput(required(cancellation));
    }

    /**
     * Sends close_notify and closes the connection; coroutines that wait in a read or write get an
     * {@link org.trueasync.InputOutputException}. If the system has no room for close_notify, this waits for two
     * seconds at most, if the caller can suspend. While a write is pending, close_notify is not sent, so that the peer
     * sees a cut connection. Idempotent.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the connection is closed all the same
     */
    @Override
    public void close() {
        super.close();
    }

    @Override
    public String toString() {
        return "tls stream to " + core.peer() + (isClosed() ? ", closed" : "");
    }
}
