package org.trueasync.internal.io;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.file.Path;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.await.WaitQueue;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.task.Drain;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/**
 * A listening socket as coroutines see it.
 *
 * <p>A connection is taken from the system only for a coroutine that waits. The coroutine that has waited longest gets
 * it. If that one is cancelled before it runs, the next one gets the connection.
 *
 * <p>When descriptors, or memory for sockets, run out, connections stay in the system's backlog and all coroutines go
 * on waiting. The reactor says when another attempt is worth it. The first such shortage of a server is reported, later
 * ones are not. The same holds for a connection that is lost before it is accepted.
 */
public final class ListenCore implements ListenHandle.Listener, Drain.Part {
    final Loop loop;
    private final ListenHandle handle;
    private final SocketAddress local;
    /** Path or address, for messages. */
    private final String name;

    private final WaitQueue<Accept> accepting = new WaitQueue<>();

    /** Accepted connections without a coroutine: it was cancelled, or a drain has begun. Handed out first. */
    private final ArrayDeque<StreamCore> returned = new ArrayDeque<>(2);

    private boolean closed;
    /** It refuses connections, as the run drains. */
    private boolean drained;

    private boolean shortageReported;
    private boolean lossReported;

    private ListenCore(Loop loop, @Nullable Path path, Function<ListenHandle.Listener, ListenHandle> listen) {
        this.loop = loop;
        this.handle = listen.apply(new WeakListeners.OfServer(this));
        this.local = handle.localAddress();
        this.name = path != null ? path.toString() : Addresses.text((InetSocketAddress) local);
        String kind = path != null ? "pipe server" : "tcp server";
        LeakedHandle.watch(this, loop, kind, "on " + name, handle::isClosed, handle::close);
        loop.drain().add(this);
    }

    /**
     * Listens on a TCP port; suspends only to look up a name.
     *
     * @param host name or literal of a local address
     * @param port 0 for any free one
     * @param options of the socket
     * @throws InputOutputException if the system refuses
     * @throws org.trueasync.DnsException if the name is not known
     */
    public static ListenCore on(String host, int port, ListenHandle.Options options) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(options, "options");
        Addresses.requirePort(port, 0);
        Loop loop = Runtimes.here("TcpServer.listen");
        InetAddress address = Addresses.resolve(host, null).getFirst();
        var wanted = new InetSocketAddress(address, port);
        return new ListenCore(loop, null, listener -> loop.reactor().listen(wanted, options, listener));
    }

    /**
     * Listens on a Unix socket. Suspends only if there is a file with this name already, to find out whether a server
     * answers on it.
     *
     * @param path of the socket's file
     * @param permissions of the file, as {@code chmod} takes them
     * @param options of the socket
     * @throws InputOutputException if the system refuses, or if the file that is there must not be replaced
     */
    public static ListenCore on(Path path, int permissions, ListenHandle.Options options) {
        Loop loop = Runtimes.here("PipeServer.listen");
        Path wanted = SocketFiles.usable("listen on", path);
        for (int attempt = 1; ; attempt++) {
            try {
                return new ListenCore(
                        loop, wanted, listener -> loop.reactor().listenUnix(wanted, permissions, options, listener));
            } catch (InputOutputException e) {
                if (!e.errno().equals("EADDRINUSE") || attempt > 3) throw e;
                SocketFiles.removeStale(loop, wanted);
            }
        }
    }

    /** The address on which it listens, with the actual port. Any thread. */
    public SocketAddress localAddress() {
        return local;
    }

    /**
     * Returns the next connection; suspends while there is none.
     *
     * @throws InputOutputException if the server is closed, before or while waiting, or the system reports an error
     */
    public StreamCore accept(@Nullable Completable<?> token) {
        loop.requireLoopThread("accept");
        Awaiting.admit(token);
        requireOpen();
        boolean othersTurn = loop.isOthersTurn();
        if (accepting.isEmpty()) {
            StreamCore waiting = next();
            if (waiting != null) {
                if (othersTurn) loop.giveWay();
                return waiting;
            }
        }
        var request = new Accept();
        request.await(Runtimes.currentCoroutine("accept on " + name), token);
        return Objects.requireNonNull(request.stream);
    }

    private void giveBack(StreamCore stream) {
        if (closed) {
            stream.close();
            return;
        }
        returned.addFirst(stream);
        onConnection();
    }

    /**
     * Returns the next connection; null if none waits, if the system has no descriptor or memory for it, or if it was
     * lost: the reactor tells then when to try again.
     */
    private @Nullable StreamCore next() {
        StreamCore first = returned.poll();
        return first != null || drained ? first : acceptNew();
    }

    private @Nullable StreamCore acceptNew() {
        var accepted = new StreamCore(loop);
        try {
            StreamHandle stream = handle.accept(accepted.listener());
            if (stream == null) return null;
            accepted.opened(
                    stream,
                    stream instanceof TcpHandle tcp ? Addresses.text(tcp.remoteAddress()) : "a client of " + name);
            accepted.closeIfLost();
            return accepted;
        } catch (InputOutputException e) {
            if (isShortage(e)) reportShortage(e);
            else if (isOfConnection(e)) reportLoss(e);
            else throw e;
            return null;
        }
    }

    /**
     * Refuses connections from now on. Those that wait in the backlog are accepted before. Coroutines that wait for
     * more go on waiting, until they are cancelled.
     */
    @Override
    public void drain() {
        if (isClosed()) return;
        try {
            for (StreamCore next = acceptNew(); next != null; next = acceptNew()) returned.add(next);
        } catch (InputOutputException e) {
            loop.report(
                    "Connections that waited on " + name + " when the run began to drain are lost: " + e.getMessage());
        }
        drained = true;
        handle.close();
        onConnection();
    }

    @Override
    public void onConnection() {
        for (Accept first = accepting.first(); first != null; first = accepting.first()) {
            try {
                first.stream = next();
            } catch (InputOutputException e) {
                first.refuse(e);
                continue;
            }
            if (first.stream == null) return;
            first.serve();
        }
    }

    @Override
    public void onError(SystemError error) {
        onConnection(); // the attempt to accept tells what is wrong
    }

    private static boolean isShortage(InputOutputException error) {
        return switch (error.errno()) {
            case "ENOBUFS", "ENOMEM" -> true;
            default -> isOfDescriptors(error);
        };
    }

    private static boolean isOfDescriptors(InputOutputException error) {
        return error.errno().equals("EMFILE") || error.errno().equals("ENFILE");
    }

    /** True if it is the error of the connection, not of the server: accept(2) passes such errors on. */
    private static boolean isOfConnection(InputOutputException error) {
        return switch (error.errno()) {
            case "ECONNABORTED",
                    "EHOSTDOWN",
                    "EHOSTUNREACH",
                    "ENETDOWN",
                    "ENETUNREACH",
                    "ENONET",
                    "ENOPROTOOPT",
                    "EPROTO",
                    "ETIMEDOUT" -> true;
            default -> false;
        };
    }

    private void reportLoss(InputOutputException error) {
        if (lossReported) return;
        lossReported = true;
        loop.report("A connection was lost before it was accepted; others that are lost like it are not reported: "
                + error.getMessage());
    }

    private void reportShortage(InputOutputException error) {
        if (shortageReported) return;
        shortageReported = true;
        String wayOut = isOfDescriptors(error)
                ? "descriptors are free again: " + error.getMessage()
                        + "; raise the limit (ulimit -n) or close connections"
                : "the system has memory for sockets again: " + error.getMessage();
        loop.report("Accepting on " + name + " pauses until " + wayOut);
    }

    /** Stops listening. Coroutines that wait in {@code accept} get an error. A second call does nothing. */
    public void close() {
        if (isOver()) return;
        loop.requireLoopThreadOrEnd("close");
        closed = true;
        handle.close();
        loop.drain().remove(this);
        InputOutputException error = closedError();
        accepting.refuseAll(() -> error);
        StreamCore unclaimed;
        while ((unclaimed = returned.poll()) != null) unclaimed.close();
    }

    /** True after {@link #close}, from the drain of the run on, and after its end. Any thread. */
    public boolean isClosed() {
        return closed || handle.isClosed();
    }

    /** False during a drain: coroutines wait then, although nothing comes. */
    private boolean isOver() {
        return closed || (handle.isClosed() && !drained);
    }

    private void requireOpen() {
        if (isOver()) throw closedError();
    }

    private InputOutputException closedError() {
        return new InputOutputException("accept on " + name + ": the server is closed", "EBADF");
    }

    private final class Accept extends IoWaiter {
        private @Nullable StreamCore stream;

        Accept() {
            super(loop, accepting, "accept on " + name);
        }

        @Override
        protected void handOn() {
            giveBack(Objects.requireNonNull(stream));
        }
    }
}
