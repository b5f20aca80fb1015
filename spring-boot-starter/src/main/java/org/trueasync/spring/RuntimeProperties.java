package org.trueasync.spring;

import java.time.Duration;
import java.util.Arrays;
import java.util.function.Consumer;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.bootstrap.DefaultBootstrapContext;
import org.springframework.boot.context.config.ConfigDataEnvironmentPostProcessor;
import org.springframework.boot.context.properties.bind.Binder;
import org.springframework.core.env.Environment;
import org.springframework.core.env.SimpleCommandLinePropertySource;
import org.springframework.core.env.StandardEnvironment;
import org.springframework.core.io.DefaultResourceLoader;
import org.trueasync.AsyncRuntime;

/** {@code trueasync.*}: settings of the runtime that the starter makes. It begins before Spring does. */
final class RuntimeProperties {
    static final String DRAIN_TIMEOUT = "trueasync.drain-timeout";
    private static final String[] NAMES = {
        "trueasync.reactor", DRAIN_TIMEOUT, "trueasync.shutdown-timeout", "trueasync.held-loop-after"
    };

    private RuntimeProperties() {}

    static void apply(SpringApplication application, String[] arguments, AsyncRuntime.Builder runtime) {
        Environment environment = read(application, arguments);
        set(environment, NAMES[0], String.class, runtime::reactor);
        set(environment, NAMES[1], Duration.class, runtime::drainTimeout);
        set(environment, NAMES[2], Duration.class, runtime::shutdownTimeout);
        set(environment, NAMES[3], Duration.class, runtime::heldLoopAfter);
    }

    /** Those that have no effect in a runtime that somebody else has made. */
    static String[] present(Environment environment) {
        return Arrays.stream(NAMES).filter(environment::containsProperty).toArray(String[]::new);
    }

    private static <T> void set(Environment environment, String name, Class<T> type, Consumer<T> setter) {
        Binder.get(environment).bind(name, type).ifBound(value -> {
            try {
                setter.accept(value);
            } catch (IllegalArgumentException e) {
                throw new IllegalArgumentException(name + ": " + e.getMessage(), e);
            }
        });
    }

    private static Environment read(SpringApplication application, String[] arguments) {
        var environment = of(arguments);
        try {
            ConfigDataEnvironmentPostProcessor.applyTo(
                    environment,
                    new DefaultResourceLoader(),
                    new DefaultBootstrapContext(),
                    application.getAdditionalProfiles().toArray(String[]::new));
            return environment;
        } catch (RuntimeException e) {
            // the application's start meets it again and reports it, unless only Boot itself can read the files
            return of(arguments);
        }
    }

    private static StandardEnvironment of(String[] arguments) {
        var environment = new StandardEnvironment();
        environment.getPropertySources().addFirst(new SimpleCommandLinePropertySource(arguments));
        return environment;
    }
}
