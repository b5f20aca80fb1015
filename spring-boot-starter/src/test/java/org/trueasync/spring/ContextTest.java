package org.trueasync.spring;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.run;

import io.micrometer.context.ContextRegistry;
import java.net.http.HttpClient;
import java.time.Instant;
import java.util.Set;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ConcurrentHashMap;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.AfterEach;
import org.junit.jupiter.api.BeforeEach;
import org.junit.jupiter.api.Test;
import org.slf4j.MDC;
import org.springframework.boot.autoconfigure.EnableAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Configuration;
import org.springframework.context.annotation.Import;
import org.springframework.scheduling.TaskScheduler;
import org.springframework.scheduling.annotation.Async;
import org.springframework.scheduling.annotation.EnableAsync;
import org.springframework.scheduling.annotation.EnableScheduling;
import org.springframework.scheduling.annotation.Scheduled;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** Which tasks of Spring see the context of a request: the log's MDC, a registered thread local, a scoped value. */
class ContextTest {
    private static final ThreadLocal<@Nullable String> TENANT = new InheritableThreadLocal<>();
    private static final ScopedValue<String> USER = ScopedValue.newInstance();
    private static final String REQUEST = "trace-1 north ada";
    private static final String NOBODY = "null null nobody";

    private static String seen() {
        return MDC.get("trace") + " " + TENANT.get() + " " + USER.orElse("nobody");
    }

    static class Background {
        // of the class, as the bean is behind a proxy
        private static final Set<String> SCHEDULED = ConcurrentHashMap.newKeySet();
        private static volatile int runs;

        @Async
        public CompletableFuture<String> work() {
            String before = seen();
            delay(1);
            return CompletableFuture.completedFuture(before.equals(seen()) ? before : "changed");
        }

        @Scheduled(fixedDelay = 20)
        public void schedule() {
            SCHEDULED.add(seen());
            runs++;
        }
    }

    @Configuration(proxyBeanMethods = false)
    @EnableAutoConfiguration(exclude = DataSourceAutoConfiguration.class)
    @EnableAsync
    @EnableScheduling
    @Import(Background.class)
    @RestController
    static class Web {
        private final Background background;
        private final TaskScheduler scheduler;

        Web(Background background, TaskScheduler scheduler) {
            this.background = background;
            this.scheduler = scheduler;
        }

        @GetMapping("/seen")
        String seenByTasks() {
            TENANT.set("north");
            try (var _ = MDC.putCloseable("trace", "trace-1")) {
                return ScopedValue.where(USER, "ada").call(() -> {
                    // more of them than the scheduler has workers by now: this request makes some
                    for (int i = 0; i < 8; i++)
                        scheduler.schedule(() -> Background.SCHEDULED.add(seen()), Instant.now());
                    return await(background.work());
                });
            } finally {
                TENANT.remove();
            }
        }
    }

    @BeforeEach
    void register() {
        Background.SCHEDULED.clear();
        ContextRegistry.getInstance().registerThreadLocalAccessor("tenant", TENANT);
    }

    @AfterEach
    void remove() {
        ContextRegistry.getInstance().removeThreadLocalAccessor("tenant");
    }

    @Test
    void asyncMethod_seesTheContextOfItsRequest_andNoScheduleEverDoes() {
        run(() -> {
            try (var client = HttpClient.newBuilder().executor(executor()).build();
                    var spring =
                            StarterTest.start(Web.class, "--server.port=0", "--spring.task.scheduling.pool.size=200")) {
                Background background = spring.getBean(Background.class);
                assertThat(StarterTest.get(client, spring, "/seen")).isEqualTo(REQUEST);
                // workers of the request have run tasks by now
                int before = Background.runs;
                while (Background.runs < before + 5) delay(1);
                assertThat(Background.SCHEDULED).containsExactly(NOBODY);
                assertThat(await(background.work()))
                        .as("@Async outside a request")
                        .isEqualTo(NOBODY);
            }
        });
    }
}
