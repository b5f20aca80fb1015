package org.trueasync.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;

/**
 * The figures of one object of the program. Any thread.
 *
 * @param <T> type of the object
 */
abstract class ObjectMetrics<T> implements MeterBinder, AutoCloseable {
    private final T source;
    private final Tags tags;
    private final List<MeterSet<T>> bound = new ArrayList<>();

    ObjectMetrics(T source, Tags tags) {
        this.source = source;
        this.tags = tags;
    }

    /** Adds the meters. */
    abstract void register(MeterSet<T> meters);

    @Override
    public final synchronized void bindTo(MeterRegistry registry) {
        var meters = new MeterSet<>(Objects.requireNonNull(registry, "registry"), source, tags);
        bound.add(meters);
        register(meters);
    }

    /** Takes its meters out of the registries that it was bound to. Idempotent. */
    @Override
    public final synchronized void close() {
        bound.forEach(MeterSet::remove);
        bound.clear();
    }
}
