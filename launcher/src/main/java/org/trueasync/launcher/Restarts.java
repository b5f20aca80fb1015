package org.trueasync.launcher;

import java.io.IOException;
import java.io.PrintWriter;
import java.io.StringWriter;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.TreeMap;
import java.util.concurrent.TimeUnit;
import org.jspecify.annotations.Nullable;

/**
 * Runs a program in a process of its own, and starts it again each time that something of it has changed: a source that
 * the compiler has read, a library, a jar. The old process is drained before the new one begins. Sources are compiled
 * here, so a change that does not compile leaves the old process running, and the new one finds its classes.
 *
 * <p>Changes are found by looking, not by the system's notifications: these miss files on network drives and what
 * editors put in the place of a file.
 */
final class Restarts {
    private static final long LOOK_EVERY_MILLIS = 100;

    private final Command.Run command;
    private final List<Path> classPath;
    private final List<String> processCommand;

    /** How the class path was when the program was last prepared. */
    private Map<Path, String> before = Map.of();

    private SourceTree sources = new SourceTree();
    private @Nullable Process running;
    private boolean ending;

    /**
     * Watches a program.
     *
     * @param command what runs it
     * @param words the arguments of {@code main}, {@code --watch} among them
     * @throws UsageException if there is no such program
     */
    Restarts(Command.Run command, String... words) throws UsageException {
        this.command = command;
        processCommand = Relaunch.command(withoutWatch(words));
        try {
            classPath =
                    new ArrayList<>(command.classPath() == null ? List.of() : ProgramPath.split(command.classPath()));
            Path program = Program.existing(command.program(), command.classPath());
            if (program != null && !isSource()) classPath.add(program);
        } catch (IOException e) {
            throw new UsageException("can't watch " + command.program() + ": " + e.getMessage());
        }
    }

    /** The first {@code --watch} is ours; the program may have one too. */
    private static String[] withoutWatch(String... words) {
        List<String> left = new ArrayList<>(List.of(words));
        left.remove(CommandLine.WATCH);
        return left.toArray(String[]::new);
    }

    /**
     * Runs until a signal ends this process.
     *
     * @throws UsageException if there is no such program
     */
    void begin() throws UsageException, InterruptedException {
        ExitHook.atEnd(this::end);
        Path changed = null;
        while (true) {
            if (prepare()) {
                stop(changed);
                start();
            }
            changed = awaitChange();
        }
    }

    private boolean isSource() {
        return command.program().endsWith(".java");
    }

    /** Compiles the sources, if it is a program in source; false if that failed, which has been told. */
    private boolean prepare() {
        StringWriter said = new StringWriter();
        try {
            before = states();
            if (!isSource()) return true;
            sources = new SourceTree();
            sources.see(Path.of(command.program()));
            Path source = Objects.requireNonNull(Program.existing(command.program(), command.classPath()));
            try (PrivateDirectory classes = PrivateDirectory.create()) {
                SourceBuild.of(source, classPath).compile(classes.path(), new PrintWriter(said), sources);
            }
            return true;
        } catch (SourceProgram.CompilationFailed e) {
            Diagnostics.print(said.toString());
        } catch (UsageException | IOException e) {
            Diagnostics.printError(String.valueOf(e.getMessage()));
        }
        return false;
    }

    private Map<Path, String> states() throws IOException {
        Map<Path, String> states = new TreeMap<>();
        for (Path element : classPath) states.put(element, FileState.of(element));
        return states;
    }

    // ---- the process

    private synchronized void start() throws UsageException {
        if (ending) return;
        try {
            running = Relaunch.with(processCommand, List.of()).inheritIO().start();
        } catch (IOException e) {
            throw new UsageException("could not start " + command.program() + ": " + e.getMessage());
        }
    }

    private void stop(@Nullable Path changed) throws InterruptedException {
        Process process = running;
        if (process == null) return;
        Diagnostics.printError(changed + " has changed; starting again");
        process.destroy();
        process.waitFor();
    }

    /** A signal of the terminal has reached the program already; within a second another one does not count. */
    private void end() {
        Process process;
        synchronized (this) {
            ending = true;
            process = running;
        }
        if (process == null) return;
        process.destroy();
        try {
            process.waitFor();
        } catch (InterruptedException nobodyInterrupts) {
            process.destroyForcibly();
        }
    }

    // ---- changes

    private Path awaitChange() throws InterruptedException {
        Process process = running;
        while (true) {
            if (process == null) {
                Thread.sleep(LOOK_EVERY_MILLIS);
            } else if (process.waitFor(LOOK_EVERY_MILLIS, TimeUnit.MILLISECONDS)) {
                Diagnostics.printError("the program has ended with status " + process.exitValue()
                        + "; it starts again when something of it changes");
                process = null;
            }
            Path changed = changed();
            if (changed == null) continue;
            Thread.sleep(LOOK_EVERY_MILLIS); // whoever changes it may not have finished
            return changed;
        }
    }

    private @Nullable Path changed() {
        try {
            for (Map.Entry<Path, String> element : before.entrySet())
                if (!FileState.of(element.getKey()).equals(element.getValue())) return element.getKey();
            return sources.changed();
        } catch (IOException whileItIsWritten) {
            return null;
        }
    }
}
