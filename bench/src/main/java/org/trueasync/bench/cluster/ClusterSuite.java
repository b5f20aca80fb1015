package org.trueasync.bench.cluster;

import static org.trueasync.bench.Peer.ENGINE;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.io.IOException;
import java.net.ServerSocket;
import java.util.List;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
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
        return pace.timerRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        int passes = pace == Pace.QUICK ? 10 : 40;
        return peers.stream()
                .map(peer -> new Measurement("cluster, " + peer.title, results -> measure(peer, passes, results)))
                .toList();
    }

    private void measure(Peer peer, int passes, Results results) throws IOException {
        int port = freePort();
        List<String> flags = JvmFlags.database(peer);
        try (var probe = ChildJvm.start(log, flags, ClusterProbe.class, peer, port, passes)) {
            probe.expect("JOINED");
            try (var partner = ChildJvm.start(log, flags, Partner.class, peer, port)) {
                partner.expect("PARTNER");
                String[] figures = probe.expect("CLUSTER");
                List<Row> rows = rows();
                for (int i = 0; i < figures.length; i++) results.add(rows.get(i), peer, Double.parseDouble(figures[i]));
            }
        }
    }

    private static int freePort() throws IOException {
        try (var socket = new ServerSocket(0)) {
            return socket.getLocalPort();
        }
    }
}
