package org.trueasync.io;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.function.Consumer;
import org.trueasync.Completable;
import org.trueasync.internal.process.ChildStart;
import org.trueasync.internal.process.Command;
import org.trueasync.internal.process.Command.Input;
import org.trueasync.internal.process.ExecRun;
import org.trueasync.spi.ChildHandle.Redirect;

/**
 * A command to be run as a child process. Immutable: each method gives a new one, so one can be kept and run often.
 *
 * <p>No shell: the words reach the program as they are. The program is an absolute path, or a name that is looked for in the PATH; relative paths
 * are refused, and entries of the PATH that are empty or relative are not looked at. The child gets no descriptors but its standard streams. Unless
 * something else is asked for it reads nothing, and its output and its errors are captured.
 *
 * <p>{@link #run} waits for the end of the child <em>and</em> of its output, as a shell's {@code $(...)} does: a process that the child leaves
 * behind with its output open keeps it waiting. Cancellation, a token and the {@link #timeout} end the child and what it has started: with SIGTERM,
 * after the {@link #grace} period with SIGKILL; it has been reaped when the call throws.
 *
 * <p>Any thread, but what begins a child must be called in a coroutine.
 */
public final class Exec {
    private final Command command;

    private Exec(Command command) {
        this.command = command;
    }

    /**
     * A command.
     *
     * @param command program and arguments
     * @throws IllegalArgumentException if there is no program, or a word contains NUL
     */
    public static Exec of(String... command) {
        return of(List.of(command));
    }

    /**
     * A command.
     *
     * @param command program and arguments
     * @throws IllegalArgumentException if there is no program, or a word contains NUL
     */
    public static Exec of(List<String> command) {
        return new Exec(Command.of(command));
    }

    // ---- where it runs

    /**
     * Where it starts; our own directory unless this is called.
     *
     * @param directory an existing one
     */
    public Exec directory(Path directory) {
        return new Exec(command.with(command.place().in(Objects.requireNonNull(directory, "directory"))));
    }

    /**
     * All of its environment.
     *
     * @param variables by their names
     * @throws IllegalArgumentException if a name is empty or contains {@code =}, or something contains NUL
     */
    public Exec environment(Map<String, String> variables) {
        return new Exec(command.with(command.place().withVariables(variables)));
    }

    /**
     * One variable, on top of ours or of what was set before.
     *
     * @param name its name
     * @param value its value
     * @throws IllegalArgumentException if the name is empty or contains {@code =}, or something contains NUL
     */
    public Exec env(String name, String value) {
        return new Exec(command.with(command.place().with(name, Objects.requireNonNull(value, "value"))));
    }

    /**
     * One variable less.
     *
     * @param name its name
     */
    public Exec withoutEnv(String name) {
        return new Exec(command.with(command.place().with(name, null)));
    }

    /** An environment that begins empty instead of as ours. */
    public Exec clearEnvironment() {
        return new Exec(command.with(command.place().withoutVariables()));
    }

    // ---- what it reads and writes

    /**
     * What it reads, in UTF-8.
     *
     * @param text all of it
     */
    public Exec input(String text) {
        return withInput(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * What it reads.
     *
     * @param bytes all of it; copied
     */
    public Exec input(byte[] bytes) {
        return withInput(bytes.clone());
    }

    /**
     * What it reads.
     *
     * @param bytes all that remains; copied, the position stays
     */
    public Exec input(ByteBuffer bytes) {
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(bytes.position(), copy);
        return withInput(copy);
    }

    /**
     * What it reads, as it comes. The stream is read in a coroutine of its own until its end, or until the child reads no more, and is not
     * closed. If reading it fails, the child is ended and {@link #run} throws that. Such a command can be run once.
     *
     * @param stream one that suspends only its coroutine, like {@link TcpStream#inputStream}; another one holds everybody up
     */
    public Exec input(InputStream stream) {
        return new Exec(command.with(Input.of(Objects.requireNonNull(stream, "stream"))));
    }

    private Exec withInput(byte[] own) {
        return new Exec(command.with(Input.of(ByteBuffer.wrap(own))));
    }

    /** It reads what we would read. */
    public Exec inheritInput() {
        return new Exec(command.with(Input.INHERITED));
    }

    /** Its output goes to where ours goes. */
    public Exec inheritOutput() {
        return new Exec(command.with(command.output().to(Redirect.INHERIT)));
    }

    /** Its errors go to where ours go. */
    public Exec inheritError() {
        return new Exec(command.with(command.output().errorsTo(Redirect.INHERIT)));
    }

    /** It reads and writes where we do: for a program that talks to the person at the terminal. */
    public Exec inheritIO() {
        return inheritInput().inheritOutput().inheritError();
    }

    /** Its output is dropped. */
    public Exec discardOutput() {
        return new Exec(command.with(command.output().to(Redirect.DISCARD)));
    }

    /** Its errors are dropped. */
    public Exec discardError() {
        return new Exec(command.with(command.output().errorsTo(Redirect.DISCARD)));
    }

    /** Its errors go to where its output goes, in the order in which they are written. */
    public Exec mergeError() {
        return new Exec(command.with(command.output().errorsTo(Redirect.MERGE)));
    }

    // ---- limits

    /**
     * How much is kept in memory of its output, and as much again of its errors; in line mode of a line. 64 MiB unless this is called. More ends
     * the child, and the call throws an {@link org.trueasync.InputOutputException}.
     *
     * @param bytes 0 to about 2 GB
     */
    public Exec maxOutput(long bytes) {
        return new Exec(command.with(command.limits().withMaxOutput(bytes)));
    }

    /** What is above {@link #maxOutput} is dropped instead; the child does not notice. */
    public Exec truncateOutput() {
        return new Exec(command.with(command.limits().truncating()));
    }

    /**
     * How long it may take until it and its output have ended. After that it is ended, and the call throws an {@link ExecTimeoutException}.
     *
     * @param limit > 0
     */
    public Exec timeout(Duration limit) {
        return new Exec(command.with(command.limits().withTimeout(Objects.requireNonNull(limit, "limit"))));
    }

    /**
     * How long a child that has to end gets between SIGTERM and SIGKILL; 3 s unless this is called.
     *
     * @param beforeKill >= 0
     */
    public Exec grace(Duration beforeKill) {
        return new Exec(command.with(command.limits().withGrace(Objects.requireNonNull(beforeKill, "beforeKill"))));
    }

    // ---- running

    /**
     * Runs it; suspends this coroutine until the child and its output have ended. A child that fails is a result, not an exception.
     *
     * @return its exit code and what it wrote
     * @throws org.trueasync.InputOutputException if it can't be started, {@code ENOENT}, {@code EACCES}; if it wrote more than {@link #maxOutput}
     * @throws ExecTimeoutException if the {@link #timeout} ran out
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the child has been ended
     */
    public ExecResult run() {
        return ExecRun.run(command, null);
    }

    /**
     * As {@link #run()}; ends the child when the token ends.
     *
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; the child has been ended
     */
    public ExecResult run(Completable<?> cancellation) {
        return ExecRun.run(command, Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * Runs it and gives each line of its output to the consumer, as soon as it is there and before the next one is read: a slow consumer
     * makes a slow child. Lines are as in {@link ExecResult#outLines}. What the consumer throws ends the child and is thrown here.
     *
     * @param consumer called in this coroutine; may suspend
     * @return its exit code and its errors; no output
     * @throws org.trueasync.InputOutputException as {@link #run}; if a line is longer than {@link #maxOutput}
     */
    public ExecResult lines(Consumer<String> consumer) {
        return ExecRun.lines(command, Objects.requireNonNull(consumer, "consumer"), null);
    }

    /**
     * As {@link #lines(Consumer)}; ends the child when the token ends.
     *
     * @param consumer called in this coroutine; may suspend
     * @param cancellation the token
     * @throws org.trueasync.OperationCanceledException if the token ended first; the child has been ended
     */
    public ExecResult lines(Consumer<String> consumer, Completable<?> cancellation) {
        return ExecRun.lines(
                command,
                Objects.requireNonNull(consumer, "consumer"),
                Objects.requireNonNull(cancellation, "cancellation"));
    }

    /**
     * Starts it and leaves its streams to the caller: all that were not redirected are pipes, its input too. Does not suspend.
     *
     * @throws org.trueasync.InputOutputException if it can't be started
     * @throws IllegalStateException if the command has an input or a timeout, which only {@link #run} and {@link #lines} know
     */
    public ChildProcess start() {
        if (command.input().isOurs())
            throw new IllegalStateException(
                    "an input is for run and lines; of a child that was started write to stdin()");
        if (command.limits().timeout() != null)
            throw new IllegalStateException(
                    "a timeout is for run and lines; for a child that was started use await(Async.timeout(..))");
        return new ChildProcess(ChildStart.of(command));
    }

    @Override
    public String toString() {
        return "command " + command.shown();
    }
}
