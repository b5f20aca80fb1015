package org.trueasync.launcher;

import static org.assertj.core.api.Assertions.assertThat;

import java.io.File;
import java.io.IOException;
import java.io.Writer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.LinkedHashSet;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;
import javax.tools.ToolProvider;

/** The launcher in a process of its own, started as {@code bin/trueasync} starts it. */
final class LauncherProcess {
    private static final long SECONDS = 110;

    private LauncherProcess() {}

    /** What a finished process left. */
    record Result(int status, String out, String err) {}

    /** Runs {@code trueasync} with these arguments, in this directory. */
    static Result run(Path directory, String... arguments) throws Exception {
        return run(directory, FLAGS, arguments);
    }

    static final List<String> FLAGS =
            List.of("--add-opens", "java.base/java.lang=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED");

    /** The flags of {@link #FLAGS}, and more. */
    static List<String> flagsAnd(String... more) {
        return Stream.concat(FLAGS.stream(), Stream.of(more)).toList();
    }

    /** What the command adds to pin a coroutine that loads a class. */
    private static final List<String> PINNING = List.of("--add-exports", "java.base/jdk.internal.vm=ALL-UNNAMED");

    static Result run(Path directory, List<String> flags, String... arguments) throws Exception {
        return execute(
                directory,
                new ProcessBuilder(command(flags, List.of(), arguments)).redirectInput(new File("/dev/null")),
                "");
    }

    /** Runs {@code trueasync} with this cache, or "off". */
    static Result run(Path directory, String cache, List<String> flags, String... arguments) throws Exception {
        ProcessBuilder builder =
                new ProcessBuilder(command(flags, List.of(), arguments)).redirectInput(new File("/dev/null"));
        builder.environment().put("TRUEASYNC_CACHE", cache);
        return execute(directory, builder, "");
    }

    /** Runs {@code trueasync} with the watch on its loop that a user has. */
    static Result runWatched(Path directory, String... arguments) throws Exception {
        List<String> command = command(FLAGS, List.of(), new String[0]);
        command.addAll(List.of(arguments));
        return execute(directory, new ProcessBuilder(command).redirectInput(new File("/dev/null")), "");
    }

    /** Runs {@code trueasync} with text that comes through a pipe. */
    static Result runWithInput(Path directory, String input, String... arguments) throws Exception {
        return execute(directory, new ProcessBuilder(command(FLAGS, List.of(), arguments)), input);
    }

    /** Starts {@code trueasync} with a pipe at each stream, for those who talk with it. */
    static Process start(Path directory, String... arguments) throws Exception {
        return starting(directory, arguments).start();
    }

    /** What {@link #start} starts, for those who want other streams. */
    static ProcessBuilder starting(Path directory, String... arguments) throws Exception {
        return new ProcessBuilder(command(FLAGS, List.of(), arguments)).directory(directory.toFile());
    }

    /** Runs a class of the directory with the same jars but without the command. */
    static Result runAsLibrary(Path directory, List<String> flags, String mainClass, String... arguments)
            throws Exception {
        return execute(directory, library(directory, flags, mainClass, arguments), "");
    }

    /** What {@link #runAsLibrary} runs, for those who want another environment. */
    static ProcessBuilder library(Path directory, List<String> flags, String mainClass, String... arguments)
            throws Exception {
        List<String> command = java(flags, List.of(directory.toString()));
        command.add(mainClass);
        command.addAll(List.of(arguments));
        return new ProcessBuilder(command);
    }

    private static List<String> command(List<String> flags, List<String> morePath, String... arguments)
            throws Exception {
        List<String> all = new ArrayList<>(flags);
        all.addAll(PINNING);
        List<String> command = java(all, morePath);
        command.add(Main.class.getName());
        command.addAll(unwatched(List.of(arguments)));
        return command;
    }

    /**
     * With a limit for held loops or none: on a slow machine, loading classes alone can take longer than a user's
     * limit.
     */
    static List<String> unwatched(List<String> arguments) {
        if (arguments.isEmpty() || !arguments.getFirst().equals("run")) return arguments;
        if (arguments.stream().anyMatch(argument -> argument.startsWith("--held-loop-after"))) return arguments;
        List<String> unwatched = new ArrayList<>(arguments);
        unwatched.addAll(1, List.of("--held-loop-after", "off"));
        return unwatched;
    }

    private static List<String> java(List<String> flags, List<String> morePath) throws Exception {
        List<String> command = new ArrayList<>();
        command.add(java());
        command.addAll(flags);
        List<String> path = new ArrayList<>(classPath());
        path.addAll(morePath);
        command.addAll(List.of("-cp", String.join(File.pathSeparator, path)));
        return command;
    }

    static String java() {
        return Path.of(System.getProperty("java.home"), "bin", "java").toString();
    }

    /** Runs any process, gives it the input if that is a pipe, and waits for its end. */
    static Result execute(Path directory, ProcessBuilder builder, String input) throws Exception {
        Path out = Files.createTempFile(directory, "out", ".txt");
        Path err = Files.createTempFile(directory, "err", ".txt");
        builder.directory(directory.toFile()).redirectOutput(out.toFile()).redirectError(err.toFile());
        builder.environment().remove("JDK_JAVA_OPTIONS");
        builder.environment().remove("JAVA_TOOL_OPTIONS");
        builder.environment().putIfAbsent("TRUEASYNC_CACHE", "off");
        Process process = builder.start();
        try (Writer writer = process.outputWriter(StandardCharsets.UTF_8)) {
            writer.write(input);
        }
        if (!process.waitFor(SECONDS, TimeUnit.SECONDS)) {
            process.destroyForcibly();
            throw new AssertionError("still running after " + SECONDS + " s; out:\n" + Files.readString(out)
                    + "\nerr:\n" + Files.readString(err));
        }
        return new Result(process.exitValue(), Files.readString(out), Files.readString(err));
    }

    /** Compiles a source file in a directory, to classes there. */
    static void compile(Path directory, String source, String... options) throws Exception {
        List<String> arguments = new ArrayList<>(List.of(options));
        arguments.addAll(List.of(
                "-proc:none",
                "-cp",
                String.join(File.pathSeparator, classPath()),
                "-d",
                directory.toString(),
                directory.resolve(source).toString()));
        int status = Objects.requireNonNull(ToolProvider.getSystemJavaCompiler())
                .run(null, null, null, arguments.toArray(String[]::new));
        assertThat(status).isZero();
    }

    /** Where the build has put the launcher and what it runs programs with, found through classes of theirs. */
    static Set<String> classPath() throws Exception {
        Set<String> places = new LinkedHashSet<>();
        for (String name : List.of(
                Main.class.getName(),
                "org.trueasync.Async",
                "org.trueasync.io.Exec",
                "org.trueasync.internal.diagnostics.Dump",
                "org.trueasync.reactor.libuv.LibuvProvider",
                "org.trueasync.reactor.nio.NioProvider")) {
            places.add(placeOf(Class.forName(name, false, LauncherProcess.class.getClassLoader())));
        }
        return places;
    }

    static String placeOf(Class<?> type) throws Exception {
        return Path.of(type.getProtectionDomain().getCodeSource().getLocation().toURI())
                .toString();
    }

    /** Writes a source file into the directory. */
    static void write(Path directory, String name, String text) throws IOException {
        Files.writeString(directory.resolve(name), text);
    }
}
