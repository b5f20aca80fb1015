package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Collection;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.PingFrame;
import org.eclipse.jetty.http2.frames.PriorityFrame;
import org.eclipse.jetty.http2.frames.PushPromiseFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.http2.frames.SettingsFrame;
import org.eclipse.jetty.http2.frames.WindowUpdateFrame;
import org.eclipse.jetty.http2.parser.ServerParser;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.WindowRateControl;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.message.Fields;

/**
 * The server's side of an HTTP/2 connection. One coroutine reads, one writes, and each stream has one of its own. Loop
 * thread.
 *
 * <pre>
 *  OPEN       -> GOING_AWAY  the server drains, or the peer had as many requests as it may have: GOAWAY is sent
 *  GOING_AWAY -> FINISHING   nobody serves a stream any more; or a frame has broken the rules, and all streams are lost
 *  any        -> OVER        the connection is closed
 * </pre>
 */
public final class H2Connection implements ServerParser.Listener {
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

    private static final int DEFAULT_WINDOW = 65_535;
    private static final int MAX_WINDOW = Integer.MAX_VALUE;

    private final H2Link link;
    private final H2Limits limits;
    private final WindowRateControl rate;
    private final ServerParser parser;
    private final FrameWatch watch = new FrameWatch();
    private final Unpacker unpacker;
    private final FrameOutput output = new FrameOutput();
    /** Those that are served, until whoever serves them is done, even if the peer has forgotten them. */
    private final Map<Integer, H2Stream> streams = new HashMap<>();

    private final ResetStreams reset = new ResetStreams();
    private final AnsweredEarly answeredEarly = new AnsweredEarly();

    /** Streams that the peer counts as open. */
    private int open;

    private int lastStream;
    private int lastServed;
    private long sendWindow = DEFAULT_WINDOW;
    private int peerStreamWindow = DEFAULT_WINDOW;
    /** How much the peer may still send. */
    private int receiveWindow = DEFAULT_WINDOW;
    /** What was taken, and is not told to the peer yet. */
    private int taken;

    private Phase phase = Phase.OPEN;
    /** The peer has closed its output, so that no window is widened any more. */
    private boolean inputEnded;

    private final Waiters room = new Waiters();

    public H2Connection(H2Link link, H2Limits limits) {
        this.link = link;
        this.limits = limits;
        this.rate = new WindowRateControl(limits.events(), Duration.ofSeconds(1));
        // so that a head that is not much too large can be answered
        this.parser = new ServerParser(ByteBufferPool.NON_POOLING, 2 * limits.headBytes(), rate);
        this.unpacker = new Unpacker(2 * limits.headBytes());
        parser.init(this);
    }

    // ---- its two coroutines

    /**
     * Reads to the peer's end.
     *
     * @param in empty, or with the first bytes; used for all reading
     */
    public void read(ByteBuffer in) {
        output.settings(
                SettingsFrame.MAX_CONCURRENT_STREAMS, limits.streams(),
                SettingsFrame.INITIAL_WINDOW_SIZE, limits.streamWindow(),
                SettingsFrame.MAX_HEADER_LIST_SIZE, limits.headBytes(),
                SettingsFrame.ENABLE_CONNECT_PROTOCOL, 1);
        widen(0, limits.connectionWindow() - DEFAULT_WINDOW);
        receiveWindow = limits.connectionWindow();
        watch.see(in);
        long headBegun = 0;
        while (true) {
            ErrorCode fault = watch.fault();
            if (fault != null) fail(fault, "malformed frame");
            while (in.hasRemaining() && !isFinishing()) parser.parse(in);
            while (output.isFull() && !isOver()) output.awaitRoom();
            boolean isBetween = limits.headNanos() > 0 && !isFinishing() && watch.isBetween();
            if (!isBetween) headBegun = 0;
            else if (headBegun == 0) headBegun = link.now();
            in.clear();
            int count = -1;
            try {
                count = link.read(in, isBetween ? Math.max(1, headBegun + limits.headNanos() - link.now()) : 0);
            } catch (OperationCanceledException e) {
                link.lateHead();
                fail(ErrorCode.ENHANCE_YOUR_CALM_ERROR.code, "the head of a request did not come in time");
                count = 0;
            } finally {
                in.flip();
            }
            if (count < 0) return;
            if (!isFinishing()) watch.see(in);
        }
    }

    /** Writes to the end of the connection. */
    public void write() {
        try {
            while (!isOver()) {
                ByteBuffer frames = output.take();
                if (frames != null) {
                    link.write(frames);
                    output.written();
                } else if (isFinishing()) {
                    link.endOutput();
                    return;
                } else output.await();
            }
        } catch (InputOutputException e) {
            link.close(); // the reader is told by this
        } finally {
            output.end();
        }
    }

    /** Called when the peer has closed its output; it may still read. Requests that are not complete are lost. */
    public void inputEnded() {
        inputEnded = true;
        for (H2Stream stream : streams.values().toArray(H2Stream[]::new)) {
            if (stream.hasReceivedAll()) stream.wakeSender();
            else stream.lost("the client has closed its output in the middle of a request");
        }
        room.wake();
    }

    /** True if nothing is written any more. */
    public boolean isWritten() {
        return output.isEnded();
    }

    /** Called when the connection is closed, and nothing comes or goes any more. */
    public void ended() {
        phase = Phase.OVER;
        loseAll("the client has left");
        output.end();
    }

    private void loseAll(String why) {
        for (H2Stream stream : streams.values().toArray(H2Stream[]::new)) stream.lost(why);
        room.wake();
    }

    // ---- its end

    /** Tells the peer that the end is near; a stream that is on its way is served. */
    public void announceEnd() {
        if (!isEnding()) output.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR.code, new byte[0]);
    }

    /** Tells the peer to begin no more streams; those under way go on. */
    public void drain() {
        if (isEnding()) return;
        phase = Phase.GOING_AWAY;
        output.goAway(lastServed, ErrorCode.NO_ERROR.code, new byte[0]);
    }

    /** Ends the connection, when all has been written. */
    public void finish() {
        drain();
        if (phase == Phase.GOING_AWAY) phase = Phase.FINISHING;
        output.wakeWriter();
    }

    /** True if no more streams begin. */
    public boolean isEnding() {
        return phase != Phase.OPEN;
    }

    private boolean isFinishing() {
        return phase.compareTo(Phase.FINISHING) >= 0;
    }

    private boolean isOver() {
        return phase == Phase.OVER;
    }

    /** Those who serve streams. */
    public Collection<H2Stream.Owner> owners() {
        return streams.isEmpty()
                ? List.of()
                : streams.values().stream().map(H2Stream::owner).toList();
    }

    /** True if nobody serves a stream. */
    public boolean isIdle() {
        return streams.isEmpty();
    }

    private void fail(int code, String reason) {
        if (isFinishing()) return;
        output.goAway(lastServed, code, reason.getBytes(StandardCharsets.US_ASCII));
        phase = Phase.FINISHING;
        loseAll("the connection has failed: " + reason);
        link.malformed();
    }

    private void fail(ErrorCode code, String reason) {
        fail(code.code, reason);
    }

    private void fail(H2Stream stream, ErrorCode code, String reason) {
        onStreamFailure(stream.id(), code.code, reason);
    }

    // ---- sending, for the streams

    /** Tells a client that waits for it to send its body. */
    void invite(H2Stream stream) {
        stream.requireOpen();
        output.fields(stream.id(), 100, new Fields(0), false);
    }

    void head(H2Stream stream, int status, Fields fields, boolean last) {
        stream.requireOpen();
        output.fields(stream.id(), status, fields, last);
        if (last) sentAll(stream);
    }

    /** Sends a part of a body; waits for room in the windows, and in the output. */
    void body(H2Stream stream, ByteBuffer part, boolean last) {
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
    void end(H2Stream stream) {
        output.data(stream.id(), ByteBuffer.allocate(0), 0, true);
        sentAll(stream);
    }

    /** True if a part of a body would be sent without a wait. */
    boolean isWritable(H2Stream stream) {
        return window(stream) > 0 && !output.isFull() && !stream.isLost();
    }

    /** Waits until a part of a body would be sent without a wait. */
    void awaitWritable(H2Stream stream) {
        long since = link.now();
        while (!isWritable(stream)) {
            stream.requireOpen();
            if (window(stream) <= 0) awaitRoom(stream, since);
            else output.awaitRoom();
        }
    }

    private long window(H2Stream stream) {
        return Math.min(sendWindow, stream.sendWindow());
    }

    private void awaitRoom(H2Stream stream, long since) {
        if (inputEnded)
            throw new InputOutputException("the client has closed its output, and takes no more", "ECONNRESET");
        boolean isEndless = limits.writeNanos() == 0 || stream.isDuplex();
        long nanos = isEndless ? 0 : Math.max(1, since + limits.writeNanos() - link.now());
        try {
            if (stream.sendWindow() <= 0) stream.awaitRoom(nanos);
            else room.await(nanos);
        } catch (OperationCanceledException e) {
            link.notRead();
            throw new InputOutputException("the client does not read", "ETIMEDOUT");
        }
    }

    /** Sends fields behind a body. */
    void trailers(H2Stream stream, Fields fields) {
        stream.requireOpen();
        output.fields(stream.id(), 0, fields, true);
        sentAll(stream);
    }

    private void sentAll(H2Stream stream) {
        stream.sentAll();
        if (stream.hasReceivedAll()) open--;
    }

    /** Forgets a stream before its end, on both sides. */
    void reset(H2Stream stream, ErrorCode code, String why) {
        if (stream.isLost() || stream.isEnded()) return;
        open--;
        reset.add(stream.id());
        if (!isOver()) output.reset(stream.id(), code.code);
        stream.lost(why);
    }

    /** The stream's program has taken these bytes of its body: the peer may send as many more. */
    void consumed(H2Stream stream, int bytes) {
        if (isOver() || bytes == 0) return;
        consumed(bytes);
        boolean isLost = stream.isLost() && !answeredEarly.has(stream.id());
        int more = isLost ? 0 : stream.toWiden(bytes, limits.streamWindow());
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

    /** Called when whoever has served a stream is done with it. */
    void finished(H2Stream stream) {
        streams.remove(stream.id());
        if (isFinishing() || inputEnded || !stream.hasSentAll() || stream.isLost() || stream.isEnded()) {
            reset(stream, ErrorCode.NO_ERROR, "the request is over"); // unless both sides have ended
            return;
        }
        // Clients that meet a reset while they send, curl 7.88 for one, don't look at the response that came before it.
        // So what they send is discarded, until they have got windows behind the response several times; those that go
        // on even then are reset (RFC 9113, 8.1).
        stream.lost("the request is over");
        H2Stream oldest = answeredEarly.add(stream);
        if (oldest != null) resetEarly(oldest.id());
    }

    private void resetEarly(int id) {
        if (forgetEarly(id)) refuse(id, ErrorCode.NO_ERROR);
    }

    /** A frame of a stream that was answered early: nobody wants it, nor what follows. */
    private void comesLate(H2Stream stream, int bytes, boolean last) {
        if (last) forgetEarly(stream.id());
        else if (!stream.discards(bytes, 4L * limits.streamWindow())) resetEarly(stream.id());
        consumed(stream, bytes);
    }

    /** Returns whether the stream was answered early, and the peer still counted it as open. */
    private boolean forgetEarly(int id) {
        if (!answeredEarly.remove(id)) return false;
        open--;
        return true;
    }

    // ---- reading

    @Override
    public void onHeaders(HeadersFrame frame) {
        if (isFinishing()) return;
        // of a stream that nobody serves too, as what it says of the table counts
        Unpacker.Block block = unpacker.unpack(watch.takeHead());
        if (block == null) {
            fail(ErrorCode.COMPRESSION_ERROR, "invalid_hpack_block");
            return;
        }
        int id = frame.getStreamId();
        if (id <= lastStream) {
            H2Stream known = streams.get(id);
            if (answeredEarly.has(id)) {
                if (frame.isEndStream()) forgetEarly(id);
                else resetEarly(id);
                return;
            }
            if (known == null || known.isLost() || known.hasReceivedAll()) onClosed(known, id);
            else receivedTrailers(known, block, frame.isEndStream());
            return;
        }
        if (id % 2 == 0) {
            fail(ErrorCode.PROTOCOL_ERROR, "the streams of a client have odd numbers");
            return;
        }
        lastStream = id;
        if (isEnding() || open >= limits.streams() || streams.size() >= 2 * limits.streams()) {
            refuse(id, ErrorCode.REFUSED_STREAM_ERROR);
            return;
        }
        RequestHead head = block.isLegal() ? RequestHead.of(block.fields()) : null;
        if (head == null || (frame.isEndStream() && head.length() > 0)) {
            onStreamFailure(id, ErrorCode.PROTOCOL_ERROR.code, "malformed");
            return;
        }
        var stream = new H2Stream(this, id, head, frame.isEndStream(), peerStreamWindow, limits.streamWindow());
        lastServed = id;
        open++;
        streams.put(id, stream);
        link.begin(stream);
    }

    private void refuse(int id, ErrorCode code) {
        reset.add(id);
        output.reset(id, code.code);
    }

    private void receivedTrailers(H2Stream stream, Unpacker.Block block, boolean last) {
        if (!last || !block.isLegal() || !RequestHead.areTrailers(block.fields()))
            fail(stream, ErrorCode.PROTOCOL_ERROR, "no trailers");
        else if (!stream.receivedTrailers(block.fields())) fail(stream, ErrorCode.PROTOCOL_ERROR, "content-length");
        else receivedAll(stream);
    }

    private void receivedAll(H2Stream stream) {
        if (stream.hasSentAll()) open--;
    }

    /** A frame of a stream that the peer should know to be closed, unless it was reset here. */
    private void onClosed(@Nullable H2Stream known, int id) {
        if (reset.has(id)) return;
        // grpc-java's client on OkHttp resets a stream, and sends its data afterwards (RFC 9113, 5.1)
        if (reset.hasOfPeer(id)) onStreamFailure(id, ErrorCode.STREAM_CLOSED_ERROR.code, "the client has reset it");
        else if (known != null && !known.isLost()) fail(known, ErrorCode.STREAM_CLOSED_ERROR, "the stream has ended");
        else fail(ErrorCode.STREAM_CLOSED_ERROR, "stream " + id + " has ended");
    }

    @Override
    public void onData(DataFrame frame) {
        if (isFinishing()) return;
        int id = frame.getStreamId();
        int length = frame.flowControlLength();
        receiveWindow -= length;
        if (receiveWindow < 0) {
            fail(ErrorCode.FLOW_CONTROL_ERROR, "more than the window of the connection");
            return;
        }
        H2Stream stream = streams.get(id);
        if (stream == null || stream.isLost() || stream.hasReceivedAll()) {
            H2Stream early = answeredEarly.get(id);
            if (early != null) {
                comesLate(early, length, frame.isEndStream());
                return;
            }
            consumed(length);
            if (id > lastStream) fail(ErrorCode.PROTOCOL_ERROR, "data of a stream that has not begun");
            else onClosed(stream, id);
            return;
        }
        if (!stream.isWithinWindow(length)) {
            consumed(length);
            fail(stream, ErrorCode.FLOW_CONTROL_ERROR, "more than the window of the stream");
        } else if (!stream.received(frame)) {
            consumed(length);
            fail(stream, ErrorCode.PROTOCOL_ERROR, "content-length");
        } else if (stream.hasReceivedAll()) receivedAll(stream);
    }

    @Override
    public void onReset(ResetFrame frame) {
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
        stream.lost("the client has reset the stream");
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
        if (!frame.isReply() && !isFinishing()) output.pingReply(frame.getPayload());
    }

    @Override
    public void onWindowUpdate(WindowUpdateFrame frame) {
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
    public void onGoAway(GoAwayFrame frame) {
        // says that nothing may be pushed, which isn't done
    }

    @Override
    public void onPriority(PriorityFrame frame) {
        // deprecated by RFC 9113
    }

    @Override
    public void onPushPromise(PushPromiseFrame frame) {
        fail(ErrorCode.PROTOCOL_ERROR, "a client can't push");
    }

    @Override
    public void onStreamFailure(int id, int error, String reason) {
        if (isFinishing()) return;
        link.malformed();
        if (!rate.onEvent(reason)) {
            fail(ErrorCode.ENHANCE_YOUR_CALM_ERROR, "too many faults");
            return;
        }
        H2Stream stream = streams.get(id);
        if (id > lastStream) lastStream = id;
        if (stream != null && !stream.isLost() && !stream.isEnded()) open--;
        reset.add(id);
        output.reset(id, error);
        if (stream != null) stream.lost("the client broke the protocol: " + reason);
    }

    @Override
    public void onConnectionFailure(int error, String reason) {
        fail(error, reason);
    }
}
