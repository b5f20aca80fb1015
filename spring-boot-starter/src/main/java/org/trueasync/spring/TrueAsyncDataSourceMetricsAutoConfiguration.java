package org.trueasync.spring;

import org.jspecify.annotations.Nullable;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jdbc.DataSourceUnwrapper;
import org.springframework.boot.jdbc.metadata.AbstractDataSourcePoolMetadata;
import org.springframework.boot.jdbc.metadata.DataSourcePoolMetadataProvider;
import org.springframework.context.annotation.Bean;
import org.trueasync.jdbc.PooledDataSource;

/** Our pool as Boot knows others: Actuator makes its meters {@code jdbc.connections.*} of this. */
@AutoConfiguration(
        beforeName = "org.springframework.boot.jdbc.autoconfigure.metrics.DataSourcePoolMetricsAutoConfiguration")
@ConditionalOnClass({PooledDataSource.class, DataSourcePoolMetadataProvider.class})
class TrueAsyncDataSourceMetricsAutoConfiguration {
    @Bean
    DataSourcePoolMetadataProvider trueasyncPoolMetadataProvider() {
        return source -> {
            PooledDataSource pooled = DataSourceUnwrapper.unwrap(source, PooledDataSource.class);
            return pooled == null ? null : new Metadata(pooled);
        };
    }

    private static final class Metadata extends AbstractDataSourcePoolMetadata<PooledDataSource> {
        Metadata(PooledDataSource source) {
            super(source);
        }

        @Override
        public Integer getActive() {
            return getDataSource().pool().activeCount();
        }

        @Override
        public Integer getIdle() {
            return getDataSource().pool().idleCount();
        }

        @Override
        public Integer getMax() {
            return getDataSource().max();
        }

        @Override
        public Integer getMin() {
            return getDataSource().min();
        }

        @Override
        public @Nullable String getValidationQuery() {
            return null;
        }

        @Override
        public @Nullable Boolean getDefaultAutoCommit() {
            return null;
        }
    }
}
