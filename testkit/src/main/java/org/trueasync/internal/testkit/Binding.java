package org.trueasync.internal.testkit;

import java.net.Inet6Address;
import java.net.InetAddress;

/**
 * What a socket is bound to, but for its port.
 *
 * @param shared true if it shares its port with those that do so too
 * @param ipv6Only true if a wildcard of IPv6 does not stand for IPv4
 */
record Binding(InetAddress own, boolean shared, boolean ipv6Only) {
    boolean takes(InetAddress target) {
        if (own.equals(target)) return true;
        return own.isAnyLocalAddress() && speaks(target);
    }

    /** True if it can speak with an address of this family. */
    boolean speaks(InetAddress other) {
        boolean sixes = own instanceof Inet6Address;
        return sixes == other instanceof Inet6Address || (sixes && own.isAnyLocalAddress() && !ipv6Only);
    }

    /** True if the other one can't have this one's port. */
    boolean excludes(Binding other) {
        if (shared && other.shared) return false;
        if (own instanceof Inet6Address != other.own instanceof Inet6Address) {
            Binding six = own instanceof Inet6Address ? this : other;
            return six.own.isAnyLocalAddress() && !six.ipv6Only;
        }
        return own.equals(other.own) || own.isAnyLocalAddress() || other.own.isAnyLocalAddress();
    }
}
