package org.trueasync.http;

import java.net.InetAddress;
import java.net.InetSocketAddress;
import java.nio.charset.StandardCharsets;
import java.security.MessageDigest;
import java.security.NoSuchAlgorithmException;
import java.time.Duration;
import java.util.Base64;
import java.util.HexFormat;
import java.util.LinkedHashMap;
import java.util.Map;
import java.util.Objects;
import java.util.function.Function;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.time.TimeLimits;

/**
 * Lets each client have so many requests in a time, and answers 429 with {@code Retry-After} beyond that. A client that
 * has been quiet may have them all at once; then they come back one by one. It remembers a bounded number of clients:
 * beyond that it forgets the one that was quiet for the longest.
 *
 * {@snippet :
 * HttpServer.listen(8080, new RateLimitFilter(100, Duration.ofMinutes(1)).around(routes));
 * }
 *
 * <p>Set it up before a server uses it. Then any thread may, and several servers may share it.
 */
public final class RateLimitFilter implements HttpFilter {
    private static final int LONGEST_KEY = 64;
    private static final int PREFIX_BYTES = 8;

    /** Nanoseconds between two requests, and how far ahead of them a client may be. */
    private final long interval;

    private final long ahead;
    private int maxClients = 10_000;
    private Function<Exchange, String> key = RateLimitFilter::address;

    /** For each client until when its requests are spent (GCRA), the one that was quiet for the longest first. */
    private final Map<String, Long> spent = new LinkedHashMap<>(64, 0.75f, true) {
        @Override
        protected boolean removeEldestEntry(Map.Entry<String, Long> eldest) {
            return size() > maxClients;
        }
    };

    /**
     * Creates one.
     *
     * @param requests >= 1
     * @param time > 0, in which a client may have them
     */
    public RateLimitFilter(int requests, Duration time) {
        if (requests < 1) throw new IllegalArgumentException("requests must be >= 1, got " + requests);
        interval = Math.max(1, TimeLimits.positive(time, "time").toNanos() / requests);
        ahead = interval * (requests - 1);
    }

    /**
     * How many clients it remembers at most; 10,000 otherwise. Returns this.
     *
     * @param count >= 1
     */
    public RateLimitFilter maxClients(int count) {
        if (count < 1) throw new IllegalArgumentException("maxClients must be >= 1, got " + count);
        maxClients = count;
        return this;
    }

    /**
     * What tells one client from another; its {@linkplain Exchange#remoteAddress address} otherwise, and of IPv6 the
     * first 64 bits, as a client has all addresses that begin so. Returns this.
     *
     * @param name called for each request, must not wait; clients of the same name share their requests
     */
    public RateLimitFilter by(Function<Exchange, String> name) {
        key = Objects.requireNonNull(name, "name");
        return this;
    }

    @Override
    public void handle(Exchange exchange, HttpHandler next) throws Exception {
        long wait = take(bounded(key.apply(exchange)), exchange.core().now());
        if (wait > 0)
            throw new HttpException(429, "too many requests")
                    .header("Retry-After", Long.toString(Math.ceilDiv(wait, 1_000_000_000L)));
        next.handle(exchange);
    }

    /** Takes a request; returns how many nanoseconds too early it is. */
    private synchronized long take(String client, long now) {
        Long known = spent.get(client);
        long until = known == null || known - now < 0 ? now : known;
        long wait = until - now - ahead;
        if (wait <= 0) spent.put(client, until + interval);
        return wait;
    }

    private static String address(Exchange exchange) {
        InetSocketAddress client = exchange.remoteAddress();
        InetAddress address = client == null ? null : client.getAddress();
        if (address == null) return "";
        byte[] bytes = address.getAddress();
        return HexFormat.of().formatHex(bytes, 0, Math.min(PREFIX_BYTES, bytes.length));
    }

    /** A client may have chosen the name, so it must not fill the memory. */
    private static String bounded(@Nullable String name) {
        if (name == null || name.length() <= LONGEST_KEY) return String.valueOf(name);
        try {
            byte[] hash = MessageDigest.getInstance("SHA-256").digest(name.getBytes(StandardCharsets.UTF_8));
            return Base64.getEncoder().encodeToString(hash);
        } catch (NoSuchAlgorithmException e) {
            throw new AssertionError("every JDK has SHA-256", e);
        }
    }
}
