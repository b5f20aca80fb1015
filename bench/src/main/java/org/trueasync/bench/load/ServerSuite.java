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
 * Measures the cpu time of servers for each message, and messages per second, with few and many connections.
 *
 * <p>Cpu per message is the figure to trust: messages per second also depend on the client, and on what else the
 * machine does.
 */
public final class ServerSuite implements Suite {
    private final File log;
    private final String name;
    private final Program program;
    private final List<Load> loads;

    /** The loads are measured in this order, each by all its peers. */
    public ServerSuite(File log, String name, Program program, List<Load> loads) {
        this.log = log;
        this.name = name;
        this.program = program;
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
    public record Program(
            Class<?> main,
            LoadClient.Protocol protocol,
            String message,
            String messages,
            Function<Pace, Duration> warmUp) {}

    /** One kind of server with a number of connections: a row for its cpu time, and one for its rate. */
    public record Load(Enum<?> kind, int connections, List<Peer> peers, Row cpu, Row perSecond) {

        /**
         * Returns the load of {@code program} with a number of connections.
         *
         * @param title the beginning of the titles of both rows
         * @param targets for the cpu time
         */
        public static Load of(
                Program program, String title, Enum<?> kind, int connections, List<Peer> peers, Target... targets) {
            String prefix = title + (connections == 1 ? ", 1 connection" : ", %,d connections".formatted(connections));
            return new Load(
                    kind,
                    connections,
                    peers,
                    cost(prefix + ", server cpu per " + program.message(), "us", targets),
                    rate(prefix + ", " + program.messages() + " per second", "1/s"));
        }
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Row> rows() {
        return loads.stream()
                .flatMap(load -> Stream.of(load.cpu(), load.perSecond()))
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
                        load.cpu().title(), results -> measure(load, among(load.peers(), chosen), pace, results)))
                .toList();
    }

    private static List<Peer> among(List<Peer> all, List<Peer> chosen) {
        return all.stream().filter(chosen::contains).toList();
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
            for (int i = 0; i < pace.serverWindows(); i++) {
                for (Peer peer : peers) {
                    LoadedServer.Figures figures = servers.get(peer).measure();
                    results.add(load.cpu(), peer, figures.cpuMicros());
                    results.add(load.perSecond(), peer, figures.perSecond());
                }
            }
        } finally {
            servers.values().forEach(LoadedServer::close);
        }
    }

    private LoadedServer start(Load load, Peer peer, Pace pace) throws IOException, InterruptedException {
        return LoadedServer.start(
                log,
                port -> ChildJvm.start(log, JvmFlags.server(peer), program.main(), peer, port, load.kind()),
                program.protocol(),
                load.connections(),
                program.warmUp().apply(pace),
                pace.serverWindow());
    }
}
