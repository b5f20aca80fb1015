package org.trueasync.launcher;

import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;

/** Parses the words after {@code simulate}; options may stand before and after the program. */
final class SimulateLine {
    private static final List<String> OPTIONS = List.of(
            "-cp",
            "-classpath",
            "--class-path",
            "--seeds",
            "--from",
            "--seed",
            "--jobs",
            "--scenario",
            "--timeline",
            "--help");
    private static final int MAX_JOBS = 1_000;

    private @Nullable String classPath;
    private @Nullable String program;
    private @Nullable String scenario;
    private @Nullable String timeline;
    private long first = 1;
    private long seeds = 1_000;
    private @Nullable Long only;
    private int jobs = 1;

    private SimulateLine() {}

    static Command parse(Queue<String> words) throws UsageException {
        var line = new SimulateLine();
        for (String word = words.poll(); word != null; word = words.poll()) {
            if (word.equals("--help") || word.equals("-h")) return new Command.Help();
            if (word.startsWith("-")) line.option(word, words);
            else if (line.program == null) line.program = word;
            else throw new UsageException("one program at a time, got '" + word + "' too" + CommandLine.SEE_HELP);
        }
        if (line.program == null)
            throw new UsageException(
                    "no program: trueasync simulate FILE.java, or -cp PATH Class" + CommandLine.SEE_HELP);
        long from = line.only == null ? line.first : line.only;
        return new Command.Simulate(
                line.classPath,
                line.program,
                line.scenario,
                from,
                line.only == null ? line.seeds : 1,
                line.only == null ? line.jobs : 1,
                line.timeline);
    }

    private void option(String word, Queue<String> words) throws UsageException {
        int equals = word.startsWith("--") ? word.indexOf('=') : -1;
        String name = equals < 0 ? word : word.substring(0, equals);
        if (!OPTIONS.contains(name))
            throw new UsageException("unknown option " + name + CommandLine.suggestion(name, OPTIONS));
        String value = CommandLine.value(words, name, equals < 0 ? null : word.substring(equals + 1));
        switch (name) {
            case "--seeds" -> seeds = number(name, value, 1, Integer.MAX_VALUE);
            case "--from" -> first = number(name, value, Long.MIN_VALUE, Long.MAX_VALUE - Integer.MAX_VALUE);
            case "--seed" -> only = number(name, value, Long.MIN_VALUE, Long.MAX_VALUE);
            case "--jobs" -> jobs = (int) number(name, value, 1, MAX_JOBS);
            case "--scenario" -> scenario = value;
            case "--timeline" -> timeline = value;
            default -> classPath = value;
        }
    }

    private static long number(String name, String text, long least, long most) throws UsageException {
        try {
            long number = Long.parseLong(text.replace("_", "").replace(",", ""));
            if (number >= least && number <= most) return number;
        } catch (NumberFormatException notANumber) {
            // the same error message as for a number out of range
        }
        throw new UsageException(name + " must be a whole number, " + least + " to " + most + ", got '" + text + "'");
    }
}
