package org.trueasync.internal.cluster;

import com.hazelcast.config.Config;
import com.hazelcast.core.Hazelcast;
import com.hazelcast.core.HazelcastInstance;
import java.util.List;
import org.trueasync.Async;
import org.trueasync.cluster.ClusterConfig;
import org.trueasync.cluster.ClusterException;

/** One running member of the engine's. Its start and its end block, so both are done on a helper thread. */
public final class Engine {
    private Engine() {}

    /**
     * Starts a member, and waits until it has joined.
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
        return Async.blocking(() -> {
            try {
                return Hazelcast.newHazelcastInstance(config);
            } catch (RuntimeException e) {
                throw new ClusterException(
                        "cannot join cluster '" + settings.name() + "' from " + settings.bind() + ":" + settings.port()
                                + ": " + e.getMessage(),
                        e);
            }
        });
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
