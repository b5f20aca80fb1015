package org.trueasync.internal.http.client;

import java.io.BufferedOutputStream;
import java.io.IOException;
import java.io.OutputStream;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;
import org.trueasync.FutureState;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.spi.SchedulerProvider;

/**
 * Writes a request whose body may be long, in a coroutine of its own, while the caller reads: a server may answer
 * before it has read everything, and read no more until its answer is read.
 */
final class BodySender extends OutputStream {
    private static final int PART = 32 * 1024;
    /** How long to wait for 100; a server that does not know the expectation never sends it (RFC 9110, 10.1.1). */
    private static final long CONTINUE_MILLIS = 1_000;

    private final ClientWire wire;
    private final RequestBody body;
    private final @Nullable FutureState<Boolean> mayContinue;
    private long rest;
    private @Nullable InputOutputException broken;
    private @Nullable Throwable failure;
    private boolean isDone;
    private boolean isStopped;
    private @Nullable Completable<?> coroutine;

    BodySender(ClientWire wire, ClientRequest request) {
        this.wire = wire;
        this.body = request.body;
        this.rest = body.length;
        this.mayContinue = request.expectsContinue ? new FutureState<Boolean>().ignore() : null;
    }

    /** Begins to write the rest of the head, and then the body. */
    void start() {
        coroutine = Async.spawn("body of an HTTP request", this::run);
    }

    boolean isDone() {
        return isDone;
    }

    /** The program's own failure to write the body; null if there is none. */
    @Nullable
    Throwable failure() {
        return failure;
    }

    /** True if the whole body was written. */
    boolean hasSentAll() {
        return isDone && broken == null && failure == null;
    }

    /** Lets it go on that has waited for the server's 100. */
    void goOn() {
        if (mayContinue != null && !mayContinue.isCompleted()) mayContinue.complete(true);
    }

    /** Waits for its end. */
    void await() {
        if (!isDone && coroutine != null) Async.await(coroutine);
    }

    /** Ends it, and waits for its end, also if a cancellation is due: its connection is used by others next. */
    void stop() {
        Completable<?> running = coroutine;
        if (isDone || running == null) return;
        isStopped = true;
        running.cancel(new AsyncCancellation("the response has come, or the call was given up"));
        SchedulerProvider.get().shield(() -> {
            try {
                Async.await(running);
            } catch (AsyncCancellation e) {
                // it was stopped
            }
            return true;
        });
    }

    private void run() {
        try {
            send(wire::sendHead);
            awaitContinue();
            var joined = new BufferedOutputStream(this, PART);
            body.writeTo(joined);
            joined.flush();
            if (rest > 0)
                throw new IllegalStateException(
                        "the body must have " + body.length + " bytes, but " + rest + " of them were not written");
            send(wire::endBody);
        } catch (Throwable e) {
            if (broken == null) {
                failure = e;
                wire.cutBody(isStopped);
            }
            if (e instanceof AsyncCancellation stopped) throw stopped;
        } finally {
            isDone = true;
        }
    }

    private void send(Runnable part) {
        try {
            part.run();
        } catch (InputOutputException e) {
            broken = e;
            throw e;
        }
    }

    private void awaitContinue() {
        if (mayContinue == null) return;
        try {
            Async.await(mayContinue.future(), Async.timeout(CONTINUE_MILLIS));
        } catch (OperationCanceledException e) {
            // it does not know the expectation
        }
    }

    // ---- the stream that the body is written to

    @Override
    public void write(int b) throws IOException {
        write(new byte[] {(byte) b}, 0, 1);
    }

    @Override
    public void write(byte[] from, int offset, int length) throws IOException {
        Objects.checkFromIndexSize(offset, length, from.length);
        if (isDone) throw new IOException("the body of the request has ended");
        if (body.length >= 0 && length > rest)
            throw new IllegalStateException("the body must have " + body.length + " bytes, and more were written");
        try {
            for (int done = 0; done < length; ) {
                int part = Math.min(length - done, PART);
                int at = offset + done;
                send(() -> wire.sendPart(from, at, part));
                done += part;
                rest -= part;
            }
        } catch (InputOutputException e) {
            throw new IOException(e.getMessage(), e);
        }
    }
}
