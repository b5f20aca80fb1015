package org.trueasync.bench;

import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;

/**
 * The options of the command line.
 *
 * @param list true to list the suites, and measure nothing
 * @param pace how many rounds the suites make, and how long they take
 * @param only names of suites, empty for all
 * @param peers those that take part, empty for all
 * @param against another state of our code, which takes part in the place of all other peers; empty for none
 */
public record Options(boolean list, Pace pace, Set<String> only, Set<Peer> peers, String against) {

    /** What a change to a hot path may have touched; four minutes. */
    private static final Set<String> HOT = Set.of("switch", "spawn", "one-by-one", "channel", "pool");

    static final String USAGE = """
            usage: bin/bench [--quick] [--only SUITE,...] [--peers PEER,...] [--against COMMIT] [--list]
              --quick    fewer and shorter rounds
              --only     these suites alone; --list names them
              --peers    these peers alone (a target that needs another one stays open: ?)
              --against  ours beside ours as it was at that commit; without --only in the suites of the hot path,
                         which takes four minutes
              --list     the suites, what they measure and their targets""";

    static Options parse(String[] arguments, Set<String> suites) {
        boolean list = false;
        Pace pace = Pace.FULL;
        Set<String> only = Set.of();
        Set<Peer> peers = Set.of();
        String against = "";
        for (int i = 0; i < arguments.length; i++) {
            switch (arguments[i]) {
                case "--list" -> list = true;
                case "--quick" -> pace = Pace.QUICK;
                case "--only" -> only = known(value(arguments, ++i, "--only"), suites);
                case "--against" -> against = value(arguments, ++i, "--against");
                case "--peers" -> peers = peers(value(arguments, ++i, "--peers"));
                default -> throw new IllegalArgumentException("unknown option '" + arguments[i] + "'\n" + USAGE);
            }
        }
        return new Options(list, pace, only.isEmpty() && !against.isEmpty() ? HOT : only, peers, against);
    }

    boolean wants(String suite) {
        return only.isEmpty() || only.contains(suite);
    }

    /** Returns the candidates that take part, in the order of {@code candidates}. */
    public List<Peer> among(List<Peer> candidates) {
        if (!against.isEmpty())
            return candidates.contains(Peer.OURS) ? List.of(Peer.OURS, Peer.OURS_BEFORE) : List.of();
        return peers.isEmpty()
                ? candidates
                : candidates.stream().filter(peers::contains).toList();
    }

    private static String value(String[] arguments, int index, String option) {
        if (index >= arguments.length) {
            throw new IllegalArgumentException(option + " needs a value\n" + USAGE);
        }
        return arguments[index];
    }

    private static Set<String> known(String names, Set<String> suites) {
        var requested = new LinkedHashSet<>(List.of(names.split(",")));
        for (String name : requested) {
            if (!suites.contains(name)) {
                throw new IllegalArgumentException("unknown suite '" + name + "'; known: " + String.join(", ", suites));
            }
        }
        return requested;
    }

    private static Set<Peer> peers(String names) {
        var peers = new LinkedHashSet<Peer>();
        for (String name : names.split(",")) {
            try {
                peers.add(Peer.valueOf(name.toUpperCase(java.util.Locale.ROOT).replace('-', '_')));
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException("unknown peer '" + name + "'; known: " + List.of(Peer.values()), e);
            }
        }
        return peers;
    }
}
