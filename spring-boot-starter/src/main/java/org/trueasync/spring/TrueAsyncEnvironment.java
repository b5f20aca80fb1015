package org.trueasync.spring;

import java.time.Duration;
import java.util.Map;
import org.apache.commons.logging.Log;
import org.springframework.boot.EnvironmentPostProcessor;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.boot.logging.DeferredLogFactory;
import org.springframework.core.env.ConfigurableEnvironment;
import org.springframework.core.env.Environment;
import org.springframework.core.env.MapPropertySource;

/** Settings that an application on coroutines starts with; its own settings win. */
final class TrueAsyncEnvironment implements EnvironmentPostProcessor {
    private static final String VIRTUAL = "spring.threads.virtual.enabled";
    /** That of a runtime, if nothing is set. */
    private static final Duration DRAIN_TIMEOUT = Duration.ofSeconds(10);

    private final Log log;

    TrueAsyncEnvironment(DeferredLogFactory logs) {
        this.log = logs.getLog(TrueAsyncApplication.class);
    }

    @Override
    public void postProcessEnvironment(ConfigurableEnvironment environment, SpringApplication application) {
        boolean isVirtual = environment.getProperty(VIRTUAL, boolean.class, false);
        boolean isTest = OnCoroutines.isTest(environment);
        if (!OnCoroutines.isHere() && !isTest) {
            // a slice of a test, such as @WebMvcTest, has neither main nor server: the advice would be wrong
            if (!isVirtual && !environment.getPropertySources().contains("Inlined Test Properties"))
                log.warn("This application does not run in coroutines: start it by TrueAsyncApplication.run");
            return;
        }
        if (isVirtual) {
            throw new IllegalStateException(VIRTUAL + " must be false, got true: requests would run on threads of"
                    + " Boot's own, and not in coroutines. Remove the setting, or trueasync-spring-boot-starter");
        }
        // Spring closes the contexts of tests itself
        if (isTest) return;
        environment
                .getPropertySources()
                .addLast(new MapPropertySource(
                        "trueasync",
                        Map.of(
                                "server.shutdown",
                                "graceful",
                                // the runtime's shutdown closes the context, as a part of it
                                "spring.main.register-shutdown-hook",
                                "false",
                                // the log goes on to the end
                                "logging.register-shutdown-hook",
                                "false",
                                // less than the runtime's drain timeout: then Spring closes its beans in order
                                "spring.lifecycle.timeout-per-shutdown-phase",
                                phaseLimit(environment).toMillis() + "ms")));
    }

    private static Duration phaseLimit(Environment environment) {
        return Binder.get(environment)
                .bind(RuntimeProperties.DRAIN_TIMEOUT, Duration.class)
                .orElse(DRAIN_TIMEOUT)
                .multipliedBy(4)
                .dividedBy(5);
    }
}
