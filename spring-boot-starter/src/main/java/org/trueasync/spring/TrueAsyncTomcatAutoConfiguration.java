package org.trueasync.spring;

import org.apache.catalina.startup.Tomcat;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.tomcat.TomcatProtocolHandlerCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Each request of Tomcat is a coroutine. */
@AutoConfiguration
@ConditionalOnClass({Tomcat.class, TomcatProtocolHandlerCustomizer.class})
@Conditional(OnCoroutines.class)
class TrueAsyncTomcatAutoConfiguration {
    @Bean
    TomcatProtocolHandlerCustomizer<?> tomcatOnCoroutines(ApplicationRun run) {
        return tomcat -> tomcat.setExecutor(run.executor());
    }
}
