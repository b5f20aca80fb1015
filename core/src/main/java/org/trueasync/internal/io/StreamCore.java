package org.trueasync.internal.io;

import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
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
 * once is handed over in chunks and waited for. A writer that gives up leaves at most one chunk behind, and the next one waits for that first:
 * what is handed over and not sent is never more than a chunk. Shutting the output down stands in the same line.
 */
public final class StreamCore implements StreamHandle.Listener {
    private static final int WRITE_CHUNK = 256 * 1024;

    private final Scheduler scheduler;
    private String peer = "a new connection";
    private final ArrayDeque<ReadRequest> readers = new ArrayDeque<>(2);
    private final ArrayDeque<Turn> writers = new ArrayDeque<>(2);
    private final KeptBytes kept = new KeptBytes();
    private @Nullable StreamHandle handle;
    /** Has bytes in its buffer but has not run since: nobody else is served before it, so that bytes given back keep their place. */
    private @Nullable ReadRequest served;

    private @Nullable ReadRequest spareRead;
    /** The chunk that the reactor has taken over and not sent yet. */
    private @Nullable Sent underWay;

    private @Nullable Sent connecting;
    private @Nullable Sent shuttingDown;
    private @Nullable Throwable readError;
    private boolean end;
    /** Somebody's turn to write, or to shut down: from the call on where nobody else is in line. */
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

    /** The handle of a stream that is open already; called before anything else. */
    void opened(StreamHandle open, String otherEnd) {
        handle = open;
        peer = otherEnd;
    }

    // ---- reading

    /** See {@link org.trueasync.io.TcpStream#read(ByteBuffer)}. */
    public int read(ByteBuffer into, @Nullable Completable<?> token) {
        requireLoopThread("read");
        Objects.requireNonNull(into, "into");
        Awaiting.markUsed(token);
        if (into.isReadOnly())
            throw new IllegalArgumentException(
                    "read from " + peer + " needs a buffer that can be written to, got a read-only one");
        if (!into.hasRemaining())
            throw new IllegalArgumentException("read from " + peer + " needs a buffer with room, got " + into);
        StreamHandle from = requireOpen("read from");
        if (isServedAtOnce()) {
            scheduler.shareLoop();
            requireOpen("read from");
            if (isServedAtOnce()) return serveAtOnce(into);
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

    /** True if a read need not wait: bytes, the end or an error are there, and nobody else is first. */
    private boolean isServedAtOnce() {
        return readers.isEmpty() && served == null && (!kept.isEmpty() || end || readError != null);
    }

    private int serveAtOnce(ByteBuffer into) {
        if (!kept.isEmpty()) return ReadRequest.move(kept.view(), into);
        if (end) return -1;
        throw IoRequest.again(Objects.requireNonNull(readError));
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
        requireLoopThread("write");
        Objects.requireNonNull(from, "from");
        Awaiting.markUsed(token);
        requireOpen("write to");
        takeTurn(token);
        try {
            writeAll(from, token);
        } finally {
            nextWriter();
        }
    }

    /** Waits behind whoever came earlier. The turn is taken before the loop is shared, so that the order is that of the calls. */
    private void takeTurn(@Nullable Completable<?> token) {
        Turn turn = writing ? new Turn(this, scheduler) : null;
        writing = true;
        boolean mine = false;
        try {
            if (turn == null) scheduler.shareLoop();
            else turn.await(token);
            mine = true;
        } finally {
            if (!mine && (turn == null || turn.isDone())) nextWriter();
        }
    }

    private void writeAll(ByteBuffer from, @Nullable Completable<?> token) {
        if (underWay != null) underWay.await(token);
        while (isChunkTakenAtOnce(from)) scheduler.shareLoop();
        while (from.hasRemaining()) {
            int length = Math.min(from.remaining(), WRITE_CHUNK);
            var sent = new Sent(scheduler, "write of " + length + " bytes to " + peer);
            requireOpen("write to").write(from.slice(from.position(), length));
            from.position(from.position() + length);
            underWay = sent;
            sent.await(token);
        }
    }

    /** Offers the next chunk to the system; true if it took all of it and there is more. */
    private boolean isChunkTakenAtOnce(ByteBuffer from) {
        StreamHandle to = requireOpen("write to");
        int end = from.limit();
        int chunkEnd = from.position() + Math.min(from.remaining(), WRITE_CHUNK);
        SystemError refused;
        try {
            refused = to.tryWrite(from.limit(chunkEnd));
        } finally {
            from.limit(end);
        }
        if (refused != null) throw error("write to", refused);
        return from.position() == chunkEnd && chunkEnd < end;
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
        Sent sent = underWay;
        underWay = null;
        if (sent != null) sent.complete(error == null ? null : error("write to", error));
    }

    /** Ends our side, after the writes that were called earlier; suspends until the system has taken it. All who ask wait for the same request. */
    public void shutdownOutput(@Nullable Completable<?> token) {
        requireLoopThread("shutdownOutput");
        Awaiting.markUsed(token);
        requireOpen("shut down");
        if (shuttingDown == null) {
            takeTurn(token);
            try {
                if (shuttingDown == null) startShutdown();
            } finally {
                nextWriter();
            }
        } else {
            scheduler.shareLoop();
        }
        Objects.requireNonNull(shuttingDown).await(token);
    }

    private void startShutdown() {
        var request = new Sent(scheduler, "shutdown of the output to " + peer);
        requireOpen("shut down").shutdown();
        shuttingDown = request;
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
        if (isClosed()) return;
        requireLoopThread("close");
        closed = true;
        if (handle != null) handle.close();
        var error = new InputOutputException("stream to " + peer + " was closed while waiting on it", "");
        failReaders(error);
        Turn turn;
        while ((turn = writers.poll()) != null) turn.complete(error);
        if (underWay != null) underWay.complete(error);
        if (connecting != null) connecting.complete(error);
        if (shuttingDown != null) shuttingDown.complete(error);
    }

    /** True after {@link #close} and after the end of the runtime. Any thread. */
    public boolean isClosed() {
        StreamHandle h = handle;
        return closed || (h != null && h.isClosed());
    }

    /** Fails unless called on the thread of the stream's loop. */
    public void requireLoopThread(String call) {
        scheduler.requireLoopThread(call);
    }

    /**
     * The handle, for an operation that does not wait.
     *
     * @param call the name of the call
     * @param operation for the message, with a preposition
     * @throws org.trueasync.AsyncException on a thread that is not the loop's
     * @throws InputOutputException if the stream is closed
     */
    public StreamHandle handle(String call, String operation) {
        requireLoopThread(call);
        return requireOpen(operation);
    }

    /** The handle, if the stream is open. */
    private StreamHandle requireOpen(String operation) {
        StreamHandle open = handle;
        if (closed || open == null || open.isClosed())
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
