package org.trueasync.spring;

import java.time.Duration;
import java.util.function.Consumer;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.beans.factory.ObjectProvider;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.autoconfigure.condition.ConditionalOnMissingBean;
import org.springframework.boot.autoconfigure.condition.ConditionalOnProperty;
import org.springframework.boot.context.properties.ConfigurationProperties;
import org.springframework.boot.context.properties.EnableConfigurationProperties;
import org.springframework.boot.context.properties.bind.Bindable;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.jdbc.autoconfigure.DataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.DataSourceProperties;
import org.springframework.boot.jdbc.autoconfigure.JdbcConnectionDetails;
import org.springframework.boot.jdbc.autoconfigure.JndiDataSourceAutoConfiguration;
import org.springframework.boot.jdbc.autoconfigure.XADataSourceAutoConfiguration;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.springframework.core.env.Environment;
import org.springframework.jdbc.datasource.embedded.EmbeddedDatabaseType;
import org.springframework.transaction.annotation.Isolation;
import org.trueasync.jdbc.PooledDataSource;

/** The database of {@code spring.datasource.*}, with our pool. Another {@code spring.datasource.type} gets Boot's. */
@AutoConfiguration(
        after = {JndiDataSourceAutoConfiguration.class, XADataSourceAutoConfiguration.class},
        before = DataSourceAutoConfiguration.class)
@NotExcluded(DataSourceAutoConfiguration.class)
@ConditionalOnClass({PooledDataSource.class, EmbeddedDatabaseType.class, DataSourceProperties.class})
@ConditionalOnProperty(
        name = "spring.datasource.type",
        havingValue = "org.trueasync.jdbc.PooledDataSource",
        matchIfMissing = true)
@ConditionalOnMissingBean(type = {"javax.sql.DataSource", "javax.sql.XADataSource", "io.r2dbc.spi.ConnectionFactory"})
@Conditional(OnCoroutines.class)
@EnableConfigurationProperties({DataSourceProperties.class, TrueAsyncDataSourceAutoConfiguration.PoolProperties.class})
class TrueAsyncDataSourceAutoConfiguration {
    @Bean
    PooledDataSource dataSource(
            ApplicationRun run,
            DataSourceProperties properties,
            PoolProperties pool,
            ObjectProvider<JdbcConnectionDetails> details,
            Environment environment)
            throws Exception {
        if (Binder.get(environment)
                .bind("spring.datasource.hikari", Bindable.mapOf(String.class, Object.class))
                .isBound())
            LogFactory.getLog(TrueAsyncApplication.class)
                    .warn(
                            "spring.datasource.hikari.* has no effect here: the pool is a PooledDataSource, whose settings"
                                    + " are spring.datasource.trueasync.*");
        JdbcConnectionDetails found = details.getIfAvailable();
        String url = found == null ? properties.determineUrl() : found.getJdbcUrl();
        String user = found == null ? properties.determineUsername() : found.getUsername();
        String password = found == null ? properties.determinePassword() : found.getPassword();
        var builder = PooledDataSource.forUrl(url);
        set(properties.getName(), builder::name);
        set(user, builder::user);
        set(password, builder::password);
        set(pool.max, builder::max);
        set(pool.min, builder::min);
        set(pool.connectionTimeout, builder::connectionTimeout);
        set(pool.idleTimeout, builder::idleTimeout);
        set(pool.maxLifetime, builder::maxLifetime);
        set(pool.keepaliveTime, builder::keepaliveTime);
        set(pool.validationTimeout, builder::validationTimeout);
        set(pool.healthcheckInterval, builder::healthcheckInterval);
        set(pool.leakDetectionThreshold, builder::leakDetectionThreshold);
        set(pool.connectionInitSql, builder::connectionInitSql);
        set(pool.resetSql, builder::resetSql);
        set(pool.resetAfterUse, builder::resetAfterUse);
        set(pool.statementCache, builder::statementCache);
        set(pool.autoCommit, builder::autoCommit);
        set(pool.readOnly, builder::readOnly);
        set(pool.transactionIsolation, isolation -> builder.transactionIsolation(isolation.value()));
        set(pool.schema, builder::schema);
        set(pool.catalog, builder::catalog);
        set(pool.onHelperThreads, builder::onHelperThreads);
        return run.call(builder::build);
    }

    private static <T> void set(@Nullable T value, Consumer<T> setter) {
        if (value != null) setter.accept(value);
    }

    /** {@code spring.datasource.trueasync.*}: the settings of {@link PooledDataSource.Builder} that are values. */
    @ConfigurationProperties("spring.datasource.trueasync")
    record PoolProperties(
            @Nullable Integer max,
            @Nullable Integer min,
            @Nullable Duration connectionTimeout,
            @Nullable Duration idleTimeout,
            @Nullable Duration maxLifetime,
            @Nullable Duration keepaliveTime,
            @Nullable Duration validationTimeout,
            @Nullable Duration healthcheckInterval,
            @Nullable Duration leakDetectionThreshold,
            @Nullable String connectionInitSql,
            @Nullable String resetSql,
            @Nullable Boolean resetAfterUse,
            @Nullable Integer statementCache,
            @Nullable Boolean autoCommit,
            @Nullable Boolean readOnly,
            @Nullable Isolation transactionIsolation,
            @Nullable String schema,
            @Nullable String catalog,
            @Nullable Boolean onHelperThreads) {}
}
