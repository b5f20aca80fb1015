package org.trueasync.bench;

import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/**
 * Peers whose processes live side by side and take turns, pass by pass, so that a slow phase of the machine meets all
 * of them. Each pass counts as a round of its own.
 */
public abstract class TurnsSuite implements Suite {
    private final String name;
    private final List<Row> rows;
    private final List<Peer> peers;

    /**
     * Creates a suite.
     *
     * @param name for {@code --only}
     * @param rows one for each figure of a pass
     * @param peers those that take turns
     */
    protected TurnsSuite(String name, List<Row> rows, List<Peer> peers) {
        this.name = name;
        this.rows = rows;
        this.peers = peers;
    }

    /** Starts the processes of one peer. */
    protected abstract RunningPeer start(Peer peer) throws IOException;

    @Override
    public final String name() {
        return name;
    }

    @Override
    public final List<Row> rows() {
        return rows;
    }

    @Override
    public final List<Peer> peers() {
        return peers;
    }

    @Override
    public final int rounds(Pace pace) {
        return pace.turnRounds();
    }

    @Override
    public final List<Measurement> round(List<Peer> among, Pace pace) {
        return List.of(new Measurement(name + ", all peers in turn", results -> measure(among, pace, results)));
    }

    private void measure(List<Peer> among, Pace pace, Results results) throws IOException {
        var running = new EnumMap<Peer, RunningPeer>(Peer.class);
        try {
            for (Peer peer : among) running.put(peer, start(peer));
            for (int pass = -pace.turnWarmUp(); pass < pace.turns(); pass++) {
                for (Peer peer : among) {
                    String[] figures = running.get(peer).pass();
                    if (pass >= 0) add(figures, peer, results);
                }
            }
        } finally {
            running.values().forEach(RunningPeer::close);
        }
    }

    private void add(String[] figures, Peer peer, Results results) {
        for (int i = 0; i < figures.length; i++) results.add(rows.get(i), peer, Double.parseDouble(figures[i]));
    }
}
