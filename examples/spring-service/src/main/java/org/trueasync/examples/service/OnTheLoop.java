package org.trueasync.examples.service;

import static org.trueasync.Async.blocking;
import static org.trueasync.Async.executor;

import java.sql.SQLException;
import org.springframework.beans.factory.annotation.Value;
import org.springframework.boot.tomcat.TomcatProtocolHandlerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Configuration;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.core.task.support.TaskExecutorAdapter;
import org.springframework.security.crypto.bcrypt.BCryptPasswordEncoder;
import org.springframework.security.crypto.password.PasswordEncoder;
import org.trueasync.jdbc.PooledDataSource;

/** What makes it a service on the loop: each request of Tomcat is a coroutine, and so is each task of Spring. */
@Configuration(proxyBeanMethods = false)
class OnTheLoop {
    @Bean
    TomcatProtocolHandlerCustomizer<?> requestsAreCoroutines() {
        var executor = executor();
        return tomcat -> tomcat.setExecutor(executor);
    }

    /** For methods with {@code @Async}, and for what Spring itself does beside a request. */
    @Bean({"applicationTaskExecutor", "taskExecutor"})
    AsyncTaskExecutor tasksAreCoroutines() {
        return new TaskExecutorAdapter(executor());
    }

    @Bean
    PooledDataSource dataSource(
            @Value("${shop.database.url}") String url,
            @Value("${shop.database.user:}") String user,
            @Value("${shop.database.password:}") String password)
            throws SQLException {
        var pool = PooledDataSource.forUrl(url).name("shop").max(10);
        if (!user.isEmpty()) pool.user(user).password(password);
        return pool.build();
    }

    /** A hash takes a tenth of a second on purpose: other threads compute it, and only its own request waits. */
    @Bean
    PasswordEncoder passwords() {
        return new BCryptPasswordEncoder() {
            @Override
            protected boolean matchesNonNull(String password, String hash) {
                return blocking(() -> super.matchesNonNull(password, hash));
            }

            @Override
            protected String encodeNonNullPassword(String password) {
                return blocking(() -> super.encodeNonNullPassword(password));
            }
        };
    }
}
