package org.trueasync.testkit.simulation;

import java.time.Duration;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.SplittableRandom;
import org.jspecify.annotations.Nullable;
import org.trueasync.Body;
import org.trueasync.internal.testkit.Chance;
import org.trueasync.internal.testkit.Trace;
import org.trueasync.internal.testkit.World;
import org.trueasync.internal.testkit.jdk.JdkTime;

/** One run of a simulation, with one seed. All on one thread, where nothing else is said. */
final class SimulatedRun {
    final World world;
    final Trace trace;
    private final SplittableRandom random;
    private final boolean recorded;
    final Map<String, Host> hosts = new LinkedHashMap<>();
    final Faults faults = new Faults();
    /** Whether what a check names was reached. */
    final Map<String, Boolean> reached = new LinkedHashMap<>();

    private final List<Body> afterwards = new ArrayList<>(0);
    Duration timeLimit = Duration.ofHours(1);
    private int clients;
    private boolean begun;
    private List<Throwable> escapes = List.of();
    private @Nullable Throwable failure;
    /** The numbers of the faults. */
    private final List<Integer> happened = new ArrayList<>();

    SimulatedRun(long seed, boolean recorded) {
        this.recorded = recorded;
        random = new SplittableRandom(seed);
        trace = new Trace(recorded);
        world = new World(new Chance(random.nextLong()), trace);
    }

    // ---- what it consists of

    Host add(String name, Body main, boolean client) {
        if (name.chars().anyMatch(Character::isISOControl))
            throw new IllegalArgumentException(
                    "a host's name must have no control characters, got '" + name.replaceAll("\\p{Cntrl}", "?") + "'");
        if (hosts.containsKey(name)) throw new IllegalArgumentException("there is a host '" + name + "' already");
        var host = new Host(this, name, main, client);
        hosts.put(name, host);
        world.network().addressOf(name);
        return host;
    }

    Host host(String name) {
        Host host = hosts.get(name);
        if (host == null)
            throw new IllegalArgumentException(
                    "no host '" + name.replaceAll("\\p{Cntrl}", "?") + "'; there are " + hosts.keySet());
        return host;
    }

    void afterwards(Body body) {
        afterwards.add(body);
    }

    SplittableRandom randomOfHost() {
        return random.split();
    }

    SplittableRandom random() {
        return random;
    }

    boolean hasBegun() {
        return begun;
    }

    /** The places where hosts have started platform threads. */
    List<Throwable> escapes() {
        return escapes;
    }

    /** The numbers of the faults that have happened. */
    List<Integer> happened() {
        return happened;
    }

    boolean isRecorded() {
        return recorded;
    }

    // ---- from its beginning to its end

    /**
     * Runs it.
     *
     * @param chosen the numbers of the faults that happen; null for all of them
     * @return what has failed, or null
     */
    @Nullable
    Throwable run(@Nullable Set<Integer> chosen) {
        begun = true;
        List<Fault> planned = faults.draw(random.split(), !servers().isEmpty());
        world.enterJdkTime(random.split()::nextLong);
        try {
            for (Host host : List.copyOf(hosts.values())) world.plan(0, () -> begin(host));
            for (Fault fault : planned) if (chosen == null || chosen.contains(fault.number())) plan(fault);
            phase("its clients");
            if (failure == null) {
                for (Fault fault : planned) fault.end(this);
                for (Host host : hosts.values()) if (!host.isClient()) host.begin();
                for (Body body : afterwards) {
                    begin(add("afterwards " + hosts.size(), body, true));
                    phase("what comes afterwards");
                    if (failure != null) break;
                }
            }
        } finally {
            for (Host host : hosts.values()) host.end();
            escapes = JdkTime.leave();
        }
        return failure;
    }

    /** The names of the hosts that are no clients. */
    List<String> servers() {
        return hosts.values().stream()
                .filter(host -> !host.isClient())
                .map(Host::name)
                .toList();
    }

    /** Goes on until all clients have ended. */
    private void phase(String whose) {
        world.plan(timeLimit.toNanos(), () -> {
            if (clients > 0 && failure == null) failed("the world", late(whose));
        });
        if (failure == null) world.run();
    }

    private AssertionError late(String whose) {
        var text = new StringBuilder("after " + timeLimit + " " + whose + " had not ended");
        for (Host host : hosts.values())
            if (host.isClient() && host.isUp()) text.append('\n').append(host.state());
        return new AssertionError(text.toString());
    }

    private void begin(Host host) {
        if (host.isClient()) clients++;
        host.begin();
    }

    private void plan(Fault fault) {
        world.plan(fault.at(), () -> {
            happened.add(fault.number());
            fault.begin(this);
        });
        world.plan(fault.until(), () -> fault.end(this));
    }

    void ended(Host host, @Nullable Throwable thrown) {
        if (thrown != null) failed(host.name(), thrown);
        else note(host.name(), "ends", "");
        if (host.isClient() && --clients == 0) world.end();
    }

    /** Notes what has failed: the first one ends the run. */
    void failed(String where, Throwable thrown) {
        if (failure != null) return;
        String text = thrown.toString();
        trace.add(world.now(), where, "fails:", text.lines().findFirst().orElse(""), -1, trace.place(thrown));
        failure = thrown;
        world.end();
    }

    // ---- a run that does not end, from another thread

    String state() {
        var text = new StringBuilder("virtual time is " + Trace.shown(world.now()));
        List<Host> up = hosts.values().stream()
                .filter(Host::isUp)
                .sorted(Comparator.comparingInt(Host::turns).reversed())
                .toList();
        for (Host host : up) text.append(", ").append(host).append(" has had ").append(host.turns() + " turns");
        if (!up.isEmpty()) text.append('\n').append(up.getFirst().stateMeanwhile());
        text.append("\nWhat happened last:");
        for (String line : Trace.table(trace.last())) text.append('\n').append(line);
        return text.toString();
    }

    void stop() {
        for (Host host : hosts.values()) host.stop();
    }

    /** Has something happen to the world as soon as the caller waits. */
    void soon(Runnable event) {
        world.plan(0, trace.caused(event));
    }

    void note(String where, String what, Object about) {
        trace.add(world.now(), where, what, about, -1);
    }
}
