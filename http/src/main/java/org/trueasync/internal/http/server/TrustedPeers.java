package org.trueasync.internal.http.server;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.util.List;
import org.eclipse.jetty.util.InetAddressSet;
import org.jspecify.annotations.Nullable;

/** The addresses of peers whose word is taken. Whoever comes over a Unix socket is trusted, as its file lets them. */
public final class TrustedPeers {
    private final InetAddressSet addresses = new InetAddressSet();

    /**
     * Reads addresses and networks.
     *
     * @param networks {@code 192.0.2.7}, {@code 10.0.0.0/8}, {@code 2001:db8::/32}
     * @throws IllegalArgumentException if one has another form
     */
    public TrustedPeers(List<String> networks) {
        for (String network : networks) {
            int slash = network.indexOf('/');
            try {
                InetAddress base = InetAddress.ofLiteral(slash < 0 ? network : network.substring(0, slash));
                int bits = base.getAddress().length * 8;
                int prefix = slash < 0 ? bits : Integer.parseInt(network, slash + 1, network.length(), 10);
                if (prefix < 0 || prefix > bits) throw new IllegalArgumentException("prefix");
                addresses.add(base.getHostAddress() + '/' + prefix);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(
                        "a trusted peer must be an address or a network such as 10.0.0.0/8, with no bits behind the"
                                + " prefix, got '" + network + "'",
                        e);
            }
        }
    }

    /** True if no address is trusted. */
    public boolean isEmpty() {
        return addresses.isEmpty();
    }

    boolean trusts(@Nullable InetSocketAddress peer) {
        InetAddress address = peer == null ? null : peer.getAddress();
        return address != null && addresses.test(address);
    }
}
