package org.trueasync.spring;

import static org.trueasync.Async.await;

import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.trueasync.Async;
import org.trueasync.spi.Cleanup;

/**
 * Runs a Spring Boot application in coroutines: its {@code main} calls {@link #run(Class, String...)} where it would
 * call {@code SpringApplication.run}.
 *
 * <p>SIGTERM, SIGINT and {@code System.exit} first let the application answer what it has accepted, then close its
 * beans, then end the process.
 */
public final class TrueAsyncApplication {
    private TrueAsyncApplication() {}

    /**
     * Runs the application to its end. One with a web server, or with {@code spring.main.keep-alive=true}, ends when
     * its context is closed; any other one when its runners and all coroutines have ended. In a coroutine, such as the
     * main one of a program under the command, the application runs in the runtime of this coroutine; elsewhere in a
     * runtime of its own, which ends with it.
     *
     * @param source a class with {@code @SpringBootApplication}
     * @throws RuntimeException what the start of the application throws
     */
    public static void run(Class<?> source, String... arguments) {
        run(new SpringApplication(source), arguments);
    }

    /**
     * As {@link #run(Class, String...)}, for an application that was prepared, such as by
     * {@code SpringApplicationBuilder}.
     */
    public static void run(SpringApplication application, String... arguments) {
        if (InCoroutine.isHere()) serve(application, arguments);
        else Async.runtime().name("spring").shutdownOn().run(() -> serve(application, arguments));
    }

    private static void serve(SpringApplication application, String... arguments) {
        var closed = new CompletableFuture<Void>();
        application.addInitializers(
                context -> context.addApplicationListener((ApplicationListener<ContextClosedEvent>) event -> {
                    if (event.getApplicationContext() == context) closed.complete(null);
                }));
        ConfigurableApplicationContext context = application.run(arguments);
        if (!(context instanceof WebServerApplicationContext) && !application.isKeepAlive()) {
            Cleanup.atEnd(context::close);
            return;
        }
        try (context;
                // a shutdown first lets Spring answer what it has accepted; then this coroutine is cancelled
                var _ = Cleanup.onDrain(context::close)) {
            await(closed);
        }
    }
}
