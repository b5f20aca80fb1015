package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.HashMap;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpFields;
import org.eclipse.jetty.http.HttpVersion;
import org.eclipse.jetty.http.MetaData;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.frames.DataFrame;
import org.eclipse.jetty.http2.frames.Frame;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.http2.frames.HeadersFrame;
import org.eclipse.jetty.http2.frames.PingFrame;
import org.eclipse.jetty.http2.frames.PriorityFrame;
import org.eclipse.jetty.http2.frames.PushPromiseFrame;
import org.eclipse.jetty.http2.frames.ResetFrame;
import org.eclipse.jetty.http2.frames.SettingsFrame;
import org.eclipse.jetty.http2.frames.WindowUpdateFrame;
import org.eclipse.jetty.http2.generator.Generator;
import org.eclipse.jetty.http2.hpack.HpackException;
import org.eclipse.jetty.http2.parser.ServerParser;
import org.eclipse.jetty.io.ByteBufferPool;
import org.eclipse.jetty.io.RetainableByteBuffer;
import org.eclipse.jetty.io.WindowRateControl;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.message.Fields;

/**
 * The server's side of an HTTP/2 connection. One coroutine reads; the coroutines of the streams write, each frame by one
 * write, so frames never mix, and heads are packed in the order in which they are sent. Loop thread.
 */
public final class H2Connection implements ServerParser.Listener {
    private static final int DEFAULT_WINDOW = 65_535;
    private static final int MAX_WINDOW = Integer.MAX_VALUE;
    private static final int FRAME_BYTES = 16 * 1024;

    private final H2Link link;
    private final H2Limits limits;
    private final ServerParser parser;
    private final Generator generator;
    private final Map<Integer, H2Stream> streams = new HashMap<>();
    private int lastStream;
    private long sendWindow = DEFAULT_WINDOW;
    private int peerStreamWindow = DEFAULT_WINDOW;
    private int peerFrameBytes = FRAME_BYTES;
    /** How much the peer may still send. */
    private int receiveWindow = DEFAULT_WINDOW;
    /** What was taken, and is not told to the peer yet. */
    private int taken;

    private boolean goingAway;
    private boolean over;
    private @Nullable Waiters room;

    public H2Connection(H2Link link, H2Limits limits) {
        this.link = link;
        this.limits = limits;
        this.parser = new ServerParser(
                ByteBufferPool.NON_POOLING,
                limits.headBytes(),
                new WindowRateControl(limits.events(), Duration.ofSeconds(1)));
        parser.init(this);
        this.generator = new Generator(ByteBufferPool.NON_POOLING, false, 4 * limits.headBytes());
    }

    /**
     * Serves the connection to its end: its coroutine reads.
     *
     * @param in empty, or with the first bytes; used for all reading
     */
    public void run(ByteBuffer in) {
        try {
            var settings = new HashMap<Integer, Integer>();
            settings.put(SettingsFrame.MAX_CONCURRENT_STREAMS, limits.streams());
            settings.put(SettingsFrame.INITIAL_WINDOW_SIZE, limits.streamWindow());
            settings.put(SettingsFrame.MAX_HEADER_LIST_SIZE, limits.headBytes());
            send(new SettingsFrame(settings, false));
            widen(0, limits.connectionWindow() - DEFAULT_WINDOW);
            receiveWindow = limits.connectionWindow();
            while (!over) {
                while (in.hasRemaining() && !over) parser.parse(in);
                if (over || (goingAway && streams.isEmpty())) return;
                in.clear();
                int count = -1;
                try {
                    count = link.read(in);
                } finally {
                    in.flip();
                }
                if (count < 0) return;
            }
        } finally {
            over = true;
            for (H2Stream stream : streams.values().toArray(H2Stream[]::new)) stream.lost("the client has left");
            wake();
        }
    }

    /** Tells the peer to begin no more streams; those under way go on. */
    public void drain() {
        if (goingAway || over) return;
        goingAway = true;
        send(new GoAwayFrame(lastStream, ErrorCode.NO_ERROR.code, new byte[0]));
    }

    /** True if no more streams begin. */
    public boolean isEnding() {
        return goingAway || over;
    }

    /** Tells a client that waits for it to send its body. */
    void invite(H2Stream stream) {
        stream.requireOpen();
        send(new HeadersFrame(
                stream.id(), new MetaData.Response(100, null, HttpVersion.HTTP_2, HttpFields.EMPTY), null, false));
    }

    // ---- writing

    private void send(Frame... frames) {
        if (over) return;
        var bytes = new RetainableByteBuffer.DynamicCapacity(ByteBufferPool.NON_POOLING, false, -1, 1024);
        for (Frame frame : frames) control(bytes, frame);
        link.write(bytes.getByteBuffer());
    }

    private void control(RetainableByteBuffer.Mutable into, Frame frame) {
        try {
            generator.control(into, frame);
        } catch (HpackException e) {
            throw new AsyncException("the head of the response can't be packed: " + e.getMessage(), e);
        }
    }

    /** Sends a head, with the whole body if there is one that fits into the windows. Returns whether it did. */
    void head(H2Stream stream, int status, Fields fields, @Nullable ByteBuffer body, boolean last) {
        requireOpen(stream);
        HttpFields.Mutable packed = HttpFields.build(fields.size());
        for (HttpField field : fields) packed.add(field);
        boolean endsHere = last && (body == null || !body.hasRemaining());
        var bytes = new RetainableByteBuffer.DynamicCapacity(ByteBufferPool.NON_POOLING, false, -1, 1024);
        control(
                bytes,
                new HeadersFrame(
                        stream.id(), new MetaData.Response(status, null, HttpVersion.HTTP_2, packed), null, endsHere));
        if (endsHere) stream.sentAll();
        else if (body != null && body.hasRemaining()) {
            int fits = fits(stream, body.remaining());
            if (fits > 0) data(bytes, stream, body, fits, last && fits == body.remaining());
        }
        link.write(bytes.getByteBuffer());
    }

    /** Sends a part of a body; waits for room in the windows. */
    void body(H2Stream stream, ByteBuffer part, boolean last) {
        while (part.hasRemaining()) {
            requireOpen(stream);
            int fits = fits(stream, part.remaining());
            if (fits == 0) {
                awaitRoom(stream);
                continue;
            }
            var bytes = new RetainableByteBuffer.DynamicCapacity(ByteBufferPool.NON_POOLING, false, -1, 1024);
            data(bytes, stream, part, fits, last && fits == part.remaining());
            link.write(bytes.getByteBuffer());
        }
        if (last && !stream.hasSentAll()) {
            requireOpen(stream);
            stream.sentAll();
            var bytes = new RetainableByteBuffer.DynamicCapacity(ByteBufferPool.NON_POOLING, false, -1, 64);
            generator.data(bytes, new DataFrame(stream.id(), ByteBuffer.allocate(0), true), 0);
            link.write(bytes.getByteBuffer());
        }
    }

    private int fits(H2Stream stream, int length) {
        long room = Math.min(sendWindow, stream.sendWindow());
        return (int) Math.max(0, Math.min(Math.min(room, length), peerFrameBytes));
    }

    private void data(RetainableByteBuffer.Mutable into, H2Stream stream, ByteBuffer part, int length, boolean last) {
        ByteBuffer piece = part.slice(part.position(), length);
        part.position(part.position() + length);
        sendWindow -= length;
        stream.used(length);
        if (last) stream.sentAll();
        generator.data(into, new DataFrame(stream.id(), piece, last), length);
    }

    /** Sends fields behind a body. */
    void trailers(H2Stream stream, Fields fields) {
        requireOpen(stream);
        HttpFields.Mutable packed = HttpFields.build(fields.size());
        for (HttpField field : fields) packed.add(field);
        stream.sentAll();
        send(new HeadersFrame(stream.id(), new MetaData(HttpVersion.HTTP_2, packed), null, true));
    }

    void reset(H2Stream stream, ErrorCode code) {
        if (streams.remove(stream.id()) != null && !over) send(new ResetFrame(stream.id(), code.code));
    }

    private void requireOpen(H2Stream stream) {
        stream.requireOpen();
    }

    private void awaitRoom(H2Stream stream) {
        if (room == null) room = new Waiters();
        try {
            room.await(limits.write());
        } catch (OperationCanceledException e) {
            throw new InputOutputException("the client does not read", "ETIMEDOUT");
        }
        stream.requireOpen();
    }

    private void wake() {
        Waiters waiting = room;
        room = null;
        if (waiting != null) waiting.wake();
    }

    /** The stream's program has taken these bytes of its body: the peer may send as many more. */
    void consumed(H2Stream stream, int bytes) {
        if (over || bytes == 0) return;
        int forStream = stream.toWiden(bytes, limits.streamWindow());
        taken += bytes;
        int forAll = 0;
        if (taken >= limits.connectionWindow() / 2) {
            forAll = taken;
            taken = 0;
            receiveWindow += forAll;
        }
        widen(0, forAll);
        widen(stream.id(), forStream);
    }

    private void widen(int id, int bytes) {
        if (bytes > 0) send(new WindowUpdateFrame(id, bytes));
    }

    /** Called when both sides of a stream have ended and its coroutine is done with it. */
    void finished(H2Stream stream) {
        boolean known = streams.remove(stream.id()) != null;
        if (known && !stream.hasReceivedAll() && !over) send(new ResetFrame(stream.id(), ErrorCode.NO_ERROR.code));
    }

    // ---- reading

    @Override
    public void onHeaders(HeadersFrame frame) {
        int id = frame.getStreamId();
        H2Stream known = streams.get(id);
        if (known != null) {
            if (known.hasReceivedAll()) fail(known, ErrorCode.STREAM_CLOSED_ERROR);
            else if (!frame.isEndStream()) fail(known, ErrorCode.PROTOCOL_ERROR);
            else {
                var trailers = new Fields();
                for (HttpField field : frame.getMetaData()) trailers.add(field);
                known.receivedTrailers(trailers);
            }
            return;
        }
        if (id % 2 == 0 || id <= lastStream) {
            failConnection(id <= lastStream ? ErrorCode.STREAM_CLOSED_ERROR : ErrorCode.PROTOCOL_ERROR, "stream id");
            return;
        }
        lastStream = id;
        if (goingAway) return;
        if (streams.size() >= limits.streams()) {
            send(new ResetFrame(id, ErrorCode.REFUSED_STREAM_ERROR.code));
            return;
        }
        if (!(frame.getMetaData() instanceof MetaData.Request request)) {
            send(new ResetFrame(id, ErrorCode.PROTOCOL_ERROR.code));
            return;
        }
        var stream = new H2Stream(this, id, request, frame.isEndStream(), peerStreamWindow, limits.streamWindow());
        streams.put(id, stream);
        link.begin(stream);
    }

    @Override
    public void onData(DataFrame frame) {
        int id = frame.getStreamId();
        int length = frame.flowControlLength();
        receiveWindow -= length;
        if (receiveWindow < 0) {
            failConnection(ErrorCode.FLOW_CONTROL_ERROR, "window of the connection");
            return;
        }
        H2Stream stream = streams.get(id);
        if (stream == null) {
            if (id > lastStream) failConnection(ErrorCode.PROTOCOL_ERROR, "data of a stream that has not begun");
            else {
                receiveWindow += length; // of a stream that was reset here
                widen(0, length);
            }
            return;
        }
        if (stream.hasReceivedAll()) {
            fail(stream, ErrorCode.STREAM_CLOSED_ERROR);
            return;
        }
        if (!stream.received(frame)) fail(stream, ErrorCode.FLOW_CONTROL_ERROR);
    }

    @Override
    public void onReset(ResetFrame frame) {
        H2Stream stream = streams.get(frame.getStreamId());
        if (stream == null) {
            if (frame.getStreamId() > lastStream)
                failConnection(ErrorCode.PROTOCOL_ERROR, "reset of a stream that has not begun");
            return;
        }
        streams.remove(stream.id());
        stream.lost("the client has reset the stream");
        wake();
    }

    @Override
    public void onSettings(SettingsFrame frame) {
        if (frame.isReply()) return;
        Map<Integer, Integer> settings = frame.getSettings();
        Integer window = settings.get(SettingsFrame.INITIAL_WINDOW_SIZE);
        if (window != null) {
            long change = (long) window - peerStreamWindow;
            peerStreamWindow = window;
            for (H2Stream stream : streams.values()) {
                if (!stream.widened(change)) {
                    failConnection(ErrorCode.FLOW_CONTROL_ERROR, "window of a stream");
                    return;
                }
            }
        }
        Integer table = settings.get(SettingsFrame.HEADER_TABLE_SIZE);
        if (table != null) generator.getHpackEncoder().setMaxTableCapacity(Math.min(table, 4096));
        Integer bytes = settings.get(SettingsFrame.MAX_FRAME_SIZE);
        if (bytes != null) peerFrameBytes = Math.min(bytes, 64 * 1024);
        send(new SettingsFrame(Map.of(), true));
        wake();
    }

    @Override
    public void onPing(PingFrame frame) {
        if (!frame.isReply()) send(new PingFrame(frame.getPayload(), true));
    }

    @Override
    public void onWindowUpdate(WindowUpdateFrame frame) {
        int id = frame.getStreamId();
        if (id == 0) {
            sendWindow += frame.getWindowDelta();
            if (sendWindow > MAX_WINDOW) failConnection(ErrorCode.FLOW_CONTROL_ERROR, "window of the connection");
        } else {
            H2Stream stream = streams.get(id);
            if (stream == null) {
                if (id > lastStream) failConnection(ErrorCode.PROTOCOL_ERROR, "window of a stream that has not begun");
                return;
            }
            if (!stream.widened(frame.getWindowDelta())) fail(stream, ErrorCode.FLOW_CONTROL_ERROR);
        }
        wake();
    }

    @Override
    public void onGoAway(GoAwayFrame frame) {
        goingAway = true;
    }

    @Override
    public void onPriority(PriorityFrame frame) {
        // deprecated by RFC 9113
    }

    @Override
    public void onPushPromise(PushPromiseFrame frame) {
        failConnection(ErrorCode.PROTOCOL_ERROR, "a client can't push");
    }

    @Override
    public void onStreamFailure(int id, int error, String reason) {
        H2Stream stream = streams.get(id);
        if (id > lastStream) lastStream = id;
        if (stream != null) {
            streams.remove(id);
            stream.lost("the client broke the protocol: " + reason);
            wake();
        }
        send(new ResetFrame(id, error));
    }

    @Override
    public void onConnectionFailure(int error, String reason) {
        if (over) return;
        send(new GoAwayFrame(lastStream, error, reason.getBytes(StandardCharsets.US_ASCII)));
        over = true;
    }

    private void fail(H2Stream stream, ErrorCode code) {
        onStreamFailure(stream.id(), code.code, code.name());
    }

    private void failConnection(ErrorCode code, String reason) {
        onConnectionFailure(code.code, reason);
    }
}
