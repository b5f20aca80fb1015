package org.trueasync.bench.jmh;

import java.io.File;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.stream.Stream;
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/** A suite of JMH benchmarks. A round is one fork for each case and peer. */
record JmhSuite(String name, List<Peer> peers, List<JmhCase> cases, File log) implements Suite {

    /** Suites that use more than one thread. */
    private static final Set<String> MORE_CPUS = Set.of("threads", "cores", "metrics", "scrape");

    @Override
    public List<Row> rows() {
        return cases.stream()
                .flatMap(jmhCase -> Stream.concat(Stream.of(jmhCase.time()), jmhCase.bytes().stream()))
                .toList();
    }

    @Override
    public int rounds(Pace pace) {
        return pace.jmhRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        var measurements = new ArrayList<Measurement>();
        // as its neighbour in time is on the same code, what is left to tell them apart is the cpu
        boolean pinned = peers.contains(Peer.OURS_BEFORE) && !MORE_CPUS.contains(name);
        for (JmhCase jmhCase : cases) {
            for (Peer peer : peers) {
                measurements.add(new Measurement(
                        jmhCase.time().title() + ", " + peer.title,
                        results -> measure(jmhCase, peer, pinned, results)));
            }
        }
        return measurements;
    }

    private void measure(JmhCase jmhCase, Peer peer, boolean pinned, Results results) throws Exception {
        JmhFork.Figures figures = JmhFork.run(jmhCase, peer, pinned, log);
        results.add(jmhCase.time(), peer, figures.nanos());
        jmhCase.bytes().ifPresent(row -> results.add(row, peer, figures.bytes()));
    }
}
