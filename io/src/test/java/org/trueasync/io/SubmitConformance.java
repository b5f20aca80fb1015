package org.trueasync.io;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CancellationException;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.ExecutionException;
import java.util.concurrent.RejectedExecutionException;
import java.util.concurrent.TimeUnit;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncException;
import org.trueasync.AsyncRuntime;
import org.trueasync.Body;

/** Tasks for a runtime from threads that are not its own: before, while and after it runs. */
abstract class SubmitConformance {
    private final AsyncRuntime runtime = Async.runtime().name("side").build();

    private Thread running(Body main) {
        return Thread.ofPlatform().start(() -> {
            try {
                runtime.run(main);
            } catch (AsyncCancellation ended) {
                // by the test
            }
        });
    }

    private static <T> T get(CompletableFuture<T> future) throws Exception {
        return future.get(20, TimeUnit.SECONDS);
    }

    @Test
    void tasksFromAnotherThread_runBeforeWhileAndNotAfter() throws Exception {
        List<String> order = new ArrayList<>();
        CompletableFuture<Integer> early = runtime.submit(() -> {
            order.add("early");
            return 1;
        });
        var executor = runtime.executor();
        executor.execute(() -> order.add("executor"));
        Thread thread = running(() -> Async.await(new CompletableFuture<Void>()));
        assertThat(get(early)).isEqualTo(1);
        assertThat(get(runtime.submit(() -> {
                    Async.delay(20);
                    return Async.currentCoroutine() != null;
                })))
                .isTrue();
        assertThat(order).containsExactly("early", "executor");
        runtime.shutdown(new AsyncCancellation("enough"));
        assertThat(runtime.awaitEnd(Duration.ofSeconds(20))).isTrue();
        thread.join();
        assertThatThrownBy(() -> get(runtime.submit(() -> 2)))
                .cause()
                .isInstanceOf(RejectedExecutionException.class)
                .hasMessageContaining("runtime 'side' has ended");
        assertThatThrownBy(() -> executor.execute(() -> {})).isInstanceOf(RejectedExecutionException.class);
    }

    @Test
    void errorOfATask_isTheCallersAndNotTheRuns() throws Exception {
        Thread thread = running(() -> Async.await(new CompletableFuture<Void>()));
        assertThatThrownBy(() -> get(runtime.submit(() -> {
                    throw new IOException("for once");
                })))
                .isInstanceOf(ExecutionException.class)
                .cause()
                .isInstanceOf(IOException.class);
        assertThat(get(runtime.submit(() -> 7))).isEqualTo(7);
        runtime.shutdown(new AsyncCancellation("enough"));
        thread.join();
    }

    @Test
    void cancellingTheFuture_cancelsTheCoroutine() throws Exception {
        Thread thread = running(() -> Async.await(new CompletableFuture<Void>()));
        var begun = new CompletableFuture<Void>();
        var ended = new CompletableFuture<Throwable>();
        CompletableFuture<Void> task = runtime.submit(() -> {
            begun.complete(null);
            try {
                Async.await(new CompletableFuture<Void>());
            } catch (Throwable e) {
                ended.complete(e);
                throw e;
            }
        });
        get(begun);
        task.cancel(true);
        assertThat(get(ended)).isInstanceOf(AsyncCancellation.class);
        assertThatThrownBy(() -> get(task)).isInstanceOf(CancellationException.class);
        runtime.shutdown(new AsyncCancellation("enough"));
        thread.join();
    }

    @Test
    void runThatCannotBegin_refusesWhatWaitedForIt() {
        AsyncRuntime broken = Async.runtime().name("broken").reactor("no such").build();
        CompletableFuture<Integer> task = broken.submit(() -> 1);
        assertThatThrownBy(() -> broken.run(() -> {})).isInstanceOf(AsyncException.class);
        assertThatThrownBy(() -> get(task)).cause().isInstanceOf(RejectedExecutionException.class);
    }
}
