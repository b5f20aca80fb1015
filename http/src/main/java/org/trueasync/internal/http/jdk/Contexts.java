package org.trueasync.internal.http.jdk;

import com.sun.net.httpserver.HttpContext;
import com.sun.net.httpserver.HttpHandler;
import com.sun.net.httpserver.HttpServer;
import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;

/** The contexts of a server. Any thread. */
final class Contexts {
    private final HttpServer server;
    /** The longest paths first. Replaced, never changed. */
    private volatile List<ServerContext> all = List.of();

    Contexts(HttpServer server) {
        this.server = server;
    }

    ServerContext add(String path, HttpHandler handler) {
        Objects.requireNonNull(handler, "handler");
        return add(new ServerContext(server, path, handler));
    }

    ServerContext add(String path) {
        return add(new ServerContext(server, path, null));
    }

    private synchronized ServerContext add(ServerContext context) {
        for (ServerContext known : all)
            if (known.getPath().equals(context.getPath()))
                throw new IllegalArgumentException("there is a context for " + known.getPath() + " already");
        var more = new ArrayList<>(all);
        more.add(context);
        more.sort(Comparator.comparingInt(c -> -c.getPath().length()));
        all = List.copyOf(more);
        return context;
    }

    void remove(String path) {
        Objects.requireNonNull(path, "path");
        if (!removeIf(path, null)) throw new IllegalArgumentException("there is no context for " + path);
    }

    void remove(HttpContext context) {
        Objects.requireNonNull(context, "context");
        if (!removeIf(context.getPath(), context))
            throw new IllegalArgumentException("the context for " + context.getPath() + " is none of this server");
    }

    private synchronized boolean removeIf(String path, @Nullable HttpContext same) {
        var fewer = new ArrayList<>(all);
        boolean removed = fewer.removeIf(c -> c.getPath().equals(path) && (same == null || c == same));
        all = List.copyOf(fewer);
        return removed;
    }

    /** The context with the longest path that the request's path begins with; null if there is none. */
    @Nullable
    ServerContext find(@Nullable String path) {
        if (path != null) for (ServerContext context : all) if (path.startsWith(context.getPath())) return context;
        return null;
    }
}
