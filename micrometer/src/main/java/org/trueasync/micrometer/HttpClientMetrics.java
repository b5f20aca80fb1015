package org.trueasync.micrometer;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import java.util.function.ToIntFunction;
import org.trueasync.PoolStats;
import org.trueasync.http.HttpClient;

/**
 * The figures of an HTTP client of {@code trueasync-http}, with a tag {@code client} that has its name: those of all
 * its origins together, since a client may talk to any number of them.
 *
 * <p>Any thread.
 */
public final class HttpClientMetrics extends ObjectMetrics<HttpClient> {
    private static final String PREFIX = "trueasync.http.client.";

    /**
     * Creates a binder whose meters have the tag {@code client} alone.
     *
     * @param client whose figures
     * @param name if the registry has one of this name, the tag ends in {@code -2} and so on
     */
    public HttpClientMetrics(HttpClient client, String name) {
        this(client, name, Tags.empty());
    }

    /**
     * Creates a binder.
     *
     * @param client whose figures
     * @param name if the registry has one of this name and these tags, the tag ends in {@code -2} and so on
     * @param tags of all meters, besides {@code client}
     */
    public HttpClientMetrics(HttpClient client, String name, Iterable<Tag> tags) {
        super(Objects.requireNonNull(client, "client"), Tags.of(tags), "client", name);
    }

    @Override
    void register(MeterSet<HttpClient> meters) {
        connections(meters, "idle", PoolStats::idle);
        connections(meters, "active", PoolStats::active);
        meters.gauge(
                PREFIX + "waiting", "Requests that wait for a connection", client -> sum(client, PoolStats::waiting));
        meters.counter(PREFIX + "retries", "Requests sent a second time", HttpClient::retries);
    }

    private static void connections(MeterSet<HttpClient> meters, String state, ToIntFunction<PoolStats> count) {
        meters.gauge(
                PREFIX + "connections",
                "Connections; those are active that are not free",
                Tag.of("state", state),
                client -> sum(client, count));
    }

    private static int sum(HttpClient client, ToIntFunction<PoolStats> count) {
        return client.stats().values().stream().mapToInt(count).sum();
    }
}
