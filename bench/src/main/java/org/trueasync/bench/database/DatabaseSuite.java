package org.trueasync.bench.database;

import static org.trueasync.bench.Peer.HIKARI;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.OURS_NOT_RESET;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.util.List;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Peer;
import org.trueasync.bench.RunningPeer;
import org.trueasync.bench.TurnsSuite;
import org.trueasync.bench.report.Row;

/** Many users query PostgreSQL over a few connections. Each peer has a server of its own. */
public final class DatabaseSuite extends TurnsSuite {

    private static final String TITLE =
            "jdbc: select 1, %,d over %d connections".formatted(DatabaseProbe.USERS, DatabaseProbe.CONNECTIONS);
    private static final Row WALL = cost(TITLE, "us", atMost(0.8, HIKARI));
    private static final Row CPU = cost(TITLE + ", cpu per query", "us", atMost(0.6, HIKARI));

    private final File log;

    /** Compares with HikariCP on virtual threads, which leaves sessions as they are. */
    public DatabaseSuite(File log) {
        super("jdbc", List.of(WALL, CPU), List.of(OURS, OURS_NOT_RESET, HIKARI));
        this.log = log;
    }

    @Override
    protected RunningPeer start(Peer peer) {
        DatabaseServer server = DatabaseServer.start(log);
        return RunningPeer.of(
                ChildJvm.start(log, JvmFlags.database(peer), DatabaseProbe.class, peer, server.url()),
                "JDBC",
                server::close);
    }
}
