package org.trueasync.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.Set;
import java.util.WeakHashMap;
import java.util.concurrent.ConcurrentHashMap;

/**
 * The figures of one object of the program. Any thread.
 *
 * @param <T> type of the object
 */
abstract class ObjectMetrics<T> implements MeterBinder, AutoCloseable {
    private final T source;
    private static final Map<MeterRegistry, Set<List<Object>>> TAKEN = new WeakHashMap<>();

    private final Tags tags;
    private final String key;
    private final String name;
    private final List<Runnable> bound = new ArrayList<>();

    /** Its meters have these tags, and the name as a tag with this key. */
    ObjectMetrics(T source, Tags tags, String key, String name) {
        this.source = source;
        this.tags = tags;
        this.key = key;
        this.name = Objects.requireNonNull(name, "name");
    }

    /** Adds the meters. */
    abstract void register(MeterSet<T> meters);

    @Override
    public final synchronized void bindTo(MeterRegistry registry) {
        // two of one name would be one meter, which shows the first of them, and ends with either
        Set<List<Object>> taken = takenIn(Objects.requireNonNull(registry, "registry"));
        Tags own = tags.and(key, name);
        for (int n = 2; !taken.add(List.of(getClass(), own)); n++) own = tags.and(key, name + "-" + n);
        List<Object> place = List.of(getClass(), own);
        var meters = new MeterSet<>(registry, source, own);
        bound.add(() -> {
            meters.remove();
            taken.remove(place);
        });
        register(meters);
    }

    private static Set<List<Object>> takenIn(MeterRegistry registry) {
        synchronized (TAKEN) {
            return TAKEN.computeIfAbsent(registry, _ -> ConcurrentHashMap.newKeySet());
        }
    }

    /** Takes its meters out of the registries that it was bound to. Idempotent. */
    @Override
    public final synchronized void close() {
        bound.forEach(Runnable::run);
        bound.clear();
    }
}
