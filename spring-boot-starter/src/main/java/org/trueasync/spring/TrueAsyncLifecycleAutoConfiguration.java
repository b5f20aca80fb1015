package org.trueasync.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.SearchStrategy;
import org.springframework.boot.autoconfigure.context.LifecycleAutoConfiguration;
import org.springframework.boot.autoconfigure.context.LifecycleProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.support.AbstractApplicationContext;
import org.springframework.context.support.DefaultLifecycleProcessor;

/** Beans are closed in peace, also if the drain runs out of time while Spring still waits for requests. */
@AutoConfiguration(before = LifecycleAutoConfiguration.class)
@NotExcluded(LifecycleAutoConfiguration.class)
@Conditional(OnCoroutines.class)
@EnableConfigurationProperties(LifecycleProperties.class)
class TrueAsyncLifecycleAutoConfiguration {
    @Bean(name = AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME)
    @ConditionalOnMissingBean(
            name = AbstractApplicationContext.LIFECYCLE_PROCESSOR_BEAN_NAME,
            search = SearchStrategy.CURRENT)
    DefaultLifecycleProcessor lifecycleProcessor(LifecycleProperties properties) {
        var processor = new DefaultLifecycleProcessor() {
            @Override
            public void onClose() {
                super.onClose();
                // The shutdown's cancellation has interrupted its wait, and it restores the status: the first close of
                // a bean that waits, such as that of the data source, would be cancelled by it.
                if (OnCoroutines.isHere()) Thread.interrupted();
            }
        };
        processor.setTimeoutPerShutdownPhase(
                properties.getTimeoutPerShutdownPhase().toMillis());
        return processor;
    }
}
