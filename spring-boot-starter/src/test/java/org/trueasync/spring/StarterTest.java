package org.trueasync.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.run;
import static org.trueasync.Async.spawn;

import io.micrometer.core.instrument.MeterRegistry;
import java.lang.reflect.Method;
import java.lang.reflect.RecordComponent;
import java.net.URI;
import java.net.http.HttpClient;
import java.net.http.HttpRequest;
import java.net.http.HttpResponse.BodyHandlers;
import java.net.spi.InetAddressResolverProvider;
import java.sql.Connection;
import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import java.util.ServiceLoader;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.stream.Stream;
import javax.sql.DataSource;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.builder.SpringApplicationBuilder;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.boot.hibernate.autoconfigure.HibernateJpaAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.jdbc.core.JdbcTemplate;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;
import org.trueasync.AsyncException;
import org.trueasync.jdbc.PooledDataSource;
import org.trueasync.spring.TrueAsyncDataSourceAutoConfiguration.PoolProperties;

/** What the starter makes of an application: by contexts in this process, on free ports. */
class StarterTest {
    private static final String NO_SERVER = "--spring.main.web-application-type=none";
    private static final String NO_BANNER = "--spring.main.banner-mode=off";
    private static final String WARNINGS = "--logging.level.root=warn";

    private static String place() {
        try {
            currentCoroutine();
            return "coroutine";
        } catch (AsyncException e) {
            return "thread";
        }
    }

    static ConfigurableApplicationContext start(Class<?> source, String... more) {
        var arguments = new ArrayList<>(List.of(NO_BANNER, WARNINGS));
        arguments.addAll(List.of(more));
        return new SpringApplicationBuilder(source).run(arguments.toArray(String[]::new));
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableAsync
    static class Tasks {
        @org.springframework.scheduling.annotation.Async
        public CompletableFuture<String> work() {
            return CompletableFuture.completedFuture(place());
        }
    }

    @Test
    void tasks_areCoroutines() {
        run(() -> {
            try (var spring = start(Tasks.class, NO_SERVER)) {
                Tasks tasks = spring.getBean(Tasks.class);
                assertThat(await(tasks.work())).isEqualTo("coroutine");
                assertThat(await(spring.getBean("applicationTaskExecutor", AsyncTaskExecutor.class)
                                .submitCompletable(StarterTest::place)))
                        .isEqualTo("coroutine");
            }
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    @EnableScheduling
    static class Schedules {
        static CompletableFuture<String> atRate = new CompletableFuture<>();
        static CompletableFuture<String> withDelay = new CompletableFuture<>();

        @Scheduled(fixedRate = 10)
        public void atRate() {
            atRate.complete(place());
        }

        @Scheduled(fixedDelay = 10)
        public void withDelay() {
            withDelay.complete(place());
        }
    }

    @Test
    void schedules_areCoroutinesThatEndWithTheContext() {
        run(() -> {
            Schedules.atRate = new CompletableFuture<>();
            Schedules.withDelay = new CompletableFuture<>();
            try (var spring = start(Schedules.class, NO_SERVER)) {
                assertThat(await(Schedules.atRate)).isEqualTo("coroutine");
                assertThat(await(Schedules.withDelay)).isEqualTo("coroutine");
            }
        });
        // the run has ended: no coroutine of the scheduler is left
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = HibernateJpaAutoConfiguration.class)
    static class Plain {}

    @Test
    void database_isAPoolOfOurs_withTheSettingsOfSpring() {
        run(() -> {
            try (var spring = start(
                    Plain.class,
                    NO_SERVER,
                    "--spring.datasource.url=jdbc:h2:mem:starter",
                    "--spring.datasource.name=shop",
                    "--spring.datasource.trueasync.max=1",
                    "--spring.datasource.trueasync.connection-timeout=20ms")) {
                MeterRegistry meters = spring.getBean(MeterRegistry.class);
                assertThat(meters.get("trueasync.pool.resources").gauges()).isNotEmpty();
                assertThat(meters.get("trueasync.coroutines").gauges()).isNotEmpty();
                DataSource database = spring.getBean(DataSource.class);
                assertThat(database).isInstanceOf(PooledDataSource.class);
                try (var _ = database.getConnection()) {
                    assertThatThrownBy(() -> await(spawn(database::getConnection)))
                            .hasMessageContaining("shop")
                            .hasMessageContaining("20 ms");
                }
                assertThat(spring.getBean(JdbcTemplate.class).queryForObject("select 6 * 7", Integer.class))
                        .isEqualTo(42);
            }
        });
    }

    @Test
    void eachSettingOfThePool_isAPropertyOfSpring() {
        // those of Spring itself; and those that are no values: a driver's properties belong into the URL
        List<String> others = List.of("name", "user", "password", "build", "property", "circuitBreaker");
        assertThat(Stream.of(PoolProperties.class.getRecordComponents()).map(RecordComponent::getName))
                .containsExactlyInAnyOrderElementsOf(Stream.of(PooledDataSource.Builder.class.getMethods())
                        .filter(method -> method.getDeclaringClass() == PooledDataSource.Builder.class)
                        .map(Method::getName)
                        .filter(name -> !others.contains(name))
                        .toList());
    }

    /** On H2 too there is such a reset, if it is asked for: another connection. */
    @ParameterizedTest
    @ValueSource(booleans = {true, false})
    void sessionIsResetAfterUse_asTheSettingSays(boolean isReset) {
        run(() -> {
            try (var spring = start(
                    Plain.class,
                    NO_SERVER,
                    "--spring.datasource.url=jdbc:h2:mem:reset;DB_CLOSE_DELAY=-1",
                    "--spring.datasource.trueasync.reset-after-use=" + isReset,
                    "--spring.datasource.trueasync.transaction-isolation=serializable")) {
                JdbcTemplate jdbc = spring.getBean(JdbcTemplate.class);
                String session = "select session_id()";
                Integer first = jdbc.queryForObject(session, Integer.class);
                Integer second = jdbc.queryForObject(session, Integer.class);
                assertThat(Objects.equals(first, second)).isEqualTo(!isReset);
                assertThat(jdbc.execute((Connection c) -> c.getTransactionIsolation()))
                        .isEqualTo(Connection.TRANSACTION_SERIALIZABLE);
            }
        });
    }

    @Test
    void anotherTypeOfDataSource_isLeftToBoot() {
        run(() -> {
            try (var spring = start(
                    Plain.class,
                    NO_SERVER,
                    "--spring.datasource.url=jdbc:h2:mem:other",
                    "--spring.datasource.type=com.zaxxer.hikari.HikariDataSource")) {
                assertThat(spring.getBean(DataSource.class)).isNotInstanceOf(PooledDataSource.class);
            }
        });
    }

    @Test
    void outsideARuntime_theApplicationIsAsBootMakesIt() {
        try (var spring = start(Plain.class, NO_SERVER, "--spring.datasource.url=jdbc:h2:mem:outside")) {
            assertThat(spring.getBean(DataSource.class)).isNotInstanceOf(PooledDataSource.class);
            assertThat(spring.getBeansOfType(HealthIndicator.class)).doesNotContainKey("coroutinesHealthIndicator");
            assertThat(spring.getEnvironment().getProperty("spring.main.register-shutdown-hook"))
                    .isNull();
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    @RestController
    static class Web {
        static final AtomicInteger UNDER_WAY = new AtomicInteger();

        @GetMapping("/place")
        String where() {
            int most = UNDER_WAY.incrementAndGet();
            delay(100);
            UNDER_WAY.decrementAndGet();
            return place() + " " + Math.min(most, 2);
        }

        @GetMapping("/name/{any}")
        String name() {
            delay(1);
            return Thread.currentThread().getName();
        }

        @GetMapping("/later")
        Callable<String> later() {
            return () -> Thread.currentThread().getName();
        }
    }

    static String get(HttpClient client, ApplicationContext spring, String path) throws Exception {
        int port = ((WebServerApplicationContext) spring).getWebServer().getPort();
        return client.send(
                        HttpRequest.newBuilder(URI.create("http://localhost:" + port + path))
                                .build(),
                        BodyHandlers.ofString())
                .body();
    }

    @ParameterizedTest
    @ValueSource(strings = {"tomcat", "jetty"})
    void requests_areCoroutines(String server) {
        String other = server.equals("tomcat")
                ? "org.springframework.boot.jetty.autoconfigure.servlet.JettyServletWebServerAutoConfiguration"
                : "org.springframework.boot.tomcat.autoconfigure.servlet.TomcatServletWebServerAutoConfiguration";
        run(() -> {
            try (var client = HttpClient.newBuilder().executor(executor()).build();
                    var spring = start(
                            Web.class,
                            "--server.port=0",
                            "--spring.autoconfigure.exclude=" + other,
                            "--management.endpoints.web.exposure.include=health,coroutines",
                            "--management.endpoint.health.show-details=always")) {
                assertThat(((WebServerApplicationContext) spring)
                                .getWebServer()
                                .getClass()
                                .getSimpleName())
                        .containsIgnoringCase(server);
                var first = spawn(() -> get(client, spring, "/place"));
                var second = spawn(() -> get(client, spring, "/place"));
                assertThat(List.of(await(first), await(second)))
                        .containsExactlyInAnyOrder("coroutine 1", "coroutine 2");
                assertThat(get(client, spring, "/name/a%20b?password=1")).isEqualTo("GET /name/a%20b");
                assertThat(get(client, spring, "/later")).isEmpty();
                assertThat(get(client, spring, "/actuator/health"))
                        .contains("\"coroutines\":{\"details\":{\"coroutines\":");
                assertThat(get(client, spring, "/actuator/coroutines"))
                        .contains("StarterTest", "'GET /actuator/coroutines'");
            }
        });
    }

    /** Else a look-up on the loop holds it. */
    @Test
    void lookUpsOfHosts_areThoseOfTrueAsync() {
        assertThat(ServiceLoader.load(InetAddressResolverProvider.class))
                .extracting(provider -> provider.getClass().getPackageName())
                .containsExactly("org.trueasync.internal.io");
    }

    @Test
    void virtualThreadsOfBoot_areRefused() {
        assertThatThrownBy(() -> run(() -> {
                    start(Plain.class, NO_SERVER, "--spring.threads.virtual.enabled=true")
                            .close();
                }))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("spring.threads.virtual.enabled must be false, got true");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Runner {
        static final List<String> EVENTS = new ArrayList<>();

        @Bean
        CommandLineRunner runner(Executor executor) {
            return _ -> {
                EVENTS.add("runs in a " + place());
                spawn(() -> {
                    delay(20);
                    EVENTS.add("its coroutine ends");
                });
            };
        }

        @Bean
        ApplicationListener<ContextClosedEvent> closed() {
            return _ -> EVENTS.add("closed");
        }
    }

    @Test
    void applicationWithoutServer_endsAfterItsCoroutines() {
        Runner.EVENTS.clear();
        TrueAsyncApplication.run(Runner.class, NO_BANNER, WARNINGS, NO_SERVER);
        assertThat(Runner.EVENTS).containsExactly("runs in a coroutine", "its coroutine ends", "closed");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Closing {
        static final List<String> EVENTS = new ArrayList<>();

        @Bean
        CommandLineRunner runner(ConfigurableApplicationContext spring) {
            return _ -> spawn(() -> {
                delay(20);
                EVENTS.add("closes");
                spring.close();
            });
        }

        @Bean
        ApplicationListener<ContextClosedEvent> closed() {
            return _ -> EVENTS.add("closed");
        }
    }

    @Test
    void applicationWithServer_endsWithItsContext() {
        Closing.EVENTS.clear();
        TrueAsyncApplication.run(new SpringApplication(Closing.class), NO_BANNER, WARNINGS, "--server.port=0");
        assertThat(Closing.EVENTS).containsExactly("closes", "closed");
    }

    private static final class Phase implements SmartLifecycle {
        private static final List<String> EVENTS = new ArrayList<>();
        private final String name;
        private final int phase;
        private final boolean hangs;
        private boolean running;

        Phase(String name, int phase, boolean hangs) {
            this.name = name;
            this.phase = phase;
            this.hangs = hangs;
        }

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {
            throw new AssertionError("a phase is stopped with a callback");
        }

        @Override
        public void stop(Runnable callback) {
            spawn(() -> {
                delay(5);
                EVENTS.add(name + " stops in a " + place());
                running = false;
                if (!hangs) callback.run();
            });
        }

        @Override
        public boolean isRunning() {
            return running;
        }

        @Override
        public int getPhase() {
            return phase;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Phases {
        @Bean
        Phase last() {
            return new Phase("last", 1, false);
        }

        @Bean
        Phase hanging() {
            return new Phase("hanging", 2, true);
        }

        @Bean
        Phase first() {
            return new Phase("first", 3, false);
        }
    }

    @Test
    void phases_stopInSpringsOrder_andEachHasSpringsLimit() {
        Phase.EVENTS.clear();
        run(() -> {
            start(Phases.class, NO_SERVER, "--spring.lifecycle.timeout-per-shutdown-phase=50ms")
                    .close();
            assertThat(Phase.EVENTS)
                    .containsExactly(
                            "first stops in a coroutine", "hanging stops in a coroutine", "last stops in a coroutine");
        });
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Failing {
        @Bean
        CommandLineRunner runner() {
            return _ -> {
                throw new IllegalStateException("no stock");
            };
        }
    }

    @Test
    void failedStart_isThrown() {
        assertThatThrownBy(
                        () -> TrueAsyncApplication.run(Failing.class, NO_BANNER, NO_SERVER, "--logging.level.root=off"))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("no stock");
    }
}
