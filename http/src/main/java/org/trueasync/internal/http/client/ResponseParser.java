package org.trueasync.internal.http.client;

import java.nio.ByteBuffer;
import org.eclipse.jetty.http.HttpCompliance;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Fields;

/**
 * Turns bytes into responses, one after another: a head, then the parts of its body. Jetty's parser does it, in its
 * strictest form; what RFC 9112 asks beyond that is checked here.
 */
final class ResponseParser implements HttpParser.ResponseHandler {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    /** The first byte of an alert of TLS, the answer to bytes that are none of its. */
    private static final byte TLS_ALERT = 0x15;

    private final HttpParser parser;
    private final int maxHeaderBytes;
    private HttpVersion version = HttpVersion.HTTP_1_1;
    private int status;
    private Fields fields = new Fields();
    private @Nullable Fields trailers;
    private boolean inStatusLine = true;
    private boolean headComplete;
    private boolean complete;
    private boolean ended;
    private @Nullable String fault;
    private ByteBuffer content = NONE;

    ResponseParser(int maxHeaderBytes) {
        this.maxHeaderBytes = maxHeaderBytes;
        parser = new HttpParser(this, maxHeaderBytes, HttpCompliance.STRICT);
    }

    /**
     * Makes it ready for the next response.
     *
     * @param withoutBody true if none follows the head, whatever that says: after HEAD, and after CONNECT
     */
    void next(boolean withoutBody) {
        fields = new Fields();
        trailers = null;
        status = 0;
        headComplete = false;
        complete = false;
        fault = null;
        content = NONE;
        inStatusLine = true;
        parser.reset();
        parser.setHeadResponse(withoutBody);
    }

    /**
     * Goes on with these bytes, until the head and what stands of the body directly behind it is read, or the bytes are
     * used up. Without bytes it notices that a body has had its last one.
     */
    void parse(ByteBuffer bytes) {
        if (bytes.hasRemaining() && bytes.get(bytes.position()) == TLS_ALERT && parser.isStart())
            fault("it is an alert of TLS; the server speaks TLS on this port: use https");
        if (inStatusLine) hideObsoleteText(bytes);
        do {
            parseNext(bytes);
        } while (bytes.hasRemaining() && !complete && fault == null && !content.hasRemaining());
    }

    /** A reason phrase may have bytes above ASCII (RFC 9112, 4), which the parser refuses. Nobody is told of it. */
    private void hideObsoleteText(ByteBuffer bytes) {
        for (int i = bytes.position(); i < bytes.limit() && inStatusLine; i++) {
            if (bytes.get(i) < 0) bytes.put(i, (byte) '?');
            else if (bytes.get(i) == '\n') inStatusLine = false;
        }
    }

    /** Called when the peer has ended its output, which may be the end of a body. */
    void end() {
        ended = true;
        parser.atEOF();
        if (!headComplete || complete || fault != null) return;
        boolean chunked = parser.isChunking();
        parseNext(NONE.duplicate());
        if (!complete || !chunked) return;
        complete = false; // the parser takes the end of the input for the end of the trailers
        earlyEOF();
    }

    private void parseNext(ByteBuffer bytes) {
        try {
            parser.parseNext(bytes);
        } catch (AssertionError e) {
            // where assertions are on, the parser can't make the error for a response whose status is not one itself
            if (fault == null) fault = "malformed response";
            bytes.position(bytes.limit());
        }
    }

    boolean isHeadComplete() {
        return headComplete;
    }

    boolean isComplete() {
        return complete;
    }

    /** What is wrong with the response; null if nothing is. */
    @Nullable
    String fault() {
        return fault;
    }

    /** True if there is a part of the body, its end, or a fault. */
    boolean hasNews() {
        return complete || fault != null || content.hasRemaining();
    }

    /** The part of the body that was read last; what is taken from it is gone. */
    ByteBuffer content() {
        return content;
    }

    int status() {
        return status;
    }

    Fields fields() {
        return fields;
    }

    @Nullable
    Fields trailers() {
        return trailers;
    }

    /** The length of the body that the head names; -1 if it names none. */
    long contentLength() {
        return parser.isChunking() ? -1 : Math.max(parser.getContentLength(), -1);
    }

    /** True if another response may follow on the connection. */
    boolean keepsAlive() {
        if (ended) return false;
        return version == HttpVersion.HTTP_1_0
                ? fields.has(HttpHeader.CONNECTION, "keep-alive")
                : !fields.has(HttpHeader.CONNECTION, "close");
    }

    // ---- what the parser calls

    @Override
    public void startResponse(HttpVersion version, int status, @Nullable String reason) {
        this.version = version;
        this.status = status;
        if (version != HttpVersion.HTTP_1_1 && version != HttpVersion.HTTP_1_0)
            fault("it is of " + version + ", and this client speaks HTTP/1.1");
        else if (status < 100) fault("its status is " + status);
    }

    @Override
    public void parsedHeader(HttpField field) {
        fields.add(field);
    }

    @Override
    public void parsedTrailer(HttpField field) {
        if (trailers == null) trailers = new Fields();
        trailers.add(field);
    }

    @Override
    public boolean headerComplete() {
        headComplete = true;
        for (HttpField field : fields) {
            if (field.getHeader() != HttpHeader.TRANSFER_ENCODING) continue;
            // RFC 9112, 6.1: faulty messages, whose end others may see elsewhere
            if (version == HttpVersion.HTTP_1_0) fault("it has Transfer-Encoding in HTTP/1.0");
            else if (status < 200 || status == 204) fault("it has Transfer-Encoding with status " + status);
            else if (!Fields.value(field).strip().equalsIgnoreCase("chunked"))
                fault("its transfer coding is not chunked alone");
        }
        return fault != null;
    }

    @Override
    public boolean content(ByteBuffer part) {
        content = part;
        return true;
    }

    @Override
    public boolean contentComplete() {
        return false;
    }

    @Override
    public boolean messageComplete() {
        complete = true;
        return true;
    }

    @Override
    public void earlyEOF() {
        fault(ended ? "the server has closed the connection in the middle of the body" : "its body is malformed");
    }

    @Override
    public void badMessage(HttpException failure) {
        String reason = failure.getReason();
        if (failure.getCode() == 431) fault("its head has more than " + maxHeaderBytes + " bytes (maxHeaderBytes)");
        else fault(reason == null ? "it is malformed" : "it is malformed: " + reason);
    }

    private void fault(String text) {
        if (fault == null) fault = text;
    }
}
