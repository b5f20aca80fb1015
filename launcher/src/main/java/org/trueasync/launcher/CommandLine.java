package org.trueasync.launcher;

import java.time.Duration;
import java.util.ArrayDeque;
import java.util.List;
import java.util.Queue;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.blackbox.BlackBox;

/**
 * Parses the command line. The launcher's own options end at {@code --} or at the program's name. All words after the
 * name are the program's arguments, passed on unchanged. Files ({@code @file}) and variables are not expanded.
 */
final class CommandLine {
    /*
     * This uses no library, because that would be on the class path of every program, perhaps in another version than
     * the program's own.
     */

    /** The system property that sets the default of {@code --shutdown-timeout}, in seconds; without it 30. */
    static final String TIMEOUT_PROPERTY = "trueasync.shutdownTimeout";

    /**
     * The system property that sets the default of {@code --held-loop-after}, in milliseconds, or {@code off}; without
     * it 100.
     */
    static final String HELD_LOOP_PROPERTY = "org.trueasync.heldLoopAfter";

    private static final String DEFAULT_HELD_LOOP = "100";
    private static final long MAX_HOLD_MILLIS = 3_600_000;

    private static final String DEFAULT_DRAIN_TIMEOUT = "10";
    private static final String DEFAULT_TIMEOUT = "30";
    private static final double MAX_TIMEOUT_SECONDS = 86_400;
    private static final List<String> COMMANDS = List.of(
            "run",
            "simulate",
            "ps",
            "tree",
            "why",
            "stats",
            "stuck",
            "dump",
            "inspect",
            "record",
            "timeline",
            "new",
            "explain",
            "mcp",
            "--help",
            "--version");
    private static final List<String> RUN_OPTIONS = List.of(
            "--reactor",
            "-cp",
            "-classpath",
            "--class-path",
            "--drain-timeout",
            "--shutdown-timeout",
            "--held-loop-after",
            "--black-box",
            "--record-on",
            "--watch",
            "--help",
            "--version");
    /** Of {@code run} and of {@code stats}. */
    static final String WATCH = "--watch";

    static final String SEE_HELP = "; see trueasync --help";

    private final Queue<String> words;
    private @Nullable String reactor;
    private @Nullable String classPath;
    private String drainTimeout = DEFAULT_DRAIN_TIMEOUT;
    private String timeout = System.getProperty(TIMEOUT_PROPERTY, DEFAULT_TIMEOUT);

    private boolean watch;
    private String blackBox = BlackBox.DEFAULT_MEGABYTES;
    private @Nullable String recordOn;
    private String heldLoop = System.getProperty(HELD_LOOP_PROPERTY, DEFAULT_HELD_LOOP);

    private CommandLine(String[] arguments) {
        this.words = new ArrayDeque<>(List.of(arguments));
    }

    /**
     * Parses a whole command line.
     *
     * @param arguments arguments as the process got them
     * @return the command
     * @throws UsageException if the command line is wrong; for an unknown word the message names the most similar known
     *     one
     */
    static Command parse(String... arguments) throws UsageException {
        return new CommandLine(arguments).command();
    }

    private Command command() throws UsageException {
        String first = words.poll();
        return switch (first) {
            case null -> throw new UsageException("nothing to do: trueasync run FILE.java" + SEE_HELP);
            case "run" -> run();
            case "ps" -> last("ps", new Command.Processes());
            case "mcp" -> last("mcp", new Command.Mcp());
            case "tree" -> ask("tree", "--all", "tree --all");
            case "why" -> ask("why", null, "why");
            case "stats" -> ask("stats", WATCH, "stats");
            case "stuck" -> ask("stuck", null, "stuck");
            case "dump" -> ask("dump", "--json", "json");
            case "inspect" -> inspect();
            case "record" -> record();
            case "timeline" -> timeline();
            case "new" -> NewProject.parse(words);
            case "explain" -> Explain.parse(words);
            case "simulate" -> SimulateLine.parse(words);
            case "--help", "-h", "help" -> new Command.Help();
            case "--version", "-V", "version" -> new Command.Version();
            default ->
                throw new UsageException((first.startsWith("-") ? "unknown option " : "unknown command ")
                        + first
                        + suggestion(first, COMMANDS));
        };
    }

    /**
     * Parses the rest of a question to a process.
     *
     * @param name of the command
     * @param option that it has, or null
     * @param withOption the question, if the option is given
     */
    private Command ask(String name, @Nullable String option, String withOption) throws UsageException {
        String pid = null;
        boolean isGiven = false;
        for (String word = words.poll(); word != null; word = words.poll()) {
            if (word.equals("--help") || word.equals("-h")) return new Command.Help();
            if (word.equals(option)) isGiven = true;
            else if (word.startsWith("-"))
                throw new UsageException(
                        "unknown option " + word + suggestion(word, option == null ? List.of() : List.of(option)));
            else if (pid == null) pid = word;
            else throw new UsageException("one process at a time: trueasync " + name + " PID" + SEE_HELP);
        }
        if (pid == null) throw new UsageException("which process? trueasync ps lists them: trueasync " + name + " PID");
        return new Command.Ask(number(pid), isGiven ? withOption : name, isGiven && WATCH.equals(option));
    }

    private Command inspect() throws UsageException {
        return words.isEmpty()
                ? new Command.Inspect(null)
                : switch (ask("inspect", null, "inspect")) {
                    case Command.Ask process -> new Command.Inspect(process.pid());
                    case Command help -> help;
                };
    }

    private Command timeline() throws UsageException {
        String recording = null;
        String output = null;
        for (String word = words.poll(); word != null; word = words.poll()) {
            if (word.equals("--help") || word.equals("-h")) return new Command.Help();
            if (word.equals("-o")) output = value(words, word, null);
            else if (word.startsWith("-")) throw new UsageException("unknown option " + word + SEE_HELP);
            else if (recording == null) recording = word;
            else throw new UsageException("one recording at a time: trueasync timeline RECORDING.jfr" + SEE_HELP);
        }
        if (recording == null)
            throw new UsageException("which recording? trueasync timeline RECORDING [-o OUT.json]" + SEE_HELP);
        return new Command.Timeline(recording, output);
    }

    private Command record() throws UsageException {
        String pid = null;
        String output = null;
        for (String word = words.poll(); word != null; word = words.poll()) {
            if (word.equals("--help") || word.equals("-h")) return new Command.Help();
            if (word.equals("-o")) output = value(words, word, null);
            else if (word.startsWith("-")) throw new UsageException("unknown option " + word + SEE_HELP);
            else if (pid == null) pid = word;
            else throw new UsageException("one process at a time: trueasync record PID" + SEE_HELP);
        }
        if (pid == null) throw new UsageException("which process? trueasync ps lists them: trueasync record PID");
        return new Command.RecordOf(number(pid), output);
    }

    private static String blackBox(String given) throws UsageException {
        if (given.equals("off") || BlackBox.isSize(given)) return given;
        throw new UsageException("black box must be off, or a power of two from 1 to 1024 MiB, got '" + given + "'");
    }

    private static @Nullable String recordOn(@Nullable String given, String blackBox) throws UsageException {
        String problem = given == null ? null : BlackBox.problemOfLimits(given);
        if (given != null && blackBox.equals("off"))
            throw new UsageException("--record-on needs a black box, and --black-box is off");
        if (problem == null) return given;
        throw new UsageException("record on: " + problem);
    }

    private static long number(String pid) throws UsageException {
        try {
            long number = Long.parseLong(pid);
            if (number > 0) return number;
        } catch (NumberFormatException notANumber) {
            // the same error message as for a number out of range
        }
        throw new UsageException("'" + pid + "' is not the number of a process; trueasync ps lists them");
    }

    private Command last(String name, Command command) throws UsageException {
        String more = words.poll();
        if (more == null) return command;
        if (more.equals("--help") || more.equals("-h")) return new Command.Help();
        throw new UsageException("nothing is expected after " + name + ", got '" + more + "'" + SEE_HELP);
    }

    private Command run() throws UsageException {
        for (String next = words.peek(); next != null && next.startsWith("-"); next = words.peek()) {
            words.remove();
            int equals = next.startsWith("--") ? next.indexOf('=') : -1;
            String name = equals < 0 ? next : next.substring(0, equals);
            String attached = equals < 0 ? null : next.substring(equals + 1);
            switch (name) {
                case "--reactor" -> reactor = value(words, name, attached);
                case "-cp", "-classpath", "--class-path" -> classPath = value(words, name, attached);
                case "--drain-timeout" -> drainTimeout = value(words, name, attached);
                case "--shutdown-timeout" -> timeout = value(words, name, attached);
                case "--held-loop-after" -> heldLoop = value(words, name, attached);
                case "--black-box" -> blackBox = value(words, name, attached);
                case "--record-on" -> recordOn = value(words, name, attached);
                case WATCH -> watch = true;
                case "--help", "-h" -> {
                    return new Command.Help();
                }
                case "--version", "-V" -> {
                    return new Command.Version();
                }
                case "--" -> {
                    return program();
                }
                default -> throw new UsageException("unknown option " + name + suggestion(name, RUN_OPTIONS));
            }
        }
        return program();
    }

    private Command program() throws UsageException {
        String program = words.poll();
        if (program == null || program.isEmpty()) {
            throw new UsageException("no program: trueasync run FILE.java, app.jar, or -cp PATH MainClass" + SEE_HELP);
        }
        var run = new Command.Run(
                reactor,
                classPath,
                seconds("drain", drainTimeout),
                seconds("shutdown", timeout),
                holdLimit(heldLoop),
                blackBox(blackBox),
                recordOn(recordOn, blackBox),
                program,
                List.copyOf(words));
        return watch ? new Command.Watch(run) : run;
    }

    /** The value of an option: what stands behind its {@code =}, or the next word. */
    static String value(Queue<String> words, String option, @Nullable String attached) throws UsageException {
        String value = attached != null ? attached : words.poll();
        if (value == null || value.isEmpty()) {
            throw new UsageException("option " + option + " needs a value" + SEE_HELP);
        }
        return value;
    }

    private static Duration seconds(String what, String text) throws UsageException {
        try {
            double seconds = Double.parseDouble(text);
            if (seconds >= 0 && seconds <= MAX_TIMEOUT_SECONDS) {
                return Duration.ofMillis(Math.round(seconds * 1000));
            }
        } catch (NumberFormatException notANumber) {
            // the same error message as for a number out of range
        }
        throw new UsageException(what + " timeout must be 0 to 86400 seconds, got '" + text + "'");
    }

    private static Duration holdLimit(String text) throws UsageException {
        if (text.equals("off")) return Duration.ZERO;
        try {
            long millis = Long.parseLong(text);
            if (millis >= 0 && millis <= MAX_HOLD_MILLIS) return Duration.ofMillis(millis);
        } catch (NumberFormatException notANumber) {
            // the same error message as for a number out of range
        }
        throw new UsageException("held loop limit must be 0 to 3600000 milliseconds, or off, got '" + text + "'");
    }

    /** What an error about an unknown word ends with: the most similar known one. */
    static String suggestion(String got, List<String> known) {
        return Nearest.to(got, known)
                .map(nearest -> "; did you mean " + nearest + "?")
                .orElse(SEE_HELP);
    }
}
