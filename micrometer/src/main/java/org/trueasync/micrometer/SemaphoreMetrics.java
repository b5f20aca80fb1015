package org.trueasync.micrometer;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import org.trueasync.Semaphore;

/**
 * The figures of a {@link Semaphore}, with a tag {@code semaphore} that has its name.
 *
 * <p>Any thread.
 */
public final class SemaphoreMetrics extends ObjectMetrics<Semaphore> {
    /**
     * Creates a binder whose meters have the tag {@code semaphore} alone.
     *
     * @param semaphore whose figures
     * @param name if the registry has one of this name, the tag ends in {@code -2} and so on
     */
    public SemaphoreMetrics(Semaphore semaphore, String name) {
        this(semaphore, name, Tags.empty());
    }

    /**
     * Creates a binder.
     *
     * @param semaphore whose figures
     * @param name if the registry has one of this name and these tags, the tag ends in {@code -2} and so on
     * @param tags of all meters, besides {@code semaphore}
     */
    public SemaphoreMetrics(Semaphore semaphore, String name, Iterable<Tag> tags) {
        super(Objects.requireNonNull(semaphore, "semaphore"), Tags.of(tags), "semaphore", name);
    }

    @Override
    void register(MeterSet<Semaphore> meters) {
        meters.gauge("trueasync.semaphore.permits", "Permits that are free", Semaphore::availablePermits);
        meters.gauge("trueasync.semaphore.waiting", "Coroutines that wait for permits", Semaphore::waitingCount);
        meters.counter("trueasync.semaphore.refused", "Calls refused as too many waited", Semaphore::refusedCount);
    }
}
