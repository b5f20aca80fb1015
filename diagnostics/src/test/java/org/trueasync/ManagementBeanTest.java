package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.blocking;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.management.ManagementFactory;
import java.time.Duration;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.FutureTask;
import java.util.concurrent.TimeUnit;
import javax.management.MBeanServer;
import javax.management.MBeanServerFactory;
import javax.management.ObjectName;
import javax.management.openmbean.CompositeData;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** A runtime among the management beans of the process. */
class ManagementBeanTest {
    private final MBeanServer server = ManagementFactory.getPlatformMBeanServer();

    /** Its runs look for the server often. */
    private static void run(String name, Body main) {
        new TestRuntime(builder -> builder.name(name).deadlockAfter(Duration.ofMillis(40))).start(main);
    }

    private static ObjectName bean(String name) throws Exception {
        return new ObjectName("org.trueasync:type=Runtime,name=" + name);
    }

    private void awaitBean(ObjectName bean) throws Exception {
        awaitBean(server, bean);
    }

    private static void awaitBean(MBeanServer server, ObjectName bean) throws Exception {
        long limit = System.nanoTime() + TimeUnit.SECONDS.toNanos(60);
        while (!server.isRegistered(bean)) {
            assertThat(System.nanoTime()).as("%s is not there", bean).isLessThan(limit);
            TimeUnit.MILLISECONDS.sleep(1);
        }
    }

    private CompositeData stats(ObjectName bean) throws Exception {
        return (CompositeData) server.getAttribute(bean, "Stats");
    }

    @Test
    void runtime_hasABeanUntilItsEnd() throws Exception {
        ObjectName bean = bean("seen");
        run("seen", () -> {
            var gate = new Latch(1);
            spawn(() -> gate.await());
            suspend();
            blocking(() -> {
                awaitBean(bean);
                CompositeData stats = stats(bean);
                assertThat(stats.get("coroutines")).isEqualTo(2);
                assertThat(stats.get("suspended")).isEqualTo(2);
                assertThat(stats.get("spawned")).isEqualTo(2L);
                assertThat(server.getAttribute(bean, "Name")).isEqualTo("seen");
                assertThat(server.getAttribute(bean, "Draining")).isEqualTo(false);
                assertThat((String) server.invoke(bean, "dump", null, null))
                        .startsWith("Runtime 'seen': 2 coroutines")
                        .contains("awaits latch");
            });
            gate.countDown();
        });
        assertThat(server.isRegistered(bean)).isFalse();
    }

    @Test
    void runtime_isInEveryServer() throws Exception {
        ObjectName bean = bean("everywhere");
        MBeanServer another = MBeanServerFactory.createMBeanServer("another");
        try {
            run(
                    "everywhere",
                    () -> blocking(() -> {
                        awaitBean(server, bean);
                        awaitBean(another, bean);
                    }));
            assertThat(server.isRegistered(bean)).isFalse();
            assertThat(another.isRegistered(bean)).isFalse();
        } finally {
            MBeanServerFactory.releaseMBeanServer(another);
        }
    }

    @Test
    void stuckCoroutines_areFound() {
        run("leaks", () -> {
            spawn("reader", () -> new FutureState<String>().future().await());
            suspend();
            blocking(() -> {
                awaitBean(bean("leaks"));
                assertThat((String) server.invoke(bean("leaks"), "findStuck", null, null))
                        .startsWith(
                                "Runtime 'leaks': 1 coroutine is stuck: no running code can reach what it waits for;")
                        .contains("'reader'");
            });
            Async.gracefulShutdown();
        });
    }

    @Test
    void heldLoop_isNoObstacle() {
        run("held", () -> {
            var read = new CountDownLatch(1);
            var reader = new FutureTask<>(() -> {
                try {
                    awaitBean(bean("held"));
                    return stats(bean("held"));
                } finally {
                    read.countDown();
                }
            });
            Thread.ofPlatform().daemon().start(reader);
            while (read.getCount() > 0) Thread.onSpinWait();
            assertThat(reader.get().get("running")).isEqualTo(1);
        });
    }

    @Test
    void twoRuntimesOfOneName_haveABeanEach() throws Exception {
        run(
                "twin",
                () -> blocking(() -> {
                    awaitBean(bean("twin"));
                    run(
                            "twin",
                            () -> blocking(() -> {
                                awaitBean(bean("twin-2"));
                                assertThat(server.getAttribute(bean("twin-2"), "Name"))
                                        .as("in reports and recordings too")
                                        .isEqualTo("twin-2");
                            }));
                    assertThat(server.isRegistered(bean("twin-2"))).isFalse();
                    assertThat(server.isRegistered(bean("twin"))).isTrue();
                }));
        assertThat(server.isRegistered(bean("twin"))).isFalse();
    }

    @Test
    void nameWithSpecialCharacters_isQuoted() {
        run("a:b=c,\"*?", () -> blocking(() -> awaitBean(bean(ObjectName.quote("a:b=c,\"*?")))));
        run("", () -> blocking(() -> awaitBean(bean("\"\""))));
    }
}
