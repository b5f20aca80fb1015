package org.trueasync.bench;

import java.util.List;
import org.trueasync.bench.report.Row;

/** A workload with its rows and with all who take part in it. */
public interface Suite {

    /** What {@code --only} calls it. */
    String name();

    List<Row> rows();

    List<Peer> peers();

    int rounds(Pace pace);

    /** Every measurement of one round, those to be compared next to each other in time. */
    List<Measurement> round(List<Peer> peers, Pace pace);
}
