package org.trueasync.bench.probe;

import static org.trueasync.bench.Peer.FLOOR;
import static org.trueasync.bench.Peer.KOTLIN;
import static org.trueasync.bench.Peer.OURS;
import static org.trueasync.bench.Peer.OURS_BY_DELAY;
import static org.trueasync.bench.Peer.VIRTUAL_THREADS;
import static org.trueasync.bench.report.Row.cost;
import static org.trueasync.bench.report.Target.atMost;

import java.io.File;
import java.util.List;
import org.trueasync.bench.ChildJvm;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Measurement;
import org.trueasync.bench.Pace;
import org.trueasync.bench.Peer;
import org.trueasync.bench.Suite;
import org.trueasync.bench.report.Results;
import org.trueasync.bench.report.Row;

/** Sleepers, all of whose deadlines lie within one second. */
public final class TimerSuite implements Suite {

    private static final int WARM_UP = 200_000;

    private final File log;
    private final String name;
    private final int count;
    private final boolean inJdkCode;
    private final Row wall;
    private final Row cpu;
    private final List<Peer> peers;

    private TimerSuite(File log, String name, int count, boolean inJdkCode, Row wall, Row cpu, List<Peer> peers) {
        this.log = log;
        this.name = name;
        this.count = count;
        this.inJdkCode = inJdkCode;
        this.wall = wall;
        this.cpu = cpu;
        this.peers = peers;
    }

    /** A million sleepers; each peer sleeps in its own way. */
    public static TimerSuite timers(File log) {
        return new TimerSuite(
                log,
                "timers",
                1_000_000,
                false,
                cost("1,000,000 timers within a second", "ms", atMost(0.6, VIRTUAL_THREADS, KOTLIN)),
                cost("1,000,000 timers, cpu for each", "ns"),
                List.of(OURS, FLOOR, VIRTUAL_THREADS, KOTLIN));
    }

    /** Compares {@code Thread.sleep} in our coroutines with our {@code delay}, and with virtual threads. */
    public static TimerSuite sleep(File log) {
        return new TimerSuite(
                log,
                "sleep",
                100_000,
                true,
                cost("100,000 sleep within a second", "ms"),
                cost("100,000 sleep, cpu for each", "ns", atMost(0.6, VIRTUAL_THREADS), atMost(1.2, OURS_BY_DELAY)),
                List.of(OURS, OURS_BY_DELAY, VIRTUAL_THREADS));
    }

    @Override
    public String name() {
        return name;
    }

    @Override
    public List<Row> rows() {
        return List.of(wall, cpu);
    }

    @Override
    public List<Peer> peers() {
        return peers;
    }

    @Override
    public int rounds(Pace pace) {
        return pace.timerRounds();
    }

    @Override
    public List<Measurement> round(List<Peer> peers, Pace pace) {
        return peers.stream()
                .map(peer -> new Measurement(wall.title() + ", " + peer.title, results -> measure(peer, results)))
                .toList();
    }

    private TimerProbe.Kind kind(Peer peer) {
        return inJdkCode && peer != OURS_BY_DELAY ? TimerProbe.Kind.JDK : TimerProbe.Kind.OWN;
    }

    private void measure(Peer peer, Results results) {
        try (var probe =
                ChildJvm.start(log, JvmFlags.timers(peer), TimerProbe.class, peer, WARM_UP, count, kind(peer))) {
            String[] slept = probe.expect("SLEPT");
            results.add(wall, peer, Double.parseDouble(slept[0]));
            results.add(cpu, peer, Double.parseDouble(slept[1]));
        }
    }
}
