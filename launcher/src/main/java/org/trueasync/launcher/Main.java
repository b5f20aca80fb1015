package org.trueasync.launcher;

import java.io.FileDescriptor;
import java.io.FileOutputStream;
import java.io.IOException;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.LocalTime;
import java.time.ZoneId;
import java.time.temporal.ChronoUnit;
import org.trueasync.internal.blackbox.BlackBox;
import org.trueasync.internal.inspect.Inspector;

/** The entry point of the command. */
public final class Main {
    private Main() {}

    /**
     * Executes the command line. After success this returns, so that the JVM waits for non-daemon threads as usual; any
     * other status ends the process.
     *
     * @param arguments see {@code trueasync --help}
     */
    public static void main(String[] arguments) {
        int status = status(arguments);
        if (status != Exit.OK) {
            System.exit(status);
        }
    }

    private static int status(String[] arguments) {
        try {
            switch (CommandLine.parse(arguments)) {
                case Command.Help() -> System.out.print(Help.text());
                case Command.Version() -> System.out.println(VersionLine.text());
                case Command.Processes() -> System.out.print(Processes.table());
                case Command.Ask ask -> ask(ask);
                case Command.New made -> System.out.print(NewProject.make(made, Path.of("")));
                case Command.Mcp() -> serve();
                case Command.Explain explain -> System.out.print(Explain.text(explain.word()));
                case Command.Inspect inspect -> InspectionPage.show(inspect.pid());
                case Command.RecordOf it -> System.out.println("Written to " + Records.write(it));
                case Command.Timeline timeline -> {
                    return Timelines.write(timeline);
                }
                case Command.Simulate simulate -> {
                    return Simulations.run(simulate, arguments);
                }
                case Command.Run run -> {
                    return run(run);
                }
                case Command.Watch watch -> new Restarts(watch.run(), arguments).begin();
            }
            return Exit.OK;
        } catch (UsageException e) {
            Diagnostics.printError(String.valueOf(e.getMessage()));
            return Exit.USAGE;
        } catch (Question.Ended e) {
            Diagnostics.printError(String.valueOf(e.getMessage()));
            return Exit.FAILED;
        } catch (InterruptedException impossible) {
            return Exit.FAILED;
        }
    }

    private static void ask(Command.Ask command) throws UsageException, Question.Ended, InterruptedException {
        Path socket = Question.socketOf(command.pid());
        var out = new AnswerOutput(command.question().startsWith("json"));
        if (!command.again()) {
            out.ask(socket, command.question(), "");
            return;
        }
        while (out.ask(socket, command.question(), now() + "\n")) Thread.sleep(1_000);
    }

    private static void serve() throws UsageException {
        try {
            McpServer.serve(System.in, new FileOutputStream(FileDescriptor.out));
        } catch (IOException e) {
            if (!AnswerOutput.isOfAReaderGone(e)) throw new UsageException("can't talk on the standard streams: " + e);
        }
    }

    private static LocalTime now() {
        return LocalTime.now(ZoneId.systemDefault()).truncatedTo(ChronoUnit.SECONDS);
    }

    private static int run(Command.Run command) throws UsageException {
        if (System.getProperty(Inspector.PROPERTY) == null) System.setProperty(Inspector.PROPERTY, "process");
        if (System.getProperty(BlackBox.PROPERTY) == null) System.setProperty(BlackBox.PROPERTY, command.blackBox());
        if (command.recordOn() != null) System.setProperty(BlackBox.RECORD_ON, command.recordOn());
        MemoryReserve reserve = new MemoryReserve();
        ExitHook hook = ExitHook.install(command.drainTimeout().plus(command.shutdownTimeout()), reserve);
        try {
            Program program = Program.find(
                    command.program(), command.classPath(), false, hook::privateDirectory, Diagnostics.writer());
            MainMethod main = MainMethod.of(program.load());
            return new ProgramRun(command, main, hook, reserve).status();
        } catch (SourceProgram.CompilationFailed e) {
            return Exit.FAILED;
        } catch (InvalidPathException | IOException e) {
            throw unprepared(command.program(), e);
        }
    }

    static UsageException unprepared(String program, Exception reason) {
        return new UsageException(
                reason instanceof InvalidPathException path
                        ? "this locale's encoding, " + System.getProperty("sun.jnu.encoding")
                                + ", has no way to write the path '" + path.getInput() + "'; set LC_ALL=C.UTF-8"
                        : "could not prepare " + program + ": " + reason);
    }
}
