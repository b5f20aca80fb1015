package org.trueasync.http;

import java.time.Duration;
import java.util.List;
import java.util.Locale;
import java.util.Objects;
import java.util.Set;
import java.util.stream.Collectors;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.http.message.Checks;

/**
 * Lets scripts of other sites read the responses of this server (CORS), and answers the requests by which browsers ask
 * for that first. Put it around all routes, {@code cors.around(routes)}, as these questions have no route.
 *
 * {@snippet :
 * var cors = new CorsFilter("https://app.example.com").headers("Content-Type").credentials(true);
 * HttpServer.listen(8080, cors.around(routes));
 * }
 *
 * <p>Set it up before a server uses it. Then any thread may.
 */
public final class CorsFilter implements HttpFilter {
    private final Set<String> origins;
    private String methods = "GET, HEAD, POST, PUT, PATCH, DELETE";
    private Set<String> headers = Set.of();
    private @Nullable String exposed;
    private @Nullable String maxAge;
    private boolean credentials;

    /**
     * Creates one.
     *
     * @param origins whose scripts may read, {@code https://app.example.com} for instance, as browsers send them; or
     *     {@code *} alone for all
     * @throws IllegalArgumentException if there is none, or {@code *} beside others, or one has a path
     */
    public CorsFilter(String... origins) {
        this.origins = Set.of(origins);
        if (origins.length == 0 || (this.origins.contains("*") && origins.length > 1))
            throw new IllegalArgumentException("origins must be some, or * alone, got " + List.of(origins));
        for (String origin : origins)
            if (!origin.equals("*") && !origin.equals("null") && !origin.matches("[a-z][a-z0-9+.-]*://[^/ ,]+"))
                throw new IllegalArgumentException(
                        "an origin must be scheme://host or scheme://host:port, got '" + origin + "'");
    }

    /** Which methods scripts may use; GET, HEAD, POST, PUT, PATCH and DELETE otherwise. Returns this. */
    public CorsFilter methods(String... names) {
        for (String name : names) Checks.token("method", name);
        methods = String.join(", ", names);
        return this;
    }

    /** Which header fields scripts may set, beside those that they always may; none otherwise. Returns this. */
    public CorsFilter headers(String... names) {
        headers = Stream.of(names)
                .map(name -> Checks.token("name of a header field", name).toLowerCase(Locale.ROOT))
                .collect(Collectors.toUnmodifiableSet());
        return this;
    }

    /** Which header fields of responses scripts may read, beside those that they always may. Returns this. */
    public CorsFilter exposed(String... names) {
        for (String name : names) Checks.token("name of a header field", name);
        exposed = String.join(", ", names);
        return this;
    }

    /**
     * Whether browsers send cookies with such requests; they don't otherwise. Returns this.
     *
     * @param on true for requests in the name of the user who is signed in
     * @throws IllegalStateException if all origins may read: any page could act as the user
     */
    public CorsFilter credentials(boolean on) {
        if (on && origins.contains("*"))
            throw new IllegalStateException(
                    "credentials need origins that are named, as any page could act as the user");
        credentials = on;
        return this;
    }

    /**
     * How long browsers remember an answer; they decide otherwise. Returns this.
     *
     * @param time >= 0, in whole seconds
     */
    public CorsFilter maxAge(Duration time) {
        if (Objects.requireNonNull(time, "time").isNegative())
            throw new IllegalArgumentException("maxAge must be >= 0 s, got " + time);
        maxAge = Long.toString(time.toSeconds());
        return this;
    }

    @Override
    public void handle(Exchange exchange, HttpHandler next) throws Exception {
        String origin = exchange.header("Origin");
        boolean isAsked = origin != null
                && exchange.method().equals("OPTIONS")
                && exchange.headers().has("Access-Control-Request-Method");
        boolean isAny = origins.contains("*");
        if (!isAny) exchange.responseHeaders().add("Vary", "Origin");
        if (origin == null || !(isAny || origins.contains(origin))) {
            if (isAsked) throw new HttpException(403, "scripts of this origin may not ask");
            next.handle(exchange);
            return;
        }
        exchange.header("Access-Control-Allow-Origin", isAny ? "*" : origin);
        if (credentials) exchange.header("Access-Control-Allow-Credentials", "true");
        if (!isAsked) {
            if (exposed != null) exchange.header("Access-Control-Expose-Headers", exposed);
            next.handle(exchange);
            return;
        }
        exchange.header("Access-Control-Allow-Methods", methods);
        if (!headers.isEmpty()) exchange.header("Access-Control-Allow-Headers", String.join(", ", headers));
        if (maxAge != null) exchange.header("Access-Control-Max-Age", maxAge);
        exchange.respond(204);
    }
}
