package org.trueasync.bench.cluster;

import com.hazelcast.cluster.Member;
import com.hazelcast.collection.IQueue;
import com.hazelcast.core.IExecutorService;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Future;
import org.trueasync.bench.ParentWatch;
import org.trueasync.bench.Peer;
import org.trueasync.cluster.Cluster;
import org.trueasync.cluster.ClusterChannel;
import org.trueasync.cluster.ClusterMember;
import org.trueasync.cluster.ClusterTask;

/**
 * {@code ClusterProbe PEER PORT} prints {@code JOINED} and waits for the other member. Then, for each line that comes,
 * it makes one pass and prints {@code CLUSTER} and five figures in microseconds: the time of a task there and back, one
 * at a time; the time of a task of 10,000 that are under way together; the time of a value through a queue with one
 * sender and one receiver; the cpu time that both processes take for such a value; and the time of a value through a
 * queue with a crowd at both ends. In every other pass this member keeps both of these queues, otherwise the other
 * member does.
 */
public final class ClusterProbe {
    static final int TASKS = 10_000;

    private static final int ONE_BY_ONE = 500;
    private static final int VALUES = 2_000;

    private interface Pass {
        void run() throws Exception;
    }

    private final Cluster cluster;
    private final boolean ours;
    private final ProcessHandle partner;
    private int passes;

    private ClusterProbe(Cluster cluster, boolean ours, ProcessHandle partner) {
        this.cluster = cluster;
        this.ours = ours;
        this.partner = partner;
    }

    public static void main(String[] arguments) throws Exception {
        int port = Integer.parseInt(arguments[1]);
        boolean ours = Peer.valueOf(arguments[0]) == Peer.OURS;
        Async.run((Body) () -> {
            var cluster = Cluster.join(Partner.config(port).port(port).build());
            System.out.println("JOINED");
            while (cluster.members().size() < 2) Async.delay(10);
            long partner = Async.await(cluster.submitTo(other(cluster), new Pid()));
            var probe =
                    new ClusterProbe(cluster, ours, ProcessHandle.of(partner).orElseThrow());
            while (true) {
                Async.blocking(ParentWatch::awaitLine);
                // the engine's own calls block their thread, so they are not made on the loop
                if (ours) probe.pass();
                else
                    Async.blocking(() -> {
                        probe.pass();
                        return null;
                    });
            }
        });
    }

    private void pass() throws Exception {
        ClusterMember keeper = passes++ % 2 == 0 ? cluster.self() : other(cluster);
        String queue = queueOf(keeper, Partner.QUEUE);
        String busyQueue = queueOf(keeper, Partner.BUSY_QUEUE);
        double single = once(ONE_BY_ONE, ours ? this::oneByOne : this::oneByOneByEngine);
        double many = once(TASKS, ours ? this::together : this::togetherByEngine);
        Duration before = cpuTime();
        double value = once(VALUES, () -> {
            if (ours) values(queue);
            else valuesByEngine(queue);
        });
        double cpu = cpuTime().minus(before).toNanos() / 1e3 / VALUES;
        double crowd = once(Partner.CROWD_VALUES, () -> {
            if (ours) crowd(busyQueue);
            else crowdByEngine(busyQueue);
        });
        System.out.println("CLUSTER " + single + " " + many + " " + value + " " + cpu + " " + crowd);
    }

    /** Returns the name of a queue that the member keeps. */
    private String queueOf(ClusterMember keeper, String prefix) {
        for (int i = 0; i < Partner.QUEUES; i++) if (cluster.ownerOf(prefix + i).equals(keeper)) return prefix + i;
        throw new IllegalStateException(
                keeper + " keeps none of " + Partner.QUEUES + " queues " + prefix + "*; try again");
    }

    private static double once(int count, Pass pass) throws Exception {
        long begin = System.nanoTime();
        pass.run();
        return (System.nanoTime() - begin) / 1e3 / count;
    }

    private Duration cpuTime() {
        return of(ProcessHandle.current()).plus(of(partner));
    }

    private static Duration of(ProcessHandle process) {
        return process.info().totalCpuDuration().orElse(Duration.ZERO);
    }

    // ---- ours

    private static ClusterMember other(Cluster cluster) {
        return cluster.members().stream()
                .filter(each -> !each.equals(cluster.self()))
                .findFirst()
                .orElseThrow();
    }

    private void oneByOne() {
        ClusterMember other = other(cluster);
        for (int i = 0; i < ONE_BY_ONE; i++) check(Async.await(cluster.submitTo(other, new Twice(i))), i);
    }

    private void together() {
        ClusterMember other = other(cluster);
        List<Future<Integer>> all = new ArrayList<>(TASKS);
        for (int i = 0; i < TASKS; i++) all.add(cluster.submitTo(other, new Twice(i)));
        for (int i = 0; i < TASKS; i++) check(Async.await(all.get(i)), i);
    }

    private void values(String name) {
        ClusterChannel<Integer> values = cluster.channel(name, Partner.CAPACITY);
        ClusterChannel<Integer> answers = cluster.channel("answers-" + name, Partner.CAPACITY);
        for (int i = 0; i < VALUES; i++) values.send(i);
        values.send(Partner.LAST);
        answers.receive();
    }

    private void crowd(String name) {
        ClusterChannel<Integer> values = cluster.channel(name, Partner.CAPACITY);
        ClusterChannel<Integer> answers = cluster.channel("answers-" + name, Partner.CAPACITY);
        for (int k = 0; k < Partner.CROWD; k++)
            Async.spawn(() -> {
                for (int i = 0; i < Partner.CROWD_VALUES / Partner.CROWD; i++) values.send(i);
            });
        answers.receive();
    }

    // ---- the engine's own

    private Member otherByEngine() {
        return cluster.engine().getCluster().getMembers().stream()
                .filter(each -> !each.localMember())
                .findFirst()
                .orElseThrow();
    }

    private void oneByOneByEngine() throws Exception {
        Member other = otherByEngine();
        IExecutorService executor = cluster.engine().getExecutorService("tasks");
        for (int i = 0; i < ONE_BY_ONE; i++)
            check(executor.submitToMember(new Twice(i), other).get(), i);
    }

    private void togetherByEngine() throws Exception {
        Member other = otherByEngine();
        IExecutorService executor = cluster.engine().getExecutorService("tasks");
        List<java.util.concurrent.Future<Integer>> all = new ArrayList<>(TASKS);
        for (int i = 0; i < TASKS; i++) all.add(executor.submitToMember(new Twice(i), other));
        for (int i = 0; i < TASKS; i++) check(all.get(i).get(), i);
    }

    private void valuesByEngine(String name) throws Exception {
        IQueue<Integer> values = cluster.engine().getQueue(name);
        IQueue<Integer> answers = cluster.engine().getQueue("answers-" + name);
        for (int i = 0; i < VALUES; i++) values.put(i);
        values.put(Partner.LAST);
        answers.take();
    }

    private void crowdByEngine(String name) throws Exception {
        IQueue<Integer> values = cluster.engine().getQueue(name);
        IQueue<Integer> answers = cluster.engine().getQueue("answers-" + name);
        for (int k = 0; k < Partner.CROWD; k++)
            Thread.ofPlatform().daemon().start(() -> {
                try {
                    for (int i = 0; i < Partner.CROWD_VALUES / Partner.CROWD; i++) values.put(i);
                } catch (InterruptedException e) {
                    throw new IllegalStateException("nobody interrupts a workload", e);
                }
            });
        answers.take();
    }

    private static void check(int result, int of) {
        if (result != 2 * of) throw new IllegalStateException("twice " + of + " is not " + result);
    }

    /** Returns the id of the other member's process. */
    private record Pid() implements ClusterTask<Long> {
        @Override
        public Long call() {
            return ProcessHandle.current().pid();
        }
    }

    /** A small task, the same for both. */
    private record Twice(int of) implements ClusterTask<Integer>, Callable<Integer> {
        @Override
        public Integer call() {
            return 2 * of;
        }
    }
}
