package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.awaitAll;
import static org.trueasync.Async.awaitAllOrFail;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.spawnWith;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.io.IOException;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.concurrent.Callable;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.FutureTask;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** What somebody writes who has not read the documentation: it compiles, and each call does what its name says. */
class NaturalCallsTest {
    private final List<String> log = new ArrayList<>();

    private int overloaded() {
        log.add("overloaded");
        return 1;
    }

    @SuppressWarnings("unused") // it is there to make a reference to the other one ambiguous
    private int overloaded(int x) {
        return x;
    }

    private void nothing() {
        log.add("nothing");
    }

    private int number() {
        log.add("number");
        return 2;
    }

    private void thrower() throws Exception {
        throw new IOException("thrown");
    }

    // ---- shapes of work

    @Test
    void methodReferences_areTakenForWhatTheyAre() {
        TestRuntime.run(() -> {
            Coroutine<Integer> one = spawn(this::overloaded);
            Coroutine<Integer> two = spawn(this::number);
            Coroutine<?> none = spawn(this::nothing);
            Coroutine<?> failing = spawn(this::thrower);
            assertThat(await(one) + await(two)).isEqualTo(3);
            assertThat(await(none) == null).isTrue();
            assertThatThrownBy(() -> await(failing)).hasRootCauseMessage("thrown");
            assertThat(log).containsExactly("overloaded", "number", "nothing");
        });
    }

    @Test
    void methodReferences_areTakenForWhatTheyAreOnOtherThreadsToo() {
        TestRuntime.run(() -> {
            int one = await(Async.spawnThread(this::overloaded));
            assertThat(one).isEqualTo(1);
            assertThat(await(Async.spawnThread(this::nothing)) == null).isTrue();
            int booted = await(Async.spawnThread(this::overloaded, this::nothing));
            assertThat(booted).isEqualTo(1);
            try (var pool = new ThreadPool(1)) {
                assertThat(pool.submit(this::overloaded).await()).isEqualTo(1);
                assertThat(pool.submit(this::overloaded, timeout(60_000)).await())
                        .isEqualTo(1);
                assertThat(pool.submit(this::nothing).await() == null).isTrue();
            }
            assertThat(log)
                    .containsExactly(
                            "overloaded", "nothing", "nothing", "overloaded", "overloaded", "overloaded", "nothing");
        });
    }

    @Test
    void lambdas_haveTheTypeOfTheirValue() {
        TestRuntime.run(() -> {
            Coroutine<?> endless = spawn(() -> {
                while (true) delay(1);
            });
            Coroutine<?> failing = spawn(() -> {
                throw new IOException("checked");
            });
            Coroutine<Integer> sometimes = spawn(() -> {
                if (log.isEmpty()) return 1;
                throw new IOException("not so");
            });
            String text = await(spawn(() -> "x"));
            int foreign = await(CompletableFuture.completedFuture(1));
            assertThat(text + foreign + await(sometimes)).isEqualTo("x11");
            assertThatThrownBy(() -> await(failing)).hasRootCauseMessage("checked");
            endless.cancel("enough");
            assertThatThrownBy(() -> await(endless))
                    .isInstanceOf(AsyncCancellation.class)
                    .hasMessage("enough");
        });
    }

    @Test
    void workInVariables_ofWhateverShape_isRunOnceAsThatShape() {
        TestRuntime.run(() -> {
            Runnable runnable = () -> log.add("runnable");
            Callable<Integer> callable = () -> 2;
            Body body = () -> log.add("body");
            Task<Integer> task = () -> 3;
            await(spawn(runnable::run));
            await(spawn(body));
            assertThat(await(spawn(callable)) + await(spawn(task))).isEqualTo(5);
            var future = new FutureTask<>(callable);
            await(spawn(future::run));
            assertThat(future.get()).isEqualTo(2);
            assertThat(log).containsExactly("runnable", "body");

            try (var scope = new Scope()) {
                await(scope.spawn(body));
                await(scope.spawn(this::overloaded));
                await(spawnWith(scope, this::overloaded));
                await(spawnWith(scope, this::nothing));
            }
            assertThat(log.subList(2, log.size())).containsExactly("body", "overloaded", "overloaded", "nothing");
        });
    }

    /** Something that is work in every way, and counts which way it was used. */
    private final class Everything implements Callable<String>, Body {
        @Override
        public String call() {
            log.add("call");
            return "called";
        }

        @Override
        public void run() {
            log.add("run");
        }
    }

    @Test
    void objectOfSeveralShapes_isUsedAsTheOneThatWasAskedFor() {
        TestRuntime.run(() -> {
            var all = new Everything();
            await(spawn((Body) all));
            await(spawn("named", (Body) all));
            assertThat(await(spawn((Callable<String>) all))).isEqualTo("called");
            assertThat(log).containsExactly("run", "run", "call");
        });
    }

    @Test
    void taskOfWork_servesAsEveryOtherShape() throws Exception {
        Task<String> task = () -> {
            log.add("ran");
            return "value";
        };
        assertThat(task.call()).isEqualTo("value");
        task.run();
        assertThat(log).hasSize(2);
        Task<String> failing = () -> {
            throw new IOException("as it is");
        };
        assertThatThrownBy(failing::run).isInstanceOf(IOException.class);
    }

    @Test
    void nullTask_isRefusedWhereItIsGiven() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> spawn((Body) null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> spawn((Callable<?>) null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> spawn((Task<?>) null)).isInstanceOf(NullPointerException.class);
            assertThatThrownBy(() -> spawn((String) null, () -> {})).isInstanceOf(NullPointerException.class);
            assertThat(Async.coroutines()).hasSize(1);
        });
    }

    // ---- waiting

    @Test
    void handle_canBeAwaitedByItself() {
        TestRuntime.run(() -> {
            Coroutine<String> quick = spawn(() -> "x");
            assertThat(quick.await()).isEqualTo("x");
            assertThat(quick.await()).as("again, without a switch").isEqualTo("x");
            assertThat(quick.await(timeout(5))).isEqualTo("x");
            assertThat(quick.await(Duration.ofMillis(5))).isEqualTo("x");
            Coroutine<String> failing = spawn(() -> {
                throw new IllegalStateException("own");
            });
            assertThatThrownBy(failing::await)
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("own");
            Coroutine<?> slow = spawn(() -> delay(100));
            assertThatThrownBy(() -> slow.await(timeout(5))).isInstanceOf(OperationCanceledException.class);
            assertThatThrownBy(() -> slow.await(Duration.ofMillis(5)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThatThrownBy(() -> await(slow, timeout(5))).isInstanceOf(OperationCanceledException.class);
            assertThat(slow.isCompleted()).isFalse();
            assertThatThrownBy(() -> await(slow, timeout(5)))
                    .as("who gave up is told what goes on, and the way out")
                    .hasMessageContaining("timeout 5 ms, expired; coroutine #" + slow.id() + " goes on: cancel it")
                    .hasMessageContaining("withTimeout");
            slow.await(Duration.ofSeconds(1));
            Timeout spent = timeout(1);
            assertThatThrownBy(() -> await(spent)).isInstanceOf(AsyncTimeoutException.class);
            Coroutine<?> other = spawn(() -> delay(5));
            assertThatThrownBy(() -> await(other, spent))
                    .hasMessageContaining("before it began")
                    .hasMessageContaining("goes on");
            assertThatThrownBy(() -> await(new CompletableFuture<>(), timeout(5)))
                    .hasMessageContaining("what was awaited goes on");
        });
    }

    @Test
    @Tag("D28")
    void coroutineThatAwaitsItself_endsTheRunIfItDoesNotCatchThat() {
        assertThat(TestRuntime.failureOf(
                        () -> spawn("narcissus", () -> currentCoroutine().await())))
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("'narcissus' would wait for itself");
    }

    @Test
    void handleAwaitedFromSeveralPlaces_givesTheSameErrorToEach() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("one");
            Coroutine<String> failing = spawn(() -> {
                delay(1);
                throw error;
            });
            for (int i = 0; i < 3; i++) {
                spawn(() -> {
                    try {
                        failing.await();
                    } catch (IllegalStateException e) {
                        log.add(e == error ? "same" : "other");
                    }
                });
            }
            delay(5);
            assertThat(log).containsExactly("same", "same", "same");
        });
    }

    @Test
    void delayWithAToken_endsWithWhateverIsFirst() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> delay(10, timeout(5)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            delay(5, timeout(10));
            delay(Duration.ofMillis(5), timeout(10));
            Timeout spent = timeout(1);
            assertThatThrownBy(() -> await(spent)).isInstanceOf(AsyncTimeoutException.class);
            assertThatThrownBy(() -> delay(0, spent)).isInstanceOf(OperationCanceledException.class);
            delay(0, timeout(1));
            assertThatThrownBy(() -> delay(-1, timeout(1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
        });
    }

    @Test
    void severalThings_needNoList() {
        TestRuntime.run(() -> {
            Coroutine<Integer> slow = spawn(() -> {
                delay(5);
                return 1;
            });
            Coroutine<String> quick = spawn(() -> "x");
            Coroutine<String> failing = spawn(() -> {
                delay(1);
                throw new IllegalStateException("late");
            });
            assertThat(awaitAllOrFail(slow, quick)).isEqualTo(List.of(1, "x"));
            Outcomes<Integer, ?> all = awaitAll(quick, failing, slow);
            assertThat(all.results()).isEqualTo(Map.of(0, "x", 2, 1));
            assertThat(all.errors().get(1)).hasMessage("late");
            assertThatThrownBy(() -> awaitAllOrFail(quick, failing)).hasMessage("late");
            assertThat(awaitAllOrFail(quick)).containsExactly("x");
        });
    }

    @Test
    void scopeWithoutALimit_isAwaitedToItsEnd() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.awaitCompletion();
            scope.spawn(() -> {
                delay(5);
                log.add("done");
            });
            scope.awaitCompletion();
            assertThat(log).containsExactly("done");
            assertThatThrownBy(() -> scope.awaitCompletion((Timeout) null)).isInstanceOf(NullPointerException.class);
        });
    }

    // ---- channels

    @Test
    void tryReceive_tellsNullFromNothing() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>(2);
            assertThat(channel.tryReceive().isPresent()).isFalse();
            channel.send(null);
            channel.send("b");
            Received<String> first = channel.tryReceive();
            assertThat(first.isPresent()).isTrue();
            assertThat(first.value()).isNull();
            assertThat(first.orElse("other")).isNull();
            channel.close();
            channel.tryReceive().ifPresent(log::add);
            channel.tryReceive().ifPresent(log::add);
            assertThat(log).containsExactly("b");
            assertThat(channel.tryReceive()).as("closed and empty").isEqualTo(Received.nothing());
            assertThat(Received.<String>nothing().orElse("other")).isEqualTo("other");
        });
    }

    @Test
    void tryReceive_takesFromASenderThatWaitsAndLetsItGoOn() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Coroutine<?> sender = spawn(() -> channel.send(7));
            assertThat(channel.tryReceive().isPresent()).isFalse();
            suspend();
            assertThat(channel.tryReceive().value()).isEqualTo(7);
            sender.await();
        });
    }

    @Test
    @Tag("Ch3")
    void tryReceive_leavesWhatIsPromised() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            Coroutine<Integer> receiver = spawn(() -> channel.receive());
            suspend();
            channel.send(7);
            assertThat(channel.tryReceive().isPresent()).isFalse();
            assertThat(receiver.await()).isEqualTo(7);
        });
    }

    @Test
    void receiveWithALimit_givesUpAndLosesNothing() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            assertThatThrownBy(() -> channel.receive(Duration.ofMillis(5)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            channel.send(7);
            assertThat(channel.receive(Duration.ofMillis(5))).isEqualTo(7);
        });
    }

    // ---- locks

    @Test
    void permitsWithALimit_areTakenInTimeOrNotAtAll() {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(2);
            assertThat(semaphore.tryAcquire(Duration.ofMillis(5))).isTrue();
            assertThat(semaphore.tryAcquire(2, Duration.ofMillis(5))).isFalse();
            assertThat(semaphore.tryAcquire(2, Duration.ZERO)).isFalse();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
            spawn(() -> {
                delay(3);
                semaphore.release();
            });
            assertThat(semaphore.tryAcquire(2, Duration.ofMillis(5))).isTrue();
            assertThat(semaphore.waitingCount()).isZero();
        });
    }

    @Test
    void lockWithALimit_isTakenInTimeOrNotAtAll() {
        TestRuntime.run(() -> {
            var mutex = new Mutex();
            Coroutine<?> holder = spawn(() -> mutex.withLock(() -> delay(10)));
            suspend();
            assertThat(mutex.tryLock(Duration.ofMillis(5))).isFalse();
            assertThat(mutex.tryLock(Duration.ZERO)).isFalse();
            assertThat(mutex.tryLock(Duration.ofMillis(50))).isTrue();
            mutex.unlock();
            holder.await();
            mutex.lock();
            assertThatThrownBy(() -> mutex.tryLock(Duration.ofMillis(5))).isInstanceOf(AsyncException.class);
        });
    }

    @Test
    @Tag("D19")
    void cancellationWhileALimitRuns_isACancellation() {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(1);
            semaphore.acquire();
            Coroutine<?> waiting = spawn(() -> semaphore.tryAcquire(Duration.ofMillis(50)));
            Coroutine<?> alike = spawn(() -> semaphore.tryAcquire(Duration.ofMillis(50)));
            suspend();
            waiting.cancel("told to");
            alike.cancel(new OperationCanceledException("looks like a limit", null));
            assertThatThrownBy(waiting::await)
                    .isInstanceOf(AsyncCancellation.class)
                    .hasMessage("told to");
            assertThatThrownBy(alike::await).hasMessage("looks like a limit");
            assertThat(currentCoroutine().isCancellationRequested()).isFalse();
        });
    }
}
