package org.trueasync.spring;

import org.eclipse.jetty.util.VirtualThreads;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.trueasync.Async;

/** Each request of Jetty is a coroutine. */
@AutoConfiguration
@ConditionalOnClass({VirtualThreads.class, ConfigurableJettyWebServerFactory.class})
@Conditional(InCoroutine.class)
class TrueAsyncJettyAutoConfiguration {
    /** What Jetty would give to a virtual thread: whatever may block. */
    @Bean
    WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> jettyOnCoroutines() {
        var executor = Async.executor();
        return jetty -> jetty.addServerCustomizers(server -> {
            if (server.getThreadPool() instanceof VirtualThreads.Configurable pool)
                pool.setVirtualThreadsExecutor(executor);
        });
    }
}
