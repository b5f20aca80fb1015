package org.trueasync.spring;

import java.util.concurrent.CompletableFuture;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Coroutines for the application, and for its methods with {@code @Scheduled}. */
@AutoConfiguration(before = TaskSchedulingAutoConfiguration.class)
@Conditional(OnCoroutines.class)
class TrueAsyncAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    ApplicationRun applicationRun() {
        return OnCoroutines.isHere() ? ApplicationRun.here() : ApplicationRun.begin();
    }

    /**
     * Boot's own scheduler, with coroutines in the place of its threads. They serve the tasks of all, so they begin
     * without the context of a request that happens to be the first to need one more: a platform thread, which has no
     * context, makes them.
     */
    @Bean
    ThreadPoolTaskSchedulerCustomizer schedulerOnCoroutines(ApplicationRun run) {
        ClassLoader loader = Thread.currentThread().getContextClassLoader();
        var contextless = Thread.ofPlatform().inheritInheritableThreadLocals(false);
        return scheduler -> scheduler.setThreadFactory(task -> {
            Thread thread = CompletableFuture.supplyAsync(() -> run.threads().newThread(task), contextless::start)
                    .join();
            thread.setContextClassLoader(loader);
            return thread;
        });
    }
}
