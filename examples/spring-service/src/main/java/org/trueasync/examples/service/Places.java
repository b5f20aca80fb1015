package org.trueasync.examples.service;

import static org.trueasync.Async.await;
import static org.trueasync.Async.blocking;
import static org.trueasync.Async.executor;
import static org.trueasync.Async.spawn;

import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.springframework.core.task.AsyncTaskExecutor;
import org.springframework.web.bind.annotation.GetMapping;
import org.springframework.web.bind.annotation.RestController;

/** What travels with a request to the other places where its work may run. */
@RestController
class Places {
    private final AsyncTaskExecutor tasks;

    Places(AsyncTaskExecutor tasks) {
        this.tasks = tasks;
    }

    @GetMapping("/context")
    Map<String, Seen> context() {
        return Map.of(
                "request", Seen.here(),
                "spawn", await(spawn(Seen::here)),
                "blocking", blocking(Seen::here),
                "executor", await(CompletableFuture.supplyAsync(Seen::here, executor())),
                "taskExecutor", await(tasks.submitCompletable(Seen::here)));
    }
}
