package org.trueasync.spring;

import org.springframework.boot.actuate.autoconfigure.endpoint.condition.ConditionalOnAvailableEndpoint;
import org.springframework.boot.actuate.endpoint.annotation.Endpoint;
import org.springframework.boot.actuate.endpoint.annotation.ReadOperation;
import org.springframework.boot.autoconfigure.AutoConfiguration;
import org.springframework.boot.autoconfigure.condition.ConditionalOnClass;
import org.springframework.context.annotation.Bean;
import org.springframework.context.annotation.Conditional;
import org.trueasync.Async;

/** The tree of scopes and coroutines, as text, at {@code /actuator/coroutines} if it is exposed. */
@AutoConfiguration
@ConditionalOnClass({Endpoint.class, ConditionalOnAvailableEndpoint.class})
@ConditionalOnAvailableEndpoint(TrueAsyncEndpointAutoConfiguration.Coroutines.class)
@Conditional(OnCoroutines.class)
class TrueAsyncEndpointAutoConfiguration {
    @Bean
    Coroutines coroutinesEndpoint(ApplicationRun run) {
        return new Coroutines(run);
    }

    @Endpoint(id = "coroutines")
    static final class Coroutines {
        private final ApplicationRun run;

        Coroutines(ApplicationRun run) {
            this.run = run;
        }

        @ReadOperation(produces = "text/plain")
        String dump() throws Exception {
            return run.call(Async::dump);
        }
    }
}
