package org.trueasync.internal.testkit;

import java.util.ArrayList;
import java.util.List;
import java.util.PriorityQueue;
import java.util.concurrent.Semaphore;
import java.util.function.LongSupplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.run.SharedThread;
import org.trueasync.internal.testkit.jdk.JdkTime;
import org.trueasync.internal.testkit.jdk.Monitors;
import org.trueasync.spi.EndOfRun;

/**
 * The time of a simulation, and what is going to happen in it. It has one host or several. Their loops share a thread:
 * one that would wait leaves it to the one for which something happens next, and time jumps to that. So the order is
 * the same in each run. What happens to the world itself, the loss of a host for instance, happens while all loops
 * wait.
 *
 * <p>Used on that thread, where nothing else is said.
 */
public final class World {
    final VirtualNetwork network;
    private final @Nullable Trace trace;
    private volatile long now;
    private final PriorityQueue<Moment> moments = new PriorityQueue<>();
    private long planned;
    private final List<VirtualReactor> hosts = new ArrayList<>(1);
    /** What other threads have brought; one permit or more if a host is triggered. */
    private final Semaphore triggers = new Semaphore(0);

    final Monitors monitors = new Monitors(triggers::release);

    /** The host whose loop runs now; null between two turns. */
    @Nullable
    VirtualReactor running;

    private boolean over;

    /**
     * A world without hosts, whose time is 0.
     *
     * @param chance the decisions about its network; null: each packet takes the same time
     * @param trace gets what happens; null: nobody asks
     */
    public World(@Nullable Chance chance, @Nullable Trace trace) {
        this.trace = trace;
        network = new VirtualNetwork(this, chance);
    }

    /** The network between its hosts. */
    public VirtualNetwork network() {
        return network;
    }

    /**
     * What happens at a time; of two at the same time the one that was planned first.
     *
     * @param host on whose loop; null: to the world
     * @param lost done instead if the host is no more; null: nothing
     */
    private record Moment(
            long time,
            long number,
            @Nullable VirtualReactor host,
            Runnable event,
            @Nullable Runnable lost) implements Comparable<Moment> {
        @Override
        public int compareTo(Moment other) {
            int byTime = Long.compare(time, other.time);
            return byTime != 0 ? byTime : Long.compare(number, other.number);
        }
    }

    // ---- time

    /** The time in nanoseconds, from 0. Any thread. */
    public long now() {
        return now;
    }

    /**
     * Advances the time, like a long computation.
     *
     * @param nanos >= 0
     */
    void advance(long nanos) {
        long then = now + nanos; // only one thread writes
        now = then;
    }

    private void jumpTo(long time) {
        if (time > now) now = time;
    }

    /**
     * Makes the JDK's clocks and chance those of this world, on the calling thread, until {@link JdkTime#leave}.
     *
     * @param chance random numbers for the JDK
     */
    public void enterJdkTime(LongSupplier chance) {
        LongSupplier clock = () -> VirtualReactor.BEGIN_NANOS + (running == null ? now : running.nanoTime());
        LongSupplier date = () -> running == null ? VirtualReactor.BEGIN_NANOS + now : running.date();
        JdkTime.enter(clock, date, this::advance, chance, monitors);
        new JdkDoors(this).open();
    }

    /**
     * Has something happen on a host's loop, in a later turn of it, and before a timer that is due then.
     *
     * @param nanos from now, >= 0
     * @param event called in that turn, like a listener of a handle
     * @param lost called instead if the host is no more by then; may only plan; null: nothing
     */
    void plan(VirtualReactor host, long nanos, Runnable event, @Nullable Runnable lost) {
        moments.add(new Moment(now + nanos, planned++, host, event, lost));
    }

    /**
     * Has something happen to the world.
     *
     * @param nanos from now, >= 0
     * @param event called by {@link #run}
     */
    public void plan(long nanos, Runnable event) {
        moments.add(new Moment(now + nanos, planned++, null, event, null));
    }

    /** Has happen what is due on a host's loop, or to the world for null. */
    void happen(@Nullable VirtualReactor host) {
        long until = now;
        Moment next;
        while (!over && (next = moments.peek()) != null && next.time <= until && next.host == host) {
            moments.remove();
            next.event.run();
        }
    }

    /** Adds to the trace; see {@link Trace#add}. */
    void note(NetworkStack where, String what, Object about, long number) {
        if (trace != null) trace.add(now, where.toString(), what, about, number);
    }

    /** As {@link #note(NetworkStack, String, Object, long)}, of what was begun at {@link #place}. */
    void note(NetworkStack where, String what, Object about, long number, String place) {
        note(where.toString(), what, about, number, place);
    }

    /** See {@link Trace#add(long, String, String, Object, long, String)}. */
    void note(String where, String what, Object about, long number, String place) {
        if (trace != null) trace.add(now, where, what, about, number, place);
    }

    /** See {@link Trace#place()}. */
    String place() {
        return trace == null ? "" : trace.place();
    }

    // ---- hosts and turns

    /** Adds a host, whose loop is about to run. */
    void join(VirtualReactor host) {
        hosts.add(host);
    }

    /** Removes a host. */
    void leave(VirtualReactor host) {
        hosts.remove(host);
    }

    /** The time of what happens next, {@link Long#MAX_VALUE} for nothing. */
    long next() {
        Moment moment = moments.peek();
        long first = moment == null ? Long.MAX_VALUE : moment.time;
        for (VirtualReactor host : hosts) first = Math.min(first, host.dueAt());
        return first;
    }

    /**
     * Waits until something is due on this host's loop.
     *
     * @throws EndOfRun if the host has been cut off
     */
    void await(VirtualReactor host) {
        if (choose(/* mayWait= */ !host.sharesThread()) != host) SharedThread.leave();
        if (host.isCut()) throw new EndOfRun(host);
    }

    /** Lets others run for whom something is due at this time. */
    void giveWay(VirtualReactor host) {
        if (hosts.size() > 1) await(host);
    }

    /** Ends what {@link #await} waits for in real time, if nothing else does. Any thread. */
    void triggered() {
        triggers.release();
    }

    /**
     * Finds who is next, and lets the time jump; null if something happens to the world.
     *
     * @param mayWait whether to wait in real time for other threads if nothing is planned; else null
     */
    private @Nullable VirtualReactor choose(boolean mayWait) {
        while (!over) {
            VirtualReactor first = null;
            for (VirtualReactor host : hosts) {
                if (host.isTriggered()) return host;
                if (first == null || host.isBefore(first)) first = host;
            }
            long alarm = first == null ? Long.MAX_VALUE : first.dueAt();
            Moment moment = moments.peek();
            if (moment != null && moment.time <= alarm) {
                if (isPutOff(moment)) continue;
                jumpTo(moment.time);
                return moment.host;
            }
            if (first != null && alarm != Long.MAX_VALUE) {
                jumpTo(alarm);
                return first;
            }
            if (!mayWait) return null;
            triggers.acquireUninterruptibly();
            triggers.drainPermits();
            // of hosts that share the thread, those that are handed something are triggered
            if (monitors.handOn() && first != null && !first.sharesThread()) return first;
        }
        return null;
    }

    /** Removes what is planned for a host that is no more, and puts off what is planned for one that stands still. */
    private boolean isPutOff(Moment moment) {
        VirtualReactor host = moment.host;
        if (host == null || (!host.isGone() && host.restsUntil() <= moment.time)) return false;
        moments.remove();
        if (!host.isGone()) {
            moments.add(new Moment(host.restsUntil(), moment.number, host, moment.event, moment.lost));
        } else if (moment.lost != null) {
            jumpTo(moment.time);
            moment.lost.run();
        }
        return true;
    }

    // ---- a world of several hosts

    /** Has the hosts run, and what is planned for the world happen, until {@link #end}. */
    public void run() {
        over = false;
        while (!over) {
            VirtualReactor next = choose(/* mayWait= */ true);
            if (next != null) next.resume();
            else happen(null);
        }
    }

    /** Ends {@link #run} as soon as the loop that runs now waits. */
    public void end() {
        over = true;
    }
}
