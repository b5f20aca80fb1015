package org.trueasync.reactor.nio;

import java.io.IOException;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/** A stream for which the JDK only has calls that block: a pipe of a child, a terminal. It either reads or writes. */
class PumpedStream extends NioHandle implements StreamHandle, InputPump.Receiver {
    private final String what;
    private final @Nullable InputPump input;
    private final @Nullable OutputPump output;
    private final Listener listener;

    private boolean wanted;
    private boolean shutting;
    /** Reports of writes and shutdowns that were refused at once. */
    private final ArrayDeque<Runnable> refusals = new ArrayDeque<>(1);

    /**
     * Makes an open stream.
     *
     * @param reactor its loop
     * @param what it is, for messages
     * @param input from which it reads; null if it writes
     * @param output to which it writes; null if it reads
     * @param listener told of everything that happens
     */
    PumpedStream(
            NioReactor reactor,
            String what,
            @Nullable InputPump input,
            @Nullable OutputPump output,
            Listener listener) {
        this.what = what;
        this.input = input;
        this.output = output;
        this.listener = listener;
        super(reactor);
        if (input != null) input.attach(this);
        reactor.opened(this);
    }

    // ---- reading

    @Override
    public @Nullable SystemError startReading() {
        if (isClosed()) return NioErrors.CLOSED;
        if (input == null) return NioErrors.ONE_WAY;
        if (wanted) return null;
        wanted = true;
        if (input.hasChunk()) reactor.defer(this);
        else input.request();
        return null;
    }

    @Override
    public void stopReading() {
        wanted = false;
    }

    @Override
    public void chunkCame() {
        reactor.post(this::deliver);
    }

    private void deliver() {
        if (!wanted || isClosed() || input == null) return;
        deliverChunk(input);
        if (wanted && !isClosed()) input.request(); // also if another receiver has taken the chunk
    }

    /** Takes the pump's chunk and passes it to the listener; true if there was one. */
    private boolean deliverChunk(InputPump from) {
        InputPump.Chunk came = from.take();
        if (came == null) return false;
        if (came.error() != null) {
            wanted = false;
            listener.onReadError(SystemError.of(came.error()));
        } else if (came.bytes() == null) {
            wanted = false;
            listener.onEnd();
        } else {
            listener.onBytes(came.bytes());
        }
        return true;
    }

    /** Delivers the chunk that the pump has read; if there is none, reads nothing and requests one from the pump. */
    @Override
    public void readNow() {
        if (isClosed()) listener.onReadError(NioErrors.CLOSED);
        else if (input == null) listener.onReadError(NioErrors.ONE_WAY);
        else if (!deliverChunk(input)) input.request();
    }

    // ---- writing

    /** Takes no bytes, because the JDK can't tell whether the system would take them without waiting. */
    @Override
    public @Nullable SystemError tryWrite(ByteBuffer bytes) {
        if (isClosed()) return NioErrors.CLOSED;
        if (output == null) return NioErrors.ONE_WAY;
        return shutting ? NioErrors.BROKEN_PIPE : null;
    }

    @Override
    public void write(ByteBuffer bytes) {
        requireOpen("write");
        byte[] copy = new byte[bytes.remaining()];
        bytes.get(copy);
        if (output == null) refuse(() -> listener.onWritten(NioErrors.ONE_WAY));
        else if (shutting) refuse(() -> listener.onWritten(NioErrors.BROKEN_PIPE));
        else output.write(copy, e -> reactor.post(() -> written(e)));
    }

    private void written(@Nullable IOException error) {
        if (!isClosed()) listener.onWritten(error == null ? null : writeError(error));
    }

    /**
     * Returns the error of a write. If the JDK has closed the pipe, because the child has ended, that is a broken pipe.
     */
    private static SystemError writeError(IOException thrown) {
        SystemError error = SystemError.of(thrown);
        return error.errno().isEmpty() ? NioErrors.BROKEN_PIPE : error;
    }

    @Override
    public void shutdown() {
        requireOpen("shutdown");
        if (output == null || shutting) {
            refuse(() -> listener.onShutdown(output == null ? NioErrors.ONE_WAY : NioErrors.NOT_CONNECTED));
            return;
        }
        shutting = true;
        output.end(e -> reactor.post(() -> shut(e)));
    }

    private void shut(@Nullable IOException error) {
        if (!isClosed()) listener.onShutdown(error == null ? null : writeError(error));
    }

    private void refuse(Runnable report) {
        refusals.add(report);
        reactor.defer(this);
    }

    @Override
    void runDeferred() {
        Runnable refusal = refusals.poll();
        if (!refusals.isEmpty()) reactor.defer(this);
        if (refusal != null) refusal.run();
        deliver();
    }

    // ---- the end

    @Override
    void release() {
        if (input != null) {
            input.detach(this);
            if (ownsInput()) input.close();
        }
        if (output != null) output.close();
    }

    /** True if closing this handle closes the input pump too. */
    boolean ownsInput() {
        return true;
    }

    @Override
    void finished() {
        listener.onClosed();
    }

    @Override
    public String toString() {
        return what + (isClosed() ? ", closed" : "");
    }
}
