package org.trueasync.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.launch;
import static org.trueasync.Async.spawn;

import java.net.http.HttpClient;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import javax.sql.DataSource;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.health.contributor.Status;
import org.springframework.boot.test.context.SpringBootTest;
import org.springframework.boot.test.context.SpringBootTest.UseMainMethod;
import org.springframework.boot.test.context.SpringBootTest.WebEnvironment;
import org.springframework.boot.test.context.SpringBootTestContextBootstrapper;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.test.context.BootstrapWith;
import org.springframework.test.context.ContextConfiguration;
import org.springframework.test.context.TestContext;
import org.springframework.test.context.TestContextManager;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.trueasync.jdbc.PooledDataSource;
import org.trueasync.spi.Cleanup;

/** Applications on coroutines in tests of Spring's own, which have no main, or go on when it has returned. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class SpringTestTest {
    private static final CountDownLatch POLLS = new CountDownLatch(1);
    private static final List<String> EVENTS = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void clear() {
        EVENTS.clear();
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    @RestController
    static class Shop {
        private final JdbcTemplate jdbc;

        Shop(JdbcTemplate jdbc) {
            this.jdbc = jdbc;
        }

        static void main(String[] arguments) {
            TrueAsyncApplication.run(Shop.class, arguments);
        }

        @GetMapping("/price")
        int price() {
            var part = spawn(() -> jdbc.queryForObject("select 40", Integer.class));
            return await(part) + 2;
        }

        @GetMapping("/bug")
        String bug() {
            launch(() -> {
                throw new IllegalStateException("bug in a coroutine");
            });
            return "";
        }

        @Async
        public CompletableFuture<Integer> priceLater() {
            return CompletableFuture.completedFuture(price());
        }

        @Async
        public void pollForever() {
            Cleanup.onDrain(() -> EVENTS.add("drains"));
            POLLS.countDown();
            try {
                delay(Duration.ofHours(1));
            } finally {
                EVENTS.add("polls no more");
            }
        }

        @Bean
        CommandLineRunner runner() {
            return _ -> EVENTS.add("starts in a " + (OnCoroutines.isHere() ? "coroutine" : "thread"));
        }

        @Bean
        DisposableBean last(DataSource database) {
            return () -> {
                try (var connection = database.getConnection()) {
                    EVENTS.add("closed, database " + connection.isValid(1));
                }
            };
        }
    }

    @SpringBootTest(
            classes = Shop.class,
            webEnvironment = WebEnvironment.RANDOM_PORT,
            properties = {"spring.datasource.url=jdbc:h2:mem:shop", "spring.main.banner-mode=off"})
    static class Plain {}

    @SpringBootTest(
            classes = Shop.class,
            useMainMethod = UseMainMethod.ALWAYS,
            webEnvironment = WebEnvironment.RANDOM_PORT,
            properties = {"spring.datasource.url=jdbc:h2:mem:shop", "spring.main.banner-mode=off"})
    static class ByMain {}

    private static TestContext of(Class<?> test) {
        return new TestContextManager(test).getTestContext();
    }

    private static String get(ApplicationContext spring, String path) throws Exception {
        try (var client = HttpClient.newHttpClient()) {
            return StarterTest.get(client, spring, path);
        }
    }

    private static void assertNoRunIsLeft() {
        assertThat(Thread.getAllStackTraces().keySet())
                .extracting(Thread::getName)
                .doesNotContain("spring-test");
    }

    @ParameterizedTest
    @ValueSource(classes = {Plain.class, ByMain.class})
    void requestsAndTasks_areCoroutines_untilTheContextIsClosed(Class<?> test) throws Exception {
        TestContext context = of(test);
        ApplicationContext spring = context.getApplicationContext();
        assertThat(get(spring, "/price")).isEqualTo("42");
        // the test itself is a thread
        assertThat(spring.getBean(Shop.class).priceLater().join()).isEqualTo(42);
        assertThat(spring.getBean("coroutinesHealthIndicator", HealthIndicator.class)
                        .health()
                        .getStatus())
                .isEqualTo(Status.UP);
        assertThat(spring.getBean(DataSource.class)).isInstanceOf(PooledDataSource.class);
        assertThat(spring.getBean(JdbcTemplate.class).queryForObject("select 43", Integer.class))
                .isEqualTo(43);

        context.markApplicationContextDirty(null);
        assertThat(EVENTS)
                .containsExactly(
                        test == ByMain.class ? "starts in a coroutine" : "starts in a thread", "closed, database true");
        assertNoRunIsLeft();
    }

    @Test
    void errorThatNobodyAwaits_isReported_andTheServiceGoesOn(CapturedOutput output) throws Exception {
        TestContext context = of(Plain.class);
        ApplicationContext spring = context.getApplicationContext();
        get(spring, "/bug");
        assertThat(get(spring, "/price")).isEqualTo("42");
        context.markApplicationContextDirty(null);
        assertThat(output).contains("bug in a coroutine");
    }

    @Test
    void taskWithoutEnd_doesNotHoldTheClose() throws Exception {
        TestContext context = of(Plain.class);
        context.getApplicationContext().getBean(Shop.class).pollForever();
        POLLS.await();
        context.markApplicationContextDirty(null);
        assertThat(EVENTS).contains("polls no more").doesNotContain("drains");
    }

    /** As of {@code @WebMvcTest} and the like. */
    static class SliceBootstrapper extends SpringBootTestContextBootstrapper {}

    @BootstrapWith(SliceBootstrapper.class)
    @ContextConfiguration(classes = SliceBootstrapper.class)
    static class Slice {}

    @Test
    void slice_isNotToldToStartOtherwise(CapturedOutput output) {
        TestContext context = of(Slice.class);
        assertThat(context.getApplicationContext().getBeansOfType(ApplicationRun.class))
                .isEmpty();
        context.markApplicationContextDirty(null);
        assertThat(output).doesNotContain("does not run in coroutines");
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class Failing {
        static volatile long destroyedAt;

        static void main(String[] arguments) {
            TrueAsyncApplication.run(Failing.class, arguments);
        }

        @Bean
        CommandLineRunner runner() {
            return _ -> {
                throw new IllegalStateException("bug in runner");
            };
        }

        @Bean
        DisposableBean destroyed() {
            return () -> destroyedAt = System.nanoTime();
        }
    }

    @SpringBootTest(classes = Failing.class, useMainMethod = UseMainMethod.ALWAYS)
    static class FailingByMain {}

    @Test
    void startThatFailsInACoroutine_endsAtOnce() {
        assertThatThrownBy(() -> of(FailingByMain.class).getApplicationContext())
                .rootCause()
                .hasMessage("bug in runner");
        // not as long as a drain takes that waits for the coroutine that waits for it
        assertThat(Duration.ofNanos(System.nanoTime() - Failing.destroyedAt)).isLessThan(Duration.ofSeconds(9));
        assertNoRunIsLeft();
    }

    private static final String VIRTUAL = "spring.threads.virtual.enabled=true";

    @SpringBootTest(classes = Shop.class, properties = VIRTUAL)
    static class OnVirtualThreads {}

    @SpringBootTest(classes = Shop.class, useMainMethod = UseMainMethod.ALWAYS, properties = VIRTUAL)
    static class OnVirtualThreadsByMain {}

    @ParameterizedTest
    @ValueSource(classes = {OnVirtualThreads.class, OnVirtualThreadsByMain.class})
    void startThatFails_leavesNoThread(Class<?> test) {
        assertThatThrownBy(() -> of(test).getApplicationContext())
                .rootCause()
                .hasMessageContaining("spring.threads.virtual.enabled must be false, got true");
        assertNoRunIsLeft();
    }
}
