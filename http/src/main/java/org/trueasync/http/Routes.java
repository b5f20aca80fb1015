package org.trueasync.http;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.http.routes.Hosts;
import org.trueasync.internal.http.routes.Route;
import org.trueasync.internal.http.routes.RouteMatch;
import org.trueasync.internal.http.routes.RouteTree;

/**
 * A handler that chooses another one, by the method and the path of a request.
 *
 * {@snippet class="org.trueasync.http.snippets.Routing" region="routes" :
 * var routes = new Routes()
 *         .get("/users/{id}", exchange -> exchange.respond("user " + exchange.pathParameter("id")))
 *         .post("/users", exchange -> exchange.respond(201, "made of " + exchange.text()))
 *         .get("/pages/{path...}", exchange -> exchange.respond(find(exchange.pathParameter("path"))));
 * HttpServer.listen(8080, routes);
 * }
 *
 * <p>A pattern consists of segments. {@code {name}} stands for any one segment that is not empty; {@code {name...}}, at
 * the end, for all that follow, also none. Of several that match, the more specific one is taken, whatever the order in
 * which they were added: from the left, a literal segment is preferred to {@code {name}}, and that to
 * {@code {name...}}. {@code /users} and {@code /users/} are different paths.
 *
 * <p>If no route has the path, this throws an {@link HttpException} with 404, and if there are only routes with
 * other methods, one with 405, and {@code Allow}. {@code HEAD} is answered by the route for {@code GET}, and
 * {@code OPTIONS} with {@code Allow}, unless they have routes of their own.
 *
 * <p>Segments are decoded after the path was split, so a value may have any character but a slash. A path is refused
 * with 400 if it has a malformed escape, an escaped slash ({@code %2F}) or zero byte, or a segment {@code .} or
 * {@code ..}, escaped or not: a proxy may take such a path for another one. A client that keeps to the rules sends
 * none.
 *
 * <p>Complete it before a server uses it. Then any thread may.
 */
public final class Routes implements HttpHandler {
    private final RouteTree<Filtered> tree = new RouteTree<>();
    private final Hosts<Filtered> hosts = new Hosts<>();
    private final List<HttpFilter> filters = new ArrayList<>();
    private @Nullable String above;

    /** Creates one without routes. */
    public Routes() {}

    /** A route's handler, with the filters around it. */
    private static final class Filtered implements HttpHandler {
        private final HttpHandler handler;
        private HttpHandler composed;

        Filtered(HttpHandler handler, List<HttpFilter> filters) {
            this.handler = handler;
            this.composed = handler;
            compose(filters);
        }

        void compose(List<HttpFilter> filters) {
            composed = handler;
            for (HttpFilter filter : filters.reversed()) composed = filter.around(composed);
        }

        @Override
        public void handle(Exchange exchange) throws Exception {
            composed.handle(exchange);
        }
    }

    /**
     * Adds a route. Returns this.
     *
     * @param pattern decoded, for instance {@code /users/{id}}
     * @param handler answers its requests
     * @throws IllegalArgumentException if the pattern is malformed, or another route answers the same requests
     * @throws IllegalStateException if this is {@linkplain #under under} others already
     */
    public Routes get(String pattern, HttpHandler handler) {
        return route("GET", pattern, handler);
    }

    /** As {@link #get}, for {@code POST}. */
    public Routes post(String pattern, HttpHandler handler) {
        return route("POST", pattern, handler);
    }

    /** As {@link #get}, for {@code PUT}. */
    public Routes put(String pattern, HttpHandler handler) {
        return route("PUT", pattern, handler);
    }

    /** As {@link #get}, for {@code PATCH}. */
    public Routes patch(String pattern, HttpHandler handler) {
        return route("PATCH", pattern, handler);
    }

    /** As {@link #get}, for {@code DELETE}. */
    public Routes delete(String pattern, HttpHandler handler) {
        return route("DELETE", pattern, handler);
    }

    /**
     * As {@link #get}, for any method.
     *
     * @param method a token, in upper case for those of the standard
     */
    public Routes route(String method, String pattern, HttpHandler handler) {
        Objects.requireNonNull(handler, "handler");
        add(Checks.token("method", method), pattern, false, handler);
        return this;
    }

    /**
     * Gives everything below a prefix to a handler, whatever the method: {@code /static} and {@code /static/...}. More
     * specific routes are preferred. If the handler is another {@code Routes}, its routes become routes of this one,
     * with the prefix before them; none can be added to it any more. A {@link FileHandler} serves the rest of the path.
     * Any other handler sees the whole path. Returns this.
     *
     * @param prefix a pattern without {@code {name...}}
     * @param handler answers the requests
     * @throws IllegalArgumentException as {@link #get}
     * @throws IllegalStateException as {@link #get}
     */
    public Routes under(String prefix, HttpHandler handler) {
        Objects.requireNonNull(prefix, "prefix");
        Objects.requireNonNull(handler, "handler");
        if (!(handler instanceof Routes other)) add(null, prefix, true, handler);
        else if (other == this) throw new IllegalArgumentException("routes can't be under themselves");
        else {
            other.requireOpen();
            if (!other.hosts.isEmpty())
                throw new IllegalArgumentException("routes with hosts can't be under the prefix '" + prefix + "'");
            for (Route<Filtered> route : other.tree.routes())
                add(route.method(), prefix + route.pattern(), route.isMount(), route.handler());
            other.above = prefix;
        }
        return this;
    }

    /**
     * Gives the requests for a host to a handler of its own, other {@code Routes} for instance; the routes of this one
     * are for all other hosts. Returns this.
     *
     * @param name without a port, in any case: {@code api.example.com}; {@code *.example.com} for the names below it,
     *     where no longer one fits
     * @param handler answers its requests, with the filters of this one around it; sees the whole path
     * @throws IllegalArgumentException if the name has another form, or has a handler already
     * @throws IllegalStateException as {@link #get}
     */
    public Routes host(String name, HttpHandler handler) {
        Objects.requireNonNull(handler, "handler");
        requireOpen();
        hosts.add(name, new Filtered(handler, filters));
        return this;
    }

    /**
     * Puts a filter around the handlers of all routes, those that are added later included; the first one is the
     * outermost. It is not asked about requests that have no route: for these, put it {@linkplain HttpFilter#around
     * around} this. Returns this.
     *
     * @param filter is called instead of each handler
     */
    public Routes around(HttpFilter filter) {
        filters.add(Objects.requireNonNull(filter, "filter"));
        for (Route<Filtered> route : tree.routes()) route.handler().compose(filters);
        for (Filtered host : hosts.all()) host.compose(filters);
        return this;
    }

    private void add(@Nullable String method, String pattern, boolean isMount, HttpHandler handler) {
        requireOpen();
        tree.add(Route.of(method, pattern, isMount, new Filtered(handler, filters)));
    }

    private void requireOpen() {
        if (above != null)
            throw new IllegalStateException(
                    "these routes are under '" + above + "' of others already; add routes before that");
    }

    @Override
    public void handle(Exchange exchange) throws Exception {
        Filtered ofHost = hosts.isEmpty() ? null : hosts.find(exchange.host());
        if (ofHost != null) {
            ofHost.handle(exchange);
            return;
        }
        String path = exchange.decodedPath();
        boolean isPath = path.startsWith("/");
        RouteMatch<Filtered> match = isPath ? tree.find(exchange.method(), path) : null;
        if (match != null) {
            exchange.match(match);
            match.handler().handle(exchange);
            return;
        }
        Set<String> methods = isPath ? tree.methods(path) : path.equals("*") ? tree.methods() : Set.of();
        if (methods.isEmpty()) throw new HttpException(404, "not found");
        String allowed = String.join(", ", methods);
        if (!exchange.method().equals("OPTIONS"))
            throw new HttpException(405, "method not allowed").header("Allow", allowed);
        exchange.header("Allow", allowed).respond(204);
    }

    /** Returns the routes, one a line. */
    @Override
    public String toString() {
        return tree.routes().stream().map(Route::toString).collect(Collectors.joining("\n"));
    }
}
