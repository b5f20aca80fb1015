package org.trueasync.grpc;

import io.grpc.CallOptions;
import io.grpc.Channel;
import io.grpc.ClientCall;
import io.grpc.MethodDescriptor;
import java.net.URI;
import java.time.Duration;
import java.util.Objects;
import org.trueasync.Async;
import org.trueasync.http.HttpClient;
import org.trueasync.internal.grpc.ChannelSettings;
import org.trueasync.internal.grpc.MadeCall;

/**
 * Makes gRPC calls for the stubs of grpc-java, over {@link HttpClient}.
 *
 * <pre>{@code
 * try (var channel = new GrpcChannel("http://localhost:50051")) {
 *     Reply reply = GreeterGrpc.newBlockingStub(channel).greet(request);
 * }
 * }</pre>
 *
 * <p>A blocking stub suspends the calling coroutine, and nothing else. Each call is a coroutine of the scope of its
 * caller: it ends with it. A call's deadline is that of the stub, of {@link io.grpc.Context} or of the {@linkplain
 * Async#remaining time limit} around the call, whichever is first; the server is told. A cancelled caller cancels its
 * call. Without an executor of the program's, listeners are called in the call's coroutine, and may wait there.
 *
 * <p>For the coroutines of one runtime; other threads may make calls by stubs that do not block, and by those that do.
 */
public final class GrpcChannel extends Channel implements AutoCloseable {
    private static final int MAX_MESSAGE_BYTES = 4 * 1024 * 1024;
    private static final int MAX_CALLS = 1_000;

    private final ChannelSettings settings;

    /**
     * Makes a channel for up to 1,000 calls at a time. It connects when it is first used.
     *
     * @param origin {@code http://host:port}, or {@code https://host:port} for TLS
     * @throws IllegalArgumentException if it has another form
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public GrpcChannel(String origin) {
        this(origin, HttpClient.builder().maxConnections(MAX_CALLS));
    }

    /**
     * Makes a channel over a client of the program's description: TLS, proxies, time to connect, how many calls at a
     * time ({@link HttpClient.Builder#maxConnections}), a circuit breaker. It speaks HTTP/2 alone, and its calls have
     * no {@linkplain HttpClient.Builder#readTimeout read timeout}: streams may be silent as long as they like.
     *
     * @param origin {@code http://host:port}, or {@code https://host:port} for TLS
     * @param client whose settings are taken
     * @throws IllegalArgumentException if the origin has another form
     * @throws org.trueasync.AsyncException outside a runtime
     */
    public GrpcChannel(String origin, HttpClient.Builder client) {
        Objects.requireNonNull(origin, "origin");
        Objects.requireNonNull(client, "client");
        URI uri = URI.create(origin.replaceAll("\\p{Cntrl}", "?")); // a query, which is refused
        String path = uri.getRawPath();
        boolean isOrigin = uri.getRawAuthority() != null
                && (path == null || path.isEmpty())
                && uri.getRawQuery() == null
                && uri.getRawFragment() == null;
        if (!isOrigin || !("http".equals(uri.getScheme()) || "https".equals(uri.getScheme())))
            throw new IllegalArgumentException("origin must be http://host:port or https://host:port, got " + uri);
        HttpClient own = client.http2Only().readTimeout(Duration.ZERO).build();
        settings = ChannelSettings.of(own, origin, MAX_MESSAGE_BYTES, Async.executor());
    }

    /**
     * {@inheritDoc}
     *
     * <p>A message of the server may have 4 MiB, unless the options say otherwise ({@code withMaxInboundMessageSize} of
     * a stub).
     */
    @Override
    public <Q, A> ClientCall<Q, A> newCall(MethodDescriptor<Q, A> method, CallOptions options) {
        return new MadeCall<>(settings, method, options);
    }

    /** Host and port. */
    @Override
    public String authority() {
        return settings.authority();
    }

    /** Closes the connections that no call uses. Calls under way go on; further ones are {@code UNAVAILABLE}. */
    @Override
    public void close() {
        settings.client().close();
    }
}
