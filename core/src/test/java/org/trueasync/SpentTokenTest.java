package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.List;
import java.util.function.Supplier;
import java.util.stream.Stream;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.TestRuntime;

/** A token that has fired already refuses a call before any effect, also where the call would not have had to wait. */
class SpentTokenTest {
    /** A call that would be served at once, and what shows its effect. */
    record Served(Call call, Supplier<Object> state) {}

    interface Call {
        void make(Completable<?> token) throws Exception;
    }

    interface Setup {
        Served begin();
    }

    record Kind(String name, Setup setup) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Channel<Integer> two() {
        var channel = new Channel<Integer>(3);
        channel.send(1);
        channel.send(2);
        return channel;
    }

    private static ThreadChannel<Integer> twoBetweenThreads() {
        var channel = new ThreadChannel<Integer>(3);
        channel.send(1);
        channel.send(2);
        return channel;
    }

    static Stream<Kind> kinds() {
        return Stream.of(
                new Kind("Channel.send", () -> {
                    var channel = two();
                    return new Served(token -> channel.send(3, token), channel::size);
                }),
                new Kind("Channel.receive", () -> {
                    var channel = two();
                    return new Served(channel::receive, channel::size);
                }),
                new Kind("Select of a receive", () -> {
                    var channel = two();
                    return new Served(
                            token -> Select.<Integer>of()
                                    .receive(channel, v -> v)
                                    .select(token),
                            channel::size);
                }),
                new Kind("Select of a send", () -> {
                    var channel = two();
                    return new Served(
                            token -> Select.<Integer>of()
                                    .send(channel, 3, () -> 0)
                                    .select(token),
                            channel::size);
                }),
                new Kind("Select with otherwise", () -> {
                    var calls = new ArrayList<String>();
                    return new Served(
                            token -> Select.<Integer>of()
                                    .otherwise(() -> {
                                        calls.add("otherwise");
                                        return 0;
                                    })
                                    .select(token),
                            () -> List.copyOf(calls));
                }),
                new Kind("ThreadChannel.send", () -> {
                    var channel = twoBetweenThreads();
                    return new Served(token -> channel.send(3, token), channel::size);
                }),
                new Kind("ThreadChannel.receive", () -> {
                    var channel = twoBetweenThreads();
                    return new Served(channel::receive, channel::size);
                }),
                new Kind("Semaphore.acquire", () -> {
                    var semaphore = new Semaphore(3);
                    return new Served(token -> semaphore.acquire(2, token), semaphore::availablePermits);
                }),
                new Kind("Mutex.lock", () -> {
                    var mutex = new Mutex();
                    return new Served(mutex::lock, mutex::isLocked);
                }),
                new Kind("Barrier.await", () -> {
                    var rounds = new ArrayList<String>();
                    var barrier = new Barrier(1, () -> rounds.add("round"));
                    return new Served(barrier::await, () -> List.copyOf(rounds));
                }),
                new Kind("Pool.acquire", () -> {
                    var pool = Pool.of(new ArrayDeque<>(List.of("a", "b"))::poll)
                            .min(1)
                            .max(2)
                            .build();
                    return new Served(pool::acquire, pool::idleCount);
                }),
                new Kind("Pool.acquire of a new one", () -> {
                    var pool = Pool.of(Object::new).max(2).build();
                    return new Served(token -> pool.acquire(token), pool::count);
                }),
                new Kind("ThreadPool.submit", () -> {
                    var pool = new ThreadPool(1);
                    return new Served(
                            // awaited, as the counters are read one by one while a worker moves the task
                            token -> Async.await(pool.submit(() -> 1, token)),
                            () -> pool.pendingCount() + pool.runningCount() + pool.completedCount());
                }));
    }

    @ParameterizedTest
    @MethodSource("kinds")
    @Tag("A8")
    @Tag("D19")
    void spentToken_refusesACallBeforeAnyEffect(Kind kind) {
        TestRuntime.run(() -> {
            Served served = kind.setup().begin();
            Object before = served.state().get();
            assertThatThrownBy(() -> served.call().make(Future.completed(null)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasMessageContaining("the wait was given up");
            Async.delay(1);
            assertThat(served.state().get()).isEqualTo(before);
        });
    }

    /** The same call with a token that has not fired has its effect: the test above would see it. */
    @ParameterizedTest
    @MethodSource("kinds")
    @Tag("A8")
    void openToken_letsTheCallHaveItsEffect(Kind kind) {
        TestRuntime.run(() -> {
            Served served = kind.setup().begin();
            Object before = served.state().get();
            var token = new FutureState<Integer>();
            served.call().make(token.future());
            assertThat(served.state().get()).isNotEqualTo(before);
            token.complete(1);
            token.future().ignore();
        });
    }
}
