package org.trueasync.testkit.simulation;

import java.net.InetAddress;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;
import org.trueasync.Body;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.EndOfRun;

/**
 * A host of a simulation: a program that runs in a runtime of its own, under a name and an address. It begins with the
 * simulation.
 */
public final class Host {
    private final SimulatedRun run;
    private final String name;
    private final Body main;
    private final boolean client;
    /** Of the program that runs; null while none does. */
    private @Nullable VirtualReactor reactor;

    private volatile @Nullable AsyncRuntime runtime;
    private @Nullable Thread thread;

    Host(SimulatedRun run, String name, Body main, boolean client) {
        this.run = run;
        this.name = name;
        this.main = main;
        this.client = client;
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

    // ---- on the director's thread

    void begin() {
        if (reactor != null) return;
        var mine = new VirtualReactor(run.world, name, run.randomOfHost());
        AsyncRuntime built = Async.runtime()
                .name(name)
                .reactor(() -> mine)
                .spawnSites(run.isRecorded())
                .deadlockReports(false)
                .diagnostics(report -> run.note(name, "reports", report))
                .build();
        run.note(name, "begins", "");
        reactor = mine;
        runtime = built;
        var loop = new Thread(() -> runMain(mine, built), name);
        loop.setDaemon(true);
        thread = loop;
        loop.start();
    }

    private void runMain(VirtualReactor mine, AsyncRuntime built) {
        mine.begin();
        Throwable failure = null;
        try {
            if (!mine.isCut()) built.run(main);
        } catch (EndOfRun cut) {
            if (!mine.isCut()) failure = cut;
        } catch (Throwable e) {
            failure = e;
        }
        if (mine.isCut()) return;
        reactor = null;
        runtime = null;
        run.ended(this, failure);
        mine.passOn();
    }

    void killNow() {
        VirtualReactor killed = reactor;
        if (killed == null) return;
        reactor = null;
        runtime = null;
        run.note(name, "is killed", "");
        killed.cut();
        killed.grantTurn();
        join(Objects.requireNonNull(thread));
    }

    private static void join(Thread ending) {
        boolean interrupted = false;
        while (true) {
            try {
                ending.join();
                break;
            } catch (InterruptedException e) {
                interrupted = true;
            }
        }
        if (interrupted) Thread.currentThread().interrupt();
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

    /** What its program does now, for a report. */
    String state() {
        AsyncRuntime here = runtime;
        return here == null ? name + " is down" : here.dump();
    }

    @Override
    public String toString() {
        return name;
    }
}
