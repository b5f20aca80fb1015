package org.trueasync.bench.growth;

import static org.trueasync.bench.report.Row.cost;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
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
import org.trueasync.bench.report.GrowthPlot;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;
import org.trueasync.bench.report.Target;

/** What an element costs, made, used and released, when there are few and when there are many. */
public final class GrowthSuite implements Suite {
    private static final int PASSES = 2;

    /**
     * A thousand fit into the processor's caches and are young when the collector comes; a million are not. A list that
     * is searched would cost a thousand times as much.
     */
    private static final double FLAT = 4;

    private final File log;

    /** The rows of a kind by number. */
    private final Map<Kind, Map<Integer, Row>> rows = new TreeMap<>();

    public GrowthSuite(File log) {
        this.log = log;
        for (Kind kind : Kind.values()) rows.put(kind, rowsOf(kind));
    }

    private static Map<Integer, Row> rowsOf(Kind kind) {
        var rows = new TreeMap<Integer, Row>();
        for (int number : kind.numbers()) {
            String title = "growth: %s, %,d".formatted(kind.title, number);
            Row few = rows.get(Kind.FEW);
            rows.put(
                    number,
                    few == null || !kind.isFlat() ? cost(title, "ns") : cost(title, "ns", Target.atMost(FLAT, few)));
        }
        return rows;
    }

    @Override
    public String name() {
        return "growth";
    }

    @Override
    public List<Row> rows() {
        return rows.values().stream().flatMap(rows -> rows.values().stream()).toList();
    }

    @Override
    public List<Peer> peers() {
        return List.of(Peer.OURS);
    }

    @Override
    public int rounds(Pace pace) {
        return 1;
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        var measurements = new ArrayList<Measurement>();
        for (Kind kind : Kind.values())
            for (Peer peer : peers)
                measurements.add(new Measurement(
                        "growth: " + kind.title + ", " + peer.title, results -> measure(kind, peer, results)));
        return measurements;
    }

    private void measure(Kind kind, Peer peer, Results results) {
        try (var probe = ChildJvm.start(log, JvmFlags.growth(peer), GrowthProbe.class, peer, kind, PASSES)) {
            for (int pass = 0; pass < PASSES; pass++) {
                String[] figures = probe.expect("GROWTH");
                int i = 0;
                for (Row row : rows.get(kind).values()) results.add(row, peer, Double.parseDouble(figures[i++]));
            }
        }
    }

    @Override
    public void draw(Results results, Path folder) throws IOException {
        var plot = new GrowthPlot();
        rows.forEach((kind, ofNumbers) -> {
            if (!results.of(ofNumbers.get(Kind.FEW), Peer.OURS).isEmpty()) {
                var line = new TreeMap<Integer, Double>();
                ofNumbers.forEach((number, row) ->
                        line.put(number, results.of(row, Peer.OURS).median()));
                plot.add(kind.title, line);
            }
        });
        Files.writeString(folder.resolve("growth.svg"), plot.format());
    }
}
