package org.trueasync.spring;

import java.util.concurrent.CompletableFuture;
import java.util.concurrent.Executor;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskSchedulingAutoConfiguration;
import org.springframework.boot.task.ThreadPoolTaskSchedulerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.TaskExecutorAdapter;

/** Coroutines for the application, and its tasks as coroutines: methods with {@code @Async} and {@code @Scheduled}. */
@AutoConfiguration(before = {TaskExecutionAutoConfiguration.class, TaskSchedulingAutoConfiguration.class})
@Conditional(OnCoroutines.class)
class TrueAsyncAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    ApplicationRun applicationRun() {
        return OnCoroutines.isHere() ? ApplicationRun.here() : ApplicationRun.begin();
    }

    /** Each task is a coroutine of its own. Both names, as Spring asks for one here and for the other there. */
    @Bean({"applicationTaskExecutor", "taskExecutor"})
    @ConditionalOnMissingBean(Executor.class)
    TaskExecutorAdapter applicationTaskExecutor(ApplicationRun run, ObjectProvider<TaskDecorator> decorator) {
        var executor = new TaskExecutorAdapter(run.executor());
        decorator.ifUnique(executor::setTaskDecorator);
        return executor;
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
