package org.trueasync.io;

import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.trueasync.Completable;
import org.trueasync.internal.io.Lookups;
import org.trueasync.internal.kernel.Runtimes;

/**
 * Looks names and addresses up with the system's resolver. Each look-up suspends only the calling coroutine. Up to 64
 * look-ups run at the same time in the process; others wait. Inside a coroutine only: elsewhere each method throws an
 * {@link org.trueasync.AsyncException}.
 *
 * <p>A look-up can't be stopped: a cancelled coroutine leaves at once, and the answer is dropped when it comes.
 *
 * <p>Loop thread only.
 */
public final class Dns {
    private Dns() {}

    /**
     * Looks up the addresses of a host, in the order in which they should be tried. A literal is not looked up and
     * needs no helper thread.
     *
     * @param host name or literal
     * @return at least one address
     * @throws org.trueasync.DnsException if there is no such host, the text can't be one, or no resolver answers; the
     *     message names the host
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     */
    public static List<InetAddress> resolve(String host) {
        Runtimes.currentCoroutine("Dns.resolve");
        return Lookups.ofName(Runtimes.here("Dns.resolve"), host, null);
    }

    /**
     * As {@link #resolve(String)}; gives up when the token ends.
     *
     * @param host name or literal
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public static List<InetAddress> resolve(String host, Completable<?> cancellation) {
        Objects.requireNonNull(host, "host");
        Objects.requireNonNull(cancellation, "cancellation");
        Runtimes.currentCoroutine("Dns.resolve");
        return Lookups.ofName(Runtimes.here("Dns.resolve"), host, cancellation);
    }

    /**
     * Looks up the name of an address. The name is checked: it must resolve to the address, otherwise the address
     * counts as nameless.
     *
     * @param address the address
     * @return the host name
     * @throws org.trueasync.DnsException if it has no name, or the look-up fails; the message names the address
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     */
    public static String reverse(InetAddress address) {
        Runtimes.currentCoroutine("Dns.reverse");
        return Lookups.ofAddress(Runtimes.here("Dns.reverse"), address, null);
    }

    /**
     * As {@link #reverse(InetAddress)}; gives up when the token ends.
     *
     * @param address the address
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public static String reverse(InetAddress address, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        Runtimes.currentCoroutine("Dns.reverse");
        return Lookups.ofAddress(Runtimes.here("Dns.reverse"), address, cancellation);
    }
}
