package org.trueasync.examples.service;

import static org.trueasync.Async.await;

import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.trueasync.Async;

/** The service as somebody writes it who knows nothing of drains: Spring's own shutdown hook ends it. */
final class WithSpringsHook {
    private WithSpringsHook() {}

    /** For the command. */
    static final class Coroutine {
        private Coroutine() {}

        static void main(String[] arguments) {
            System.setProperty("spring.main.register-shutdown-hook", "true");
            SpringApplication.run(Service.class, arguments);
            await(new CompletableFuture<Void>());
        }
    }

    static void main(String[] arguments) {
        Async.runtime().name("shop").shutdownOn().run(() -> Coroutine.main(arguments));
    }
}
