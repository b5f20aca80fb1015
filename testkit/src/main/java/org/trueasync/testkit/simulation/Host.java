package org.trueasync.testkit.simulation;

import java.net.InetAddress;
import java.time.Duration;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;
import org.trueasync.Body;
import org.trueasync.internal.testkit.CoroutineList;
import org.trueasync.internal.testkit.HostClock;
import org.trueasync.internal.testkit.Overlap;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.internal.testkit.disk.VirtualDisk;
import org.trueasync.internal.testkit.jdk.JdkTime;

/**
 * A host of a simulation: a program that runs in a runtime of its own, under a name and an address. It begins with the
 * simulation.
 */
public final class Host {

    private final SimulatedRun run;
    private final String name;
    private final Body main;
    private final boolean client;
    private final VirtualDisk disk;
    private final HostClock clock;
    /** How many faults keep it without power. */
    private int powerFaults;
    /** What the program's own drift of the clocks is, in millionths. */
    private long drift;
    /** Until when it stands still. */
    private final Overlap<Long> rests = new Overlap<>(0L);

    private final Overlap<Double> diskErrors = new Overlap<>(0.0);
    /** Of the program that runs; null while none does. */
    private volatile @Nullable VirtualReactor reactor;

    private volatile @Nullable AsyncRuntime runtime;

    Host(SimulatedRun run, String name, Body main, boolean client) {
        this.run = run;
        this.name = name;
        this.main = main;
        this.client = client;
        this.disk = new VirtualDisk(run.randomOfHost());
        this.clock = new HostClock(run.world);
    }

    /** Its name, under which the other hosts find it. */
    public String name() {
        return name;
    }

    /** Its address, also while it is down. */
    public InetAddress address() {
        return run.world.network().addressOf(name);
    }

    /** True while its program runs. */
    public boolean isUp() {
        return reactor != null;
    }

    /** True if it is one of those whose end is the end of the run. */
    boolean isClient() {
        return client;
    }

    // ---- faults

    /**
     * Cuts its power: nothing of it runs any more, not even a {@code finally}; its peers are told nothing. Happens as
     * soon as the caller waits. Does nothing if it is down by then.
     */
    public void kill() {
        run.soon(this::killNow);
    }

    /**
     * Begins its program again, with what its disk had stored. Happens as soon as the caller waits. Does nothing if it
     * is up by then.
     */
    public void restart() {
        run.soon(this::begin);
    }

    /**
     * Keeps it from running for a while, as a machine that swaps, or a virtual machine that is moved. Its clock goes
     * on. Happens as soon as the caller waits.
     *
     * @param length above 0
     * @throws IllegalArgumentException if it is not
     */
    public void pause(Duration length) {
        long nanos = Faults.requirePositive(length, "length").toNanos();
        run.soon(() -> {
            long end = run.world.now() + nanos;
            rest(end, true);
            run.world.plan(nanos, () -> rest(end, false));
        });
    }

    /**
     * Changes its clocks. The wall clock ({@code Instant.now()} for instance) jumps, and from now on both clocks run
     * faster or slower than time does: {@code System.nanoTime()}, and with it all timers, and the wall clock. They go
     * on so over restarts. Happens as soon as the caller waits.
     *
     * @param jump forwards; negative for backwards, zero for none
     * @param rate 1 for clocks that are right, 1.01 for clocks that are fast by one in a hundred; from 0.1 to 10
     * @throws IllegalArgumentException if the rate is not in that range, or the jump is beyond 36,500 days
     */
    public void clock(Duration jump, double rate) {
        if (!(rate >= 0.1 && rate <= 10)) throw new IllegalArgumentException("rate must be 0.1 to 10, got " + rate);
        Objects.requireNonNull(jump, "jump");
        if (jump.compareTo(Faults.LONGEST) > 0 || jump.compareTo(Faults.LONGEST.negated()) < 0)
            throw new IllegalArgumentException("jump must be 36500 days or less, either way, got " + jump);
        long nanos = jump.toNanos();
        long millionths = Math.round((rate - 1) * 1_000_000);
        run.soon(() -> {
            run.note(name, "has clocks that jump by " + jump + ", and run at", rate);
            clock.jump(nanos);
            clock.drift(millionths - drift);
            drift = millionths;
        });
    }

    // ---- while no loop runs

    void begin() {
        if (reactor != null) return;
        run.note(name, "begins", "");
        var begun = new VirtualReactor(run.world, name, clock, run.randomOfHost(), this::runMain);
        begun.mount(disk);
        begun.restUntil(rests.worst());
        reactor = begun;
    }

    private void runMain() {
        VirtualReactor mine = Objects.requireNonNull(reactor);
        AsyncRuntime built = Async.runtime()
                .name(name)
                .reactor(() -> mine)
                .spawnSites(run.isRecorded())
                .deadlockReports(false)
                .diagnostics(report -> run.note(name, "reports", report))
                .build();
        runtime = built;
        Throwable failure = null;
        try {
            built.run(() -> {
                main.run();
                JdkTime.awaitThreads();
            });
        } catch (Throwable e) {
            failure = e;
        }
        if (mine.isCut()) return;
        reactor = null;
        runtime = null;
        run.ended(this, failure);
    }

    void killNow() {
        if (reactor == null) return;
        run.note(name, "is killed", "");
        end();
    }

    /** Ends it without a word. */
    void end() {
        VirtualReactor killed = reactor;
        if (killed == null) return;
        reactor = null;
        runtime = null;
        killed.cut();
        disk.crash(run.randomOfHost());
    }

    /** Ends a program that holds its loop. Any thread. */
    void stop() {
        AsyncRuntime here = runtime;
        if (here != null) here.shutdownNow(new AsyncCancellation("the simulation took too long"));
    }

    // ---- faults, which may overlap

    void power(boolean isOff) {
        powerFaults += isOff ? 1 : -1;
        if (isOff) killNow();
        else if (powerFaults == 0) begin();
    }

    void rest(long until, boolean begins) {
        boolean rested = rests.worst() > 0;
        rests.change(until, begins);
        VirtualReactor resting = reactor;
        if (resting == null) return;
        boolean rests = this.rests.worst() > 0;
        if (rested != rests) run.note(name, rests ? "stands still" : "goes on", "");
        resting.restUntil(this.rests.worst());
    }

    void diskErrors(double probability, boolean begins) {
        diskErrors.change(probability, begins);
        disk.faults().writeErrors = diskErrors.worst();
        disk.faults().syncErrors = diskErrors.worst();
    }

    void syncTakes(long longer) {
        disk.faults().syncNanos += longer;
    }

    /** Its clocks, which go on while it is down. */
    HostClock clock() {
        return clock;
    }

    /** What its program does now, for a report. While no loop runs. */
    String state() {
        VirtualReactor here = reactor;
        if (here == null) return name + " is down";
        String[] state = {""};
        here.doOnLoop(() -> {
            state[0] = CoroutineList.here();
            for (String thread : JdkTime.threads()) state[0] += "\n  " + thread;
        });
        return name + ": " + state[0];
    }

    // ---- from another thread, while loops run

    int turns() {
        VirtualReactor here = reactor;
        return here == null ? 0 : here.turns();
    }

    /** What its program does now. Takes up to a second. */
    String stateMeanwhile() {
        VirtualReactor here = reactor;
        return here == null ? name + " is down" : name + ": " + here.coroutines();
    }

    @Override
    public String toString() {
        return name;
    }
}
