package org.trueasync.internal.io;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.kernel.Scheduler;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/**
 * A listening socket as coroutines see it. When descriptors run out, the connection stays in the system's backlog and {@code accept} waits until
 * the reactor says that it is worth another attempt; it says so once.
 */
public final class ListenCore implements ListenHandle.Listener {
    private final Scheduler scheduler;
    private final ListenHandle handle;
    private final ArrayDeque<Accept> accepting = new ArrayDeque<>(2);
    private boolean closed;
    private boolean shortageReported;

    private ListenCore(Scheduler scheduler, InetSocketAddress local, ListenHandle.Options options) {
        this.scheduler = scheduler;
        this.handle = scheduler.reactor.listen(local, options, this);
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
        Addresses.requirePort(port);
        Scheduler scheduler = Runtimes.here("TcpServer.listen");
        InetAddress address = Addresses.resolve(host, null).getFirst();
        return new ListenCore(scheduler, new InetSocketAddress(address, port), options);
    }

    public InetSocketAddress localAddress() {
        return handle.localAddress();
    }

    /** The next connection; suspends while there is none. */
    public StreamCore accept(@Nullable Completable<?> token) {
        scheduler.requireLoopThread("accept");
        for (; ; ) {
            if (closed) throw closedError("accept on");
            if (accepting.isEmpty()) {
                try {
                    StreamCore accepted = tryAccept();
                    if (accepted != null) return accepted;
                } catch (InputOutputException e) {
                    // The connection stays in the backlog, and the handle tells again when it is worth another attempt.
                    if (!isShortage(e)) throw e;
                    reportShortage(e);
                }
            }
            awaitConnection(token);
        }
    }

    private @Nullable StreamCore tryAccept() {
        var accepted = new StreamCore(scheduler);
        StreamHandle stream = handle.accept(accepted);
        if (stream == null) return null;
        accepted.opened(stream);
        return accepted;
    }

    private void awaitConnection(@Nullable Completable<?> token) {
        var request = new Accept(scheduler);
        boolean woken = false;
        try {
            request.await(token);
            woken = true;
        } finally {
            // woken for a connection and cancelled before taking it: the next one in line gets it
            if (!woken && request.isDone()) onConnection();
        }
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
        scheduler.report("Accepting on " + Addresses.text(localAddress()) + " pauses until descriptors are free again: " + error.getMessage()
                + "; raise the limit (ulimit -n) or close connections");
    }

    @Override
    public void onConnection() {
        Accept first = accepting.poll();
        if (first != null) first.complete(null);
    }

    @Override
    public void onError(SystemError error) {
        onConnection(); // whoever tries to accept next is told
    }

    /** Stops listening; whoever waits in {@code accept} gets an error. Again does nothing. */
    public void close() {
        if (closed) return;
        scheduler.requireLoopThread("close");
        closed = true;
        handle.close();
        InputOutputException error = closedError("accept on");
        Accept waiting;
        while ((waiting = accepting.poll()) != null) waiting.complete(error);
    }

    public boolean isClosed() {
        return closed;
    }

    private InputOutputException closedError(String operation) {
        return new InputOutputException(operation + " " + Addresses.text(localAddress()) + ": the server is closed", "EBADF");
    }

    private final class Accept extends IoRequest {
        Accept(Scheduler scheduler) {
            super(scheduler, "accept on " + Addresses.text(handle.localAddress()));
        }

        @Override
        protected void armSource() {
            accepting.add(this);
        }

        @Override
        protected void disarmSource() {
            accepting.remove(this);
        }
    }
}
