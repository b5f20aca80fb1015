package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.PingFrame;
import org.eclipse.jetty.http2.frames.PriorityFrame;
import org.eclipse.jetty.http2.frames.PushPromiseFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.http2.frames.SettingsFrame;
import org.eclipse.jetty.http2.frames.WindowUpdateFrame;
import org.eclipse.jetty.http2.parser.Parser;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.WindowRateControl;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;

/**
 * What both sides of an HTTP/2 connection do: frames, streams, windows. Loop thread.
 *
 * <pre>
 *  OPEN       -> GOING_AWAY  no more streams are begun: the server drains, or has sent GOAWAY
 *  GOING_AWAY -> FINISHING   nobody uses a stream any more; or a frame has broken the rules, and all streams are lost
 *  any        -> OVER        the connection is closed
 * </pre>
 */
public abstract class H2Connection implements Parser.Listener {
    /** How far its end has got; only forward. */
    private enum Phase {
        OPEN,
        /** No more streams are begun. */
        GOING_AWAY,
        /** Nothing that comes is looked at, and the writer ends when all is written. */
        FINISHING,
        /** Nothing comes or goes. */
        OVER
    }

    static final int DEFAULT_WINDOW = 65_535;
    private static final int MAX_WINDOW = Integer.MAX_VALUE;

    final H2Limits limits;
    final FrameOutput output;
    final ResetStreams reset;
    private final H2Link link;
    private final String peer;
    private final WindowRateControl rate;
    private final Parser parser;
    private final FrameWatch watch;
    private final Unpacker unpacker;
    /** Those that are used here, until whoever uses them is done, even if the peer has forgotten them. */
    final Map<Integer, H2Stream> streams = new HashMap<>();

    /** Streams that the side which begins them counts as open. */
    int open;

    /** The last one that was begun. */
    int lastStream;

    private long sendWindow = DEFAULT_WINDOW;
    private int peerStreamWindow = DEFAULT_WINDOW;
    /** How much the peer may still send. */
    private int receiveWindow = DEFAULT_WINDOW;
    /** What was taken, and is not told to the peer yet. */
    private int taken;

    private Phase phase = Phase.OPEN;
    /** Why all streams were lost; null if they were not. */
    @Nullable
    String end;

    final Waiters room = new Waiters();

    /**
     * Makes one side.
     *
     * @param peer for messages
     * @param watch of what the peer sends
     */
    H2Connection(H2Link link, H2Limits limits, String peer, FrameWatch watch, FrameOutput output) {
        this.link = link;
        this.limits = limits;
        this.peer = peer;
        this.watch = watch;
        this.output = output;
        this.reset = new ResetStreams(2 * limits.streams());
        this.rate = new WindowRateControl(limits.events(), Duration.ofSeconds(1));
        // so that a head that is not much too large can be told
        this.parser = new Parser(ByteBufferPool.NON_POOLING, 2 * limits.headBytes(), rate);
        this.unpacker = new Unpacker(2 * limits.headBytes());
        this.parser.init(this);
    }

    // ---- what the sides do in their own ways

    /** The last stream of the peer's that was looked at. */
    abstract int lastServed();

    /**
     * Waits until it is woken.
     *
     * @param nanos 0 for ever
     * @throws OperationCanceledException if the time is over first
     */
    abstract void await(Waiters news, long nanos);

    /** Wakes those who wait in {@link #await}. */
    void wake(Waiters news) {
        news.wake();
    }

    /** A block of fields has come: a head, or what stands behind a body. */
    abstract void fields(int id, Unpacker.Block block, boolean last);

    /** Looks at data that nobody waits for any more; returns false if it has nothing to do with it. */
    boolean comesLate(int id, int bytes, boolean last) {
        return false;
    }

    /** Returns whether the stream was done with here, and the peer still counted it as open. */
    boolean forgetEarly(int id) {
        return false;
    }

    /** True if the stream's window is not to be widened any more. */
    boolean isForgotten(H2Stream stream) {
        return stream.isLost();
    }

    /** True if the connection's window is widened when bytes come, and not when they are taken. */
    abstract boolean widensAtOnce();

    /** Fails if a body can't be sent, as the peer takes no more. */
    void requireTaker() {}

    /** Called when whoever has used a stream is done with it. */
    abstract void finished(H2Stream stream);

    // ---- reading

    /** Says what the peer may do; the first that is sent. */
    final void settings(int... idsAndValues) {
        output.settings(idsAndValues);
        widen(0, limits.connectionWindow() - DEFAULT_WINDOW);
        receiveWindow = limits.connectionWindow();
    }

    /** Looks at bytes before {@link #parse} does. */
    final void see(ByteBuffer in) {
        if (!isFinishing()) watch.see(in);
    }

    /** Takes the frames in what was seen. */
    final void parse(ByteBuffer in) {
        ErrorCode fault = watch.fault();
        if (fault != null) fail(fault, "malformed frame");
        while (in.hasRemaining() && !isFinishing()) parser.parse(in);
    }

    /** True in the middle of what takes no time to send. */
    final boolean isBetweenFrames() {
        return !isFinishing() && watch.isBetween();
    }

    // ---- its end

    /** True if nothing is written any more. */
    public final boolean isWritten() {
        return output.isEnded();
    }

    /** Called when the connection is closed, and nothing comes or goes any more. */
    final void over(String why) {
        if (isOver()) return;
        phase = Phase.OVER;
        loseAll(why, "ECONNRESET");
        output.end();
    }

    private void loseAll(String why, String errno) {
        if (end == null) end = why;
        for (H2Stream stream : streams.values().toArray(H2Stream[]::new)) stream.lost(why, errno);
        room.wake();
    }

    /** Begins no more streams. */
    final void goingAway() {
        if (phase == Phase.OPEN) phase = Phase.GOING_AWAY;
    }

    final void finishing() {
        if (phase == Phase.GOING_AWAY) phase = Phase.FINISHING;
        output.wakeWriter();
    }

    /** True if no more streams begin. */
    public final boolean isEnding() {
        return phase != Phase.OPEN;
    }

    final boolean isFinishing() {
        return phase.compareTo(Phase.FINISHING) >= 0;
    }

    final boolean isOver() {
        return phase == Phase.OVER;
    }

    /** True if nobody uses a stream. */
    public final boolean isIdle() {
        return streams.isEmpty();
    }

    final void fail(int code, String reason) {
        if (isFinishing()) return;
        phase = Phase.FINISHING; // before the writer may begin
        output.goAway(lastServed(), code, reason.getBytes(StandardCharsets.US_ASCII));
        loseAll("the connection has failed: " + reason, "EPROTO");
        link.malformed();
    }

    final void fail(ErrorCode code, String reason) {
        fail(code.code, reason);
    }

    final void fail(H2Stream stream, ErrorCode code, String reason) {
        onStreamFailure(stream.id(), code.code, reason);
    }

    // ---- sending, for the streams

    /** How much of a body a new stream may send. */
    final int peerStreamWindow() {
        return peerStreamWindow;
    }

    /** How much of a body all streams may send. */
    final long sendWindow() {
        return sendWindow;
    }

    /** Sends a part of a body; waits for room in the windows, and in the output. */
    final void body(H2Stream stream, ByteBuffer part, boolean last) {
        long waiting = 0;
        while (true) {
            stream.requireOpen();
            int fits = (int) Math.max(0, Math.min(Math.min(window(stream), part.remaining()), output.frameBytes()));
            if (fits == 0 && part.hasRemaining()) {
                if (waiting == 0) waiting = link.now();
                awaitRoom(stream, waiting);
            } else if (output.isFull()) {
                output.awaitRoom();
            } else {
                waiting = 0;
                boolean ends = last && fits == part.remaining();
                if (fits > 0 || ends) output.data(stream.id(), part, fits, ends);
                sendWindow -= fits;
                stream.used(fits);
                if (ends) sentAll(stream);
                if (!part.hasRemaining()) return;
            }
        }
    }

    /** Ends a body at once, whatever waits to be written. */
    final void end(H2Stream stream) {
        output.data(stream.id(), ByteBuffer.allocate(0), 0, true);
        sentAll(stream);
    }

    /** True if a part of a body would be sent without a wait. */
    final boolean isWritable(H2Stream stream) {
        return window(stream) > 0 && !output.isFull() && !stream.isLost();
    }

    /** Waits until a part of a body would be sent without a wait. */
    final void awaitWritable(H2Stream stream) {
        long since = link.now();
        while (!isWritable(stream)) {
            stream.requireOpen();
            if (window(stream) <= 0) awaitRoom(stream, since);
            else output.awaitRoom();
        }
    }

    final long window(H2Stream stream) {
        return Math.min(sendWindow, stream.sendWindow());
    }

    private void awaitRoom(H2Stream stream, long since) {
        requireTaker();
        boolean isEndless = limits.writeNanos() == 0 || stream.isDuplex();
        long nanos = isEndless ? 0 : Math.max(1, since + limits.writeNanos() - link.now());
        try {
            await(stream.sendWindow() <= 0 ? stream.room() : room, nanos);
        } catch (OperationCanceledException e) {
            link.notRead();
            throw new InputOutputException(peer + " does not read", "ETIMEDOUT");
        }
    }

    final void sentAll(H2Stream stream) {
        stream.sentAll();
        if (stream.hasReceivedAll()) open--;
    }

    /** Forgets a stream before its end, on both sides. */
    final void reset(H2Stream stream, ErrorCode code, String why) {
        if (stream.isLost() || stream.isEnded()) return;
        open--;
        reset.add(stream.id());
        if (!isOver()) output.reset(stream.id(), code.code);
        stream.lost(why, "ECONNRESET");
    }

    /** The stream's program has taken these bytes of its body: the peer may send as many more. */
    final void consumed(H2Stream stream, int bytes) {
        if (isOver() || bytes == 0) return;
        if (!widensAtOnce()) consumed(bytes);
        int more = isForgotten(stream) ? 0 : stream.toWiden(bytes, limits.streamWindow());
        widen(stream.id(), more);
    }

    private void consumed(int bytes) {
        taken += bytes;
        if (taken < limits.connectionWindow() / 2) return;
        receiveWindow += taken;
        widen(0, taken);
        taken = 0;
    }

    private void widen(int id, int bytes) {
        if (bytes > 0) output.widen(id, bytes);
    }

    final void refuse(int id, ErrorCode code) {
        reset.add(id);
        output.reset(id, code.code);
    }

    // ---- what the parser calls

    @Override
    public final void onHeaders(HeadersFrame frame) {
        if (isFinishing()) return;
        // of a stream that nobody uses too, as what it says of the table counts
        Unpacker.Block block = unpacker.unpack(watch.takeHead());
        if (block == null) fail(ErrorCode.COMPRESSION_ERROR, "invalid_hpack_block");
        else fields(frame.getStreamId(), block, frame.isEndStream());
    }

    final void receivedTrailers(H2Stream stream, Unpacker.Block block, boolean last) {
        if (!last || !block.isLegal() || !MessageHead.areTrailers(block.fields()))
            fail(stream, ErrorCode.PROTOCOL_ERROR, "no trailers");
        else if (!stream.receivedTrailers(block.fields())) fail(stream, ErrorCode.PROTOCOL_ERROR, "content-length");
        else receivedAll(stream);
    }

    final void receivedAll(H2Stream stream) {
        if (stream.hasSentAll()) open--;
    }

    /** A frame of a stream that the peer should know to be closed, unless it was reset here. */
    final void onClosed(@Nullable H2Stream known, int id) {
        if (reset.has(id)) return;
        // grpc-java's client on OkHttp resets a stream, and sends its data afterwards (RFC 9113, 5.1)
        if (reset.hasOfPeer(id)) onStreamFailure(id, ErrorCode.STREAM_CLOSED_ERROR.code, peer + " has reset it");
        else if (known != null && !known.isLost()) fail(known, ErrorCode.STREAM_CLOSED_ERROR, "the stream has ended");
        else fail(ErrorCode.STREAM_CLOSED_ERROR, "stream " + id + " has ended");
    }

    @Override
    public final void onData(DataFrame frame) {
        if (isFinishing()) return;
        int id = frame.getStreamId();
        int length = frame.flowControlLength();
        receiveWindow -= length;
        if (receiveWindow < 0) {
            fail(ErrorCode.FLOW_CONTROL_ERROR, "more than the window of the connection");
            return;
        }
        if (widensAtOnce()) consumed(length);
        H2Stream stream = streams.get(id);
        if (stream == null || stream.isLost() || stream.hasReceivedAll()) {
            if (comesLate(id, length, frame.isEndStream())) return;
            unwanted(length);
            if (id > lastStream) fail(ErrorCode.PROTOCOL_ERROR, "data of a stream that has not begun");
            else onClosed(stream, id);
            return;
        }
        if (!stream.isWithinWindow(length)) {
            unwanted(length);
            fail(stream, ErrorCode.FLOW_CONTROL_ERROR, "more than the window of the stream");
        } else if (!stream.received(frame)) {
            unwanted(length);
            fail(stream, ErrorCode.PROTOCOL_ERROR, "content-length");
        } else if (stream.hasReceivedAll()) receivedAll(stream);
    }

    private void unwanted(int bytes) {
        if (!widensAtOnce()) consumed(bytes);
    }

    @Override
    public final void onReset(ResetFrame frame) {
        if (isFinishing()) return;
        int id = frame.getStreamId();
        if (id > lastStream) {
            fail(ErrorCode.PROTOCOL_ERROR, "reset of a stream that has not begun");
            return;
        }
        H2Stream stream = streams.get(id);
        boolean isEarly = forgetEarly(id);
        if (!isEarly && (stream == null || stream.isLost() || stream.isEnded())) return;
        reset.addOfPeer(id);
        if (isEarly || stream == null) return;
        open--;
        if (frame.getError() == ErrorCode.REFUSED_STREAM_ERROR.code) stream.wasNotServed();
        stream.lost(peer + " has reset the stream" + shown(frame.getError()), "ECONNRESET");
    }

    @Override
    public void onSettings(SettingsFrame frame) {
        if (frame.isReply() || isFinishing()) return;
        Map<Integer, Integer> settings = frame.getSettings();
        Integer window = settings.get(SettingsFrame.INITIAL_WINDOW_SIZE);
        if (window != null) {
            long change = (long) window - peerStreamWindow;
            peerStreamWindow = window;
            for (H2Stream stream : streams.values()) {
                if (!stream.widened(change)) {
                    fail(ErrorCode.FLOW_CONTROL_ERROR, "the window of a stream is too wide");
                    return;
                }
            }
        }
        Integer table = settings.get(SettingsFrame.HEADER_TABLE_SIZE);
        if (table != null) output.tableBytes(table);
        Integer bytes = settings.get(SettingsFrame.MAX_FRAME_SIZE);
        if (bytes != null) output.frameBytes(bytes);
        output.settingsReply();
    }

    @Override
    public void onPing(PingFrame frame) {
        if (!frame.isReply() && !isFinishing()) output.ping(frame.getPayload(), true);
    }

    @Override
    public final void onWindowUpdate(WindowUpdateFrame frame) {
        if (isFinishing()) return;
        int id = frame.getStreamId();
        if (id > lastStream) fail(ErrorCode.PROTOCOL_ERROR, "window of a stream that has not begun");
        else if (id == 0) {
            sendWindow += frame.getWindowDelta();
            if (sendWindow > MAX_WINDOW) fail(ErrorCode.FLOW_CONTROL_ERROR, "the window of the connection is too wide");
            room.wake();
        } else {
            H2Stream stream = streams.get(id);
            if (stream != null && !stream.isLost() && !stream.widened(frame.getWindowDelta()))
                fail(stream, ErrorCode.FLOW_CONTROL_ERROR, "the window of the stream is too wide");
        }
    }

    @Override
    public final void onPriority(PriorityFrame frame) {
        // deprecated by RFC 9113
    }

    @Override
    public final void onPushPromise(PushPromiseFrame frame) {
        fail(ErrorCode.PROTOCOL_ERROR, peer + " must not push");
    }

    @Override
    public final void onStreamFailure(int id, int error, String reason) {
        if (isFinishing()) return;
        link.malformed();
        if (!rate.onEvent(reason)) {
            fail(ErrorCode.ENHANCE_YOUR_CALM_ERROR, "too many faults");
            return;
        }
        H2Stream stream = streams.get(id);
        unknown(id);
        if (stream != null && !stream.isLost() && !stream.isEnded()) open--;
        reset.add(id);
        output.reset(id, error);
        if (stream != null) stream.lost(peer + " broke the protocol: " + reason, "EPROTO");
    }

    /** A code of the peer's, for messages of streams. */
    String shown(int code) {
        return "";
    }

    /** A stream has failed, which may not have begun. */
    void unknown(int id) {}

    @Override
    public final void onConnectionFailure(int error, String reason) {
        fail(error, reason);
    }
}
