package org.trueasync.internal.http.client;

import java.net.URI;
import java.util.ArrayDeque;
import java.util.Map;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.message.HeadWriter;

/** A request as its sender has described it. Not changed while it is sent. */
public final class ClientRequest {
    final String method;
    final URI uri;
    final Origin origin;
    final Fields fields;
    final RequestBody body;
    final boolean expectsContinue;

    /**
     * Makes one.
     *
     * @param fields checked
     * @throws IllegalArgumentException if this client can't send it
     */
    public ClientRequest(String method, URI uri, Fields fields, RequestBody body, boolean expectsContinue) {
        this.method = Checks.token("method", method);
        if (method.equals("CONNECT"))
            throw new IllegalArgumentException("CONNECT is for proxies, see HttpClient.Builder.proxy");
        this.origin = Origin.of(uri);
        this.uri = withoutDots(uri);
        this.fields = fields;
        this.body = body;
        this.expectsContinue = expectsContinue && body.length != 0;
        for (String refused : REFUSED)
            if (fields.get(refused) != null)
                throw new IllegalArgumentException(refused + " is chosen by the client; see HttpRequest");
    }

    private static final String[] REFUSED = {"Content-Length", "Expect", "Upgrade", "Proxy-Authorization"};

    /** Without the parts {@code .} and {@code ..} of its path, which are for whoever asks (RFC 3986, 5.2.4). */
    private static URI withoutDots(URI uri) {
        String path = uri.getRawPath();
        if (path == null || !path.contains("/.")) return uri;
        var parts = new ArrayDeque<String>();
        String[] all = path.split("/", -1);
        for (int i = 1; i < all.length; i++) {
            boolean isDots = all[i].equals(".") || all[i].equals("..");
            if (all[i].equals("..")) parts.pollLast();
            if (!isDots) parts.addLast(all[i]);
            else if (i == all.length - 1) parts.addLast("");
        }
        String text = uri.toString();
        int at = uri.getScheme().length()
                + "://".length()
                + uri.getRawAuthority().length();
        return URI.create(text.substring(0, at) + '/' + String.join("/", parts) + text.substring(at + path.length()));
    }

    ClientRequest with(String otherMethod, URI otherUri, Fields otherFields, RequestBody otherBody) {
        return new ClientRequest(otherMethod, otherUri, otherFields, otherBody, expectsContinue);
    }

    /** With these fields beside its own. */
    ClientRequest and(Map<String, String> more) {
        if (more.isEmpty()) return this;
        var all = new Fields(fields.size() + more.size());
        for (HttpField field : fields) all.add(field);
        more.forEach((name, value) -> all.add(new HttpField(name, value)));
        return with(method, uri, all, body);
    }

    /** True if to send it twice has the same effect as to send it once (RFC 9110, 9.2.2). */
    boolean isIdempotent() {
        return switch (method) {
            case "GET", "HEAD", "OPTIONS", "TRACE", "PUT", "DELETE" -> true;
            default -> false;
        };
    }

    boolean isHead() {
        return method.equals("HEAD");
    }

    boolean asksToClose() {
        return fields.has(HttpHeader.CONNECTION, "close");
    }

    /** Path and query, as they are sent. */
    private String target() {
        String path = uri.getRawPath();
        String query = uri.getRawQuery();
        return (path == null || path.isEmpty() ? "/" : path) + (query == null ? "" : '?' + query);
    }

    /**
     * Writes the head.
     *
     * @param absolute true to name the origin in the target, for a proxy
     */
    void writeHead(HeadWriter to, boolean absolute, @Nullable String proxyAuthorization, boolean gzip) {
        to.text(method).text(" ");
        if (absolute) to.text("http://").text(origin.authority());
        to.text(target()).text(" HTTP/1.1\r\n");
        if (!fields.has(HttpHeader.HOST)) to.field("Host", origin.authority());
        for (HttpField field : fields) to.field(field);
        if (!fields.has(HttpHeader.USER_AGENT)) to.field("User-Agent", "TrueAsync");
        if (gzip && !fields.has(HttpHeader.ACCEPT_ENCODING)) to.field("Accept-Encoding", "gzip");
        if (absolute && proxyAuthorization != null) to.field("Proxy-Authorization", proxyAuthorization);
        if (expectsContinue) to.field("Expect", "100-continue");
        if (body.length < 0) to.chunked();
        else if (body.length > 0 || isLengthExpected()) to.length(body.length);
        to.endLine();
    }

    /** The head over HTTP/2, the pseudo-fields first (RFC 9113, 8.3.1). */
    Fields streamFields(boolean gzip) {
        var all = new Fields(fields.size() + 8);
        String host = fields.get(HttpHeader.HOST);
        all.add(HttpHeader.C_METHOD, method);
        all.add(HttpHeader.C_SCHEME, origin.secure() ? "https" : "http");
        all.add(HttpHeader.C_AUTHORITY, host == null ? origin.authority() : host);
        all.add(HttpHeader.C_PATH, target());
        for (HttpField field : fields) if (isOfStreams(field)) all.add(field);
        if (!fields.has(HttpHeader.USER_AGENT)) all.add(HttpHeader.USER_AGENT, "TrueAsync");
        if (gzip && !fields.has(HttpHeader.ACCEPT_ENCODING)) all.add(HttpHeader.ACCEPT_ENCODING, "gzip");
        if (expectsContinue) all.add(HttpHeader.EXPECT, "100-continue");
        if (body.length > 0 || (body.length == 0 && isLengthExpected()))
            all.add(HttpHeader.CONTENT_LENGTH, Long.toString(body.length));
        return all;
    }

    /** True unless it is about a connection of HTTP/1 (RFC 9113, 8.2.2). */
    private static boolean isOfStreams(HttpField field) {
        HttpHeader header = field.getHeader();
        if (header == HttpHeader.TE) return Fields.value(field).equalsIgnoreCase("trailers");
        return header != HttpHeader.HOST
                && header != HttpHeader.CONNECTION
                && header != HttpHeader.KEEP_ALIVE
                && header != HttpHeader.PROXY_CONNECTION
                && header != HttpHeader.TRANSFER_ENCODING;
    }

    private boolean isLengthExpected() {
        return method.equals("POST") || method.equals("PUT") || method.equals("PATCH");
    }

    /** For messages. */
    @Override
    public String toString() {
        return method + ' ' + uri;
    }
}
