package org.trueasync.bench;

import java.io.File;
import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Set;
import java.util.stream.Collectors;
import org.trueasync.bench.cluster.ClusterSuite;
import org.trueasync.bench.database.DatabaseSuite;
import org.trueasync.bench.echo.EchoSuites;
import org.trueasync.bench.growth.GrowthSuite;
import org.trueasync.bench.http.HttpSuites;
import org.trueasync.bench.jmh.JmhSuites;
import org.trueasync.bench.probe.FileSuite;
import org.trueasync.bench.probe.MemorySuite;
import org.trueasync.bench.probe.TimerSuite;
import org.trueasync.bench.probe.UdpSuite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;
import org.trueasync.bench.report.Table;
import org.trueasync.bench.report.Target;

/** The program behind {@code bin/bench}: measures every suite in rounds, then prints one table. */
public final class Bench {

    private final Options options;
    private final Progress progress = new Progress();
    private final Results results = new Results();
    private final Path file;
    private int failures;

    /** What has been measured so far. */
    private volatile String table = "";

    private Bench(Options options, Path file) {
        this.options = options;
        this.file = file;
    }

    public static void main(String[] arguments) throws IOException {
        Path folder = Path.of(System.getProperty("trueasync.bench.results", "."));
        Files.createDirectories(folder);
        File log = folder.resolve("bench.log").toFile();
        Files.deleteIfExists(log.toPath());
        List<Suite> suites = suites(log);
        Options options;
        try {
            options = Options.parse(arguments, names(suites));
        } catch (IllegalArgumentException e) {
            System.err.println("bench: " + e.getMessage());
            System.exit(2);
            return;
        }
        List<Suite> wanted =
                suites.stream().filter(suite -> options.wants(suite.name())).toList();
        if (options.list()) {
            list(wanted);
            return;
        }
        var bench = new Bench(options, folder.resolve("table.md"));
        // so a run that is ended early shows what it has
        var last = new Thread(() -> System.out.print(bench.table));
        Runtime.getRuntime().addShutdownHook(last);
        bench.run(wanted);
        Runtime.getRuntime().removeShutdownHook(last);
        System.out.print(bench.table);
        System.out.println(legend());
        if (bench.failures > 0) {
            System.err.println("bench: " + bench.failures + " measurements failed; see " + log);
            System.exit(1);
        }
    }

    /** Runs the suites. When this process ends, JMH's forks and all children end too. */
    private void run(List<Suite> suites) throws IOException {
        int mostRounds = suites.stream()
                .mapToInt(suite -> suite.rounds(options.pace()))
                .max()
                .orElse(0);
        for (int round = 1; round <= mostRounds; round++) {
            for (Suite suite : suites) {
                if (round <= suite.rounds(options.pace())) {
                    progress.enter(suite.name(), round, suite.rounds(options.pace()));
                    round(suite);
                    table = new Table(results).format();
                    Files.writeString(file, table);
                    suite.draw(results, file.getParent());
                }
            }
        }
        progress.end();
    }

    private void round(Suite suite) {
        for (Measurement measurement : suite.round(options.among(suite.peers()), options.pace())) {
            progress.step(measurement.name());
            try {
                measurement.run(results);
            } catch (Exception e) {
                failures++;
                progress.failed(e);
            }
        }
    }

    private static List<Suite> suites(File log) {
        return List.of(
                JmhSuites.switching(log),
                JmhSuites.spawn(log),
                JmhSuites.spawnOneByOne(log),
                JmhSuites.awaitDone(log),
                JmhSuites.lookUp(log),
                JmhSuites.awaitAll(log),
                JmhSuites.sharedToken(log),
                JmhSuites.threads(log),
                JmhSuites.cores(log),
                JmhSuites.group(log),
                JmhSuites.scope(log),
                new GrowthSuite(log),
                JmhSuites.channel(log),
                JmhSuites.pool(log),
                JmhSuites.metrics(log),
                JmhSuites.scrape(log),
                JmhSuites.simulation(log),
                new MemorySuite(log),
                TimerSuite.timers(log),
                TimerSuite.sleep(log),
                new FileSuite(log),
                new UdpSuite(log),
                EchoSuites.best(log),
                EchoSuites.jdkSockets(log),
                EchoSuites.cores(log),
                HttpSuites.servers(log),
                HttpSuites.async(log),
                HttpSuites.cores(log),
                HttpSuites.others(log),
                new DatabaseSuite(log),
                new ClusterSuite(log));
    }

    private static Set<String> names(List<Suite> suites) {
        return suites.stream().map(Suite::name).collect(Collectors.toCollection(LinkedHashSet::new));
    }

    private static void list(List<Suite> suites) {
        for (Suite suite : suites) {
            System.out.println(suite.name());
            for (Row row : suite.rows()) {
                String targets = row.targets().stream().map(Target::toString).collect(Collectors.joining("; "));
                System.out.println(
                        "    " + row.title() + ", " + row.unit() + (targets.isEmpty() ? "" : ": " + targets));
            }
        }
    }

    private static String legend() {
        return """

                Figure: median over the rounds, ± half the distance between the ends of the middle half of them (of servers: of all windows of all rounds).
                In brackets: ours divided by that peer in the same round (for rates the other way round); below 1 ours is better.""";
    }
}
