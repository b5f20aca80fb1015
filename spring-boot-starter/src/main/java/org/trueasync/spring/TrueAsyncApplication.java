package org.trueasync.spring;

import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;

import java.util.concurrent.CompletableFuture;
import org.apache.commons.logging.LogFactory;
import org.jspecify.annotations.Nullable;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.SpringApplicationHook;
import org.springframework.boot.web.server.context.WebServerApplicationContext;
import org.springframework.context.ApplicationListener;
import org.springframework.context.ConfigurableApplicationContext;
import org.springframework.context.event.ContextClosedEvent;
import org.springframework.context.support.GenericApplicationContext;
import org.springframework.util.ReflectionUtils;
import org.trueasync.Async;
import org.trueasync.AsyncRuntime;
import org.trueasync.Scope;
import org.trueasync.spi.Cleanup;

/**
 * Runs a Spring Boot application in coroutines: its {@code main} calls {@link #run(Class, String...)} where it would
 * call {@code SpringApplication.run}.
 *
 * <p>SIGTERM, SIGINT and {@code System.exit} first let the application answer what it has accepted, then close its
 * beans, then end the process.
 *
 * <p>In a service, an error of a coroutine that nobody awaits is reported, and the others go on: the main scope has
 * {@link Scope#reportErrors()}, unless a bean sets another handler.
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
        FailedStart failed = FailedStart.of(application);
        if (OnCoroutines.isHere()) {
            DevTools.startingInCoroutine();
            application.addInitializers(TrueAsyncApplication::tellIgnored);
            serve(application, null, failed, arguments);
            return;
        }
        SpringApplicationHook hook = BootHook.here();
        if (hook != null && BootHook.isOfTest(hook)) {
            startForTest(application, hook, arguments);
            return;
        }
        DevTools.starting(application, arguments);
        AsyncRuntime.Builder runtime = Async.runtime().name("spring").shutdownOn();
        RuntimeProperties.apply(application, arguments, runtime);
        runtime.run(() -> serve(application, hook, failed, arguments));
    }

    private static void tellIgnored(ConfigurableApplicationContext context) {
        String[] ignored = RuntimeProperties.present(context.getEnvironment());
        if (ignored.length > 0)
            LogFactory.getLog(TrueAsyncApplication.class)
                    .warn(String.join(", ", ignored) + ": without effect, as the runtime was made before the"
                            + " application. Use the settings of Async.runtime() or of the command");
    }

    /** A test goes on when main has returned, and its context ends the run. */
    private static void startForTest(SpringApplication application, SpringApplicationHook hook, String... arguments) {
        ApplicationRun run = ApplicationRun.begin();
        application.addInitializers(
                (GenericApplicationContext context) -> context.registerBean(ApplicationRun.class, () -> run));
        try {
            run.call(() -> SpringApplication.withHook(hook, () -> application.run(arguments)));
        } catch (Exception e) {
            run.close();
            ReflectionUtils.rethrowRuntimeException(e);
        }
    }

    private static void serve(
            SpringApplication application,
            @Nullable SpringApplicationHook hook,
            FailedStart failed,
            String... arguments) {
        var closed = new CompletableFuture<Void>();
        application.addInitializers(context -> {
            // a bug in one request ends neither the others nor the service; a bean may still set a handler of its own
            if (isService(application, context)) Scope.global().reportErrors();
            context.addApplicationListener((ApplicationListener<ContextClosedEvent>) event -> {
                if (event.getApplicationContext() == context) closed.complete(null);
            });
        });
        ConfigurableApplicationContext context;
        try {
            context = hook == null
                    ? application.run(arguments)
                    : SpringApplication.withHook(hook, () -> application.run(arguments));
        } catch (Throwable e) {
            failed.with(e);
            throw e;
        }
        if (!isService(application, context)) {
            Cleanup.atEnd(context::close);
            return;
        }
        try (context;
                // a shutdown first lets Spring answer what it has accepted; then this coroutine is cancelled
                var _ = Cleanup.onDrain(context::close)) {
            await(closed);
            // If a thread closes it, such as Actuator's shutdown, close() does not wait, and beans still need the run.
            // Protected, as a drain that ends with close() would cancel main in its last delay.
            protect(() -> {
                while (context.isActive()) delay(10);
            });
        }
    }

    private static boolean isService(SpringApplication application, ConfigurableApplicationContext context) {
        return context instanceof WebServerApplicationContext || application.isKeepAlive();
    }
}
