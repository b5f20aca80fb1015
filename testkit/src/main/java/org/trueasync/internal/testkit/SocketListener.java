package org.trueasync.internal.testkit;

import java.io.IOException;
import java.net.BindException;
import java.net.InetSocketAddress;
import java.net.SocketException;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.SystemError;

/** What a {@link VirtualSocket} of a server listens with: its calls wait. Loop thread. */
final class SocketListener implements ListenHandle.Listener {
    private final SocketWait wait;
    private final VirtualListener handle;

    SocketListener(NetworkStack stack, InetSocketAddress local, int backlog) throws IOException {
        wait = new SocketWait(stack);
        try {
            handle = stack.listen(local, new ListenHandle.Options(backlog, false, false), this);
        } catch (InputOutputException e) {
            throw new BindException(
                    e.errno().equals("EADDRINUSE") ? "Address already in use" : "Cannot assign requested address");
        }
    }

    InetSocketAddress address() {
        return (InetSocketAddress) handle.localAddress();
    }

    /** Waits for a connection, so many milliseconds; 0: without a limit. */
    void accept(SocketStream into, int millis) throws IOException {
        @Nullable VirtualTcp[] found = {null};
        wait.until(() -> handle.isClosed() || (found[0] = handle.accept(into)) != null, millis, "Accept timed out");
        VirtualTcp accepted = found[0];
        if (accepted == null) throw new SocketException("Socket closed");
        into.accepted(accepted);
    }

    /** As {@link #accept}, but does not wait; returns whether there was one. */
    boolean acceptNow(SocketStream into) {
        VirtualTcp accepted = handle.isClosed() ? null : handle.accept(into);
        if (accepted != null) into.accepted(accepted);
        return accepted != null;
    }

    /** True if an accept would not wait. */
    boolean isReady() {
        return handle.isClosed() || handle.hasConnection();
    }

    SocketWait waiters() {
        return wait;
    }

    void close() {
        handle.close();
        wait.wake();
    }

    @Override
    public void onConnection() {
        wait.wake();
    }

    @Override
    public void onError(SystemError error) {
        wait.wake();
    }
}
