package org.trueasync.internal.http.jdk;

import com.sun.net.httpserver.Headers;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpExchange;
import com.sun.net.httpserver.HttpPrincipal;
import java.io.IOException;
import java.io.InputStream;
import java.io.OutputStream;
import java.net.InetSocketAddress;
import java.net.URI;
import org.jspecify.annotations.Nullable;

/** The face of an exchange without TLS. */
final class PlainExchange extends HttpExchange {
    private final LoopExchange exchange;

    PlainExchange(LoopExchange exchange) {
        this.exchange = exchange;
    }

    @Override
    public Headers getRequestHeaders() {
        return exchange.requestHeaders();
    }

    @Override
    public Headers getResponseHeaders() {
        return exchange.responseHeaders();
    }

    @Override
    public URI getRequestURI() {
        return exchange.uri();
    }

    @Override
    public String getRequestMethod() {
        return exchange.method();
    }

    @Override
    public HttpContext getHttpContext() {
        return exchange.context();
    }

    @Override
    public void close() {
        exchange.close();
    }

    @Override
    public InputStream getRequestBody() {
        return exchange.input();
    }

    @Override
    public OutputStream getResponseBody() {
        return exchange.output();
    }

    @Override
    public void sendResponseHeaders(int code, long length) throws IOException {
        exchange.sendHeaders(code, length);
    }

    @Override
    public @Nullable InetSocketAddress getRemoteAddress() {
        return exchange.peer();
    }

    @Override
    public int getResponseCode() {
        return exchange.code();
    }

    @Override
    public @Nullable InetSocketAddress getLocalAddress() {
        return exchange.local();
    }

    @Override
    public String getProtocol() {
        return exchange.protocol();
    }

    @Override
    public @Nullable Object getAttribute(String name) {
        return exchange.attribute(name);
    }

    @Override
    public void setAttribute(String name, @Nullable Object value) {
        exchange.attribute(name, value);
    }

    @Override
    public void setStreams(@Nullable InputStream in, @Nullable OutputStream out) {
        exchange.streams(in, out);
    }

    @Override
    public @Nullable HttpPrincipal getPrincipal() {
        return exchange.principal();
    }

    @Override
    public String toString() {
        return exchange.method() + " " + exchange.uri();
    }
}
