package org.trueasync.cancellation;

import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;

import java.time.Duration;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import org.trueasync.Async;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.FutureState;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.WaitCase;
import org.trueasync.internal.testkit.WaitTable;
import org.trueasync.spi.Poll;
import org.trueasync.spi.PollEvent;
import org.trueasync.spi.PollHandle;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.Waker;

/** Waits of futures and of time. */
final class FutureWaits extends WaitTable {
    FutureWaits() {
        futures();
        time();
    }

    private void future(String method, On<Future<Integer>> on) {
        row(method, wait -> {
            var state = new FutureState<Integer>();
            call(method, wait, token -> on.call(state.future(), token));
            wait.serve(() -> {
                if (!state.isCompleted()) state.complete(1);
            });
        });
    }

    private void futures() {
        future("Async.await(Completable)", (future, token) -> await(future));
        future("Async.await(Completable, Completable)", Async::await);
        future("Future.await()", (future, token) -> future.await());
        future("Future.await(Completable)", Future::await);
        future(
                "Async.awaitAll(Completable, Completable[])",
                (future, token) -> Async.awaitAll(Future.completed(1), future));
        future(
                "Async.awaitAllOrFail(Completable, Completable[])",
                (future, token) -> Async.awaitAllOrFail(Future.completed(1), future));
        future("Async.awaitAll(Iterable, AwaitOption[])", (future, token) -> Async.awaitAll(two(future)));
        future(
                "Async.awaitAll(Iterable, Completable, AwaitOption[])",
                (future, token) -> Async.awaitAll(two(future), token));
        future("Async.awaitAll(Map, AwaitOption[])", (future, token) -> Async.awaitAll(map(future)));
        future(
                "Async.awaitAll(Map, Completable, AwaitOption[])",
                (future, token) -> Async.awaitAll(map(future), token));
        future(
                "Async.awaitAllOrFail(Iterable, AwaitOption[])",
                (future, token) -> Async.awaitAllOrFail(Async.lazily(two(future))));
        future(
                "Async.awaitAllOrFail(Iterable, Completable, AwaitOption[])",
                (future, token) -> Async.awaitAllOrFail(Async.lazily(two(future)), token));
        future("Async.awaitAllOrFail(Map, AwaitOption[])", (future, token) -> Async.awaitAllOrFail(map(future)));
        future(
                "Async.awaitAllOrFail(Map, Completable, AwaitOption[])",
                (future, token) -> Async.awaitAllOrFail(map(future), token));
        future("Async.awaitAnyOf(int, Iterable, AwaitOption[])", (future, token) -> Async.awaitAnyOf(2, two(future)));
        future(
                "Async.awaitAnyOf(int, Iterable, Completable, AwaitOption[])",
                (future, token) -> Async.awaitAnyOf(2, two(future), token));
        future("Async.awaitAnyOf(int, Map, AwaitOption[])", (future, token) -> Async.awaitAnyOf(2, map(future)));
        future(
                "Async.awaitAnyOf(int, Map, Completable, AwaitOption[])",
                (future, token) -> Async.awaitAnyOf(2, map(future), token));
        future(
                "Async.awaitAnyOfOrFail(int, Iterable, AwaitOption[])",
                (future, token) -> Async.awaitAnyOfOrFail(2, two(future)));
        future(
                "Async.awaitAnyOfOrFail(int, Iterable, Completable, AwaitOption[])",
                (future, token) -> Async.awaitAnyOfOrFail(2, two(future), token));
        future(
                "Async.awaitAnyOfOrFail(int, Map, AwaitOption[])",
                (future, token) -> Async.awaitAnyOfOrFail(2, map(future)));
        future(
                "Async.awaitAnyOfOrFail(int, Map, Completable, AwaitOption[])",
                (future, token) -> Async.awaitAnyOfOrFail(2, map(future), token));
        future("Async.awaitAnyOrFail(Iterable)", (future, token) -> Async.awaitAnyOrFail(List.of(future)));
        future(
                "Async.awaitAnyOrFail(Iterable, Completable)",
                (future, token) -> Async.awaitAnyOrFail(List.of(future), token));
        future("Async.awaitFirstSuccess(Iterable)", (future, token) -> Async.awaitFirstSuccess(List.of(future)));
        future(
                "Async.awaitFirstSuccess(Iterable, Completable)",
                (future, token) -> Async.awaitFirstSuccess(List.of(future), token));
        stage("Async.await(CompletionStage)", (stage, token) -> await(stage));
        stage("Async.await(CompletionStage, Completable)", Async::await);
        coroutine("Coroutine.await()", (coroutine, token) -> coroutine.await());
        coroutine("Coroutine.await(Completable)", Coroutine::await);
        coroutine("Coroutine.await(Duration)", (coroutine, token) -> coroutine.await(AGES));
    }

    private static List<Completable<Integer>> two(Future<Integer> future) {
        return List.of(Future.completed(1).ignore(), future);
    }

    private static Map<String, Completable<Integer>> map(Future<Integer> future) {
        return Map.of("a", Future.completed(1).ignore(), "b", future);
    }

    private void stage(String method, On<CompletableFuture<Integer>> on) {
        row(method, wait -> {
            var stage = new CompletableFuture<Integer>();
            call(method, wait, token -> on.call(stage, token));
            wait.serve(() -> stage.complete(1));
        });
    }

    private void coroutine(String method, On<Coroutine<Integer>> on) {
        row(method, wait -> {
            var end = new FutureState<Integer>();
            Coroutine<Integer> coroutine = Async.spawn(() -> await(end.future()));
            delay(1);
            call(method, wait, token -> on.call(coroutine, token));
            wait.serve(() -> {
                if (!end.isCompleted()) end.complete(1);
            });
        });
    }

    private void time() {
        row("Async.suspend()", wait -> wait.call(Async::suspend).arrivesInQueue());
        delays("Async.delay(long)", token -> delay(200));
        delays("Async.delay(Duration)", token -> delay(Duration.ofMillis(200)));
        delays("Async.delay(long, Completable)", token -> delay(200, token));
        delays("Async.delay(Duration, Completable)", token -> delay(Duration.ofMillis(200), token));
        for (String method :
                List.of("Poll.select(Collection, Duration)", "SchedulerProvider.select(Collection, Duration)"))
            row(method, wait -> {
                var ready = new ReadyDescriptor();
                wait.call(() -> {
                            if (method.startsWith("Poll")) Poll.select(List.of(ready), AGES);
                            else SchedulerProvider.get().select(List.of(ready), AGES);
                        })
                        .serve(ready::fire)
                        .keepsNothing();
            });
        row("Waker.await()", wait -> {
            var event = new ManualEvent("an event");
            wait.call(() -> {
                        Waker waker = Waker.current();
                        waker.resumeWhen(event, ResumeCallback.RESOLVE);
                        waker.await();
                    })
                    .serve(() -> event.fire("value"))
                    .keepsNothing();
        });
    }

    /** A descriptor that is ready when the test says so. */
    private static final class ReadyDescriptor extends PollEvent {
        ReadyDescriptor() {
            super(SchedulerProvider.get().activeEvents());
        }

        void fire() {
            if (hasCallbacks()) notifyCallbacks(PollHandle.READABLE, null);
        }

        @Override
        public int descriptor() {
            return 7;
        }

        @Override
        public int interest() {
            return PollHandle.READABLE;
        }

        @Override
        protected void armSource() {}

        @Override
        protected void disarmSource() {}

        @Override
        public String info() {
            return "a descriptor";
        }
    }

    private void delays(String method, WaitCase.Call delays) {
        row(method, wait -> {
            call(method, wait, delays);
            wait.serve(() -> delay(300)).elapses();
        });
    }
}
