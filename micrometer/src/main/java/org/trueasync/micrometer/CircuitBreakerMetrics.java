package org.trueasync.micrometer;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Locale;
import java.util.Objects;
import org.trueasync.CircuitBreaker;
import org.trueasync.CircuitBreakerState;
import org.trueasync.GuardedCalls;

/**
 * The state of {@link GuardedCalls}, with a tag {@code breaker} that has its name: of three gauges with a tag
 * {@code state}, one is 1 and the others are 0. The breaker of a pool is among {@link PoolMetrics}.
 *
 * <p>Any thread.
 */
public final class CircuitBreakerMetrics extends ObjectMetrics<GuardedCalls> {
    /**
     * Creates a binder whose meters have the tags {@code breaker} and {@code state} alone.
     *
     * @param calls whose state
     * @param name if the registry has one of this name, the tag ends in {@code -2} and so on
     */
    public CircuitBreakerMetrics(GuardedCalls calls, String name) {
        this(calls, name, Tags.empty());
    }

    /**
     * Creates a binder.
     *
     * @param calls whose state
     * @param name if the registry has one of this name and these tags, the tag ends in {@code -2} and so on
     * @param tags of all meters, besides {@code breaker} and {@code state}
     */
    public CircuitBreakerMetrics(GuardedCalls calls, String name, Iterable<Tag> tags) {
        super(Objects.requireNonNull(calls, "calls"), Tags.of(tags), "breaker", name);
    }

    @Override
    void register(MeterSet<GuardedCalls> meters) {
        register(meters, "trueasync.breaker");
    }

    static void register(MeterSet<? extends CircuitBreaker> meters, String name) {
        for (CircuitBreakerState state : CircuitBreakerState.values())
            meters.gauge(
                    name,
                    "1 for the state of the circuit breaker, 0 for the others",
                    Tag.of("state", state.name().toLowerCase(Locale.ROOT)),
                    breaker -> breaker.state() == state ? 1 : 0);
    }
}
