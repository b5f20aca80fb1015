package org.trueasync.internal.future;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;

import java.util.ArrayList;
import java.util.List;
import java.util.Objects;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncException;
import org.trueasync.Body;
import org.trueasync.Future;
import org.trueasync.FutureState;
import org.trueasync.Select;
import org.trueasync.ThreadTask;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** A future as an event: what waits for several things, a select or a stage sees of it. */
class FutureEventTest {
    private static final class Log extends EventCallback {
        final List<String> seen = new ArrayList<>();

        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
            seen.add(error == null ? "value " + result : "error " + error.getMessage());
        }
    }

    private static FutureCore<?> core(Future<?> future) {
        return Objects.requireNonNull(FutureAccess.coreOf(future));
    }

    @Test
    void pending_hasNothingToReplay() {
        TestRuntime.run(() -> {
            var log = new Log();
            assertThat(core(new FutureState<String>().future()).replay(log)).isFalse();
            assertThat(log.seen).isEmpty();
        });
    }

    @Test
    @Tag("A34")
    void completed_replaysItsOutcomeOnce_whichCountsAsUseOfIt() {
        TestRuntime runtime = TestRuntime.run(() -> {
            var log = new Log();
            assertThat(core(Future.completed("x")).replay(log)).isTrue();
            assertThat(core(Future.failed(new IllegalStateException("planned"))).replay(log))
                    .isTrue();
            assertThat(log.seen).containsExactly("value x", "error planned");
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    @Tag("A1")
    void completed_isChosenWithoutAWait() {
        TestRuntime.run(() -> {
            Future<String> done = Future.completed("x");
            assertThat(Select.<String>of()
                            .await(new FutureState<String>().future(), v -> "never " + v)
                            .await(done, v -> "got " + v)
                            .otherwise(() -> "nothing")
                            .select())
                    .isEqualTo("got x");
        });
    }

    @Test
    @Tag("K1")
    void inAnotherRuntime_isRefusedAndChangesNothing() {
        TestRuntime.run(() -> {
            var pending = new FutureState<String>();
            Future<String> done = Future.completed("x");
            List<Body> calls = List.of(
                    () -> await(pending.future()),
                    () -> core(pending.future()).start(),
                    () -> core(pending.future()).tryFail(new IllegalStateException("theirs")),
                    () -> core(pending.future()).tryComplete(null),
                    () -> pending.future().toCompletableFuture(),
                    () -> await(done));
            var messages = new ArrayList<String>();
            for (Body call : calls) {
                ThreadTask<?> other = Async.spawnThread(call);
                assertThatThrownBy(() -> await(other))
                        .rootCause()
                        .isInstanceOf(AsyncException.class)
                        .satisfies(
                                e -> messages.add(String.valueOf(e.getMessage()).replaceFirst(" called on.*", "")));
            }
            assertThat(messages)
                    .containsExactly(
                            "a future's method",
                            "a future's method",
                            "a future's method",
                            "a future's method",
                            "Future.toCompletableFuture",
                            "Async.await");
            assertThat(pending.isCompleted()).isFalse();
            assertThat(core(pending.future()).hasCallbacks()).isFalse();
            assertThat(await(done)).isEqualTo("x");
        });
    }
}
