package org.trueasync.internal.http.h2;

import java.nio.ByteBuffer;
import java.util.Collection;
import java.util.List;
import org.eclipse.jetty.http2.ErrorCode;
import org.eclipse.jetty.http2.frames.GoAwayFrame;
import org.eclipse.jetty.http2.frames.SettingsFrame;
import org.trueasync.InputOutputException;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.http.message.Fields;

/**
 * The server's side of an HTTP/2 connection. One coroutine reads, one writes, and each stream has one of its own. Loop
 * thread.
 */
public final class H2Server extends H2Connection {
    private final ServerLink link;
    private final AnsweredEarly answeredEarly = new AnsweredEarly();
    private int lastServed;
    /** The peer has closed its output, so that no window is widened any more. */
    private boolean inputEnded;

    public H2Server(ServerLink link, H2Limits limits) {
        super(link, limits, "the client", FrameWatch.ofClient(), new FrameOutput());
        this.link = link;
    }

    @Override
    int lastServed() {
        return lastServed;
    }

    @Override
    void await(Waiters news, long nanos) {
        news.await(nanos);
    }

    @Override
    boolean widensAtOnce() {
        return false;
    }

    // ---- its two coroutines

    /**
     * Reads to the peer's end.
     *
     * @param in empty, or with the first bytes; used for all reading
     */
    public void read(ByteBuffer in) {
        settings(
                SettingsFrame.MAX_CONCURRENT_STREAMS, limits.streams(),
                SettingsFrame.INITIAL_WINDOW_SIZE, limits.streamWindow(),
                SettingsFrame.MAX_HEADER_LIST_SIZE, limits.headBytes(),
                SettingsFrame.ENABLE_CONNECT_PROTOCOL, 1);
        see(in);
        long headBegun = 0;
        while (true) {
            parse(in);
            while (output.isFull() && !isOver()) output.awaitRoom();
            boolean isBetween = limits.headNanos() > 0 && isBetweenFrames();
            if (!isBetween) headBegun = 0;
            else if (headBegun == 0) headBegun = link.now();
            in.clear();
            int count = -1;
            try {
                count = link.read(in, isBetween ? Math.max(1, headBegun + limits.headNanos() - link.now()) : 0);
            } catch (OperationCanceledException e) {
                link.lateHead();
                fail(ErrorCode.ENHANCE_YOUR_CALM_ERROR, "the head of a request did not come in time");
                count = 0;
            } finally {
                in.flip();
            }
            if (count < 0) return;
            see(in);
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
            else stream.lost("the client has closed its output in the middle of a request", "ECONNRESET");
        }
        room.wake();
    }

    @Override
    void requireTaker() {
        if (inputEnded)
            throw new InputOutputException("the client has closed its output, and takes no more", "ECONNRESET");
    }

    // ---- its end

    /** Called when the connection is closed, and nothing comes or goes any more. */
    public void ended() {
        over("the client has left");
    }

    /** Tells the peer that the end is near; a stream that is on its way is served. */
    public void announceEnd() {
        if (!isEnding()) output.goAway(Integer.MAX_VALUE, ErrorCode.NO_ERROR.code, new byte[0]);
    }

    /** Tells the peer to begin no more streams; those under way go on. */
    public void drain() {
        if (isEnding()) return;
        goingAway();
        output.goAway(lastServed, ErrorCode.NO_ERROR.code, new byte[0]);
    }

    /** Ends the connection, when all has been written. */
    public void finish() {
        drain();
        finishing();
    }

    /** Those who serve streams. */
    public Collection<H2Stream.Owner> owners() {
        return streams.isEmpty()
                ? List.of()
                : streams.values().stream().map(H2Stream::owner).toList();
    }

    @Override
    public void onGoAway(GoAwayFrame frame) {
        // says that nothing may be pushed, which isn't done
    }

    // ---- for the streams

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

    /** Sends fields behind a body. */
    void trailers(H2Stream stream, Fields fields) {
        stream.requireOpen();
        output.fields(stream.id(), 0, fields, true);
        sentAll(stream);
    }

    @Override
    void finished(H2Stream stream) {
        streams.remove(stream.id());
        if (isFinishing() || inputEnded || !stream.hasSentAll() || stream.isLost() || stream.isEnded()) {
            reset(stream, ErrorCode.NO_ERROR, "the request is over"); // unless both sides have ended
            return;
        }
        // Clients that meet a reset while they send, curl 7.88 for one, don't look at the response that came before it.
        // So what they send is discarded, until they have got windows behind the response several times; those that go
        // on even then are reset (RFC 9113, 8.1).
        stream.lost("the request is over", "ECONNRESET");
        H2Stream oldest = answeredEarly.add(stream);
        if (oldest != null) resetEarly(oldest.id());
    }

    private void resetEarly(int id) {
        if (forgetEarly(id)) refuse(id, ErrorCode.NO_ERROR);
    }

    /** A frame of a stream that was answered early: nobody wants it, nor what follows. */
    @Override
    boolean comesLate(int id, int bytes, boolean last) {
        H2Stream stream = answeredEarly.get(id);
        if (stream == null) return false;
        if (last) forgetEarly(id);
        else if (!stream.discards(bytes, 4L * limits.streamWindow())) resetEarly(id);
        consumed(stream, bytes);
        return true;
    }

    @Override
    boolean forgetEarly(int id) {
        if (!answeredEarly.remove(id)) return false;
        open--;
        return true;
    }

    @Override
    boolean isForgotten(H2Stream stream) {
        return stream.isLost() && !answeredEarly.has(stream.id());
    }

    // ---- reading

    @Override
    void fields(int id, Unpacker.Block block, boolean last) {
        if (id <= lastStream) {
            H2Stream known = streams.get(id);
            if (answeredEarly.has(id)) {
                if (last) forgetEarly(id);
                else resetEarly(id);
                return;
            }
            if (known == null || known.isLost() || known.hasReceivedAll()) onClosed(known, id);
            else receivedTrailers(known, block, last);
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
        if (head == null || (last && head.length() > 0)) {
            onStreamFailure(id, ErrorCode.PROTOCOL_ERROR.code, "malformed");
            return;
        }
        var stream = new ServerStream(this, id, head, last, peerStreamWindow(), limits.streamWindow());
        lastServed = id;
        open++;
        streams.put(id, stream);
        link.begin(stream);
    }

    @Override
    void unknown(int id) {
        if (id > lastStream) lastStream = id;
    }
}
