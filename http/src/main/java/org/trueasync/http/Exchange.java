package org.trueasync.http;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.nio.ByteBuffer;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.nio.file.Path;
import java.security.Principal;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import javax.net.ssl.SSLSession;
import org.jspecify.annotations.Nullable;
import org.trueasync.diagnostics.Ledger;
import org.trueasync.internal.http.files.FileResponse;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.message.Disposition;
import org.trueasync.internal.http.message.Escapes;
import org.trueasync.internal.http.message.Queries;
import org.trueasync.internal.http.routes.RouteMatch;
import org.trueasync.internal.http.server.ExchangeCore;
import org.trueasync.internal.http.server.RequestInput;
import org.trueasync.internal.http.server.WebSocketUpgrade;
import org.trueasync.io.ByteStream;
import org.trueasync.io.TlsStream;

/**
 * A request and its response. The handler's coroutine and those that it spawns use it, until the handler returns.
 *
 * <p>A response is sent by one call of {@link #respond}, or in parts: {@link #write} sends each at once, the first one
 * with the head. With a header field {@code Content-Length} exactly that many bytes must be written; without one they
 * are sent in chunks. When the handler returns the response is complete.
 *
 * <p>The coroutines of a request have a scope of their own, whose context is {@link
 * org.trueasync.Async#requestContext()}.
 */
public final class Exchange {
    private final ExchangeCore core;
    private final Headers headers;
    private @Nullable Headers response;
    private @Nullable Queries query;
    private @Nullable Queries form;
    private @Nullable InputStream input;
    private @Nullable RouteMatch<?> match;
    private @Nullable Ledger ledger;

    Exchange(ExchangeCore core) {
        this.core = core;
        this.headers = new Headers(core.request().fields(), "the header fields of a request can't be changed");
    }

    void serve(HttpHandler handler) throws Exception {
        if (Ledger.isWanted()) ledger();
        try {
            handler.handle(this);
        } finally {
            if (ledger != null) ledger.close();
        }
    }

    ExchangeCore core() {
        return core;
    }

    void match(RouteMatch<?> found) {
        match = found;
    }

    /** The path, decoded and checked. */
    String decodedPath() {
        try {
            return Escapes.path(path());
        } catch (IllegalArgumentException e) {
            throw new HttpException(400, "the path is refused: " + e.getMessage());
        }
    }

    /** The rest of the path that a route with a tail has left, decoded; the path without its first slash otherwise. */
    String rest() {
        String tail = match == null ? null : match.tail();
        return tail == null ? decodedPath().substring(1) : tail;
    }

    // ---- the request

    /** Returns the method, as it was sent: {@code GET}, {@code POST}. */
    public String method() {
        return core.request().method();
    }

    /**
     * Returns the path as it was sent, with its percent escapes; it begins with a slash. For {@code OPTIONS *} it is
     * {@code *}.
     */
    public String path() {
        String all = core.request().pathAndQuery();
        int end = all.indexOf('?');
        return end < 0 ? all : all.substring(0, end);
    }

    /** Returns what follows the question mark, as it was sent; null if there is none. */
    public @Nullable String query() {
        String all = core.request().pathAndQuery();
        int end = all.indexOf('?');
        return end < 0 ? null : all.substring(end + 1);
    }

    /**
     * Returns the first value of a parameter of the query, decoded; null if it is not there.
     *
     * @param name decoded
     * @throws HttpException 400 if the query has a malformed escape
     */
    public @Nullable String queryParameter(String name) {
        List<String> all = queryParameters(name);
        return all.isEmpty() ? null : all.getFirst();
    }

    /**
     * Returns all values of a parameter of the query, decoded, in order.
     *
     * @param name decoded
     * @throws HttpException 400 if the query has a malformed escape
     */
    public List<String> queryParameters(String name) {
        Objects.requireNonNull(name, "name");
        if (query == null) query = parameters(query(), "query");
        return query.all(name);
    }

    private static Queries parameters(@Nullable String text, String what) {
        try {
            return Queries.of(text);
        } catch (IllegalArgumentException e) {
            throw new HttpException(400, "the " + what + " is refused: " + e.getMessage());
        }
    }

    /**
     * Returns the value that a part of the path has, of a route such as {@code /users/{id}}; decoded.
     *
     * @param name as it stands in the route
     * @throws IllegalArgumentException if the route has no such part
     */
    public String pathParameter(String name) {
        Objects.requireNonNull(name, "name");
        if (match == null)
            throw new IllegalArgumentException("the request has no route, so no part " + Checks.quoted(name));
        return match.get(name);
    }

    /** Returns the header fields of the request. */
    public Headers headers() {
        return headers;
    }

    /**
     * Returns the first value of a header field, or null.
     *
     * @param name without regard to case
     */
    public @Nullable String header(String name) {
        return headers.get(name);
    }

    /**
     * Returns the host that the request names, with the port if there is one: {@code example.org:8080}; the one that a
     * {@linkplain Listener#forwarded trusted proxy} tells, if it does.
     */
    public String host() {
        return core.request().authority();
    }

    /**
     * Returns {@code https} if the client uses TLS, else {@code http}; for the client of a {@linkplain
     * Listener#forwarded trusted proxy} what that tells.
     */
    public String scheme() {
        return core.request().scheme();
    }

    /** Returns the protocol of the request: {@code HTTP/1.1}, {@code HTTP/1.0} or {@code HTTP/2}. */
    public String protocol() {
        return core.request().protocol();
    }

    /**
     * Returns the address of the client: of the peer, or what a {@linkplain Listener#forwarded trusted proxy} tells in
     * its place. Null once the connection is closed, over a Unix socket, or if the proxy does not tell.
     */
    public @Nullable InetSocketAddress remoteAddress() {
        return core.request().peer();
    }

    /**
     * Returns the address that the client, or the proxy, has connected to; null once the connection is closed, and over
     * a Unix socket.
     */
    public @Nullable InetSocketAddress localAddress() {
        return core.request().local();
    }

    /** Returns the session of TLS; null without TLS. */
    public @Nullable SSLSession tlsSession() {
        TlsStream tls = core.request().tls();
        return tls == null ? null : tls.session();
    }

    // ---- the body of the request

    /**
     * Returns the length of the request's body: 0 if there is none, -1 if it comes in chunks and is known at its end.
     */
    public long contentLength() {
        return core.request().contentLength();
    }

    /**
     * Returns the body as a stream, always the same. Its {@code read} waits for the peer. A body with a
     * {@code Content-Encoding} comes as it was sent, unless the server {@linkplain HttpServer.Builder#decodeBodies
     * decodes} it.
     *
     * <p>It throws an {@link HttpException}: 413 beyond the {@linkplain HttpServer.Builder#maxBodyBytes largest body},
     * 408 if nothing comes for the {@linkplain HttpServer.Builder#bodyTimeout time for a body}, 400 if it is
     * malformed. It throws an {@link org.trueasync.InputOutputException} if the peer leaves before its end.
     */
    public InputStream inputStream() {
        if (input == null) input = core.request().input();
        return input;
    }

    /**
     * Reads the rest of the body.
     *
     * @throws HttpException as {@link #inputStream}
     * @throws org.trueasync.InputOutputException if the peer leaves before its end
     */
    public byte[] bytes() {
        return RequestInput.all(core.request());
    }

    /**
     * Reads the rest of the body as text: in the charset that {@code Content-Type} names, else in UTF-8. Malformed
     * bytes become the replacement character.
     *
     * @throws HttpException as {@link #inputStream}; 415 if the charset is not known, or the body is compressed and the
     *     server {@linkplain HttpServer.Builder#decodeBodies does not decode it}
     * @throws org.trueasync.InputOutputException if the peer leaves before its end
     */
    public String text() {
        requirePlain();
        return new String(bytes(), charset());
    }

    /**
     * Reads the rest of the body as JSON, by the {@linkplain HttpServer.Builder#json codec} of the server.
     *
     * @param type of the value; an array for a list
     * @throws HttpException as {@link #inputStream}; 415 if the body is not sent as JSON, 400 if it is malformed, or
     *     null, or does not fit the type
     * @throws IllegalStateException if there is no library for JSON, or it can't make such values
     * @throws org.trueasync.InputOutputException if the peer leaves before its end
     */
    public <T> T body(Class<T> type) {
        Objects.requireNonNull(type, "type");
        requirePlain();
        String sent = headers.get("Content-Type");
        String base = sent == null ? "" : sent.split(";", 2)[0].strip().toLowerCase(Locale.ROOT);
        if (!base.equals("application/json") && !base.endsWith("+json"))
            throw new HttpException(415, "the body must be application/json");
        byte[] bytes = bytes();
        try {
            T value = codec().read(bytes, type);
            if (value == null) throw new HttpException(400, "the body must not be null");
            return value;
        } catch (IllegalArgumentException e) {
            var refused = new HttpException(400, "the body is refused: " + e.getMessage());
            refused.initCause(e);
            throw refused;
        }
    }

    private JsonCodec codec() {
        return core.handler() instanceof HttpServer.Handling own ? own.codec() : JsonCodec.installed();
    }

    private void requirePlain() {
        if (core.request().isBodyCoded())
            throw new HttpException(415, "this server takes bodies without a content coding alone");
    }

    /**
     * Returns the first value of a field of a form that was sent as {@code application/x-www-form-urlencoded}, in
     * UTF-8; null if it is not there. Reads the body at the first call.
     *
     * @param name decoded
     * @throws HttpException as {@link #text}; 415 if the body is no such form, 400 if it has a malformed escape
     * @throws org.trueasync.InputOutputException if the peer leaves before its end
     */
    public @Nullable String formParameter(String name) {
        List<String> all = formParameters(name);
        return all.isEmpty() ? null : all.getFirst();
    }

    /**
     * As {@link #formParameter}: all values, in order.
     *
     * @param name decoded
     */
    public List<String> formParameters(String name) {
        Objects.requireNonNull(name, "name");
        if (form == null) {
            requirePlain();
            String type = headers.get("Content-Type");
            if (type == null || !type.split(";", 2)[0].strip().equalsIgnoreCase("application/x-www-form-urlencoded"))
                throw new HttpException(415, "the body must be application/x-www-form-urlencoded");
            form = parameters(new String(bytes(), StandardCharsets.ISO_8859_1), "form");
        }
        return form.all(name);
    }

    private Charset charset() {
        String name = Queries.parameter(headers.get("Content-Type"), "charset");
        if (name == null) return StandardCharsets.UTF_8;
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new HttpException(415, "the charset of the body is not known here");
        }
    }

    /**
     * Takes the parts of a form that was sent as {@code multipart/form-data}, as they come: files and other fields.
     *
     * {@snippet :
     * for (FormPart part : exchange.maxBodyBytes(1L << 30).parts())
     *     if (part.isFile()) part.saveTo(folder.resolve(newName()));
     *     else fields.put(part.name(), part.text());
     * }
     *
     * @throws HttpException 415 if the body is no such form, 400 if its boundary is no good
     * @throws IllegalStateException at the second call
     */
    public FormParts parts() {
        if (core.request().takesParts()) throw new IllegalStateException("the parts of a form can be taken once");
        return new FormParts(core.request());
    }

    /**
     * Sets the most bytes that the body of this request may have, in place of the {@linkplain
     * HttpServer.Builder#maxBodyBytes server's} limit. Returns this.
     *
     * @param bytes >= 0; 0 for no limit
     */
    public Exchange maxBodyBytes(long bytes) {
        if (bytes < 0) throw new IllegalArgumentException("maxBodyBytes must be >= 0, got " + bytes);
        core.request().maxBodyBytes(bytes);
        return this;
    }

    /** Returns the fields behind a body in chunks; empty before its end, or if there are none. */
    public Headers trailers() {
        var trailers = core.request().trailers();
        return trailers == null ? new Headers() : new Headers(trailers, "the trailers of a request can't be changed");
    }

    /**
     * Returns the value of a cookie that the client has sent; null if it has sent none of that name, or a malformed
     * one.
     *
     * @param name with its case
     */
    public @Nullable String cookie(String name) {
        Objects.requireNonNull(name, "name");
        return Cookie.find(headers.all("Cookie"), name);
    }

    /** Returns who asks, as a filter has found out, {@link HttpFilters#basic} for instance; null if none has. */
    public @Nullable Principal principal() {
        return core.request().principal() instanceof Principal who ? who : null;
    }

    /**
     * Tells handlers who asks; for filters. Returns this.
     *
     * @param who what {@link #principal} returns from now on
     */
    public Exchange principal(Principal who) {
        core.request().principal(Objects.requireNonNull(who, "who"));
        return this;
    }

    /**
     * Returns what this request has spent its time on, from the first call of this to the end of the handler: for a
     * filter, which calls it before the handler. From the beginning, if the black box has a limit for requests. In the
     * coroutine of the request.
     */
    public Ledger ledger() {
        Ledger known = ledger;
        if (known == null) ledger = known = Ledger.open(method() + ' ' + path());
        return known;
    }

    /**
     * Returns the number by which the request is found in logs, once {@link HttpFilters#requestId} has given it one;
     * the response's {@code X-Request-Id}. Null if there is none.
     */
    public @Nullable String requestId() {
        return core.response().fields().get("X-Request-Id");
    }

    // ---- the response

    /**
     * Sets the status of the response, which is 200 otherwise. Returns this.
     *
     * @param status 200 to 999
     * @throws IllegalStateException if the head has been sent
     */
    public Exchange status(int status) {
        core.response().status(status);
        return this;
    }

    /** Returns the status that the response has or will have. */
    public int status() {
        return core.response().status();
    }

    /** Returns the header fields of the response; they may be changed until its first byte has been sent. */
    public Headers responseHeaders() {
        if (response == null) response = new Headers(core.response().fields(), null);
        return response;
    }

    /**
     * Sets a header field of the response in place of all of that name. Returns this.
     *
     * @param name a token
     * @param value without line ends
     * @throws IllegalArgumentException as {@link Headers#add}
     * @throws IllegalStateException if the head has been sent
     */
    public Exchange header(String name, String value) {
        core.response().requireOpen();
        responseHeaders().set(name, value);
        return this;
    }

    /**
     * Sends a whole response: text in UTF-8, as {@code text/plain} unless another {@code Content-Type} was set.
     *
     * @param text the body
     * @throws IllegalStateException if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public void respond(String text) {
        Objects.requireNonNull(text, "text");
        core.response().contentType("text/plain; charset=utf-8");
        respond(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sends a whole response.
     *
     * @param body its bytes; not changed meanwhile
     * @throws IllegalStateException if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public void respond(byte[] body) {
        core.response().respond(ByteBuffer.wrap(body));
    }

    /**
     * Sends a whole response without a body. Returns when the system has taken it.
     *
     * @param status 200 to 999
     * @throws IllegalStateException if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public void respond(int status) {
        core.response().status(status);
        core.response().respond(ByteBuffer.allocate(0));
    }

    /**
     * Sends a whole response: text in UTF-8, as {@code text/plain} unless another {@code Content-Type} was set.
     *
     * @param status 200 to 999
     * @param text the body
     * @throws IllegalStateException if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public void respond(int status, String text) {
        Objects.requireNonNull(text, "text");
        core.response().status(status);
        respond(text);
    }

    /**
     * Sends a whole response: a value as JSON, by the {@linkplain HttpServer.Builder#json codec} of the server.
     *
     * @param value what the codec can write; null too
     * @throws IllegalStateException if the head has been sent, there is no library for JSON, or it can't write the
     *     value
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public void json(@Nullable Object value) {
        core.response().requireOpen();
        byte[] body = codec().write(value);
        core.response().contentType("application/json");
        respond(body);
    }

    /**
     * Sends a whole response: a page, in UTF-8.
     *
     * @param page escaped already where it has to be
     * @throws IllegalStateException if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public void html(String page) {
        Objects.requireNonNull(page, "page");
        core.response().contentType("text/html; charset=utf-8");
        respond(page.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sends the client elsewhere: with 302 for {@code GET} and {@code HEAD}, and else with 303, so that it comes by
     * {@code GET}.
     *
     * @param location a URI, or a path of this server; it must not come from the client unchecked
     * @throws IllegalArgumentException if it is none
     * @throws IllegalStateException if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public void redirect(String location) {
        redirect(method().equals("GET") || method().equals("HEAD") ? 302 : 303, location);
    }

    /**
     * As {@link #redirect(String)}.
     *
     * @param status 301, 302, 303, 307 or 308
     * @param location a URI, or a path of this server
     */
    public void redirect(int status, String location) {
        Objects.requireNonNull(location, "location");
        if (status != 301 && status != 302 && status != 303 && status != 307 && status != 308)
            throw new IllegalArgumentException("status of a redirect must be 301, 302, 303, 307 or 308, got " + status);
        header("Location", Checks.uri(location).toASCIIString());
        respond(status);
    }

    /**
     * Sets the {@code ETag} of the response, and answers at once if nothing more is to be done: with 304 if the client
     * has this content already ({@code If-None-Match}), or 412 if it must not be changed ({@code If-Match}).
     *
     * {@snippet :
     * if (exchange.unlessModified(page.version())) return;
     * exchange.json(page);
     * }
     *
     * @param tag stands for the content as it is now, without quotes: another one as soon as a byte changes
     * @return whether it has answered
     * @throws IllegalArgumentException if the tag has quotes, spaces or control characters
     * @throws IllegalStateException if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public boolean unlessModified(String tag) {
        Objects.requireNonNull(tag, "tag");
        for (int i = 0; i < tag.length(); i++) {
            char c = tag.charAt(i);
            if (c <= ' ' || c == '"' || c >= 0x7f)
                throw new IllegalArgumentException(
                        "a tag must have visible ASCII characters without quotes, got " + Checks.quoted(tag));
        }
        return FileResponse.answersUnlessModified(core, '"' + tag + '"');
    }

    /**
     * Gives the client a cookie. Returns this.
     *
     * @param cookie marked as {@code Secure} if the client {@linkplain #scheme uses TLS}
     * @throws IllegalStateException if the head has been sent
     */
    public Exchange setCookie(Cookie cookie) {
        core.response().requireOpen();
        responseHeaders()
                .add("Set-Cookie", Objects.requireNonNull(cookie, "cookie").field(scheme().equals("https")));
        return this;
    }

    /**
     * Sends the response as it is, also if the server {@linkplain HttpServer.Builder#compress compresses}: for one that
     * has a secret beside what somebody else may choose. Returns this.
     */
    public Exchange uncompressed() {
        core.response().plain();
        return this;
    }

    /**
     * Has browsers save the response to a file, and not show it. Returns this.
     *
     * @param fileName what they propose, any characters
     * @throws IllegalStateException if the head has been sent
     */
    public Exchange attachment(String fileName) {
        return header("Content-Disposition", Disposition.attachment(Objects.requireNonNull(fileName, "fileName")));
    }

    /**
     * Sends a file as a whole response: with {@code ETag} and {@code Last-Modified}, and a {@code Content-Type} by the
     * end of its name unless one was set. Unless another status than 200 was set, conditional requests are answered
     * with 304 or 412, and a {@code GET} for byte ranges with these, or 416. If the file becomes shorter meanwhile, the
     * response is cut.
     *
     * <p>The path is taken as it is: to serve what a client asks for, use a {@link FileHandler}.
     *
     * @param file a regular file
     * @throws HttpException 404 if there is no such file, 403 if it may not be read
     * @throws IllegalStateException if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone, or the file can't be read
     */
    public void respond(Path file) {
        Objects.requireNonNull(file, "file");
        FileResponse.send(core, file);
    }

    /**
     * Sends a part of the response's body at once, the first one with the head; waits while the peer is slower.
     *
     * @param part taken to its limit; not changed meanwhile
     * @throws IllegalStateException if the response is complete, or if these are more bytes than its
     *     {@code Content-Length}
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public void write(ByteBuffer part) {
        Objects.requireNonNull(part, "part");
        core.response().write(part);
    }

    /**
     * As {@link #write(ByteBuffer)}, of text in UTF-8.
     *
     * @param text sent at once
     */
    public void write(String text) {
        core.response()
                .write(ByteBuffer.wrap(Objects.requireNonNull(text, "text").getBytes(StandardCharsets.UTF_8)));
    }

    /**
     * Returns the body of the response as a stream, always the same. It collects up to 32 KiB before it sends; its
     * {@code flush} sends at once, and {@code close} completes the response.
     */
    public OutputStream outputStream() {
        return core.response().output();
    }

    /**
     * Sets a field that is sent behind a body in chunks. Returns this.
     *
     * @param name a token
     * @param value without line ends
     */
    public Exchange trailer(String name, String value) {
        new Headers(core.response().trailers(), null).add(name, value);
        return this;
    }

    /**
     * Makes the exchange a conversation, over HTTP/2: request and response go on side by side, for as long as both
     * like. The {@linkplain HttpServer.Builder#maxBodyBytes largest body} and the times for {@linkplain
     * HttpServer.Builder#bodyTimeout reading} and {@linkplain HttpServer.Builder#writeTimeout writing} a body don't
     * hold for it, and the handler is cancelled when the client leaves, whatever the method. Returns this.
     *
     * @throws IllegalStateException over HTTP/1
     */
    public Exchange duplex() {
        core.duplex();
        return this;
    }

    /**
     * Returns whether a {@link #write} would not wait, for what is better left out than sent late. Over HTTP/1 it is
     * not known, and true until the response is complete or the client has gone.
     */
    public boolean isWritable() {
        return core.response().isWritable();
    }

    /**
     * Waits until a {@link #write} would not wait. Over HTTP/1 it returns at once.
     *
     * @throws IllegalStateException if the response is complete
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public void awaitWritable() {
        core.response().awaitWritable();
    }

    /**
     * Completes the response; the handler's return does it too. Does nothing if it is complete.
     *
     * @throws IllegalStateException if fewer bytes were written than its {@code Content-Length}
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public void end() {
        core.response().output().close();
        core.response().end();
    }

    /** Closes the connection at once, so that the peer sees that the response is not complete. */
    public void abort() {
        core.response().abort();
    }

    /** True once the head of the response has been sent: status and header fields can't change any more. */
    public boolean isCommitted() {
        return core.response().isCommitted();
    }

    /** True once the response is complete. */
    public boolean isEnded() {
        return core.response().isEnded();
    }

    /**
     * Leaves HTTP: answers with 101 and the header fields that were set, or with 200 to {@code CONNECT}, and returns
     * the connection's stream, which the handler uses until it returns.
     *
     * @param protocol for the header field {@code Upgrade}
     * @throws IllegalStateException if the request does not ask for another protocol, has a body or is over HTTP/2, or
     *     if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public ByteStream upgrade(String protocol) {
        Objects.requireNonNull(protocol, "protocol");
        if (method().equals("CONNECT")) return core.response().takeOver(200);
        header("Upgrade", protocol).header("Connection", "upgrade");
        return core.response().takeOver(101);
    }

    /**
     * Opens a WebSocket, with the default {@link WebSocket#options options}.
     *
     * @throws HttpException as {@link #webSocket(WebSocket.Options)}
     */
    public WebSocket webSocket() {
        return webSocket(WebSocket.options());
    }

    /**
     * Opens a WebSocket: answers the client's handshake with 101, or 200 over HTTP/2, and the header fields that were
     * set. Who may do that is for the handler to check before, by {@code Origin} for instance: browsers let every page
     * of the web connect, with the cookies of this host.
     *
     * @param options what may be agreed on, and limits
     * @throws HttpException if the request does not ask for a WebSocket, or in a wrong way: 426, 405 or 400, which has
     *     been answered
     * @throws IllegalStateException if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public WebSocket webSocket(WebSocket.Options options) {
        return new WebSocket(WebSocketUpgrade.accept(core, options.settings));
    }

    /**
     * Begins a response of server-sent events; the head is sent at once, with the header fields that were set.
     *
     * @throws HttpException 405 for {@code HEAD}, which has been answered
     * @throws IllegalStateException if the head has been sent
     * @throws org.trueasync.InputOutputException if the peer has gone
     */
    public EventStream events() {
        core.events();
        return new EventStream(core, header("Last-Event-ID"));
    }

    @Override
    public String toString() {
        return core.request().method() + " " + core.request().target();
    }
}
