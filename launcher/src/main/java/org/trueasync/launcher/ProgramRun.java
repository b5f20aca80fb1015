package org.trueasync.launcher;

import java.io.PrintWriter;
import java.io.StringWriter;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.AsyncRuntime;
import org.trueasync.DeadlockError;

/** One run of a program's {@code main} as the main coroutine of a runtime, and what is said about its end. */
final class ProgramRun {
    /*
     * Coroutines run on top of the loop thread's stack, so its size bounds their recursion. It is reserved, not taken; only a recursion that
     * never ends takes it all before it fails, which is why it is not larger.
     */
    private static final long STACK_BYTES = 256L << 20;

    private final Command.Run command;
    private final MainMethod main;
    private final ExitHook hook;
    private volatile boolean started;

    ProgramRun(Command.Run command, MainMethod main, ExitHook hook) {
        this.command = command;
        this.main = main;
        this.hook = hook;
    }

    /**
     * Runs the program to its end, and reports an error on standard error.
     *
     * @return the exit status
     */
    int status() {
        try {
            AsyncRuntime runtime = runtime();
            hook.watch(runtime);
            runtime.run(this::body);
            return Exit.OK;
        } catch (AsyncCancellation e) {
            // the program's own shutdown, or a signal's: asked for, so no failure
            return Exit.OK;
        } catch (DeadlockError e) {
            // the runtime has reported who waits for what
            Diagnostics.print(e.toString());
            return Exit.FAILED;
        } catch (Throwable e) {
            return report(e);
        } finally {
            hook.programEnded();
        }
    }

    private AsyncRuntime runtime() {
        AsyncRuntime.Builder builder = Async.runtime()
                .name("main")
                .stackSize(STACK_BYTES)
                .spawnSites(true)
                .diagnostics(Diagnostics::print);
        return (command.reactor() == null ? builder : builder.reactor(command.reactor())).build();
    }

    private void body() throws Throwable {
        started = true;
        main.run(command.arguments().toArray(String[]::new));
    }

    private int report(Throwable error) {
        if (!started && error instanceof AsyncException) {
            // the runtime could not be made here: a flag or a library is missing, which no stack trace explains better
            Diagnostics.complain(String.valueOf(error.getMessage()));
            return Exit.USAGE;
        }
        Traces.trim(error);
        StringWriter trace = new StringWriter();
        error.printStackTrace(new PrintWriter(trace));
        Diagnostics.print("Unhandled " + trace);
        return Exit.FAILED;
    }
}
