package org.trueasync.bench.load;

import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Row.rate;

import java.io.File;
import java.io.IOException;
import java.time.Duration;
import java.util.EnumMap;
import java.util.List;
import java.util.function.Function;
import java.util.stream.Stream;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;
import org.trueasync.bench.report.Target;

/**
 * Measures the cpu time of servers for each message, and messages per second, with few and many connections; for some
 * loads also memory, and what a server adds to the delays that it is asked for.
 *
 * <p>Cpu per message is the figure to trust: messages per second also depend on the client, and on what else the
 * machine does.
 */
public final class ServerSuite implements Suite {
    private final File log;
    private final String name;
    private final List<Load> loads;

    /** The loads are measured in this order, each by all its peers. */
    public ServerSuite(File log, String name, List<Load> loads) {
        this.log = log;
        this.name = name;
        this.loads = loads;
    }

    /**
     * A program that serves, in a process of its own.
     *
     * @param main started with a peer, a port and a kind; prints {@code LISTENING} and serves until it is ended
     * @param message the name of a message
     * @param messages the name of several messages
     * @param warmUp how long a fresh server warms up
     */
    public record Program(Class<?> main, String message, String messages, Function<Pace, Duration> warmUp) {}

    /**
     * One kind of server with a number of connections.
     *
     * @param interval in which each connection sends a message; zero: as soon as it has the answer to the last one
     * @param joined how many windows are one
     * @param rows what is measured in each window
     * @param heap a row for the heap that an idle connection needs; none or one
     */
    public record Load(
            Program program,
            Enum<?> kind,
            Protocol protocol,
            int connections,
            Duration interval,
            int joined,
            List<Peer> peers,
            List<WindowRow> rows,
            List<Row> heap) {

        /**
         * Returns a load that measures the cpu time for each message, and messages per second.
         *
         * @param title the beginning of the titles of all rows
         * @param targets for the cpu time
         */
        public static Load of(
                Program program,
                String title,
                Enum<?> kind,
                Protocol protocol,
                int connections,
                List<Peer> peers,
                Target... targets) {
            String prefix = prefix(title, connections);
            return new Load(
                    program,
                    kind,
                    protocol,
                    connections,
                    Duration.ZERO,
                    1,
                    peers,
                    List.of(
                            new WindowRow(
                                    cost(prefix + ", server cpu per " + program.message, "us", targets),
                                    LoadedServer.Figures::cpuMicros),
                            new WindowRow(
                                    rate(prefix + ", " + program.messages + " per second", "1/s"),
                                    LoadedServer.Figures::perSecond)),
                    List.of());
        }

        /** Adds the bytes that the server allocates for each message. */
        public Load withAllocated(String title, Target... targets) {
            Row row = cost(prefix(title, connections) + ", allocated per " + program.message, "B", targets);
            return with(interval, joined, List.of(new WindowRow(row, LoadedServer.Figures::allocated)), heap);
        }

        /**
         * Adds what the server misses of the messages that the delays, or the interval, allow; and by how much it
         * exceeds the delays. Its windows take several times as long as others.
         *
         * @param percent the target for what is missed
         * @param addedMillis the target for 99 % of the messages
         */
        public Load withDelays(String title, Duration every, Target percent, Target addedMillis) {
            double millisEach = every.isZero() ? Protocol.MEAN_DELAY_MILLIS : every.toMillis();
            double mostPerSecond = connections / millisEach * 1e3;
            String prefix = prefix(title, connections);
            var missed = new WindowRow(
                    cost(prefix + ", missed of what the delays allow", "%", percent),
                    figures -> 100 * (1 - figures.perSecond() / mostPerSecond));
            var added = new WindowRow(
                    cost(prefix + ", added to the delays, p99", "ms", addedMillis), LoadedServer.Figures::addedMillis);
            return with(every, 5, List.of(missed, added), heap);
        }

        /** Adds the heap that an idle connection needs. */
        public Load withHeap(String title, Target... targets) {
            Row row = cost(prefix(title, connections) + ", heap per idle connection", "B", targets);
            return with(interval, joined, List.of(), List.of(row));
        }

        private Load with(Duration every, int joinedWindows, List<WindowRow> more, List<Row> ofHeap) {
            List<WindowRow> all = Stream.concat(rows.stream(), more.stream()).toList();
            return new Load(program, kind, protocol, connections, every, joinedWindows, peers, all, ofHeap);
        }

        private static String prefix(String title, int connections) {
            return title + (connections == 1 ? ", 1 connection" : ", %,d connections".formatted(connections));
        }
    }

    /** A row, and its figure among those of a window. */
    public record WindowRow(Row row, Function<LoadedServer.Figures, Double> figure) {}

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Row> rows() {
        return loads.stream()
                .flatMap(load -> Stream.concat(load.rows().stream().map(WindowRow::row), load.heap().stream()))
                .toList();
    }

    @Override
    public List<Peer> peers() {
        return loads.stream().flatMap(load -> load.peers().stream()).distinct().toList();
    }

    @Override
    public int rounds(Pace pace) {
        return pace.serverRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> chosen, Pace pace) {
        return loads.stream()
                .map(load -> new Measurement(
                        load.rows().getFirst().row().title(),
                        results -> measure(load, among(load.peers(), chosen), pace, results)))
                .toList();
    }

    private static List<Peer> among(List<Peer> all, List<Peer> chosen) {
        return chosen.stream().filter(peer -> all.contains(peer.code())).toList();
    }

    /**
     * Measures the peers' servers, which live side by side and take turns, so that a slow phase of the machine meets
     * all of them.
     */
    private void measure(Load load, List<Peer> peers, Pace pace, Results results)
            throws IOException, InterruptedException {
        var servers = new EnumMap<Peer, LoadedServer>(Peer.class);
        try {
            for (Peer peer : peers) servers.put(peer, start(load, peer, pace));
            for (int i = 0; i < pace.serverWindows() / load.joined(); i++) {
                for (Peer peer : peers) {
                    LoadedServer.Figures figures = servers.get(peer).measure();
                    load.rows()
                            .forEach(row ->
                                    results.add(row.row(), peer, row.figure().apply(figures)));
                }
            }
            for (Row row : load.heap()) {
                servers.forEach(
                        (peer, server) -> results.add(row, peer, (double) server.heapGrowth() / load.connections()));
            }
        } finally {
            servers.values().forEach(LoadedServer::close);
        }
    }

    private LoadedServer start(Load load, Peer peer, Pace pace) throws IOException, InterruptedException {
        return LoadedServer.start(
                log,
                port -> ChildJvm.start(
                        log, JvmFlags.server(peer), load.program().main(), peer, port, load.kind()),
                load,
                pace);
    }
}
