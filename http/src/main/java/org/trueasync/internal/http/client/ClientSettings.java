package org.trueasync.internal.http.client;

import java.net.CookieHandler;
import java.net.ProxySelector;
import java.time.Duration;
import java.util.function.Supplier;
import org.jspecify.annotations.Nullable;
import org.trueasync.CircuitBreakerStrategy;
import org.trueasync.io.TlsOptions;

/** What a client is told when it is built. A zero duration stands for no limit. */
public final class ClientSettings implements Cloneable {
    /** Makes the defaults. */
    public ClientSettings() {}

    public boolean http1 = true;
    public boolean http2 = true;
    public int maxConnections = 64;
    public Duration keepAlive = Duration.ofSeconds(30);
    public Duration connectTimeout = Duration.ofSeconds(10);
    public Duration readTimeout = Duration.ofSeconds(60);
    public int maxHeaderBytes = 32 * 1024;
    public long maxBodyBytes = 16 * 1024 * 1024;
    public int maxRedirects;
    public boolean gzip;
    public boolean sendsTrace = true;
    public @Nullable TlsOptions tls;
    public @Nullable CookieHandler cookies;
    public @Nullable ProxySelector proxies;
    /** The value of Proxy-Authorization. */
    public @Nullable String proxyAuthorization;

    public @Nullable Supplier<? extends CircuitBreakerStrategy> breaker;

    /** What is set now, for one client. */
    public ClientSettings copy() {
        try {
            return (ClientSettings) clone();
        } catch (CloneNotSupportedException e) {
            throw new AssertionError(e);
        }
    }
}
