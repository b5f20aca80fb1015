package org.trueasync.spring;

import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.health.autoconfigure.contributor.ConditionalOnEnabledHealthIndicator;
import org.springframework.boot.health.contributor.AbstractHealthIndicator;
import org.springframework.boot.health.contributor.Health;
import org.springframework.boot.health.contributor.HealthIndicator;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.trueasync.Async;
import org.trueasync.RuntimeStats;

/** The loop as a part of the application's health. It answers, so it is up; the details tell how well it is. */
@AutoConfiguration
@ConditionalOnClass({HealthIndicator.class, ConditionalOnEnabledHealthIndicator.class})
@ConditionalOnEnabledHealthIndicator("coroutines")
@Conditional(OnCoroutines.class)
class TrueAsyncHealthAutoConfiguration {
    @Bean
    HealthIndicator coroutinesHealthIndicator(ApplicationRun run) {
        return new AbstractHealthIndicator() {
            @Override
            protected void doHealthCheck(Health.Builder health) throws Exception {
                RuntimeStats stats = run.call(Async::runtimeStats);
                health.up()
                        .withDetail("coroutines", stats.coroutines())
                        .withDetail("utilisation", stats.utilisation())
                        .withDetail("lagMillis", stats.lagMillis());
            }
        };
    }
}
