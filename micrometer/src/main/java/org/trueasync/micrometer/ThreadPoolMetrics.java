package org.trueasync.micrometer;

import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import java.util.Objects;
import org.trueasync.ThreadPool;

/**
 * The figures of a {@link ThreadPool}, with a tag {@code pool} that has its name.
 *
 * <p>Any thread.
 */
public final class ThreadPoolMetrics extends ObjectMetrics<ThreadPool> {
    /**
     * Creates a binder whose meters have the tag {@code pool} alone.
     *
     * @param pool whose figures
     * @param name if the registry has one of this name, the tag ends in {@code -2} and so on
     */
    public ThreadPoolMetrics(ThreadPool pool, String name) {
        this(pool, name, Tags.empty());
    }

    /**
     * Creates a binder.
     *
     * @param pool whose figures
     * @param name if the registry has one of this name and these tags, the tag ends in {@code -2} and so on
     * @param tags of all meters, besides {@code pool}
     */
    public ThreadPoolMetrics(ThreadPool pool, String name, Iterable<Tag> tags) {
        super(Objects.requireNonNull(pool, "pool"), Tags.of(tags), "pool", name);
    }

    @Override
    void register(MeterSet<ThreadPool> meters) {
        meters.gauge("trueasync.thread.pool.workers", "Threads that have not ended", ThreadPool::workerCount);
        meters.gauge("trueasync.thread.pool.queued", "Tasks that wait for a worker", ThreadPool::pendingCount);
        meters.gauge("trueasync.thread.pool.running", "Tasks that workers have taken", ThreadPool::runningCount);
        meters.counter("trueasync.thread.pool.completed", "Tasks that have ended", ThreadPool::completedCount);
    }
}
