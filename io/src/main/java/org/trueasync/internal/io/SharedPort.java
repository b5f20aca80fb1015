package org.trueasync.internal.io;

import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.cores.CoreMember;
import org.trueasync.internal.cores.CoresRun;
import org.trueasync.spi.ListenHandle;

/**
 * One port for several cores: each core has a socket of its own, and the system spreads the connections over the
 * sockets.
 */
public final class SharedPort {
    private static final boolean SYSTEM_SPREADS =
            System.getProperty("os.name", "").equals("Linux");

    /** On the core that has chosen the port, its server, which is bound already; null on the others. */
    private @Nullable ListenCore first;

    private SharedPort() {}

    private record Key(String host) {}

    /**
     * Listens on the calling core. Linux only, unless there is just one core.
     *
     * @param host name or literal of a local address
     * @param port 0 for a free one, on which all cores agree
     * @param options of the socket; {@code reusePort} counts as set where there are several cores
     * @throws UnsupportedOperationException with several cores where the system does not spread connections
     */
    public static ListenCore listen(String host, int port, ListenHandle.Options options) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(options, "options");
        CoreMember here = CoresRun.here("TcpServer.listenOnEachCore");
        if (here.run().count() == 1) return ListenCore.on(host, port, options);
        if (!SYSTEM_SPREADS)
            throw new UnsupportedOperationException(System.getProperty("os.name")
                    + " does not spread connections over sockets that share a port; listen on one core only, and have the"
                    + " others do the work by Cores.on");
        var shared = new ListenHandle.Options(options.backlog(), true, options.ipv6Only());
        if (port != 0) return ListenCore.on(host, port, shared);
        var search = new SharedPort();
        int free = here.agreed(new Key(host), () -> search.bind(host, shared));
        return search.first != null ? search.first : ListenCore.on(host, free, shared);
    }

    private int bind(String host, ListenHandle.Options shared) {
        ListenCore bound = ListenCore.on(host, 0, shared);
        first = bound;
        return ((InetSocketAddress) bound.localAddress()).getPort();
    }
}
