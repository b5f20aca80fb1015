package org.trueasync.bench.jmh;

import static org.trueasync.bench.Peer.COMMONS_POOL;
import static org.trueasync.bench.Peer.COMPLETABLE_FUTURE;
import static org.trueasync.bench.Peer.FLOOR;
import static org.trueasync.bench.Peer.HIKARI;
import static org.trueasync.bench.Peer.JOX;
import static org.trueasync.bench.Peer.KOTLIN;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.OURS_UNMETERED;
import static org.trueasync.bench.Peer.OURS_UNSCRAPED;
import static org.trueasync.bench.Peer.PLATFORM_THREADS;
import static org.trueasync.bench.Peer.STORMPOT;
import static org.trueasync.bench.Peer.VIBUR;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.util.List;
import java.util.Map;
import java.util.Optional;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Row;
import org.trueasync.bench.report.Target;

/** The suites that JMH measures, with their targets. */
public final class JmhSuites {

    private static final List<Peer> COROUTINES = List.of(OURS, FLOOR, VIRTUAL_THREADS, KOTLIN);

    /*
     * The start of a runtime and its coroutines is part of every million switches, and adds a fraction of a byte to
     * each; an allocation in each cycle would add at least 16 bytes.
     */
    private static final Target NOTHING = new Target.Absolute(0.5, "0 (below 0.5: start-up alone)");

    private JmhSuites() {}

    public static Suite switching(File log) {
        return new JmhSuite("switch", COROUTINES, List.of(switching(2), switching(1_000)), log);
    }

    private static JmhCase switching(int coroutines) {
        String title = "switch, %,d coroutines".formatted(coroutines);
        return new JmhCase(
                SwitchBenchmark.class,
                "switches",
                Map.of("coroutines", String.valueOf(coroutines)),
                cost(title, "ns", atMost(1.10, FLOOR), atMost(0.90, VIRTUAL_THREADS)),
                // to make a thousand coroutines takes some bytes per switch, so only two show the cycle alone
                coroutines == 2 ? Optional.of(cost(title + ", allocated", "B", NOTHING)) : Optional.empty());
    }

    public static Suite spawn(File log) {
        Row time = cost(
                "spawn and await 100,000",
                "ns",
                atMost(1.3, FLOOR),
                atMost(0.5, KOTLIN),
                atMost(0.35, VIRTUAL_THREADS));
        Row bytes = cost("spawn and await 100,000, allocated", "B");
        return spawn("spawn", "spawnAll", time, bytes, log);
    }

    public static Suite spawnOneByOne(File log) {
        Row time = cost("spawn one, await it", "ns", atMost(1.0, KOTLIN));
        Row bytes = cost("spawn one, await it, allocated", "B");
        return spawn("one-by-one", "spawnOneByOne", time, bytes, log);
    }

    private static Suite spawn(String name, String method, Row time, Row bytes, File log) {
        var jmhCase = new JmhCase(SpawnBenchmark.class, method, Map.of(), time, Optional.of(bytes));
        return new JmhSuite(name, COROUTINES, List.of(jmhCase), log);
    }

    public static Suite channel(File log) {
        JmhCase rendezvous = channel("rendezvous", "channel, rendezvous", atMost(1.3, FLOOR));
        JmhCase pingPong = channel("pingPong", "channel, ping-pong", atMost(1.3, FLOOR));
        JmhCase buffered = channel("buffered", "channel, 64 buffered", atMost(0.5, KOTLIN));
        return new JmhSuite(
                "channel",
                List.of(OURS, FLOOR, VIRTUAL_THREADS, KOTLIN, JOX),
                List.of(rendezvous, pingPong, buffered),
                log);
    }

    private static JmhCase channel(String method, String title, Target target) {
        Row time = cost(title, "ns", target);
        Row bytes = cost(title + ", allocated", "B");
        return new JmhCase(ChannelBenchmark.class, method, Map.of(), time, Optional.of(bytes));
    }

    public static Suite pool(File log) {
        Row alone = cost(
                "pool, take and give back",
                "ns",
                atMost(0.5, HIKARI, COMMONS_POOL, STORMPOT, VIBUR),
                atMost(0.12, HIKARI));
        Row crowd = cost(
                "pool of 10, 1,000 coroutines",
                "ns",
                atMost(1.25, FLOOR),
                atMost(0.4, HIKARI, COMMONS_POOL, STORMPOT, VIBUR));
        return new JmhSuite(
                "pool",
                List.of(OURS, FLOOR, HIKARI, COMMONS_POOL, STORMPOT, VIBUR),
                List.of(pool("uncontended", alone), pool("contended", crowd)),
                log);
    }

    private static JmhCase pool(String method, Row time) {
        Row bytes = cost(time.title() + ", allocated", "B");
        return new JmhCase(PoolBenchmark.class, method, Map.of(), time, Optional.of(bytes));
    }

    public static Suite awaitDone(File log) {
        Row time = cost("await something done", "ns", atMost(3, FLOOR));
        var jmhCase = new JmhCase(AwaitDoneBenchmark.class, "awaitDone", Map.of(), time, Optional.empty());
        return new JmhSuite("await-done", List.of(OURS, FLOOR, KOTLIN, COMPLETABLE_FUTURE), List.of(jmhCase), log);
    }

    public static Suite lookUp(File log) {
        return new JmhSuite("context", List.of(OURS, VIRTUAL_THREADS), List.of(lookUp(0), lookUp(8)), log);
    }

    private static JmhCase lookUp(int levels) {
        return new JmhCase(
                LookUpBenchmark.class,
                "lookUp",
                Map.of("levels", String.valueOf(levels)),
                cost("context look-up, %d levels up".formatted(levels), "ns"),
                Optional.empty());
    }

    public static Suite awaitAll(File log) {
        return new JmhSuite(
                "await-all",
                List.of(OURS, KOTLIN, COMPLETABLE_FUTURE),
                List.of(awaitMany("awaitAll", "await 1,000 together", 1_000)),
                log);
    }

    public static Suite sharedToken(File log) {
        return new JmhSuite(
                "shared-token",
                List.of(OURS, KOTLIN),
                List.of(sharedToken(100), sharedToken(1_000), sharedToken(10_000)),
                log);
    }

    private static JmhCase sharedToken(int waiters) {
        return awaitMany("sharedToken", "await with one token, %,d waiters".formatted(waiters), waiters);
    }

    public static Suite group(File log) {
        return new JmhSuite(
                "group",
                List.of(OURS, KOTLIN, VIRTUAL_THREADS, COMPLETABLE_FUTURE),
                List.of(owned("group", "task group", 1_000), owned("group", "task group", 100_000)),
                log);
    }

    public static Suite scope(File log) {
        return new JmhSuite(
                "scope",
                List.of(OURS, KOTLIN, VIRTUAL_THREADS),
                List.of(
                        owned("scope", "scope", 1_000),
                        owned("scope", "scope", 100_000),
                        owned("scope", "scope", 1_000_000)),
                log);
    }

    private static JmhCase owned(String method, String owner, int count) {
        return new JmhCase(
                OwnedBenchmark.class,
                method,
                Map.of("count", String.valueOf(count)),
                cost("%s of %,d, each".formatted(owner, count), "ns", atMost(1.0, KOTLIN)),
                Optional.empty());
    }

    private static JmhCase awaitMany(String method, String title, int count) {
        return new JmhCase(
                AwaitManyBenchmark.class,
                method,
                Map.of("count", String.valueOf(count)),
                cost(title, "ns", atMost(1.0, KOTLIN)),
                Optional.empty());
    }

    /** No targets: our worker gives each task a coroutine in a scope of its own, which the JDK's does not. */
    public static Suite threads(File log) {
        return new JmhSuite(
                "threads",
                List.of(OURS, PLATFORM_THREADS),
                List.of(
                        threads("submitThousand", "submit 1,000 to two workers, await them"),
                        threads("submitOne", "submit one, await it"),
                        threads("exchange", "a value to another thread, capacity 64")),
                log);
    }

    public static Suite cores(File log) {
        Row time = cost("a task for another core, there and back", "ns", atMost(2.0, FLOOR));
        return new JmhSuite(
                "cores",
                List.of(OURS, FLOOR),
                List.of(new JmhCase(HandOverBenchmark.class, "thereAndBack", Map.of(), time, Optional.empty())),
                log);
    }

    /** The program does the same work in all of them; the target leaves room for what the machine adds. */
    public static Suite metrics(File log) {
        return new JmhSuite(
                "metrics",
                List.of(OURS, OURS_UNSCRAPED, OURS_UNMETERED),
                List.of(
                        metrics("switches", "switch, with meters", atMost(1.05, OURS_UNMETERED)),
                        metrics("spawnOneByOne", "spawn one, await it, with meters", atMost(1.05, OURS_UNMETERED))),
                log);
    }

    private static JmhCase metrics(String method, String title, Target target) {
        return new JmhCase(MetricsBenchmark.class, method, Map.of(), cost(title, "ns", target), Optional.empty());
    }

    /** The targets are for a machine with nothing else to do. */
    public static Suite simulation(File log) {
        return new JmhSuite(
                "simulation",
                List.of(OURS),
                List.of(
                        simulation("switches", "simulation, switch", atMost(5_000, "ns")),
                        simulation("messages", "simulation, message to another host", atMost(10_000, "ns")),
                        simulation("idleHour", "simulation, an idle hour of three hosts", atMost(1e9, "ns")),
                        simulation("seeds", "simulation, a seed with ten requests")),
                log);
    }

    private static JmhCase simulation(String method, String title, Target... targets) {
        return new JmhCase(SimulationBenchmark.class, method, Map.of(), cost(title, "ns", targets), Optional.empty());
    }

    public static Suite scrape(File log) {
        Row time = cost("a scrape of one runtime", "ns");
        Row bytes = cost("a scrape of one runtime, allocated", "B");
        return new JmhSuite(
                "scrape",
                List.of(OURS, VIRTUAL_THREADS, PLATFORM_THREADS),
                List.of(new JmhCase(ScrapeBenchmark.class, "scrapes", Map.of(), time, Optional.of(bytes))),
                log);
    }

    private static JmhCase threads(String method, String title) {
        return new JmhCase(ThreadsBenchmark.class, method, Map.of(), cost(title, "ns"), Optional.empty());
    }
}
