package org.trueasync.clients;

import java.io.IOException;
import java.io.UncheckedIOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;
import org.trueasync.internal.testkit.FreePort;

/** One server of each kind, started by the first test that needs it. */
final class Servers {
    private static int redis;
    private static int rabbit;
    private static int kafka;

    private Servers() {}

    /** Returns the port of a Redis. */
    static synchronized int redis() {
        if (redis == 0) redis = redis("--appendonly", "no").port;
        return redis;
    }

    /** A Redis of one's own that has written what it acknowledges. */
    static ServerProcess durableRedis() {
        return redis("--appendonly", "yes", "--appendfsync", "always");
    }

    private static ServerProcess redis(String... options) {
        String program = ServerProcess.program("redis-server", "/usr/bin/redis-server", "/usr/local/bin/redis-server");
        int port = freePort();
        var command = new ArrayList<>(List.of(program, "--port", "" + port, "--bind", "127.0.0.1", "--save", ""));
        command.addAll(List.of(options));
        return new ServerProcess(ServerProcess.newFolder("redis"), port, command, List.of(), none -> {});
    }

    /** Returns the port of a RabbitMQ. */
    static synchronized int rabbit() {
        if (rabbit != 0) return rabbit;
        String program = ServerProcess.program("rabbitmq-server", "/usr/lib/rabbitmq/bin/rabbitmq-server");
        Path folder = ServerProcess.newFolder("rabbit");
        // the third is for a daemon that Erlang starts, and that would go on running
        int[] ports = {freePort(), freePort(), freePort()};
        write(folder.resolve("plugins"), "[].\n");
        new ServerProcess(folder, ports[0], List.of(program), List.of("epmd", "-kill"), builder -> {
            var all = builder.environment();
            all.put("HOME", folder.toString());
            all.put("RABBITMQ_NODENAME", "trueasync" + ports[0] + "@localhost");
            all.put("RABBITMQ_NODE_IP_ADDRESS", "127.0.0.1");
            all.put("RABBITMQ_NODE_PORT", "" + ports[0]);
            all.put("RABBITMQ_DIST_PORT", "" + ports[1]);
            all.put("ERL_EPMD_PORT", "" + ports[2]);
            all.put("ERL_EPMD_ADDRESS", "127.0.0.1");
            all.put("ERL_EPMD_RELAXED_COMMAND_CHECK", "1");
            all.put("RABBITMQ_LOGS", "-");
            all.put("RABBITMQ_ENABLED_PLUGINS_FILE", folder.resolve("plugins").toString());
            all.put("RABBITMQ_SERVER_ADDITIONAL_ERL_ARGS", "+S 1:1");
            for (String file : List.of(
                    "MNESIA_BASE",
                    "LOG_BASE",
                    "PID_FILE",
                    "CONFIG_FILE",
                    "CONF_ENV_FILE",
                    "ADVANCED_CONFIG_FILE",
                    "GENERATED_CONFIG_DIR"))
                all.put("RABBITMQ_" + file, folder.resolve(file).toString());
        });
        return rabbit = ports[0];
    }

    /** Returns the port of a Kafka, which is one node in one process. */
    static synchronized int kafka() {
        if (kafka != 0) return kafka;
        Path folder = ServerProcess.newFolder("kafka");
        int[] ports = {freePort(), freePort()};
        write(folder.resolve("server.properties"), """
                process.roles=broker,controller
                node.id=1
                controller.quorum.bootstrap.servers=127.0.0.1:%2$d
                listeners=PLAINTEXT://127.0.0.1:%1$d,CONTROLLER://127.0.0.1:%2$d
                advertised.listeners=PLAINTEXT://127.0.0.1:%1$d
                controller.listener.names=CONTROLLER
                log.dirs=%3$s
                offsets.topic.replication.factor=1
                offsets.topic.num.partitions=1
                transaction.state.log.replication.factor=1
                transaction.state.log.min.isr=1
                share.coordinator.state.topic.replication.factor=1
                share.coordinator.state.topic.min.isr=1
                group.initial.rebalance.delay.ms=0
                log.cleaner.enable=false
                """.formatted(ports[0], ports[1], folder.resolve("data")));
        var command = List.of(
                Path.of(System.getProperty("java.home"), "bin", "java").toString(),
                "-XX:TieredStopAtLevel=1",
                "-XX:+UseSerialGC",
                "-Xmx256m",
                "-cp",
                System.getProperty("java.class.path"),
                KafkaNode.class.getName(),
                folder.resolve("server.properties").toString());
        new ServerProcess(folder, ports[0], command, List.of(), none -> {});
        return kafka = ports[0];
    }

    private static int freePort() {
        try {
            return FreePort.any();
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }

    private static void write(Path file, String text) {
        try {
            Files.writeString(file, text);
        } catch (IOException e) {
            throw new UncheckedIOException(e);
        }
    }
}
