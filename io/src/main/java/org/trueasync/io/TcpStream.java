package org.trueasync.io;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.io.Connecting;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.io.Underlay;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.tls.Handshaking;
import org.trueasync.internal.tls.TlsCore;
import org.trueasync.internal.tls.TlsSettings;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/**
 * A TCP connection. Small writes are sent at once (TCP_NODELAY) unless {@link #noDelay} says otherwise.
 *
 * <p>Loop thread only, except {@code isClosed}.
 */
public final class TcpStream extends CoreStream<StreamCore> {
    /** The core of the connection itself; stays when {@link #core} is replaced. */
    private final StreamCore tcpCore;
    /** The host that {@link #connect} was given; null for an accepted connection. */
    private final @Nullable String host;

    private final int port;
    private @Nullable TlsCore tls;

    TcpStream(StreamCore core) {
        this(core, null, 0);
    }

    private TcpStream(StreamCore core, @Nullable String host, int port) {
        super(core);
        this.tcpCore = core;
        this.host = host;
        this.port = port;
    }

    /**
     * Connects; suspends this coroutine until the connection is established.
     *
     * @param host name or literal; if it has several addresses, the first one that answers is used
     * @param port 1 to 65535
     * @throws org.trueasync.InputOutputException if the connection fails; the message names the peer and the errno,
     *     {@code ECONNREFUSED} for instance
     * @throws org.trueasync.DnsException if the name is not known
     * @throws IllegalArgumentException if the port is out of range or the host is blank
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the attempt is ended
     */
    public static TcpStream connect(String host, int port) {
        return new TcpStream(Connecting.to(host, port, null), host, port);
    }

    /**
     * As {@link #connect(String, int)}; gives up when the token ends.
     *
     * @param host name or literal
     * @param port 1 to 65535
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public static TcpStream connect(String host, int port, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return new TcpStream(Connecting.to(host, port, cancellation), host, port);
    }

    /**
     * As {@link #read(ByteBuffer)}, into a buffer that is asked for when there are bytes: a wait holds none, so many
     * idle connections can share a few.
     *
     * @param buffers called at most once, with how many bytes are there; returns a buffer with room, which need not be
     *     for all of them. Must not suspend; an error that it throws ends the read, and no byte is lost
     * @return bytes read; -1 at the end of the stream, then without a call of the function
     */
    public int read(IntFunction<ByteBuffer> buffers) {
        return core.read(buffers, null);
    }

    /**
     * As {@link #read(IntFunction)}; gives up when the token ends.
     *
     * @param buffers as there; it may have been called, but no byte of its buffer is of use then
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; no byte is lost
     */
    public int read(IntFunction<ByteBuffer> buffers, Completable<?> cancellation) {
        return core.read(buffers, required(cancellation));
    }

    /**
     * Ends the output: the peer reads the end of the stream after all writes that were called earlier, also pending
     * ones. Returns when the system has done that. Reading goes on. Further calls only wait for the same end.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; if the system has begun the shutdown, it goes
     *     on
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
        Objects.requireNonNull(cancellation, "cancellation");
        core.shutdownOutput(cancellation);
    }

    /**
     * The local address; null once the system does not know it any more.
     *
     * @throws org.trueasync.InputOutputException if the connection is closed
     */
    public @Nullable InetSocketAddress localAddress() {
        return tcp("localAddress", "ask for the address of").localAddress();
    }

    /**
     * The peer's address; null once the system does not know it any more.
     *
     * @throws org.trueasync.InputOutputException if the connection is closed
     */
    public @Nullable InetSocketAddress remoteAddress() {
        return tcp("remoteAddress", "ask for the address of").remoteAddress();
    }

    /**
     * Sets whether small writes are sent at once, or gathered (Nagle's algorithm).
     *
     * @param on true to send at once, the default
     * @throws org.trueasync.InputOutputException if closed or refused by the system; the message names peer and errno
     */
    public void noDelay(boolean on) {
        check("set TCP_NODELAY of", tcp("noDelay", "set TCP_NODELAY of").noDelay(on));
    }

    /**
     * As {@link #keepAlive(Duration, Duration, int)}, with 10 probes, one per second.
     *
     * @param idle how long the peer must have been silent, 1 to 32767 s; zero switches the probes off
     */
    public void keepAlive(Duration idle) {
        keepAlive(idle, Duration.ofSeconds(1), 10);
    }

    /**
     * Has the system send probes to a peer that has been silent for the given time. If the peer does not answer them,
     * reads and writes throw an {@link org.trueasync.InputOutputException} with {@code ETIMEDOUT}. Off by default: then
     * a read from a peer that has vanished waits for ever, or until its token ends.
     *
     * <p>While written bytes are not acknowledged, the system sends no probes but repeats the bytes, and gives up after
     * its own time (on Linux {@code tcp_retries2}, about a quarter of an hour). To give up earlier, use a token.
     *
     * @param idle how long the peer must have been silent, 1 to 32767 s; fractions of a second are dropped; zero
     *     switches the probes off
     * @param interval between two probes, 1 to 32767 s; fractions of a second are dropped
     * @param probes number of unanswered probes after which the connection fails, 1 to 127
     * @throws IllegalArgumentException if a value is out of range
     * @throws org.trueasync.InputOutputException if closed or refused by the system; the message names peer and errno
     */
    public void keepAlive(Duration idle, Duration interval, int probes) {
        Objects.requireNonNull(idle, "idle");
        Objects.requireNonNull(interval, "interval");
        TcpHandle handle = tcp("keepAlive", "set SO_KEEPALIVE of");
        int before = idle.isZero() ? 0 : seconds("keepAlive must be 0 or 1 to 32767 s", idle);
        int between = seconds("the interval of keepAlive must be 1 to 32767 s", interval);
        if (probes < 1 || probes > 127)
            throw new IllegalArgumentException("the probes of keepAlive must be 1 to 127, got " + probes);
        check("set SO_KEEPALIVE of", handle.keepAlive(before, between, probes));
    }

    private static int seconds(String rule, Duration duration) {
        long seconds = duration.toSeconds();
        if (seconds < 1 || seconds > 32_767) throw new IllegalArgumentException(rule + ", got " + duration);
        return (int) seconds;
    }

    // ---- TLS

    /**
     * Begins TLS on this connection, as a client with the JVM's default trust; see {@link #tls(TlsOptions)}.
     *
     * @throws IllegalArgumentException if this connection was not made by {@link #connect}
     */
    public TlsStream tls() {
        return tls(TlsOptions.client());
    }

    /**
     * Begins TLS on this connection; suspends until the handshake is done. The connection may have been used before, as
     * in protocols that begin in the clear (STARTTLS). From now on use the {@link TlsStream} to read, write and close.
     * This object only gives addresses and sets options; closing it closes the {@link TlsStream}.
     *
     * <p>The computations of the handshake run on helper threads, also the user's {@link javax.net.ssl.TrustManager}s
     * and {@link javax.net.ssl.KeyManager}s. If the handshake fails or its wait is given up, this connection is closed.
     *
     * @param options which side, keys and trust
     * @throws IllegalArgumentException if a client has no name to check: {@link TlsOptions#serverName}
     * @throws org.trueasync.InputOutputException if this connection is closed, one side refuses the handshake, or the
     *     peer ends the connection or does not speak TLS; the cause is the JDK's {@link javax.net.ssl.SSLException}, if
     *     there is one. Also if {@link #lines()} has read bytes ahead; then this connection stays as it is
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.AsyncException if a coroutine is reading or writing, or the caller can't suspend; then
     *     this connection stays as it is
     */
    public TlsStream tls(TlsOptions options) {
        return startTls(options, null);
    }

    /**
     * As {@link #tls(TlsOptions)}; gives up when the token ends.
     *
     * @param options which side, keys and trust
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; this connection is closed, or left as
     *     it is if the token had ended before the call
     */
    public TlsStream tls(TlsOptions options, Completable<?> cancellation) {
        return startTls(options, required(cancellation));
    }

    private TlsStream startTls(TlsOptions options, @Nullable Completable<?> token) {
        Objects.requireNonNull(options, "options");
        core.handle("tls", "begin TLS with");
        // who may not wait is refused before anything has changed
        Runtimes.currentCoroutine("tls").newWait();
        Awaiting.admit(token);
        TlsSettings settings = options.settings();
        if (settings.client() && settings.serverName() == null) {
            if (host == null)
                throw new IllegalArgumentException("a TLS client needs the name that the server's certificate must be"
                        + " for, and this stream was not made by connect: TlsOptions.serverName(...)");
            settings = settings.withServerName(host);
        }
        var below = new Underlay(tcpCore);
        below.requireUnused("TLS");
        if (readAhead() > 0)
            throw new InputOutputException(
                    "TLS handshake with " + tcpCore.peer() + ": " + readAhead()
                            + " bytes have been read ahead for lines; who"
                            + " sends before the handshake what belongs behind it may be somebody in between",
                    "");
        core = below.refused("the stream carries TLS now; use the TlsStream that tls() gave");
        TlsCore made = Handshaking.over(below, settings, port, token);
        tls = made;
        return new TlsStream(this, made);
    }

    @Override
    public boolean isClosed() {
        return tcpCore.isClosed();
    }

    @Override
    public void close() {
        TlsCore over = tls;
        if (over == null) tcpCore.close();
        else over.close();
    }

    /** Returns the core of the connection itself, also when it carries TLS. */
    StreamCore tcpCore() {
        return tcpCore;
    }

    private TcpHandle tcp(String call, String operation) {
        return (TcpHandle) tcpCore.handle(call, operation);
    }

    private void check(String operation, @Nullable SystemError error) {
        if (error != null) throw tcpCore.error(operation, error);
    }

    @Override
    public String toString() {
        return "tcp stream to " + tcpCore.peer() + (isClosed() ? ", closed" : "");
    }
}
