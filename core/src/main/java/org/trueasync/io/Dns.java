package org.trueasync.io;

import java.net.InetAddress;
import java.util.List;
import java.util.Objects;
import org.trueasync.Completable;
import org.trueasync.internal.dns.Lookups;
import org.trueasync.internal.kernel.Runtimes;

/**
 * Looks names and addresses up with the system's resolver. Each look-up suspends only the calling coroutine, and many go on at the same time: up to
 * 64 in the process, the others wait in line. Inside a coroutine only.
 *
 * <p>A look-up can't be stopped: who is cancelled leaves at once, and the answer is dropped when it comes.
 *
 * <p>Loop thread only.
 */
public final class Dns {
    private Dns() {}

    /**
     * The addresses of a host, in the order in which they should be tried. A literal is not looked up, and costs no switch.
     *
     * @param host name or literal
     * @return at least one
     * @throws org.trueasync.DnsException if there is no such host, the text can't be one, or nobody could be asked; names it
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
        Objects.requireNonNull(cancellation, "cancellation");
        Runtimes.currentCoroutine("Dns.resolve");
        return Lookups.ofName(Runtimes.here("Dns.resolve"), host, cancellation);
    }

    /**
     * The name of an address. It is one that leads back to the address: a name that does not is not believed.
     *
     * @param address which
     * @throws org.trueasync.DnsException if it has none; names it
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting
     */
    public static String reverse(InetAddress address) {
        Runtimes.currentCoroutine("Dns.reverse");
        return Lookups.ofAddress(Runtimes.here("Dns.reverse"), address, null);
    }

    /**
     * As {@link #reverse(InetAddress)}; gives up when the token ends.
     *
     * @param address which
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first
     */
    public static String reverse(InetAddress address, Completable<?> cancellation) {
        Objects.requireNonNull(cancellation, "cancellation");
        Runtimes.currentCoroutine("Dns.reverse");
        return Lookups.ofAddress(Runtimes.here("Dns.reverse"), address, cancellation);
    }
}
