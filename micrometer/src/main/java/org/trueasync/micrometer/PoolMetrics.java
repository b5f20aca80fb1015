package org.trueasync.micrometer;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import org.trueasync.Pool;

/**
 * The figures of a {@link Pool} and of its circuit breaker, with a tag {@code pool} that has its name. For a data
 * source of {@code trueasync-jdbc} this is {@code dataSource.pool()}.
 *
 * <p>Any thread.
 */
public final class PoolMetrics extends ObjectMetrics<Pool<?>> {
    /**
     * Creates a binder whose meters have the tag {@code pool} alone.
     *
     * @param pool whose figures
     * @param name if the registry has one of this name, the tag ends in {@code -2} and so on
     */
    public PoolMetrics(Pool<?> pool, String name) {
        this(pool, name, Tags.empty());
    }

    /**
     * Creates a binder.
     *
     * @param pool whose figures
     * @param name if the registry has one of this name and these tags, the tag ends in {@code -2} and so on
     * @param tags of all meters, besides {@code pool}
     */
    public PoolMetrics(Pool<?> pool, String name, Iterable<Tag> tags) {
        super(Objects.requireNonNull(pool, "pool"), Tags.of(tags), "pool", name);
    }

    @Override
    void register(MeterSet<Pool<?>> meters) {
        String description = "Resources; those are active that are not free";
        meters.gauge("trueasync.pool.resources", description, Tag.of("state", "idle"), Pool::idleCount);
        meters.gauge("trueasync.pool.resources", description, Tag.of("state", "active"), Pool::activeCount);
        meters.gauge("trueasync.pool.waiting", "Coroutines that wait for one", pool -> pool.stats()
                .waiting());
        meters.counter("trueasync.pool.acquired", "Resources handed out", pool -> pool.stats()
                .acquired());
        meters.counter(
                "trueasync.pool.made", "Resources made", pool -> pool.stats().created());
        meters.counter("trueasync.pool.destroyed", "Resources destroyed", pool -> pool.stats()
                .destroyed());
        meters.counter("trueasync.pool.leaked", "Resources dropped without release", pool -> pool.stats()
                .leaked());
        CircuitBreakerMetrics.register(meters, "trueasync.pool.breaker");
    }
}
