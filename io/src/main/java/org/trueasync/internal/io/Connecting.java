package org.trueasync.internal.io;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.file.Path;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;

/** Connects to hosts, trying a host's addresses one after another until one answers, and to Unix sockets. */
public final class Connecting {
    /** The longest pause between two attempts, while a server's backlog is full. */
    private static final long LONGEST_PAUSE_MILLIS = 50;

    private Connecting() {}

    /**
     * Returns a connected stream; suspends.
     *
     * @param host name or literal
     * @param port 1 to 65535
     * @param token ends the attempt, or null
     * @throws InputOutputException the last address's error, with the earlier ones suppressed
     * @throws org.trueasync.DnsException if the name is not known
     */
    public static StreamCore to(String host, int port, @Nullable Completable<?> token) {
        Objects.requireNonNull(host, "host");
        Addresses.requirePort(port, 1);
        Runtimes.currentCoroutine("TcpStream.connect");
        Loop loop = Runtimes.here("TcpStream.connect");
        Awaiting.admit(token);
        InputOutputException failed = null;
        for (InetAddress address : Addresses.resolve(host, token)) {
            try {
                var remote = new InetSocketAddress(address, port);
                return StreamCore.connect(
                        loop, Addresses.text(remote), listener -> loop.reactor().connect(remote, listener), token);
            } catch (InputOutputException e) {
                if (failed != null) Causes.suppress(e, failed);
                failed = e;
            }
        }
        throw failed != null
                ? failed
                : new InputOutputException(
                        "connect to " + Addresses.shown(host) + ":" + port + ": host has no address", "");
    }

    /**
     * Returns a stream to a Unix socket; suspends. While the server's backlog is full, it waits and tries again.
     *
     * @param path of the socket
     * @param token ends the attempt, or null
     * @throws InputOutputException if no server listens there, or the system refuses otherwise
     */
    public static StreamCore to(Path path, @Nullable Completable<?> token) {
        Runtimes.currentCoroutine("Pipe.connect");
        Loop loop = Runtimes.here("Pipe.connect");
        Path target = SocketFiles.usable("connect to", path);
        Awaiting.admit(token);
        for (long pauseMillis = 1; ; pauseMillis = Math.min(2 * pauseMillis, LONGEST_PAUSE_MILLIS)) {
            try {
                return StreamCore.connect(
                        loop, target.toString(), listener -> loop.reactor().connectUnix(target, listener), token);
            } catch (InputOutputException e) {
                // TCP waits for room in the backlog; a non-blocking Unix socket is refused with EAGAIN
                if (!e.errno().equals("EAGAIN")) throw e;
            }
            pause(loop, pauseMillis, token);
        }
    }

    private static void pause(Loop loop, long millis, @Nullable Completable<?> token) {
        Awaiting.until(
                Runtimes.currentCoroutine("Pipe.connect"), loop.timers().oneShot(Duration.ofMillis(millis)), token);
    }
}
