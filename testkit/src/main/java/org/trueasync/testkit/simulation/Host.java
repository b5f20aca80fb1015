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
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.internal.testkit.disk.DiskFaults;
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
    /** Of the program that runs; null while none does. */
    private @Nullable VirtualReactor reactor;

    private volatile @Nullable AsyncRuntime runtime;

    Host(SimulatedRun run, String name, Body main, boolean client) {
        this.run = run;
        this.name = name;
        this.main = main;
        this.client = client;
        this.disk = new VirtualDisk(run.randomOfHost());
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
            run.note(name, "stands still for", length);
            restUntil(run.world.now() + nanos);
        });
    }

    // ---- while no loop runs

    void begin() {
        if (reactor != null) return;
        run.note(name, "begins", "");
        var begun = new VirtualReactor(run.world, name, run.randomOfHost(), this::runMain);
        begun.mount(disk);
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

    /** Keeps it from running until a time. */
    void restUntil(long time) {
        if (reactor != null) reactor.restUntil(time);
    }

    /** What goes wrong with its disk. */
    DiskFaults diskFaults() {
        return disk.faults();
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

    @Override
    public String toString() {
        return name;
    }
}
