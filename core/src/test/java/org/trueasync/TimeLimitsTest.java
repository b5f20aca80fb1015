package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.reflect.Executable;
import java.lang.reflect.Modifier;
import java.time.Duration;
import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import java.util.concurrent.atomic.AtomicReference;
import java.util.stream.Stream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.PublicTypes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Poll;
import org.trueasync.spi.SchedulerProvider;
import org.trueasync.spi.TimerEvent;

/** Every method that takes a time follows one rule: 0, negative ones, null, and those that no clock can hold. */
class TimeLimitsTest {
    /** What a time of 0 is. */
    enum Zero {
        /** No time at all: what can be done without waiting is done. */
        TRIES_ONCE,
        /** A setting that is switched off. */
        OFF,
        REFUSED
    }

    @FunctionalInterface
    interface Call {
        @Nullable
        Object with(Duration time) throws Throwable;
    }

    /**
     * A method that takes a time.
     *
     * @param name type and method
     * @param zero what 0 is to it
     * @param waits true if the call waits that long: with a time that never ends, for ever
     * @param call in a coroutine, with nothing there that would end a wait
     */
    record Limited(String name, Zero zero, boolean waits, Call call) {
        @Override
        public String toString() {
            return name;
        }
    }

    private static Limited wait(String name, Call call) {
        return new Limited(name, Zero.TRIES_ONCE, true, call);
    }

    private static Limited setting(String name, Zero zero, Call call) {
        return new Limited(name, zero, false, call);
    }

    private static Coroutine<?> endless() {
        Coroutine<?> endless = spawn(() -> await(new FutureState<>().future()));
        suspend();
        return endless;
    }

    private static Mutex held() {
        var mutex = new Mutex();
        spawn(() -> {
            mutex.lock();
            await(new FutureState<>().future());
        });
        suspend();
        return mutex;
    }

    private static Semaphore none() {
        var semaphore = new Semaphore(2);
        semaphore.acquire(2);
        return semaphore;
    }

    private static Pool<Object> empty() {
        Pool<Object> pool = Pool.of(Object::new).max(1).build();
        pool.acquire();
        return pool;
    }

    private static TaskHandle<?> endlessTask() {
        return new TaskGroup<Object>().spawn(() -> await(new FutureState<>().future()));
    }

    static Stream<Limited> all() {
        return Stream.of(
                wait("Async.delay", time -> {
                    delay(time);
                    return null;
                }),
                wait("Async.delay", time -> {
                    delay(time, new FutureState<>().future());
                    return null;
                }),
                wait("Coroutine.await", time -> endless().await(time)),
                wait("Scope.awaitCompletion", time -> {
                    var scope = new Scope();
                    scope.spawn(() -> await(new FutureState<>().future()));
                    scope.awaitCompletion(time);
                    return scope;
                }),
                wait("TaskHandle.await", time -> endlessTask().await(time)),
                wait("Channel.receive", time -> new Channel<Integer>(1).receive(time)),
                wait("Mutex.tryLock", time -> held().tryLock(time)),
                wait("Semaphore.tryAcquire", time -> none().tryAcquire(time)),
                wait("Semaphore.tryAcquire", time -> none().tryAcquire(2, time)),
                wait("Async.withTimeout", time -> Async.withTimeout(time, () -> await(new FutureState<>().future()))),
                wait("Select.onTimeout", time -> Select.<Object>of()
                        .receive(new Channel<Integer>(1), value -> value)
                        .onTimeout(time, () -> "time")
                        .select()),
                setting("Poll.select", Zero.TRIES_ONCE, time -> Poll.select(List.of(), time)),
                new Limited("Pool.acquire", Zero.OFF, true, time -> empty().acquire(time)),
                new Limited("Async.timeout", Zero.REFUSED, true, time -> await(Async.timeout(time))),
                setting("AsyncRuntime.awaitEnd", Zero.TRIES_ONCE, time -> {
                    AsyncRuntime ended =
                            Async.runtime().reactor(VirtualReactor::new).build();
                    Thread runner = Thread.ofPlatform().start(() -> ended.run(() -> {}));
                    runner.join();
                    return ended.awaitEnd(time);
                }),
                setting(
                        "Builder.drainTimeout",
                        Zero.OFF,
                        time -> runs(Async.runtime().drainTimeout(time))),
                setting(
                        "Builder.shutdownTimeout",
                        Zero.TRIES_ONCE,
                        time -> runs(Async.runtime().shutdownTimeout(time))),
                setting(
                        "Builder.heldLoopAfter",
                        Zero.OFF,
                        time -> runs(Async.runtime().heldLoopAfter(time))),
                setting("Scope.disposeAfterTimeout", Zero.TRIES_ONCE, time -> {
                    var scope = new Scope();
                    scope.spawn(() -> {});
                    scope.disposeAfterTimeout(time);
                    return null;
                }),
                setting("Builder.noProducerTimeout", Zero.OFF, time -> Channel.<Integer>builder()
                        .noProducerTimeout(time)
                        .build()),
                setting("Builder.noConsumerTimeout", Zero.OFF, time -> Channel.<Integer>builder()
                        .noConsumerTimeout(time)
                        .build()),
                setting("Builder.healthcheckInterval", Zero.OFF, time -> {
                    Pool.of(Object::new).healthcheckInterval(time).build().close();
                    return null;
                }),
                setting("RecoveryStrategy.recoverAfter", Zero.TRIES_ONCE, time -> RecoveryStrategy.consecutiveFailures(
                                3)
                        .recoverAfter(time, 1)),
                setting("TimerEvent.rearm", Zero.TRIES_ONCE, time -> {
                    timer(SchedulerProvider.get().timers().oneShot(Duration.ofMillis(1)))
                            .rearm(time);
                    return null;
                }),
                setting("TimerEvent.rearm", Zero.REFUSED, time -> {
                    timer(SchedulerProvider.get().timers().periodic(Duration.ofMillis(1)))
                            .rearm(time);
                    return null;
                }),
                setting(
                        "Timers.oneShot",
                        Zero.TRIES_ONCE,
                        time -> timer(SchedulerProvider.get().timers().oneShot(time))),
                setting(
                        "Timers.periodic",
                        Zero.REFUSED,
                        time -> timer(SchedulerProvider.get().timers().periodic(time))));
    }

    /** Started, so that its time is added to what the clock shows, and hidden, so that nobody waits for it. */
    private static TimerEvent timer(TimerEvent timer) {
        timer.setHidden(true);
        timer.start();
        timer.stop();
        return timer;
    }

    /** The setting is looked at on the way through a run that is shut down while a thread of it still runs. */
    private static Object runs(AsyncRuntime.Builder settings) throws InterruptedException {
        var thrown = new AtomicReference<Throwable>();
        Thread runner = Thread.ofPlatform().start(() -> {
            try {
                settings.reactor(VirtualReactor::new).diagnostics(report -> {}).run(() -> {
                    Async.spawnThread(() -> {});
                    Async.gracefulShutdown();
                });
            } catch (Throwable e) {
                thrown.set(e);
            }
        });
        runner.join();
        if (thrown.get() != null) throw new AssertionError(thrown.get());
        return runner;
    }

    private static @Nullable Throwable thrown(Limited limited, Duration time) {
        try {
            limited.call().with(time);
            return null;
        } catch (Throwable e) {
            return e;
        }
    }

    @ParameterizedTest
    @MethodSource("all")
    void negativeTime_isRefusedAndNamed(Limited limited) {
        inRun(() -> {
            for (Duration time :
                    List.of(Duration.ofNanos(-1), Duration.ofMillis(-250), Duration.ofSeconds(Long.MIN_VALUE)))
                assertThat(thrown(limited, time))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageMatching(".* must be (>|>=) 0 ms, got -.*");
        });
    }

    @ParameterizedTest
    @MethodSource("all")
    @SuppressWarnings("NullAway") // that is the point
    void nullTime_isRefusedByName(Limited limited) {
        // null is no limit there
        if (limited.name().equals("Poll.select")) return;
        inRun(() -> assertThat(thrown(limited, null))
                .isInstanceOf(NullPointerException.class)
                .message()
                .matches("[a-zA-Z ]+"));
    }

    @ParameterizedTest
    @MethodSource("all")
    void timeThatNoClockCanHold_neverEnds(Limited limited) {
        for (Duration time : List.of(Duration.ofDays(400_000_000), Duration.ofSeconds(Long.MAX_VALUE)))
            inRun(() -> {
                if (!limited.waits()) {
                    limited.call().with(time);
                    return;
                }
                Coroutine<?> waiting = spawn(() -> {
                    limited.call().with(time);
                });
                suspend();
                delay(Duration.ofDays(365));
                assertThat(waiting.isCompleted()).isFalse();
                waiting.cancel();
            });
    }

    @ParameterizedTest
    @MethodSource("all")
    void noTimeAtAll_isTriedOnceOrOffOrRefused(Limited limited) {
        inRun(() -> {
            if (limited.zero() == Zero.REFUSED) {
                assertThat(thrown(limited, Duration.ZERO))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageMatching(".* must be > 0 ms, got 0");
                return;
            }
            if (!limited.waits()) {
                limited.call().with(Duration.ZERO);
                return;
            }
            Coroutine<?> tries = spawn(() -> {
                Throwable e = thrown(limited, Duration.ZERO);
                if (e != null && !(e instanceof OperationCanceledException) && !(e instanceof AsyncTimeoutException))
                    throw e;
            });
            for (int i = 0; i < 10; i++) suspend();
            // without a limit it waits
            assertThat(tries.isCompleted()).isEqualTo(limited.zero() == Zero.TRIES_ONCE);
            if (tries.isCompleted()) await(tries);
        });
    }

    @Test
    void millisOfATimeout_haveTheSameRule() {
        inRun(() -> {
            for (long millis : new long[] {0, -1, -250, Long.MIN_VALUE}) {
                assertThatThrownBy(() -> Async.timeout(millis))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessage("timeout must be > 0 ms, got " + millis);
            }
            assertThatThrownBy(() -> delay(-250)).hasMessage("delay must be >= 0 ms, got -250");
            var never = new ArrayList<Timeout>(List.of(Async.timeout(Long.MAX_VALUE)));
            for (Timeout timeout : never) {
                Coroutine<?> waits = spawn(() -> await(timeout));
                suspend();
                delay(Duration.ofDays(365));
                assertThat(waits.isCompleted()).isFalse();
                waits.cancel();
            }
            Coroutine<?> sleeps = spawn(() -> delay(Long.MAX_VALUE));
            delay(Duration.ofDays(365));
            assertThat(sleeps.isCompleted()).isFalse();
            sleeps.cancel();
        });
    }

    /** A method that takes a time and is in no row above would go its own way. */
    @Test
    void everyMethodThatTakesATime_isInTheTable() throws Exception {
        Set<String> known = new TreeSet<>(all().map(Limited::name).toList());
        // says what another one has as its time
        known.add("SchedulerProvider.select");
        Set<String> found = new TreeSet<>();
        for (Class<?> type : PublicTypes.all())
            for (Executable method : type.getDeclaredMethods()) {
                boolean isCallable = Modifier.isPublic(method.getModifiers()) && !method.isSynthetic();
                if (isCallable && !Throwable.class.isAssignableFrom(type) && takesATime(method))
                    found.add(type.getSimpleName() + "." + method.getName());
            }
        assertThat(known).containsAll(found);
        assertThat(found).hasSizeGreaterThan(20).isSubsetOf(known);
    }

    private static boolean takesATime(Executable method) {
        return Arrays.asList(method.getParameterTypes()).contains(Duration.class);
    }

    // ---- what trying once is

    @Test
    @Tag("A8")
    void limitOfZero_takesWhatIsThereWithoutASwitch() {
        inRun(() -> {
            var channel = new Channel<Integer>(2);
            channel.send(1);
            var mutex = new Mutex();
            var semaphore = new Semaphore(3);
            Coroutine<Integer> done = spawn(() -> 7);
            TaskHandle<Integer> task = new TaskGroup<Integer>().spawn(() -> 8);
            await(done);
            await(task);
            RuntimeStats before = Async.runtimeStats();
            assertThat(channel.receive(Duration.ZERO)).isEqualTo(1);
            assertThat(mutex.tryLock(Duration.ZERO)).isTrue();
            assertThat(semaphore.tryAcquire(Duration.ZERO)).isTrue();
            assertThat(semaphore.tryAcquire(2, Duration.ZERO)).isTrue();
            assertThat(done.await(Duration.ZERO)).isEqualTo(7);
            assertThat(task.await(Duration.ZERO)).isEqualTo(8);
            Select<String> select =
                    Select.<String>of().receive(channel, value -> "a value").onTimeout(Duration.ZERO, () -> "no value");
            assertThat(select.select()).isEqualTo("no value");
            channel.send(2);
            assertThat(select.select()).isEqualTo("a value");
            assertThat(switches()).isEqualTo(switches(before));
        });
    }

    @Test
    void limitOfZero_givesUpWhereItWouldHaveToWait() {
        inRun(() -> {
            Coroutine<?> endless = endless();
            var channel = new Channel<Integer>(2);
            RuntimeStats before = Async.runtimeStats();
            for (Body wait : List.<Body>of(() -> endless.await(Duration.ZERO), () -> channel.receive(Duration.ZERO)))
                assertThatThrownBy(wait::run)
                        .isInstanceOf(OperationCanceledException.class)
                        .hasMessageStartingWith("the wait was given up before it began: timeout 0 ms, expired")
                        .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThat(switches()).isEqualTo(switches(before));
            assertThat(endless.isCompleted()).isFalse();
        });
    }

    /** Nobody behind overtakes those who wait already. */
    @Test
    @Tag("D15")
    void limitOfZero_takesNothingThatIsPromisedToOthers() {
        inRun(() -> {
            var channel = new Channel<Integer>(2);
            Coroutine<Integer> first = spawn(() -> channel.receive());
            var semaphore = new Semaphore(1);
            semaphore.acquire();
            Coroutine<?> waits = spawn(() -> semaphore.acquire());
            suspend();
            channel.send(1);
            semaphore.release();
            assertThatThrownBy(() -> channel.receive(Duration.ZERO)).isInstanceOf(OperationCanceledException.class);
            assertThat(semaphore.tryAcquire(Duration.ZERO)).isFalse();
            assertThat(await(first)).isEqualTo(1);
            await(waits);
        });
    }

    @Test
    void limitOfZeroAtAClosedChannel_saysThatItIsClosed() {
        inRun(() -> {
            var channel = new Channel<Integer>(2);
            channel.send(1);
            channel.close();
            assertThat(channel.receive(Duration.ZERO)).isEqualTo(1);
            assertThatThrownBy(() -> channel.receive(Duration.ZERO)).isInstanceOf(ChannelException.class);
        });
    }

    @Test
    void failedCoroutineAwaitedForNoTime_throwsItsError() {
        inRun(() -> {
            Coroutine<?> failed = spawn(() -> {
                throw new IllegalStateException("planned");
            });
            suspend();
            assertThatThrownBy(() -> failed.await(Duration.ZERO)).hasMessage("planned");
        });
    }

    /** A section is many steps: with no time for the second, the first is better not made. */
    @Test
    void sectionWithoutTime_isNotBegun() {
        inRun(() -> {
            var begun = new ArrayList<String>();
            assertThatThrownBy(() -> Async.withTimeout(Duration.ZERO, () -> begun.add("begun")))
                    .isInstanceOfSatisfying(AsyncTimeoutException.class, e -> assertThat(e.after())
                            .isEqualTo(Duration.ZERO))
                    .hasMessage("the section was not begun, as its limit is 0 ms");
            assertThat(begun).isEmpty();
            assertThat(Async.currentCoroutine().isCancellationRequested()).isFalse();
            delay(1);
        });
    }

    private static long switches() {
        return switches(Async.runtimeStats());
    }

    private static long switches(RuntimeStats stats) {
        return stats.directSwitches() + stats.schedulerSwitches();
    }

    /** What a call has left waiting is of no interest. */
    private static void inRun(Body body) {
        TestRuntime.run(() -> {
            body.run();
            Async.gracefulShutdown();
        });
    }
}
