package org.trueasync.io;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.trueasync.Completable;
import org.trueasync.internal.io.ListenCore;
import org.trueasync.internal.io.SharedPort;
import org.trueasync.spi.ListenHandle;

/**
 * Listens for TCP connections. Accepting suspends only the calling coroutine. Loop thread only, except
 * {@code isClosed}, {@code localAddress} and {@code port}: on another thread accepting and closing throw an
 * {@link org.trueasync.AsyncException}.
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
     * Listens on an address; the system keeps 511 waiting connections. Suspends only to look up a name.
     *
     * @param host name or literal of a local address; {@code 0.0.0.0} or {@code ::} for all
     * @param port 0 to 65535; 0 for any free one, see {@link #port}
     * @throws org.trueasync.InputOutputException if the system refuses: address in use, no permission; the message
     *     names address and errno
     * @throws org.trueasync.DnsException if the name is not known
     * @throws IllegalArgumentException if the port is out of range or the host is blank
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
     * Listens on one core of several, see {@link org.trueasync.Cores}; each core calls this. All listen on the same
     * port, and the system gives each connection to one of them at random. If a core stops listening while others go
     * on, the connections that it has not accepted are lost.
     *
     * @param host name or literal of a local address
     * @param port 0 to 65535; 0 for a free one, the same on all cores: the n-th calls of the cores for one host get the
     *     same port
     * @throws org.trueasync.InputOutputException if the system refuses; it does not if another program of the same user
     *     shares the port in this way
     * @throws UnsupportedOperationException if there are several cores and the system is not Linux, as it does not
     *     spread connections then
     * @throws org.trueasync.AsyncException outside of {@link org.trueasync.Cores.Builder#run(org.trueasync.Task)}
     */
    public static TcpServer listenOnEachCore(String host, int port) {
        return listenOnEachCore(host, port, ListenHandle.Options.DEFAULT);
    }

    /**
     * As {@link #listenOnEachCore(String, int)} with options.
     *
     * @param host name or literal of a local address
     * @param port 0 to 65535
     * @param options backlog of each core, and address sharing; with several cores the port is shared in any case
     */
    public static TcpServer listenOnEachCore(String host, int port, ListenHandle.Options options) {
        return new TcpServer(SharedPort.listen(host, port, options));
    }

    /**
     * Accepts the next connection; suspends this coroutine while there is none. If there are many, other coroutines
     * still get their turns. Several coroutines may wait; they are served in the order of their calls. If descriptors,
     * or memory for sockets, have run out, this waits until there are some again.
     *
     * @throws org.trueasync.InputOutputException if the server is closed, before or while waiting, or the system
     *     reports another error
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

    /** The port that the server listens on. Any thread, also after {@link #close}. */
    public int port() {
        return localAddress().getPort();
    }

    /** The address that the server listens on. Any thread, also after {@link #close}. */
    public InetSocketAddress localAddress() {
        return (InetSocketAddress) core.localAddress();
    }

    /** True after {@link #close} and after the end of the runtime. Any thread; another thread may see it late. */
    public boolean isClosed() {
        return core.isClosed();
    }

    /**
     * Stops listening; coroutines that wait in {@link #accept} get an {@link org.trueasync.InputOutputException}.
     * Idempotent.
     */
    @Override
    public void close() {
        core.close();
    }
}
