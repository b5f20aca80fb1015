package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.http2.frames.SettingsFrame;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncException;
import org.trueasync.Completable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.message.Fields;

/**
 * The client's side of an HTTP/2 connection. Whoever waits for a stream reads for all, by {@link Turns}; a coroutine
 * writes while there is something to write. Between the calls nothing runs. Loop thread.
 */
public final class H2Client extends H2Connection {
    /** A record of TLS is decrypted into the buffer without a copy. */
    private static final int READ_BYTES = 17 * 1024;
    /** A server that only ever says that it is at work. */
    private static final int MOST_INTERIM = 100;

    private static final int LAST_STREAM = Integer.MAX_VALUE - 2;

    private final ClientLink link;
    private final ByteBuffer in = ByteBuffer.allocate(READ_BYTES).limit(0);
    private final Turns turns = new Turns(this);
    private final Waiters settled = new Waiters();
    private boolean hasSettings;
    private int mostStreams;
    /** Of the head of a request. */
    private int mostHeadBytes = Integer.MAX_VALUE;

    private boolean writing;
    /** What the server has said about the end. */
    private @Nullable String farewell;

    public H2Client(ClientLink link, H2Limits limits) {
        super(link, limits, "the server", FrameWatch.ofServer(), new FrameOutput());
        this.link = link;
        this.mostStreams = limits.streams();
        output.ofClient(this::startWriting);
    }

    /**
     * Begins to speak; waits for the server to do so too.
     *
     * @throws InputOutputException if it does not speak HTTP/2
     */
    public void begin() {
        settings(
                SettingsFrame.ENABLE_PUSH, 0,
                SettingsFrame.INITIAL_WINDOW_SIZE, limits.streamWindow(),
                SettingsFrame.MAX_HEADER_LIST_SIZE, limits.headBytes());
        while (!hasSettings && !isFinishing()) await(settled, 0);
        if (!hasSettings) throw new InputOutputException("the server does not speak HTTP/2: " + end, "EPROTO");
    }

    // ---- streams

    /**
     * True if one more stream may begin.
     *
     * @param others how many there may be already
     */
    public boolean hasRoom(int others) {
        return !isEnding() && others < mostStreams;
    }

    /** True if a body of that many bytes is sent without a wait. */
    public boolean takes(int bytes) {
        return bytes <= Math.min(peerStreamWindow(), sendWindow()) && !output.isFull();
    }

    /**
     * Begins a stream.
     *
     * @param fields the pseudo-fields first
     * @param last true if no body follows
     * @param withoutBody true if the response has none, whatever its head says
     * @throws AsyncException if the server takes no head as large as this one: most end the connection of all calls
     */
    public ClientStream open(Fields fields, boolean last, boolean withoutBody) {
        if (isEnding()) throw new InputOutputException(ended("the connection has ended"), "ECONNRESET");
        long bytes = MessageHead.bytes(fields);
        if (bytes > mostHeadBytes)
            throw new AsyncException("the head of the request has " + bytes + " bytes, and the server takes at most "
                    + mostHeadBytes + " (SETTINGS_MAX_HEADER_LIST_SIZE)");
        int id = lastStream == 0 ? 1 : lastStream + 2;
        output.fields(id, 0, fields, last);
        lastStream = id;
        if (id >= LAST_STREAM) goingAway();
        var stream = new ClientStream(this, id, withoutBody, peerStreamWindow(), limits.streamWindow());
        open++;
        streams.put(id, stream);
        if (last) sentAll(stream);
        return stream;
    }

    @Override
    void finished(H2Stream stream) {
        streams.remove(stream.id());
        // a server that has answered does not want the rest of the request (RFC 9113, 8.1)
        ErrorCode code = stream.hasReceivedAll() ? ErrorCode.NO_ERROR : ErrorCode.CANCEL_STREAM_ERROR;
        reset(stream, code, "the call is over"); // unless both sides have ended
    }

    // ---- reading

    @Override
    void await(Waiters news, long nanos) {
        turns.await(news, nanos);
    }

    @Override
    void wake(Waiters news) {
        turns.wake(news);
    }

    long now() {
        return link.now();
    }

    /** Reads once, and takes what has come. */
    void readOnce(Completable<?> limit) {
        int count = -1;
        try {
            count = link.read(in.clear(), limit);
        } catch (InputOutputException e) {
            lose(e.getMessage());
            return;
        } finally {
            in.flip();
        }
        take(count);
    }

    /** Takes what has come while nobody waited; does not wait. */
    public void poll() {
        while (!turns.areTaken() && !isFinishing()) {
            int count = 0;
            try {
                count = link.tryRead(in.clear());
            } catch (InputOutputException e) {
                lose(e.getMessage());
                return;
            } finally {
                in.flip();
            }
            if (count == 0) return;
            take(count);
        }
    }

    private void take(int count) {
        if (count < 0) {
            lose("the server has closed the connection");
            return;
        }
        see(in);
        parse(in);
    }

    @Override
    void fields(int id, Unpacker.Block block, boolean last) {
        var stream = (ClientStream) streams.get(id);
        if (id > lastStream) fail(ErrorCode.PROTOCOL_ERROR, "a response without a request");
        else if (stream == null || stream.isLost() || stream.hasReceivedAll()) onClosed(stream, id);
        else if (stream.hasHead()) receivedTrailers(stream, block, last);
        else receivedHead(stream, block, last);
    }

    private void receivedHead(ClientStream stream, Unpacker.Block block, boolean last) {
        ResponseHead head = block.isLegal() ? ResponseHead.of(block.fields()) : null;
        if (head == null) fail(stream, ErrorCode.PROTOCOL_ERROR, "malformed head");
        else if (head.bytes() > limits.headBytes())
            fail(
                    stream,
                    ErrorCode.CANCEL_STREAM_ERROR,
                    "its head has more than " + limits.headBytes() + " bytes (maxHeaderBytes)");
        else if (!stream.received(head, last, MOST_INTERIM))
            fail(stream, ErrorCode.PROTOCOL_ERROR, "a head that must not come");
        else if (last) receivedAll(stream);
    }

    @Override
    public void onSettings(SettingsFrame frame) {
        super.onSettings(frame);
        if (frame.isReply()) return;
        Integer most = frame.getSettings().get(SettingsFrame.MAX_CONCURRENT_STREAMS);
        // an unsigned value; one that allows nothing says so to the stream that is tried
        if (most != null) mostStreams = most < 0 ? limits.streams() : Math.clamp(most, 1, limits.streams());
        Integer bytes = frame.getSettings().get(SettingsFrame.MAX_HEADER_LIST_SIZE);
        if (bytes != null) mostHeadBytes = bytes;
        hasSettings = true;
        settled.wake();
    }

    @Override
    public void onGoAway(GoAwayFrame frame) {
        byte[] text = frame.getPayload();
        farewell = name(frame.getError());
        if (text != null && text.length > 0)
            farewell += " " + Checks.quoted(new String(text, StandardCharsets.ISO_8859_1));
        goingAway();
        for (H2Stream stream : streams.values().toArray(H2Stream[]::new)) {
            if (stream.id() <= frame.getLastStreamId() || stream.isLost() || stream.isEnded()) continue;
            open--;
            reset.add(stream.id());
            stream.wasNotServed();
            stream.lost(ended("the server is going away"), "ECONNRESET");
        }
    }

    private static String name(int code) {
        return ErrorCode.toString(code, "code " + code);
    }

    @Override
    String shown(int code) {
        return " (" + name(code) + ")";
    }

    private String ended(String what) {
        return farewell == null ? what : what + ": " + farewell;
    }

    // ---- writing

    private void startWriting() {
        if (writing || isOver()) return;
        writing = true;
        link.start(this::write);
    }

    private void write() {
        try {
            ByteBuffer frames;
            while (!isOver() && (frames = output.take()) != null) {
                link.write(frames);
                output.written();
            }
            if (isFinishing()) lose("the connection has failed");
        } catch (InputOutputException e) {
            lose(e.getMessage());
        } finally {
            writing = false;
        }
    }

    /** Asks for a sign of life. */
    public void ping() {
        if (!isFinishing()) output.ping(new byte[8], false);
    }

    // ---- its end

    /** Ends the connection; streams that are under way are lost. */
    public void lose(@Nullable String why) {
        over(ended(String.valueOf(why)));
        link.close();
    }

    /** None, as nothing may be pushed. */
    @Override
    int lastServed() {
        return 0;
    }

    /** So that a call that does not read holds no other up; a stream's own window bounds what it may leave here. */
    @Override
    boolean widensAtOnce() {
        return true;
    }
}
