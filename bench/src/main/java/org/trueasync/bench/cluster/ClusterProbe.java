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
 * {@code ClusterProbe PEER PORT PASSES} prints {@code JOINED}, waits for the other member, and prints {@code CLUSTER}: microseconds for a task there and back, one at a time; for a task of 10,000 that are
 * under way together; for a value through a queue, from one to one; the microseconds of cpu time that both processes take for such a value; and for a value through a queue with a crowd at both ends. Best of the passes; the queues in turn.
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
    private final int passes;

    private ClusterProbe(Cluster cluster, boolean ours, ProcessHandle partner, int passes) {
        this.cluster = cluster;
        this.ours = ours;
        this.partner = partner;
        this.passes = passes;
    }

    public static void main(String[] arguments) throws Exception {
        ParentWatch.start();
        int port = Integer.parseInt(arguments[1]);
        boolean ours = Peer.valueOf(arguments[0]) == Peer.OURS;
        int passes = Integer.parseInt(arguments[2]);
        Async.run((Body) () -> {
            var cluster = Cluster.join(Partner.config(port).port(port).build());
            System.out.println("JOINED");
            while (cluster.members().size() < 2) Async.delay(10);
            long partner = Async.await(cluster.submitTo(other(cluster), new Pid()));
            var probe =
                    new ClusterProbe(cluster, ours, ProcessHandle.of(partner).orElseThrow(), passes);
            // the engine's own calls hold a thread each, which is not the loop
            if (ours) probe.measure();
            else
                Async.blocking(() -> {
                    probe.measure();
                    return null;
                });
        });
        System.exit(0);
    }

    private void measure() throws Exception {
        double single = best(ONE_BY_ONE, ours ? this::oneByOne : this::oneByOneByEngine);
        double many = best(TASKS, ours ? this::together : this::togetherByEngine);
        double cpu = Double.MAX_VALUE;
        double value = Double.MAX_VALUE;
        for (int i = 0; i < passes; i++) {
            String name = "queue-" + i % Partner.QUEUES;
            Duration before = cpuTime();
            value = Math.min(value, once(VALUES, () -> {
                if (ours) values(name);
                else valuesByEngine(name);
            }));
            cpu = Math.min(cpu, cpuTime().minus(before).toNanos() / 1e3 / VALUES);
        }
        double crowd = Double.MAX_VALUE;
        for (int i = 0; i < passes; i++) {
            String name = "queue-busy-" + i % Partner.QUEUES;
            crowd = Math.min(crowd, once(Partner.CROWD_VALUES, () -> {
                if (ours) crowd(name);
                else crowdByEngine(name);
            }));
        }
        System.out.println("CLUSTER " + single + " " + many + " " + value + " " + cpu + " " + crowd);
    }

    private double best(int count, Pass pass) throws Exception {
        double best = Double.MAX_VALUE;
        for (int i = 0; i < passes; i++) best = Math.min(best, once(count, pass));
        return best;
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

    /** Which process the other member is. */
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
