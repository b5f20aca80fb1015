package org.trueasync.internal.http.jdk;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpPrincipal;
import com.sun.net.httpserver.HttpsServer;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Optional;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.RejectedExecutionException;
import javax.net.ssl.SSLSession;
import org.eclipse.jetty.http.HttpField;
import org.eclipse.jetty.http.HttpHeader;
import org.jspecify.annotations.Nullable;
import org.trueasync.Async;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.message.Dates;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.server.ExchangeCore;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.io.TlsStream;

/**
 * An exchange, whatever face it shows. One thread at a time uses it, which may be another one each time. It is over
 * when its streams are closed or the response is complete, so its handler may return and leave that to another thread.
 */
final class LoopExchange {
    private final Loop loop;
    private final ExchangeCore core;
    private final URI uri;
    private final ServerContext context;
    private final HttpExchange face;
    private final CompletableFuture<Boolean> terminated = new CompletableFuture<>();

    private @Nullable Headers requestHeaders;
    private final Headers responseHeaders = new Headers();
    private volatile int code = -1;
    private final RequestStream requestBody = new RequestStream(this);
    private final ResponseStream responseBody = new ResponseStream(this);
    private InputStream input = requestBody;
    private OutputStream output = responseBody;
    private @Nullable HttpPrincipal principal;
    private boolean closed;
    /** Nobody may touch the request any more. Loop thread. */
    private boolean over;

    LoopExchange(Loop loop, ExchangeCore core, URI uri, ServerContext context) {
        this.loop = loop;
        this.core = core;
        this.uri = uri;
        this.context = context;
        this.face = context.getServer() instanceof HttpsServer ? new SecureExchange(this) : new PlainExchange(this);
    }

    // ---- its course

    /** Handles it to its end; in its coroutine. */
    void handle(HttpHandler handler, @Nullable Executor executor) throws Exception {
        try {
            if (executor == null) filter(handler);
            else filterBy(executor, handler);
            if (!terminated.isDone()) Async.await(terminated);
        } finally {
            over = true;
        }
    }

    private void filterBy(Executor executor, HttpHandler handler) throws Exception {
        var handled = new CompletableFuture<Optional<Throwable>>();
        try {
            executor.execute(() -> {
                Throwable failure = null;
                try {
                    filter(handler);
                } catch (Throwable e) {
                    failure = e;
                }
                handled.complete(Optional.ofNullable(failure));
            });
        } catch (RejectedExecutionException e) {
            throw new RefusedException(503, "the server's executor takes no more requests");
        }
        switch (Async.await(handled).orElse(null)) {
            case null -> {}
            case Exception failure -> throw failure;
            case Error failure -> throw failure;
            case Throwable failure -> throw new Exception(failure);
        }
    }

    private void filter(HttpHandler handler) throws IOException {
        new Filter.Chain(context.getFilters(), seen -> authenticate(seen, handler)).doFilter(face);
    }

    /** Comes behind the filters, which may have wrapped the exchange. */
    private void authenticate(HttpExchange seen, HttpHandler handler) throws IOException {
        Authenticator authenticator = context.getAuthenticator();
        if (authenticator == null) {
            handler.handle(seen);
            return;
        }
        switch (authenticator.authenticate(seen)) {
            case Authenticator.Success success -> {
                principal = success.getPrincipal();
                handler.handle(seen);
            }
            case Authenticator.Retry retry -> deny(seen, retry.getResponseCode());
            case Authenticator.Failure failure -> deny(seen, failure.getResponseCode());
            case null, default -> throw new IOException("the authenticator of " + context + " gave no known result");
        }
    }

    private static void deny(HttpExchange seen, int code) throws IOException {
        try (InputStream body = seen.getRequestBody()) {
            body.transferTo(OutputStream.nullOutputStream());
        }
        seen.sendResponseHeaders(code, -1);
    }

    /** Makes a call on the loop, unless the exchange is over. */
    <T extends @Nullable Object> T onLoop(LoopCall<T> call) throws IOException {
        return LoopCall.on(loop, () -> {
            if (over) throw new IOException("the exchange is over");
            return call.make();
        });
    }

    ExchangeCore core() {
        return core;
    }

    boolean isOnLoop() {
        return LoopCall.isHere(loop);
    }

    /** Its streams are closed. */
    void terminate() {
        requestBody.close();
        responded();
    }

    /** The response is complete, so it is over as soon as the handler has returned. */
    void responded() {
        terminated.complete(true);
    }

    /** Closes the connection, so that the peer sees that the response is cut. */
    void abort() {
        try {
            onLoop(() -> {
                core.response().abort();
                return null;
            });
        } catch (IOException e) {
            // it is gone already
        }
        terminate();
    }

    void close() {
        if (closed) return;
        closed = true;
        if (!responseBody.hasHead()) {
            responseBody.end();
            abort();
            return;
        }
        try {
            input.close();
            output.close();
        } catch (IOException e) {
            abort();
        }
    }

    // ---- the request

    HttpExchange face() {
        return face;
    }

    String method() {
        return core.request().method();
    }

    boolean isHead() {
        return core.request().method().equals("HEAD");
    }

    URI uri() {
        return uri;
    }

    ServerContext context() {
        return context;
    }

    String protocol() {
        return core.request().protocol();
    }

    Headers requestHeaders() {
        if (requestHeaders == null) {
            var all = new Headers();
            for (HttpField field : core.request().fields()) all.add(field.getName(), Fields.value(field));
            requestHeaders = Headers.of(all);
        }
        return requestHeaders;
    }

    @Nullable
    InetSocketAddress peer() {
        return address(core.request()::peer);
    }

    @Nullable
    InetSocketAddress local() {
        return address(core.request()::local);
    }

    private @Nullable InetSocketAddress address(LoopCall<@Nullable InetSocketAddress> call) {
        try {
            return LoopCall.on(loop, call);
        } catch (IOException e) {
            return null;
        }
    }

    @Nullable
    SSLSession session() {
        TlsStream tls = core.request().tls();
        return tls == null ? null : tls.session();
    }

    @Nullable
    HttpPrincipal principal() {
        return principal;
    }

    @Nullable
    Object attribute(String name) {
        return context.getAttributes().get(Objects.requireNonNull(name, "name"));
    }

    void attribute(String name, @Nullable Object value) {
        Objects.requireNonNull(name, "name");
        if (value == null) context.getAttributes().remove(name);
        else context.getAttributes().put(name, value);
    }

    InputStream input() {
        return input;
    }

    OutputStream output() {
        return output;
    }

    void streams(@Nullable InputStream in, @Nullable OutputStream out) {
        if (in != null) input = in;
        if (out != null) output = out;
    }

    // ---- the response

    Headers responseHeaders() {
        return responseHeaders;
    }

    int code() {
        return code;
    }

    void sendHeaders(int status, long length) throws IOException {
        if (code >= 0) throw new IOException("the response headers have been sent already");
        if (status < 200 || status > 999)
            throw new IllegalArgumentException("the response code must be 200 to 999, got " + status);
        boolean head = isHead();
        boolean bare = head || length < 0 || status == 204 || status == 304;
        responseHeaders.set("Date", Dates.now());
        if (bare) {
            if (!head && status != 204 && status != 304) responseHeaders.set("Content-length", "0");
        } else if (length > 0) responseHeaders.set("Content-length", Long.toString(length));
        else if (!core.request().protocol().equals("HTTP/1.0")) responseHeaders.set("Transfer-encoding", "chunked");
        List<HttpField> fields = fields(head);
        code = status;
        responseBody.begin(status, fields, bare ? 0 : length > 0 ? length : -1);
        if (!bare) return;
        responseBody.close();
        closed = true;
    }

    /** The fields to send; the server itself decides about those that frame the message. */
    private List<HttpField> fields(boolean head) {
        var fields = new ArrayList<HttpField>();
        responseHeaders.forEach((name, values) -> {
            HttpHeader known = HttpHeader.CACHE.get(name);
            if (known == HttpHeader.DATE || known == HttpHeader.TRANSFER_ENCODING) return;
            if (known == HttpHeader.CONTENT_LENGTH && !head) return;
            Checks.token("name of a header field", name);
            for (String value : values) {
                String checked = Checks.value(name, value == null ? "" : value);
                if (known == HttpHeader.CONTENT_LENGTH) checked = Long.toString(Long.parseUnsignedLong(checked));
                if (known == HttpHeader.CONNECTION && checked.equalsIgnoreCase("keep-alive")) continue;
                fields.add(new HttpField(name, checked));
            }
        });
        return fields;
    }
}
