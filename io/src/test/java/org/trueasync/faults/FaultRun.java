package org.trueasync.faults;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.TreeSet;
import java.util.function.Supplier;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.InputOutputException;
import org.trueasync.spi.Reactor;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.testkit.TestRun;

/**
 * Runs each scenario once to learn its call sites, then once for each error at each site, and each time a second time
 * on the same loop. Writes what was wrong, and what it did. In a JVM of its own, as all native functions are replaced.
 */
public abstract class FaultRun {
    /** Of one run, which takes some milliseconds. */
    private static final Duration LIMIT = Duration.ofSeconds(20);

    /** A sample has one error at each n-th site. */
    private static final int SAMPLE = 5;

    /** After so many complaints the rest would say the same. */
    private static final int ENOUGH = 20;

    private static volatile String at = "";
    private static volatile int steps;

    private final Set<CallFaults.Site> known = new HashSet<>();
    private final Set<String> reached = new TreeSet<>();
    private final Supplier<Reactor> reactor;
    private final boolean whole;
    private int sampled;
    private int faults;
    private int missed;
    private int missedAlone;
    private int survived;
    private int wrong;
    private boolean metInFirst;

    /**
     * Prepares a run.
     *
     * @param reactor makes the reactors
     * @param whole whether all errors happen at all sites; else one error at a few of them
     */
    protected FaultRun(Supplier<Reactor> reactor, boolean whole) {
        this.reactor = reactor;
        this.whole = whole;
        Thread.ofPlatform().daemon().start(FaultRun::watch);
    }

    /** The errors to try at a site. */
    protected abstract List<CallFaults.Error> errorsAt(CallFaults.Site site);

    /** True if the text names an operation and the error. */
    protected abstract boolean isClear(CallFaults.Fault fault, String text);

    /** Number of native blocks in use. */
    protected abstract long blocks();

    /** Names of the functions that were called in the scenarios. */
    protected final Set<String> reached() {
        return reached;
    }

    /** What is done with a folder. */
    protected interface InFolder {
        /** Does it. */
        void with(Path folder) throws Exception;
    }

    /** Does something with a folder of its own, which is deleted afterwards, and ends the process. */
    protected static void inFolder(InFolder action) throws Exception {
        Path folder = Files.createTempDirectory("faults");
        try {
            action.with(folder);
        } finally {
            try (var files = Files.list(folder)) {
                files.forEach(file -> file.toFile().delete());
            }
            Files.delete(folder);
        }
        System.out.println("end");
        System.out.flush();
        Runtime.getRuntime().halt(0); // what the JVM has for the end is not the subject
    }

    /** Ends the process if nothing goes on. */
    private static void watch() {
        try {
            for (int seen = -1; seen != steps; Thread.sleep(5 * LIMIT.toMillis())) seen = steps;
        } catch (InterruptedException e) {
            return;
        }
        System.out.println("HUNG " + at);
        Thread.getAllStackTraces().forEach((thread, frames) -> System.out.println(thread + " " + List.of(frames)));
        Runtime.getRuntime().halt(9);
    }

    /** Lets calls fail in one scenario after the other. */
    protected final void all(Map<String, Body> scenarios) throws Exception {
        for (var each : scenarios.entrySet()) scenario(each.getKey(), false, each.getValue());
        at = "all scenarios";
        System.out.println(faults + " faults at " + known.size() + " sites, " + survived + " without an error, "
                + missed + " not met again");
        // Which way a run takes depends on the moment, but seldom without an earlier error.
        if (missedAlone > 5 + faults / 20) complain(missedAlone + " of " + faults + " faults were not met");
    }

    /**
     * Lets the calls of a scenario fail that no earlier one has made.
     *
     * @param alone whether it runs outside of coroutines
     */
    protected final void scenario(String name, boolean alone, Body body) throws Exception {
        long begin = System.nanoTime();
        int faultsBefore = faults;
        at = name;
        for (int i = 0; i < 3; i++) {
            if (i < 2) CallFaults.seen(); // the first run has calls that are made once in a process
            int before = wrong;
            Throwable failure = alone ? runAlone(body) : run(body, body, new ArrayList<>());
            if (wrong > before) throw new AssertionError(name + " leaves something without a fault");
            if (failure != null) throw new AssertionError(name + " fails without a fault", failure);
        }
        List<CallFaults.Site> sites = CallFaults.seen();
        faultsAt(sites, List.of(), name, alone, body);
        System.out.printf(
                "%s: %d sites, %d faults, %d ms%n",
                name, sites.size(), faults - faultsBefore, (System.nanoTime() - begin) / 1_000_000);
    }

    /** Lets the first call at each site that is new fail, once with each error, after other faults. */
    private void faultsAt(
            List<CallFaults.Site> sites, List<CallFaults.Fault> before, String name, boolean alone, Body body)
            throws Exception {
        List<CallFaults.Site> fresh = sites.stream().filter(known::add).toList();
        for (CallFaults.Site site : fresh) {
            reached.add(site.function());
            List<CallFaults.Error> errors = errorsAt(site);
            if (errors.isEmpty()) continue;
            if (!whole && sampled++ % SAMPLE != 0) continue;
            if (!whole) errors = List.of(errors.get(sampled / SAMPLE % errors.size()));
            for (CallFaults.Error error : errors) {
                var all = new ArrayList<>(before);
                all.add(new CallFaults.Fault(site, error));
                List<CallFaults.Site> behind = inject(name, alone, body, all);
                if (whole && before.isEmpty()) faultsAt(behind, all, name, alone, body);
            }
        }
    }

    /** Runs with these faults, and returns the sites that are reached after them. */
    private List<CallFaults.Site> inject(String name, boolean alone, Body body, List<CallFaults.Fault> all)
            throws Exception {
        at = name + ": " + all;
        steps++;
        faults++;
        CallFaults.Fault last = all.getLast();
        boolean atEnd = last.site().path().contains("UvReactor.end:");
        int descriptors = descriptors();
        long blocks = blocks();
        var reports = new ArrayList<String>();
        var behind = new ArrayList<CallFaults.Site>();
        boolean met = false;
        Throwable failure = null;
        for (int i = 0; i < 3 && !met; i++) {
            reports.clear();
            CallFaults.next(all);
            Body over = () -> {
                if (!atEnd || CallFaults.isMet()) {
                    behind.addAll(CallFaults.seen());
                    metInFirst = CallFaults.over();
                }
                body.run();
            };
            metInFirst = false;
            failure = alone ? runAlone(body) : run(body, over, reports);
            met = CallFaults.over() && (alone || atEnd) || metInFirst;
        }
        if (!met) {
            missed++;
            if (all.size() == 1) missedAlone++;
            System.out.println("    not met: " + at);
            return List.of();
        }
        if (failure == null) survived++;
        List<String> told = texts(failure);
        told.addAll(reports);
        if (failure != null || !reports.isEmpty()) judge(all, failure, told);
        if (alone && (failure = runAlone(body)) != null) complain("a second time it fails, " + failure);
        awaitSame(descriptors, blocks);
        return behind;
    }

    private void judge(List<CallFaults.Fault> all, Throwable failure, List<String> told) {
        boolean clear = all.stream().anyMatch(fault -> told.stream().anyMatch(text -> isClear(fault, text)));
        if (!clear) complain("no clear error: " + told);
        for (String text : told)
            if (text.contains("Bug in") || text.contains("NullPointer") || text.contains("AssertionError"))
                complain("a bug: " + text);
        boolean noMemory = all.stream().anyMatch(fault -> fault.error().name().equals("ENOMEM"));
        if (failure != null && !isFit(failure, noMemory)) complain("unfit: " + failure);
    }

    private static boolean isFit(Throwable failure, boolean noMemory) {
        return failure instanceof InputOutputException
                || failure instanceof AsyncException
                || failure instanceof FaultScenarios.Unexpected
                || (noMemory && failure instanceof OutOfMemoryError);
    }

    private static List<String> texts(Throwable thrown) {
        var texts = new ArrayList<String>();
        collect(thrown, texts, new HashSet<>());
        return texts;
    }

    private static void collect(Throwable thrown, List<String> texts, Set<Throwable> seen) {
        if (thrown == null || !seen.add(thrown)) return;
        texts.add(thrown.toString());
        collect(thrown.getCause(), texts, seen);
        for (Throwable more : thrown.getSuppressed()) collect(more, texts, seen);
    }

    /** Says what is wrong. */
    protected final void complain(String what) {
        wrong++;
        System.out.println("WRONG " + at + ": " + what);
        if (wrong == ENOUGH) Runtime.getRuntime().halt(8);
    }

    private static Throwable runAlone(Body body) {
        try {
            body.run();
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    /** Runs, then a second time on the same loop, and looks for what is left; returns how the first one failed. */
    private Throwable run(Body body, Body second, List<String> reports) {
        var run = new TestRun(reactor).timeLimit(LIMIT);
        var failure = new Throwable[1];
        try {
            run.run(() -> {
                try {
                    body.run();
                } catch (InputOutputException
                        | AsyncException
                        | OutOfMemoryError
                        | FaultScenarios.Unexpected
                        | IllegalStateException e) {
                    failure[0] = e;
                }
                reports.addAll(run.complaints());
                try {
                    second.run();
                } catch (RuntimeException | OutOfMemoryError e) {
                    complain("the loop does not go on: " + texts(e));
                }
                nothingIsLeft();
            });
        } catch (Throwable e) {
            complain("the run failed: " + texts(e));
        }
        return failure[0];
    }

    private void nothingIsLeft() {
        for (int i = 0; i < 5_000 && SchedulerProvider.get().reactor().openHandles() > 0; i++) Async.delay(1);
        int handles = SchedulerProvider.get().reactor().openHandles();
        if (handles > 0) complain(handles + " handles are left");
        int events = Async.runtimeStats().activeEvents();
        if (events > 0) complain(events + " events are active");
        int coroutines = Async.runtimeStats().coroutines();
        if (coroutines != 1) complain(coroutines + " coroutines are left");
    }

    /** Waits until no more is open than before. */
    protected final void awaitSame(int descriptors, long blocks) throws InterruptedException {
        for (int i = 0; i < 5_000; i++) {
            if (descriptors() <= descriptors && blocks() <= blocks) return;
            Thread.sleep(2);
        }
        complain((descriptors() - descriptors) + " descriptors and " + (blocks() - blocks) + " blocks are left");
    }

    /** How many this process has. */
    protected static int descriptors() {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return (int) open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
