package org.trueasync.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.launch;
import static org.trueasync.Async.run;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import java.util.Collections;
import java.util.List;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.Timeout;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.springframework.beans.factory.DisposableBean;
import org.springframework.boot.ApplicationRunner;
import org.springframework.boot.CommandLineRunner;
import org.springframework.boot.ExitCodeGenerator;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringBootConfiguration;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.test.system.CapturedOutput;
import org.springframework.boot.test.system.OutputCaptureExtension;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;

/** What ends an application, and what does not. */
@ExtendWith(OutputCaptureExtension.class)
@Timeout(120)
class LifeTest {
    private static final String[] SERVICE = {
        "--spring.main.banner-mode=off", "--logging.level.root=warn", "--server.port=0"
    };
    private static final String NO_SERVER = "--spring.main.web-application-type=none";
    private static final List<String> EVENTS = Collections.synchronizedList(new ArrayList<>());

    @BeforeEach
    void clear() {
        EVENTS.clear();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Buggy {
        @Bean
        CommandLineRunner runner(ConfigurableApplicationContext spring) {
            return _ -> {
                spawn(() -> {
                    throw new IllegalStateException("bug in spawn");
                });
                launch(() -> {
                    throw new IllegalStateException("bug in launch");
                });
                executor().execute(() -> {
                    throw new IllegalStateException("bug in a task");
                });
                launch(() -> {
                    System.gc();
                    delay(1_500);
                    EVENTS.add("the others go on");
                    spring.close();
                });
            };
        }
    }

    @Test
    void errorThatNobodyAwaits_isReported_andTheServiceGoesOn(CapturedOutput output) {
        TrueAsyncApplication.run(Buggy.class, SERVICE);
        assertThat(EVENTS).containsExactly("the others go on");
        assertThat(output).contains("bug in spawn", "bug in launch", "bug in a task");
    }

    @Test
    void errorThatNobodyAwaits_endsAnApplicationWithoutServer() {
        assertThatThrownBy(() -> TrueAsyncApplication.run(Buggy.class, NO_SERVER))
                .isInstanceOf(IllegalStateException.class)
                .hasMessageContaining("bug in");
        assertThat(EVENTS).isEmpty();
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class ClosedByThread {
        @Bean
        CommandLineRunner runner(ConfigurableApplicationContext spring) {
            return _ -> new Thread(spring::close).start();
        }

        @Bean
        DisposableBean slow() {
            return () -> {
                Thread.sleep(1_500); // longer than another close() waits
                EVENTS.add("destroyed");
            };
        }
    }

    @Test
    void runEndsAfterTheBeans_whenAThreadClosesTheContext() {
        TrueAsyncApplication.run(ClosedByThread.class, SERVICE);
        assertThat(EVENTS).containsExactly("destroyed");
    }

    static class NoStock extends RuntimeException implements ExitCodeGenerator {
        @Override
        public int getExitCode() {
            return 42;
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Failing {
        public static void main(String[] arguments) {
            TrueAsyncApplication.run(Failing.class, arguments);
        }

        @Bean
        ApplicationRunner runner() {
            return arguments -> {
                if (arguments.containsOption("coded")) throw new NoStock();
                throw new IllegalStateException("no stock");
            };
        }
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    @Tag("deep")
    void failedStart_isReportedOnce_withTheExitCodeOfBoot(boolean isCoded) throws Exception {
        var command = new ArrayList<>(List.of(
                System.getProperty("java.home") + "/bin/java",
                "--add-opens=java.base/java.lang=ALL-UNNAMED",
                "--enable-native-access=ALL-UNNAMED",
                "-cp",
                System.getProperty("java.class.path"),
                Failing.class.getName(),
                NO_SERVER));
        if (isCoded) command.add("--coded");
        Process process = new ProcessBuilder(command).redirectErrorStream(true).start();
        String output = new String(process.getInputStream().readAllBytes());
        assertThat(process.waitFor()).isEqualTo(isCoded ? 42 : 1);
        assertThat(output.split(isCoded ? "\\$NoStock" : "IllegalStateException: no stock", -1))
                .as(output)
                .hasSize(2);
    }

    @SpringBootConfiguration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    static class Main {
        static void main(String[] arguments) {
            TrueAsyncApplication.run(Main.class, arguments);
        }
    }

    @Configuration(proxyBeanMethods = false)
    static class Added {
        @Bean
        CommandLineRunner added() {
            return _ -> EVENTS.add("added, in " + (OnCoroutines.isHere() ? "a coroutine" : "a thread"));
        }
    }

    @Test
    void configurationOfDevelopment_isAdded() {
        SpringApplication.from(Main::main).with(Added.class).run(NO_SERVER);
        assertThat(EVENTS).containsExactly("added, in a coroutine");
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration
    static class WithDatabase {}

    @Test
    void settingsOfAnotherPool_areReported(CapturedOutput output) {
        run(() -> {
            StarterTest.start(
                            WithDatabase.class,
                            NO_SERVER,
                            "--spring.datasource.url=jdbc:h2:mem:hikari",
                            "--spring.datasource.hikari.maximum-pool-size=50")
                    .close();
        });
        assertThat(output).contains("spring.datasource.hikari.* has no effect");
    }
}
