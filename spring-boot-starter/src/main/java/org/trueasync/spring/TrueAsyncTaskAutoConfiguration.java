package org.trueasync.spring;

import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.BeanDefinitionRegistry;
import org.springframework.beans.factory.support.BeanDefinitionRegistryPostProcessor;
import org.springframework.beans.factory.support.RootBeanDefinition;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.task.TaskExecutionAutoConfiguration;
import org.springframework.context.EnvironmentAware;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Import;
import org.springframework.context.annotation.ImportBeanDefinitionRegistrar;
import org.springframework.core.env.Environment;
import org.springframework.core.task.TaskDecorator;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.core.type.AnnotationMetadata;

/** The application's tasks as coroutines: {@code @Async}, what Spring MVC does in the background, STOMP's messages. */
@AutoConfiguration(after = TrueAsyncAutoConfiguration.class, before = TaskExecutionAutoConfiguration.class)
@NotExcluded(TaskExecutionAutoConfiguration.class)
@Conditional({OnCoroutines.class, OnNoExecutor.class})
@Import(TrueAsyncTaskAutoConfiguration.Registrar.class)
class TrueAsyncTaskAutoConfiguration {
    private static final String NAME = "applicationTaskExecutor";

    static final class Registrar implements ImportBeanDefinitionRegistrar, EnvironmentAware {
        private boolean isForced;

        @Override
        public void setEnvironment(Environment environment) {
            isForced = OnNoExecutor.isForced(environment);
        }

        @Override
        public void registerBeanDefinitions(AnnotationMetadata importing, BeanDefinitionRegistry registry) {
            if (!isForced) {
                register(registry);
                return;
            }
            // Boot's own is forced too: ours takes its place when all definitions are there
            registry.registerBeanDefinition(
                    "trueasyncTaskExecutor", new RootBeanDefinition(Forced.class, () -> Registrar::register));
        }

        private static void register(BeanDefinitionRegistry registry) {
            if (registry.containsBeanDefinition(NAME)) registry.removeBeanDefinition(NAME);
            var factory = (ConfigurableListableBeanFactory) registry;
            registry.registerBeanDefinition(
                    NAME, new RootBeanDefinition(TaskExecutorAdapter.class, () -> applicationTaskExecutor(factory)));
            // both names, as Spring asks for one here and for the other there
            if (!registry.isBeanNameInUse("taskExecutor")) registry.registerAlias(NAME, "taskExecutor");
        }

        /** Each task is a coroutine of its own. */
        private static TaskExecutorAdapter applicationTaskExecutor(ConfigurableListableBeanFactory factory) {
            var executor = new TaskExecutorAdapter(
                    factory.getBean(ApplicationRun.class).executor());
            factory.getBeanProvider(TaskDecorator.class).ifUnique(executor::setTaskDecorator);
            return executor;
        }
    }

    @FunctionalInterface
    interface Forced extends BeanDefinitionRegistryPostProcessor {}
}
