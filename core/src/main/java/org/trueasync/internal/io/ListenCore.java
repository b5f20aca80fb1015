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
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/**
 * A listening socket as coroutines see it.
 *
 * <p>Connections are taken from the system only for coroutines that wait, and handed to them in the order of their arrival. A coroutine that is
 * cancelled after it was given one leaves it to the next. When descriptors run out, the connection stays in the system's backlog, everybody
 * goes on waiting, and the reactor says when another attempt is worth it; that is reported once.
 */
public final class ListenCore implements ListenHandle.Listener {
    private final Loop loop;
    private final ListenHandle handle;
    private final SocketAddress local;
    /** Where it listens, for messages. */
    private final String name;

    private final WaitQueue<Accept> accepting = new WaitQueue<>();

    /** Taken for coroutines that were cancelled before they could run. */
    private final ArrayDeque<StreamCore> returned = new ArrayDeque<>(2);

    private boolean closed;
    private boolean shortageReported;

    private ListenCore(Loop loop, @Nullable Path path, Function<ListenHandle.Listener, ListenHandle> listen) {
        this.loop = loop;
        this.handle = listen.apply(new WeakListeners.OfServer(this));
        this.local = handle.localAddress();
        this.name = path != null ? path.toString() : Addresses.text((InetSocketAddress) local);
        String kind = path != null ? "pipe server" : "tcp server";
        LeakedHandle.watch(this, loop, kind, "on " + name, handle::isClosed, handle::close);
    }

    /**
     * Listens; suspends only to look up a name.
     *
     * @param host name or literal of a local address
     * @param port 0 for any free one
     * @param options see there
     * @throws InputOutputException if the system refuses
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
     * Listens on a Unix socket; suspends only where there is a file already, to find out whether anybody answers on it.
     *
     * @param path where
     * @param permissions of the file
     * @param options see there
     * @throws InputOutputException if the system refuses, or something is there that is not to be replaced
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

    /** Where it listens, with the real port. Any thread. */
    public SocketAddress localAddress() {
        return local;
    }

    /** The next connection; suspends while there is none. */
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

    /** A connection that waits, or null. */
    private @Nullable StreamCore next() {
        StreamCore first = returned.poll();
        if (first != null) return first;
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
            if (!isShortage(e)) throw e;
            reportShortage(e);
            return null;
        }
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
            case "EMFILE", "ENFILE", "ENOBUFS", "ENOMEM" -> true;
            default -> false;
        };
    }

    private void reportShortage(InputOutputException error) {
        if (shortageReported) return;
        shortageReported = true;
        loop.report("Accepting on " + name + " pauses until descriptors are free again: " + error.getMessage()
                + "; raise the limit (ulimit -n) or close connections");
    }

    /** Stops listening; whoever waits in {@code accept} gets an error. Again does nothing. */
    public void close() {
        if (isClosed()) return;
        loop.requireLoopThread("close");
        closed = true;
        handle.close();
        InputOutputException error = closedError();
        accepting.refuseAll(() -> error);
        StreamCore unclaimed;
        while ((unclaimed = returned.poll()) != null) unclaimed.close();
    }

    /** True after {@link #close} and after the end of the runtime. Any thread. */
    public boolean isClosed() {
        return closed || handle.isClosed();
    }

    private void requireOpen() {
        if (isClosed()) throw closedError();
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
