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
 * A TLS connection, made by {@link TcpStream#tls(TlsOptions)}: a stream like others, but nobody between the two ends can read or change what goes
 * through. Loop thread only, except {@code applicationProtocol}, {@code cipherSuite}, {@code isClosed}, {@code peerCertificates}, {@code protocol}, {@code session}
 * and {@code tcp}: on another thread every other method throws an {@link org.trueasync.AsyncException}.
 *
 * <p>The end of the stream is what the peer has said (close_notify). A connection that ends without it was cut, by somebody in between perhaps: the
 * reader gets an {@link org.trueasync.InputOutputException} after the last bytes.
 *
 * <p><b>Cancellation</b> leaves the stream usable: a cancelled read loses no byte, and what a cancelled write has begun is sent before what is written
 * next, in whole records.
 */
public final class TlsStream extends CoreStream<TlsCore> {
    private final TcpStream tcp;

    TlsStream(TcpStream tcp, TlsCore core) {
        super(core);
        this.tcp = tcp;
    }

    // ---- what was agreed on

    /** The session: ciphers, certificates, the names that a client has asked for ({@link javax.net.ssl.ExtendedSSLSession}). Any thread. */
    public SSLSession session() {
        return core.session();
    }

    /** The version, {@code TLSv1.3}. Any thread. */
    public String protocol() {
        return core.session().getProtocol();
    }

    /** The cipher suite, {@code TLS_AES_256_GCM_SHA384}. Any thread. */
    public String cipherSuite() {
        return core.session().getCipherSuite();
    }

    /** What is spoken inside, as both sides have agreed with {@link TlsOptions#applicationProtocols}; null if they have not. Any thread. */
    public @Nullable String applicationProtocol() {
        return core.applicationProtocol();
    }

    /** The certificates with which the peer has proved who it is, its own first; none if it has not. Any thread. */
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

    /** The connection underneath: for its addresses and options. Reading from it and writing to it is refused. */
    public TcpStream tcp() {
        return tcp;
    }

    /** This end's address; null once the system can't tell any more. */
    public @Nullable InetSocketAddress localAddress() {
        return tcp.localAddress();
    }

    /** The other end's address; null once the system can't tell any more. */
    public @Nullable InetSocketAddress remoteAddress() {
        return tcp.remoteAddress();
    }

    // ---- the stream

    /**
     * Reads the bytes that are there, at most those of one record; while there are none, only this coroutine waits. Several readers are served in the
     * order of the calls.
     *
     * @param into filled from position towards limit; position moves by the result. 16 KiB and more, in an array, saves a copy
     * @return bytes read; -1 when the peer has ended the stream, then always
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; no byte is lost
     * @throws org.trueasync.InputOutputException if the connection was cut, a record is not genuine, the peer sent an alert or wanted to renegotiate; if closed meanwhile
     */
    @Override
    public int read(ByteBuffer into) {
        return super.read(into);
    }

    /**
     * Tells the peer that nothing more will be written (close_notify): it reads the end of the stream after all writes that were called earlier. Returns
     * when the system has taken it. Reading goes on; in TLS 1.2 many peers close altogether when they are told. Again does nothing.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; names peer and errno
     */
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
     * Tells the peer that the stream ends here (close_notify) and closes the connection; whoever waits in a read or write gets an {@link
     * org.trueasync.InputOutputException}. While the system has no room for the last words it waits for that, where the caller can wait, for two seconds at most.
     * If a write is under way the peer is not told that all is well: it finds the connection cut. Again does nothing.
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
