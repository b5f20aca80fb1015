package org.trueasync.bench.probe;

import static org.trueasync.bench.Peer.FLOOR;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Row.cost;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/**
 * A file that is in memory, block by block: what a read or a write costs beside blocking the thread for it. The file is in the folder of the log: what a write costs depends on its file
 * system.
 */
public record FileSuite(File log) implements Suite {

    static final List<Integer> SIZES = List.of(4 << 10, 64 << 10, 1 << 20);

    private static final int MILLIS = 50;

    private static final List<Row> ROWS = rowsOfSizes();

    private static List<Row> rowsOfSizes() {
        var rows = new ArrayList<Row>();
        for (int size : SIZES) {
            String block = size < 1 << 20 ? (size >> 10) + " KiB" : (size >> 20) + " MiB";
            rows.add(cost("file: read " + block, "µs"));
            rows.add(cost("file: write " + block, "µs"));
        }
        return List.copyOf(rows);
    }

    @Override
    public String name() {
        return "file";
    }

    @Override
    public List<Row> rows() {
        return ROWS;
    }

    @Override
    public List<Peer> peers() {
        return List.of(OURS, FLOOR, VIRTUAL_THREADS);
    }

    @Override
    public int rounds(Pace pace) {
        return pace.timerRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        return peers.stream()
                .map(peer -> new Measurement("files, " + peer.title, results -> measure(peer, results)))
                .toList();
    }

    private void measure(Peer peer, Results results) {
        File folder = log.getAbsoluteFile().getParentFile();
        try (var probe = ChildJvm.start(log, JvmFlags.files(peer), FileProbe.class, peer, folder, MILLIS)) {
            String[] figures = probe.expect("FILE");
            for (int i = 0; i < ROWS.size(); i++) results.add(ROWS.get(i), peer, Double.parseDouble(figures[i]));
        }
    }
}
