package org.trueasync.bench.report;

import java.util.EnumMap;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Set;
import org.trueasync.bench.Peer;

/** Every figure of a run, by row and peer. The rows are in the order of their first figures. */
public final class Results {

    private final Map<Row, Map<Peer, Series>> rows = new LinkedHashMap<>();

    public void add(Row row, Peer peer, double value) {
        rows.computeIfAbsent(row, first -> new EnumMap<>(Peer.class))
                .computeIfAbsent(peer, first -> new Series())
                .add(value);
    }

    public Set<Row> rows() {
        return rows.keySet();
    }

    /** Returns a peer's figures in a row; an empty series if it has none. */
    public Series of(Row row, Peer peer) {
        Series series = rows.getOrDefault(row, Map.of()).get(peer);
        return series == null ? new Series() : series;
    }
}
