package org.trueasync.internal.kernel;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Whose stack a thread is. */
class ExecutionContextTest {
    @Test
    void threadOfACoroutine_isItsStack() {
        TestRuntime.run(() -> {
            Thread here = Thread.currentThread();
            ExecutionContext context = ExecutionContext.of(here);
            assertThat(context).isNotNull();
            assertThat(context.coroutine).isSameAs(currentCoroutine());
            assertThat(await(CompletableFuture.supplyAsync(() -> ExecutionContext.of(here))))
                    .as("seen from another thread")
                    .isSameAs(context);
        });
    }

    @Test
    void otherThreads_areNone() {
        TestRuntime.run(() -> {
            Thread guest = Thread.ofVirtual().unstarted(() -> {});
            assertThat(ExecutionContext.of(guest)).as("a library's on the loop").isNull();
            assertThat(ExecutionContext.of((Runtimes.here("the test")).loopThread))
                    .isNull();
        });
        assertThat(ExecutionContext.of(Thread.ofVirtual().unstarted(() -> {})))
                .as("a virtual one of the JDK's")
                .isNull();
    }
}
