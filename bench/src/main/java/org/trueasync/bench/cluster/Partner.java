package org.trueasync.bench.cluster;

import com.hazelcast.collection.IQueue;
import com.hazelcast.config.QueueConfig;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.atomic.AtomicInteger;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;
import org.trueasync.cluster.Cluster;
import org.trueasync.cluster.ClusterChannel;
import org.trueasync.cluster.ClusterConfig;

/**
 * The other member: {@code Partner PEER PORT} joins the member at that port, takes what comes through the queues, and
 * answers each {@link #LAST}, and of each busy queue every {@link #CROWD_VALUES} values. It prints {@code PARTNER} when
 * it has joined.
 */
public final class Partner {
    static final int CAPACITY = 100;

    /** The value that ends a series; the partner answers it. */
    static final int LAST = -1;

    /** How many send to, and how many receive from, each of the busy queues. */
    static final int CROWD = 16;

    /** How many values of a busy queue get one answer. */
    static final int CROWD_VALUES = 4_000;

    /** How many queues of either kind there are: with 12 a member keeps none of a kind in one of 1,000 clusters. */
    static final int QUEUES = 12;

    /** The beginning of the names of the queues with one sender and one receiver. */
    static final String QUEUE = "queue-";

    /** The beginning of the names of the queues with a crowd at both ends. */
    static final String BUSY_QUEUE = "queue-busy-";

    private Partner() {}

    static ClusterConfig.Builder config(int port) {
        return ClusterConfig.builder()
                .name("bench-" + port)
                .members("127.0.0.1:" + port)
                .allow("org.trueasync.bench.")
                .engine(engine -> engine.addQueueConfig(new QueueConfig(QUEUE + "*").setMaxSize(CAPACITY)));
    }

    public static void main(String[] arguments) {
        ParentWatch.start();
        var peer = Peer.valueOf(arguments[0]);
        Async.run((Body) () -> {
            var cluster = Cluster.join(config(Integer.parseInt(arguments[1])).build());
            for (int i = 0; i < QUEUES; i++) {
                String name = QUEUE + i;
                if (peer == Peer.OURS) Async.spawn(() -> take(cluster, name));
                else Thread.ofPlatform().daemon().start(() -> takeByEngine(cluster, name));
                String busy = BUSY_QUEUE + i;
                var count = new AtomicInteger();
                for (int k = 0; k < CROWD; k++) {
                    if (peer == Peer.OURS) Async.spawn(() -> count(cluster, busy, count));
                    else Thread.ofPlatform().daemon().start(() -> countByEngine(cluster, busy, count));
                }
            }
            System.out.println("PARTNER");
            Async.await(new CompletableFuture<Boolean>());
        });
    }

    private static void take(Cluster cluster, String name) {
        ClusterChannel<Integer> values = cluster.channel(name, CAPACITY);
        ClusterChannel<Integer> answers = cluster.channel("answers-" + name, CAPACITY);
        for (int value : values) if (value == LAST) answers.send(value);
    }

    private static void count(Cluster cluster, String name, AtomicInteger count) {
        ClusterChannel<Integer> values = cluster.channel(name, CAPACITY);
        ClusterChannel<Integer> answers = cluster.channel("answers-" + name, CAPACITY);
        for (int value : values) if (count.incrementAndGet() % CROWD_VALUES == 0) answers.send(value);
    }

    private static void countByEngine(Cluster cluster, String name, AtomicInteger count) {
        IQueue<Integer> values = cluster.engine().getQueue(name);
        IQueue<Integer> answers = cluster.engine().getQueue("answers-" + name);
        try {
            while (true) {
                int value = values.take();
                if (count.incrementAndGet() % CROWD_VALUES == 0) answers.put(value);
            }
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a workload", e);
        }
    }

    private static void takeByEngine(Cluster cluster, String name) {
        IQueue<Integer> values = cluster.engine().getQueue(name);
        IQueue<Integer> answers = cluster.engine().getQueue("answers-" + name);
        try {
            while (true) if (values.take() == LAST) answers.put(LAST);
        } catch (InterruptedException e) {
            throw new IllegalStateException("nobody interrupts a workload", e);
        }
    }
}
