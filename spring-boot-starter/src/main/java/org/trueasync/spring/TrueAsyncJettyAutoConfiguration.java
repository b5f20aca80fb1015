package org.trueasync.spring;

import org.eclipse.jetty.util.VirtualThreads;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.boot.jetty.ConfigurableJettyWebServerFactory;
import org.springframework.boot.web.server.WebServerFactoryCustomizer;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;

/** Each request of Jetty is a coroutine. */
@AutoConfiguration
@ConditionalOnClass({VirtualThreads.class, ConfigurableJettyWebServerFactory.class})
@Conditional(OnCoroutines.class)
class TrueAsyncJettyAutoConfiguration {
    /** What Jetty would give to a virtual thread: whatever may block. */
    @Bean
    WebServerFactoryCustomizer<ConfigurableJettyWebServerFactory> jettyOnCoroutines(ApplicationRun run) {
        return jetty -> jetty.addServerCustomizers(server -> {
            if (server.getThreadPool() instanceof VirtualThreads.Configurable pool)
                pool.setVirtualThreadsExecutor(run.executor());
        });
    }
}
