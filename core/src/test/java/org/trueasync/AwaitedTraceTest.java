package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAllOrFail;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.io.IOException;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CompletionException;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** The stack of an error tells who has awaited it, and it stays the same object. */
class AwaitedTraceTest {
    private static Object fails() {
        delay(1);
        throw new IllegalStateException("fails");
    }

    private static Object awaitsIt(Completable<?> one) {
        return await(one);
    }

    private static Object outermost(Completable<?> one) {
        return awaitsIt(one);
    }

    /** The methods of this class in a trace, and where it goes from coroutine to coroutine. */
    private static List<String> path(Throwable error) {
        var path = new ArrayList<String>();
        for (StackTraceElement frame : error.getStackTrace()) {
            if (frame.getClassName().equals("awaited")) path.add("awaited");
            else if (frame.getClassName().equals(AwaitedTraceTest.class.getName())
                    && !frame.getMethodName().startsWith("lambda")) path.add(frame.getMethodName());
        }
        return path;
    }

    private static long awaiters(Throwable error) {
        return Arrays.stream(error.getStackTrace())
                .filter(frame -> frame.getClassName().equals("awaited"))
                .count();
    }

    @Test
    void errorOfACoroutine_showsWhoAwaitedIt() {
        TestRuntime.run(() -> {
            Coroutine<?> failing = spawn(() -> fails());
            Throwable error = catchThrowable(() -> outermost(failing));
            assertThat(error).isSameAs(failing.exception());
            assertThat(error.getSuppressed()).isEmpty();
            assertThat(path(error)).containsExactly("fails", "awaited", "awaitsIt", "outermost");
            assertThat(Arrays.toString(error.getStackTrace()))
                    .contains(
                            "awaited.by coroutine #" + Async.currentCoroutine().id() + "()")
                    .doesNotContain("ExecutionContext");
        });
    }

    @Test
    void errorThatPassesThroughCoroutines_showsThemAll() {
        TestRuntime.run(() -> {
            Coroutine<?> failing = spawn(() -> fails());
            Coroutine<?> middle = spawn("middle", () -> awaitsIt(failing));
            Throwable error = catchThrowable(() -> outermost(middle));
            assertThat(error).isSameAs(failing.exception()).isSameAs(middle.exception());
            assertThat(path(error)).startsWith("fails", "awaited", "awaitsIt", "awaited");
            assertThat(Arrays.toString(error.getStackTrace()))
                    .contains("by coroutine " + "#" + middle.id() + " 'middle'");
        });
    }

    @Test
    void everyWayToAwait_tells() {
        TestRuntime.run(() -> {
            List<Body> ways = List.of(
                    () -> await(spawn(() -> fails())),
                    () -> spawn(() -> fails()).await(),
                    () -> awaitAllOrFail(spawn(() -> fails()), spawn(() -> 1)),
                    () -> new TaskGroup<>().spawn(() -> fails()).await(),
                    () -> {
                        Coroutine<?> ended = spawn(() -> fails());
                        delay(5);
                        ended.await();
                    },
                    () -> {
                        var state = new FutureState<Object>();
                        spawn(() -> state.error(catchThrowable(AwaitedTraceTest::fails)));
                        state.future().await();
                    },
                    () -> {
                        var stage = new CompletableFuture<Object>();
                        spawn(() -> stage.completeExceptionally(catchThrowable(AwaitedTraceTest::fails)));
                        await(stage);
                    });
            for (Body way : ways)
                assertThat(path(catchThrowable(way::run)))
                        .as("way %d", ways.indexOf(way))
                        .startsWith("fails", "awaited");
        });
    }

    @Test
    void checkedException_tellsInItsOwnTrace() {
        TestRuntime.run(() -> {
            Coroutine<?> failing = spawn(() -> {
                delay(1);
                throw new IOException("checked");
            });
            Throwable error = catchThrowable(() -> awaitsIt(failing));
            assertThat(error).isInstanceOf(CompletionException.class);
            assertThat(error.getCause()).isSameAs(failing.exception());
            assertThat(path(error.getCause())).containsExactly("awaited", "awaitsIt");
        });
    }

    @Test
    void errorThatIsAwaitedAgainAndAgain_doesNotGrow() {
        TestRuntime.run(() -> {
            Coroutine<?> failing = spawn(() -> fails());
            for (int i = 0; i < 100; i++) catchThrowable(() -> awaitsIt(failing));
            Throwable error = failing.exception();
            assertThat(awaiters(error)).as("one place").isEqualTo(1);
            Coroutine<?> last = failing;
            for (int i = 0; i < 50; i++) {
                Coroutine<?> inner = last;
                last = i % 2 == 0 ? spawn(() -> awaitsIt(inner)) : spawn(() -> inner.await());
            }
            Coroutine<?> end = last;
            assertThat(catchThrowable(() -> outermost(end))).isSameAs(error);
            assertThat(awaiters(error)).isBetween(2L, 8L);
            assertThat(error.getStackTrace().length).isLessThan(400);
        });
    }

    @Test
    void severalAwaitersOfOneError_areAllThere() {
        TestRuntime.run(() -> {
            Coroutine<?> failing = spawn(() -> fails());
            List<Coroutine<?>> awaiting = List.of(spawn(() -> failing.await()), spawn(() -> awaitsIt(failing)));
            delay(5);
            for (Coroutine<?> one : awaiting) assertThat(one.exception()).isSameAs(failing.exception());
            assertThat(awaiters(failing.exception())).isEqualTo(2);
        });
    }

    /** An error that lets nothing be added to it. */
    private static final class Stackless extends RuntimeException {
        private static final long serialVersionUID = 1;

        Stackless() {
            super("stackless", null, false, false);
        }
    }

    /** An error that fails when it is asked. */
    private static final class Odd extends RuntimeException {
        private static final long serialVersionUID = 1;

        @Override
        public StackTraceElement @Nullable [] getStackTrace() {
            throw new IllegalStateException("asked");
        }
    }

    @Test
    void errorsThatCantBeAddedTo_passAsTheyAre() {
        TestRuntime.run(() -> {
            for (RuntimeException thrown : List.of(new Stackless(), new Odd())) {
                Coroutine<?> failing = spawn(() -> {
                    suspend();
                    throw thrown;
                });
                assertThat(catchThrowable(() -> awaitsIt(failing))).isSameAs(thrown);
            }
            assertThat(new Stackless().getStackTrace()).isEmpty();
        });
    }

    @Test
    void cancellations_areLeftAlone() {
        TestRuntime.run(() -> {
            var reason = new AsyncCancellation("shared by many");
            int depth = reason.getStackTrace().length;
            Coroutine<?> cancelled = spawn(() -> delay(100));
            suspend();
            cancelled.cancel(reason);
            assertThat(catchThrowable(() -> awaitsIt(cancelled))).isSameAs(reason);
            assertThat(reason.getStackTrace()).hasSize(depth);
        });
    }

    @Test
    void errorOfTheCallItself_isNotAddedTo() {
        TestRuntime.run(() -> {
            Throwable misuse = catchThrowable(() -> awaitsIt(null));
            assertThat(misuse).isInstanceOf(NullPointerException.class);
            assertThat(awaiters(misuse)).isZero();
        });
    }
}
