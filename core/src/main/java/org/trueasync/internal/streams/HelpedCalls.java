package org.trueasync.internal.streams;

import java.io.Closeable;
import java.io.IOException;
import java.util.ArrayDeque;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.await.Offload;
import org.trueasync.internal.work.Workers;

/**
 * The calls on a stream that blocks, one after another in the order in which they were asked for, each made by its caller or by a helper thread for it. The error of a call whose caller has left
 * is the next one's. Any thread. What is guarded is guarded by this object's monitor, which is never held across a call.
 */
final class HelpedCalls {
    private final Closeable real;
    private final String operation;
    private final String name;

    /** Those who wait for their turn, first come, first served. */
    private final ArrayDeque<Offload> line = new ArrayDeque<>(2);

    /** Somebody's turn. */
    private boolean taken;

    private @Nullable Offload underWay;
    private @Nullable IOException failure;
    private boolean closed;

    /**
     * Of a stream that nobody else uses from now on.
     *
     * @param real what blocks
     * @param operation for errors, with a preposition
     * @param name of the stream, for reports
     */
    HelpedCalls(Closeable real, String operation, String name) {
        this.real = real;
        this.operation = operation;
        this.name = name;
    }

    /** Fails after {@link #close}. */
    synchronized void requireOpen() throws IOException {
        if (closed) throw new IOException("Stream closed");
    }

    /**
     * Waits behind whoever came earlier.
     *
     * @return false if the caller can't leave its loop: it goes on out of turn, as whoever has the turn may need that loop to end it; otherwise {@link #leave} must
     *     follow
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
            line.add(turn);
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
            if (line.remove(turn)) return;
        }
        leave();
    }

    /** The turn is over. */
    void leave() {
        Offload next;
        synchronized (this) {
            next = line.poll();
            taken = next != null;
        }
        if (next != null) next.end();
    }

    /**
     * Begins a turn at once, which {@link #leave} ends.
     *
     * @return false if it is somebody's turn, if a call is under way or has failed, and once it is closed
     */
    synchronized boolean tryEnter() {
        if (taken || underWay != null || failure != null || closed) return false;
        taken = true;
        return true;
    }

    /** Throws, once, what a helper's call threw. */
    synchronized void throwFailure() throws IOException {
        IOException thrown = failure;
        if (thrown == null) return;
        failure = null;
        throw new IOException(thrown.getMessage(), thrown);
    }

    /** The call that everybody else has to wait for. */
    synchronized @Nullable Offload underWay() {
        return underWay;
    }

    /** A call begins, of which {@link #ended} tells the end. Only where none is under way. */
    synchronized Offload begin() {
        var mine = new Offload(name);
        underWay = mine;
        return mine;
    }

    /** A call of the stream. */
    interface Call {
        void make() throws IOException;
    }

    /** Has a helper make the call, which has begun; waits for its end, or for {@link #close}. */
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

    /** The call has ended: whoever waits for it looks again. */
    void ended(Offload mine) {
        synchronized (this) {
            if (underWay == mine) underWay = null;
        }
        mine.end();
    }

    /** Closes at once; whoever waits looks again. A call of a helper that is under way ends when the other side does something. */
    void close() throws IOException {
        Offload cut;
        List<Offload> waiting;
        synchronized (this) {
            closed = true;
            cut = underWay;
            waiting = List.copyOf(line);
            line.clear();
        }
        try {
            real.close();
        } finally {
            if (cut != null) cut.end();
            waiting.forEach(Offload::end);
        }
    }
}
