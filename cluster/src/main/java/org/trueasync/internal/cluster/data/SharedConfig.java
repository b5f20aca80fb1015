package org.trueasync.internal.cluster.data;

import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.ExecutorConfig;
import com.hazelcast.config.InMemoryFormat;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.MapConfig;
import com.hazelcast.config.TopicConfig;

/** The engine's settings for what is shared. */
public final class SharedConfig {
    static final String CHANNELS = "trueasync.channels";
    static final String LOCKS = "trueasync.locks";
    /** The prefix of the engine's names of topics. */
    public static final String TOPICS = "trueasync.topic.";

    static final String WAKE_UPS = "trueasync.bells";

    private SharedConfig() {}

    /**
     * Adds the settings.
     *
     * @param config to be changed
     */
    public static void addTo(Config config) {
        config.getSerializationConfig().addDataSerializableFactory(Wire.ID, new Wire());
        config.addMapConfig(states(CHANNELS)).addMapConfig(states(LOCKS));
        // gives all subscribers one order; besides, without it publishing holds the loop now and then
        config.addTopicConfig(
                new TopicConfig(TOPICS + "*").setGlobalOrderingEnabled(true).setStatisticsEnabled(false));
        // A program that needs the engine's compact form for classes that are not Serializable registers them. For
        // others the engine would ask other members, and hold the loop.
        config.getSerializationConfig()
                .getCompactSerializationConfig()
                .setZeroConfigFilter(new JavaSerializationFilterConfig()
                        .setDefaultsDisabled(true)
                        .setWhitelist(new ClassFilter()));
        config.addExecutorConfig(
                new ExecutorConfig(WAKE_UPS).setPoolSize(1).setQueueCapacity(0).setStatisticsEnabled(false));
    }

    /** Returns the settings of a map whose values are kept as objects, which calls change in place. */
    private static MapConfig states(String name) {
        return new MapConfig(name)
                .setInMemoryFormat(InMemoryFormat.OBJECT)
                .setBackupCount(1)
                .setStatisticsEnabled(false);
    }
}
