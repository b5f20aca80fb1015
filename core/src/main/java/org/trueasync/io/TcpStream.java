package org.trueasync.io;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.channels.ByteChannel;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.internal.io.Connecting;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.io.StreamViews;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/**
 * A TCP connection. Reading and writing suspend only the calling coroutine; one coroutine may read while another writes. Loop thread only:
 * on another thread every method but {@link #isClosed} throws an {@link org.trueasync.AsyncException}. Small writes are sent at once (TCP_NODELAY) unless {@link #noDelay} says otherwise.
 */
public final class TcpStream implements AutoCloseable {
    private final StreamCore core;

    TcpStream(StreamCore core) {
        this.core = core;
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
     * Reads the bytes that are there; while there are none, only this coroutine waits. Reading what is there lets the others run now and then.
     *
     * @param into filled from position towards limit; position moves by the result
     * @return bytes read, 1 to {@code into.remaining()}; -1 at end of stream, then always
     * @throws IllegalArgumentException if {@code into} is read-only or has no room
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; no byte is lost
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; names peer and errno
     */
    public int read(ByteBuffer into) {
        return core.read(into, null);
    }

    /**
     * As {@link #read(ByteBuffer)}; gives up when the token ends.
     *
     * @param into filled from position towards limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; no byte is lost
     */
    public int read(ByteBuffer into, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return core.read(into, cancellation);
    }

    /**
     * Writes all remaining bytes; waits while the peer is slower than we are, and lets the others run now and then while it is not. Writes of
     * several coroutines follow one another whole, in the order of the calls. What a cancelled write has left with the system goes first, and is
     * waited for.
     *
     * @param from position moves to limit; must not be changed until this returns
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; a part may have been sent
     * @throws WrongThreadException if the buffer's memory belongs to another thread; nothing is sent
     * @throws IllegalStateException if the buffer's memory has been freed; nothing is sent
     * @throws org.trueasync.InputOutputException if closed meanwhile or refused by the system; names peer and errno
     */
    public void write(ByteBuffer from) {
        core.write(from, null);
    }

    /**
     * As {@link #write(ByteBuffer)}; gives up when the token ends.
     *
     * @param from position moves to limit
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; a part may have been sent
     */
    public void write(ByteBuffer from, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        core.write(from, cancellation);
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

    /** The stream as an {@link InputStream}; closing it closes the stream. Not for two readers at once. */
    public InputStream inputStream() {
        core.requireLoopThread("inputStream");
        return StreamViews.input(core);
    }

    /** The stream as an unbuffered {@link OutputStream}; closing it closes the stream. */
    public OutputStream outputStream() {
        core.requireLoopThread("outputStream");
        return StreamViews.output(core);
    }

    /** The stream as a channel in blocking mode, where blocking means this coroutine only. */
    public ByteChannel channel() {
        core.requireLoopThread("channel");
        return StreamViews.channel(core);
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

    /** True after {@link #close} and after the end of the runtime. Any thread; another thread may see it late. */
    public boolean isClosed() {
        return core.isClosed();
    }

    /** Closes at once; whoever waits in a read or write gets an {@link org.trueasync.InputOutputException}. Again does nothing. */
    @Override
    public void close() {
        core.close();
    }

    @Override
    public String toString() {
        return "tcp stream to " + core.peer() + (isClosed() ? ", closed" : "");
    }
}
