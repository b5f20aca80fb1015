package org.trueasync.internal.io;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.kernel.Scheduler;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;

/**
 * A byte stream as coroutines see it, on top of a {@link StreamHandle}.
 *
 * <p>Reading: bytes go from the reactor's buffer straight into the buffer of the coroutine that waits longest. What does not fit is kept, at most
 * one chunk of the reactor, and served first; the handle reads only while somebody waits, so a slow reader fills the system's buffer and
 * stops the peer, not our memory. If a reader is cancelled after bytes were put into its buffer, they are put back; the next reader is
 * served only once that is decided, so that the order of the stream is kept.
 *
 * <p>Writing: one writer at a time, the others wait in line, so that nothing interleaves within a write. What the system does not take at
 * once is handed over in chunks and waited for.
 */
public final class StreamCore implements StreamHandle.Listener {
    private static final int WRITE_CHUNK = 256 * 1024;

    private final Scheduler scheduler;
    private String peer = "a new connection";
    private final ArrayDeque<ReadRequest> readers = new ArrayDeque<>(2);
    private final ArrayDeque<Turn> writers = new ArrayDeque<>(2);
    private final ArrayDeque<Sent> underWay = new ArrayDeque<>(2);
    private final KeptBytes kept = new KeptBytes();
    private @Nullable StreamHandle handle;
    /** Has bytes in its buffer but has not run since: nobody else is served before it, so that bytes given back keep their place. */
    private @Nullable ReadRequest served;

    private @Nullable ReadRequest spareRead;
    private @Nullable Sent connecting;
    private @Nullable Sent shuttingDown;
    private @Nullable Throwable readError;
    private boolean end;
    private boolean writing;
    private boolean closed;

    StreamCore(Scheduler scheduler) {
        this.scheduler = scheduler;
    }

    // ---- opening

    /** Connects to one address; suspends. */
    static StreamCore connect(Scheduler scheduler, InetSocketAddress remote, @Nullable Completable<?> token) {
        var stream = new StreamCore(scheduler);
        stream.peer = Addresses.text(remote);
        var request = new Sent(scheduler, "connect to " + stream.peer);
        stream.connecting = request;
        stream.handle = scheduler.reactor.connect(remote, stream);
        boolean connected = false;
        try {
            request.await(token);
            connected = true;
        } finally {
            if (!connected) stream.close();
        }
        return stream;
    }

    /** The handle of an accepted connection; called before anything else. */
    void opened(StreamHandle accepted) {
        handle = accepted;
        peer = Addresses.text(accepted.remoteAddress());
    }

    // ---- reading

    /** See {@link org.trueasync.io.TcpStream#read(ByteBuffer)}. */
    public int read(ByteBuffer into, @Nullable Completable<?> token) {
        requireOwnLoop("read");
        if (into.isReadOnly())
            throw new IllegalArgumentException(
                    "read from " + peer + " needs a buffer that can be written to, got a read-only one");
        if (!into.hasRemaining())
            throw new IllegalArgumentException("read from " + peer + " needs a buffer with room, got " + into);
        StreamHandle from = requireOpen("read from");
        if (readers.isEmpty() && served == null) {
            if (!kept.isEmpty()) return ReadRequest.move(kept.view(), into);
            if (end) return -1;
            if (readError != null) throw failure(readError);
        }
        ReadRequest request = spareRead;
        spareRead = null;
        if (request == null) request = new ReadRequest(this, scheduler, from);
        request.prepare(into);
        boolean woken = false;
        try {
            request.await(token);
            woken = true;
        } finally {
            if (!woken && request.count() > 0) kept.putFirst(request.taken());
            if (served == request) serveNext();
        }
        int count = request.count();
        spareRead = request;
        return count;
    }

    /** The reader that was served has come back, with its bytes or without: the next one may be served. */
    private void serveNext() {
        served = null;
        if (readers.isEmpty() || closed) return;
        if (!kept.isEmpty()) serve(kept.view());
        else if (end) onEnd();
        else if (readError != null) failReaders(readError);
        else startReading(requireOpen("read from"));
    }

    private void serve(ByteBuffer bytes) {
        ReadRequest first = readers.remove();
        served = first;
        first.fill(bytes);
    }

    private static RuntimeException failure(Throwable error) {
        if (error instanceof InputOutputException e)
            return new InputOutputException(String.valueOf(e.getMessage()), e.errno(), e);
        return new InputOutputException("read failed", "", error);
    }

    void waits(ReadRequest request, StreamHandle from) {
        readers.add(request);
        if (readers.size() == 1 && served == null) startReading(from);
    }

    private void startReading(StreamHandle from) {
        SystemError refused = from.startReading();
        if (refused != null) failReaders(error("read from", refused));
    }

    void leaves(ReadRequest request) {
        readers.remove(request);
        if (readers.isEmpty() && handle != null) handle.stopReading();
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
        if (served == null && !readers.isEmpty()) serve(bytes);
        if (bytes.hasRemaining()) kept.add(bytes);
        if ((served != null || readers.isEmpty()) && handle != null) handle.stopReading();
    }

    @Override
    public void onEnd() {
        end = true;
        if (served != null) return;
        ReadRequest reader;
        while ((reader = readers.poll()) != null) reader.atEnd();
    }

    @Override
    public void onReadError(SystemError error) {
        InputOutputException failure = error("read from", error);
        readError = failure;
        if (served == null) failReaders(failure);
    }

    private void failReaders(Throwable error) {
        readError = error;
        ReadRequest reader;
        while ((reader = readers.poll()) != null) reader.complete(error);
    }

    // ---- writing

    /** See {@link org.trueasync.io.TcpStream#write(ByteBuffer)}. */
    public void write(ByteBuffer from, @Nullable Completable<?> token) {
        requireOwnLoop("write");
        if (writing) {
            requireOpen("write to");
            var turn = new Turn(this, scheduler);
            boolean mine = false;
            try {
                turn.await(token);
                mine = true;
            } finally {
                if (!mine && turn.isDone()) nextWriter();
            }
        }
        writing = true;
        try {
            writeAll(from, token);
        } finally {
            nextWriter();
        }
    }

    private void writeAll(ByteBuffer from, @Nullable Completable<?> token) {
        StreamHandle to = requireOpen("write to");
        SystemError refused = to.tryWrite(from);
        if (refused != null) throw error("write to", refused);
        while (from.hasRemaining()) {
            int length = Math.min(from.remaining(), WRITE_CHUNK);
            var sent = new Sent(scheduler, "write of " + length + " bytes to " + peer);
            requireOpen("write to").write(from.slice(from.position(), length));
            from.position(from.position() + length);
            underWay.add(sent);
            sent.await(token);
        }
    }

    private void nextWriter() {
        writing = false;
        Turn next = writers.poll();
        if (next == null) return;
        writing = true; // its turn is reserved: nobody slips in before it runs
        next.complete(null);
    }

    void waits(Turn turn) {
        writers.add(turn);
    }

    void leaves(Turn turn) {
        writers.remove(turn);
    }

    @Override
    public void onWritten(@Nullable SystemError error) {
        Sent oldest = underWay.poll();
        if (oldest != null) oldest.complete(error == null ? null : error("write to", error));
    }

    /** Ends our side, after what has been written; suspends until the system has taken it. */
    public void shutdownOutput(@Nullable Completable<?> token) {
        requireOwnLoop("shutdownOutput");
        if (shuttingDown != null) return;
        var request = new Sent(scheduler, "shutdown of the output to " + peer);
        requireOpen("shut down").shutdown();
        shuttingDown = request;
        request.await(token);
    }

    @Override
    public void onShutdown(@Nullable SystemError error) {
        if (shuttingDown != null) shuttingDown.complete(error == null ? null : error("shut down the output to", error));
    }

    // ---- connecting, closing

    @Override
    public void onConnected(@Nullable SystemError error) {
        Sent request = connecting;
        connecting = null;
        if (request != null) request.complete(error == null ? null : error("connect to", error));
    }

    /** Closes; whoever waits on the stream gets an error. Again does nothing. */
    public void close() {
        if (closed) return;
        requireOwnLoop("close");
        closed = true;
        if (handle != null) handle.close();
        var error = new InputOutputException("stream to " + peer + " was closed while waiting on it", "");
        failReaders(error);
        Turn turn;
        while ((turn = writers.poll()) != null) turn.complete(error);
        Sent sent;
        while ((sent = underWay.poll()) != null) sent.complete(error);
        if (connecting != null) connecting.complete(error);
        if (shuttingDown != null) shuttingDown.complete(error);
    }

    public boolean isClosed() {
        return closed;
    }

    private void requireOwnLoop(String call) {
        scheduler.requireLoopThread(call);
    }

    /** The handle, if the stream is open. */
    public StreamHandle requireOpen(String operation) {
        StreamHandle open = handle;
        if (closed || open == null)
            throw new InputOutputException(operation + " " + peer + ": the stream is closed", "EBADF");
        return open;
    }

    /** The exception for what the system refused. */
    public InputOutputException error(String operation, SystemError error) {
        return new InputOutputException(operation + " " + peer + ": " + error, error.errno());
    }

    /** The other end, for messages. */
    public String peer() {
        return peer;
    }
}
