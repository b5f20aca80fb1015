package org.trueasync.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.Timer;
import java.util.EnumMap;
import java.util.Locale;
import java.util.Map;
import java.util.Objects;
import org.trueasync.diagnostics.Ledger.Kind;
import org.trueasync.http.Exchange;
import org.trueasync.http.HttpFilter;
import org.trueasync.http.HttpHandler;

/**
 * A filter that times what requests spend their time on: one timer {@code trueasync.http.server.request.time} for each
 * kind of the {@link org.trueasync.diagnostics.Ledger}, with the tag {@code kind}: {@code running}, {@code queue},
 * {@code pool} and so on. A request counts in the timers of the kinds that it has a part of; the sum of all timers is
 * the time of all requests.
 *
 * {@snippet :
 * HttpServer.listen(8080, new RequestTimeMetrics(registry, Tags.empty()).around(routes));
 * }
 */
public final class RequestTimeMetrics implements HttpFilter {
    private final Map<Kind, Timer> timers = new EnumMap<>(Kind.class);

    /**
     * Registers the timers.
     *
     * @param registry where
     * @param tags of all timers, besides {@code kind}
     */
    public RequestTimeMetrics(MeterRegistry registry, Iterable<Tag> tags) {
        Objects.requireNonNull(registry, "registry");
        for (Kind kind : Kind.values())
            timers.put(
                    kind,
                    Timer.builder("trueasync.http.server.request.time")
                            .description("What requests spend their time on")
                            .tags(Tags.of(tags).and("kind", kind.name().toLowerCase(Locale.ROOT)))
                            .register(registry));
    }

    @Override
    public void handle(Exchange exchange, HttpHandler next) throws Exception {
        var ledger = exchange.ledger();
        try {
            next.handle(exchange);
        } finally {
            ledger.byKind().forEach((kind, time) -> Objects.requireNonNull(timers.get(kind))
                    .record(time));
        }
    }
}
