package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** Futures of foreign work that is stopped when nobody wants its outcome. */
class StoppableFutureTest {
    private final CompletableFuture<Integer> work = new CompletableFuture<>();
    private final List<AsyncCancellation> stops = new ArrayList<>();

    private Future<Integer> future() {
        return Future.from(work, stops::add);
    }

    @Test
    void nobodyWaits_workGoesOn() {
        TestRuntime.run(() -> {
            Future<Integer> future = future();
            settle();
            assertThat(stops).isEmpty();
            work.complete(7);
            assertThat(future.await()).isEqualTo(7);
            settle();
            assertThat(stops).isEmpty();
        });
    }

    @Test
    void cancelled_workIsStoppedOnceWithTheReason() {
        TestRuntime.run(() -> {
            var reason = new AsyncCancellation("enough");
            Future<Integer> future = future();
            future.cancel(reason);
            future.cancel();
            settle();
            assertThat(stops).containsExactly(reason);
            assertThatThrownBy(future::await).isSameAs(reason);
        });
    }

    @Test
    void onlyWaiterCancelled_workIsStopped() {
        TestRuntime.run(() -> {
            Future<Integer> future = future();
            var waiter = spawn(() -> future.await());
            suspend();
            waiter.cancel();
            settle();
            assertThat(stops)
                    .singleElement()
                    .extracting(Throwable::getMessage)
                    .isEqualTo("nobody waits for the work any more");
            assertThat(future.isCancelled()).isTrue();
        });
    }

    @Test
    void waiterGivesUpByItsToken_workIsStopped() {
        TestRuntime.run(() -> {
            Future<Integer> future = future();
            assertThatThrownBy(() -> future.await(Async.timeout(Duration.ofMillis(1))))
                    .isInstanceOf(OperationCanceledException.class);
            settle();
            assertThat(stops).hasSize(1);
        });
    }

    @Test
    void oneOfTwoWaitersCancelled_workGoesOn() {
        TestRuntime.run(() -> {
            Future<Integer> future = future();
            var first = spawn(() -> future.await());
            var second = spawn(() -> future.await());
            suspend();
            first.cancel();
            settle();
            assertThat(stops).isEmpty();
            work.complete(7);
            assertThat(second.await()).isEqualTo(7);
        });
    }

    @Test
    void endedWork_isNotStopped() {
        TestRuntime.run(() -> {
            Future<Integer> future = future();
            work.complete(7);
            assertThat(future.await()).isEqualTo(7);
            future.cancel();
            settle();
            assertThat(stops).isEmpty();
        });
    }

    private static void settle() {
        for (int i = 0; i < 5; i++) suspend();
    }
}
