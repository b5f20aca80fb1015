package org.trueasync.bench.cluster;

import static org.trueasync.bench.Peer.ENGINE;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.io.IOException;
import java.util.EnumMap;
import java.util.List;
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/** Two members on one machine; a fresh cluster for each of the peers. */
public record ClusterSuite(File log) implements Suite {

    private static final Row SINGLE = cost("cluster: a task there and back", "us", atMost(1.15, ENGINE));
    private static final Row TOGETHER =
            cost("cluster: a task of %,d under way".formatted(ClusterProbe.TASKS), "us", atMost(1.15, ENGINE));
    private static final Row VALUE = cost("cluster: a value, one to one", "us", atMost(1.15, ENGINE));
    private static final Row VALUE_CPU = cost("cluster: a value, cpu of both", "us");
    private static final Row CROWD =
            cost("cluster: a value, %d to %d".formatted(Partner.CROWD, Partner.CROWD), "us", atMost(1.15, ENGINE));

    @Override
    public String name() {
        return "cluster";
    }

    @Override
    public List<Row> rows() {
        return List.of(SINGLE, TOGETHER, VALUE, VALUE_CPU, CROWD);
    }

    @Override
    public List<Peer> peers() {
        return List.of(OURS, ENGINE);
    }

    @Override
    public int rounds(Pace pace) {
        return pace.clusterRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        return List.of(new Measurement("two members", results -> measure(peers, pace, results)));
    }

    /** The peers' pairs live side by side and take turns, so that a slow phase of the machine meets all of them. */
    private void measure(List<Peer> peers, Pace pace, Results results) throws IOException {
        var pairs = new EnumMap<Peer, MemberPair>(Peer.class);
        try {
            for (Peer peer : peers) pairs.put(peer, MemberPair.start(log, peer));
            for (int pass = -pace.clusterWarmUp(); pass < pace.clusterPasses(); pass++) {
                for (Peer peer : peers) {
                    String[] figures = pairs.get(peer).pass();
                    if (pass >= 0) add(figures, peer, results);
                }
            }
        } finally {
            pairs.values().forEach(MemberPair::close);
        }
    }

    private void add(String[] figures, Peer peer, Results results) {
        List<Row> rows = rows();
        for (int i = 0; i < figures.length; i++) results.add(rows.get(i), peer, Double.parseDouble(figures[i]));
    }
}
