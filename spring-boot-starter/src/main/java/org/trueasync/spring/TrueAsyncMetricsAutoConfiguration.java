package org.trueasync.spring;

import io.micrometer.core.instrument.binder.MeterBinder;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.trueasync.jdbc.PooledDataSource;
import org.trueasync.micrometer.PoolMetrics;
import org.trueasync.micrometer.TrueAsyncMetrics;

/** Runtimes and the pool of the database as meters, if {@code trueasync-micrometer} is there. */
@AutoConfiguration(after = TrueAsyncDataSourceAutoConfiguration.class)
@ConditionalOnClass({MeterBinder.class, TrueAsyncMetrics.class})
@Conditional(OnCoroutines.class)
class TrueAsyncMetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    TrueAsyncMetrics trueAsyncMetrics() {
        return new TrueAsyncMetrics();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass(PooledDataSource.class)
    static class OfDatabase {
        @Bean
        @ConditionalOnBean(PooledDataSource.class)
        @ConditionalOnMissingBean
        PoolMetrics dataSourcePoolMetrics(PooledDataSource database) {
            return new PoolMetrics(database.pool(), "dataSource");
        }
    }
}
