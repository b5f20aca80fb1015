package org.trueasync.micrometer;

import io.micrometer.core.instrument.FunctionCounter;
import io.micrometer.core.instrument.FunctionTimer;
import io.micrometer.core.instrument.Gauge;
import io.micrometer.core.instrument.Meter;
import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.TimeGauge;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.TimeUnit;
import java.util.function.ToDoubleFunction;
import java.util.function.ToLongFunction;
import org.jspecify.annotations.Nullable;

/**
 * The meters of one object in one registry. They refer to the object weakly.
 *
 * @param <T> type of the object
 */
final class MeterSet<T> {
    private final MeterRegistry registry;
    private final T source;
    private final Tags tags;
    private final List<Meter> meters = new ArrayList<>();

    MeterSet(MeterRegistry registry, T source, Tags tags) {
        this.registry = registry;
        this.source = source;
        this.tags = tags;
    }

    /**
     * Adds what goes up and down.
     *
     * @param more a tag besides those of all meters, or null
     */
    void gauge(String name, String description, @Nullable Tag more, ToDoubleFunction<T> value) {
        meters.add(Gauge.builder(name, source, value)
                .description(description)
                .tags(with(more))
                .register(registry));
    }

    void gauge(String name, String description, ToDoubleFunction<T> value) {
        gauge(name, description, null, value);
    }

    /** Adds a time that goes up and down, in milliseconds. */
    void time(String name, String description, ToDoubleFunction<T> millis) {
        meters.add(TimeGauge.builder(name, source, TimeUnit.MILLISECONDS, millis)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    /**
     * Adds what only goes up.
     *
     * @param more a tag besides those of all meters, or null
     */
    void counter(String name, String description, @Nullable Tag more, ToDoubleFunction<T> value) {
        meters.add(FunctionCounter.builder(name, source, value)
                .description(description)
                .tags(with(more))
                .register(registry));
    }

    void counter(String name, String description, ToDoubleFunction<T> value) {
        counter(name, description, null, value);
    }

    void bytes(String name, String description, ToDoubleFunction<T> value) {
        meters.add(FunctionCounter.builder(name, source, value)
                .description(description)
                .baseUnit("bytes")
                .tags(tags)
                .register(registry));
    }

    /** Adds times that have gone by: how many, and how many milliseconds in all. */
    void timer(String name, String description, ToLongFunction<T> count, ToDoubleFunction<T> millis) {
        meters.add(FunctionTimer.builder(name, source, count, millis, TimeUnit.MILLISECONDS)
                .description(description)
                .tags(tags)
                .register(registry));
    }

    private Tags with(@Nullable Tag more) {
        return more == null ? tags : tags.and(more);
    }

    /** Takes all of them out of the registry. */
    void remove() {
        for (Meter meter : meters) registry.remove(meter);
    }
}
