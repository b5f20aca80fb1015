package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.SplittableRandom;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.LongSupplier;
import java.util.stream.IntStream;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.SwitchHandlers;

/**
 * Calls that need not wait take effect in the order in which they are made, however long anything has computed before.
 */
class ServedAtOnceTest {
    private static final long LONG = 5_000_000;

    /** A call that is served at once a few hundred times. */
    interface Call {
        @Nullable
        Object make() throws Exception;
    }

    /** One kind of call, set up in a run. */
    record Kind(String name, Setup setup) {
        @Override
        public String toString() {
            return name;
        }
    }

    interface Setup {
        Call begin();
    }

    private static final int CALLS = 1_000;

    private static Channel<Integer> full() {
        var channel = new Channel<Integer>(CALLS);
        for (int i = 0; i < CALLS; i++) channel.trySend(i);
        return channel;
    }

    private static ThreadChannel<Integer> fullBetweenThreads() {
        var channel = new ThreadChannel<Integer>(CALLS);
        for (int i = 0; i < CALLS; i++) channel.trySend(i);
        return channel;
    }

    private static Call of(Body body) {
        return () -> {
            try {
                body.run();
            } catch (Exception | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            }
            return null;
        };
    }

    /** Those that give each caller the next of 0, 1, 2, ... */
    static Stream<Kind> numbered() {
        return Stream.of(
                new Kind("Channel.receive", () -> full()::receive),
                new Kind("Channel.iterator", () -> full().iterator()::next),
                new Kind("ThreadChannel.receive", () -> fullBetweenThreads()::receive),
                new Kind("Select.receive", () -> {
                    var channel = full();
                    return () -> Select.<Integer>of().receive(channel, v -> v).select();
                }),
                new Kind("Channel.send", () -> {
                    var channel = new Channel<Integer>(CALLS);
                    return () -> {
                        int before = channel.size();
                        channel.send(before);
                        return before;
                    };
                }),
                new Kind("TaskSet.iterator", () -> {
                    var set = new TaskSet<Integer>();
                    for (int i = 0; i < CALLS; i++) {
                        int number = i;
                        set.spawn(() -> number);
                    }
                    delay(1);
                    return () -> set.iterator().next().result();
                }),
                new Kind("Pool.acquire", () -> {
                    var made = new AtomicInteger();
                    var pool =
                            Pool.of(made::getAndIncrement).min(CALLS).max(CALLS).build();
                    return pool::acquire;
                }));
    }

    /** All of them. */
    static Stream<Kind> all() {
        return Stream.concat(
                numbered(),
                Stream.of(
                        new Kind("ThreadChannel.send", () -> {
                            var channel = new ThreadChannel<Integer>(CALLS);
                            return of(() -> channel.send(1));
                        }),
                        new Kind("Semaphore.acquire", () -> of(new Semaphore(CALLS)::acquire)),
                        new Kind("Mutex.lock", () -> {
                            var mutex = new Mutex();
                            return of(() -> {
                                mutex.lock();
                                mutex.unlock();
                            });
                        }),
                        new Kind("ThreadPool.submit", () -> {
                            var pool = ThreadPool.builder()
                                    .workers(1)
                                    .queueSize(CALLS)
                                    .build();
                            // a worker that takes and sends back might be met inside the pool, and then the call has to
                            // wait
                            var begun = new ThreadChannel<Integer>(1);
                            pool.submit(() -> {
                                begun.send(1);
                                new CountDownLatch(1).await();
                            });
                            begun.receive();
                            return of(() -> pool.submit(() -> 1).ignore());
                        })));
    }

    /** What was served so far counts no more: another coroutine runs. */
    private static void countAnew() {
        spawn(() -> {});
        suspend();
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("D15")
    void callAfterALongSlice_isServedBeforeALaterOne(Kind kind) {
        TestRuntime.run(runtime -> {
            Call call = kind.setup().begin();
            for (int round = 0; round < 3; round++) {
                var order = new ArrayList<String>();
                Coroutine<?> first = spawn(() -> {
                    runtime.reactor().advance(LONG);
                    order.add("first calls");
                    call.make();
                    order.add("first served");
                });
                Coroutine<?> second = spawn(() -> {
                    order.add("second calls");
                    call.make();
                    order.add("second served");
                });
                await(first);
                await(second);
                assertThat(order).containsExactly("first calls", "first served", "second calls", "second served");
            }
        });
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("D15")
    @Tag("K28")
    void manyInARow_leaveTheOthersTheirTurn(Kind kind) {
        TestRuntime.run(runtime -> {
            Call call = kind.setup().begin();
            countAnew();
            var others = new AtomicInteger();
            spawn(() -> others.incrementAndGet());
            int calls = 0;
            while (others.get() == 0 && calls < 2 * Loop.SERVED_IN_A_ROW) {
                call.make();
                calls++;
            }
            assertThat(calls).isEqualTo(Loop.SERVED_IN_A_ROW + 1);
        });
    }

    /** The one whose turn is over has taken its value before the others run. */
    @ParameterizedTest
    @MethodSource("numbered")
    @Tag("D15")
    void callThatGivesWay_hasTakenEffectBefore(Kind kind) {
        TestRuntime.run(() -> {
            Call call = kind.setup().begin();
            countAnew();
            var mine = new ArrayList<Object>();
            var theirs = new ArrayList<Object>();
            spawn(() -> theirs.add(call.make()));
            while (theirs.isEmpty() && mine.size() < 2 * Loop.SERVED_IN_A_ROW) mine.add(call.make());
            int before = Loop.SERVED_IN_A_ROW + 1;
            assertThat(mine).isEqualTo(IntStream.range(0, before).boxed().toList());
            assertThat(theirs).isEqualTo(List.of(before));
        });
    }

    @ParameterizedTest
    @MethodSource("all")
    @Tag("D13")
    @Tag("D15")
    void loopOfServedCalls_endsWhenItIsCancelled(Kind kind) {
        TestRuntime.run(() -> {
            Call call = kind.setup().begin();
            countAnew();
            var calls = new AtomicInteger();
            Coroutine<?> loop = spawn(() -> {
                while (calls.get() < CALLS - 1) {
                    call.make();
                    calls.incrementAndGet();
                }
            });
            suspend();
            loop.cancel();
            await(spawn(() -> {}));
            assertThat(loop.isCancelled()).isTrue();
            // the one that gave way has succeeded, the next was refused
            assertThat(calls.get()).isEqualTo(Loop.SERVED_IN_A_ROW + 1);
        });
    }

    @Test
    @Tag("D15")
    void stepThatTakesAsLongAsSeveralCalls_countsAsThem() {
        TestRuntime.run(() -> {
            countAnew();
            var others = new AtomicInteger();
            spawn(() -> others.incrementAndGet());
            Loop loop = Runtimes.here("test");
            int steps = 0;
            while (others.get() == 0 && steps < Loop.SERVED_IN_A_ROW) {
                loop.shareLoop(10);
                steps++;
            }
            assertThat(steps).isEqualTo(Loop.SERVED_IN_A_ROW / 10 + 1);
        });
    }

    /** They can't wait, so nobody else has a turn. */
    @Test
    @Tag("D15")
    @Tag("K49")
    void switchHandlersAndMicrotasks_areServedHoweverOften() {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(CALLS);
            Runnable calls = () -> {
                for (int i = 0; i < 2 * Loop.SERVED_IN_A_ROW; i++) semaphore.acquire();
            };
            Coroutine<String> c = spawn(() -> {
                SwitchHandlers.add((coroutine, entering, finishing) -> {
                    calls.run();
                    return false;
                });
                Microtask.of(calls).enqueue();
                suspend();
                return "not disturbed";
            });
            assertThat(await(c)).isEqualTo("not disturbed");
            assertThat(semaphore.availablePermits()).isEqualTo(CALLS - 4 * Loop.SERVED_IN_A_ROW);
        });
    }

    /** What was taken by a call is never lost with a cancellation. */
    @Test
    @Tag("D13")
    @Tag("D15")
    void cancelledReceiver_hasHandledAllThatItTook() {
        TestRuntime.run(() -> {
            Channel<Integer> channel = full();
            countAnew();
            var seen = new ArrayList<Integer>();
            Coroutine<?> loop = spawn(() -> {
                for (int value : channel) seen.add(value);
            });
            suspend();
            loop.cancel();
            suspend();
            assertThat(loop.isCancelled()).isTrue();
            assertThat(seen).isEqualTo(IntStream.range(0, seen.size()).boxed().toList());
            assertThat(channel.receive()).isEqualTo(seen.size());
        });
    }

    @Test
    @Tag("Ch2")
    @Tag("D15")
    void producerWithRoom_isNotInterruptedHoweverLongItTakes() {
        TestRuntime.run(runtime -> {
            var log = new ArrayList<String>();
            var channel = new Channel<Integer>(10);
            Coroutine<?> producer = spawn(() -> {
                for (int i = 1; i <= 6; i++) {
                    runtime.reactor().advance(LONG);
                    channel.send(i);
                    log.add("s" + i);
                }
                channel.close();
            });
            Coroutine<?> consumer = spawn(() -> {
                for (int value : channel) {
                    runtime.reactor().advance(LONG);
                    log.add("r" + value);
                }
            });
            await(producer);
            await(consumer);
            assertThat(log).containsExactly("s1", "s2", "s3", "s4", "s5", "s6", "r1", "r2", "r3", "r4", "r5", "r6");
        });
    }

    // ---- whole programs

    /** Coroutines that do this and that with what they share; the same for the same seed, whatever the slices do. */
    private static List<String> trace(long seed, LongSupplier lengths) {
        var log = new ArrayList<String>();
        TestRuntime.run(runtime -> {
            Runnable slice = () -> runtime.reactor().advance(lengths.getAsLong());
            var channel = new Channel<Integer>(3);
            var between = new ThreadChannel<Integer>(50);
            var semaphore = new Semaphore(2);
            var pool = Pool.of(Object::new).max(2).build();
            var all = new ArrayList<Coroutine<?>>();
            for (int c = 0; c < 6; c++) {
                int id = c;
                all.add(spawn(() -> {
                    var random = new SplittableRandom(seed + id);
                    for (int step = 0; step < 60; step++) {
                        slice.run();
                        String done =
                                switch (random.nextInt(8)) {
                                    case 0 -> "trySend " + channel.trySend(id * 100 + step);
                                    case 1 -> {
                                        if (channel.size() > 0) yield "received " + channel.receive();
                                        yield "empty";
                                    }
                                    case 2 -> {
                                        between.trySend(step);
                                        yield "between " + between.receive();
                                    }
                                    case 3 -> {
                                        semaphore.acquire();
                                        slice.run();
                                        if (random.nextBoolean()) suspend();
                                        semaphore.release();
                                        yield "permit";
                                    }
                                    case 4 -> {
                                        Object resource = pool.acquire();
                                        if (random.nextBoolean()) suspend();
                                        pool.release(resource);
                                        yield "resource";
                                    }
                                    case 5 ->
                                        "any "
                                                + Async.awaitAnyOrFail(Async.lazily(IntStream.range(0, 3)
                                                        .mapToObj(i -> spawn(() -> {
                                                            slice.run();
                                                            suspend();
                                                            return i;
                                                        }))::iterator));
                                    case 6 -> {
                                        for (int i = 0; i < 150; i++) channel.trySend(i);
                                        for (int i = 0; i < 150; i++) {
                                            semaphore.acquire();
                                            semaphore.release();
                                        }
                                        yield "many";
                                    }
                                    default -> {
                                        suspend();
                                        yield "suspended";
                                    }
                                };
                        log.add(id + " " + done);
                    }
                }));
            }
            all.forEach(Async::await);
            pool.close();
        });
        return log;
    }

    @Test
    @Tag("D15")
    void programWithSlicesOfAnyLength_goesTheSameWay() {
        for (long seed = 1; seed <= 5; seed++) {
            List<String> expected = trace(seed, () -> 0);
            assertThat(expected).hasSize(360);
            for (int run = 1; run <= 4; run++) {
                var lengths = new SplittableRandom(run);
                List<String> again = trace(seed, () -> lengths.nextInt(4) == 0 ? lengths.nextLong(LONG) : 0);
                assertThat(again).as("seed %d, run %d", seed, run).isEqualTo(expected);
            }
        }
    }
}
