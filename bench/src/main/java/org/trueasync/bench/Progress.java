package org.trueasync.bench;

import java.io.PrintStream;
import java.time.Duration;

/**
 * Shows on standard error what is being measured. On a terminal that is one line, which is rewritten for each step.
 * {@code bin/bench} says whether it is a terminal, because Java can ask that about standard output alone. Only the
 * table goes to standard output.
 */
public final class Progress {

    private final PrintStream out = System.err;
    private final boolean terminal = Boolean.getBoolean("trueasync.bench.terminal");
    private final long start = System.nanoTime();
    private String prefix = "";

    void enter(String suite, int round, int rounds) {
        prefix = suite + ", round " + round + " of " + rounds;
    }

    public void step(String what) {
        Duration elapsed = Duration.ofNanos(System.nanoTime() - start);
        String line = "%3d:%02d  %s: %s".formatted(elapsed.toMinutes(), elapsed.toSecondsPart(), prefix, what);
        out.print(terminal ? "\r\033[K" + line : line + System.lineSeparator());
        out.flush();
    }

    /** Reports that one measurement has failed; the others go on. */
    void failed(Throwable error) {
        out.println((terminal ? "\n" : "") + "  failed: " + error);
    }

    void end() {
        if (terminal) {
            out.print("\r\033[K");
        }
    }
}
