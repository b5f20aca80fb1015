package org.trueasync.bench.cluster;

import static org.trueasync.bench.Peer.ENGINE;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.io.IOException;
import java.util.List;
import org.trueasync.bench.Peer;
import org.trueasync.bench.RunningPeer;
import org.trueasync.bench.TurnsSuite;
import org.trueasync.bench.report.Row;

/** Two members on one machine. Each peer has a cluster of its own. */
public final class ClusterSuite extends TurnsSuite {

    private static final Row SINGLE = cost("cluster: a task there and back", "us", atMost(1.15, ENGINE));
    private static final Row TOGETHER =
            cost("cluster: a task of %,d under way".formatted(ClusterProbe.TASKS), "us", atMost(1.15, ENGINE));
    private static final Row VALUE = cost("cluster: a value, one to one", "us", atMost(1.15, ENGINE));
    private static final Row VALUE_CPU = cost("cluster: a value, cpu of both", "us");
    private static final Row CROWD =
            cost("cluster: a value, %d to %d".formatted(Partner.CROWD, Partner.CROWD), "us", atMost(1.15, ENGINE));

    private final File log;

    /** Compares with the engine's own API. */
    public ClusterSuite(File log) {
        super("cluster", List.of(SINGLE, TOGETHER, VALUE, VALUE_CPU, CROWD), List.of(OURS, ENGINE));
        this.log = log;
    }

    @Override
    protected RunningPeer start(Peer peer) throws IOException {
        return MemberPair.start(log, peer);
    }
}
