package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.catchThrowable;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import java.lang.reflect.Proxy;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CompletableFuture;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.TestRuntime;

/** Somebody else's Completable, which no wait of ours can be told by: each call that takes one says so. */
class ForeignCompletableTest {
    @FunctionalInterface
    interface Use {
        void of(Completable<Object> foreign) throws Throwable;
    }

    record Call(String name, Use use) {
        @Override
        public String toString() {
            return name;
        }
    }

    /** Any of the public interfaces that extend it, made by others. */
    @SuppressWarnings("unchecked")
    private static Completable<Object> foreign(Class<?> type) {
        return (Completable<Object>) Proxy.newProxyInstance(
                ForeignCompletableTest.class.getClassLoader(),
                new Class<?>[] {type},
                (proxy, method, arguments) -> switch (method.getName()) {
                    case "toString" -> "a foreign one";
                    case "hashCode" -> 1;
                    case "equals" -> proxy == arguments[0];
                    case "toCompletableFuture" -> new CompletableFuture<>();
                    default -> method.getReturnType() == boolean.class ? false : null;
                });
    }

    private static Call call(String name, Use use) {
        return new Call(name, use);
    }

    static Stream<Call> calls() {
        return Stream.of(
                call("await", Async::await),
                call("await with a token", one -> await(spawn(() -> Async.delay(5)), one)),
                call("await of a stage with a token", one -> await(new CompletableFuture<>(), one)),
                call("awaitAll", one -> Async.awaitAll(List.of(one))),
                call("awaitAll of several", one -> Async.awaitAll(one, spawn(() -> 1))),
                call("awaitAllOrFail", one -> Async.awaitAllOrFail(Map.of("key", one))),
                call("awaitAll with a token", one -> Async.awaitAll(List.of(spawn(() -> Async.delay(5))), one)),
                call("delay", one -> Async.delay(5, one)),
                call("Coroutine.await", one -> spawn(() -> Async.delay(5)).await(one)),
                call("Future.await", one -> new FutureState<Integer>().future().await(one)),
                call("Channel.receive", one -> new Channel<Integer>(1).receive(one)),
                call("Channel.send", one -> {
                    var channel = new Channel<Integer>(1);
                    channel.send(1);
                    channel.send(2, one);
                }),
                call("ThreadChannel.receive", one -> new ThreadChannel<Integer>(1).receive(one)),
                call(
                        "Select.await",
                        one -> Select.<Object>of().await(one, value -> value).select()),
                call("Mutex.lock", one -> {
                    var mutex = new Mutex();
                    spawn(() -> mutex.lock());
                    Async.suspend();
                    mutex.lock(one);
                }),
                call("Semaphore.acquire", one -> {
                    var semaphore = new Semaphore(1);
                    semaphore.acquire();
                    semaphore.acquire(one);
                }),
                call("Latch.await", one -> new Latch(1).await(one)),
                call("Barrier.await", one -> new Barrier(2).await(one)),
                call("Pool.acquire", one -> {
                    Pool<Object> pool = Pool.of(Object::new).max(1).build();
                    pool.acquire();
                    pool.acquire(one);
                }),
                call("Scope.awaitCompletion", one -> {
                    var scope = new Scope();
                    scope.spawn(() -> Async.delay(5));
                    scope.awaitCompletion(one);
                }));
    }

    @ParameterizedTest
    @MethodSource("calls")
    @Tag("A1")
    void foreignOne_isRefusedInWords(Call call) {
        for (Class<?> type : List.of(Completable.class, Timeout.class, TaskHandle.class))
            TestRuntime.run(() -> {
                Throwable thrown = catchThrowable(() -> call.use().of(foreign(type)));
                assertThat(thrown)
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("can't be awaited: it must be a Completable of this library");
                Async.delay(10); // what was refused has left nothing behind
                Async.gracefulShutdown();
            });
    }
}
