package org.trueasync.internal.streams;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.Offload;
import org.trueasync.internal.work.Workers;

/**
 * The calls on a stream that blocks: one at a time, in the order in which they were requested, each made by its caller
 * or by a helper thread. The error of a call whose caller has left is thrown to the next caller. Any thread. The
 * mutable state is guarded by this object's monitor, which is never held during a call.
 */
final class HelpedCalls {
    private final Closeable real;
    private final String operation;
    private final String name;

    /** The callers that wait for their turn, first come, first served. */
    private final ArrayDeque<Offload> waiting = new ArrayDeque<>(2);

    /** True while a caller has the turn. */
    private boolean taken;

    private @Nullable Offload underWay;
    private @Nullable IOException failure;
    private boolean closed;

    /**
     * Makes the queue of a stream.
     *
     * @param real the stream that blocks; from now on used through this object only
     * @param operation for errors, with a preposition
     * @param name of the stream, for reports
     */
    HelpedCalls(Closeable real, String operation, String name) {
        this.real = real;
        this.operation = operation;
        this.name = name;
    }

    /** Throws after {@link #close}. */
    synchronized void requireOpen() throws IOException {
        if (closed) throw new IOException("Stream closed");
    }

    /**
     * Waits until all earlier callers have had their turn.
     *
     * @return true if the caller has the turn; {@link #leave} must follow. False if it would block its loop: it goes on
     *     out of turn, because ending the current turn may need that loop
     * @throws IOException if the stream is closed, before or while waiting
     */
    boolean enter() throws IOException {
        Offload turn;
        synchronized (this) {
            requireOpen();
            if (!taken) {
                taken = true;
                return true;
            }
            turn = new Offload(name);
            waiting.add(turn);
        }
        boolean mine = false;
        try {
            mine = turn.awaitUnlessStuck();
        } finally {
            if (!mine) leave(turn);
        }
        requireOpen();
        return mine;
    }

    private void leave(Offload turn) {
        synchronized (this) {
            if (waiting.remove(turn)) return;
        }
        leave();
    }

    /** Ends the turn; the next one begins. */
    void leave() {
        Offload next;
        synchronized (this) {
            next = waiting.poll();
            taken = next != null;
        }
        if (next != null) next.end();
    }

    /**
     * Begins a turn if none has to be waited for; {@link #leave} must follow.
     *
     * @return false if the turn is taken, if a call is under way or has failed, or if the stream is closed
     */
    synchronized boolean tryEnter() {
        if (taken || underWay != null || failure != null || closed) return false;
        taken = true;
        return true;
    }

    /** Throws, once, the error of a call that a helper thread made. */
    synchronized void throwFailure() throws IOException {
        IOException thrown = failure;
        if (thrown == null) return;
        failure = null;
        throw new IOException(thrown.getMessage(), thrown);
    }

    /** The call that is being made, for which all other calls have to wait; null if there is none. */
    synchronized @Nullable Offload underWay() {
        return underWay;
    }

    /** Begins a call; {@link #ended} must follow. Only while none is under way. */
    synchronized Offload begin() {
        var mine = new Offload(name);
        underWay = mine;
        return mine;
    }

    /** A call of the stream. */
    interface Call {
        void make() throws IOException;
    }

    /**
     * Lets a helper thread make a call for which {@link #begin} was called; waits for its end, or for {@link #close}.
     */
    void help(Offload mine, Call call) {
        try {
            Workers.BLOCKING.execute(() -> makeForOthers(mine, call));
        } catch (Throwable e) {
            ended(mine);
            throw e;
        }
        mine.await();
    }

    private void makeForOthers(Offload mine, Call call) {
        try {
            call.make();
        } catch (IOException e) {
            fail(e);
        } catch (Throwable e) {
            fail(new IOException("could not " + operation + " " + name, e));
        } finally {
            ended(mine);
        }
    }

    private synchronized void fail(IOException thrown) {
        failure = thrown;
    }

    /** Ends a call. The callers that wait for it go on and check the state again. */
    void ended(Offload mine) {
        synchronized (this) {
            if (underWay == mine) underWay = null;
        }
        mine.end();
    }

    /**
     * Closes at once. All waiting callers go on and check the state again. A call that a helper thread is making ends
     * when the other side does something.
     */
    void close() throws IOException {
        Offload interrupted;
        List<Offload> woken;
        synchronized (this) {
            closed = true;
            interrupted = underWay;
            woken = List.copyOf(waiting);
            waiting.clear();
        }
        try {
            real.close();
        } finally {
            if (interrupted != null) interrupted.end();
            woken.forEach(Offload::end);
        }
    }
}
