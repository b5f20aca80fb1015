package org.trueasync.launcher;

import java.util.List;
import org.trueasync.stress.fuzz.Inputs;

/** The words of a command line, each on a line. */
public final class CommandLineFuzz {
    public static final List<byte[]> SEEDS = Inputs.seeds(
            "run\n--reactor=nio\n-cp\na:b\n--drain-timeout\n5\n--shutdown-timeout=1e1\nMain\nx",
            "run\n--held-loop-after=off\n--black-box=4\n--record-on=request=5ms,error\n--watch\n--\na.java",
            "tree\n--all\n12",
            "stats\n1\n--watch",
            "dump\n--json\n1",
            "record\n1\n-o\nx",
            "timeline\na.jfr\n-o\nb",
            "new\nservice\na-b",
            "simulate\n--seeds\n1..9\na.java",
            "explain\nx",
            "ps\n--help",
            "rnu");

    private CommandLineFuzz() {}

    public static void fuzzerTestOneInput(byte[] input) {
        try {
            CommandLine.parse(Inputs.latin1(input).split("\n", -1));
        } catch (UsageException e) {
            if (e.getMessage().chars().anyMatch(c -> c < ' ' || c == 0x7f))
                throw new AssertionError("what goes to the terminal: " + e.getMessage());
        }
    }
}
