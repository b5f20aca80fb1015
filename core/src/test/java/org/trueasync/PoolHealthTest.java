package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashMap;
import java.util.HashSet;
import java.util.List;
import java.util.Map;
import java.util.Set;
import java.util.concurrent.TimeUnit;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;
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
    @Tag("P15")
    void factoryThatFailsAgainAfterItHasWorked_isReportedAgain() {
        TestRuntime run = TestRuntime.run(() -> {
            var pool = Pool.of(() -> {
                        if (++made % 2 == 0) throw new IllegalStateException("down " + made);
                        return new Object();
                    })
                    .healthcheck(r -> false)
                    .healthcheckInterval(Duration.ofMillis(10))
                    .min(1)
                    .name("checked")
                    .build();
            delay(35);
            assertThat(made).isEqualTo(4);
            pool.close();
        });
        assertThat(run.reports()).hasSize(2);
        assertThat(run.reports().get(0))
                .contains("the factory failed in a health check")
                .contains("down 2");
        assertThat(run.reports().get(1)).contains("down 4");
    }

    @Test
    @Tag("P15")
    void destructorFailsInACheck_isReportedAndTheOthersAreLookedAt() {
        TestRuntime run = TestRuntime.run(() -> {
            var pool = Pool.of(() -> "r" + ++made)
                    .destructor(r -> {
                        if (sick.contains(r)) throw new IllegalStateException("of " + r);
                    })
                    .healthcheck(r -> {
                        log.add("look at " + r);
                        return !r.equals("r1");
                    })
                    .healthcheckInterval(Duration.ofMillis(10))
                    .min(2)
                    .name("checked")
                    .build();
            sick.add("r1");
            delay(15);
            assertThat(log).containsExactly("look at r1", "look at r2");
            assertThat(pool.idleCount()).isEqualTo(2);
            assertThat(pool.count()).isEqualTo(2);
            delay(10);
            assertThat(log.subList(2, log.size())).containsExactly("look at r2", "look at r3");
            pool.close();
        });
        assertThat(run.reports()).singleElement().asString().contains("'checked'", "the destructor failed", "of r1");
    }

    @Test
    @Tag("P15")
    void othersTakeWhatIsIdleDuringACheck_itEndsThere() {
        TestRuntime.run(() -> {
            var pool = pool().healthcheck(r -> {
                        log.add("look at " + r);
                        delay(5);
                        return false;
                    })
                    .build();
            String first = pool.acquire();
            String second = pool.acquire();
            pool.release(first);
            pool.release(second);
            delay(12);
            assertThat(pool.acquire()).isSameAs(second);
            delay(6);
            assertThat(log).containsExactly("look at r1", "destroyed r1");
            pool.release(second);
            delay(10);
            assertThat(log).containsExactly("look at r1", "destroyed r1", "look at r2", "destroyed r2");
            pool.close();
        });
    }

    @Test
    @Tag("P13")
    @Tag("F61")
    void resourceThatIsDropped_isReportedWithItsPlaceAndItsPlaceIsFree() {
        TestRuntime run = TestRuntime.run(() -> {
            var pool = Pool.of(Object::new)
                    .destructor(r -> log.add("destroyed"))
                    .max(1)
                    .name("leaky")
                    .build();
            dropNew(pool);
            awaitPlace(pool);
            // an old one now; from the first loss on each acquire is remembered
            dropUsed(pool);
            collectUntil(() -> pool.stats().leaked() == 2);
            assertThat(pool.count()).isZero();
            assertThat(pool.stats().created()).as("none came back").isEqualTo(2);
            assertThat(log).as("what is gone can't be destroyed").isEmpty();
            pool.close();
        });
        assertThat(run.reports()).hasSize(2).allSatisfy(report -> assertThat(report)
                .contains("Pool 'leaky' (max=1")
                .contains("dropped"));
        assertThat(run.reports().get(0)).contains("acquired at PoolHealthTest.java:" + lineOf("dropNew"));
        assertThat(run.reports().get(1)).contains("acquired at PoolHealthTest.java:" + lineOf("dropUsed"));
    }

    /** A method of its own, as the waiter knows what it has got. */
    private static void awaitPlace(Pool<Object> pool) {
        Coroutine<Object> waiter = spawn(() -> pool.acquire());
        collectUntil(waiter::isCompleted);
        assertThat(pool.stats().leaked()).isEqualTo(1);
        assertThat(pool.count()).isEqualTo(1);
        pool.release(Async.await(waiter));
    }

    private final Map<String, Integer> lines = new HashMap<>();

    private void dropNew(Pool<Object> pool) {
        lines.put("dropNew", new Throwable().getStackTrace()[0].getLineNumber() + 1);
        pool.acquire();
    }

    private void dropUsed(Pool<Object> pool) {
        lines.put("dropUsed", new Throwable().getStackTrace()[0].getLineNumber() + 1);
        pool.acquire();
    }

    private int lineOf(String method) {
        return lines.get(method);
    }

    private static void collectUntil(BooleanSupplier done) {
        long end = System.nanoTime() + TimeUnit.SECONDS.toNanos(120);
        while (!done.getAsBoolean() && System.nanoTime() < end) {
            Garbage.collect();
            suspend();
        }
        assertThat(done.getAsBoolean()).isTrue();
    }

    @Test
    void poolThatIsDropped_isReportedAndClosed() {
        TestRuntime run = new TestRuntime();
        run.start(() -> {
            dropPool();
            collectUntil(() -> !log.isEmpty());
            assertThat(log).containsExactly("destroyed r1");
        });
        assertThat(run.reports())
                .anySatisfy(
                        report -> assertThat(report).contains("Pool 'checked'").contains("without being closed"));
    }

    private void dropPool() {
        pool().healthcheck(r -> true).min(1).build();
    }

    @Test
    @Tag("P13")
    void resourceThatWasAcquiredElsewhereBefore_isNotReportedWithThatPlace() {
        TestRuntime run = TestRuntime.run(() -> {
            var pool = Pool.of(Object::new).name("leaky").build();
            pool.release(pool.acquire());
            dropUsed(pool);
            collectUntil(() -> pool.stats().leaked() == 1);
            assertThat(pool.count()).isZero();
            pool.close();
        });
        assertThat(run.reports())
                .singleElement()
                .asString()
                .contains("dropped without being released; where it was acquired is recorded from now on");
    }

    @Test
    @Tag("P13")
    void resourcesThatAreReturnedOrGone_areNotLost() {
        TestRuntime run = TestRuntime.run(() -> {
            var pool = Pool.of(Object::new).name("tidy").build();
            pool.discard(pool.acquire());
            pool.release(pool.acquire());
            for (int i = 0; i < 3; i++) {
                Garbage.collect();
                suspend();
            }
            assertThat(pool.stats()).isEqualTo(new PoolStats(1, 1, 0, 0, 2, 2, 1, 0));
            pool.close();
        });
        assertThat(run.reports()).isEmpty();
    }

    @Test
    @Tag("P14")
    void poolThatIsDroppedAndCannotBeClosed_isReportedWithTheError() {
        TestRuntime run = new TestRuntime();
        run.start(() -> {
            dropPoolWithABadDestructor();
            collectUntil(() -> run.reports().size() == 2);
        });
        assertThat(run.reports().get(0)).contains("Pool 'bad'", "was dropped without being closed");
        assertThat(run.reports().get(1)).contains("Pool 'bad'", "the destructor failed", "of the destructor");
    }

    private static void dropPoolWithABadDestructor() {
        Pool.of(Object::new)
                .name("bad")
                .destructor(r -> {
                    throw new IllegalStateException("of the destructor");
                })
                .min(1)
                .build();
    }

    @Test
    @Tag("P13")
    void resourceThatIsDroppedAfterAnother_isLearnedOfToo() {
        TestRuntime.run(() -> {
            var pool = Pool.of(Object::new).max(2).build();
            Object[] held = {pool.acquire()};
            dropUsed(pool);
            collectUntil(() -> pool.stats().leaked() == 1);
            assertThat(pool.count()).isEqualTo(1);
            held[0] = null;
            collectUntil(() -> pool.stats().leaked() == 2);
            assertThat(pool.count()).isZero();
        });
    }
}
