package org.trueasync.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.run;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.convert.DurationStyle;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.SmartLifecycle;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.env.Environment;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncRuntime;

/** {@code trueasync.*}, and what a shutdown makes of it. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(60)
class SettingsTest {
    private static final String[] QUIET = {
        "--spring.main.banner-mode=off", "--logging.level.root=warn", "--spring.main.web-application-type=none"
    };
    private static final List<String> EVENTS = new ArrayList<>();

    @BeforeEach
    void clear() {
        EVENTS.clear();
    }

    private static String[] and(String... more) {
        var arguments = new ArrayList<>(List.of(QUIET));
        arguments.addAll(List.of(more));
        return arguments.toArray(String[]::new);
    }

    @Configuration(proxyBeanMethods = false)
    static class Limits {
        @Bean
        CommandLineRunner runner(Environment environment) {
            return _ -> EVENTS.add(environment.getProperty("spring.lifecycle.timeout-per-shutdown-phase", ""));
        }
    }

    private static Duration drainTimeoutOf(AsyncRuntime.Builder builder) throws Exception {
        var field = AsyncRuntime.Builder.class.getDeclaredField("drainTimeout");
        field.setAccessible(true);
        return (Duration) field.get(builder);
    }

    @Test
    void phaseOfSpring_isShorterThanTheDrain() throws Exception {
        TrueAsyncApplication.run(Limits.class, QUIET);
        TrueAsyncApplication.run(Limits.class, and("--trueasync.drain-timeout=5s"));
        TrueAsyncApplication.run(
                Limits.class,
                and("--trueasync.drain-timeout=5s", "--spring.lifecycle.timeout-per-shutdown-phase=77ms"));
        assertThat(EVENTS).containsExactly("8000ms", "4000ms", "77ms");
        assertThat(DurationStyle.detectAndParse(EVENTS.getFirst())).isLessThan(drainTimeoutOf(Async.runtime()));
    }

    @Test
    void settings_areThoseOfTheRuntime() throws Exception {
        var builder = Async.runtime();
        RuntimeProperties.apply(
                new SpringApplication(Limits.class), new String[] {"--trueasync.drain-timeout=3s"}, builder);
        assertThat(drainTimeoutOf(builder)).hasSeconds(3);
        assertThatThrownBy(() -> TrueAsyncApplication.run(Limits.class, and("--trueasync.held-loop-after=-1ms")))
                .hasMessageContaining("trueasync.held-loop-after")
                .hasMessageContaining(">= 0");
        assertThatThrownBy(() -> TrueAsyncApplication.run(Limits.class, and("--trueasync.reactor=epoll")))
                .hasMessageContaining("epoll");
    }

    @Test
    void settingsOfARuntimeOfSomebodyElse_areTold(CapturedOutput output) {
        run(() -> TrueAsyncApplication.run(Limits.class, and("--trueasync.drain-timeout=5s")));
        assertThat(output).contains("trueasync.drain-timeout: without effect");
    }

    /** As a server with a request that does not end. */
    private static final class Busy implements SmartLifecycle {
        private boolean running;

        @Override
        public void start() {
            running = true;
        }

        @Override
        public void stop() {}

        @Override
        public void stop(Runnable callback) {}

        @Override
        public boolean isRunning() {
            return running;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class SlowToStop {
        static AsyncRuntime runtime = Async.runtime().build();

        @Bean
        CommandLineRunner shutdown() {
            return _ -> runtime.shutdown(new AsyncCancellation("a signal"));
        }

        @Bean
        Busy busy() {
            return new Busy();
        }

        @Bean
        DisposableBean database() {
            return () -> {
                Thread.sleep(1);
                EVENTS.add("closed");
            };
        }
    }

    /** Spring's wait for requests is cancelled then, and not its close of the beans. */
    @Test
    void drainThatRunsOutOfTime_stillClosesBeans() {
        SlowToStop.runtime = Async.runtime().drainTimeout(Duration.ofMillis(50)).build();
        try {
            SlowToStop.runtime.run(() -> TrueAsyncApplication.run(
                    SlowToStop.class,
                    and("--spring.main.keep-alive=true", "--spring.lifecycle.timeout-per-shutdown-phase=50s")));
        } catch (AsyncCancellation e) {
            // the end of main
        }
        assertThat(EVENTS).containsExactly("closed");
    }
}
