package org.trueasync.examples.service;

import static org.assertj.core.api.Assertions.assertThat;

import io.zonky.test.db.postgres.embedded.EmbeddedPostgres;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;

/**
 * The same application on the starter and on Boot's virtual threads, loaded by {@code wrk} in turns: prints the table
 * of the guide. No build runs it, as its name does not end with {@code Test}:
 *
 * <pre>mvn -B verify -pl examples/spring-service -am -Dtest=LoadTable -Dsurefire.failIfNoSpecifiedTests=false</pre>
 *
 * <p>{@code -Dload.rounds=5}, {@code -Dload.seconds=10} and {@code -Dload.warmup=60} change the figures below. Needs
 * {@code wrk} and {@code taskset}: each server has the first processor, all else the others.
 */
class LoadTable {
    private static final int ROUNDS = Integer.getInteger("load.rounds", 3);
    private static final int SECONDS = Integer.getInteger("load.seconds", 5);
    /** The compilers share the server's processor: they take up to 20 s until a query is quick. */
    private static final int WARM_UP_S = Integer.getInteger("load.warmup", 30);

    private static final List<Integer> CONNECTIONS = List.of(50, 500);

    /** One window: milliseconds, MiB. */
    private record Window(double perSecond, double cpuMillis, double p50, double p99, double rss, double heap) {}

    private record Row(String what, int connections, List<Window> starter, List<Window> virtual) {
        private static double median(List<Window> windows, ToDoubleFunction<Window> figure) {
            return windows.stream()
                    .mapToDouble(figure)
                    .sorted()
                    .skip(windows.size() / 2)
                    .findFirst()
                    .orElseThrow();
        }

        private String both(String format, ToDoubleFunction<Window> figure) {
            return String.format("%1$" + format + " : %2$" + format, median(starter, figure), median(virtual, figure));
        }

        @Override
        public String toString() {
            return String.format(
                    "| %s, %d | %s | %s | %s | %s | %s | %s |",
                    what,
                    connections,
                    both(".0f", Window::perSecond),
                    both(".3f", Window::cpuMillis),
                    both(".1f", Window::p50),
                    both(".1f", Window::p99),
                    both(".0f", Window::rss),
                    both(".0f", Window::heap));
        }
    }

    private final List<Row> rows = new ArrayList<>();

    @Test
    @Timeout(value = 1, unit = TimeUnit.HOURS)
    void print() throws Exception {
        pin(ProcessHandle.current().pid());
        try (EmbeddedPostgres database = EmbeddedPostgres.builder().start();
                var carrier = new Carrier(0, Duration.ofMillis(10));
                RunningService starter = start(database, carrier, false);
                RunningService withoutReset =
                        start(database, carrier, false, "--spring.datasource.trueasync.reset-after-use=false");
                RunningService virtual = start(database, carrier, true)) {
            load("`/json`", "/json", starter, virtual);
            load("`/query`", "/query", starter, virtual);
            // as long as the other two were loaded
            int loaded = WARM_UP_S + CONNECTIONS.size() * ROUNDS * SECONDS;
            for (String path : List.of("/json", "/query")) wrk(withoutReset, path, 50, loaded);
            load("`/query` without the reset", "/query", withoutReset, virtual);
            load("`/downstream`", "/downstream", starter, virtual);
        }
        System.out.println(
                "\n| starter : virtual threads | requests/s | CPU ms each | p50 ms | p99 ms | RSS MiB | heap MiB |"
                        + "\n|---|---|---|---|---|---|---|");
        rows.forEach(System.out::println);
    }

    private void load(String what, String path, RunningService starter, RunningService virtual) throws Exception {
        for (RunningService service : List.of(starter, virtual)) wrk(service, path, 50, WARM_UP_S);
        for (int connections : CONNECTIONS) {
            var row = new Row(what, connections, new ArrayList<>(), new ArrayList<>());
            for (int round = 0; round < ROUNDS; round++) {
                // who was first is second in the next round
                if (round % 2 == 0) row.starter.add(window(starter, path, connections));
                row.virtual.add(window(virtual, path, connections));
                if (round % 2 == 1) row.starter.add(window(starter, path, connections));
            }
            rows.add(row);
            System.out.println(row);
        }
    }

    /** This process and what it starts, the servers excepted, leaves the first processor alone. */
    private static void pin(long pid) throws Exception {
        int last = Runtime.getRuntime().availableProcessors() - 1;
        output("taskset", "-a", "-p", "-c", last == 0 ? "0" : "1-" + last, Long.toString(pid));
    }

    private static RunningService start(EmbeddedPostgres database, Carrier carrier, boolean virtual, String... more)
            throws Exception {
        List<String> arguments = new ArrayList<>(List.of(more));
        arguments.add("--spring.datasource.url=" + database.getJdbcUrl("postgres", "postgres"));
        arguments.add("--spring.datasource.username=postgres");
        arguments.add("--spring.datasource.trueasync.max=10");
        arguments.add("--spring.datasource.hikari.maximum-pool-size=10");
        arguments.add("--carrier.url=http://localhost:" + carrier.port());
        return RunningService.loaded(
                List.of("-Xmx512m", "-Dload.table=true", "-Dspring.threads.virtual.enabled=" + virtual),
                Loaded.class,
                arguments.toArray(String[]::new));
    }

    private static Window window(RunningService service, String path, int connections) throws Exception {
        Duration before = service.cpu();
        String report = wrk(service, path, connections, SECONDS);
        double cpuMillis = service.cpu().minus(before).toNanos() / 1e6;
        double rss = service.rssBytes() / 1048576.0;
        double heap = Long.parseLong(service.send(service.request("/heap")).body()) / 1048576.0;
        double requests = number(report, "(\\d+) requests in");
        return new Window(
                number(report, "Requests/sec:\\s+(\\S+)"),
                cpuMillis / requests,
                millis(report, "50"),
                millis(report, "99"),
                rss,
                heap);
    }

    private static String wrk(RunningService service, String path, int connections, int seconds) throws Exception {
        String report = output(
                "wrk",
                "-t1",
                "-c" + connections,
                "-d" + seconds + "s",
                "--timeout",
                "20s",
                "--latency",
                "http://localhost:" + service.port() + path);
        assertThat(report).contains("Requests/sec").doesNotContain("Non-2xx", "Socket errors");
        return report;
    }

    private static String output(String... command) throws Exception {
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output;
        try (var reader = process.inputReader()) {
            output = reader.readAllAsString();
        }
        assertThat(process.waitFor()).as(output).isZero();
        return output;
    }

    private static double number(String report, String pattern) {
        Matcher found = Pattern.compile(pattern).matcher(report);
        assertThat(found.find()).as(report).isTrue();
        return Double.parseDouble(found.group(1));
    }

    private static double millis(String report, String percentile) {
        Matcher found =
                Pattern.compile(percentile + "%\\s+([\\d.]+)(us|ms|s)\\b").matcher(report);
        assertThat(found.find()).as(report).isTrue();
        double value = Double.parseDouble(found.group(1));
        return switch (found.group(2)) {
            case "us" -> value / 1000;
            case "ms" -> value;
            default -> value * 1000;
        };
    }
}
