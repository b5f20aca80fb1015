package org.trueasync.internal.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.cluster.ClusterConfig;
import org.trueasync.cluster.ClusterException;
import org.trueasync.spi.SchedulerProvider;

/** One running member of the engine's. Its start and its end block, so both are done on a helper thread. */
public final class Engine {
    private static final Object STARTING = new Object();

    /** Nobody waits for the member that is being started. */
    private static final Object GONE = new Object();

    private Engine() {}

    /**
     * Starts a member, and waits until it has joined. If the caller is cancelled meanwhile, the member leaves again as soon as it is there.
     *
     * @param settings ours
     * @param allowed names of classes, and of packages with a dot at the end
     * @param loader finds the program's classes
     * @param host takes the tasks of others
     */
    public static HazelcastInstance start(
            ClusterConfig settings, List<String> allowed, ClassLoader loader, TaskHost host) {
        EngineLog.quieten();
        EngineThreads.reuse();
        Config config = EngineConfig.of(settings, allowed, loader, host);
        // of the caller, who may leave, and the member, who may come, whoever is second sees the other
        var made = new AtomicReference<Object>(STARTING);
        try {
            return Async.blocking(() -> {
                HazelcastInstance engine = start(settings, config);
                if (!made.compareAndSet(STARTING, engine)) leave(engine);
                return engine;
            });
        } catch (AsyncCancellation e) {
            if (made.getAndSet(GONE) instanceof HazelcastInstance engine)
                SchedulerProvider.get().shield(() -> {
                    stop(engine);
                    return true;
                });
            throw e;
        }
    }

    private static HazelcastInstance start(ClusterConfig settings, Config config) {
        try {
            return Hazelcast.newHazelcastInstance(config);
        } catch (RuntimeException e) {
            throw new ClusterException(
                    "cannot join cluster '" + settings.name() + "' from " + settings.bind() + ":" + settings.port()
                            + ": " + e.getMessage(),
                    e);
        }
    }

    /** On the helper thread: nobody waits for this member any more. */
    private static void leave(HazelcastInstance engine) {
        var _ = Thread.interrupted(); // that was meant for its start
        engine.shutdown();
    }

    /**
     * Leaves in an orderly way: others take over what this member kept.
     *
     * @param engine the member
     */
    public static void stop(HazelcastInstance engine) {
        Async.blocking(engine::shutdown);
    }
}
