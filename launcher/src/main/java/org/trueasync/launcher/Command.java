package org.trueasync.launcher;

import java.time.Duration;
import java.util.List;
import org.jspecify.annotations.Nullable;

/** What the user asked for. */
sealed interface Command {
    /** Print the help text. */
    record Help() implements Command {}

    /** Print the version line. */
    record Version() implements Command {}

    /** List the processes that can be asked. */
    record Processes() implements Command {}

    /**
     * Show a process on a page.
     *
     * @param pid the process; null for the only one
     */
    record Inspect(@Nullable Long pid) implements Command {}

    /**
     * Ask a process.
     *
     * @param pid the process
     * @param question as the protocol has it
     * @param again whether to ask again each second
     */
    record Ask(long pid, String question, boolean again) implements Command {}

    /** Answer a program's questions about processes on the standard streams. */
    record Mcp() implements Command {}

    /**
     * Explain a message.
     *
     * @param word of the message; null for the list of all
     */
    record Explain(@Nullable String word) implements Command {}

    /**
     * Make a project or a program.
     *
     * @param kind service, library or script
     * @param name of its folder, or of its class
     */
    record New(String kind, String name) implements Command {}

    /**
     * Turn a flight recording into a trace.
     *
     * @param recording the recording's file
     * @param output the trace's file, "-" for the standard output, or null for one beside the recording
     */
    record Timeline(String recording, @Nullable String output) implements Command {}

    /**
     * Fetch the black box of a process.
     *
     * @param pid the process
     * @param output the file, or null for one in the working directory
     */
    record RecordOf(long pid, @Nullable String output) implements Command {}

    /**
     * Run simulations.
     *
     * @param classPath what {@code -cp} gave, unsplit, or null without it
     * @param program FILE.java or a class name
     * @param scenario the name of the only one to run; null for all
     * @param first the first seed
     * @param seeds how many, 1 or more
     * @param jobs in how many processes, 1 or more
     * @param timeline the file for a trace of the seed that fails, or null
     */
    record Simulate(
            @Nullable String classPath,
            String program,
            @Nullable String scenario,
            long first,
            long seeds,
            int jobs,
            @Nullable String timeline)
            implements Command {}

    /**
     * Run a program.
     *
     * @param reactor the reactor's name, or null to leave the choice to the runtime
     * @param classPath what {@code -cp} gave, unsplit, or null without it
     * @param drainTimeout how long work that is under way may go on after a signal or {@code System.exit}; >= 0
     * @param shutdownTimeout how long the coroutines may then take to end; >= 0
     * @param heldLoopAfter how long a coroutine may hold the loop before that is reported; zero for no reports
     * @param blackBox the size of each loop's black box in MiB, or off
     * @param recordOn when the black box is written without being asked for, or null
     * @param program FILE.java, app.jar or a class name
     * @param arguments the program's arguments, unchanged
     */
    record Run(
            @Nullable String reactor,
            @Nullable String classPath,
            Duration drainTimeout,
            Duration shutdownTimeout,
            Duration heldLoopAfter,
            String blackBox,
            @Nullable String recordOn,
            String program,
            List<String> arguments)
            implements Command {}

    /**
     * Run a program in a process of its own, and start it again when it has changed.
     *
     * @param run what to run
     */
    record Watch(Run run) implements Command {}
}
