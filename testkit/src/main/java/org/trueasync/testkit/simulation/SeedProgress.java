package org.trueasync.testkit.simulation;

import java.io.IOException;
import java.util.List;
import java.util.Locale;
import java.util.function.Consumer;

/** Tells how far the seeds of a scenario are, until one fails or all have passed. */
final class SeedProgress {
    /** How often is looked whether one has failed. */
    static final long LOOKS_EVERY_MILLIS = 500;

    private static final long NANOS = 1_000_000_000;
    /** The first line comes after two of these, each next one after twice the time, up to a minute. */
    private static final long FIRST = NANOS;

    private static final long RAREST = 60 * NANOS;

    private final String prefix;
    private final long first;
    private final long seeds;
    private final Consumer<String> messages;
    private final Consumer<String> results;
    private final long begin = System.nanoTime();
    private volatile SeedReport report = SeedReport.NONE;
    /** Set when the process ends: then only the hook says something. */
    private volatile boolean ending;

    SeedProgress(String prefix, long first, long seeds, Consumer<String> messages, Consumer<String> results) {
        this.prefix = prefix;
        this.first = first;
        this.seeds = seeds;
        this.messages = messages;
        this.results = results;
    }

    /**
     * Waits for all of them, or for the first failure, which ends the others.
     *
     * @return true if there was none
     */
    boolean follow(List<SeedShare> shares) throws IOException, InterruptedException {
        var interrupted = new Thread(() -> interrupted(shares), "simulate-interrupted");
        Runtime.getRuntime().addShutdownHook(interrupted);
        try {
            long pause = FIRST;
            long next = begin + 2 * pause;
            while (report.failure() == null && !report.ended()) {
                for (SeedShare share : shares) if (!share.join(LOOKS_EVERY_MILLIS / shares.size())) break;
                report = all(shares);
                if (ending) return false;
                if (System.nanoTime() < next || report.ended() || report.done() == 0) continue;
                messages.accept(prefix + progress());
                pause = Math.min(2 * pause, RAREST);
                next += pause;
            }
        } finally {
            for (SeedShare share : shares) share.stop();
            removeHook(interrupted);
        }
        return !ending && told();
    }

    private static void removeHook(Thread hook) {
        try {
            Runtime.getRuntime().removeShutdownHook(hook);
        } catch (IllegalStateException ending) {
            // it tells how far this has come
        }
    }

    private static SeedReport all(List<SeedShare> shares) throws IOException, InterruptedException {
        SeedReport sum = shares.getFirst().report();
        for (SeedShare share : shares.subList(1, shares.size())) sum = sum.and(share.report());
        return sum;
    }

    private boolean told() {
        String failure = report.failure();
        List<String> missing = report.missing();
        if (failure == null && seeds > 1 && !missing.isEmpty()) failure = Search.never(missing, seeds);
        if (failure != null) results.accept(prefix + failure);
        else
            results.accept(String.format(
                    Locale.ROOT,
                    "%s%s in %.1f s",
                    prefix,
                    seeds == 1 ? "seed " + first + " passes" : number(seeds) + " seeds pass",
                    (System.nanoTime() - begin) / 1e9));
        return failure == null;
    }

    private String progress() {
        long done = report.done();
        long rate = done * NANOS / Math.max(1, System.nanoTime() - begin);
        String text = number(done) + " of " + number(seeds) + " seeds, " + number(rate) + " a second";
        int facts = report.reached().size();
        if (facts == 0) return text;
        List<String> missing = report.missing();
        text += "; reached " + (facts - missing.size()) + " of " + facts;
        return missing.isEmpty() ? text : text + ", not yet: " + String.join("; ", missing);
    }

    private void interrupted(List<SeedShare> shares) {
        ending = true;
        for (SeedShare share : shares) share.stop();
        if (report.failure() == null) messages.accept(prefix + "stopped: " + progress() + "; none has failed");
    }

    private static String number(long number) {
        return String.format(Locale.ROOT, "%,d", number);
    }
}
