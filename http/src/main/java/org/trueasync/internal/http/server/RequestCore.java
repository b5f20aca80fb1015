package org.trueasync.internal.http.server;

import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.util.List;
import java.util.stream.Collectors;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.message.Coding;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.message.Trace;
import org.trueasync.io.TlsStream;

/** A request: its head, and its body as it comes. */
public final class RequestCore {
    private final Wire wire;
    private final ResponseCore response;
    private final String method;
    private final String target;
    private final Fields fields;
    private final boolean hasBody;
    private boolean reading;
    private @Nullable RequestExtras extras;

    RequestCore(Wire wire, ResponseCore response) {
        this.wire = wire;
        this.response = response;
        this.method = wire.method();
        this.target = wire.target();
        this.fields = wire.fields();
        this.hasBody = wire.hasBody();
    }

    public String method() {
        return method;
    }

    /** The target as it was sent. */
    public String target() {
        return target;
    }

    /** {@code HTTP/1.1} for instance. */
    public String protocol() {
        return wire.protocol();
    }

    public Fields fields() {
        return fields;
    }

    /** Path and query as they were sent, without the authority of the absolute form. */
    public String pathAndQuery() {
        int start = HeadRules.pathStart(target);
        if (start == 0) return target;
        String rest = target.substring(start);
        return rest.startsWith("/") ? rest : "/" + rest;
    }

    /** The host that the request names, with its port if there is one. */
    public String authority() {
        Forwarded told = forwarded();
        if (told != null && told.host() != null) return told.host();
        int scheme = HeadRules.schemeLength(target);
        if (scheme >= 0) return target.substring(scheme, HeadRules.pathStart(target));
        if (method.equals("CONNECT")) return target;
        String host = fields.get(HttpHeader.HOST);
        return host == null ? "" : host;
    }

    /** The length of the body; -1 if it is not known before its end, 0 if there is none. */
    public long contentLength() {
        return hasBody && decodesBody() ? -1 : sentLength();
    }

    /** As the head names it; 0 if there is no body. */
    long sentLength() {
        return hasBody ? wire.contentLength() : 0;
    }

    public boolean hasBody() {
        return hasBody;
    }

    /** The client's address, if a trusted proxy tells it. */
    public @Nullable InetSocketAddress peer() {
        Forwarded told = forwarded();
        return told == null ? wire.connection().peerAddress() : told.client();
    }

    /** {@code http} or {@code https}, as the client speaks it. */
    public String scheme() {
        Forwarded told = forwarded();
        if (told != null && told.scheme() != null) return told.scheme();
        return wire.connection().isSecure() ? "https" : "http";
    }

    /** Null if the connection counts. */
    private @Nullable Forwarded forwarded() {
        Connection connection = wire.connection();
        Forwarding rules = connection.listener.forwarding;
        if (rules == null) return null;
        RequestExtras own = extras();
        if (own.forwarded == null) own.forwarded = rules.of(connection, fields);
        return own.forwarded.by() ? own.forwarded : null;
    }

    private RequestExtras extras() {
        if (extras == null) extras = new RequestExtras();
        return extras;
    }

    /** Who asks, as a filter has found out; null if none has. */
    public @Nullable Object principal() {
        return extras == null ? null : extras.principal;
    }

    /** Tells who asks. */
    public void principal(Object who) {
        extras().principal = who;
    }

    /** The trace of which it is a part; null if none is known. */
    @Nullable
    Trace trace() {
        return extras == null ? null : extras.trace;
    }

    /** Tells the trace of which it is a part. */
    public void trace(Trace trace) {
        extras().trace = trace;
    }

    /** Returns whether the parts of its form have been taken; they are then. */
    public boolean takesParts() {
        boolean taken = extras().partsTaken;
        extras().partsTaken = true;
        return taken;
    }

    private ServerCore server() {
        return wire.connection().server;
    }

    public @Nullable InetSocketAddress local() {
        return wire.connection().localAddress();
    }

    public @Nullable TlsStream tls() {
        return wire.connection().tls();
    }

    /** The fields behind the body; null before its end, or if there are none. */
    public @Nullable Fields trailers() {
        return response.isOver() ? null : wire.trailers();
    }

    /**
     * Waits for the next part of the body. What is taken from it is read; the rest comes again.
     *
     * @return null at the end
     */
    public @Nullable ByteBuffer body() {
        if (!hasBody) return null;
        if (response.isOver())
            throw new IllegalStateException("the request is over, so its body can't be read any more");
        requireBodyWithin(sentLength());
        if (reading) throw new IllegalStateException("another coroutine reads the body of this request already");
        boolean more;
        reading = true;
        try {
            more = wire.readBody(!response.isCommitted());
        } catch (BodyTimeout e) {
            wire.closeAfterwards();
            throw failure(408, String.valueOf(e.getMessage()));
        } catch (InputOutputException e) {
            response.lose();
            throw e;
        } finally {
            reading = false;
        }
        if (!more) {
            Refusal refusal = wire.refusal();
            if (refusal == null) return null;
            wire.closeAfterwards();
            server().counters.malformed++;
            throw failure(refusal.status(), refusal.text());
        }
        requireBodyWithin(wire.received());
        return wire.content();
    }

    /** Writes the rest of the body; returns how many bytes there were. */
    long bodyTo(OutputStream out) throws IOException {
        long count = 0;
        ByteBuffer part;
        while ((part = body()) != null) {
            int length = part.remaining();
            reading = true; // the buffer must stay as it is until it is written
            try {
                out.write(part.array(), part.arrayOffset() + part.position(), length);
            } finally {
                reading = false;
            }
            part.position(part.limit());
            count += length;
        }
        return count;
    }

    private RuntimeException tooLarge(long max) {
        wire.closeAfterwards();
        server().counters.tooLarge++;
        return failure(413, "the body of a request may have at most " + max + " bytes");
    }

    /** True if the body is compressed, and is not decoded here. */
    public boolean isBodyCoded() {
        return !server().settings.decodesBodies && !hasCoding("identity");
    }

    /** True if the body is compressed, and decoded here, so that its length is not known before its end. */
    public boolean decodesBody() {
        return server().settings.decodesBodies && !hasCoding("identity");
    }

    private boolean hasCoding(String coding) {
        String has = fields.get(HttpHeader.CONTENT_ENCODING);
        return (has == null ? "identity" : has.strip()).equalsIgnoreCase(coding);
    }

    /** Makes the body's stream. */
    public InputStream input() {
        if (!decodesBody()) return new RequestInput(this);
        List<Coding> known = server().codings;
        Coding coding = Coding.of(String.valueOf(fields.get(HttpHeader.CONTENT_ENCODING)));
        if (coding != null && known.contains(coding)) return new DecodedInput(this, coding);
        throw failure(
                415,
                "of content codings this server knows "
                        + known.stream().map(Coding::token).collect(Collectors.joining(", ")));
    }

    /** Sets the limit for this request; 0 for none. */
    public void maxBodyBytes(long bytes) {
        extras().maxBodyBytes = bytes;
    }

    /** Refuses a body of more bytes than the server takes. */
    void requireBodyWithin(long count) {
        long max = extras == null || extras.maxBodyBytes < 0 ? server().settings.maxBodyBytes : extras.maxBodyBytes;
        if (max > 0 && count > max) throw tooLarge(max);
    }

    /** Makes the error that refuses it with a status. */
    public RuntimeException failure(int code, String text) {
        return server().handler.failure(code, text);
    }
}
