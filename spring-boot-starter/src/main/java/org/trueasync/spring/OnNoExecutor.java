package org.trueasync.spring;

import java.util.concurrent.Executor;
import org.springframework.beans.factory.BeanFactoryUtils;
import org.springframework.beans.factory.annotation.AnnotatedBeanDefinition;
import org.springframework.beans.factory.config.ConfigurableListableBeanFactory;
import org.springframework.beans.factory.support.AbstractBeanDefinition;
import org.springframework.boot.autoconfigure.condition.ConditionMessage;
import org.springframework.boot.autoconfigure.condition.ConditionOutcome;
import org.springframework.boot.autoconfigure.condition.SpringBootCondition;
import org.springframework.context.annotation.ConditionContext;
import org.springframework.context.annotation.ConfigurationCondition;
import org.springframework.core.env.Environment;
import org.springframework.core.type.AnnotatedTypeMetadata;

/**
 * Whether tasks are ours: the application has no executor of its own, or {@code spring.task.execution.mode} is
 * {@code force}. Executors that Spring makes for a purpose of its own, such as those of STOMP's channels, don't count.
 */
final class OnNoExecutor extends SpringBootCondition implements ConfigurationCondition {
    @Override
    public ConfigurationPhase getConfigurationPhase() {
        return ConfigurationPhase.REGISTER_BEAN;
    }

    @Override
    public ConditionOutcome getMatchOutcome(ConditionContext context, AnnotatedTypeMetadata metadata) {
        var message = ConditionMessage.forCondition("Executor");
        if (isForced(context.getEnvironment()))
            return ConditionOutcome.match(message.because("spring.task.execution.mode is force"));
        ConfigurableListableBeanFactory factory = context.getBeanFactory();
        if (factory != null) {
            for (String name :
                    BeanFactoryUtils.beanNamesForTypeIncludingAncestors(factory, Executor.class, true, false)) {
                if (isOfApplication(factory, name))
                    return ConditionOutcome.noMatch(message.found("bean").items(name));
            }
        }
        return ConditionOutcome.match(message.because("the application has none of its own"));
    }

    static boolean isForced(Environment environment) {
        return "force".equalsIgnoreCase(environment.getProperty("spring.task.execution.mode"));
    }

    private static boolean isOfApplication(ConfigurableListableBeanFactory factory, String name) {
        if (!factory.containsBeanDefinition(name)) return true;
        var definition = factory.getBeanDefinition(name);
        // as for Boot's own condition
        if (!definition.isAutowireCandidate()) return false;
        if (definition instanceof AbstractBeanDefinition bean && !bean.isDefaultCandidate()) return false;
        var method = definition instanceof AnnotatedBeanDefinition bean ? bean.getFactoryMethodMetadata() : null;
        return method == null || !method.getDeclaringClassName().startsWith("org.springframework.");
    }
}
