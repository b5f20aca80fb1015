package org.trueasync.internal.http.jdk;

import com.sun.net.httpserver.Authenticator;
import com.sun.net.httpserver.Filter;
import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.CopyOnWriteArrayList;
import org.jspecify.annotations.Nullable;

/** A path and what answers its requests. Any thread. */
final class ServerContext extends HttpContext {
    private final HttpServer server;
    private final String path;
    private final Map<String, Object> attributes = new ConcurrentHashMap<>();
    private final List<Filter> filters = new CopyOnWriteArrayList<>();
    private volatile @Nullable HttpHandler handler;
    private volatile @Nullable Authenticator authenticator;

    ServerContext(HttpServer server, String path, @Nullable HttpHandler handler) {
        if (!path.startsWith("/"))
            throw new IllegalArgumentException("the path of a context must begin with /, got '" + path + "'");
        this.server = server;
        this.path = path;
        this.handler = handler;
    }

    @Override
    public @Nullable HttpHandler getHandler() {
        return handler;
    }

    @Override
    public synchronized void setHandler(HttpHandler handler) {
        Objects.requireNonNull(handler, "handler");
        if (this.handler != null) throw new IllegalArgumentException("the context for " + path + " has a handler");
        this.handler = handler;
    }

    @Override
    public String getPath() {
        return path;
    }

    @Override
    public HttpServer getServer() {
        return server;
    }

    @Override
    public Map<String, Object> getAttributes() {
        return attributes;
    }

    @Override
    public List<Filter> getFilters() {
        return filters;
    }

    @Override
    public synchronized @Nullable Authenticator setAuthenticator(@Nullable Authenticator authenticator) {
        Authenticator before = this.authenticator;
        this.authenticator = authenticator;
        return before;
    }

    @Override
    public @Nullable Authenticator getAuthenticator() {
        return authenticator;
    }

    @Override
    public String toString() {
        return "context " + path;
    }
}
