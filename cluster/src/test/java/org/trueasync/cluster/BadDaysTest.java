package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import com.hazelcast.config.Config;
import java.net.URI;
import java.net.URLClassLoader;
import java.nio.file.Files;
import java.nio.file.Path;
import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.List;
import java.util.concurrent.atomic.AtomicBoolean;
import javax.tools.ToolProvider;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.io.TempDir;
import org.trueasync.Async;
import org.trueasync.Body;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.internal.cluster.Forbidden;

/** What goes wrong between members in processes of their own, one after another on the same few. */
@Tag("deep")
class BadDaysTest {
    private static final Duration SILENCE = Duration.ofSeconds(8);

    /** Quicker than a network needs it. */
    static void impatient(Config config) {
        config.setProperty("hazelcast.heartbeat.interval.seconds", "1");
        config.setProperty("hazelcast.partition.count", "31");
        config.setProperty("hazelcast.operation.call.timeout.millis", "20000");
    }

    private static String forever() {
        Async.delay(Duration.ofHours(1));
        return "never";
    }

    private static String where() {
        return OtherMember.here == null ? "test" : OtherMember.here.self().address();
    }

    @Test
    @Timeout(240)
    void badDays(@TempDir Path folder) throws Exception {
        Async.run((Body) () -> {
            String name = "bad-" + ProcessHandle.current().pid();
            try (var cluster = Cluster.join(ClusterConfig.builder()
                    .name(name)
                    .silence(SILENCE)
                    .engine(BadDaysTest::impatient)
                    .build())) {
                String here = cluster.self().address();
                try (var first = OtherMember.start(name, "127.0.0.1", here, SILENCE);
                        var second = OtherMember.start(name, "127.0.0.1", here, SILENCE)) {
                    ClusterMember one = memberAt(cluster, first.address());
                    ClusterMember two = memberAt(cluster, second.address());
                    cluster.awaitMembers(3);
                    assertThat(cluster.submitTo(one, BadDaysTest::where).await())
                            .isEqualTo(one.address());

                    classTheyLack_isRefused(cluster, one, folder);
                    classTheyDontAllow_isRefused(cluster, one);
                    memberThatJoinsUnderLoad_getsTasksAndNoneIsLost(cluster, name, here);
                    killedMember_tasksFailOrMove(cluster, one, first);
                    hangingMember_tasksFailWithinTheSilence(cluster, two, second);
                    assertThat(cluster.submit(BadDaysTest::where).await()).isEqualTo("test");
                }
            }
        });
    }

    private static ClusterMember memberAt(Cluster cluster, String address) {
        return cluster.members().stream()
                .filter(member -> member.address().equals(address))
                .findFirst()
                .orElseThrow();
    }

    @SuppressWarnings("unchecked")
    private void classTheyLack_isRefused(Cluster cluster, ClusterMember other, Path folder) throws Exception {
        Path source = folder.resolve("Absent.java");
        Files.writeString(source, """
                package org.trueasync.cluster.absent;
                public record Absent() implements org.trueasync.cluster.ClusterTask<Integer> {
                    public Integer call() { return 1; }
                }
                """);
        int status = ToolProvider.getSystemJavaCompiler()
                .run(
                        null,
                        null,
                        null,
                        "-proc:none",
                        "-cp",
                        System.getProperty("java.class.path"),
                        "-d",
                        folder.toString(),
                        source.toString());
        assertThat(status).isZero();
        URI classes = folder.toUri();
        try (var loader = new URLClassLoader(
                new java.net.URL[] {classes.toURL()}, getClass().getClassLoader())) {
            var task = (ClusterTask<Integer>) loader.loadClass("org.trueasync.cluster.absent.Absent")
                    .getConstructor()
                    .newInstance();
            assertThatThrownBy(() -> cluster.submitTo(other, task).await())
                    .isInstanceOf(TaskRefusedException.class)
                    .hasMessage(
                            other + " has refused the task: it lacks the class org.trueasync.cluster.absent.Absent");
        }
    }

    private void classTheyDontAllow_isRefused(Cluster cluster, ClusterMember other) {
        assertThatThrownBy(() -> cluster.submitTo(other, new Forbidden(1)).await())
                .isInstanceOf(TaskRefusedException.class)
                .hasMessage(other + " has refused the task: " + Forbidden.class.getName()
                        + " is not among the classes that it allows; see ClusterConfig.Builder.allow");
    }

    private void memberThatJoinsUnderLoad_getsTasksAndNoneIsLost(Cluster cluster, String name, String here)
            throws Exception {
        var enough = new AtomicBoolean();
        var shares = new HashMap<String, Integer>();
        List<Coroutine<?>> senders = new ArrayList<>();
        for (int i = 0; i < 20; i++)
            senders.add(Async.spawn(() -> {
                while (!enough.get()) {
                    String by = cluster.submit(() -> {
                                Async.delay(2);
                                return where();
                            })
                            .await();
                    shares.merge(by, 1, Integer::sum);
                }
            }));
        try (var third = OtherMember.start(name, "127.0.0.1", here, SILENCE)) {
            String address = third.address();
            Waiting.until("the new member has done a hundred", () -> shares.getOrDefault(address, 0) >= 100);
            assertThat(shares).hasSize(4);
            enough.set(true);
            for (Coroutine<?> sender : senders) sender.await();
            ClusterMember gone = memberAt(cluster, address);
            third.kill();
            Waiting.until("it is missed", () -> !cluster.members().contains(gone));
        }
    }

    private void killedMember_tasksFailOrMove(Cluster cluster, ClusterMember member, OtherMember process) {
        ClusterMember here = cluster.self();
        List<Future<String>> once = new ArrayList<>();
        List<Future<String>> often = new ArrayList<>();
        for (int i = 0; i < 50; i++) {
            once.add(cluster.submitTo(member, BadDaysTest::forever));
            often.add(cluster.submit(RepeatableTask.of(() -> where().equals(member.address()) ? forever() : where())));
        }
        // one that sends a task back, which nobody wants once its sender is dead
        Future<String> back = cluster.submitTo(
                member,
                () -> OtherMember.here.submitTo(here, BadDaysTest::forever).await());
        Waiting.until("the task has come back", () -> cluster.taskCount() == 1);
        Future<Integer> count = cluster.submitTo(member, () -> {
            Waiting.until("all are here", () -> OtherMember.here.taskCount() > 51);
            return OtherMember.here.taskCount();
        });
        assertThat(count.await()).isGreaterThan(51);

        process.kill();
        for (Future<String> future : once)
            assertThatThrownBy(future::await)
                    .isInstanceOfSatisfying(MemberLostException.class, e -> assertThat(e.member())
                            .isEqualTo(member))
                    .hasMessage(member + " was lost while it had the task, which may have run or not");
        for (Future<String> future : often)
            assertThat(future.await()).isNotEqualTo(member.address()).isNotEqualTo("never");
        assertThatThrownBy(back::await).isInstanceOf(MemberLostException.class);
        Waiting.until("its own task is cancelled here", () -> cluster.taskCount() == 0);
    }

    private void hangingMember_tasksFailWithinTheSilence(Cluster cluster, ClusterMember member, OtherMember process)
            throws Exception {
        Future<String> begun = cluster.submitTo(member, BadDaysTest::forever);
        cluster.submitTo(member, () -> {
                    Waiting.until("this one and the one before", () -> OtherMember.here.taskCount() == 2);
                    return true;
                })
                .await();
        process.stop();
        long stopped = System.nanoTime();
        Future<String> toTheStopped = cluster.submitTo(member, BadDaysTest::where);
        Future<String> often = cluster.submit(RepeatableTask.of(BadDaysTest::where));
        assertThatThrownBy(begun::await).isInstanceOf(MemberLostException.class);
        assertThatThrownBy(toTheStopped::await).isInstanceOf(MemberLostException.class);
        assertThat(often.await()).isEqualTo("test");
        assertThat(Duration.ofNanos(System.nanoTime() - stopped))
                .isBetween(Duration.ofSeconds(1), SILENCE.multipliedBy(8));
        Waiting.until("it has gone", () -> cluster.members().equals(List.of(cluster.self())));
    }
}
