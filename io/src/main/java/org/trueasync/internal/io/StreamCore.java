package org.trueasync.internal.io;

import java.nio.ByteBuffer;
import java.util.ArrayDeque;
import java.util.Objects;
import java.util.function.Consumer;
import java.util.function.Function;
import java.util.function.IntFunction;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.spi.StreamHandle;
import org.trueasync.spi.SystemError;
import org.trueasync.spi.TcpHandle;

/**
 * A byte stream as coroutines see it, on top of a {@link StreamHandle}.
 *
 * <p>Reading: bytes go from the reactor's buffer straight into the buffer of the coroutine that has waited longest.
 * Bytes that do not fit are kept and served first; that is at most one chunk of the reactor. The handle reads only
 * while a coroutine waits. So a slow reader fills the system's buffer, which stops the peer; it does not fill our
 * memory. If a reader is cancelled after bytes were put into its buffer, they are put back. The next reader is served
 * only when the one before has run or was cancelled, so the bytes stay in order.
 *
 * <p>Writing: one writer at a time, so that two writes never mix; the others wait in a queue. Bytes that the system
 * does not take at once go to the reactor chunk by chunk, and the writer waits until each chunk is sent. A writer that
 * gives up leaves at most one chunk behind, and the next writer waits for that chunk first. So the reactor never has
 * more than one unsent chunk. Shutting the output down waits in the same queue.
 */
public final class StreamCore implements Duplex, StreamHandle.Listener {
    private static final int WRITE_CHUNK = 256 * 1024;
    /**
     * How many calls a chunk counts as, see {@link Loop#shareLoop(int)}: it takes the system about as long as this many
     * small ones.
     */
    private static final int CHUNK_COUNTS = 16;

    final Loop loop;
    private String peer = "a new connection";
    /** For reports. Made once, so that a write that does not wait allocates nothing. */
    private @Nullable String turnName;

    private final ArrayDeque<ReadRequest> readers = new ArrayDeque<>(2);
    final TurnQueue writers;
    private final PushBackBuffer kept = new PushBackBuffer();

    @Nullable
    StreamHandle handle;

    /**
     * The reader that was served and has not run since. Until it runs, no other is served: if it is cancelled, its
     * bytes come first.
     */
    private @Nullable ReadRequest served;

    private @Nullable ReadRequest spareRead;
    /** The buffer of a {@link #tryRead} that is reading just now. */
    private @Nullable ByteBuffer offered;

    /**
     * The chunk that the reactor has taken over and not sent yet, or a write past the reactor, see
     * {@link Writing#writesElsewhere}.
     */
    @Nullable
    SubmittedRequest underWay;

    private @Nullable SubmittedRequest connecting;
    private @Nullable SubmittedRequest shuttingDown;
    private final ConnectionLoss loss = new ConnectionLoss();
    private @Nullable Throwable readError;
    private boolean end;
    boolean closed;
    /**
     * Why every call is refused and what to do instead, after TLS for instance has taken the stream over; else null.
     */
    private @Nullable String takenOverBy;

    /**
     * Makes a stream without a handle; {@link #opened} must be called before anything else.
     *
     * @param loop whose coroutines use it
     */
    public StreamCore(Loop loop) {
        this.loop = loop;
        this.writers = new TurnQueue(loop);
    }

    // ---- opening

    /**
     * Connects to one address; suspends.
     *
     * @param peer the address, for messages
     * @param open starts to connect and returns the handle
     */
    static StreamCore connect(
            Loop loop,
            String peer,
            Function<StreamHandle.Listener, ? extends StreamHandle> open,
            @Nullable Completable<?> token) {
        var stream = new StreamCore(loop);
        stream.peer = peer;
        var request = new SubmittedRequest(loop, "connect to " + peer);
        stream.connecting = request;
        stream.handle = open.apply(stream.listener());
        try {
            request.await(token);
        } catch (Throwable e) {
            stream.close();
            throw e;
        }
        stream.closeIfLost();
        return stream;
    }

    /**
     * Sets the handle of a stream that is open already.
     *
     * @param open made with {@link #listener}
     * @param otherEnd name of the peer, for messages: {@code read from ...}, {@code write to ...}
     */
    public void opened(StreamHandle open, String otherEnd) {
        handle = open;
        peer = otherEnd;
    }

    /** Returns a listener that refers to this stream weakly, so that a lost stream can be found. */
    public StreamHandle.Listener listener() {
        return new WeakListeners.OfStream(this);
    }

    /** Arranges that the stream is closed and reported if it becomes unreachable. It must be open. */
    public void closeIfLost() {
        StreamHandle open = Objects.requireNonNull(handle);
        String kind = open instanceof TcpHandle ? "tcp stream" : "pipe";
        LeakedHandle.watch(this, loop, kind, "to " + peer, open::isClosed, open::close);
    }

    /** Makes this the replacement of a stream that was taken over: it has no handle and refuses every call. */
    void takenOver(String otherEnd, String reason) {
        peer = otherEnd;
        takenOverBy = reason;
    }

    // ---- reading

    /** See {@link org.trueasync.io.ByteStream#read(ByteBuffer)}. */
    @Override
    public int read(ByteBuffer into, @Nullable Completable<?> token) {
        requireLoopThread("read");
        Objects.requireNonNull(into, "into");
        Awaiting.admit(token);
        requireRoom(into);
        return read(into, null, token);
    }

    /** See {@link org.trueasync.io.TcpStream#read(IntFunction)}; the token may be null. */
    public int read(IntFunction<ByteBuffer> buffers, @Nullable Completable<?> token) {
        requireLoopThread("read");
        Objects.requireNonNull(buffers, "buffers");
        Awaiting.admit(token);
        return read(null, buffers, token);
    }

    /** Reads into the buffer, or into one of the function. */
    private int read(
            @Nullable ByteBuffer into, @Nullable IntFunction<ByteBuffer> buffers, @Nullable Completable<?> token) {
        StreamHandle from = requireOpen("read from");
        boolean othersTurn = loop.isOthersTurn();
        if (isServedAtOnce()) {
            ByteBuffer target =
                    into == null && !kept.isEmpty() ? room(buffers, kept.view().remaining()) : into;
            int count = serveAtOnce(target);
            if (othersTurn) loop.giveWay();
            return count;
        }
        ReadRequest request = spareRead;
        spareRead = null;
        if (request == null) request = new ReadRequest(this, loop, from);
        request.prepare(into, buffers);
        boolean woken = false;
        try {
            request.await(token);
            woken = true;
        } finally {
            if (!woken && request.count() > 0) kept.putFirst(request.takeBack());
            if (served == request) serveNext();
        }
        spareRead = request;
        return request.finish();
    }

    /** See {@link org.trueasync.io.ByteStream#tryRead(ByteBuffer)}. */
    @Override
    public int tryRead(ByteBuffer into) {
        requireLoopThread("tryRead");
        Objects.requireNonNull(into, "into");
        requireRoom(into);
        StreamHandle from = requireOpen("read from");
        if (!readers.isEmpty() || served != null) return 0;
        if (!isServedAtOnce()) {
            int before = into.position();
            offered = into;
            try {
                from.readNow();
            } finally {
                offered = null;
            }
            if (into.position() > before) return into.position() - before;
        }
        return isServedAtOnce() ? serveAtOnce(into) : 0;
    }

    /** Moves bytes into the buffer of a call that does not wait. If it can't be written to, they are kept. */
    private static void offer(ByteBuffer bytes, ByteBuffer into) {
        try {
            ReadRequest.move(bytes, into);
        } catch (RuntimeException e) {
            // the call meets it again when it takes them from there
        }
    }

    /** Asks for a buffer, now that there are bytes. */
    ByteBuffer room(@Nullable IntFunction<ByteBuffer> buffers, int count) {
        ByteBuffer into = Objects.requireNonNull(buffers, "buffers").apply(count);
        requireRoom(Objects.requireNonNull(into, "the function for buffers returned null"));
        return into;
    }

    private void requireRoom(ByteBuffer into) {
        if (into.isReadOnly())
            throw new IllegalArgumentException(
                    "read from " + peer + " needs a buffer that can be written to, got a read-only one");
        if (!into.hasRemaining())
            throw new IllegalArgumentException("read from " + peer + " needs a buffer with room, got " + into);
    }

    /** True if a read need not wait: bytes, the end or an error are there, and no earlier reader waits. */
    private boolean isServedAtOnce() {
        return readers.isEmpty() && served == null && (!kept.isEmpty() || end || readError != null);
    }

    /** The buffer is null only if there is no byte for it. */
    private int serveAtOnce(@Nullable ByteBuffer into) {
        if (!kept.isEmpty()) return ReadRequest.move(kept.view(), Objects.requireNonNull(into));
        if (end) return -1;
        throw IoRequest.again(Objects.requireNonNull(readError));
    }

    /** Serves the next reader, because the one before has run, or was cancelled and has put its bytes back. */
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

    void addReader(ReadRequest request, StreamHandle from) {
        readers.add(request);
        if (readers.size() == 1 && served == null) startReading(from);
    }

    private void startReading(StreamHandle from) {
        SystemError refused = from.startReading();
        if (refused != null) failReaders(error("read from", refused));
    }

    void removeReader(ReadRequest request) {
        readers.remove(request);
        if (readers.isEmpty() && handle != null) handle.stopReading();
    }

    @Override
    public void onBytes(ByteBuffer bytes) {
        if (served == null && !readers.isEmpty()) serve(bytes);
        else if (offered != null) offer(bytes, offered);
        if (bytes.hasRemaining()) kept.add(bytes);
        if ((served != null || readers.isEmpty()) && handle != null) handle.stopReading();
    }

    @Override
    public void onEnd() {
        SystemError lost = end ? null : loss.cause();
        if (lost != null) {
            onReadError(lost);
            return;
        }
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

    /** See {@link org.trueasync.io.ByteStream#write(ByteBuffer)}. */
    @Override
    public void write(ByteBuffer from, @Nullable Completable<?> token) {
        requireLoopThread("write");
        Objects.requireNonNull(from, "from");
        Awaiting.admit(token);
        requireOpen("write to");
        takeTurn(token);
        try {
            writeAll(from, token);
        } finally {
            writers.next();
        }
    }

    /** See {@link org.trueasync.io.ByteStream#write(ByteBuffer...)}. */
    @Override
    public void write(ByteBuffer[] from) {
        requireLoopThread("write");
        var parts = new WriteBuffers(from);
        requireOpen("write to");
        takeTurn(null);
        try {
            writeAll(parts);
        } finally {
            writers.next();
        }
    }

    /**
     * Writes several parts as one write: no other writer comes between them.
     *
     * @param body called when it is the caller's turn
     * @param token ends the wait, or null
     */
    public void writeInTurn(Consumer<Writing> body, @Nullable Completable<?> token) {
        requireLoopThread("write");
        Awaiting.admit(token);
        requireOpen("write to");
        takeTurn(token);
        try {
            if (underWay != null) underWay.await(token);
            body.accept(new Writing(this, token));
        } finally {
            writers.next();
        }
    }

    private void takeTurn(@Nullable Completable<?> token) {
        String what = turnName;
        if (what == null) turnName = what = "turn to write to " + peer;
        writers.take(what, token);
    }

    void writeAll(ByteBuffer from, @Nullable Completable<?> token) {
        if (underWay != null) underWay.await(token);
        while (isChunkTakenAtOnce(from)) loop.shareLoop(CHUNK_COUNTS);
        while (from.hasRemaining()) sendChunk(from, token);
    }

    private void writeAll(WriteBuffers from) {
        if (underWay != null) underWay.await(null);
        while (!from.isEmpty()) {
            if (!isWindowTakenAtOnce(from)) sendChunk(from.first(), null);
            else if (!from.isEmpty()) loop.shareLoop(CHUNK_COUNTS);
        }
    }

    /** Hands the next chunk to the reactor and waits until it is sent. */
    private void sendChunk(ByteBuffer from, @Nullable Completable<?> token) {
        int length = Math.min(from.remaining(), WRITE_CHUNK);
        var sent = new SubmittedRequest(loop, "write of " + length + " bytes to " + peer);
        requireOpen("write to").write(from.slice(from.position(), length));
        from.position(from.position() + length);
        underWay = sent;
        sent.await(token);
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

    /** Offers the next buffers to the system; true if it took a whole chunk of them, or all bytes. */
    private boolean isWindowTakenAtOnce(WriteBuffers from) {
        StreamHandle to = requireOpen("write to");
        return from.window(WRITE_CHUNK, window -> {
                    SystemError refused = to.tryWrite(window);
                    if (refused != null) throw error("write to", refused);
                })
                || from.isEmpty();
    }

    @Override
    public void onWritten(@Nullable SystemError error) {
        SubmittedRequest sent = underWay;
        underWay = null;
        if (sent != null) sent.complete(error == null ? null : error("write to", error));
    }

    /** See {@link org.trueasync.io.ByteStream#flush()}. */
    @Override
    public void flush(@Nullable Completable<?> token) {
        requireLoopThread("flush");
        Awaiting.admit(token);
        requireOpen("flush");
        takeTurn(token);
        try {
            if (underWay != null) underWay.await(token);
        } finally {
            writers.next();
        }
    }

    /**
     * Shuts the output down after all earlier writes; suspends until the system has done it. It is requested once; all
     * callers wait for that request.
     */
    public void shutdownOutput(@Nullable Completable<?> token) {
        requireLoopThread("shutdownOutput");
        Awaiting.admit(token);
        requireOpen("shut down");
        if (shuttingDown == null) {
            takeTurn(token);
            try {
                if (shuttingDown == null) startShutdown();
            } finally {
                writers.next();
            }
        } else {
            loop.shareLoop();
        }
        Objects.requireNonNull(shuttingDown).await(token);
    }

    private void startShutdown() {
        var request = new SubmittedRequest(loop, "shutdown of the output to " + peer);
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
        SubmittedRequest request = connecting;
        connecting = null;
        if (request != null) request.complete(error == null ? null : error("connect to", error));
    }

    /** Closes the stream. Coroutines that wait on it get an error. A second call does nothing. */
    @Override
    public void close() {
        if (isClosed()) return;
        requireLoopThread("close");
        closed = true;
        if (handle != null) handle.close();
        var error = closedMeanwhile();
        failWaits(error);
        if (underWay != null) underWay.complete(error);
    }

    InputOutputException closedMeanwhile() {
        return new InputOutputException("stream to " + peer + " was closed while waiting on it", "");
    }

    /** Fails all waits, except that of the writer whose chunk is under way. */
    void failWaits(InputOutputException error) {
        failReaders(error);
        writers.fail(error);
        if (connecting != null) connecting.complete(error);
        if (shuttingDown != null) shuttingDown.complete(error);
    }

    /** True after {@link #close} and after the end of the runtime. Any thread. */
    @Override
    public boolean isClosed() {
        StreamHandle h = handle;
        return closed || (h != null && h.isClosed());
    }

    /** Throws unless called on the thread of the stream's loop. */
    @Override
    public void requireLoopThread(String call) {
        loop.requireLoopThread(call);
    }

    /**
     * Returns the handle, for an operation that does not wait.
     *
     * @param call name of the method that was called, for the message
     * @param operation for the message, with a preposition
     * @throws org.trueasync.AsyncException on a thread that is not the loop thread
     * @throws InputOutputException if the stream is closed
     */
    public StreamHandle handle(String call, String operation) {
        requireLoopThread(call);
        return requireOpen(operation);
    }

    /** Returns the handle; throws if the stream is not open. */
    StreamHandle requireOpen(String operation) {
        StreamHandle open = handle;
        if (closed || open == null || open.isClosed())
            throw new InputOutputException(
                    operation + " " + peer + ": " + (takenOverBy == null ? "the stream is closed" : takenOverBy),
                    "EBADF");
        return open;
    }

    /** Returns the exception for an error of the system; after a loss of the connection it names the cause. */
    public InputOutputException error(String operation, SystemError error) {
        SystemError reason = loss.reasonOf(error);
        return new InputOutputException(operation + " " + peer + ": " + reason, reason.errno());
    }

    /** True while a coroutine reads, writes, or waits to do so. */
    boolean isInUse() {
        return !readers.isEmpty() || served != null || writers.isTaken();
    }

    /** The name of the other end, for messages. */
    public String peer() {
        return peer;
    }
}
