package org.trueasync.examples;

import com.sun.management.OperatingSystemMXBean;
import java.lang.management.ManagementFactory;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.Locale;
import org.trueasync.testkit.simulation.Scenario;
import org.trueasync.testkit.simulation.Simulation;

/**
 * Counts how many seeds it takes to find each planted bug of the replicated store, and prints a table, with seconds of
 * the processor. Not a test: it takes minutes. Arguments: how many times each is searched, the most seeds of a search,
 * and the names of the bugs (all without any); "clean" is the store without a bug.
 */
final class RaftHunt {
    /** Each search has seeds of its own. */
    private static final long APART = 1_000_000;

    private RaftHunt() {}

    /** Ends a search at the first failure, before the run is repeated and told. */
    private static final class Found extends RuntimeException {
        private static final long serialVersionUID = 1;
    }

    /** The seeds, in all, and the processor's time of a search; and whether it has found something. */
    private record Search(long seeds, long nanos, boolean found) {}

    static void main(String[] arguments) throws Exception {
        int searches = Integer.parseInt(arguments[0]);
        int most = Integer.parseInt(arguments[1]);
        List<String> names = List.of(arguments).subList(2, arguments.length);
        System.out.println("| bug | found | seeds, median | seeds, most | seconds, median |\n|---|---|---|---|---|");
        if (names.contains("clean")) hunt("clean", new RaftScenario(), searches, most);
        for (Path patch : RaftBugs.all()) {
            String name = RaftBugs.name(patch);
            if (!names.isEmpty() && !names.contains(name)) continue;
            hunt(name, RaftBugs.scenario(patch, Files.createTempDirectory("raft")), searches, most);
        }
    }

    private static void hunt(String name, Scenario scenario, int searches, int most) {
        var seeds = new ArrayList<Long>();
        var nanos = new ArrayList<Long>();
        int found = 0;
        for (int i = 0; i < searches; i++) {
            Search search = search(scenario, i * APART + 1, most);
            seeds.add(search.seeds);
            nanos.add(search.nanos);
            if (search.found) found++;
        }
        Collections.sort(seeds);
        Collections.sort(nanos);
        System.out.printf(
                Locale.ROOT,
                "| %s | %d of %d | %d | %d | %.1f |%n",
                name,
                found,
                searches,
                seeds.get(searches / 2),
                seeds.getLast(),
                nanos.get(searches / 2) / 1e9);
    }

    private static long cpuNanos() {
        return ((OperatingSystemMXBean) ManagementFactory.getOperatingSystemMXBean()).getProcessCpuTime();
    }

    private static Search search(Scenario scenario, long first, int most) {
        long begin = cpuNanos();
        long[] last = {0};
        for (int i = 0; i < most; i++) {
            try {
                Simulation.replay(first + i, sim -> {
                    if (sim.seed() == last[0]) throw new Found();
                    last[0] = sim.seed();
                    scenario.define(sim);
                });
            } catch (Found | AssertionError found) { // the latter if a run does not end
                return new Search(i + 1, cpuNanos() - begin, true);
            }
        }
        return new Search(most, cpuNanos() - begin, false);
    }
}
