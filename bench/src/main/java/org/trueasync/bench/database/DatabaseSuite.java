package org.trueasync.bench.database;

import static org.trueasync.bench.Peer.HIKARI;
import static org.trueasync.bench.Peer.OURS;
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

/** Many who ask PostgreSQL through a few connections; a fresh server for each of the peers. */
public record DatabaseSuite(File log) implements Suite {

    private static final String TITLE =
            "jdbc: select 1, %,d over %d connections".formatted(DatabaseProbe.USERS, DatabaseProbe.CONNECTIONS);
    private static final Row WALL = cost(TITLE, "us", atMost(1.0, HIKARI));
    private static final Row CPU = cost(TITLE + ", cpu per query", "us");

    @Override
    public String name() {
        return "jdbc";
    }

    @Override
    public List<Row> rows() {
        return List.of(WALL, CPU);
    }

    @Override
    public List<Peer> peers() {
        return List.of(OURS, HIKARI);
    }

    @Override
    public int rounds(Pace pace) {
        return pace.timerRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        return peers.stream()
                .map(peer -> new Measurement("database, " + peer.title, results -> measure(peer, results)))
                .toList();
    }

    private void measure(Peer peer, Results results) {
        DatabaseServer.during(
                url -> {
                    try (var probe = ChildJvm.start(log, JvmFlags.database(peer), DatabaseProbe.class, peer, url)) {
                        String[] figures = probe.expect("JDBC");
                        results.add(WALL, peer, Double.parseDouble(figures[0]));
                        results.add(CPU, peer, Double.parseDouble(figures[1]));
                    }
                },
                log);
    }
}
