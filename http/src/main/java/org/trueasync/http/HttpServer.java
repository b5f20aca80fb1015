package org.trueasync.http;

import java.net.InetSocketAddress;
import java.net.SocketAddress;
import java.nio.ByteBuffer;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.function.Consumer;
import javax.net.ssl.SSLContext;
import org.jspecify.annotations.Nullable;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Cores;
import org.trueasync.internal.http.message.Fields;
import org.trueasync.internal.http.server.ExchangeCore;
import org.trueasync.internal.http.server.ExchangeHandler;
import org.trueasync.internal.http.server.ServerCore;
import org.trueasync.internal.http.server.ServerSettings;
import org.trueasync.internal.time.TimeLimits;
import org.trueasync.io.TlsOptions;

/**
 * A server for HTTP/1.1 and HTTP/2. Each request is handled by a coroutine of its own, in plain blocking code.
 *
 * {@snippet :
 * HttpServer.listen(8080, exchange -> exchange.respond("hello " + exchange.path()));
 * }
 *
 * <p>It belongs to the scope in which it was started, and ends with it. A {@linkplain
 * org.trueasync.AsyncRuntime#shutdown graceful shutdown}, by a signal for instance, drains it first: it stops
 * accepting, tells its peers to close their connections, and answers the requests that are under way.
 *
 * <p>Loop thread only, except {@link #port}, {@link #localAddress}, {@link #localAddresses} and {@link #stats}.
 */
public final class HttpServer implements AutoCloseable {
    private final ServerCore core;

    private HttpServer(ServerCore core) {
        this.core = core;
    }

    /**
     * Listens on all addresses of this machine, with the defaults of {@link Builder}. Returns at once.
     *
     * @param port 0 to 65535; 0 for any free one, see {@link #port}
     * @param handler answers the requests
     * @throws org.trueasync.InputOutputException if the system refuses: address in use, no permission
     * @throws IllegalArgumentException if the port is out of range
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public static HttpServer listen(int port, HttpHandler handler) {
        return builder().port(port).listen(handler);
    }

    /** Starts to describe a server. */
    public static Builder builder() {
        return new Builder();
    }

    /**
     * Returns the port of its first listener that has one. Any thread, also after the end.
     *
     * @throws IllegalStateException if it listens on Unix sockets alone
     */
    public int port() {
        return localAddress().getPort();
    }

    /**
     * Returns the address of its first listener on a port. Any thread, also after the end.
     *
     * @throws IllegalStateException if it listens on Unix sockets alone
     */
    public InetSocketAddress localAddress() {
        for (SocketAddress address : localAddresses()) if (address instanceof InetSocketAddress port) return port;
        throw new IllegalStateException("the server listens on no port, but on " + localAddresses());
    }

    /**
     * Returns the addresses of all its listeners, in the order in which they were added: an {@link InetSocketAddress},
     * or a {@link java.net.UnixDomainSocketAddress}. Any thread, also after the end.
     */
    public List<SocketAddress> localAddresses() {
        return core.addresses();
    }

    /**
     * Returns its figures: what it has done since its start, and what is under way. Any thread, also after the end.
     * Read on another thread while the server works, they need not quite agree with each other.
     */
    public ServerStats stats() {
        return ServerStats.of(core.counters());
    }

    /** True once it accepts no connection any more. */
    public boolean isClosed() {
        return core.isClosed();
    }

    /**
     * Stops accepting, closes idle connections, tells the peers of the others to close them, and waits until all
     * requests under way have been answered. A graceful shutdown does it by itself.
     *
     * @throws org.trueasync.AsyncCancellation if cancelled while waiting; the server goes on draining
     */
    public void drain() {
        core.drain(null);
    }

    /**
     * As {@link #drain()}; when the time is over, {@linkplain #close closes} the server.
     *
     * @param limit > 0
     * @return whether all requests were answered in time
     */
    public boolean drain(Duration limit) {
        try {
            org.trueasync.Async.withTimeout(limit, () -> core.drain(null));
            return true;
        } catch (AsyncTimeoutException e) {
            close();
            return false;
        }
    }

    /** Stops listening, and cancels all requests under way. Returns at once. Idempotent. */
    @Override
    public void close() {
        core.close();
    }

    @Override
    public String toString() {
        return "HttpServer " + localAddresses();
    }

    /** Answers by a public handler. */
    record Handling(HttpHandler handler, @Nullable JsonCodec json, boolean problems) implements ExchangeHandler {
        /** What turns values into JSON. */
        JsonCodec codec() {
            return json == null ? JsonCodec.installed() : json;
        }

        @Override
        public @Nullable ErrorAnswer answerTo(Throwable error, int status, String text) {
            HttpException http = error instanceof HttpException known && known.status() == status ? known : null;
            if (http == null && !problems) return null;
            var fields = http == null ? new Fields() : http.fields();
            return problems
                    ? new ErrorAnswer(
                            fields, "application/problem+json", ByteBuffer.wrap(Problems.of(http, status, text)))
                    : new ErrorAnswer(fields, null, null);
        }

        @Override
        public void handle(ExchangeCore exchange) throws Exception {
            new Exchange(exchange).serve(handler);
        }

        @Override
        public RuntimeException failure(int status, String text) {
            return new HttpException(status, text);
        }

        @Override
        public int statusOf(Throwable error) {
            return error instanceof HttpException http ? http.status() : 0;
        }
    }

    /** What a server is told at its start. Every limit has a default. */
    public static final class Builder {
        private final ServerSettings settings = new ServerSettings();
        private static final Listener ANY_PORT = Listener.tcp(0);

        private final List<Listener> listeners = new ArrayList<>();
        private Listener alone = ANY_PORT;
        private boolean onEachCore;
        private @Nullable JsonCodec json;
        private boolean problems;

        private Builder() {}

        /**
         * The address to listen on; all of this machine otherwise. Returns this.
         *
         * @param host name or literal of a local address
         */
        public Builder host(String host) {
            alone = alone.host(host);
            return this;
        }

        /**
         * The port; any free one otherwise. Returns this.
         *
         * @param port 0 to 65535
         */
        public Builder port(int port) {
            alone = alone.port(port);
            return this;
        }

        /**
         * Listens on each of several cores: each calls {@link #listen}, see {@link org.trueasync.Cores}. A Unix socket
         * beside the ports is served by the first core alone. Returns this.
         */
        public Builder onEachCore() {
            onEachCore = true;
            return this;
        }

        /**
         * Speaks TLS. It offers its clients HTTP/2 and HTTP/1 (ALPN), unless the options name {@linkplain
         * TlsOptions#applicationProtocols protocols} of their own. Returns this.
         *
         * @param options a server's
         */
        public Builder tls(TlsOptions options) {
            alone = alone.tls(options);
            return this;
        }

        /**
         * Whether HTTP/2 is spoken with clients that choose it in the TLS handshake, or, without TLS, begin with it; it
         * is otherwise. Returns this.
         *
         * @param on false for HTTP/1 alone, as {@link Listener#http1Only}
         */
        public Builder http2(boolean on) {
            alone = alone.http2(on);
            return this;
        }

        /**
         * As {@link #tls(TlsOptions)}.
         *
         * @param context with the server's key
         */
        public Builder tls(SSLContext context) {
            return tls(TlsOptions.server(context));
        }

        /**
         * Adds a place to listen, in place of the one that {@link #host}, {@link #port}, {@link #tls(TlsOptions)} and
         * {@link #http2} describe. Returns this.
         *
         * {@snippet :
         * builder.listener(Listener.tcp(443).tls(context)).listener(Listener.unix(Path.of("/run/service.sock")));
         * }
         *
         * @param listener a port or a Unix socket, and what is spoken there
         */
        public Builder listener(Listener listener) {
            listeners.add(Objects.requireNonNull(listener, "listener"));
            return this;
        }

        /**
         * The most bytes that request line and header fields may have; 16 KiB otherwise. Beyond it: 431, or 414 if the
         * target alone is too long. Returns this.
         *
         * @param bytes >= 256
         */
        public Builder maxHeaderBytes(int bytes) {
            settings.maxHeaderBytes = (int) atLeast("maxHeaderBytes", bytes, 256);
            return this;
        }

        /**
         * The most bytes that a body may have, unless a handler {@linkplain Exchange#maxBodyBytes says otherwise};
         * 8 MiB otherwise. Beyond it a handler that reads it gets 413. Returns this.
         *
         * @param bytes >= 0; 0 for no limit
         */
        public Builder maxBodyBytes(long bytes) {
            settings.maxBodyBytes = atLeast("maxBodyBytes", bytes, 0);
            return this;
        }

        /**
         * The most connections at a time; 100,000 otherwise. One more gets 503 and is closed. Returns this.
         *
         * @param count >= 1
         */
        public Builder maxConnections(int count) {
            settings.maxConnections = (int) atLeast("maxConnections", count, 1);
            return this;
        }

        /**
         * After how many requests a connection is closed; never otherwise. Returns this.
         *
         * @param count >= 1
         */
        public Builder maxRequestsPerConnection(long count) {
            settings.maxRequestsPerConnection = atLeast("maxRequestsPerConnection", count, 1);
            return this;
        }

        /**
         * How old a connection may become, and how long what is under way on it may then go on; without a limit
         * otherwise. So clients connect again now and then, and find the servers behind a load balancer that are new.
         * An old connection is drained: it is closed when it is idle, with {@code Connection: close} in the next
         * response, or {@code GOAWAY} of HTTP/2. After the grace, WebSockets are closed with 1001, streams of events
         * end, and other requests are cancelled, as they are when a server ends. Five seconds later the connection is
         * closed. Ages differ by up to a tenth, so that connections that came together do not end together. Returns
         * this.
         *
         * @param age >= 0; 0 for no limit
         * @param grace > 0
         */
        public Builder maxConnectionAge(Duration age, Duration grace) {
            TimeLimits.positive(grace, "grace");
            settings.ageNanos = nanos("age", age);
            settings.ageGraceNanos = (grace.compareTo(LONGEST) > 0 ? LONGEST : grace).toNanos();
            return this;
        }

        /**
         * How many requests are handled at a time, and how many may wait for their turn, in the order in which they
         * came; no limit otherwise. Beyond it: 503 with {@code Retry-After}. Returns this.
         *
         * @param running >= 1
         * @param queued >= 0
         */
        public Builder maxRequests(int running, int queued) {
            settings.maxRunning = (int) atLeast("running", running, 1);
            settings.maxQueued = (int) atLeast("queued", queued, 0);
            return this;
        }

        /**
         * How long a connection may wait for its next request; 60 s otherwise. Then it is closed. Returns this.
         *
         * @param time >= 0; 0 for no limit
         */
        public Builder idleTimeout(Duration time) {
            settings.idleNanos = nanos("idleTimeout", time);
            return this;
        }

        /**
         * How long a head may take from its first byte to its last, and a TLS handshake; 10 s otherwise. Then: 408.
         * Returns this.
         *
         * @param time >= 0; 0 for no limit
         */
        public Builder headerTimeout(Duration time) {
            settings.headNanos = nanos("headerTimeout", time);
            return this;
        }

        /**
         * How long a handler that reads waits for the next byte of a body; 30 s otherwise. Then: 408. Returns this.
         *
         * @param time >= 0; 0 for no limit
         */
        public Builder bodyTimeout(Duration time) {
            settings.bodyNanos = nanos("bodyTimeout", time);
            return this;
        }

        /**
         * How long one write waits for a peer that does not read; 30 s otherwise. Then the connection is cut. Returns
         * this.
         *
         * @param time >= 0; 0 for no limit
         */
        public Builder writeTimeout(Duration time) {
            settings.writeNanos = nanos("writeTimeout", time);
            return this;
        }

        /**
         * How long a handler may take; no limit otherwise. Then it is cancelled, and the response is 503. The handler
         * and what it spawns get the time that is left by {@link org.trueasync.Async#remaining}. Returns this.
         *
         * @param time >= 0; 0 for no limit
         */
        public Builder requestTimeout(Duration time) {
            settings.requestNanos = nanos("requestTimeout", time);
            return this;
        }

        /**
         * Whether the handler of a {@code GET} or {@code HEAD} is cancelled if its client leaves; it is otherwise. A
         * client that has only closed its own output gets a second for its answer. Returns this.
         *
         * @param on true to cancel
         */
        public Builder cancelAbandoned(boolean on) {
            settings.cancelsAbandoned = on;
            return this;
        }

        /**
         * Gets an entry for each request that is over, also for those that the server has refused by itself. Returns
         * this.
         *
         * {@snippet :
         * builder.accessLog(entry -> System.out.println(entry.common()));
         * }
         *
         * @param log called in the coroutine of the request, so that a slow log slows the connection down; what it
         *     throws is reported
         */
        public Builder accessLog(Consumer<AccessLog> log) {
            Objects.requireNonNull(log, "log");
            settings.listener = served -> log.accept(AccessLog.of(served));
            return this;
        }

        /**
         * What {@link Exchange#json} and {@link Exchange#body} use; {@link JsonCodec#installed} otherwise. Returns
         * this.
         *
         * @param codec for instance one around a mapper with settings of its own
         */
        public Builder json(JsonCodec codec) {
            json = Objects.requireNonNull(codec, "codec");
            return this;
        }

        /**
         * Whether errors of handlers are answered with problem details (RFC 9457), as {@code application/problem+json};
         * with a line of text otherwise. Returns this.
         *
         * @param on true for problem details; {@link HttpException#with} adds members
         */
        public Builder problemDetails(boolean on) {
            problems = on;
            return this;
        }

        /**
         * Compresses responses for clients that accept it; never otherwise: by gzip, and by Zstandard or Brotli if a
         * program has {@code com.github.luben:zstd-jni} or {@code com.aayushatharva.brotli4j:brotli4j}. It is done for
         * text, JSON, XML and the like, where the handler has set no {@code Content-Encoding}, and no
         * {@code Content-Length} for a body that it writes in parts. Each part can be read by the client at once.
         * Events ({@code text/event-stream}) are not compressed. A strong {@code ETag} becomes a weak one. All
         * coroutines of the loop wait for the compressor, some ten milliseconds for a megabyte in all; and if a
         * response has both a secret and what somebody else may choose, its length can tell the secret. So it is not
         * done unless asked for. Returns this.
         *
         * @param from the smallest body in bytes, >= 1; 1024 is a good choice
         */
        public Builder compress(int from) {
            settings.compressFrom = (int) atLeast("from", from, 1);
            return this;
        }

        /**
         * How much responses are compressed; 1 otherwise. Returns this.
         *
         * @param level 1 to 9, from the fastest to the smallest
         */
        public Builder compressionLevel(int level) {
            if (level < 1 || level > 9) throw new IllegalArgumentException("level must be 1 to 9, got " + level);
            settings.compressionLevel = level;
            return this;
        }

        /**
         * Whether request bodies with a {@code Content-Encoding} are decoded: gzip, and {@code zstd} and {@code br} if
         * there is the library as for {@link #compress}. Others are refused with 415; all come as they were sent
         * otherwise. The {@linkplain #maxBodyBytes largest body} then holds for what
         * is sent and for what becomes of it. Returns this.
         *
         * @param on true to decode them
         */
        public Builder decodeBodies(boolean on) {
            settings.decodesBodies = on;
            return this;
        }

        /**
         * Begins to listen. Returns at once; suspends only to look up a name, and to load what compresses.
         *
         * @param handler answers the requests
         * @throws IllegalStateException if there are listeners, and host, port, TLS or HTTP/2 beside them
         * @throws org.trueasync.InputOutputException if the system refuses: address in use, no permission
         * @throws org.trueasync.DnsException if the host is not known
         * @throws UnsupportedOperationException if there are several cores and the system does not spread connections,
         *     or there is no port
         * @throws org.trueasync.AsyncException outside a runtime
         */
        public HttpServer listen(HttpHandler handler) {
            Objects.requireNonNull(handler, "handler");
            if (!listeners.isEmpty() && alone != ANY_PORT)
                throw new IllegalStateException("the builder has listeners, " + listeners
                        + ", so host, port, tls and http2 belong to these: Listener.tcp(port).host(...)");
            ServerSettings own = settings.copy();
            List<Listener> all = listeners.isEmpty() ? List.of(alone) : listeners;
            if (onEachCore && all.stream().noneMatch(Listener::isPort))
                throw new UnsupportedOperationException(
                        all + " can't be shared by cores, as no port can; let one core listen there");
            boolean isFirst = !onEachCore || Cores.current().index() == 0;
            own.listeners = all.stream()
                    .filter(listener -> isFirst || listener.isPort())
                    .map(listener -> listener.settings(onEachCore))
                    .toList();
            return new HttpServer(new ServerCore(own, new Handling(handler, json, problems)));
        }

        private static long atLeast(String name, long value, long least) {
            if (value < least) throw new IllegalArgumentException(name + " must be >= " + least + ", got " + value);
            return value;
        }

        private static long nanos(String name, Duration time) {
            TimeLimits.notNegative(time, name);
            return time.compareTo(LONGEST) > 0 ? 0 : time.toNanos();
        }

        private static final Duration LONGEST = Duration.ofDays(3650);
    }
}
