package org.trueasync.reactor.libuv;

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
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.InputOutputException;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.testkit.TestRun;

/**
 * Runs each scenario once to learn its call sites, then once for each error at each site, and each time a second time
 * on the same loop. Writes what was wrong, and what it did. In a JVM of its own, as all native functions are replaced.
 */
final class NativeFaultRun {
    private static final Duration LIMIT = Duration.ofSeconds(4);

    private static final int SAMPLE = 5;

    /** What only a program on a terminal reaches. */
    private static final Set<String> TERMINAL = Set.of("uv_tty_init", "uv_tty_set_mode", "uv_tty_get_winsize");

    /** What no scenario reaches, and why. */
    private static final Map<String, String> UNREACHED = Map.of(
            "dup", "only before the first loop of a process; DescriptorsExhaustedTest",
            "uv_tty_reset_mode", "only when the JVM ends in raw mode, and nobody is left to be told; TerminalTest");

    private final Set<FaultyFunctions.Site> known = new HashSet<>();
    private final Set<String> reached = new TreeSet<>();
    private final boolean whole;
    private int sampled;
    private int faults;
    private int missed;
    private int survived;
    private int wrong;

    private NativeFaultRun(boolean whole) {
        this.whole = whole;
    }

    /** "whole": everything; "sample": one error at a few sites; "terminal": what needs a terminal. */
    public static void main(String[] arguments) throws Exception {
        FaultyFunctions.install();
        Thread.ofPlatform().daemon().start(NativeFaultRun::watch);
        var run = new NativeFaultRun(!arguments[0].equals("sample"));
        Path folder = Files.createTempDirectory("faults");
        try {
            if (arguments[0].equals("terminal")) run.terminal();
            else run.all(new NativeScenarios(folder), arguments.length > 1 ? arguments[1] : "");
        } finally {
            try (var files = Files.list(folder)) {
                files.forEach(file -> file.toFile().delete());
            }
            Files.delete(folder);
        }
        System.out.println("end");
        System.out.flush();
        Runtime.getRuntime().halt(0); // what the JVM has for the end is not ours
    }

    private static volatile String at = "";
    private static volatile int steps;

    /** Ends the process if nothing goes on. */
    private static void watch() {
        try {
            for (int seen = -1; seen != steps; Thread.sleep(3 * LIMIT.toMillis())) seen = steps;
        } catch (InterruptedException e) {
            return;
        }
        System.out.println("HUNG " + at);
        Thread.getAllStackTraces().forEach((thread, frames) -> System.out.println(thread + " " + List.of(frames)));
        Runtime.getRuntime().halt(9);
    }

    private void all(NativeScenarios scenarios, String only) throws Exception {
        scenario("start", true, NativeScenarios::start);
        if (whole) quitSignal();
        for (var each : scenarios.all().entrySet())
            if (each.getKey().contains(only)) scenario(each.getKey(), false, each.getValue());
        System.out.println(faults + " faults at " + known.size() + " sites, " + survived + " without an error, " + missed
                + " not met again");
        if (whole && only.isEmpty()) nothingIsForgotten();
    }

    private void terminal() throws Exception {
        scenario("terminal", false, NativeScenarios::terminal);
        for (String each : TERMINAL) if (!reached.contains(each)) complain(each + " is not reached");
    }

    /** Each function of the reactor has a line in the table, is there if it has one, and was made to fail. */
    private void nothingIsForgotten() throws Exception {
        at = "the table";
        Path classes = Path.of(UvReactor.class.getResource("UvReactor.class").toURI()).getParent();
        try (var files = Files.list(classes)) {
            for (Path file : (Iterable<Path>) files::iterator) {
                String name = file.getFileName().toString();
                String type = UvReactor.class.getPackageName() + "." + name.replace(".class", "");
                if (name.endsWith(".class") && !name.equals("package-info.class")) Class.forName(type);
            }
        }
        Set<String> made = FaultyFunctions.made();
        for (String each : made) {
            boolean mayFail = !Manual.of(each).errors().isEmpty();
            if (mayFail && !reached.contains(each) && !TERMINAL.contains(each) && !UNREACHED.containsKey(each))
                complain(each + " was not made to fail");
        }
        for (String each : Manual.functions()) if (!made.contains(each)) complain(each + " is no function of ours");
    }

    /** Listening to a signal lasts as long as the process, so here it begins last, after all faults. */
    private void quitSignal() throws Exception {
        for (String function : List.of("sigaction", "uv_loop_init", "uv_signal_init", "uv_signal_start")) {
            for (Manual.Error error : Manual.of(function).errors()) {
                at = "quit: " + error.name() + " of " + function;
                int descriptors = descriptors();
                FaultyFunctions.next(List.of(new FaultyFunctions.Fault(new FaultyFunctions.Site(function, ""), error)));
                if (QuitSignal.listen(() -> {}) != null) complain("it listens");
                if (!FaultyFunctions.over()) complain("not met");
                awaitSame(descriptors, NativeMemory.liveBlocks());
                reached.add(function);
                faults++;
            }
        }
        if (QuitSignal.listen(() -> {}) == null) complain("it does not listen");
    }

    private void scenario(String name, boolean alone, Body body) throws Exception {
        long begin = System.nanoTime();
        int faultsBefore = faults;
        at = name;
        for (int i = 0; i < 3; i++) {
            if (i < 2) FaultyFunctions.seen(); // the first run has calls that are made once in a process
            int before = wrong;
            Throwable failure = alone ? runAlone(body) : run(body, body, new ArrayList<>());
            if (wrong > before) throw new AssertionError(name + " leaves something without a fault");
            if (failure != null) throw new AssertionError(name + " fails without a fault", failure);
        }
        List<FaultyFunctions.Site> sites = FaultyFunctions.seen();
        faultsAt(sites, List.of(), name, alone, body);
        System.out.printf(
                "%s: %d sites, %d faults, %d ms%n",
                name, sites.size(), faults - faultsBefore, (System.nanoTime() - begin) / 1_000_000);
    }

    /** Lets the first call at each site that is new fail, once with each error, after other faults. */
    private void faultsAt(
            List<FaultyFunctions.Site> sites, List<FaultyFunctions.Fault> before, String name, boolean alone, Body body)
            throws Exception {
        List<FaultyFunctions.Site> fresh = sites.stream().filter(known::add).toList();
        for (FaultyFunctions.Site site : fresh) {
            reached.add(site.function());
            List<Manual.Error> errors = Manual.errorsAt(site);
            if (errors.isEmpty()) continue;
            if (!whole && sampled++ % SAMPLE != 0) continue;
            if (!whole) errors = List.of(errors.get(sampled / SAMPLE % errors.size()));
            for (Manual.Error error : errors) {
                var all = new ArrayList<>(before);
                all.add(new FaultyFunctions.Fault(site, error));
                List<FaultyFunctions.Site> behind = inject(name, alone, body, all);
                if (whole && before.isEmpty()) faultsAt(behind, all, name, alone, body);
            }
        }
    }

    /** Runs with these faults, and returns the sites that are reached after them. */
    private List<FaultyFunctions.Site> inject(
            String name, boolean alone, Body body, List<FaultyFunctions.Fault> all) throws Exception {
        at = name + ": " + all;
        steps++;
        faults++;
        FaultyFunctions.Fault last = all.getLast();
        boolean atEnd = last.site().path().contains("UvReactor.end:");
        int descriptors = descriptors();
        long blocks = NativeMemory.liveBlocks();
        var reports = new ArrayList<String>();
        var behind = new ArrayList<FaultyFunctions.Site>();
        boolean met = false;
        Throwable failure = null;
        for (int i = 0; i < 3 && !met; i++) {
            reports.clear();
            FaultyFunctions.next(all);
            Body over = () -> {
                if (!atEnd || FaultyFunctions.isMet()) {
                    behind.addAll(FaultyFunctions.seen());
                    over();
                }
                body.run();
            };
            metBefore = false;
            failure = alone ? runAlone(body) : run(body, over, reports);
            met = FaultyFunctions.over() && (alone || atEnd) || metBefore;
        }
        if (!met) {
            missed++;
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

    private boolean metBefore;

    private void over() {
        metBefore = FaultyFunctions.over();
    }

    private void judge(List<FaultyFunctions.Fault> all, Throwable failure, List<String> told) {
        boolean clear = all.stream().anyMatch(fault -> told.stream().anyMatch(text -> isClear(fault, text)));
        if (!clear) complain("no clear error: " + told);
        for (String text : told)
            if (text.contains("Bug in") || text.contains("NullPointer") || text.contains("AssertionError"))
                complain("a bug: " + text);
        if (failure == null && !told.isEmpty()) System.out.println("    note " + at + ": " + told);
        boolean noMemory = all.stream().anyMatch(fault -> fault.site().function().equals("malloc"));
        if (failure != null && !isFit(failure, noMemory)) complain("unfit: " + failure);
    }

    /** True if the text names an operation and the error. */
    private static boolean isClear(FaultyFunctions.Fault fault, String text) {
        String error = fault.error().name();
        return switch (fault.site().function()) {
            case "malloc" -> text.contains("OutOfMemoryError: no native memory") || text.indexOf(error) > 0;
            // made without errno, as a pin has one reason to fail
            case "sched_getaffinity", "sched_setaffinity" -> text.contains("AsyncException: the system does not ");
            default -> text.indexOf(error.equals("EOPNOTSUPP") ? "ENOTSUP" : error) > 0; // one number on Linux
        };
    }

    private static boolean isFit(Throwable failure, boolean noMemory) {
        return failure instanceof InputOutputException
                || failure instanceof AsyncException
                || failure instanceof NativeScenarios.Unexpected
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

    private void complain(String what) {
        wrong++;
        System.out.println("WRONG " + at + ": " + what);
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
        var run = new TestRun(UvReactor::new).timeLimit(LIMIT);
        var failure = new Throwable[1];
        try {
            run.run(() -> {
                try {
                    body.run();
                } catch (InputOutputException
                        | AsyncException
                        | OutOfMemoryError
                        | NativeScenarios.Unexpected
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
        for (int i = 0; i < 300 && SchedulerProvider.get().reactor().openHandles() > 0; i++) Async.delay(1);
        int handles = SchedulerProvider.get().reactor().openHandles();
        if (handles > 0) complain(handles + " handles are left");
        int events = Async.runtimeStats().activeEvents();
        if (events > 0) complain(events + " events are active");
        int coroutines = Async.runtimeStats().coroutines();
        if (coroutines != 1) complain(coroutines + " coroutines are left");
    }

    private void awaitSame(int descriptors, long blocks) throws InterruptedException {
        for (int i = 0; i < 100; i++) {
            if (descriptors() <= descriptors && NativeMemory.liveBlocks() <= blocks) return;
            Thread.sleep(2);
        }
        complain((descriptors() - descriptors) + " descriptors and " + (NativeMemory.liveBlocks() - blocks)
                + " blocks are left");
    }

    private static int descriptors() {
        try (var open = Files.list(Path.of("/proc/self/fd"))) {
            return (int) open.count();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
