package org.trueasync.micrometer;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.awaitAllOrFail;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import io.micrometer.core.instrument.Tags;
import io.micrometer.core.instrument.simple.SimpleMeterRegistry;
import io.micrometer.prometheusmetrics.PrometheusConfig;
import io.micrometer.prometheusmetrics.PrometheusMeterRegistry;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.trueasync.Future;
import org.trueasync.GuardedCalls;
import org.trueasync.Pool;
import org.trueasync.RecoveryStrategy;
import org.trueasync.Semaphore;
import org.trueasync.ServiceUnavailableException;
import org.trueasync.ThreadPool;
import org.trueasync.internal.testkit.TestRuntime;

/** Each meter of a pool, a breaker, a semaphore and a thread pool tells what happens there. */
class ObjectMetricsTest {
    private final SimpleMeterRegistry registry = new SimpleMeterRegistry();

    private double gauge(String name, String... tags) {
        return registry.get(name).tags(tags).gauge().value();
    }

    private double count(String name, String... tags) {
        return registry.get(name).tags(tags).functionCounter().count();
    }

    @Test
    void pool_tellsItsResourcesAndWhoWaits() {
        TestRuntime.run(() -> {
            try (var pool = Pool.of(Object::new).max(1).build();
                    var metrics = new PoolMetrics(pool, "database")) {
                metrics.bindTo(registry);
                String[] tag = {"pool", "database"};
                Object resource = pool.acquire();
                var waiter = spawn(() -> pool.release(pool.acquire()));
                suspend();
                assertThat(gauge("trueasync.pool.resources", "pool", "database", "state", "active"))
                        .isEqualTo(1);
                assertThat(gauge("trueasync.pool.resources", "pool", "database", "state", "idle"))
                        .isZero();
                assertThat(gauge("trueasync.pool.waiting", tag)).isEqualTo(1);
                assertThat(count("trueasync.pool.acquired", tag)).isEqualTo(1);
                assertThat(count("trueasync.pool.made", tag)).isEqualTo(1);
                pool.release(resource);
                waiter.await();
                assertThat(gauge("trueasync.pool.resources", "pool", "database", "state", "idle"))
                        .isEqualTo(1);
                assertThat(gauge("trueasync.pool.waiting", tag)).isZero();
                assertThat(count("trueasync.pool.acquired", tag)).isEqualTo(2);
                pool.discard(pool.acquire());
                assertThat(count("trueasync.pool.destroyed", tag)).isEqualTo(1);
                assertThat(count("trueasync.pool.leaked", tag)).isZero();
            }
            assertThat(registry.getMeters()).isEmpty();
        });
    }

    @Test
    void breakerOfAPool_tellsItsState() {
        TestRuntime.run(() -> {
            try (var pool = Pool.of(Object::new).build();
                    var metrics = new PoolMetrics(pool, "database", Tags.of("zone", "north"))) {
                metrics.bindTo(registry);
                assertStates("trueasync.pool.breaker", 1, 0, 0);
                pool.deactivate();
                assertStates("trueasync.pool.breaker", 0, 1, 0);
                pool.recover();
                assertStates("trueasync.pool.breaker", 0, 0, 1);
                assertThat(gauge("trueasync.pool.breaker", "zone", "north", "state", "recovering"))
                        .isEqualTo(1);
            }
        });
    }

    private void assertStates(String name, double active, double inactive, double recovering) {
        assertThat(gauge(name, "state", "active")).isEqualTo(active);
        assertThat(gauge(name, "state", "inactive")).isEqualTo(inactive);
        assertThat(gauge(name, "state", "recovering")).isEqualTo(recovering);
    }

    @Test
    void breakerOfCalls_tellsItsState() {
        var calls = new GuardedCalls("payments", RecoveryStrategy.consecutiveFailures(1));
        try (var metrics = new CircuitBreakerMetrics(calls, "payments")) {
            metrics.bindTo(registry);
            assertStates("trueasync.breaker", 1, 0, 0);
            assertThatThrownBy(() -> calls.call(() -> {
                        throw new IllegalStateException();
                    }))
                    .isInstanceOf(IllegalStateException.class);
            assertStates("trueasync.breaker", 0, 1, 0);
        }
        assertThat(registry.getMeters()).isEmpty();
    }

    @Test
    void semaphore_tellsItsPermitsAndWhoWaits() {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(1).maxWaiting(1);
            try (var metrics = new SemaphoreMetrics(semaphore, "downloads")) {
                metrics.bindTo(registry);
                assertThat(gauge("trueasync.semaphore.permits", "semaphore", "downloads"))
                        .isEqualTo(1);
                semaphore.acquire();
                var waiter = spawn(() -> semaphore.acquire());
                suspend();
                assertThatThrownBy(semaphore::acquire).isInstanceOf(ServiceUnavailableException.class);
                assertThat(gauge("trueasync.semaphore.permits")).isZero();
                assertThat(gauge("trueasync.semaphore.waiting")).isEqualTo(1);
                assertThat(count("trueasync.semaphore.refused")).isEqualTo(1);
                semaphore.release();
                waiter.await();
                assertThat(gauge("trueasync.semaphore.waiting")).isZero();
            }
            assertThat(registry.getMeters()).isEmpty();
        });
    }

    @Test
    void threadPool_tellsItsWorkersAndTasks() {
        TestRuntime.run(() -> {
            try (var pool = ThreadPool.builder().workers(1).queueSize(3).build();
                    var metrics = new ThreadPoolMetrics(pool, "images")) {
                metrics.bindTo(registry);
                String[] tag = {"pool", "images"};
                var begun = new CountDownLatch(1);
                var mayEnd = new CountDownLatch(1);
                var tasks = new ArrayList<Future<?>>();
                tasks.add(pool.submit(() -> {
                    begun.countDown();
                    mayEnd.await();
                }));
                begun.await();
                for (int i = 0; i < 2; i++) tasks.add(pool.submit(() -> {}));
                assertThat(gauge("trueasync.thread.pool.workers", tag)).isEqualTo(1);
                assertThat(gauge("trueasync.thread.pool.queued", tag)).isEqualTo(2);
                assertThat(gauge("trueasync.thread.pool.running", tag)).isEqualTo(1);
                assertThat(count("trueasync.thread.pool.completed", tag)).isZero();
                mayEnd.countDown();
                awaitAllOrFail(tasks);
                pool.close();
                assertThat(gauge("trueasync.thread.pool.workers", tag)).isZero();
                assertThat(gauge("trueasync.thread.pool.queued", tag)).isZero();
                assertThat(gauge("trueasync.thread.pool.running", tag)).isZero();
                assertThat(count("trueasync.thread.pool.completed", tag)).isEqualTo(3);
            }
            assertThat(registry.getMeters()).isEmpty();
        });
    }

    @Test
    void severalPools_areTold_apartByPrometheusToo() {
        var prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        TestRuntime.run(() -> {
            try (var one = Pool.of(Object::new).build();
                    var two = Pool.of(Object::new).build();
                    var ofOne = new PoolMetrics(one, "one");
                    var ofTwo = new PoolMetrics(two, "two")) {
                ofOne.bindTo(prometheus);
                ofTwo.bindTo(prometheus);
                one.release(one.acquire());
                assertThat(prometheus.scrape())
                        .contains("trueasync_pool_resources{pool=\"one\",state=\"idle\"} 1.0")
                        .contains("trueasync_pool_resources{pool=\"two\",state=\"idle\"} 0.0")
                        .contains("trueasync_pool_acquired_total{pool=\"one\"} 1.0")
                        .contains("trueasync_pool_breaker{pool=\"two\",state=\"active\"} 1.0");
                ofOne.close();
                assertThat(prometheus.scrape()).contains("pool=\"two\"").doesNotContain("pool=\"one\"");
            }
        });
    }

    @Test
    void twoPoolsOfOneName_haveMetersOfTheirOwn() {
        TestRuntime.run(() -> {
            try (var one = Pool.of(Object::new).build();
                    var two = Pool.of(Object::new).build();
                    var ofOne = new PoolMetrics(one, "database");
                    var ofTwo = new PoolMetrics(two, "database")) {
                ofOne.bindTo(registry);
                ofTwo.bindTo(registry);
                two.release(two.acquire());
                assertThat(count("trueasync.pool.acquired", "pool", "database")).isZero();
                assertThat(count("trueasync.pool.acquired", "pool", "database-2"))
                        .isEqualTo(1);
                ofOne.close();
                assertThat(count("trueasync.pool.acquired", "pool", "database-2"))
                        .isEqualTo(1);
                ofOne.bindTo(registry);
                assertThat(count("trueasync.pool.acquired", "pool", "database")).isZero();
            }
            assertThat(registry.getMeters()).isEmpty();
        });
    }

    /** It takes such an ending away: {@code trueasync.pool.created} was {@code trueasync_pool_total}. */
    @Test
    void namesOfMeters_surviveInPrometheus() {
        var prometheus = new PrometheusMeterRegistry(PrometheusConfig.DEFAULT);
        TestRuntime.run(() -> {
            try (var runtimes = new TrueAsyncMetrics();
                    var pool = Pool.of(Object::new).build();
                    var ofPool = new PoolMetrics(pool, "database")) {
                runtimes.bindTo(prometheus);
                ofPool.bindTo(prometheus);
                String text = prometheus.scrape();
                assertThat(prometheus.getMeters()).hasSizeGreaterThan(20).allSatisfy(meter -> assertThat(text)
                        .containsPattern("(?m)^" + meter.getId().getName().replace('.', '_')
                                + "(_seconds|_total|_seconds_count)?\\{"));
                assertThat(text).contains("trueasync_pool_made_total{", "trueasync_contexts_made_total{");
            }
        });
    }
}
