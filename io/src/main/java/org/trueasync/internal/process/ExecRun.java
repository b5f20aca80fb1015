package org.trueasync.internal.process;

import java.io.InputStream;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import java.util.function.Consumer;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.kernel.CoroutineImpl;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.task.CoroutineKind;
import org.trueasync.internal.task.Tasks;
import org.trueasync.internal.time.TimerHeap;
import org.trueasync.io.ExecResult;
import org.trueasync.io.ExecTimeoutException;
import org.trueasync.spi.ChildHandle.Redirect;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SourceEvent;
import org.trueasync.spi.StreamHandle;

/**
 * One run of a command from its start to the end of all its output. The reactor's listeners collect what the child
 * writes, but only while the caller waits: if its output is not taken, the full pipe stops the child. However the run
 * ends, no pipe and no coroutine of it is left; if it fails, the child and its descendants are ended.
 */
public final class ExecRun {
    /**
     * After a timeout: how long to wait for the end of the ended child's output. A process that has inherited the pipe
     * may keep it open.
     */
    private static final Duration REST_LIMIT = Duration.ofMillis(500);

    private final Loop loop;
    private final Command command;
    private final long deadline;
    private final Progress progress;
    private final ChildCore child;
    private final @Nullable LineOutput lines;
    private final @Nullable Captured output;
    private final @Nullable Captured error;
    private final @Nullable ChildInput input;
    private @Nullable CoroutineImpl<?> pump;
    /** Why the input can't be passed from its stream to the child, or null. */
    private @Nullable Throwable failure;

    private boolean delivering;
    private boolean timedOut;
    private boolean awaitsRest;

    private ExecRun(Loop loop, Command command, boolean byLine) {
        this.loop = loop;
        this.command = command;
        deadline = deadline(loop, command.limits().timeout());
        progress = new Progress();
        boolean captures = command.output().to() == Redirect.PIPE;
        long limit = command.limits().maxOutput();
        Runnable onChange = this::changed;
        lines = captures && byLine ? new LineOutput("the output of " + command.shown(), limit, onChange) : null;
        output = captures && !byLine ? new Captured("the output of " + command.shown(), limit, onChange) : null;
        error = command.output().errorsTo() == Redirect.PIPE
                ? new Captured("the errors of " + command.shown(), limit, onChange)
                : null;
        ByteBuffer bytes = command.input().bytes();
        input = bytes == null ? null : new ChildInput(bytes);
        InputStream from = command.input().stream();
        StreamCore pumped = from == null ? null : new StreamCore(loop);
        child = new ChildCore(
                loop,
                command,
                command.input().from(),
                pumped != null ? pumped : input,
                lines != null ? lines : output,
                error,
                onChange);
        if (lines != null) lines.opened(child.handle.output());
        if (output != null) output.opened(child.handle.output());
        if (error != null) error.opened(child.handle.error());
        if (input != null) input.opened(child.handle.input());
        StreamHandle toChild = child.handle.input();
        if (pumped != null && from != null && toChild != null) {
            pumped.opened(toChild, "the input of " + child.shown());
            pump = loop.spawn(CoroutineKind.ORDINARY, null, Tasks.task((Body) () -> pump(from, pumped)));
            Awaiting.markUsed(pump);
        }
    }

    private static long deadline(Loop loop, @Nullable Duration timeout) {
        long nanos = timeout == null ? Long.MAX_VALUE : TimerHeap.nanos(timeout);
        return nanos > Long.MAX_VALUE / 4 ? Long.MAX_VALUE : loop.reactor().nanoTime() + nanos;
    }

    /** See {@link org.trueasync.io.Exec#run()}. */
    public static ExecResult run(Command command, @Nullable Completable<?> token) {
        return run(command, null, token);
    }

    /** See {@link org.trueasync.io.Exec#lines(Consumer)}. */
    public static ExecResult lines(Command command, Consumer<String> consumer, @Nullable Completable<?> token) {
        return run(command, consumer, token);
    }

    private static ExecResult run(
            Command command, @Nullable Consumer<String> consumer, @Nullable Completable<?> token) {
        String call = consumer == null ? "Exec.run" : "Exec.lines";
        Loop loop = Runtimes.here(call);
        Runtimes.currentCoroutine(call);
        Awaiting.markUsed(token);
        Awaiting.requireOpen(token);
        var run = new ExecRun(loop, command, consumer != null);
        try {
            run.follow(consumer, token);
        } catch (Throwable thrown) {
            Throwable more = run.abort();
            if (more != null && more != thrown) Causes.suppress(thrown, more);
            throw thrown;
        }
        if (run.timedOut) throw run.timeout(run.abort());
        run.release();
        return run.result();
    }

    // ---- following the child

    private void follow(@Nullable Consumer<String> consumer, @Nullable Completable<?> token) {
        if (consumer != null && lines != null) deliver(lines, consumer, token);
        while (!isOver() && !timedOut) await(token);
    }

    /** Passes the lines to their consumer as they come. */
    private void deliver(LineOutput from, Consumer<String> consumer, @Nullable Completable<?> token) {
        delivering = true;
        while (!timedOut) {
            // before it is taken: whether it is passed on must not depend on how much came at once
            if (from.isTooLong()) throw tooMuch("a line of the output");
            String line = from.next();
            if (line != null) {
                loop.shareLoop();
                consumer.accept(line);
                checkDeadline();
            } else if (from.isEnded()) {
                break;
            } else {
                await(token);
            }
        }
        delivering = false;
    }

    private boolean isOver() {
        return child.hasEnded()
                && (lines == null || lines.isEnded())
                && (output == null || output.isEnded())
                && (error == null || error.isEnded());
    }

    /** Suspends until something has changed; throws if the run has failed. */
    private void await(@Nullable Completable<?> token) {
        if (!hasNews()) {
            CoroutineImpl<?> self = Runtimes.currentCoroutine("Exec.run");
            self.newWait();
            self.resumeWhen(progress, ResumeCallback.RESOLVE);
            if (token != null) self.resumeWhen(Awaiting.event(token), ResumeCallback.CANCEL);
            if (deadline != Long.MAX_VALUE) {
                long left = Math.max(0, deadline - loop.reactor().nanoTime());
                self.resumeWhen(loop.timers().oneShot(Duration.ofNanos(left)), ResumeCallback.RESOLVE);
            }
            self.awaitEvents();
        }
        if (failure != null) throw inputFailed(failure);
        requireReadable(lines);
        requireReadable(output);
        requireReadable(error);
        if (isTooMuch(output)) throw tooMuch("the output");
        if (isTooMuch(error)) throw tooMuch("the error output");
        checkDeadline();
    }

    private void checkDeadline() {
        if (deadline != Long.MAX_VALUE && deadline - loop.reactor().nanoTime() <= 0 && !isOver()) timedOut = true;
    }

    private RuntimeException inputFailed(Throwable thrown) {
        if (thrown instanceof RuntimeException e) return e;
        return new InputOutputException("read the input for " + command.shown() + ": " + thrown, "", thrown);
    }

    private static void requireReadable(@Nullable ChildOutput from) {
        InputOutputException error = from == null ? null : from.error();
        if (error != null) throw new InputOutputException(String.valueOf(error.getMessage()), error.errno(), error);
    }

    private InputOutputException tooMuch(String what) {
        return new InputOutputException(
                what + " of " + command.shown() + " is longer than "
                        + command.limits().maxOutput()
                        + " bytes; the child was ended. Raise maxOutput, let truncateOutput drop the rest, or read with lines or start",
                "");
    }

    /**
     * Called by the listeners when something has changed: wakes the waiting coroutine if it has something to do. In the
     * loop's frame.
     */
    private void changed() {
        if (hasNews()) progress.fire();
    }

    private boolean hasNews() {
        return isOver()
                || (awaitsRest && isRestHere())
                || failure != null
                || isBroken(lines)
                || isBroken(output)
                || isBroken(error)
                || isTooMuch(output)
                || isTooMuch(error)
                || (delivering && lines != null && lines.isReady());
    }

    private static boolean isBroken(@Nullable ChildOutput from) {
        return from != null && from.error() != null;
    }

    private boolean isTooMuch(@Nullable Captured from) {
        return from != null && from.isCut() && !command.limits().truncate();
    }

    // ---- input from a stream

    private @Nullable Object pump(InputStream from, StreamCore to) {
        byte[] buffer = new byte[64 * 1024];
        try {
            while (true) {
                int count = from.read(buffer);
                if (count < 0) return null;
                if (count > 0) to.write(ByteBuffer.wrap(buffer, 0, count), null);
            }
        } catch (InputOutputException e) {
            // EPIPE, or closed: the child reads no more, which is no error
            if (!to.isClosed() && !e.errno().equals("EPIPE")) failed(e);
        } catch (AsyncCancellation e) {
            throw e;
        } catch (Throwable e) {
            failed(e);
        } finally {
            to.close();
        }
        return null;
    }

    private void failed(Throwable thrown) {
        failure = thrown;
        progress.fire();
    }

    // ---- the end

    private ExecResult result() {
        return new ExecResult(
                child.status(),
                child.signal(),
                output == null ? new byte[0] : output.bytes(),
                error == null ? new byte[0] : error.bytes(),
                (output != null && output.isCut()) || (error != null && error.isCut()));
    }

    private ExecTimeoutException timeout(@Nullable Throwable more) {
        ExecResult soFar = result();
        var thrown = new ExecTimeoutException(
                command.shown(), Objects.requireNonNull(command.limits().timeout()), soFar);
        if (more != null) Causes.suppress(thrown, more);
        return thrown;
    }

    /**
     * Ends the child, if it has not ended. Its output is still read, so that a full pipe does not keep it from ending.
     *
     * @return the error that was met, or null
     */
    private @Nullable Throwable abort() {
        try {
            boolean alive = !child.hasEnded();
            progress.keepReading();
            Termination.of(child, command.limits().grace());
            if (timedOut && alive) awaitRest();
            return null;
        } catch (Throwable e) {
            return e;
        } finally {
            release();
        }
    }

    /**
     * Waits for the rest of the output, which is part of the time-out's exception; suspends for at most
     * {@link #REST_LIMIT}, even if cancelled.
     */
    private void awaitRest() {
        long end = loop.reactor().nanoTime() + REST_LIMIT.toNanos();
        awaitsRest = true;
        Runtimes.currentCoroutine("the rest of the output").shield(() -> {
            long left;
            while (!isRestHere() && (left = end - loop.reactor().nanoTime()) > 0) {
                CoroutineImpl<?> self = Runtimes.currentCoroutine("the rest of the output");
                self.newWait();
                self.resumeWhen(progress, ResumeCallback.RESOLVE);
                self.resumeWhen(loop.timers().oneShot(Duration.ofNanos(left)), ResumeCallback.RESOLVE);
                self.awaitEvents();
            }
            return true;
        });
    }

    private boolean isRestHere() {
        return (output == null || output.isEnded()) && (error == null || error.isEnded());
    }

    private void release() {
        if (pump != null) pump.cancel();
        if (input != null) input.close();
        if (lines != null) lines.close();
        if (output != null) output.close();
        if (error != null) error.close();
        StreamHandle toChild = child.handle.input();
        if (toChild != null) toChild.close();
    }

    private final class Progress extends SourceEvent {
        private boolean keepsReading;

        Progress() {
            super(loop.activeEvents());
        }

        void fire() {
            notifyCallbacks(null, null);
        }

        void keepReading() {
            keepsReading = true;
            armSource();
        }

        @Override
        protected void armSource() {
            if (lines != null) lines.startReading();
            if (output != null) output.startReading();
            if (error != null) error.startReading();
        }

        @Override
        protected void disarmSource() {
            if (keepsReading) return;
            if (lines != null) lines.stopReading();
            if (output != null) output.stopReading();
            if (error != null) error.stopReading();
        }

        @Override
        public String info() {
            return "end of child process " + child.shown() + " and of its output";
        }
    }
}
