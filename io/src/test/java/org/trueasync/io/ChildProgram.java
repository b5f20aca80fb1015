package org.trueasync.io;

import java.io.File;
import java.io.IOException;
import java.lang.management.ManagementFactory;
import java.nio.charset.StandardCharsets;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.stream.Stream;

/** Runs a class of the tests in a JVM of its own: for what may end or exhaust a process. */
public final class ChildProgram {
    private final List<String> before = new ArrayList<>();
    private final List<String> options = new ArrayList<>();
    private int seconds = 250;

    /** Runs under a limit of the shell: {@code -n 120}. */
    ChildProgram limit(String limit) {
        return shell("ulimit " + limit);
    }

    /** Runs after a command of the shell. */
    ChildProgram shell(String command) {
        before.addAll(List.of("bash", "-c", command + "; exec \"$@\"", "bash"));
        return this;
    }

    /** Runs as a user of its own, with a limit of the kernel's: {@code max_inotify_watches}, 3. */
    ChildProgram kernelLimit(String name, int value) {
        before.addAll(List.of(
                "unshare",
                "-Ur",
                "bash",
                "-c",
                "echo " + value + " > /proc/sys/user/" + name + " || exit 99; exec \"$@\"",
                "bash"));
        return this;
    }

    /** Runs on a pseudo-terminal of 33 rows and 77 columns, and shows its settings when the program has ended. */
    ChildProgram terminal() {
        before.addAll(List.of(
                "bash",
                "-c",
                "SHELL=/bin/bash exec script -qec "
                        + "\"stty rows 33 cols 77; $(printf '%q ' \"$@\"); echo exit \\$?; stty -a\" /dev/null",
                "bash"));
        return this;
    }

    /**
     * Runs in namespaces of its own, after a script that prepares them; ends with 99 where that can't be done.
     *
     * @param kinds as unshare takes them: {@code mn} for mounts and network
     * @param script for bash
     */
    ChildProgram namespaces(String kinds, String script) {
        before.addAll(List.of(
                "bash",
                "-c",
                "unshare -Ur" + kinds + " true 2>/dev/null || { echo no namespaces; exit 99; }; exec unshare -Ur"
                        + kinds + " bash -c '{ " + script + "; } || exit 99; exec \"$@\"' bash \"$@\"",
                "bash"));
        return this;
    }

    /**
     * Runs with the system's own dispositions of signals: a build that a script has put into the background inherits
     * that SIGINT is ignored.
     */
    ChildProgram defaultSignals() {
        before.addAll(List.of("env", "--default-signal"));
        return this;
    }

    /** Is run by another program: {@code unshare -n}. */
    ChildProgram under(String... command) {
        before.addAll(List.of(command));
        return this;
    }

    /** Is ended after so many seconds, in place of 100. */
    ChildProgram atMost(int newSeconds) {
        seconds = newSeconds;
        return this;
    }

    /** With more options of the JVM. */
    public ChildProgram options(String... more) {
        options.addAll(List.of(more));
        return this;
    }

    private Process start(Class<?> main, String... arguments) throws IOException {
        var command = new ArrayList<>(before);
        command.add(Path.of(System.getProperty("java.home"), "bin", "java").toString());
        command.addAll(
                List.of("-ea", "--add-opens", "java.base/java.lang=ALL-UNNAMED", "--enable-native-access=ALL-UNNAMED"));
        List<String> ours = ManagementFactory.getRuntimeMXBean().getInputArguments();
        if (ours.contains("-XX:TieredStopAtLevel=1")) command.add("-XX:TieredStopAtLevel=1");
        if (options.stream().noneMatch(option -> option.matches("-XX:\\+Use\\w+GC"))
                && ours.contains("-XX:+UseSerialGC")) command.add("-XX:+UseSerialGC");
        String library = System.getProperty("org.trueasync.libuv");
        if (library != null) command.add("-Dorg.trueasync.libuv=" + library);
        command.addAll(options);
        command.addAll(List.of("-cp", System.getProperty("java.class.path"), main.getName()));
        command.addAll(List.of(arguments));
        var builder = new ProcessBuilder(command).redirectErrorStream(true);
        // a JVM that crashes leaves its report in its directory
        builder.directory(new File(System.getProperty("java.io.tmpdir")));
        // what they add would be reported on the child's output
        builder.environment().keySet().removeAll(List.of("JDK_JAVA_OPTIONS", "JAVA_TOOL_OPTIONS"));
        return builder.start();
    }

    /**
     * In a child: loads our classes. From a class path of directories, as tests have it, loading takes a descriptor
     * each time; from a jar it does not.
     */
    static void loadClasses() throws IOException, ClassNotFoundException {
        for (String entry : System.getProperty("java.class.path").split(File.pathSeparator)) {
            Path root = Path.of(entry);
            if (!Files.isDirectory(root)) continue;
            List<Path> files;
            try (Stream<Path> tree = Files.walk(root)) {
                files = tree.filter(f -> f.toString().endsWith(".class")).toList();
            }
            for (Path file : files) {
                String name = root.relativize(file).toString().replace(File.separatorChar, '.');
                if (!name.startsWith("org.trueasync.")
                        || name.endsWith("Test.class")
                        || name.contains("Test$")
                        || name.contains("onformance")) continue;
                Class.forName(name.substring(0, name.length() - 6), false, ChildProgram.class.getClassLoader());
            }
        }
    }

    /** A child that goes on by itself. */
    Process begin(Class<?> main, String... arguments) throws IOException {
        return start(main, arguments);
    }

    /** Everything that it wrote, then its exit status on a line of its own. */
    public String run(Class<?> main, String... arguments) throws IOException, InterruptedException {
        Process process = start(main, arguments);
        process.getOutputStream().close();
        Thread limit = Thread.ofPlatform().daemon().start(() -> {
            try {
                if (!process.waitFor(seconds, TimeUnit.SECONDS)) process.destroyForcibly();
            } catch (InterruptedException e) {
                // not needed any more
            }
        });
        String output = new String(process.getInputStream().readAllBytes(), StandardCharsets.UTF_8);
        int status = process.waitFor();
        limit.interrupt();
        return output + "exit " + status;
    }
}
