package org.trueasync.spring;

import org.apache.catalina.startup.Tomcat;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.tomcat.TomcatProtocolHandlerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.trueasync.Async;

/** Each request of Tomcat is a coroutine. */
@AutoConfiguration
@ConditionalOnClass({Tomcat.class, TomcatProtocolHandlerCustomizer.class})
@Conditional(InCoroutine.class)
class TrueAsyncTomcatAutoConfiguration {
    @Bean
    TomcatProtocolHandlerCustomizer<?> tomcatOnCoroutines() {
        var executor = Async.executor();
        return tomcat -> tomcat.setExecutor(executor);
    }
}
