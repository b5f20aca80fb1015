package org.trueasync.clients;

import kafka.Kafka;
import kafka.tools.StorageTool;
import org.apache.kafka.common.Uuid;

/** The main class of a Kafka's process: formats its folder and runs the server. */
final class KafkaNode {
    private KafkaNode() {}

    public static void main(String[] arguments) {
        String id = Uuid.randomUuid().toString();
        String[] format = {"format", "--standalone", "--cluster-id", id, "--config", arguments[0]};
        int status = StorageTool.execute(format, System.out);
        if (status != 0) System.exit(status);
        Kafka.main(new String[] {arguments[0]});
    }
}
