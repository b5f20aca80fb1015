package org.trueasync.examples.service;

import static org.trueasync.Async.await;

import java.util.concurrent.CompletableFuture;
import org.springframework.boot.SpringApplication;
import org.springframework.boot.autoconfigure.SpringBootApplication;
import org.trueasync.spi.Cleanup;

/** The service as a program for the command {@code trueasync}, which makes its main the main coroutine. */
@SpringBootApplication
public class Service {
    static void main(String[] arguments) {
        try (var spring = SpringApplication.run(Service.class, arguments)) {
            // a shutdown first lets Spring answer what it has accepted; then main is cancelled
            Cleanup.onDrain(spring::close);
            await(new CompletableFuture<Void>());
        }
    }
}
