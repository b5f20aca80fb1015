package org.trueasync.io;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.trueasync.Completable;
import org.trueasync.internal.io.ListenCore;
import org.trueasync.internal.io.SharedPort;
import org.trueasync.spi.ListenHandle;

/**
 * Listens for TCP connections. Only the coroutine that accepts is suspended. Loop thread only, except {@code isClosed}, {@code localAddress} and {@code port}: on
 * another thread accepting and closing throw an
 * {@link org.trueasync.AsyncException}; what never changes may be asked for on any thread.
 *
 * {@snippet class="org.trueasync.snippets.InputOutput" region="server" :
 * try (var server = TcpServer.listen("127.0.0.1", 8080);
 *         var connections = new Scope().reportErrors()) {
 *     while (true) {
 *         var peer = server.accept();
 *         connections.launch(() -> serve(peer)); // a bug in serve ends this connection alone
 *     }
 * }
 * }
 */
public final class TcpServer implements AutoCloseable {
    private final ListenCore core;

    private TcpServer(ListenCore core) {
        this.core = core;
    }

    /**
     * Listens on an address, with room for 511 waiting connections.
     *
     * @param host name or literal of a local address; {@code 0.0.0.0} or {@code ::} for all
     * @param port 0 to 65535; 0 for any free one, see {@link #port}
     * @throws org.trueasync.InputOutputException if the system refuses: address in use, no permission; names address and errno
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static TcpServer listen(String host, int port) {
        return listen(host, port, ListenHandle.Options.DEFAULT);
    }

    /**
     * As {@link #listen(String, int)} with options.
     *
     * @param host name or literal of a local address
     * @param port 0 to 65535
     * @param options backlog and address sharing
     */
    public static TcpServer listen(String host, int port, ListenHandle.Options options) {
        return new TcpServer(ListenCore.on(host, port, options));
    }

    /**
     * Listens on one core of several, see {@link org.trueasync.Cores}; each core calls this. All listen on the same port, and the system spreads the connections over those that do, each
     * connection at random. A core that stops listening while others go on loses the connections that it has not accepted.
     *
     * @param host name or literal of a local address
     * @param port 0 to 65535; 0 for a free one, the same for all: the n-th of each core's calls with a host belong together
     * @throws org.trueasync.InputOutputException if the system refuses; another program of the same user that listens this way is no reason
     * @throws UnsupportedOperationException on a system other than Linux, which does not spread connections
     * @throws org.trueasync.AsyncException outside of {@link org.trueasync.Async#onEachCore}
     */
    public static TcpServer listenOnEachCore(String host, int port) {
        return listenOnEachCore(host, port, ListenHandle.Options.DEFAULT);
    }

    /**
     * As {@link #listenOnEachCore(String, int)} with options.
     *
     * @param host name or literal of a local address
     * @param port 0 to 65535
     * @param options backlog of each core, and address sharing; the port is shared in any case
     */
    public static TcpServer listenOnEachCore(String host, int port, ListenHandle.Options options) {
        return new TcpServer(SharedPort.listen(host, port, options));
    }

    /**
     * The next connection; suspends this coroutine while there is none, and lets the others run now and then while there are many. Several coroutines may wait; they are served in the order of arrival.
     * When the process is out of descriptors it waits until there are some again.
     *
     * @throws org.trueasync.InputOutputException if the server is or becomes closed, or the system fails otherwise
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; no connection is lost
     */
    public TcpStream accept() {
        return new TcpStream(core.accept(null));
    }

    /**
     * As {@link #accept()}; gives up when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public TcpStream accept(Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        return new TcpStream(core.accept(cancellation));
    }

    /** The port that it listens on. Any thread, also after the end. */
    public int port() {
        return localAddress().getPort();
    }

    /** The address that it listens on. Any thread, also after the end. */
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) core.localAddress();
    }

    /** True after {@link #close} and after the end of the runtime. Any thread; another thread may see it late. */
    public boolean isClosed() {
        return core.isClosed();
    }

    /** Stops listening; whoever waits in {@link #accept} gets an {@link org.trueasync.InputOutputException}. Again does nothing. */
    @Override
    public void close() {
        core.close();
    }
}
