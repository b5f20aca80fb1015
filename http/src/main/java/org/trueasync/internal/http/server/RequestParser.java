package org.trueasync.internal.http.server;

import java.nio.ByteBuffer;
import java.util.Objects;
import org.eclipse.jetty.http.HttpException;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.eclipse.jetty.http.HttpParser;
import org.eclipse.jetty.http.HttpVersion;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Fields;

/**
 * Turns bytes into requests, one after another: a head, then the parts of its body. Jetty's parser does it, in its
 * strictest form; what RFC 9110 and 9112 ask beyond that is checked here.
 */
final class RequestParser implements HttpParser.RequestHandler {
    private static final ByteBuffer NONE = ByteBuffer.allocate(0);
    private static final Fields NO_FIELDS = new Fields(0);

    private final Parsers parsers;
    /** Null between two requests, and while a request without a body is handled. */
    private Parsers.@Nullable Lent lent;

    private long contentLength = -1;
    private String method = "";
    private String target = "";
    private HttpVersion version = HttpVersion.HTTP_1_1;
    private Fields fields = NO_FIELDS;
    private @Nullable Fields trailers;
    private boolean begun;
    private boolean headComplete;
    private boolean complete;
    private boolean endOfInput;
    private @Nullable Refusal refusal;
    private ByteBuffer content = NONE;
    private long received;

    RequestParser(Parsers parsers) {
        this.parsers = parsers;
    }

    /** Makes it ready for the next request. */
    void next() {
        fields = NO_FIELDS;
        trailers = null;
        begun = false;
        headComplete = false;
        complete = false;
        refusal = null;
        method = "";
        target = "";
        content = NONE;
        received = 0;
        contentLength = -1;
        release();
    }

    /** Gives back what it needs for a request; called at the end of the connection too. */
    void release() {
        if (lent == null) return;
        parsers.giveBack(lent, complete && refusal == null && !endOfInput);
        lent = null;
    }

    /**
     * Goes on with these bytes, until the head and what stands of the body directly behind it is read, or the bytes are
     * used up. Without bytes it notices that a body has had its last one.
     */
    void parse(ByteBuffer bytes) {
        if (complete) return;
        if (lent == null) {
            lent = parsers.lend(this);
            fields = new Fields();
        }
        do {
            lent.parser.parseNext(bytes);
        } while (bytes.hasRemaining() && !complete && refusal == null && !content.hasRemaining());
        if (complete) release();
    }

    /** Called when the peer has ended its output. */
    void end() {
        if (lent == null) return;
        if (begun && !isAtEnd()) lent.parser.parseNext(NONE.duplicate()); // a body that has had its last byte
        if (complete) return;
        endOfInput = true;
        lent.parser.atEOF();
        if (begun && !isAtEnd()) lent.parser.parseNext(NONE.duplicate());
        complete = false; // the parser takes the end of the input for the end of the trailers
    }

    /** True once a byte of a request has come. */
    boolean isBegun() {
        return begun || (lent != null && lent.parser.inHeaderState() && !lent.parser.isStart());
    }

    boolean isHeadComplete() {
        return headComplete;
    }

    /** True once the last byte of the request has been read. */
    boolean isComplete() {
        return complete;
    }

    /** True once nothing more of the request is read: it is complete, or refused. */
    boolean isAtEnd() {
        return complete || refusal != null;
    }

    /** Why the request is refused; null if it is not. */
    @Nullable
    Refusal refusal() {
        return refusal;
    }

    /** The part of the body that was read last; what is taken from it is gone. */
    ByteBuffer content() {
        return content;
    }

    /** How many bytes of the body have come. */
    long received() {
        return received;
    }

    String method() {
        return method;
    }

    String target() {
        return target;
    }

    boolean isHttp10() {
        return version == HttpVersion.HTTP_1_0;
    }

    Fields fields() {
        return fields;
    }

    @Nullable
    Fields trailers() {
        return trailers;
    }

    /** The length that the head names; -1 if none, as for chunks. */
    long contentLength() {
        return contentLength;
    }

    // ---- what the parser calls

    @Override
    public void messageBegin() {
        begun = true;
    }

    @Override
    public void startRequest(String method, String uri, HttpVersion version) {
        begun = true;
        this.method = method;
        this.target = uri;
        this.version = version;
        if (version != HttpVersion.HTTP_1_1 && version != HttpVersion.HTTP_1_0)
            refuse(505, "this server speaks HTTP/1.1");
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
        HttpParser parser = Objects.requireNonNull(lent).parser;
        contentLength = parser.isChunking() ? -1 : Math.max(parser.getContentLength(), -1);
        if (refusal == null) refusal = HeadRules.check(method, target, isHttp10(), fields);
        return refusal != null;
    }

    @Override
    public boolean content(ByteBuffer part) {
        received += part.remaining();
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
        if (!endOfInput) refuse(400, "malformed body");
    }

    @Override
    public void badMessage(HttpException failure) {
        refuse(failure.getCode(), failure.getReason());
    }

    private void refuse(int status, @Nullable String text) {
        if (refusal == null) refusal = Refusal.of(status, text);
    }

    /** True if the request asks for another protocol, so that what follows is not HTTP. */
    boolean asksForUpgrade() {
        return method.equals("CONNECT")
                || (!isHttp10() && fields.has(HttpHeader.UPGRADE) && fields.has(HttpHeader.CONNECTION, "upgrade"));
    }
}
