package org.trueasync.internal.io;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.kernel.Scheduler;

/** Connects to a host: to its addresses one after another, until one answers. */
public final class Connecting {
    private Connecting() {}

    /**
     * A connected stream; suspends.
     *
     * @param host name or literal
     * @param port 1 to 65535
     * @param token gives it up, or null
     * @throws InputOutputException the last address's error, the others suppressed
     */
    public static StreamCore to(String host, int port, @Nullable Completable<?> token) {
        Objects.requireNonNull(host, "host");
        Addresses.requirePort(port, 1);
        Runtimes.currentCoroutine("TcpStream.connect");
        Scheduler scheduler = Runtimes.here("TcpStream.connect");
        Awaiting.markUsed(token);
        InputOutputException failed = null;
        for (InetAddress address : Addresses.resolve(host, token)) {
            try {
                return StreamCore.connect(scheduler, new InetSocketAddress(address, port), token);
            } catch (InputOutputException e) {
                if (failed != null) e.addSuppressed(failed);
                failed = e;
            }
        }
        throw failed != null
                ? failed
                : new InputOutputException(
                        "connect to " + Addresses.shown(host) + ":" + port + ": host has no address", "");
    }
}
