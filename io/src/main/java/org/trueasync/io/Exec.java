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
 * A command to be run as a child process. Immutable: each setting returns a new command, so a command can be kept and
 * run often.
 *
 * <p>There is no shell: the program gets the arguments as they are. The program is an absolute path, or a name that is
 * searched in the PATH of this process; relative paths are refused, and empty or relative entries of the PATH are
 * skipped. The child inherits no descriptors but its standard streams. By default its standard input is empty, and its
 * standard output and standard error are captured.
 *
 * <p>{@link #run} waits for the end of the child <em>and</em> of its output, as a shell's {@code $(...)} does: it goes
 * on waiting for a process that the child leaves behind with its output open. Cancellation, a token and the
 * {@link #timeout} end the child and the processes that it has started: with SIGTERM first, after the {@link #grace}
 * period with SIGKILL. The child has been reaped when the call throws, unless not even SIGKILL has ended it within 2 s.
 *
 * <p>Any thread; but {@link #run}, {@link #lines} and {@link #start} must be called in a coroutine.
 */
public final class Exec {
    private final Command command;

    private Exec(Command command) {
        this.command = command;
    }

    /**
     * Returns a command.
     *
     * @param command program and arguments
     * @throws IllegalArgumentException if there is no program, or a word contains NUL
     */
    public static Exec of(String... command) {
        return of(List.of(Objects.requireNonNull(command, "command")));
    }

    /**
     * Returns a command.
     *
     * @param command program and arguments
     * @throws IllegalArgumentException if there is no program, or a word contains NUL
     */
    public static Exec of(List<String> command) {
        return new Exec(Command.of(Objects.requireNonNull(command, "command")));
    }

    // ---- where it runs

    /**
     * Sets the working directory of the child; by default that of this process.
     *
     * @param directory an existing directory
     */
    public Exec directory(Path directory) {
        return new Exec(command.with(command.place().in(Objects.requireNonNull(directory, "directory"))));
    }

    /**
     * Sets the whole environment of the child.
     *
     * @param variables the values by name
     * @throws IllegalArgumentException if a name is empty or contains {@code =}, or a name or value contains NUL
     */
    public Exec environment(Map<String, String> variables) {
        return new Exec(command.with(command.place().withVariables(Objects.requireNonNull(variables, "variables"))));
    }

    /**
     * Sets one variable of the environment; the others stay as in this process, or as they were set before.
     *
     * @param name its name
     * @param value its value
     * @throws IllegalArgumentException if the name is empty or contains {@code =}, or name or value contains NUL
     */
    public Exec env(String name, String value) {
        return new Exec(command.with(command.place().with(name, Objects.requireNonNull(value, "value"))));
    }

    /**
     * Removes one variable from the environment.
     *
     * @param name its name
     * @throws IllegalArgumentException if the name is empty or contains {@code =} or NUL
     */
    public Exec withoutEnv(String name) {
        return new Exec(command.with(command.place().with(name, null)));
    }

    /**
     * Gives the child an empty environment instead of a copy of this process's; variables that were set before are
     * dropped too.
     */
    public Exec clearEnvironment() {
        return new Exec(command.with(command.place().withoutVariables()));
    }

    // ---- standard streams of the child

    /**
     * Sets the standard input of the child, in UTF-8.
     *
     * @param text the whole input
     */
    public Exec input(String text) {
        return withInput(Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sets the standard input of the child.
     *
     * @param bytes the whole input; copied
     */
    public Exec input(byte[] bytes) {
        return withInput(Objects.requireNonNull(bytes, "bytes").clone());
    }

    /**
     * Feeds the standard input of the child from a stream. A coroutine reads the stream until its end, or until the
     * child reads no more, and does not close it. If reading fails, the child is ended and {@link #run} throws that
     * error; a checked one becomes the cause of an {@link org.trueasync.InputOutputException}. A second run of such a
     * command would find the stream read already.
     *
     * @param stream a stream that suspends only its coroutine, like {@link TcpStream#inputStream}; any other one may
     *     block the loop
     */
    public Exec input(InputStream stream) {
        return new Exec(command.with(Input.of(Objects.requireNonNull(stream, "stream"))));
    }

    private Exec withInput(byte[] own) {
        return new Exec(command.with(Input.of(ByteBuffer.wrap(own))));
    }

    /** The child inherits this process's standard input. */
    public Exec inheritInput() {
        return new Exec(command.with(Input.INHERITED));
    }

    /** The child inherits this process's standard output. */
    public Exec inheritOutput() {
        return new Exec(command.with(command.output().to(Redirect.INHERIT)));
    }

    /** The child inherits this process's standard error. */
    public Exec inheritError() {
        return new Exec(command.with(command.output().errorsTo(Redirect.INHERIT)));
    }

    /** The child inherits all standard streams: for a program that talks to the user at the terminal. */
    public Exec inheritIO() {
        return inheritInput().inheritOutput().inheritError();
    }

    /** The child's standard output is dropped. */
    public Exec discardOutput() {
        return new Exec(command.with(command.output().to(Redirect.DISCARD)));
    }

    /** The child's standard error is dropped. */
    public Exec discardError() {
        return new Exec(command.with(command.output().errorsTo(Redirect.DISCARD)));
    }

    /** The child's standard error goes to its standard output, in the order of the writes. */
    public Exec mergeError() {
        return new Exec(command.with(command.output().errorsTo(Redirect.MERGE)));
    }

    // ---- limits

    /**
     * Limits the bytes of standard output kept in memory, and, separately, those of standard error; in {@link #lines},
     * the limit of standard output is for one line. 64 MiB by default. If the child writes more, it is ended, and the
     * call throws an {@link org.trueasync.InputOutputException}.
     *
     * @param bytes 0 to 2,147,483,631 (2 GiB - 17)
     * @throws IllegalArgumentException if it is out of range
     */
    public Exec maxOutput(long bytes) {
        return new Exec(command.with(command.limits().withMaxOutput(bytes)));
    }

    /**
     * Drops output above {@link #maxOutput} instead of ending the child; the child does not notice. In {@link #lines}
     * that is for standard error only: a line that is too long still ends the child.
     */
    public Exec truncateOutput() {
        return new Exec(command.with(command.limits().truncating()));
    }

    /**
     * Limits the time until the child and its output have ended. After that the child is ended, and the call throws an
     * {@link ExecTimeoutException}.
     *
     * @param limit > 0
     * @throws IllegalArgumentException if it is 0 or negative
     */
    public Exec timeout(Duration limit) {
        return new Exec(command.with(command.limits().withTimeout(Objects.requireNonNull(limit, "limit"))));
    }

    /**
     * Sets the time between SIGTERM and SIGKILL when the child is ended; 3 s by default.
     *
     * @param beforeKill >= 0
     * @throws IllegalArgumentException if it is negative
     */
    public Exec grace(Duration beforeKill) {
        return new Exec(command.with(command.limits().withGrace(Objects.requireNonNull(beforeKill, "beforeKill"))));
    }

    // ---- running

    /**
     * Runs the command; suspends this coroutine until the child and its output have ended. If the child fails, that is
     * a result, not an exception.
     *
     * @return the child's exit code and output
     * @throws org.trueasync.InputOutputException if the child can't be started: {@code ENOENT}, {@code EACCES}; if it
     *     wrote more than {@link #maxOutput}; if its output or its input stream can't be read
     * @throws IllegalArgumentException if the program is given by a relative path
     * @throws org.trueasync.AsyncException outside a coroutine
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
     * Runs the command and passes each line of its standard output to the consumer as soon as it is there. While the
     * consumer runs, nothing more is read, so a slow consumer slows the child down. Lines are as in
     * {@link ExecResult#outLines}. If the consumer throws, the child is ended and this call throws the same.
     *
     * @param consumer called in this coroutine; may suspend
     * @return the child's exit code and standard error; no output
     * @throws org.trueasync.InputOutputException as {@link #run}; if a line is longer than {@link #maxOutput}
     * @throws ExecTimeoutException as {@link #run}
     * @throws IllegalArgumentException as {@link #run}
     * @throws org.trueasync.AsyncCancellation as {@link #run}
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
     * Starts the command and leaves the child's streams to the caller: all that were not redirected are pipes, also
     * standard input. Does not wait for the child.
     *
     * @throws org.trueasync.InputOutputException if it can't be started
     * @throws IllegalArgumentException if the program is given by a relative path
     * @throws org.trueasync.AsyncException outside a coroutine
     * @throws IllegalStateException if the command has an input or a timeout, which only {@link #run} and
     *     {@link #lines} support
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
