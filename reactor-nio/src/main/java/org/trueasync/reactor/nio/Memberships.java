package org.trueasync.reactor.nio;

import java.io.IOException;
import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.net.NetworkInterface;
import java.net.SocketException;
import java.nio.channels.DatagramChannel;
import java.nio.channels.MembershipKey;
import java.util.HashMap;
import java.util.Map;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.SystemError;

/**
 * The multicast groups of one socket. Returns the system's errors, also where the JDK accepts a call or throws
 * something else.
 */
final class Memberships {
    private static final SystemError JOINED_ALREADY = new SystemError("EADDRINUSE", "address already in use");
    private static final SystemError NOT_JOINED = new SystemError("EADDRNOTAVAIL", "address not available");
    private static final SystemError NO_INTERFACE = new SystemError("ENODEV", "no such device");
    private static final SystemError INVALID = new SystemError("EINVAL", "invalid argument");

    private final DatagramChannel channel;
    private final Map<Membership, MembershipKey> keys = new HashMap<>();

    private record Membership(
            InetAddress group,
            @Nullable NetworkInterface on,
            @Nullable InetAddress source) {}

    Memberships(DatagramChannel channel) {
        this.channel = channel;
    }

    @Nullable
    SystemError join(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        var membership = new Membership(group, on, source);
        if (keys.containsKey(membership)) return JOINED_ALREADY;
        try {
            NetworkInterface network = on == null ? chosenFor(group) : on;
            if (network == null) return NO_INTERFACE;
            keys.put(membership, source == null ? channel.join(group, network) : channel.join(group, network, source));
            return null;
        } catch (IOException e) {
            return SystemError.of(e);
        } catch (IllegalArgumentException | IllegalStateException | UnsupportedOperationException e) {
            return INVALID;
        }
    }

    @Nullable
    SystemError leave(InetAddress group, @Nullable NetworkInterface on, @Nullable InetAddress source) {
        MembershipKey key = keys.remove(new Membership(group, on, source));
        if (key == null) return NOT_JOINED;
        key.drop();
        return null;
    }

    /**
     * Returns the interface by which the system sends to the group, because the JDK can't join without one; null if
     * there is none.
     */
    private static @Nullable NetworkInterface chosenFor(InetAddress group) throws SocketException {
        try (DatagramChannel probe = DatagramChannel.open(NioTcp.family(new InetSocketAddress(group, 1)))) {
            probe.connect(new InetSocketAddress(group, 1));
            return probe.getLocalAddress() instanceof InetSocketAddress from
                    ? NetworkInterface.getByInetAddress(from.getAddress())
                    : null;
        } catch (IOException noRoute) {
            return null;
        }
    }
}
