package org.trueasync.testkit.simulation;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;

/**
 * Whom a fault hits, which is decided when it begins. Servers are the hosts that are no clients.
 *
 * @param atBusiest true if it hits the server whose packets reach others most, of those that are meant
 * @param until when the fault ends, in nanoseconds
 */
record Aim(SimulatedRun run, SplittableRandom random, boolean atBusiest, long until) {
    /** One of those that are named, or of all hosts. */
    String host(String... named) {
        return any(named.length == 0 ? all() : List.of(named));
    }

    /** One of those that are named, or of all servers. */
    String server(String... named) {
        return any(named.length == 0 ? run.servers() : List.of(named));
    }

    /** As {@link #server}; now and then several. */
    List<String> servers(String... named) {
        List<String> all = named.length == 0 ? run.servers() : List.of(named);
        return all.size() == 1 || random.nextInt(4) > 0 ? List.of(server(named)) : some(all, 2, all.size());
    }

    /** The two ends of a link, in one direction. */
    List<String> link() {
        String one = host();
        List<String> others = without(List.of(one));
        String other = others.isEmpty() ? one : others.get(random.nextInt(others.size()));
        return random.nextBoolean() ? List.of(one, other) : List.of(other, one);
    }

    /** One side of a partition. */
    List<String> side() {
        if (!atBusiest) return some(all(), 1, all().size() - 1);
        List<String> side = new ArrayList<>(List.of(server()));
        for (String client : without(run.servers())) if (random.nextBoolean()) side.add(client);
        return without(side).isEmpty() ? List.of(side.getFirst()) : side;
    }

    List<String> without(List<String> some) {
        List<String> others = new ArrayList<>(all());
        others.removeAll(some);
        return others;
    }

    private String any(List<String> hosts) {
        List<String> servers = new ArrayList<>(hosts);
        servers.retainAll(run.servers());
        return atBusiest && !servers.isEmpty()
                ? run.world.network().busiest(servers)
                : hosts.get(random.nextInt(hosts.size()));
    }

    private List<String> some(List<String> all, int least, int most) {
        List<String> some = new ArrayList<>();
        do {
            some.clear();
            for (String host : all) if (random.nextBoolean()) some.add(host);
        } while (all.size() > 1 && (some.size() < least || some.size() > most));
        return some;
    }

    private List<String> all() {
        return List.copyOf(run.hosts.keySet());
    }
}
