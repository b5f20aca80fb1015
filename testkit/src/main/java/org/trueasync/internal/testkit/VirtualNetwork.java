package org.trueasync.internal.testkit;

import java.net.InetAddress;
import java.net.UnknownHostException;
import java.util.HashMap;
import java.util.HashSet;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import org.jspecify.annotations.Nullable;

/**
 * The network between the hosts of a {@link World}, without an operating system. What is sent arrives after the
 * latency; with a {@link Chance} it takes longer at times, and packets of different connections overtake each other.
 * Links can be cut and slowed down. A packet that has left arrives, even if its link is cut meanwhile.
 */
public final class VirtualNetwork {
    /** One way, in nanoseconds: as between two machines of one rack. */
    private static final long LATENCY = 50_000;
    /** What a datagram may be late where packets get lost. */
    private static final long LATEST = 1_000_000_000;

    final World world;
    private final @Nullable Chance chance;
    /** By name; a host keeps its address over restarts. */
    private final Map<String, InetAddress> addresses = new LinkedHashMap<>();

    private final Map<InetAddress, NetworkStack> stacks = new LinkedHashMap<>();
    /** Hosts without power: nobody answers there. */
    private final Set<InetAddress> off = new HashSet<>();
    /** The only host's, to which every address belongs; null if hosts have names. */
    private @Nullable NetworkStack only;

    /** Packets to other hosts that arrive; older ones count less. */
    private final Map<InetAddress, Integer> sent = new HashMap<>();

    private final Map<Link, Long> cut = new HashMap<>();
    private final Map<Link, Long> slow = new HashMap<>();
    /** The share of packets that are lost. */
    private final Map<Link, Overlap<Double>> lossy = new HashMap<>();

    /** One direction. */
    private record Link(InetAddress from, InetAddress to) {
        static @Nullable Long sum(long one, long other) {
            return one + other == 0 ? null : one + other;
        }
    }

    VirtualNetwork(World world, @Nullable Chance chance) {
        this.world = world;
        this.chance = chance;
    }

    // ---- hosts

    NetworkStack join(VirtualReactor host, @Nullable String name) {
        if (name == null) {
            only = new NetworkStack(this, host, "localhost", null);
            return only;
        }
        InetAddress address = addressOf(name);
        var stack = new NetworkStack(this, host, name, address);
        stacks.put(address, stack);
        off.remove(address);
        return stack;
    }

    void left(NetworkStack stack, boolean powerIsOff) {
        if (stack.address == null) return;
        stacks.remove(stack.address, stack);
        if (powerIsOff) off.add(stack.address);
    }

    /** The address of a host, up or not; it gets one with the first call. */
    public InetAddress addressOf(String name) {
        return addresses.computeIfAbsent(name, absent -> numbered(addresses.size() + 1));
    }

    private static InetAddress numbered(int number) {
        return InetAddress.ofLiteral("10.0." + (number >> 8) + "." + (number & 0xff));
    }

    /** The name of the host with an address, or the address. */
    String nameOf(InetAddress address) {
        for (var host : addresses.entrySet()) if (host.getValue().equals(address)) return host.getKey();
        return address.getHostAddress();
    }

    /** For a look-up: empty if there is no such host. */
    List<InetAddress> addressesOf(String name) {
        if (name.equalsIgnoreCase("localhost")) return List.of(InetAddress.ofLiteral("127.0.0.1"));
        InetAddress address = addresses.get(name);
        if (address == null) return List.of();
        try {
            return List.of(InetAddress.getByAddress(name, address.getAddress()));
        } catch (UnknownHostException e) {
            throw new AssertionError(e); // of a wrong length
        }
    }

    /** The stack that has an address now, as seen from a host; null if none is up. */
    @Nullable
    NetworkStack at(NetworkStack from, InetAddress target) {
        if (only != null) return only;
        return from.isOwn(target) ? from : stacks.get(target);
    }

    /** The hosts that are up. */
    List<NetworkStack> all() {
        return only == null ? List.copyOf(stacks.values()) : List.of(only);
    }

    /** True if the host with this address has power, and no program runs there. */
    boolean isIdle(InetAddress target) {
        return addresses.containsValue(target) && !isOff(target);
    }

    /** True if the host with this address has no power. */
    boolean isOff(InetAddress target) {
        return off.contains(target);
    }

    // ---- packets

    /**
     * Sends a packet.
     *
     * @param arrival called on the receiver's loop
     * @param lost called instead if it does not arrive, on the sender's loop or from the world; may only plan
     */
    void send(NetworkStack from, NetworkStack to, Runnable arrival, Runnable lost) {
        if (arrives(from, to)) to.arrives(latency(from, to), arrival, lost);
        else lost.run();
    }

    private boolean arrives(NetworkStack from, NetworkStack to) {
        if (to.isGone() || !isOpen(from, to) || loses(from, to)) return false;
        if (from.address != null && from != to) sent.merge(from.address, 1, Integer::sum);
        return true;
    }

    /** Of some hosts the one whose packets reach others most, of late. */
    public String busiest(List<String> names) {
        String busiest = names.getFirst();
        for (String name : names) if (sentBy(name) > sentBy(busiest)) busiest = name;
        sent.replaceAll((host, packets) -> packets / 4);
        return busiest;
    }

    private int sentBy(String name) {
        return sent.getOrDefault(addressOf(name), 0);
    }

    /** True if the host of a stack that is gone is up: its system refuses what is sent to the stack. */
    boolean answersForAnother(NetworkStack gone) {
        return gone.isGone() && gone.address != null && !isOff(gone.address);
    }

    boolean isOpenBothWays(NetworkStack one, NetworkStack other) {
        return isOpen(one, other) && isOpen(other, one);
    }

    /**
     * Sends a datagram, once. Between two hosts one may overtake another; where packets get lost, it may also come
     * twice or late.
     */
    void sendDatagram(NetworkStack from, NetworkStack to, Runnable arrival) {
        if (!arrives(from, to)) return;
        to.arrives(from == to ? LATENCY : latency(from, to) + delay(from, to), arrival, () -> {});
        if (loses(from, to)) to.arrives(latency(from, to) + delay(from, to), arrival, () -> {});
    }

    private boolean loses(NetworkStack from, NetworkStack to) {
        if (chance == null || lossy.isEmpty() || from == to) return false;
        Overlap<Double> share = lossy.get(link(from, to));
        return share != null && chance.happens(share.worst());
    }

    private long delay(NetworkStack from, NetworkStack to) {
        return chance != null && loses(from, to) ? chance.atMost(LATEST) : 0;
    }

    private boolean isOpen(NetworkStack from, NetworkStack to) {
        return cut.isEmpty() || from == to || !cut.containsKey(link(from, to));
    }

    private long latency(NetworkStack from, NetworkStack to) {
        long usual = withJitter(LATENCY);
        return slow.isEmpty() || from == to ? usual : usual + slow.getOrDefault(link(from, to), 0L);
    }

    /** A duration that is at times longer, up to twice as long. */
    long withJitter(long nanos) {
        return chance == null ? nanos : nanos + chance.atMost(nanos);
    }

    @SuppressWarnings("NullAway") // with links, each host has an address
    private static Link link(NetworkStack from, NetworkStack to) {
        return new Link(from.address, to.address);
    }

    /** How much of what has arrived is delivered at once, at most: a system may tear it anywhere. */
    int portion(int most) {
        return chance == null || !chance.oneIn(4) ? most : 1 + chance.below(chance.oneIn(2) ? 16 : most);
    }

    // ---- faults

    /** Cuts the link from one host to another, one way, or mends it as often as it was cut. */
    public void cut(String from, String to, boolean cuts) {
        cut.merge(new Link(addressOf(from), addressOf(to)), cuts ? 1L : -1L, Link::sum);
    }

    /**
     * Changes what each packet takes longer from one host to another.
     *
     * @param nanos are added to it; negative to take them back
     */
    public void slow(String from, String to, long nanos) {
        slow.merge(new Link(addressOf(from), addressOf(to)), nanos, Link::sum);
    }

    /**
     * Has packets from one host to another get lost; of datagrams as many are doubled, and as many late.
     *
     * @param share of the packets, from 0 to 1
     * @param loses false to take it back
     */
    public void lose(String from, String to, double share, boolean loses) {
        lossy.computeIfAbsent(new Link(addressOf(from), addressOf(to)), absent -> new Overlap<>(0.0))
                .change(share, loses);
    }

    /** Resets all connections of a host with other ones, for both ends. */
    public int resetConnections(String host) {
        NetworkStack stack = stacks.get(addressOf(host));
        return stack == null ? 0 : stack.resetConnections();
    }
}
