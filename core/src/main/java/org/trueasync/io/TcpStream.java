package org.trueasync.io;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.io.Connecting;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.io.Underlay;
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
    /** What the connection is made of, also once {@link #core} refuses. */
    private final StreamCore own;
    /** What {@link #connect} was given. */
    private final @Nullable String host;

    private final int port;
    private @Nullable TlsCore tls;

    TcpStream(StreamCore core) {
        this(core, null, 0);
    }

    private TcpStream(StreamCore core, @Nullable String host, int port) {
        super(core);
        this.own = core;
        this.host = host;
        this.port = port;
    }

    /**
     * Connects; suspends this coroutine until the connection stands.
     *
     * @param host name or literal; of several addresses the first that answers is taken
     * @param port 1 to 65535
     * @throws org.trueasync.InputOutputException if it can't be done; names the peer and the errno, {@code ECONNREFUSED}
     * @throws org.trueasync.DnsException if the name is not known
     * @throws IllegalArgumentException if the port is out of range or the host is blank
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the attempt is given up
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
     * Tells the peer that nothing more will be written: it reads the end of the stream after all writes that were called earlier, those included that
     * still wait. Returns when the system has sent them. Reading goes on. Again waits for the same, and asks for nothing new.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; what the system was asked for already goes on
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
        Objects.requireNonNull(cancellation, "cancellation");
        core.shutdownOutput(cancellation);
    }

    /** This end's address; null once the system can't tell any more. */
    public @Nullable InetSocketAddress localAddress() {
        return tcp("localAddress", "ask for the address of").localAddress();
    }

    /** The other end's address; null once the system can't tell any more. */
    public @Nullable InetSocketAddress remoteAddress() {
        return tcp("remoteAddress", "ask for the address of").remoteAddress();
    }

    /**
     * Whether small writes are sent at once, or gathered (Nagle).
     *
     * @param on true, the default: at once
     */
    public void noDelay(boolean on) {
        check("set TCP_NODELAY of", tcp("noDelay", "set TCP_NODELAY of").noDelay(on));
    }

    /**
     * As {@link #keepAlive(Duration, Duration, int)}, asking every second, ten times.
     *
     * @param idle how long the peer must have been silent, in whole seconds, 1 to 32767; zero switches it off
     */
    public void keepAlive(Duration idle) {
        keepAlive(idle, Duration.ofSeconds(1), 10);
    }

    /**
     * Has the system look whether an idle peer is still there: when it has been silent for so long, it is asked again and again. If it does not answer,
     * whoever reads or writes gets an {@link org.trueasync.InputOutputException} with {@code ETIMEDOUT}. Off at first: who only reads from a peer
     * that has gone without a word waits for ever then, or as long as his token lasts.
     *
     * <p>While something that was written is not acknowledged, the system does not ask; it sends that again and again, and gives up after a time of
     * its own (on Linux {@code tcp_retries2}, about a quarter of an hour). A token is the way to give up earlier.
     *
     * @param idle how long the peer must have been silent, in whole seconds, 1 to 32767; zero switches it off
     * @param interval between two questions, in whole seconds, 1 to 32767
     * @param probes how many questions may remain unanswered, 1 to 127
     * @throws IllegalArgumentException if a value is out of range
     * @throws org.trueasync.InputOutputException if closed or refused by the system; names peer and errno
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
     * Makes a TLS connection of this one, as a client that trusts whom the JVM trusts; see {@link #tls(TlsOptions)}.
     *
     * @throws IllegalArgumentException if this is not a connection that {@link #connect} has made
     */
    public TlsStream tls() {
        return tls(TlsOptions.client());
    }

    /**
     * Makes a TLS connection of this one; suspends until the handshake is through. It may have been used before, as protocols do that begin in the
     * clear (STARTTLS). From now on the {@link TlsStream} is what to read, write and close; here only addresses and options can be asked for, and
     * closing this closes that.
     *
     * <p>What the handshake computes runs on helper threads, {@link javax.net.ssl.TrustManager}s and {@link javax.net.ssl.KeyManager}s of the user's included. If it
     * fails or is given up, this is closed.
     *
     * @param options which side, keys and trust
     * @throws IllegalArgumentException if a client has no name to check: {@link TlsOptions#serverName}
     * @throws org.trueasync.InputOutputException if one side refuses the other, the peer ends the connection or does not speak TLS; the cause is the
     *     JDK's {@link javax.net.ssl.SSLException}, if there is one. Also if {@link #lines()} has read bytes ahead; then this stays as it is
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     * @throws org.trueasync.AsyncException if a coroutine is reading or writing
     */
    public TlsStream tls(TlsOptions options) {
        return startTls(options, null);
    }

    /**
     * As {@link #tls(TlsOptions)}; gives up when the token ends.
     *
     * @param options which side, keys and trust
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; this is closed
     */
    public TlsStream tls(TlsOptions options, Completable<?> cancellation) {
        return startTls(options, required(cancellation));
    }

    private TlsStream startTls(TlsOptions options, @Nullable Completable<?> token) {
        Objects.requireNonNull(options, "options");
        core.handle("tls", "begin TLS with");
        Awaiting.admit(token);
        TlsSettings settings = options.settings();
        if (settings.client() && settings.serverName() == null) {
            if (host == null)
                throw new IllegalArgumentException("a TLS client needs the name that the server's certificate must be"
                        + " for, and this stream was not made by connect: TlsOptions.serverName(...)");
            settings = settings.withServerName(host);
        }
        var below = new Underlay(own);
        below.requireUnused("TLS");
        if (readAhead() > 0)
            throw new InputOutputException(
                    "TLS handshake with " + own.peer() + ": " + readAhead()
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
        return own.isClosed();
    }

    @Override
    public void close() {
        TlsCore over = tls;
        if (over == null) own.close();
        else over.close();
    }

    /** What the connection is made of, also when it carries TLS. */
    StreamCore underneath() {
        return own;
    }

    private TcpHandle tcp(String call, String operation) {
        return (TcpHandle) own.handle(call, operation);
    }

    private void check(String operation, @Nullable SystemError error) {
        if (error != null) throw own.error(operation, error);
    }

    @Override
    public String toString() {
        return "tcp stream to " + own.peer() + (isClosed() ? ", closed" : "");
    }
}
