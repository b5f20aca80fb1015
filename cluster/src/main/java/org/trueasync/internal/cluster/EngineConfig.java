package org.trueasync.internal.cluster;

import com.hazelcast.config.ClassFilter;
import com.hazelcast.config.Config;
import com.hazelcast.config.ConfigAccessor;
import com.hazelcast.config.JavaSerializationFilterConfig;
import com.hazelcast.config.JoinConfig;
import com.hazelcast.config.NetworkConfig;
import com.hazelcast.config.ServiceConfig;
import java.util.List;
import org.trueasync.cluster.ClusterConfig;
import org.trueasync.internal.cluster.data.SharedConfig;

/** Makes the engine's settings from ours. */
final class EngineConfig {
    private static final int FIRST_PORT = 5701;
    private static final int PORTS = 100;

    private EngineConfig() {}

    /**
     * Returns the engine's configuration.
     *
     * @param settings ours
     * @param allowed names of classes, and of packages with a dot at the end
     * @param loader finds the program's classes
     * @param host takes the tasks of others
     */
    static Config of(ClusterConfig settings, List<String> allowed, ClassLoader loader, TaskHost host) {
        var config = new Config();
        config.setClusterName(settings.name());
        config.setClassLoader(loader);
        properties(config, settings);
        network(config.getNetworkConfig(), settings);
        config.getJetConfig().setEnabled(false);
        config.getMetricsConfig().setEnabled(false);
        config.getSerializationConfig().setJavaSerializationFilterConfig(filter(allowed));
        SharedConfig.addTo(config);
        settings.engine().accept(config);
        config.getSerializationConfig().addDataSerializableFactory(Operations.FACTORY, new Operations());
        ConfigAccessor.getServicesConfig(config)
                .addServiceConfig(new ServiceConfig()
                        .setEnabled(true)
                        .setName(TaskHost.SERVICE)
                        .setImplementation(host));
        return config;
    }

    private static void properties(Config config, ClusterConfig settings) {
        long silence = settings.silence().toSeconds();
        config.setProperty("hazelcast.phone.home.enabled", "false");
        config.setProperty("hazelcast.shutdownhook.enabled", "false");
        config.setProperty("hazelcast.socket.bind.any", "false");
        config.setProperty("hazelcast.logging.type", "jdk");
        config.setProperty("hazelcast.logging.details.enabled", "false");
        config.setProperty("hazelcast.health.monitoring.level", "OFF");
        config.setProperty("hazelcast.max.no.heartbeat.seconds", Long.toString(silence));
        config.setProperty("hazelcast.heartbeat.interval.seconds", Long.toString(Math.clamp(silence / 4, 1, 5)));
        // The engine's own, 5 and 2 minutes, keep a member that has only hung apart for that long. A merge that is not
        // prepared within one delay waits for the next one, so it must not be too short.
        String merge = Long.toString(Math.clamp(silence / 2, 5, 10));
        config.setProperty("hazelcast.merge.first.run.delay.seconds", merge);
        config.setProperty("hazelcast.merge.next.run.delay.seconds", merge);
        // When the oldest member is lost, the next one asks all others. By itself it waits two minutes for each answer.
        config.setProperty("hazelcast.mastership.claim.timeout.seconds", Long.toString(silence));
        // A single member has joined soon; a hundred that start at once form one cluster a little later.
        config.setProperty("hazelcast.wait.seconds.before.join", "1");
    }

    private static void network(NetworkConfig network, ClusterConfig settings) {
        network.setPort(settings.port() == 0 ? FIRST_PORT : settings.port());
        network.setPortAutoIncrement(settings.port() == 0);
        network.setPortCount(PORTS);
        network.setReuseAddress(true);
        network.getInterfaces().setEnabled(true).addInterface(settings.bind());
        JoinConfig join = network.getJoin();
        join.getAutoDetectionConfig().setEnabled(false);
        join.getMulticastConfig().setEnabled(false);
        // also with an empty list: members that look for others in different ways refuse each other
        join.getTcpIpConfig().setEnabled(true).setMembers(settings.members());
        // how long it waits to be let in, too: it must not give up on a busy machine
        join.getTcpIpConfig().setConnectionTimeoutSeconds(5);
    }

    /**
     * Returns the filter for what the engine itself reads as Java objects, in maps and queues: the named classes and
     * the engine's defaults.
     */
    private static JavaSerializationFilterConfig filter(List<String> allowed) {
        var white = new ClassFilter();
        for (String name : allowed) {
            if (name.endsWith(".")) white.addPrefixes(name);
            else white.addClasses(name).addPrefixes(name + "$");
        }
        return new JavaSerializationFilterConfig().setDefaultsDisabled(false).setWhitelist(white);
    }
}
