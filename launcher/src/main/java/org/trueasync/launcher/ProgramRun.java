package org.trueasync.launcher;

import java.lang.Thread.UncaughtExceptionHandler;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.AsyncRuntime;
import org.trueasync.DeadlockError;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.error.Causes;

/** Runs a program's {@code main} as the main coroutine of a runtime, and reports how it ended. */
final class ProgramRun {
    /*
     * Coroutines run on top of the loop thread's stack, so its size bounds their recursion. The memory is reserved, not
     * used. An endless recursion uses all of it before it fails, so it is not larger.
     */
    private static final long STACK_BYTES = 256L << 20;

    private final Command.Run command;
    private final MainMethod main;
    private final ExitHook hook;
    private final MemoryReserve reserve;
    private volatile boolean started;
    private @Nullable UncaughtExceptionHandler handlerOfMain;

    ProgramRun(Command.Run command, MainMethod main, ExitHook hook, MemoryReserve reserve) {
        this.command = command;
        this.main = main;
        this.hook = hook;
        this.reserve = reserve;
    }

    /**
     * Runs the program to its end, and reports an error, and coroutines that did not end, on standard error. As in the
     * JVM, an {@link UncaughtExceptionHandler} that the program has set for all threads, or for that of its main, gets
     * the error in place of the report.
     *
     * @return the exit status
     */
    int status() {
        AsyncRuntime runtime = runtime();
        hook.watch(runtime);
        ThreadDumps dumps = ThreadDumps.begin();
        int status = Exit.OK;
        try {
            runtime.run(this::body);
        } catch (OperationCanceledException e) {
            status = statusAfter(
                    e); // a wait of main was given up, by a timeout for instance, and main did not catch that
        } catch (AsyncCancellation e) {
            // a shutdown by the program or by a signal: requested, so no failure
        } catch (Throwable e) {
            status = statusAfter(e);
        }
        dumps.end();
        hook.programEnded();
        return status;
    }

    private int statusAfter(Throwable error) {
        reserve.release();
        try {
            UncaughtExceptionHandler handler =
                    handlerOfMain != null ? handlerOfMain : Thread.getDefaultUncaughtExceptionHandler();
            if (started && handler != null) {
                hook.programEnded(); // the handler may call System.exit, which waits for that
                handler.uncaughtException(Thread.currentThread(), withoutWrapping(error));
                return Exit.FAILED;
            }
            return error instanceof DeadlockError deadlock ? reportDeadlock(deadlock) : report(error);
        } catch (Throwable unreportable) {
            Diagnostics.printUnreportable();
            return Exit.FAILED;
        }
    }

    private AsyncRuntime runtime() {
        AsyncRuntime.Builder builder = Async.runtime()
                .name("main")
                .stackSize(STACK_BYTES)
                .spawnSites(true)
                .drainTimeout(command.drainTimeout())
                .shutdownTimeout(command.shutdownTimeout())
                .heldLoopAfter(command.heldLoopAfter())
                .standardStreams(true)
                .diagnostics(Diagnostics::print);
        return (command.reactor() == null ? builder : builder.reactor(command.reactor())).build();
    }

    private void body() throws Throwable {
        started = true;
        try {
            main.run(command.arguments().toArray(String[]::new));
        } catch (Throwable e) {
            UncaughtExceptionHandler handler = Thread.currentThread().getUncaughtExceptionHandler();
            if (!(handler instanceof ThreadGroup)) handlerOfMain = handler;
            throw e;
        }
    }

    private int report(Throwable error) {
        if (!started && error instanceof AsyncException) {
            // the runtime could not be created: a flag or a library is missing, and a stack trace would not explain it
            // better
            Diagnostics.printError(String.valueOf(error.getMessage()));
            return Exit.USAGE;
        }
        Diagnostics.print("Unhandled " + Traces.text(withoutWrapping(error)));
        return Exit.FAILED;
    }

    /**
     * Prints only the kind of the end and an earlier error; the runtime has listed already what each coroutine waits
     * for.
     */
    private static int reportDeadlock(DeadlockError error) {
        Diagnostics.print(Causes.text(error).lines().findFirst().orElse(DeadlockError.class.getName()));
        Throwable before = Causes.cause(error);
        if (before != null) {
            Diagnostics.print("Caused by: " + Traces.text(before));
        }
        return Exit.FAILED;
    }

    /** Unwraps a checked exception that the runtime could throw only inside another one. */
    private static Throwable withoutWrapping(Throwable error) {
        Throwable cause = error instanceof CompletionException && Traces.isPlumbing(error) ? Causes.cause(error) : null;
        return cause == null ? error : cause;
    }
}
