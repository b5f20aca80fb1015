package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.nio.charset.StandardCharsets;
import java.util.List;
import java.util.Set;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.InputOutputException;
import org.trueasync.Mutex;
import org.trueasync.VoidSection;
import org.trueasync.internal.http.codings.Packer;
import org.trueasync.internal.http.message.Coding;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.websocket.SocketBytes;
import org.trueasync.io.AsyncFile;
import org.trueasync.io.ByteStream;

/** The response to a request: sent as a whole, or begun and written in parts. */
public final class ResponseCore {
    /**
     * So much is compressed before other coroutines have their turn; up to this size a body is compressed as a whole.
     */
    private static final int PACKED_PIECE = 64 * 1024;
    /** So much of a file is one write, which has its time limit. */
    private static final int FILE_PIECE = 256 * 1024;

    private static final ByteBuffer NOTHING = ByteBuffer.allocate(0);
    /** What the system says when the peer, and not the file, is at fault. */
    private static final Set<String> PEER_LOST =
            Set.of("EPIPE", "ECONNRESET", "ECONNABORTED", "ETIMEDOUT", "EHOSTUNREACH", "ENETUNREACH");

    /** What filters say about every response, whatever becomes of the request: browsers and people act by it. */
    private static final Set<String> OF_EACH_RESPONSE = Set.of(
            "access-control-allow-origin",
            "access-control-allow-credentials",
            "access-control-expose-headers",
            "vary",
            "strict-transport-security",
            "content-security-policy",
            "cross-origin-opener-policy",
            "cross-origin-resource-policy",
            "referrer-policy",
            "x-request-id",
            "x-content-type-options",
            "x-frame-options");

    /** How far it has got. */
    private enum Progress {
        /** Nothing has been written. */
        OPEN,
        /** Its body is written in parts. */
        BEGUN,
        /** Any number of bytes may be written, and none is sent: the response to HEAD, and those without a body. */
        BARE,
        ENDED
    }

    private final ServerCore server;
    private final Wire wire;
    private final boolean isHead;
    private int status = 200;
    private Fields fields = new Fields();
    private Progress progress = Progress.OPEN;
    /** How many bytes must still be written; -1 if any number may be. */
    private long left = -1;

    private long written;
    private @Nullable Fields trailers;
    private @Nullable ResponseOutput output;
    private @Nullable Packer packer;
    /**
     * Whoever writes a part may have to wait in the middle of it: the next one, and the end, wait behind it. Null
     * before the first part.
     */
    private @Nullable Mutex turn;

    private boolean lost;
    /** A part is missing, so that nothing may follow, and no orderly end. */
    private boolean cut;

    private boolean taken;
    private boolean plain;
    private boolean over;

    ResponseCore(ServerCore server, Wire wire) {
        this.server = server;
        this.wire = wire;
        this.isHead = wire.method().equals("HEAD");
    }

    public int status() {
        return status;
    }

    /** Sets the status. */
    public void status(int code) {
        requireOpen();
        if (code < 200 || code > 999) throw new IllegalArgumentException("status must be 200 to 999, got " + code);
        status = code;
    }

    /** Its header fields; changes have an effect until its first byte. */
    public Fields fields() {
        return fields;
    }

    /** True once the head of the response has been sent. */
    public boolean isCommitted() {
        return progress != Progress.OPEN;
    }

    /** True once the response is complete. */
    public boolean isEnded() {
        return progress == Progress.ENDED;
    }

    /** How many bytes of the body have been sent. */
    public long written() {
        return written;
    }

    /** Fails if the head has been sent. */
    public void requireOpen() {
        if (progress != Progress.OPEN)
            throw new IllegalStateException(
                    "the head of the response has been sent, so status and header fields can't change any more");
        if (over) throw new IllegalStateException("the request is over");
    }

    /**
     * Sends it as a whole.
     *
     * @param body taken to its limit
     */
    public void respond(ByteBuffer body) {
        requireOpen();
        Coding coding = coding(body.remaining());
        if (coding != null && !isHead) respondPacked(body, coding);
        else respond(body, coding != null);
    }

    private void respond(ByteBuffer body, boolean hidesLength) {
        requireNoTunnel();
        int length = body.remaining();
        boolean bare = hasNoBody(status);
        progress = Progress.ENDED;
        boolean empty = bare || isHead;
        written = empty ? 0 : length;
        requireReached();
        try {
            wire.respond(status, fields, bare ? announced() : hidesLength ? -1 : length, empty ? NOTHING : body);
        } catch (AsyncCancellation e) {
            lost = !wire.isUntouched();
            if (!lost) {
                progress = Progress.OPEN; // there may be another answer
                written = 0;
            }
            throw e;
        } catch (InputOutputException e) {
            lost = true;
            throw e;
        }
    }

    // ---- compression

    /** Sends the body as it is, whatever the server compresses. */
    public void plain() {
        plain = true;
    }

    /**
     * Returns whether a body of that length is sent compressed, or would be if the request was no HEAD. Notes that this
     * depends on what the client accepts.
     *
     * @param length in bytes; -1 if it is not known
     */
    public boolean packs(long length) {
        return coding(length) != null;
    }

    /** As {@link #packs}; null if it is not compressed. */
    private @Nullable Coding coding(long length) {
        int from = server.settings.compressFrom;
        if (from == 0 || plain || (length >= 0 && length < from) || !Packer.suits(status, fields)) return null;
        if (!fields.has(HttpHeader.VARY, "Accept-Encoding") && !fields.has(HttpHeader.VARY, "*"))
            fields.add(HttpHeader.VARY, "Accept-Encoding");
        List<Coding> accepted = Coding.accepted(wire.fields(), server.codings);
        return accepted.isEmpty() ? null : accepted.getFirst();
    }

    private void respondPacked(ByteBuffer body, Coding coding) {
        if (body.remaining() > PACKED_PIECE) {
            fields.remove("Content-Length");
            locked(() -> {
                put(body);
                complete();
            });
            return;
        }
        Packer packing = beginPacking(coding);
        ByteBuffer part = packing.part(body, false);
        byte[] whole = new byte[0];
        if (part.hasRemaining()) {
            whole = new byte[part.remaining()];
            part.get(whole);
        }
        ByteBuffer last = packing.end();
        ByteBuffer all = ByteBuffer.allocate(whole.length + last.remaining())
                .put(whole)
                .put(last)
                .flip();
        endPacking();
        respond(all, false);
    }

    private Packer beginPacking(Coding coding) {
        // the same bytes in another coding are another representation, so their strong tag would be a lie
        String tag = fields.get(HttpHeader.ETAG);
        if (tag != null && !tag.startsWith("W/")) fields.set(new HttpField(HttpHeader.ETAG, "W/" + tag));
        fields.remove("Accept-Ranges");
        fields.set(new HttpField(HttpHeader.CONTENT_ENCODING, coding.token()));
        Packer packing = server.takePacker(coding);
        packer = packing;
        return packing;
    }

    private void endPacking() {
        if (packer != null) server.givePacker(packer);
        packer = null;
    }

    private void writePacked(Packer packing, ByteBuffer part) {
        int limit = part.limit();
        boolean isWhole = false;
        try {
            do {
                part.limit(Math.min(limit, part.position() + PACKED_PIECE));
                boolean isLast = part.limit() == limit;
                ByteBuffer packed = part.hasRemaining() ? packing.part(part, isLast) : part;
                part.limit(limit);
                if (packed.hasRemaining() || progress == Progress.OPEN) writePlain(packed);
                if (!isLast) Async.suspend();
            } while (part.position() < limit);
            isWhole = true;
        } finally {
            if (!isWhole) cut = true; // what is packed further on needs what is missing
        }
    }

    private static boolean hasNoBody(int status) {
        return status == 204 || status == 304 || status < 200;
    }

    /**
     * Sends a part of the response's body at once; the first one with the head. Parts of several coroutines are sent
     * one after another, in the order of the calls.
     *
     * @param part taken to its limit
     */
    public void write(ByteBuffer part) {
        locked(() -> put(part));
    }

    /** True if a part would be sent without a wait, as far as that is known. */
    public boolean isWritable() {
        return progress != Progress.ENDED && !lost && !isLocked() && wire.isWritable();
    }

    /** Waits until a part would be sent without a wait. */
    public void awaitWritable() {
        if (progress == Progress.ENDED || over)
            throw new IllegalStateException("the response is complete, so nothing can be written any more");
        wire.awaitWritable();
    }

    /** Runs what writes when nobody else writes. */
    <X extends Throwable> void locked(VoidSection<X> section) throws X {
        if (turn == null) turn = new Mutex("to write a response");
        turn.withLock(section);
    }

    /** True while a coroutine writes. */
    boolean isLocked() {
        return turn != null && turn.isLocked();
    }

    /** As {@link #write(ByteBuffer)}, by whoever has the turn. */
    void put(ByteBuffer part) {
        if (progress == Progress.ENDED || over)
            throw new IllegalStateException("the response is complete, so nothing can be written any more");
        if (progress == Progress.OPEN && !isHead && !fields.has(HttpHeader.CONTENT_LENGTH)) {
            Coding coding = coding(-1);
            if (coding != null) beginPacking(coding);
        }
        if (packer != null) writePacked(packer, part);
        else writePlain(part);
    }

    private void writePlain(ByteBuffer part) {
        int length = part.remaining();
        boolean begins = progress == Progress.OPEN;
        if (begins) open();
        requireRoom(length);
        written += length;
        if (left >= 0) left -= length;
        boolean bare = progress == Progress.BARE;
        if (bare) part.position(part.limit());
        if (bare && !begins) return;
        requireReached();
        try {
            if (begins) wire.begin(status, fields, announced(), bare, bare ? NOTHING : part);
            else wire.write(part);
        } catch (InputOutputException | AsyncCancellation e) {
            lost = true;
            throw e;
        }
    }

    private void requireReached() {
        if (cut) throw new InputOutputException("a part of the response is missing, so it is cut there", "ECANCELED");
        if (lost) throw new InputOutputException("the client has left", "ECONNRESET");
    }

    /** The length that the head names; -1 if none. */
    private long announced() {
        String length = fields.get(HttpHeader.CONTENT_LENGTH);
        return length == null || (hasNoBody(status) && status != 304) ? -1 : Long.parseLong(length);
    }

    /** To CONNECT 2xx says that a tunnel begins, which {@link #takeOver} does alone (RFC 9110, 9.3.6). */
    private void requireNoTunnel() {
        if (status >= 300 || !wire.asksForTunnel()) return;
        status = 501;
        wire.closeAfterwards(); // what follows may not be HTTP
    }

    private void requireRoom(long length) {
        if (progress != Progress.BEGUN || left < 0 || length <= left) return;
        long announced = written + left;
        throw new IllegalStateException(
                "Content-Length is " + announced + ", so " + length + " bytes more after " + written + " are too many");
    }

    /**
     * Sends a part of a file as a part of the response's body; the first one with the head.
     *
     * @param count what must be there: if the file has become shorter, it fails, and the response is cut
     */
    public void write(AsyncFile file, long position, long count) {
        locked(() -> put(file, position, count));
    }

    private void put(AsyncFile file, long position, long count) {
        long at = position;
        long end = position + count;
        if (progress == Progress.OPEN && (count == 0 || count > Http1Wire.COPIED || isHead)) put(NOTHING.duplicate());
        if (progress == Progress.BARE) {
            written += count;
            return;
        }
        requireRoom(count);
        boolean direct = count > Http1Wire.COPIED && packer == null && wire.isPlain();
        try {
            while (at < end) {
                long sent;
                if (direct) {
                    sent = send(file, at, Math.min(FILE_PIECE, end - at));
                    written += sent;
                    if (left >= 0) left -= sent;
                } else {
                    ByteBuffer part = ByteBuffer.allocate((int) Math.min(4 * Http1Wire.COPIED, end - at));
                    sent = file.read(part, at);
                    if (sent > 0) put(part.flip());
                }
                if (sent <= 0)
                    throw new InputOutputException(
                            file + " became shorter while it was sent, so the response is cut", "");
                at += sent;
            }
        } finally {
            if (at < end && isCommitted()) cut = true;
        }
    }

    /** Sends the head alone. */
    public void flush() {
        if (progress == Progress.OPEN) write(NOTHING.duplicate());
    }

    private void open() {
        requireOpen();
        requireNoTunnel();
        if (isHead || hasNoBody(status)) progress = Progress.BARE;
        else {
            left = announced();
            progress = Progress.BEGUN;
        }
    }

    /** The response's body as a stream, always the same. */
    public ResponseOutput output() {
        if (output == null) output = new ResponseOutput(this);
        return output;
    }

    /** Sets the field unless it was set. */
    public void contentType(String type) {
        if (!fields.has(HttpHeader.CONTENT_TYPE)) fields.add(HttpHeader.CONTENT_TYPE, type);
    }

    /** Fields that are sent behind a body in chunks. */
    public Fields trailers() {
        if (trailers == null) trailers = new Fields();
        return trailers;
    }

    /** Completes it, behind the parts that others write. Does nothing if it is complete. */
    public void end() {
        if (turn == null) complete();
        else turn.withLock(this::complete);
    }

    /** As {@link #end}, by whoever has the turn. */
    void complete() {
        if (progress == Progress.BEGUN) requireReached();
        if (packer != null && progress != Progress.ENDED) {
            writePlain(packer.end());
            endPacking();
        }
        switch (progress) {
            case OPEN -> respond(NOTHING.duplicate());
            case BEGUN -> {
                progress = Progress.ENDED;
                if (left > 0) {
                    lost = true;
                    throw new IllegalStateException(
                            "Content-Length is " + (written + left) + ", but only " + written + " bytes were written");
                }
                try {
                    wire.end(trailers);
                } catch (InputOutputException | AsyncCancellation e) {
                    lost = true;
                    throw e;
                }
            }
            case BARE -> progress = Progress.ENDED;
            case ENDED -> {}
        }
    }

    /** Ends the connection without completing it, so that the peer sees that it is cut. */
    public void abort() {
        lost = true;
        progress = Progress.ENDED;
        wire.abort();
    }

    /**
     * Answers with another protocol's begin, and gives its stream to the handler, until that returns.
     *
     * @param code 101, or 200 for CONNECT
     */
    public ByteStream takeOver(int code) {
        if (!wire.ownsInput() || wire.hasBody())
            throw new IllegalStateException("the request does not ask for another protocol");
        take(code);
        try {
            return wire.takeOver(code, fields);
        } catch (InputOutputException | AsyncCancellation e) {
            lost = true;
            throw e;
        }
    }

    private void take(int code) {
        requireOpen();
        status = code;
        progress = Progress.ENDED;
        taken = true;
        requireReached();
    }

    /** Answers with the begin of a WebSocket, for which the request asks, and gives its bytes to the handler. */
    SocketBytes openSocket() {
        take(wire.ownsInput() ? 101 : 200);
        try {
            return wire.openSocket(fields);
        } catch (InputOutputException | AsyncCancellation e) {
            lost = true;
            throw e;
        }
    }

    private long send(AsyncFile file, long position, long count) {
        requireReached();
        try {
            return wire.write(file, position, count);
        } catch (InputOutputException e) {
            lost = wire.isClosed() || PEER_LOST.contains(e.errno());
            throw e;
        } catch (AsyncCancellation e) {
            lost = true;
            throw e;
        }
    }

    /** Sends a whole response with a text in place of what was prepared; nothing has been written. */
    void text(int code, String text) {
        status = code;
        fields.remove("Content-Type");
        fields.remove("Content-Length");
        fields.add(HttpHeader.CONTENT_TYPE, "text/plain; charset=utf-8");
        if (code == 503) fields.add(HttpHeader.RETRY_AFTER, "1");
        respond(ByteBuffer.wrap((text + "\n").getBytes(StandardCharsets.UTF_8)));
    }

    /** As {@link #text}, for an error of the handler: what was prepared does not hold for it. */
    void error(int code, String text, ExchangeHandler.@Nullable ErrorAnswer answer) {
        Fields prepared = fields;
        fields = new Fields();
        for (HttpField field : prepared) if (OF_EACH_RESPONSE.contains(field.getLowerCaseName())) fields.add(field);
        if (answer != null) for (HttpField field : answer.fields()) fields.add(field);
        if (answer == null || answer.body() == null || answer.contentType() == null) {
            text(code, text);
            return;
        }
        status = code;
        fields.add(HttpHeader.CONTENT_TYPE, answer.contentType());
        if (code == 503) fields.add(HttpHeader.RETRY_AFTER, "1");
        respond(answer.body());
    }

    // ---- its end

    /** Called when the handler has returned: completes what it has left open. */
    void finish() {
        if (cut) lose();
        if (taken || lost) return;
        if (output != null) output.close();
        end();
    }

    /** True if there is no more to be said to the client: it has gone, or the response was cut. */
    boolean isLost() {
        return lost;
    }

    /** The client has gone, or what it gets is cut: nothing more is sent. */
    void lose() {
        lost = true;
    }

    /** True if the handler has taken the stream over for another protocol. */
    boolean isTaken() {
        return taken;
    }

    /** True once response, handler and everything that it has spawned are done. */
    boolean isOver() {
        return over;
    }

    /** The exchange is over: nothing is read, written or set any more. */
    void over() {
        over = true;
        if (progress != Progress.ENDED) lost = true; // its client would wait for the rest
        if (packer != null) packer.close();
        packer = null;
    }
}
