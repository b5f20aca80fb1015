package org.trueasync.bench.probe;

import static org.trueasync.bench.Peer.FLOOR;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Row.cost;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Peer;
import org.trueasync.bench.RunningPeer;
import org.trueasync.bench.TurnsSuite;
import org.trueasync.bench.report.Row;

/**
 * What a read or a write of a block costs, in a file that is in the system's cache, compared with a call that blocks
 * the thread. The file is in the folder of the log; the cost of a write depends on its file system.
 */
public final class FileSuite extends TurnsSuite {

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

    private final File folder;
    private final File log;

    /**
     * Compares with a {@code FileChannel} on a plain thread and on a virtual one.
     *
     * @param log the files are made in its folder
     */
    public FileSuite(File log) {
        super("file", ROWS, List.of(OURS, FLOOR, VIRTUAL_THREADS));
        this.folder = log.getAbsoluteFile().getParentFile();
        this.log = log;
    }

    @Override
    protected RunningPeer start(Peer peer) throws IOException {
        Path file = Files.createTempFile(folder.toPath(), "file-probe", ".data");
        return RunningPeer.of(
                ChildJvm.start(log, JvmFlags.files(peer), FileProbe.class, peer, file, MILLIS),
                "FILE",
                file.toFile()::delete);
    }
}
