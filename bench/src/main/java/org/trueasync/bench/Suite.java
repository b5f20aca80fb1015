package org.trueasync.bench;

import java.io.IOException;
import java.nio.file.Path;
import java.util.List;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/** A workload, its rows in the table, and the peers that do it. */
public interface Suite {

    /** Returns its name, for {@code --only}. */
    String name();

    List<Row> rows();

    List<Peer> peers();

    int rounds(Pace pace);

    /** Returns the measurements of one round; those to be compared follow each other. */
    List<Measurement> round(List<Peer> peers, Pace pace);

    /** Draws what a table does not show well into files of {@code folder}, where the table is. */
    default void draw(Results results, Path folder) throws IOException {}
}
