package org.trueasync.launcher;

import java.io.IOException;
import java.lang.reflect.Constructor;
import java.lang.reflect.InvocationTargetException;
import java.lang.reflect.Method;
import java.nio.file.InvalidPathException;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.function.Consumer;
import java.util.function.Function;

/** Runs the simulations of a program with many seeds. The test kit does it, which is among the program's classes. */
final class Simulations {
    private static final String COMMAND = "org.trueasync.testkit.simulation.SimulateCommand";
    /** As the test kit reads it. */
    private static final String TIMELINE = "org.trueasync.testkit.timeline";

    private Simulations() {}

    /**
     * Runs them.
     *
     * @param command which, with which seeds
     * @param words the command line, for further processes
     * @return the exit status: {@link Exit#FAILED} if a seed fails
     * @throws UsageException if there is no such scenario
     */
    static int run(Command.Simulate command, String... words) throws UsageException, InterruptedException {
        List<String> again = Relaunch.command(words);
        ExitHook hook = ExitHook.install(Duration.ZERO, new MemoryReserve());
        try {
            JdkAccess.addForTestKit();
            Program program = Program.find(
                    command.program(), command.classPath(), true, hook::privateDirectory, Diagnostics.writer());
            if (command.timeline() != null) System.setProperty(TIMELINE, command.timeline());
            return run(command, program, hook.privateDirectory(), again) ? Exit.OK : Exit.FAILED;
        } catch (SourceProgram.CompilationFailed e) {
            return Exit.FAILED;
        } catch (InvalidPathException | IOException e) {
            throw Main.unprepared(command.program(), e);
        }
    }

    private static boolean run(Command.Simulate command, Program program, Path reports, List<String> again)
            throws UsageException, IOException, InterruptedException {
        Consumer<String> messages = Diagnostics::print;
        Consumer<String> results = System.out::println;
        Function<List<String>, ProcessBuilder> processes = flags -> Relaunch.with(again, flags);
        try {
            Class<?> testKit = Class.forName(COMMAND, true, program.loader());
            Constructor<?> constructor = testKit.getDeclaredConstructors()[0];
            constructor.setAccessible(true);
            Object simulate = constructor.newInstance(program.load(), reports, processes, messages, results);
            Method run = testKit.getDeclaredMethod("run", String.class, long.class, long.class, int.class);
            run.setAccessible(true);
            return (boolean) run.invoke(simulate, command.scenario(), command.first(), command.seeds(), command.jobs());
        } catch (ClassNotFoundException missing) {
            throw new UsageException(command.program() + " does not use org.trueasync.testkit.simulation, or"
                    + " trueasync-testkit is not on its class path");
        } catch (InvocationTargetException e) {
            switch (e.getCause()) {
                case IllegalArgumentException wrong -> throw new UsageException(String.valueOf(wrong.getMessage()));
                case IOException failed -> throw failed;
                case InterruptedException interrupted -> throw interrupted;
                case null, default -> throw new IllegalStateException("Bug in TrueAsync: simulate", e);
            }
        } catch (ReflectiveOperationException e) {
            throw new IllegalStateException("Bug in TrueAsync: another test kit", e);
        }
    }
}
