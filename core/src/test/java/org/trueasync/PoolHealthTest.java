package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** The health check of a pool, and what becomes of resources and pools that are dropped. */
class PoolHealthTest {
    private final List<String> log = new ArrayList<>();
    private final Set<Object> sick = new HashSet<>();
    private int made;

    private Pool.Builder<String> pool() {
        // each a string of its own: resources are told apart by identity
        return Pool.of(() -> "r" + ++made)
                .destructor(r -> log.add("destroyed " + r))
                .healthcheckInterval(Duration.ofMillis(10))
                .name("checked");
    }

    @Test
    @Tag("P15")
    void idleOnesOnly_areLookedAtAndReplacedUpToMin() {
        TestRuntime.run(() -> {
            var pool = pool().healthcheck(r -> {
                        log.add("look at " + r);
                        return !sick.contains(r);
                    })
                    .min(2)
                    .build();
            String busy = pool.acquire();
            sick.addAll(List.of("r1", "r2"));
            delay(12);
            assertThat(log).containsExactly("look at r2", "destroyed r2");
            assertThat(pool.count()).isEqualTo(2);
            assertThat(pool.idleCount()).isEqualTo(1);
            pool.release(busy);
            delay(10);
            assertThat(log.subList(2, log.size())).containsExactly("look at r3", "look at r1", "destroyed r1");
            assertThat(pool.idleCount()).isEqualTo(2);
            pool.close();
            log.clear();
            delay(50);
            assertThat(log).isEmpty();
        });
    }

    @Test
    @Tag("P15")
    void checkThrows_countsAsUnhealthy() {
        TestRuntime.run(() -> {
            var pool = pool().healthcheck(r -> {
                        throw new IllegalStateException("check");
                    })
                    .build();
            pool.release(pool.acquire());
            delay(12);
            assertThat(log).containsExactly("destroyed r1");
            assertThat(pool.count()).isZero();
        });
    }

    @Test
    @Tag("P5")
    @Tag("P15")
    void checkWaits_neitherOverlapsNorExposesTheResource() {
        TestRuntime.run(() -> {
            int[] inside = {0};
            var pool = pool().healthcheck(r -> {
                        assertThat(++inside[0]).isEqualTo(1);
                        log.add("begins " + r);
                        delay(25);
                        inside[0]--;
                        log.add("ends " + r);
                        return true;
                    })
                    .max(1)
                    .min(1)
                    .build();
            delay(15);
            assertThat(pool.idleCount()).isZero();
            assertThat(pool.activeCount()).isEqualTo(1);
            assertThat(pool.tryAcquire()).isNull();
            String got = pool.acquire();
            assertThat(log).containsExactly("begins r1", "ends r1");
            pool.release(got);
            pool.close();
        });
    }

    @Test
    @Tag("P15")
    void factoryFailsInACheck_isReportedOnceAndTriedAgain() {
        TestRuntime run = TestRuntime.run(() -> {
            var pool = Pool.of(() -> {
                        if (++made > 1 && made < 5) throw new IllegalStateException("down");
                        return new Object();
                    })
                    .healthcheck(r -> made != 1)
                    .healthcheckInterval(Duration.ofMillis(10))
                    .min(1)
                    .name("checked")
                    .build();
            delay(55);
            assertThat(pool.idleCount()).isEqualTo(1);
            assertThat(made).isEqualTo(5);
        });
        assertThat(run.reports()).hasSize(1);
        assertThat(run.reports().getFirst()).contains("'checked'").contains("down");
    }

    @Test
    @Tag("P13")
    @Tag("slow")
    void resourceThatIsDropped_isReportedWithItsPlaceAndItsPlaceIsFree() {
        TestRuntime run = new TestRuntime();
        run.start(() -> {
            var pool = Pool.of(Object::new).max(1).name("leaky").build();
            dropOne(pool);
            Coroutine<Object> waiter = spawn(() -> pool.acquire());
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (!waiter.isCompleted() && System.nanoTime() < end) {
                System.gc();
                suspend();
            }
            assertThat(waiter.isCompleted()).isTrue();
            assertThat(pool.stats().leaked()).isEqualTo(1);
            assertThat(pool.count()).isEqualTo(1);
            pool.release(Async.await(waiter));
        });
        assertThat(run.reports()).anySatisfy(report -> assertThat(report)
                .contains("Pool 'leaky'")
                .contains("dropped")
                .contains("PoolHealthTest.java:"));
    }

    private static void dropOne(Pool<Object> pool) {
        pool.acquire();
    }

    @Test
    @Tag("slow")
    void poolThatIsDropped_isReportedAndClosed() {
        TestRuntime run = new TestRuntime();
        run.start(() -> {
            dropPool();
            long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(10);
            while (log.isEmpty() && System.nanoTime() < end) {
                System.gc();
                suspend();
            }
            assertThat(log).containsExactly("destroyed r1");
        });
        assertThat(run.reports())
                .anySatisfy(
                        report -> assertThat(report).contains("Pool 'checked'").contains("without being closed"));
    }

    private void dropPool() {
        pool().healthcheck(r -> true).min(1).build();
    }
}
