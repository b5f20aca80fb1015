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
    /** The children of all runtimes that have not been reaped, by their number: as long as one is here, its number is nobody else's. */
    private static final ConcurrentHashMap<Long, ChildCore> OURS = new ConcurrentHashMap<>();

    final Loop loop;
    final ChildHandle handle;
    private final String program;
    private final long pid;
    private final ExitEvent exit;
    /** Knows when the child began, which tells it from an earlier process with the same number; null if it was gone at once. */
    private final @Nullable ProcessHandle process;

    private final Runnable atEnd;
    private boolean ended;
    private int status;
    private int signal;

    /**
     * Starts it.
     *
     * @param loop whose coroutines use it
     * @param command what
     * @param inputFrom where its input comes from
     * @param input what happens on the pipe to its input
     * @param output what happens on the pipe from its output
     * @param error what happens on the pipe from its errors
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
     * A reactor may have to use JDK code that waits, and takes no interrupt for an answer: a cancellation that comes meanwhile is due at the first wait after
     * it, and the child that has been started is known.
     */
    private ChildHandle spawn(ChildHandle.Spec spec) {
        return Runtimes.currentCoroutine("starting a child process")
                .shield(() -> loop.reactor().spawn(spec, this));
    }

    /** The system would say the same of it as of a missing program. */
    private void requireDirectory(@Nullable Path directory) {
        if (directory == null || Files.isDirectory(directory)) return;
        String error = Files.exists(directory) ? "ENOTDIR" : "ENOENT";
        throw new InputOutputException(
                "start " + program + " in " + directory + ": " + error + " (no such directory)", error);
    }

    /** The child with this number, if it is one of ours and has not been reaped. Any thread. */
    static @Nullable ChildCore withPid(long pid) {
        return OURS.get(pid);
    }

    /** True if that is this child. Any thread. */
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

    /** True once it has been reaped. */
    public boolean hasEnded() {
        return ended;
    }

    /** What it ended with. */
    public int status() {
        return status;
    }

    /** Which signal killed it; 0 if none. */
    public int signal() {
        return signal;
    }

    /** Its number, which may be another one's once it has ended. */
    public long pid() {
        return pid;
    }

    /** {@code sh (4711)}. */
    public String shown() {
        return program + " (" + pid + ")";
    }

    /** Sends a signal; {@code ESRCH} once it has ended. */
    public @Nullable SystemError kill(int number) {
        return handle.kill(number);
    }

    /** Nobody waits for it any more; the reactor reaps it. */
    public void forget() {
        if (ended || handle.isClosed()) return;
        OURS.remove(pid, this);
        handle.close();
        ProcessTable.forgotten(this);
        exit.lost(leftToItself());
    }

    /** What waiting for a forgotten child throws. */
    InputOutputException leftToItself() {
        return new InputOutputException("wait for " + shown() + ": the child was left to itself", "ECHILD");
    }

    /** True after {@link #forget}, and after the end of the runtime. */
    public boolean isForgotten() {
        return !ended && handle.isClosed();
    }
}
