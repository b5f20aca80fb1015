package org.trueasync.bench.jmh;

import java.io.File;
import java.io.FileOutputStream;
import java.io.IOException;
import java.io.PrintStream;
import java.util.regex.Pattern;
import org.openjdk.jmh.profile.GCProfiler;
import org.openjdk.jmh.results.RunResult;
import org.openjdk.jmh.runner.Runner;
import org.openjdk.jmh.runner.RunnerException;
import org.openjdk.jmh.runner.format.OutputFormatFactory;
import org.openjdk.jmh.runner.options.ChainedOptionsBuilder;
import org.openjdk.jmh.runner.options.OptionsBuilder;
import org.openjdk.jmh.runner.options.TimeValue;
import org.openjdk.jmh.runner.options.VerboseMode;
import org.trueasync.bench.ClassPath;
import org.trueasync.bench.JvmFlags;
import org.trueasync.bench.Peer;

/**
 * Runs one fork of one benchmark for one peer.
 *
 * <p>The rounds are made by us and not by JMH. JMH's forks of one benchmark follow each other, so a slow phase of the
 * machine would affect that benchmark alone.
 */
final class JmhFork {

    private static final int WARM_UPS = 3;
    private static final TimeValue WARM_UP = TimeValue.milliseconds(250);
    private static final int ITERATIONS = 3;
    private static final TimeValue ITERATION = TimeValue.milliseconds(200);

    private JmhFork() {}

    /** The medians over the iterations, for one operation. */
    record Figures(double nanos, double bytes) {}

    /** @param pinned whether it stays on the cpu that is idlest now */
    static Figures run(JmhCase jmhCase, Peer peer, boolean pinned, File log)
            throws RunnerException, IOException, InterruptedException {
        ChainedOptionsBuilder options = new OptionsBuilder()
                .include("^" + Pattern.quote(jmhCase.benchmark().getName() + "." + jmhCase.method()) + "$")
                .param("peer", peer.code().name())
                .forks(1)
                .warmupIterations(WARM_UPS)
                .warmupTime(WARM_UP)
                .measurementIterations(ITERATIONS)
                .measurementTime(ITERATION)
                .addProfiler(GCProfiler.class)
                .shouldFailOnError(true)
                .jvmArgs(JvmFlags.workload(peer).toArray(String[]::new));
        jmhCase.parameters().forEach(options::param);
        if (pinned) options.jvm(IdleCpu.java(log).toString());
        // JMH gives its forks the class path that this property has
        System.setProperty("java.class.path", ClassPath.of(peer));
        try (var out = new PrintStream(new FileOutputStream(log, true))) {
            RunResult result = new Runner(
                            options.build(), OutputFormatFactory.createFormatInstance(out, VerboseMode.NORMAL))
                    .runSingle();
            return figures(result);
        }
    }

    private static Figures figures(RunResult result) {
        return new Figures(
                result.getPrimaryResult().getStatistics().getPercentile(50),
                result.getSecondaryResults()
                        .get("gc.alloc.rate.norm")
                        .getStatistics()
                        .getPercentile(50));
    }
}
