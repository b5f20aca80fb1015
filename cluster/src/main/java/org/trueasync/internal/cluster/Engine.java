package org.trueasync.internal.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.time.Duration;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.cluster.ClusterConfig;
import org.trueasync.cluster.ClusterException;
import org.trueasync.spi.SchedulerProvider;

/** Starts and stops this program's member of the engine. Both block, so a helper thread does them. */
public final class Engine {
    /** A cluster that merges takes no new member, for about a second. */
    private static final int ATTEMPTS = 4;

    private static final Duration PAUSE = Duration.ofSeconds(1);

    private static final Object STARTING = new Object();

    /** Means that the caller of {@link #start} has left. */
    private static final Object GONE = new Object();

    private Engine() {}

    /**
     * Starts a member, and waits until it has joined. If the caller is cancelled meanwhile, the member leaves again as
     * soon as it has joined.
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
        // the caller may leave while the member starts: the second of the two sees the mark of the first
        var made = new AtomicReference<Object>(STARTING);
        try {
            return Async.blocking(() -> {
                HazelcastInstance engine = start(settings, config, host);
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

    private static HazelcastInstance start(ClusterConfig settings, Config config, TaskHost host)
            throws InterruptedException {
        for (int attempt = 1; ; attempt++) {
            try {
                HazelcastInstance engine = Hazelcast.newHazelcastInstance(config);
                if (attempt == ATTEMPTS || followsAMaster(host)) return engine;
                engine.shutdown();
            } catch (RuntimeException e) {
                // an IllegalStateException says that the others did not let it in, and not why
                if (attempt == ATTEMPTS || !(e instanceof IllegalStateException))
                    throw new ClusterException(
                            "cannot join cluster '" + settings.name() + "' from " + settings.bind() + ":"
                                    + settings.port() + ": " + e.getMessage(),
                            e);
            }
            Thread.sleep(PAUSE);
        }
    }

    /**
     * False if the others' answer has come just when the engine gave up to wait for it. Such a member is in the list,
     * but takes part in nothing until it has been silent for too long.
     */
    private static boolean followsAMaster(TaskHost host) {
        return host.engine().getClusterService().getMasterAddress() != null;
    }

    /** Stops a member whose caller has left. On the helper thread. */
    private static void leave(HazelcastInstance engine) {
        var _ = Thread.interrupted(); // the interrupt was meant for the start
        engine.shutdown();
    }

    /**
     * Leaves in an orderly way: other members take over what this one kept.
     *
     * @param engine the member
     */
    public static void stop(HazelcastInstance engine) {
        Async.blocking(engine::shutdown);
    }
}
