package org.trueasync.io;

import java.net.InetSocketAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.io.Connecting;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/** A TCP connection. Small writes are sent at once (TCP_NODELAY) unless {@link #noDelay} says otherwise. */
public final class TcpStream extends CoreStream {
    TcpStream(StreamCore core) {
        super(core);
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
        return new TcpStream(Connecting.to(host, port, null));
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
        return new TcpStream(Connecting.to(host, port, cancellation));
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
     * Has the system look from time to time whether an idle peer is still there.
     *
     * @param idle how long it must have been silent, in whole seconds, >= 1 s; zero switches it off
     */
    public void keepAlive(Duration idle) {
        Objects.requireNonNull(idle, "idle");
        TcpHandle handle = tcp("keepAlive", "set SO_KEEPALIVE of");
        long seconds = idle.toSeconds();
        if (seconds < 0 || seconds > Integer.MAX_VALUE || (seconds == 0 && !idle.isZero())) {
            throw new IllegalArgumentException("keepAlive must be 0 or >= 1 s, got " + idle);
        }
        check("set SO_KEEPALIVE of", handle.keepAlive((int) seconds));
    }

    private TcpHandle tcp(String call, String operation) {
        return (TcpHandle) core.handle(call, operation);
    }

    private void check(String operation, @Nullable SystemError error) {
        if (error != null) throw core.error(operation, error);
    }

    @Override
    public String toString() {
        return "tcp stream to " + core.peer() + (isClosed() ? ", closed" : "");
    }
}
