package org.trueasync.cluster;

import java.io.IOException;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.trueasync.Async;
import org.trueasync.Body;

/**
 * A member in a process of its own: it holds a lock, waits at an empty channel and receives from others, and says so
 * line by line.
 */
final class SharingMember {
    static final int RECEIVERS = 2;

    private SharingMember() {}

    static MemberProcess start(String cluster, int port, String... channels) throws IOException {
        return MemberProcess.start(
                List.of(), SharingMember.class, cluster, Integer.toString(port), String.join(",", channels));
    }

    static ClusterConfig.Builder config(String cluster, int port) {
        return ClusterConfig.builder()
                .name(cluster)
                .members("127.0.0.1:" + port)
                .allow("org.trueasync.cluster.");
    }

    public static void main(String[] arguments) {
        Async.run((Body) () -> {
            var cluster = Cluster.join(
                    config(arguments[0], Integer.parseInt(arguments[1])).build());
            ClusterLock lock = cluster.lock("held");
            lock.lock();
            IO.println("holds " + lock.fence());
            ClusterChannel<Integer> empty = cluster.channel("empty", 4);
            for (int i = 0; i < RECEIVERS; i++) Async.spawn(() -> IO.println("stolen " + empty.receive()));
            for (String name : arguments[2].split(",", -1)) {
                ClusterChannel<Integer> channel = cluster.channel(name, 4);
                for (int i = 0; i < RECEIVERS; i++)
                    Async.spawn(() -> {
                        for (int value : channel) IO.println("got " + name + " " + value);
                    });
            }
            IO.println("ready");
            Async.await(new CompletableFuture<Boolean>());
        });
    }
}
