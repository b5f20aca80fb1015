package org.trueasync.spi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.internal.error.Causes;
import org.trueasync.internal.error.Throwing;

/**
 * The common part of all reactors: the check of the calling thread, the refusal of nested turns, closing once, the
 * collection of what listeners throw, and pauses for listening sockets that can't accept. Belongs to the thread that
 * makes it.
 */
public abstract class AbstractReactor implements Reactor {
    /**
     * How long the socket that rests first waits. The others are resumed with it; all earlier, if a descriptor is
     * closed.
     */
    private static final long REST_NANOS = 100_000_000;

    private final Thread thread = Thread.currentThread();
    private long alarm = Long.MAX_VALUE;
    private final List<Resting> resting = new ArrayList<>();
    private long resumeAt;
    private boolean running;
    private boolean closed;
    private @Nullable Throwable failure;

    /** A reactor of the calling thread. */
    protected AbstractReactor() {}

    /**
     * Runs one turn, for {@link #execute}, which throws what this throws. If a listener has thrown before,
     * {@code execute} throws the listener's error, with this one suppressed in it.
     *
     * @param noWait true: collect what is ready, never block
     */
    protected abstract void turn(boolean noWait);

    /** Closes all handles, tells their listeners, and frees all resources. Called once, by {@link #close}. */
    protected abstract void end();

    /** True if the calling thread counts as the loop's: a coroutine is a virtual thread that is mounted on it. */
    protected abstract boolean isLoopThread();

    // ---- turns

    @Override
    public final void execute(boolean noWait) {
        requireLoopThread("execute");
        if (closed || running) throw misused("execute");
        running = true;
        try {
            if (!resting.isEmpty() && resumeAt - nanoTime() <= 0) resumeAll();
            turn(noWait);
        } catch (Throwable t) {
            failed(t);
        } finally {
            running = false;
        }
        rethrowFailure();
    }

    @Override
    public final void alarm(long time) {
        requireLoopThread("alarm");
        alarm = time;
    }

    /**
     * The time at which a waiting turn has to end: the alarm's, or the end of a rest if that is earlier;
     * {@link Long#MAX_VALUE} for none.
     */
    protected final long deadline() {
        boolean restEndsFirst = !resting.isEmpty() && (alarm == Long.MAX_VALUE || resumeAt - alarm < 0);
        return restEndsFirst ? resumeAt : alarm;
    }

    /**
     * Stores what a listener has thrown; {@link #execute} or {@link #close} throws it at its end. On the loop thread
     * this method does not throw, and it allocates nothing for the first error. So an upcall from native code may call
     * it.
     *
     * @param thrown by a listener
     */
    public final void failed(Throwable thrown) {
        requireLoopThread("failed");
        failure = Causes.joined(failure, thrown);
    }

    private void rethrowFailure() {
        Throwable thrown = failure;
        failure = null;
        if (thrown != null) throw Throwing.sneaky(thrown);
    }

    // ---- rest

    /**
     * A listening socket that can't accept now, because the system has no descriptor left for instance. To try again at
     * once would make the loop spin.
     */
    public interface Resting {
        /** Tries again to accept. */
        void resume();
    }

    /**
     * Registers a socket that will be resumed later. All registered sockets are resumed together: 100 ms after the
     * first of them was registered, or as soon as this reactor has closed a descriptor.
     *
     * @param socket the socket; added twice, it is resumed once
     */
    public final void rest(Resting socket) {
        requireLoopThread("rest");
        if (resting.isEmpty()) resumeAt = nanoTime() + REST_NANOS;
        if (!resting.contains(socket)) resting.add(socket);
    }

    /** Resumes the resting sockets, because this reactor has closed a descriptor. */
    public final void descriptorFreed() {
        requireLoopThread("descriptorFreed");
        if (!resting.isEmpty() && !closed) resumeAll();
    }

    private void resumeAll() {
        List<Resting> rested = List.copyOf(resting);
        resting.clear();
        rested.forEach(Resting::resume);
    }

    // ---- misuse

    /**
     * Fails on a thread that is not the loop's, with an {@link AsyncException}.
     *
     * @param operation for the message
     */
    public final void requireLoopThread(String operation) {
        if (Thread.currentThread() == thread || isLoopThread()) return;
        throw new AsyncException("reactor used by '" + Thread.currentThread().getName() + "' (" + operation
                + "), owned by '" + thread.getName() + "'; only trigger() may be called from other threads");
    }

    /**
     * Fails on another thread, and after {@link #close}, with an {@link AsyncException}.
     *
     * @param operation for the message
     */
    protected final void requireUsable(String operation) {
        requireLoopThread(operation);
        if (closed) throw misused(operation);
    }

    private AsyncException misused(String operation) {
        return new AsyncException(
                operation + (closed ? ": the reactor is closed" : ": not from inside a listener of the reactor"));
    }

    /** The thread that made this reactor. */
    protected final Thread thread() {
        return thread;
    }

    // ---- the end

    /** True from {@link #close} on. */
    protected final boolean isClosed() {
        return closed;
    }

    @Override
    public final void close() {
        if (closed) return;
        requireLoopThread("close");
        if (running) throw misused("close");
        closed = true;
        running = true;
        resting.clear();
        try {
            end();
        } catch (Throwable t) {
            failed(t);
        }
        rethrowFailure();
    }
}
