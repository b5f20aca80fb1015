package org.trueasync.http;

import java.io.IOException;
import java.io.InputStream;
import java.net.URI;
import java.nio.charset.Charset;
import java.nio.charset.StandardCharsets;
import java.util.Locale;
import java.util.Objects;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.InputOutputException;
import org.trueasync.internal.http.client.ClientExchange;
import org.trueasync.internal.http.client.ResponseInput;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.message.Queries;

/**
 * A response whose head has come. The body is read by the methods of this class, as fast as the program asks for it.
 *
 * <p>It has its connection, or its part of one, until the body has been read to the end, or until {@link #close}: so
 * either read it all, as {@link #text} and {@link #bytes} do, or close it. Loop thread only.
 */
public final class HttpResponse implements AutoCloseable {
    private final ClientExchange core;
    private final long maxBodyBytes;
    private final Headers headers;
    private final ResponseInput input;
    private final HttpClient client;

    HttpResponse(ClientExchange core, boolean decodes, long maxBodyBytes, HttpClient client) {
        this.client = client;
        this.core = core;
        this.maxBodyBytes = maxBodyBytes;
        Fields fields = core.fields();
        boolean gzip = decodes && isGzip(fields.get(HttpHeader.CONTENT_ENCODING));
        if (gzip) {
            // they tell about the encoded body
            fields.remove("Content-Encoding");
            fields.remove("Content-Length");
        }
        this.headers = new Headers(fields, "the header fields of a response can't be changed");
        this.input = new ResponseInput(core, gzip);
    }

    private static boolean isGzip(@Nullable String coding) {
        if (coding == null) return false;
        String name = coding.strip().toLowerCase(Locale.ROOT);
        return name.equals("gzip") || name.equals("x-gzip");
    }

    /** Returns the status, 200 to 999. A status such as 404 or 500 is no error of the call. */
    public int status() {
        return core.status();
    }

    /** Returns {@code HTTP/1.1} or {@code HTTP/2}. */
    public String protocol() {
        return core.protocol();
    }

    /** Returns the URI that has answered: that of the request, or where redirects have led to. */
    public URI uri() {
        return core.uri();
    }

    /** Returns the header fields. */
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

    /** Returns the fields behind a body; empty before its end, or if there are none. */
    public Headers trailers() {
        Fields trailers = core.trailers();
        return trailers == null ? new Headers() : new Headers(trailers, "the trailers of a response can't be changed");
    }

    /**
     * Returns the body as a stream, always the same. Its {@code read} waits for the server; its {@code close} closes
     * the response. Its errors are {@link IOException}s, with what the other methods throw as the cause.
     */
    public InputStream inputStream() {
        return input;
    }

    /**
     * Reads the rest of the body.
     *
     * @throws InputOutputException if it has more bytes than {@link HttpClient.Builder#maxBodyBytes}, the connection
     *     breaks, the body is malformed, or no byte comes for the {@linkplain HttpClient.Builder#readTimeout read
     *     timeout}; the response is closed then
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the response is closed then
     */
    public byte[] bytes() {
        int most = (int) Math.min(maxBodyBytes, Integer.MAX_VALUE - 16);
        boolean done = false;
        try {
            byte[] all = core.announcesMoreThan(most) ? null : input.readNBytes(most + 1);
            if (all == null || all.length > most)
                throw new InputOutputException(
                        core.name() + ": the body of the response has more than " + most
                                + " bytes (maxBodyBytes); a stream has no limit",
                        "EFBIG");
            done = true;
            return all;
        } catch (IOException e) {
            if (e.getCause() instanceof InputOutputException cause) throw cause;
            throw new InputOutputException(
                    core.name() + ": the body of the response can't be read: " + e.getMessage(), "EPROTO", e);
        } finally {
            if (!done) core.close();
        }
    }

    /**
     * Reads the rest of the body as text: in the charset that {@code Content-Type} names, else in UTF-8. Malformed
     * bytes become the replacement character.
     *
     * @throws InputOutputException as {@link #bytes}; also if the charset is not known
     * @throws org.trueasync.AsyncCancellation as {@link #bytes}
     */
    public String text() {
        return new String(bytes(), charset());
    }

    /**
     * Reads the rest of the body as JSON, by the {@linkplain HttpClient.Builder#json codec} of the client.
     *
     * @param type of the value; an array for a list
     * @throws InputOutputException as {@link #bytes}; also if the body is malformed, or null, or does not fit the type
     * @throws IllegalStateException if there is no library for JSON, or it can't make such values
     * @throws org.trueasync.AsyncCancellation as {@link #bytes}
     */
    public <T> T body(Class<T> type) {
        Objects.requireNonNull(type, "type");
        byte[] bytes = bytes();
        try {
            T value = client.codec().read(bytes, type);
            if (value != null) return value;
            throw new IllegalArgumentException("it is null");
        } catch (IllegalArgumentException e) {
            throw new InputOutputException(
                    core.name() + ": the body of the response is no " + type.getSimpleName() + " in JSON: "
                            + e.getMessage(),
                    "EPROTO",
                    e);
        }
    }

    private Charset charset() {
        String name = Queries.parameter(headers.get("Content-Type"), "charset");
        if (name == null) return StandardCharsets.UTF_8;
        try {
            return Charset.forName(name);
        } catch (IllegalArgumentException e) {
            throw new InputOutputException(
                    core.name() + ": the charset " + Checks.quoted(name) + " of the response is not known here", "", e);
        }
    }

    /**
     * Ends the response. What is there of a small rest of the body is read, so that the connection can be kept;
     * otherwise the connection, or over HTTP/2 the stream, is closed. Waits for no peer; if a body is still being
     * written, its writer is cancelled and waited for. Does nothing if the body has been read to its end.
     */
    @Override
    public void close() {
        core.close();
    }

    /** Request and status. */
    @Override
    public String toString() {
        return core.name() + ": " + core.status();
    }
}
