package org.trueasync.internal.testkit;

import java.net.SocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;

/** A listening socket of the {@link NetworkStack}. */
final class VirtualListener implements ListenHandle, NetworkStack.Handle {
    private final NetworkStack stack;
    private final SocketAddress local;
    private final Binding binding;
    private final int backlog;
    private final Listener listener;
    /** Who has connected and was not accepted; those beyond the backlog don't know yet that they are connected. */
    private final ArrayDeque<VirtualTcp> waiting = new ArrayDeque<>();

    private boolean reported;
    private boolean closed;

    VirtualListener(NetworkStack stack, SocketAddress local, Binding binding, int backlog, Listener listener) {
        this.stack = stack;
        this.local = local;
        this.binding = binding;
        this.backlog = backlog;
        this.listener = listener;
    }

    Binding binding() {
        return binding;
    }

    /** A client's first packet has arrived. */
    void arrived(VirtualTcp client) {
        if (closed) {
            client.refuse(stack);
            return;
        }
        if (client.isClosed()) return;
        waiting.add(client);
        if (waiting.size() <= backlog) client.meet(stack);
        report();
    }

    /** True if {@link #accept} would return a connection; else the listener is told of the next. */
    boolean hasConnection() {
        if (waiting.isEmpty()) reported = false;
        return !waiting.isEmpty();
    }

    private void report() {
        if (reported || waiting.isEmpty() || closed) return;
        reported = true;
        listener.onConnection();
    }

    @Override
    public @Nullable VirtualTcp accept(StreamHandle.Listener streamListener) {
        if (closed) throw NetworkStack.failed("accept on", local, NetworkStack.CLOSED);
        VirtualTcp client = waiting.poll();
        if (client == null) {
            reported = false;
            return null;
        }
        VirtualTcp side = client.meet(stack);
        int number = 0;
        for (VirtualTcp next : waiting) if (++number == backlog) next.meet(stack);
        side.accepted(streamListener);
        return side;
    }

    @Override
    public SocketAddress localAddress() {
        return local;
    }

    @Override
    public void close() {
        if (closed) return;
        closed = true;
        stack.closed(this);
        for (VirtualTcp client : waiting) client.meet(stack).reset();
        waiting.clear();
    }

    @Override
    public void end() {
        close();
    }

    @Override
    public boolean isClosed() {
        return closed;
    }

    @Override
    public String toString() {
        return "listener on " + NetworkStack.text(local) + (closed ? ", closed" : "");
    }
}
