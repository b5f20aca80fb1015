package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import io.micrometer.context.ContextRegistry;
import java.io.IOException;
import java.io.Serializable;
import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.ConcurrentHashMap;
import java.util.concurrent.atomic.AtomicInteger;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Future;
import org.trueasync.Latch;
import org.trueasync.OperationCanceledException;
import org.trueasync.Scope;
import org.trueasync.internal.testkit.FreePort;

/** Tasks between two members in one process, on one loop. */
@Tag("deep")
class TaskTest {
    private static final Set<Object> SEEN = ConcurrentHashMap.newKeySet();
    private static final AtomicInteger WAITING = new AtomicInteger();
    private static final AtomicInteger CANCELLED = new AtomicInteger();

    private static final ThreadLocal<String> TENANT = new ThreadLocal<>();

    private static Latch all;

    record Add(int a, int b) implements ClusterTask<Integer> {
        @Override
        public Integer call() {
            Async.delay(1);
            return Async.spawn(() -> a + b).await();
        }
    }

    /** Waits until it is cancelled. */
    private static Integer forever() {
        WAITING.incrementAndGet();
        try {
            Async.delay(Duration.ofHours(1));
            return 0;
        } catch (AsyncCancellation e) {
            CANCELLED.incrementAndGet();
            throw e;
        } finally {
            WAITING.decrementAndGet();
        }
    }

    record Unserialisable(int n) {}

    record Outlaw(int n) implements Serializable {}

    @SuppressWarnings("serial")
    static class OddError extends RuntimeException {
        final Object held = new Unserialisable(3);

        OddError() {
            super("odd");
        }
    }

    /** All on one pair of members: their start is what takes time. */
    @Test
    @Timeout(600)
    void tasksBetweenTwoMembers() throws Exception {
        int first = FreePort.any();
        int second = FreePort.any();
        Async.run((Body) () -> {
            ClusterConfig.Builder config =
                    ClusterConfig.builder().name("tasks-" + first).members("127.0.0.1:" + first, "127.0.0.1:" + second);
            try (var here = Cluster.join(config.port(first).build());
                    var there =
                            Cluster.join(config.port(second).taskLimit(12_000).build())) {
                recordsAndLambdas_runOnTheMemberThatWasAsked(here, there);
                registeredStrings_goAlong(here, there.self());
                tasks_areShared(here, there);
                aTaskForThisMember_isNotOfItsCallersScope(here);
                errors_comeBack(here, there.self());
                whatCantTravel_isSaid(here, there.self());
                whoGivesUp_cancelsTheTask(here, there);
                whatATaskHasSpawned_endsWithIt(here, there);
                tenThousandTasks_needNoThreadEach(here, there);
                tooManyTasks_areRefused(here, there);
                aMemberThatLeaves_tellsItsCallers(here, there);
            }
        });
    }

    private void recordsAndLambdas_runOnTheMemberThatWasAsked(Cluster here, Cluster there) {
        assertThat(here.submitTo(there.self(), new Add(3, 4)).await()).isEqualTo(7);
        assertThat(here.submitTo(here.self(), new Add(3, 4)).await()).isEqualTo(7);
        int captured = here.self().port();
        assertThat(here.submitTo(there.self(), () -> List.of("x", captured)).await())
                .isEqualTo(List.of("x", captured));
        assertThat(here.submitTo(there.self(), () -> (String) null).await()).isNull();
        // keys move while members join, and each member hears of that by itself
        for (String key : List.of("a", "b", "c", "d"))
            Waiting.until("both name the same owner", () -> here.ownerOf(key).equals(there.ownerOf(key)));
        assertThat(here.submitToOwner("a", () -> 5).await()).isEqualTo(5);
        Map<ClusterMember, Future<Integer>> all = there.submitToAll(() -> 6);
        assertThat(all.keySet()).containsExactly(here.self(), there.self());
        for (Future<Integer> one : all.values()) assertThat(one.await()).isEqualTo(6);
    }

    private void registeredStrings_goAlong(Cluster here, ClusterMember there) {
        ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", TENANT);
        try {
            TENANT.set("acme");
            ClusterTask<String> look = () -> Async.spawn(() -> {
                        String seen = TENANT.get();
                        TENANT.set("the task's own");
                        return seen;
                    })
                    .await();
            assertThat(here.submitTo(there, look).await()).isEqualTo("acme");
            assertThat(here.submitTo(here.self(), look).await()).isEqualTo("acme");
            TENANT.remove();
            assertThat(here.submitTo(there, look).await()).isNull();
        } finally {
            TENANT.remove();
            ContextRegistry.getInstance().removeThreadLocalAccessor("tenant");
        }
    }

    private void aTaskForThisMember_isNotOfItsCallersScope(Cluster here) throws Exception {
        List<Future<Integer>> sent = new ArrayList<>();
        try (var scope = new Scope()) {
            scope.spawn(() -> {
                        sent.add(here.submitTo(here.self(), () -> {
                            Async.delay(20);
                            return 7;
                        }));
                    })
                    .await();
        }
        assertThat(sent.getFirst().await()).isEqualTo(7);
    }

    @Test
    void engineThatStopsByItself_endsItsTasks_andWhoeverWaitsForThat() throws Exception {
        int first = FreePort.any();
        int second = FreePort.any();
        Async.run((Body) () -> {
            ClusterConfig.Builder config =
                    ClusterConfig.builder().name("stops-" + first).members("127.0.0.1:" + first, "127.0.0.1:" + second);
            try (var here = Cluster.join(config.port(first).build())) {
                var there = Cluster.join(config.port(second).build());
                here.awaitMembers(2);
                Waiting.until("both know both", () -> there.members().size() == 2);
                Future<Integer> remote = here.submitTo(there.self(), TaskTest::forever);
                Future<Integer> own = there.submitTo(there.self(), TaskTest::forever);
                Waiting.until("both have begun", () -> WAITING.get() == 2);
                var waits = Async.spawn(there::awaitClosed);
                Thread.ofPlatform()
                        .start(() -> there.engine().getLifecycleService().terminate());
                waits.await();
                Waiting.until("both have ended", () -> WAITING.get() == 0);
                assertThatThrownBy(remote::await).isInstanceOf(ClusterException.class);
                assertThatThrownBy(own::await).isInstanceOf(ClusterException.class);
                assertThat(there.isClosed()).isTrue();
                there.close();
                assertThat(there.taskCount()).isZero();
            }
        });
    }

    private void tasks_areShared(Cluster here, Cluster there) {
        var futures = new ArrayList<Future<Integer>>();
        for (int i = 0; i < 20; i++) futures.add(here.submit(TaskTest::forever));
        Waiting.until("all begun", () -> WAITING.get() == 20);
        assertThat(List.of(here.taskCount(), there.taskCount())).containsExactly(10, 10);
        futures.forEach(Future::cancel);
        Waiting.until("all cancelled", () -> here.taskCount() + there.taskCount() == 0);
        assertThat(WAITING.get()).isZero();
    }

    private void errors_comeBack(Cluster here, ClusterMember there) {
        assertThatThrownBy(() -> here.submitTo(there, () -> {
                            throw new IOException("disk full");
                        })
                        .await())
                .isInstanceOf(TaskFailedException.class)
                .hasMessage("a task on " + there + " failed with java.io.IOException: disk full")
                .hasCauseInstanceOf(IOException.class)
                .satisfies(e -> assertThat(e.getCause().getStackTrace()).isNotEmpty());
        assertThatThrownBy(() -> here.submitTo(there, () -> {
                            throw new OddError();
                        })
                        .await())
                .isInstanceOfSatisfying(TaskFailedException.class, e -> assertThat(e.remoteClassName())
                        .isEqualTo(OddError.class.getName()))
                .hasStackTraceContaining("TaskTest");
        assertThatThrownBy(() -> here.submitTo(there, () -> {
                            throw new javax.management.MalformedObjectNameException("of a class that is not allowed");
                        })
                        .await())
                .isInstanceOfSatisfying(TaskFailedException.class, e -> assertThat(e.remoteClassName())
                        .isEqualTo("javax.management.MalformedObjectNameException"))
                .hasStackTraceContaining("of a class that is not allowed")
                .hasStackTraceContaining("MalformedObjectNameException is not among the classes that it allows")
                .hasStackTraceContaining("at org.trueasync.cluster.TaskTest");
        assertThatThrownBy(() -> here.submitTo(there, () -> {
                            throw new StackOverflowError();
                        })
                        .await())
                .hasCauseInstanceOf(StackOverflowError.class);
        assertThatThrownBy(() -> here.submitTo(there, () -> {
                            Async.launch(() -> {
                                throw new IllegalStateException("in the background");
                            });
                            Async.delay(Duration.ofHours(1));
                            return 1;
                        })
                        .await())
                .isInstanceOf(TaskFailedException.class)
                .hasStackTraceContaining("in the background");
    }

    private void whatCantTravel_isSaid(Cluster here, ClusterMember there) {
        var held = new Unserialisable(1);
        assertThatThrownBy(() -> here.submitTo(there, () -> held.n()))
                .isInstanceOf(TaskRefusedException.class)
                .hasMessageContaining("a org.trueasync.cluster.TaskTest$Unserialisable in it is not Serializable");
        assertThatThrownBy(
                        () -> here.submitTo(there, () -> new Unserialisable(2)).await())
                .isInstanceOf(TaskFailedException.class)
                .hasMessageContaining(
                        "the result, a org.trueasync.cluster.TaskTest$Unserialisable, can't be serialised");
        assertThat(here.submitTo(there, () -> new Outlaw(2)).await()).isEqualTo(new Outlaw(2));
        assertThatThrownBy(() -> here.submitTo(there, () -> new javax.management.ObjectName("a:b=c"))
                        .await())
                .isInstanceOf(ClusterException.class)
                .hasMessageContaining("javax.management.ObjectName is not among the classes that it allows");
        var gone = new ClusterMember(java.util.UUID.randomUUID(), "192.0.2.1", 5701);
        assertThatThrownBy(() -> here.submitTo(gone, () -> 1).await())
                .isInstanceOf(TaskRefusedException.class)
                .hasMessage("192.0.2.1:5701 is not in the cluster; the task was not sent");
    }

    private void whoGivesUp_cancelsTheTask(Cluster here, Cluster there) {
        CANCELLED.set(0);
        Future<Integer> future = here.submitTo(there.self(), TaskTest::forever);
        var waiter = Async.spawn(() -> future.await());
        Waiting.until("begun", () -> WAITING.get() == 1);
        waiter.cancel();
        Waiting.until("cancelled over there", () -> CANCELLED.get() == 1);
        Waiting.until("gone", () -> there.taskCount() == 0);

        assertThatThrownBy(() -> here.submitTo(there.self(), TaskTest::forever).await(Async.timeout(30)))
                .isInstanceOf(OperationCanceledException.class);
        Waiting.until("cancelled over there", () -> there.taskCount() == 0);

        // before it has begun: the order of the two messages does not matter
        for (int i = 0; i < 50; i++)
            here.submitTo(there.self(), TaskTest::forever).cancel();
        assertThat(here.submitTo(there.self(), () -> 1).await()).isEqualTo(1);
        Waiting.until("none left", () -> there.taskCount() == 0 && WAITING.get() == 0);
    }

    private void whatATaskHasSpawned_endsWithIt(Cluster here, Cluster there) {
        CANCELLED.set(0);
        assertThat(here.submitTo(there.self(), () -> {
                            Async.spawn(TaskTest::forever);
                            Waiting.until("spawned", () -> WAITING.get() == 1);
                            return "done";
                        })
                        .await())
                .isEqualTo("done");
        assertThat(CANCELLED.get()).isEqualTo(1);
    }

    private void tenThousandTasks_needNoThreadEach(Cluster here, Cluster there) {
        int threads = ManagementFactory.getThreadMXBean().getThreadCount();
        all = new Latch(10_000);
        var futures = new ArrayList<Future<Integer>>();
        for (int i = 0; i < 10_000; i++) {
            int number = i;
            futures.add(here.submitTo(there.self(), () -> {
                all.countDown();
                all.await();
                return number;
            }));
        }
        all.await();
        assertThat(ManagementFactory.getThreadMXBean().getThreadCount()).isLessThan(threads + 50);
        for (int i = 0; i < 10_000; i++) assertThat(futures.get(i).await()).isEqualTo(i);
    }

    private void tooManyTasks_areRefused(Cluster here, Cluster there) {
        var futures = new ArrayList<Future<Integer>>();
        for (int i = 0; i < 12_000; i++) futures.add(here.submitTo(there.self(), TaskTest::forever));
        Waiting.until("full", () -> there.taskCount() == 12_000);
        assertThatThrownBy(() -> here.submitTo(there.self(), () -> 1).await())
                .isInstanceOf(TaskRefusedException.class)
                .hasMessage(there.self() + " has refused the task: it has 12000 tasks, which is its taskLimit");
        futures.forEach(Future::cancel);
        Waiting.until("empty again", () -> there.taskCount() == 0);
        assertThat(here.submitTo(there.self(), () -> 1).await()).isEqualTo(1);
    }

    private void aMemberThatLeaves_tellsItsCallers(Cluster here, Cluster there) {
        Future<Integer> once = here.submitTo(there.self(), TaskTest::forever);
        Future<String> often = here.submitToOwner(
                keyOf(here, there), RepeatableTask.of(() -> SEEN.add("second time") ? waited() : "moved"));
        Waiting.until("begun", () -> WAITING.get() == 2);
        ClusterMember gone = there.self();
        there.close();
        assertThatThrownBy(once::await)
                .isInstanceOfSatisfying(
                        MemberLostException.class, e -> assertThat(e.member()).isEqualTo(gone))
                .hasMessage(gone + " has cancelled the task, as it leaves: this member leaves its cluster");
        assertThat(often.await()).isEqualTo("moved");
        assertThatThrownBy(() -> there.submit(() -> 1))
                .isInstanceOf(ClusterException.class)
                .hasMessage("this member has left its cluster; join again");
    }

    private static String waited() {
        return "waited " + forever();
    }

    private static String keyOf(Cluster here, Cluster owner) {
        for (int i = 0; ; i++) if (here.ownerOf("key" + i).equals(owner.self())) return "key" + i;
    }
}
