package org.trueasync.bench.jmh;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.stream.Stream;
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/** A suite of JMH benchmarks; one fork of each peer is a round. */
record JmhSuite(String name, List<Peer> peers, List<JmhCase> cases, File log) implements Suite {

    @Override
    public List<Row> rows() {
        return cases.stream()
                .flatMap(one -> Stream.concat(Stream.of(one.time()), one.bytes().stream()))
                .toList();
    }

    @Override
    public int rounds(Pace pace) {
        return pace.jmhRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        var measurements = new ArrayList<Measurement>();
        for (JmhCase one : cases) {
            for (Peer peer : peers) {
                measurements.add(new Measurement(
                        one.time().title() + ", " + peer.title, results -> measure(one, peer, results)));
            }
        }
        return measurements;
    }

    private void measure(JmhCase one, Peer peer, Results results) throws Exception {
        JmhFork.Figures figures = JmhFork.run(one, peer, log);
        results.add(one.time(), peer, figures.nanos());
        one.bytes().ifPresent(row -> results.add(row, peer, figures.bytes()));
    }
}
