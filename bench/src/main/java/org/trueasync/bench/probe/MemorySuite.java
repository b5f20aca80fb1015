package org.trueasync.bench.probe;

import static org.trueasync.bench.Peer.FLOOR;
import static org.trueasync.bench.Peer.KOTLIN;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/** Heap for each suspended coroutine, when a million of them are suspended. */
public record MemorySuite(File log) implements Suite {

    private static final int COUNT = 1_000_000;

    private static final Map<Integer, Row> ROW_OF_DEPTH = new TreeMap<>(Map.of(
            0, cost("heap per suspended coroutine", "B", atMost(1.0, VIRTUAL_THREADS)),
            20,
                    cost(
                            "heap per suspended coroutine, 20 frames deep",
                            "B",
                            atMost(1.0, VIRTUAL_THREADS),
                            atMost(0.8, KOTLIN))));

    @Override
    public String name() {
        return "memory";
    }

    @Override
    public List<Row> rows() {
        return List.copyOf(ROW_OF_DEPTH.values());
    }

    @Override
    public List<Peer> peers() {
        return List.of(OURS, FLOOR, VIRTUAL_THREADS, KOTLIN);
    }

    @Override
    public int rounds(Pace pace) {
        return pace.memoryRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        var measurements = new ArrayList<Measurement>();
        ROW_OF_DEPTH.forEach((depth, row) -> peers.forEach(peer -> measurements.add(
                new Measurement(row.title() + ", " + peer.title, results -> measure(peer, depth, row, results)))));
        return measurements;
    }

    private void measure(Peer peer, int depth, Row row, Results results) {
        try (var probe = ChildJvm.start(log, JvmFlags.memory(peer), MemoryProbe.class, peer, COUNT, depth)) {
            results.add(row, peer, Double.parseDouble(probe.expect("BYTES")[0]));
        }
    }
}
