package org.trueasync.bench.report;

import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.trueasync.bench.Peer;

/** A figure that a row must reach. */
public sealed interface Target {

    /** Our figure must be at most {@code limit} times that of the best of {@code peers}. */
    record Ratio(double limit, List<Peer> peers) implements Target {
        @Override
        public String toString() {
            String whom = peers.stream().map(peer -> peer.title).collect(Collectors.joining(", "));
            return String.format(Locale.ROOT, "<= %.2f x %s", limit, peers.size() == 1 ? whom : "best of " + whom);
        }
    }

    /** Our figure must be at most {@code limit}, whatever the peers do. */
    record Absolute(double limit, String text) implements Target {
        @Override
        public String toString() {
            return text;
        }
    }

    /** Our figure must be at most {@code limit} times our own one in another row. */
    record Growth(double limit, Row from) implements Target {
        @Override
        public String toString() {
            return String.format(
                    Locale.ROOT, "<= %.2f x at %s", limit, from.title().replaceFirst(".*, ", ""));
        }
    }

    static Target atMost(double limit, String unit) {
        return new Absolute(limit, String.format(Locale.ROOT, "<= %,.0f %s", limit, unit));
    }

    static Target atMost(double limit, Row from) {
        return new Growth(limit, from);
    }

    static Target atMost(double limit, Peer... bestOf) {
        return new Ratio(limit, Arrays.asList(bestOf));
    }
}
