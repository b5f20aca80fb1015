package org.trueasync.internal.process;

import java.nio.file.Files;
import java.nio.file.Path;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.ChildHandle;
import org.trueasync.spi.ChildHandle.Redirect;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** A child process as coroutines see it: an end that can be awaited, and signals. */
public final class ChildCore implements ChildHandle.Listener {
    /**
     * The children of all runtimes that have not been reaped, by process number. Until a child is reaped, no other
     * process gets its number.
     */
    private static final ConcurrentHashMap<Long, ChildCore> OURS = new ConcurrentHashMap<>();

    final Loop loop;
    final ChildHandle handle;
    private final String program;
    private final long pid;
    private final ExitEvent exit;
    /**
     * Has the child's start time, which tells it from another process with the same number; null if the child had ended
     * at once.
     */
    private final @Nullable ProcessHandle process;

    private final Runnable atEnd;
    private boolean ended;
    private int status;
    private int signal;

    /**
     * Starts a child.
     *
     * @param loop whose coroutines use it
     * @param command what to start
     * @param inputFrom where its input comes from
     * @param input listener of the pipe to its input
     * @param output listener of the pipe from its output
     * @param error listener of the pipe from its errors
     * @param atEnd called in the loop's frame when it has ended
     * @throws InputOutputException if the system refuses
     */
    ChildCore(
            Loop loop,
            Command command,
            Redirect inputFrom,
            StreamHandle.@Nullable Listener input,
            StreamHandle.@Nullable Listener output,
            StreamHandle.@Nullable Listener error,
            Runnable atEnd) {
        this.atEnd = atEnd;
        this.loop = loop;
        this.program = command.shown();
        Path found = Programs.find(program);
        requireDirectory(command.place().directory());
        var spec = new ChildHandle.Spec(
                found,
                command.words(),
                command.place().variables(),
                command.place().directory(),
                inputFrom,
                command.output().to(),
                command.output().errorsTo(),
                input,
                output,
                error);
        this.exit = new ExitEvent(loop.activeEvents(), this);
        this.handle = spawn(spec);
        this.pid = handle.pid();
        this.process = ProcessHandle.of(pid).orElse(null);
        OURS.put(pid, this);
    }

    /**
     * Spawns in a protected section. A reactor may use JDK code that waits and does not end early by an interrupt; so a
     * cancellation is thrown only at the next wait, and a child that has been started is never lost.
     */
    private ChildHandle spawn(ChildHandle.Spec spec) {
        return Runtimes.currentCoroutine("starting a child process")
                .shield(() -> loop.reactor().spawn(spec, this));
    }

    /** Throws if the directory does not exist: the system's error would look like that of a missing program. */
    private void requireDirectory(@Nullable Path directory) {
        if (directory == null || Files.isDirectory(directory)) return;
        String error = Files.exists(directory) ? "ENOTDIR" : "ENOENT";
        throw new InputOutputException(
                "start " + program + " in " + directory + ": " + error + " (no such directory)", error);
    }

    /** Returns the child with this number, if it is ours and has not been reaped; else null. Any thread. */
    static @Nullable ChildCore withPid(long pid) {
        return OURS.get(pid);
    }

    /** True if that process, which has the same number, is this child. Any thread. */
    boolean is(ProcessHandle other) {
        return process == null || process.equals(other);
    }

    @Override
    public void onExit(int exitStatus, int termSignal) {
        ended = true;
        status = exitStatus;
        signal = termSignal;
        OURS.remove(pid, this);
        handle.close();
        exit.happened(exitStatus);
        ProcessTable.ended(this, exitStatus);
        atEnd.run();
    }

    /** The event of its end, with its status. */
    public ExitEvent exit() {
        return exit;
    }

    /** True once it has been reaped, by its reactor or by other code in this process. */
    public boolean hasEnded() {
        return ended;
    }

    /** Its exit status, once it has ended. */
    public int status() {
        return status;
    }

    /** The signal that killed it; 0 if none. */
    public int signal() {
        return signal;
    }

    /** Its process number; once it has ended, another process may get that number. */
    public long pid() {
        return pid;
    }

    /** For messages: {@code sh (4711)}. */
    public String shown() {
        return program + " (" + pid + ")";
    }

    /** Sends a signal. Returns the error, or null; {@code ESRCH} once it has ended. */
    public @Nullable SystemError kill(int number) {
        return handle.kill(number);
    }

    /** Leaves the child to itself: waits for its end fail, and the reactor reaps it. */
    public void detach() {
        if (ended || handle.isClosed()) return;
        OURS.remove(pid, this);
        handle.close();
        ProcessTable.detached(this);
        exit.fail(detachedError());
    }

    /** Returns the exception for a wait for a detached child. */
    InputOutputException detachedError() {
        return new InputOutputException("wait for " + shown() + ": the child was left to itself", "ECHILD");
    }

    /** True after {@link #detach}, and after the end of the runtime, unless the child had ended before. */
    public boolean isDetached() {
        return !ended && handle.isClosed();
    }
}
