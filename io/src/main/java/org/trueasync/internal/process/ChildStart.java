package org.trueasync.internal.process;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.spi.ChildHandle.Redirect;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** A started child. The caller reads and writes its streams. */
public final class ChildStart {
    private final Loop loop;
    private final ChildCore child;
    private final Duration grace;
    private final @Nullable StreamCore input;
    private final @Nullable StreamCore output;
    private final @Nullable StreamCore error;

    private ChildStart(Loop loop, Command command) {
        this.loop = loop;
        grace = command.limits().grace();
        Redirect inputFrom = command.input().from() == Redirect.DISCARD
                ? Redirect.PIPE
                : command.input().from();
        input = pipe(inputFrom);
        output = pipe(command.output().to());
        error = pipe(command.output().errorsTo());
        child = new ChildCore(loop, command, inputFrom, listener(input), listener(output), listener(error), () -> {});
        opened(input, child.handle.input(), "the input of ");
        opened(output, child.handle.output(), "the output of ");
        opened(error, child.handle.error(), "the errors of ");
    }

    /** See {@link org.trueasync.io.Exec#start()}. */
    public static ChildStart of(Command command) {
        return new ChildStart(Runtimes.here("Exec.start"), command);
    }

    private @Nullable StreamCore pipe(Redirect where) {
        return where == Redirect.PIPE ? new StreamCore(loop) : null;
    }

    private static StreamHandle.@Nullable Listener listener(@Nullable StreamCore stream) {
        return stream == null ? null : stream.listener();
    }

    private void opened(@Nullable StreamCore stream, @Nullable StreamHandle handle, String what) {
        if (stream == null || handle == null) return;
        stream.opened(handle, what + child.shown());
        stream.closeIfLost();
    }

    /** The child. */
    public ChildCore child() {
        return child;
    }

    /** The stream that the child reads; null if its input comes from elsewhere. */
    public @Nullable StreamCore input() {
        return input;
    }

    /** The child's output; null if it goes elsewhere. */
    public @Nullable StreamCore output() {
        return output;
    }

    /** The child's error output; null if it goes elsewhere. */
    public @Nullable StreamCore error() {
        return error;
    }

    /** See {@link org.trueasync.io.ChildProcess#await()}. */
    public int await(@Nullable Completable<?> token) {
        loop.requireLoopThread("await");
        Awaiting.markUsed(token);
        if (!child.hasEnded()) {
            requireKnown();
            Awaiting.until(Runtimes.currentCoroutine("ChildProcess.await"), child.exit(), token);
        }
        return child.status();
    }

    private void requireKnown() {
        if (child.isDetached()) throw child.detachedError();
    }

    /** See {@link org.trueasync.io.ChildProcess#kill}. */
    public boolean kill(int signal) {
        loop.requireLoopThread("kill");
        if (child.hasEnded()) return false;
        requireKnown();
        SystemError refused = child.kill(signal);
        if (refused == null) return true;
        if (refused.errno().equals("ESRCH")) return false;
        throw new InputOutputException(
                "send signal " + signal + " to " + child.shown() + ": " + refused, refused.errno());
    }

    /** See {@link org.trueasync.io.ChildProcess#detach}. */
    public void detach() {
        loop.requireLoopThread("detach");
        closeStreams();
        child.detach();
    }

    /** See {@link org.trueasync.io.ChildProcess#close}. */
    public void close() {
        loop.requireLoopThread("close");
        try {
            Termination.of(child, grace);
        } finally {
            closeStreams();
        }
    }

    private void closeStreams() {
        if (input != null) input.close();
        if (output != null) output.close();
        if (error != null) error.close();
    }
}
