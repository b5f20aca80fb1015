package org.trueasync.http;

import java.io.InputStream;
import java.io.OutputStream;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.client.ClientExchange;
import org.trueasync.internal.http.client.ClientRequest;
import org.trueasync.internal.http.client.RequestBody;

/**
 * A request that is described and then sent, made by {@link HttpClient#request}. The client itself sends {@code Host},
 * {@code Content-Length} or {@code Transfer-Encoding}, {@code Expect}, and {@code User-Agent} unless it is set.
 *
 * {@snippet :
 * try (var response = client.request("POST", uri).header("X-Id", "7").body("text").send()) {
 *     System.out.println(response.status() + " " + response.text());
 * }
 * }
 *
 * <p>Belongs to whoever made it. It may be sent again, unless its body comes from a stream.
 */
public final class HttpRequest {
    /** Writes the body of a request. */
    @FunctionalInterface
    public interface BodyWriter {
        /**
         * Writes the body. Called in a coroutine of its own, which is cancelled if the response is closed before the
         * body was written, or if the server refuses it by a status from 300 on, or over HTTP/2 ends its response
         * before.
         *
         * @param out collects up to 32 KiB before it sends; its {@code flush} sends at once. It throws an
         *     {@link java.io.IOException} if the connection is broken
         * @throws Exception another error; the call ends with it
         */
        void write(OutputStream out) throws Exception;
    }

    private final HttpClient client;
    private final String method;
    private final URI uri;
    private final Headers headers = new Headers();
    private RequestBody body = RequestBody.NONE;
    private boolean expectsContinue;

    HttpRequest(HttpClient client, String method, URI uri) {
        this.client = client;
        this.method = method;
        this.uri = uri;
    }

    /** Returns the header fields, which may be changed. */
    public Headers headers() {
        return headers;
    }

    /**
     * Sets a header field in place of all of that name. {@code Connection: close} closes the connection after the
     * response. Returns this.
     *
     * @param name a token
     * @param value without line ends
     * @throws IllegalArgumentException as {@link Headers#add}
     */
    public HttpRequest header(String name, String value) {
        headers.set(name, value);
        return this;
    }

    /**
     * Sets the body: text in UTF-8, as {@code text/plain} unless another {@code Content-Type} was set. Returns this.
     *
     * @param text the body
     */
    public HttpRequest body(String text) {
        Objects.requireNonNull(text, "text");
        if (!headers.has("Content-Type")) header("Content-Type", "text/plain; charset=utf-8");
        return body(text.getBytes(StandardCharsets.UTF_8));
    }

    /**
     * Sets the body. Returns this.
     *
     * @param bytes not changed until the response has come
     */
    public HttpRequest body(byte[] bytes) {
        body = RequestBody.of(bytes);
        return this;
    }

    /**
     * Sets the body, which is sent in chunks, as its length is not known. Returns this.
     *
     * @param in read to its end in a coroutine of its own, and not closed
     */
    public HttpRequest body(InputStream in) {
        Objects.requireNonNull(in, "in");
        body = RequestBody.of(in::transferTo, -1);
        return this;
    }

    /**
     * Sets the body. Returns this.
     *
     * @param in read to its end in a coroutine of its own, and not closed. If it has another number of bytes, the call
     *     ends with an {@link IllegalStateException}
     * @param length >= 0
     * @throws IllegalArgumentException if the length is negative
     */
    public HttpRequest body(InputStream in, long length) {
        Objects.requireNonNull(in, "in");
        body = RequestBody.of(in::transferTo, notNegative(length));
        return this;
    }

    /**
     * Sets the body, which is sent in chunks, as its length is not known. Returns this.
     *
     * @param writer writes it when it is sent
     */
    public HttpRequest body(BodyWriter writer) {
        Objects.requireNonNull(writer, "writer");
        body = RequestBody.of(writer::write, -1);
        return this;
    }

    /**
     * Sets the body. Returns this.
     *
     * @param writer writes it when it is sent. If it writes another number of bytes, the call ends with an
     *     {@link IllegalStateException}
     * @param length >= 0
     * @throws IllegalArgumentException if the length is negative
     */
    public HttpRequest body(BodyWriter writer, long length) {
        Objects.requireNonNull(writer, "writer");
        body = RequestBody.of(writer::write, notNegative(length));
        return this;
    }

    /**
     * Sets the body: a value as JSON, by the {@linkplain HttpClient.Builder#json codec} of the client. Returns this.
     *
     * @param value what the codec can write; null too
     * @throws IllegalStateException if there is no library for JSON, or it can't write the value
     */
    public HttpRequest json(@Nullable Object value) {
        byte[] bytes = client.codec().write(value);
        if (!headers.has("Content-Type")) header("Content-Type", "application/json");
        return body(bytes);
    }

    private static long notNegative(long length) {
        if (length < 0) throw new IllegalArgumentException("the length of a body must be >= 0, got " + length);
        return length;
    }

    /**
     * Asks the server whether it wants the body before that is sent ({@code Expect: 100-continue}). If the server says
     * nothing, the body is sent after a second. Returns this.
     */
    public HttpRequest expectContinue() {
        expectsContinue = true;
        return this;
    }

    /**
     * Sends the request and waits for the head of the response. A body that comes from a stream or a writer, or has
     * more than 64 KiB, may still be on its way when this returns with a status below 300.
     *
     * <p>If the server has closed the connection while it lay idle, and no byte of a response has come, the request is
     * sent once more on a new connection: for a method that is idempotent, and a body of bytes or none. Over HTTP/2 a
     * server can say that it has not looked at a request; then that is done for each method.
     *
     * @return the response; read its body to the end, or close it
     * @throws org.trueasync.InputOutputException if the connection can't be made or breaks, the server sends no byte
     *     for the {@linkplain HttpClient.Builder#readTimeout read timeout}, the response is malformed, or there are too
     *     many redirects; the message names method, URI and reason
     * @throws org.trueasync.DnsException if the host is not known
     * @throws org.trueasync.ServiceUnavailableException if the circuit breaker of the origin lets no call through
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting, also by a time limit: the connection,
     *     or over HTTP/2 the stream, is closed
     * @throws IllegalArgumentException if a header field is set that the client decides
     * @throws IllegalStateException if the client was closed, or the body has another length than was said
     * @throws RuntimeException what the writer of the body throws; a checked exception as the cause of an
     *     {@link org.trueasync.InputOutputException}
     */
    public HttpResponse send() {
        ClientExchange exchange =
                client.core().send(new ClientRequest(method, uri, headers.fields(), body, expectsContinue));
        return client.response(exchange);
    }

    @Override
    public String toString() {
        return method + ' ' + uri;
    }
}
