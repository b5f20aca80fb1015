package org.trueasync.micrometer;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.Tag;
import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.function.ToDoubleFunction;
import org.trueasync.RuntimeStats;
import org.trueasync.spi.Cleanup;
import org.trueasync.spi.RuntimeMonitor;

/**
 * The figures of all runtimes of the process: of those that run when this is bound, and of each one that begins later,
 * with a tag {@code runtime} that has its name. If two of the same name run, the second one's tag has {@code -2} at its
 * end. The meters of a runtime leave the registry at its end.
 *
 * <p>The cores of a program are runtimes. The threads of {@code spawnThread} and of a {@code ThreadPool} are not seen.
 *
 * <p>Any thread.
 */
public final class TrueAsyncMetrics implements MeterBinder, AutoCloseable {
    private final Tags tags;
    private final List<Cleanup.Registration> registrations = new ArrayList<>();

    /** Creates a binder whose meters have the tag {@code runtime} alone. */
    public TrueAsyncMetrics() {
        this(Tags.empty());
    }

    /**
     * Creates a binder.
     *
     * @param tags of all of its meters, besides {@code runtime}
     */
    public TrueAsyncMetrics(Iterable<Tag> tags) {
        this.tags = Tags.of(Objects.requireNonNull(tags, "tags"));
    }

    @Override
    public synchronized void bindTo(MeterRegistry registry) {
        Objects.requireNonNull(registry, "registry");
        Set<String> names = ConcurrentHashMap.newKeySet();
        registrations.add(RuntimeMonitor.watchAll(runtime -> {
            // one that has just ended may still have meters under this name
            String name = runtime.name();
            for (int n = 2; !names.add(name); n++) name = runtime.name() + "-" + n;
            String taken = name;
            var meters = new MeterSet<>(registry, runtime, tags.and("runtime", name));
            register(meters);
            return () -> {
                meters.remove();
                names.remove(taken);
            };
        }));
    }

    /** Takes all of its meters out of the registries that it was bound to. Idempotent. */
    @Override
    public synchronized void close() {
        registrations.forEach(Cleanup.Registration::close);
        registrations.clear();
    }

    private static void register(MeterSet<RuntimeMonitor> meters) {
        registerCoroutines(meters);
        registerLoop(meters);
        meters.gauge("trueasync.events", "What can wake a coroutine from outside", of(RuntimeStats::activeEvents));
        meters.gauge("trueasync.timers", "Timers that are armed", of(RuntimeStats::timers));
        meters.gauge("trueasync.handles", "Handles that the reactor has open", of(RuntimeStats::reactorHandles));
        meters.gauge("trueasync.contexts.idle", "Stacks without a coroutine", of(RuntimeStats::idleContexts));
        meters.counter("trueasync.contexts.made", "Stacks made", of(RuntimeStats::contextsCreated));
        meters.counter(
                "trueasync.contexts.reused",
                "Coroutines that began where another had ended",
                of(RuntimeStats::contextReuses));
    }

    private static void registerCoroutines(MeterSet<RuntimeMonitor> meters) {
        state(meters, "not-begun", RuntimeStats::notBegun);
        state(meters, "running", RuntimeStats::running);
        state(meters, "suspended", stats -> Math.max(0, stats.suspended() - stats.blocked()));
        state(meters, "blocked", RuntimeStats::blocked);
        meters.gauge("trueasync.coroutines.queued", "Coroutines that wait for their turn", of(RuntimeStats::queued));
        meters.counter("trueasync.coroutines.spawned", "Coroutines spawned", of(RuntimeStats::spawned));
        meters.counter("trueasync.coroutines.completed", "Coroutines that have ended", of(RuntimeStats::completed));
        switches(meters, "direct", RuntimeStats::directSwitches);
        switches(meters, "scheduler", RuntimeStats::schedulerSwitches);
    }

    private static void registerLoop(MeterSet<RuntimeMonitor> meters) {
        meters.gauge(
                "trueasync.loop.utilisation",
                "The part of the last 10 s in which the loop did not wait for work, from 0 to 1",
                of(RuntimeStats::utilisation));
        meters.time(
                "trueasync.loop.lag",
                "How long what becomes ready waits for its turn, averaged over the last 10 s",
                of(RuntimeStats::lagMillis));
        meters.timer(
                "trueasync.loop.held",
                "Rounds of the loop that took 10 ms or longer",
                runtime -> runtime.stats().holds(),
                of(RuntimeStats::heldMillis));
        meters.counter("trueasync.loop.turns", "Polls of the reactor", of(RuntimeStats::reactorTurns));
    }

    private static void state(MeterSet<RuntimeMonitor> meters, String state, ToDoubleFunction<RuntimeStats> count) {
        meters.gauge(
                "trueasync.coroutines",
                "Coroutines that have not ended; those that are blocked were parked by JDK code",
                Tag.of("state", state),
                of(count));
    }

    private static void switches(MeterSet<RuntimeMonitor> meters, String by, ToDoubleFunction<RuntimeStats> count) {
        meters.counter(
                "trueasync.switches", "Suspensions, by who found the next coroutine", Tag.of("by", by), of(count));
    }

    private static ToDoubleFunction<RuntimeMonitor> of(ToDoubleFunction<RuntimeStats> figure) {
        return runtime -> figure.applyAsDouble(runtime.stats());
    }
}
