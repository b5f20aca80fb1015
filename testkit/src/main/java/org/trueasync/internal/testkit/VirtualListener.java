package org.trueasync.internal.testkit;

import java.net.Inet6Address;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.ListenHandle;
import org.trueasync.spi.StreamHandle;

/** A listening socket of the {@link NetworkStack}. */
final class VirtualListener implements ListenHandle, NetworkStack.Handle {
    private final NetworkStack stack;
    private final InetSocketAddress local;
    private final Options options;
    private final Listener listener;
    /** Who has connected and was not accepted; those beyond the backlog don't know yet that they are connected. */
    private final ArrayDeque<VirtualTcp> waiting = new ArrayDeque<>();

    private boolean reported;
    private boolean closed;

    VirtualListener(NetworkStack stack, InetSocketAddress local, Options options, Listener listener) {
        this.stack = stack;
        this.local = local;
        this.options = options;
        this.listener = listener;
    }

    boolean takes(InetAddress target) {
        InetAddress own = local.getAddress();
        if (own.equals(target)) return true;
        if (!own.isAnyLocalAddress()) return false;
        boolean sixes = own instanceof Inet6Address;
        return sixes == target instanceof Inet6Address || (sixes && !options.ipv6Only());
    }

    /** True if the other one can't have this one's port. */
    boolean excludes(InetSocketAddress other, Options asked) {
        if (options.reusePort() && asked.reusePort()) return false;
        InetAddress own = local.getAddress();
        if (own instanceof Inet6Address != other.getAddress() instanceof Inet6Address) {
            InetAddress six = own instanceof Inet6Address ? own : other.getAddress();
            boolean apart = own instanceof Inet6Address ? options.ipv6Only() : asked.ipv6Only();
            return six.isAnyLocalAddress() && !apart;
        }
        return own.equals(other.getAddress())
                || own.isAnyLocalAddress()
                || other.getAddress().isAnyLocalAddress();
    }

    /** A client's first packet has arrived. */
    void arrived(VirtualTcp client) {
        if (closed) {
            client.refuse(stack);
            return;
        }
        if (client.isClosed()) return;
        waiting.add(client);
        if (waiting.size() <= options.backlog()) client.meet(stack);
        report();
    }

    private void report() {
        if (reported || waiting.isEmpty() || closed) return;
        reported = true;
        listener.onConnection();
    }

    @Override
    public @Nullable StreamHandle accept(StreamHandle.Listener streamListener) {
        if (closed) throw NetworkStack.failed("accept on", local, NetworkStack.CLOSED);
        VirtualTcp client = waiting.poll();
        if (client == null) {
            reported = false;
            return null;
        }
        VirtualTcp side = client.meet(stack);
        int number = 0;
        for (VirtualTcp next : waiting) if (++number == options.backlog()) next.meet(stack);
        side.accepted(streamListener);
        return side;
    }

    @Override
    public InetSocketAddress localAddress() {
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
