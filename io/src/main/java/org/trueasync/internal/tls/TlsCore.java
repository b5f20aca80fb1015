package org.trueasync.internal.tls;

import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.Objects;
import javax.net.ssl.SSLEngine;
import javax.net.ssl.SSLEngineResult;
import javax.net.ssl.SSLEngineResult.HandshakeStatus;
import javax.net.ssl.SSLEngineResult.Status;
import javax.net.ssl.SSLException;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.await.Awaiting;
import org.trueasync.internal.io.Duplex;
import org.trueasync.internal.io.StreamCore;
import org.trueasync.internal.io.TurnQueue;
import org.trueasync.internal.io.Underlay;
import org.trueasync.internal.io.Writing;
import org.trueasync.internal.kernel.Loop;

/**
 * A TLS connection after its handshake, on top of a stream.
 *
 * <p>Reading: one reader at a time, the others wait in a queue. A record is decrypted when all of it is there; until
 * then its bytes are kept, so a reader that gives up leaves the stream as it was. Writing: a writer waits in the queue
 * of the stream underneath. Between the moment a record is made and the moment the stream has all of it no other
 * coroutine runs. So a record is never torn or left out: a writer that gives up leaves whole records, which are sent
 * before those of the next writer.
 *
 * <p>Records that the engine itself sends during a read (an answer to a key update, an alert) go out without a turn if
 * no coroutine writes, else before the writer's next record. So a reader does not wait for a writer, whose peer might
 * be waiting for the reader. It waits for one only if more than {@code MAX_UNSENT_ANSWERS} such answers are unsent.
 */
public final class TlsCore implements Duplex {
    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    /** How long a close waits until the system has taken the last records. */
    private static final Duration CLOSE_LIMIT = Duration.ofSeconds(2);
    /** Records that are made in a row and go to the system in one call, at most. */
    private static final int BATCH = Buffers.SIZE / (17 * 1024);
    /** Unsent answers of the engine, at most; with more, the reader waits for the writer. */
    private static final int MAX_UNSENT_ANSWERS = 32;

    private final Loop loop;
    private final StreamCore stream;
    private final Underlay below;
    private final SSLEngine engine;
    private final SSLSession session;
    private final boolean mayRenegotiate;
    private final Incoming in;
    private final String peer;
    private final TurnQueue readers;
    private final String readTurn;

    private int unsentAnswers;
    private boolean end;
    private boolean outputShut;
    private boolean closed;
    private @Nullable InputOutputException broken;

    TlsCore(Loop loop, Underlay below, SSLEngine engine, Incoming in) {
        this.loop = loop;
        this.below = below;
        this.stream = below.core();
        this.engine = engine;
        this.session = engine.getSession();
        this.mayRenegotiate = !session.getProtocol().equals("TLSv1.3");
        this.in = in;
        this.peer = stream.peer();
        this.readers = new TurnQueue(loop);
        this.readTurn = "turn to read from " + peer;
    }

    // ---- reading

    @Override
    public int read(ByteBuffer into, @Nullable Completable<?> token) {
        requireReadable("read", into);
        Awaiting.admit(token);
        readers.take(readTurn, token);
        try {
            int count;
            if (RecordBudget.isCold() && !in.plain().hasRemaining()) loop.shareLoop(RecordBudget.calls(1));
            while ((count = decrypted(into, true)) == 0) fill(token);
            return count;
        } finally {
            readers.next();
        }
    }

    /** See {@link org.trueasync.io.ByteStream#tryRead}. */
    @Override
    public int tryRead(ByteBuffer into) {
        requireReadable("tryRead", into);
        if (readers.isTaken()) return 0;
        int count;
        while ((count = decrypted(into, false)) == 0) {
            int raw = stream.tryRead(room());
            if (raw == 0) return 0;
            received(raw);
        }
        return count;
    }

    private void requireReadable(String call, ByteBuffer into) {
        requireLoopThread(call);
        Objects.requireNonNull(into, "into");
        if (into.isReadOnly())
            throw new IllegalArgumentException(
                    "read from " + peer + " needs a buffer that can be written to, got a read-only one");
        if (!into.hasRemaining())
            throw new IllegalArgumentException("read from " + peer + " needs a buffer with room, got " + into);
        requireOpen("read from");
    }

    /** Waits for more bytes of the peer. */
    private void fill(@Nullable Completable<?> token) {
        in.shrink();
        if (unsentAnswers > MAX_UNSENT_ANSWERS) {
            stream.flush(token);
            sendOwnRecords();
        }
        received(stream.read(room(), token));
    }

    private ByteBuffer room() {
        return in.room(session.getPacketBufferSize());
    }

    private void received(int count) {
        if (count > 0) in.received(count);
        else if (broken == null) broken = TlsErrors.cut(peer);
    }

    /**
     * Decrypts what is there.
     *
     * @param into receives the bytes
     * @param shares whether other coroutines may run meanwhile
     * @return bytes decrypted; -1 at the end; 0 if more bytes must come first
     */
    private int decrypted(ByteBuffer into, boolean shares) {
        while (true) {
            requireOpen("read from");
            if (in.plain().hasRemaining()) return move(in.plain(), into);
            if (end) return -1;
            if (broken != null) throw again(broken);
            SSLEngineResult result = unwrap(into);
            if (result.getStatus() == Status.BUFFER_UNDERFLOW) return 0;
            if (result.bytesProduced() > 0 && !in.plain().hasRemaining()) return result.bytesProduced();
            if (shares) loop.shareLoop();
        }
    }

    private static int move(ByteBuffer from, ByteBuffer to) {
        int length = Math.min(from.remaining(), to.remaining());
        to.put(to.position(), from, from.position(), length);
        to.position(to.position() + length);
        from.position(from.position() + length);
        return length;
    }

    /** Decrypts one record: into the caller's buffer if it certainly fits, else into the kept bytes. */
    private SSLEngineResult unwrap(ByteBuffer into) {
        if (mayRenegotiate && Records.isHandshake(in.raw())) throw refuseRenegotiation();
        try {
            SSLEngineResult result = null;
            if (into.hasArray() && into.remaining() >= session.getApplicationBufferSize())
                result = engine.unwrap(in.raw(), into);
            if (result == null || result.getStatus() == Status.BUFFER_OVERFLOW) result = in.unwrap(engine);
            if (result.getStatus() == Status.CLOSED) end = true;
            if (result.bytesProduced() > 0) RecordBudget.counted();
            handleStatus(result.getHandshakeStatus());
            return result;
        } catch (SSLException e) {
            throw broken("read from", e);
        }
    }

    private void handleStatus(HandshakeStatus status) {
        if (status == HandshakeStatus.NEED_TASK)
            for (Runnable task; (task = engine.getDelegatedTask()) != null; ) task.run();
        if (engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP) sendOwnRecords();
    }

    private InputOutputException refuseRenegotiation() {
        InputOutputException refused = TlsErrors.renegotiation(peer);
        broken = refused;
        sendCloseNotify();
        return refused;
    }

    private InputOutputException broken(String operation, SSLException e) {
        InputOutputException failure = TlsErrors.broken(operation, peer, e);
        broken = failure;
        sendOwnRecords();
        return failure;
    }

    // ---- records that the engine itself sends

    /** Sends these records now if no coroutine writes; else the engine puts them before the next record. */
    private void sendOwnRecords() {
        if (!below.isIdle()) {
            unsentAnswers++;
            return;
        }
        unsentAnswers = 0;
        ByteBuffer net = Buffers.take();
        try {
            boolean more = true;
            while (more && engine.getHandshakeStatus() == HandshakeStatus.NEED_WRAP)
                more = engine.wrap(NOTHING, net).bytesProduced() > 0;
            below.writeAside(net.flip());
        } catch (SSLException | InputOutputException lost) {
            // the error that it answers is reported anyway, or the next writer finds the connection lost
        } finally {
            Buffers.give(net);
        }
    }

    /** Sends close_notify, if no coroutine writes and it was not sent before. */
    private void sendCloseNotify() {
        if (outputShut || !below.isIdle()) return;
        outputShut = true;
        engine.closeOutbound();
        sendOwnRecords();
    }

    // ---- writing

    @Override
    public void write(ByteBuffer from, @Nullable Completable<?> token) {
        requireLoopThread("write");
        write(new Outgoing(from), token);
    }

    @Override
    public void write(ByteBuffer[] from) {
        requireLoopThread("write");
        write(new Outgoing(from), null);
    }

    private void write(Outgoing from, @Nullable Completable<?> token) {
        requireOpen("write to");
        try {
            stream.writeInTurn(turn -> encrypt(from, turn), token);
        } catch (InputOutputException e) {
            throw reasonOf(e);
        }
    }

    private void encrypt(Outgoing from, Writing turn) {
        requireWritable();
        ByteBuffer net = Buffers.take();
        try {
            while (!from.isEmpty()) {
                boolean ended = fill(net.clear(), from);
                turn.write(net.flip());
                if (ended) throw TlsErrors.closedByPeer(peer);
                if (from.isEmpty()) return;
                loop.shareLoop(RecordBudget.calls(BATCH));
                requireWritable();
            }
        } finally {
            Buffers.give(net);
        }
    }

    /**
     * Makes as many records as there is room for, one while the ciphers are not compiled; true if the engine is closed.
     */
    private boolean fill(ByteBuffer net, Outgoing from) {
        try {
            while (!from.isEmpty()) {
                SSLEngineResult result = from.wrap(engine, net);
                if (result.getStatus() == Status.CLOSED) return true;
                if (result.getStatus() == Status.BUFFER_OVERFLOW) break;
                if (result.bytesConsumed() == 0 && result.bytesProduced() == 0)
                    throw new SSLException("the engine waits for the peer: " + result.getHandshakeStatus());
                RecordBudget.counted();
                if (RecordBudget.isCold()) break;
            }
            unsentAnswers = 0;
            return false;
        } catch (SSLException e) {
            throw broken("write to", e);
        }
    }

    private void requireWritable() {
        requireOpen("write to");
        if (outputShut) throw TlsErrors.outputShut(peer);
        if (broken != null && broken.getCause() != null) throw again(broken);
    }

    /**
     * Returns a copy of an exception for one more caller, with its own stack; the engine's error is the cause of all
     * copies.
     */
    private static InputOutputException again(InputOutputException broken) {
        String text = String.valueOf(broken.getMessage());
        Throwable cause = broken.getCause();
        return cause == null
                ? new InputOutputException(text, broken.errno())
                : new InputOutputException(text, broken.errno(), cause);
    }

    /**
     * Returns the exception for a lost connection. An alert that the peer sent before says more than the system's
     * error, so it is added.
     */
    private InputOutputException reasonOf(InputOutputException lost) {
        if (closed
                || readers.isTaken()
                || !(lost.errno().equals("EPIPE") || lost.errno().equals("ECONNRESET"))) return lost;
        try {
            while (!in.plain().hasRemaining() && !end && broken == null) {
                if (unwrap(NOTHING).getStatus() != Status.BUFFER_UNDERFLOW) continue;
                int count = stream.tryRead(room());
                if (count <= 0) return lost;
                in.received(count);
            }
        } catch (InputOutputException e) {
            // reported below, if it is an alert of the peer
        }
        InputOutputException why = broken;
        if (why == null || why.getCause() == null) return lost;
        var combined = new InputOutputException(
                lost.getMessage() + "; before, the peer said: " + why.getMessage(), lost.errno(), why);
        combined.addSuppressed(lost);
        return combined;
    }

    /** See {@link org.trueasync.io.ByteStream#flush()}. */
    @Override
    public void flush(@Nullable Completable<?> token) {
        requireLoopThread("flush");
        requireOpen("flush");
        stream.flush(token);
    }

    /** Shuts the output down with close_notify, after all earlier writes; suspends until the system has taken it. */
    public void shutdownOutput(@Nullable Completable<?> token) {
        requireLoopThread("shutdownOutput");
        requireOpen("shut down the output to");
        stream.writeInTurn(this::end, token);
    }

    private void end(Writing turn) {
        if (outputShut) return;
        requireWritable();
        outputShut = true;
        engine.closeOutbound();
        ByteBuffer net = Buffers.take();
        try {
            boolean more = true;
            while (more && !engine.isOutboundDone())
                more = engine.wrap(NOTHING, net).bytesProduced() > 0;
            turn.write(net.flip());
        } catch (SSLException e) {
            throw broken("shut down the output to", e);
        } finally {
            Buffers.give(net);
        }
    }

    // ---- the end

    /**
     * Sends close_notify and closes; coroutines that wait get an error. If the system has no room for close_notify,
     * waits for room, for at most 2 s. If a write is under way, sends nothing: the peer's stream is cut, and the
     * missing close_notify tells the peer so.
     */
    @Override
    public void close() {
        if (isClosed()) return;
        requireLoopThread("close");
        boolean idle = below.isIdle();
        if (idle && broken == null) sendCloseNotify();
        closed = true;
        readers.fail(TlsErrors.closedMeanwhile(peer));
        below.discardReceived();
        if (idle) below.closeWhenSent(CLOSE_LIMIT);
        else stream.close();
    }

    /** True after {@link #close} and after the end of the runtime. Any thread. */
    @Override
    public boolean isClosed() {
        return closed || stream.isClosed();
    }

    private void requireOpen(String operation) {
        if (isClosed()) throw TlsErrors.closed(operation, peer);
    }

    @Override
    public void requireLoopThread(String call) {
        stream.requireLoopThread(call);
    }

    // ---- results of the handshake

    /** The session that the handshake has made. */
    public SSLSession session() {
        return session;
    }

    /** The application protocol that ALPN has chosen; null if none was agreed on. */
    public @Nullable String applicationProtocol() {
        String name = engine.getApplicationProtocol();
        return name == null || name.isEmpty() ? null : name;
    }

    /** The name of the other end, for messages. */
    public String peer() {
        return peer;
    }
}
