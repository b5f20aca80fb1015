package org.trueasync.http;

import java.net.CookieHandler;
import java.net.InetSocketAddress;
import java.net.ProxySelector;
import java.net.URI;
import java.nio.charset.StandardCharsets;
import java.time.Duration;
import java.util.Base64;
import java.util.Map;
import java.util.Objects;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.CircuitBreakerStrategy;
import org.trueasync.PoolStats;
import org.trueasync.internal.http.client.ClientCore;
import org.trueasync.internal.http.client.ClientExchange;
import org.trueasync.internal.http.client.ClientSettings;
import org.trueasync.internal.http.message.Checks;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.io.TlsOptions;

/**
 * A small client of HTTP/1.1 and HTTP/2 for calls inside of a service, in plain blocking code. It keeps connections: a
 * {@link org.trueasync.Pool} for each origin, that is scheme, host and port. Over TLS it speaks HTTP/2 if the server
 * offers it, and without TLS if it is {@linkplain Builder#http2Only told to}; then the calls share a connection.
 *
 * {@snippet :
 * try (var client = HttpClient.builder().build()) {
 *     String text = Async.withTimeout(Duration.ofSeconds(2), () -> client.get("http://localhost:8080/").text());
 * }
 * }
 *
 * <p>A time limit around a call ({@link org.trueasync.Async#withTimeout}) bounds everything in it: the wait for a
 * connection, the look-up of the name, connecting, TLS, sending and reading. A call that is cancelled closes its
 * connection, or over HTTP/2 its stream.
 *
 * <p>For the coroutines of one runtime. Loop thread only, except {@link #stats} and {@link #retries}.
 */
public final class HttpClient implements AutoCloseable {
    private final ClientCore core;
    private final ClientSettings settings;

    private final @Nullable JsonCodec json;

    private HttpClient(ClientSettings settings, @Nullable JsonCodec json) {
        this.settings = settings;
        this.json = json;
        this.core = new ClientCore(settings);
    }

    /** Starts to describe a client. */
    public static Builder builder() {
        return new Builder();
    }

    /** What turns values into JSON. */
    JsonCodec codec() {
        return json == null ? JsonCodec.installed() : json;
    }

    ClientCore core() {
        return core;
    }

    HttpResponse response(ClientExchange exchange) {
        return new HttpResponse(exchange, settings.gzip, settings.maxBodyBytes, this);
    }

    /**
     * Sends a GET and waits for the head of the response.
     *
     * @param uri absolute, of http or https
     * @return the response; read its body to the end, or close it
     * @throws IllegalArgumentException if the URI is malformed, or not of http or https
     * @throws RuntimeException as {@link HttpRequest#send}
     */
    public HttpResponse get(String uri) {
        return request("GET", uri).send();
    }

    /**
     * As {@link #get(String)}.
     *
     * @param uri absolute, of http or https
     */
    public HttpResponse get(URI uri) {
        return request("GET", uri).send();
    }

    /**
     * Starts to describe a request.
     *
     * @param method in capital letters, as methods are; not {@code CONNECT}
     * @param uri absolute, of http or https; a fragment is not sent
     * @throws IllegalArgumentException if the URI is malformed
     */
    public HttpRequest request(String method, String uri) {
        return request(method, Checks.uri(uri));
    }

    /**
     * As {@link #request(String, String)}.
     *
     * @param method in capital letters
     * @param uri absolute, of http or https; a fragment is not sent
     */
    public HttpRequest request(String method, URI uri) {
        Checks.token("method", method);
        // characters beyond ASCII are sent as escapes
        return new HttpRequest(
                this, method, URI.create(Objects.requireNonNull(uri, "uri").toASCIIString()));
    }

    /**
     * Returns the figures of the pools, by origin: {@code http://localhost:8080}. A pool without connections may leave,
     * if there are many. Any thread. Read on another thread while the client works, they need not quite agree with each
     * other.
     */
    public Map<String, PoolStats> stats() {
        return core.stats();
    }

    /**
     * Returns how many requests were sent a second time, as the server had closed the idle connection that they were
     * sent on first, or has not looked at them. Any thread.
     */
    public long retries() {
        return core.retries();
    }

    /**
     * Closes the idle connections. Calls under way go on, and close theirs; further calls are refused. Idempotent.
     */
    @Override
    public void close() {
        core.close();
    }

    /** Collects the settings of a client. Belongs to whoever made it. */
    public static final class Builder {
        private final ClientSettings settings = new ClientSettings();
        private @Nullable JsonCodec json;

        private Builder() {}

        /**
         * Speaks HTTP/1 alone. Otherwise HTTP/2 is spoken too, over TLS, with servers that offer it (ALPN). Returns
         * this.
         */
        public Builder http1Only() {
            settings.http1 = true;
            settings.http2 = false;
            return this;
        }

        /**
         * Speaks HTTP/2 alone: without TLS too, to servers that are known to speak it. A call to another server fails.
         * Returns this.
         */
        public Builder http2Only() {
            settings.http1 = false;
            settings.http2 = true;
            return this;
        }

        /**
         * How many calls to one origin are under way at most, 64 otherwise. Each has a connection of its own; over
         * HTTP/2 they share one, and others only if the server allows no more on it. A call beyond them waits for its
         * turn. Returns this.
         *
         * @param count >= 1
         */
        public Builder maxConnections(int count) {
            settings.maxConnections = (int) atLeast("maxConnections", count, 1);
            return this;
        }

        /**
         * How long an unused connection is kept, 30 s otherwise. Before it is used again it is looked at: one that the
         * server has closed, or wants to close, is not used. Returns this.
         *
         * @param time > 0
         */
        public Builder keepAlive(Duration time) {
            settings.keepAlive = bounded(TimeLimits.positive(time, "keepAlive"));
            return this;
        }

        /**
         * How long it may take to connect: name, TCP, proxy and TLS together; 10 s otherwise. Returns this.
         *
         * @param time >= 0; 0 for no limit
         */
        public Builder connectTimeout(Duration time) {
            settings.connectTimeout = limit("connectTimeout", time);
            return this;
        }

        /**
         * How long a call waits for a server that sends no byte and takes none, 60 s otherwise. It bounds no call as a
         * whole: {@link org.trueasync.Async#withTimeout} does. Returns this.
         *
         * @param time >= 0; 0 for no limit
         */
        public Builder readTimeout(Duration time) {
            settings.readTimeout = limit("readTimeout", time);
            return this;
        }

        /**
         * How many bytes the head of a response may have, 32 KiB otherwise. Returns this.
         *
         * @param bytes >= 256
         */
        public Builder maxHeaderBytes(int bytes) {
            settings.maxHeaderBytes = (int) atLeast("maxHeaderBytes", bytes, 256);
            return this;
        }

        /**
         * How many bytes {@link HttpResponse#bytes} and {@link HttpResponse#text} read at most, after decoding; 16 MiB
         * otherwise. A stream has no limit. Returns this.
         *
         * @param bytes >= 0
         */
        public Builder maxBodyBytes(long bytes) {
            settings.maxBodyBytes = atLeast("maxBodyBytes", bytes, 0);
            return this;
        }

        /**
         * Options of TLS for https: trust, keys, versions; those of {@link TlsOptions#client()} otherwise. Returns
         * this.
         *
         * @param options of a client; the application protocols are set
         */
        public Builder tls(TlsOptions options) {
            settings.tls = Objects.requireNonNull(options, "options");
            return this;
        }

        /**
         * Goes through a proxy: requests of http are sent to it, those of https through a tunnel ({@code CONNECT}).
         * None otherwise. Returns this.
         *
         * @param host name or literal
         * @param port 1 to 65535
         */
        public Builder proxy(String host, int port) {
            return proxy(ProxySelector.of(InetSocketAddress.createUnresolved(Checks.host(host), port)));
        }

        /**
         * As {@link #proxy(String, int)}, with a choice for each origin.
         *
         * @param selector asked for each new connection; must not wait. The first proxy that it names is used, which
         *     must be an HTTP one or {@link java.net.Proxy#NO_PROXY}
         */
        public Builder proxy(ProxySelector selector) {
            settings.proxies = Objects.requireNonNull(selector, "selector");
            return this;
        }

        /**
         * Sets what the proxy is told about who asks (Basic authorization). Returns this.
         *
         * @param user without a colon
         * @param password sent as it is: only the connection to the proxy protects it
         */
        public Builder proxyAuthorization(String user, String password) {
            Objects.requireNonNull(password, "password");
            if (Objects.requireNonNull(user, "user").indexOf(':') >= 0)
                throw new IllegalArgumentException("the user must have no colon");
            byte[] both = (user + ':' + password).getBytes(StandardCharsets.UTF_8);
            settings.proxyAuthorization = "Basic " + Base64.getEncoder().encodeToString(both);
            return this;
        }

        /**
         * Follows redirects, which is off otherwise: 303 as a GET, 301 and 302 of a POST as a GET, others with the same
         * method and body. Not from https to http, and not if a body that comes from a stream would have to be sent
         * again: then the redirect is the response. {@code Authorization}, {@code Cookie} and {@code Host} are not sent
         * to another origin. Returns this.
         *
         * @param most how many in a row, >= 0; 0 for off. Beyond them the call fails
         */
        public Builder followRedirects(int most) {
            settings.maxRedirects = (int) atLeast("followRedirects", most, 0);
            return this;
        }

        /**
         * Keeps cookies: none otherwise. Returns this.
         *
         * @param handler for example a {@link java.net.CookieManager}; called for each request and response, must not
         *     wait
         */
        public Builder cookies(CookieHandler handler) {
            settings.cookies = Objects.requireNonNull(handler, "handler");
            return this;
        }

        /**
         * Asks for bodies that are compressed by gzip, and decodes them; off otherwise. Returns this.
         *
         * @param on true to ask
         */
        public Builder gzip(boolean on) {
            settings.gzip = on;
            return this;
        }

        /**
         * Whether calls tell the trace of which they are a part: that of the request for which they are made ({@link
         * HttpFilters#trace}), or with {@code trueasync-context} OpenTelemetry's; they do otherwise, unless they have a
         * {@code traceparent} of their own. Returns this.
         *
         * @param on false for services of others that are not to know the trace and its baggage
         */
        public Builder traceContext(boolean on) {
            settings.sendsTrace = on;
            return this;
        }

        /**
         * What {@link HttpRequest#json} and {@link HttpResponse#body} use; {@link JsonCodec#installed} otherwise.
         * Returns this.
         *
         * @param codec for instance one around a mapper with settings of its own
         */
        public Builder json(JsonCodec codec) {
            json = Objects.requireNonNull(codec, "codec");
            return this;
        }

        /**
         * Sets the circuit breaker of each origin's pool; none otherwise. A call fails for it if there is no
         * connection, the connection breaks, the response is malformed, or the server is silent for the {@link
         * #readTimeout} or until the time limit around the call is over. A status such as 500 is a success, and a call
         * that the program cancels otherwise counts as nothing. Returns this.
         *
         * @param strategy makes the strategy of an origin, for example
         *     {@code () -> RecoveryStrategy.consecutiveFailures(5)}
         */
        public Builder circuitBreaker(Supplier<? extends CircuitBreakerStrategy> strategy) {
            settings.breaker = Objects.requireNonNull(strategy, "strategy");
            return this;
        }

        /**
         * Makes the client. It connects when it is first used.
         *
         * @throws org.trueasync.AsyncException outside a runtime
         */
        public HttpClient build() {
            return new HttpClient(settings.copy(), json);
        }

        private static long atLeast(String name, long value, long least) {
            if (value < least) throw new IllegalArgumentException(name + " must be >= " + least + ", got " + value);
            return value;
        }

        private static Duration limit(String name, Duration time) {
            TimeLimits.notNegative(time, name);
            return bounded(time);
        }

        private static Duration bounded(Duration time) {
            return time.compareTo(LONGEST) < 0 ? time : LONGEST;
        }

        private static final Duration LONGEST = Duration.ofDays(3650);
    }
}
