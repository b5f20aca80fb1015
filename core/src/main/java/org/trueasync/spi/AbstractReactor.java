package org.trueasync.spi;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.internal.error.Throwing;

/**
 * What reactors have in common: a thread that they belong to, turns that are not begun inside a turn, one end, what becomes of what listeners
 * throw, and rest for those who hit a limit of the system. Belongs to the thread that makes it.
 */
public abstract class AbstractReactor implements Reactor {
    /** How long a socket rests after a limit was hit, unless a descriptor of ours is closed earlier. */
    private static final long REST_NANOS = 100_000_000;

    private final Thread thread = Thread.currentThread();
    private long alarm = Long.MAX_VALUE;
    private final List<Resting> resting = new ArrayList<>();
    private long restsUntil;
    private boolean running;
    private boolean closed;
    private @Nullable Throwable failure;

    /** A reactor of the calling thread. */
    protected AbstractReactor() {}

    /**
     * One turn, as {@link #execute} has it. What is thrown here is thrown there, after what listeners threw.
     *
     * @param noWait true: collect what is ready, never block
     */
    protected abstract void turn(boolean noWait);

    /** Closes all handles, tells their listeners, and gives everything back. Called once, inside {@link #close}. */
    protected abstract void end();

    /** True if the calling thread may be the loop's; a coroutine is a virtual thread that sits on it. */
    protected abstract boolean isLoopThread();

    // ---- turns

    @Override
    public final void execute(boolean noWait) {
        requireLoopThread("execute");
        if (closed || running) throw misused("execute");
        running = true;
        try {
            if (!resting.isEmpty() && restsUntil - nanoTime() <= 0) resumeAll();
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

    /** Until when a waiting turn may last: the alarm's time, or the end of a rest; {@link Long#MAX_VALUE} for ever. */
    protected final long deadline() {
        boolean restsLess = !resting.isEmpty() && (alarm == Long.MAX_VALUE || restsUntil - alarm < 0);
        return restsLess ? restsUntil : alarm;
    }

    /**
     * Has this turn throw, at its end, what a listener has thrown. Throws nothing itself and makes no object for the first one, so an upcall from
     * native code may call it.
     *
     * @param thrown by a listener
     */
    public final void failed(Throwable thrown) {
        requireLoopThread("failed");
        failure = Joined.errors(failure, thrown);
    }

    private void rethrowFailure() {
        Throwable thrown = failure;
        failure = null;
        if (thrown != null) throw Throwing.sneaky(thrown);
    }

    // ---- rest

    /** A socket that has connections for us, but the system has no descriptor left: asked again at once it would make the loop spin. */
    public interface Resting {
        /** Tries again. */
        void resume();
    }

    /**
     * Has somebody resumed after a while, or when a descriptor has come free.
     *
     * @param who at most once in the list
     */
    public final void rest(Resting who) {
        requireLoopThread("rest");
        if (resting.isEmpty()) restsUntil = nanoTime() + REST_NANOS;
        if (!resting.contains(who)) resting.add(who);
    }

    /** One of our descriptors has been closed. */
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
     * Fails on a thread that is not the loop's.
     *
     * @param operation for the message
     */
    public final void requireLoopThread(String operation) {
        if (Thread.currentThread() == thread || isLoopThread()) return;
        throw new AsyncException("reactor used by '" + Thread.currentThread().getName() + "' (" + operation
                + "), owned by '" + thread.getName() + "'; only trigger() may be called from other threads");
    }

    /**
     * Fails on another thread, and after {@link #close}.
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

    /** The thread that made it. */
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
