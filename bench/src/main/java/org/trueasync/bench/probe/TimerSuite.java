package org.trueasync.bench.probe;

import static org.trueasync.bench.Peer.FLOOR;
import static org.trueasync.bench.Peer.KOTLIN;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.util.List;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/** A million sleepers, all of whose deadlines lie within one second. */
public record TimerSuite(File log) implements Suite {

    private static final int WARM_UP = 200_000;
    private static final int COUNT = 1_000_000;

    private static final Row WALL =
            cost("1,000,000 timers within a second", "ms", atMost(0.6, VIRTUAL_THREADS, KOTLIN));
    private static final Row CPU = cost("1,000,000 timers, cpu for each", "ns");

    @Override
    public String name() {
        return "timers";
    }

    @Override
    public List<Row> rows() {
        return List.of(WALL, CPU);
    }

    @Override
    public List<Peer> peers() {
        return List.of(OURS, FLOOR, VIRTUAL_THREADS, KOTLIN);
    }

    @Override
    public int rounds(Pace pace) {
        return pace.timerRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        return peers.stream()
                .map(peer -> new Measurement(WALL.title() + ", " + peer.title, results -> measure(peer, results)))
                .toList();
    }

    private void measure(Peer peer, Results results) {
        try (var probe = ChildJvm.start(log, JvmFlags.workload(peer), TimerProbe.class, peer, WARM_UP, COUNT)) {
            String[] slept = probe.expect("SLEPT");
            results.add(WALL, peer, Double.parseDouble(slept[0]));
            results.add(CPU, peer, Double.parseDouble(slept[1]));
        }
    }
}
