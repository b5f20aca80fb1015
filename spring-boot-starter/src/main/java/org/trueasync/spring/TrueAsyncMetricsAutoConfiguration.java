package org.trueasync.spring;

import io.micrometer.core.instrument.MeterRegistry;
import io.micrometer.core.instrument.binder.MeterBinder;
import java.util.List;
import java.util.concurrent.CopyOnWriteArrayList;
import javax.sql.DataSource;
import org.springframework.beans.factory.ListableBeanFactory;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.context.annotation.Configuration;
import org.trueasync.jdbc.PooledDataSource;
import org.trueasync.micrometer.PoolMetrics;
import org.trueasync.micrometer.TrueAsyncMetrics;

/** Runtimes and the pools of databases as meters, if {@code trueasync-micrometer} is there. */
@AutoConfiguration(after = {TrueAsyncDataSourceAutoConfiguration.class, DataSourceAutoConfiguration.class})
@ConditionalOnClass({MeterBinder.class, TrueAsyncMetrics.class})
@Conditional(OnCoroutines.class)
class TrueAsyncMetricsAutoConfiguration {
    @Bean
    @ConditionalOnMissingBean
    TrueAsyncMetrics trueAsyncMetrics() {
        return new TrueAsyncMetrics();
    }

    @Configuration(proxyBeanMethods = false)
    @ConditionalOnClass({PooledDataSource.class, DataSourceUnwrapper.class})
    static class OfDatabase {
        /** Each pool has the name of its data source's bean, as in Boot's own meters of pools. */
        @Bean
        @ConditionalOnBean(DataSource.class)
        @ConditionalOnMissingBean(PoolMetrics.class)
        PoolsOfDatabases dataSourcePoolMetrics(ListableBeanFactory beans) {
            return new PoolsOfDatabases(beans);
        }
    }

    record PoolsOfDatabases(ListableBeanFactory beans, List<PoolMetrics> bound) implements MeterBinder, AutoCloseable {
        PoolsOfDatabases(ListableBeanFactory beans) {
            this(beans, new CopyOnWriteArrayList<>());
        }

        @Override
        public void bindTo(MeterRegistry registry) {
            beans.getBeansOfType(DataSource.class, false, true).forEach((name, source) -> {
                PooledDataSource pooled = DataSourceUnwrapper.unwrap(source, PooledDataSource.class);
                if (pooled == null) return;
                var metrics = new PoolMetrics(pooled.pool(), name);
                bound.add(metrics);
                metrics.bindTo(registry);
            });
        }

        @Override
        public void close() {
            bound.forEach(PoolMetrics::close);
            bound.clear();
        }
    }
}
