package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.runtimeStats;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import java.util.concurrent.CompletableFuture;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Chance;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.SeededOrder;
import org.trueasync.internal.testkit.VirtualReactor;
import org.trueasync.spi.Event;
import org.trueasync.spi.Microtask;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.Waker;

/**
 * Programs made at random from a seed, on virtual time: coroutines that spawn, suspend, delay, await, fire, cancel and
 * protect. Whatever the order, no wake is lost or doubled, everything ends, and every count returns to where it began.
 * A failure names its seed.
 */
@Tag("deep")
class RandomProgramsTest {
    private static final int SEEDS = 2_000;
    private static final int ORDERS = 10_000;
    private static final int MOST_COROUTINES = 40;

    @Test
    @Tag("K13")
    @Tag("K41")
    @Tag("F2")
    @Tag("F22")
    @Tag("F32")
    void randomPrograms_loseNoWakeAndLeaveNothing() {
        for (int seed = 0; seed < SEEDS; seed++) runAndName(seed, false);
    }

    @Test
    @Tag("K62")
    @Tag("F27")
    void randomProgramsShutDownInTheMiddle_endAndLeaveNothing() {
        for (int seed = 0; seed < SEEDS / 2; seed++) runAndName(seed, true);
    }

    @Test
    @Tag("K13")
    void sameSeed_givesTheSameTrace() {
        for (int seed = 0; seed < 50; seed++)
            assertThat(new Program(seed, false).run()).as("seed " + seed).isEqualTo(new Program(seed, false).run());
    }

    @Test
    @Tag("K13")
    @Tag("K41")
    @Tag("F2")
    @Tag("F22")
    @Tag("F32")
    void randomProgramsInOtherOrders_loseNoWakeAndLeaveNothing() {
        for (int seed = 0; seed < ORDERS; seed++) {
            try {
                new Program(seed, seed % 4 == 0, new VirtualReactor(seed, new Chance(seed)))
                        .run(Async.runtime().runOrder(new SeededOrder(seed)));
            } catch (Throwable e) {
                throw new AssertionError("order " + seed + ": " + e, e);
            }
        }
    }

    private static void runAndName(int seed, boolean shutDown) {
        try {
            new Program(seed, shutDown).run();
        } catch (Throwable e) {
            throw new AssertionError("seed " + seed + (shutDown ? " with a shutdown" : "") + ": " + e, e);
        }
    }

    private static final class Program {
        private final Random random;
        private final boolean shutDown;
        private final VirtualReactor reactor;
        private final List<Coroutine<Integer>> all = new ArrayList<>();
        private final List<ManualEvent> events = new ArrayList<>();
        private final List<String> trace = new ArrayList<>();
        private @Nullable Coroutine<?> executing;
        private int begun;
        private int ended;
        private int finallyHandlers;
        private int finallyRuns;
        private int unprotectedHits;

        Program(int seed, boolean shutDown) {
            this(seed, shutDown, new VirtualReactor());
        }

        Program(int seed, boolean shutDown, VirtualReactor reactor) {
            this.reactor = reactor;
            this.random = new Random(seed);
            this.shutDown = shutDown;
        }

        List<String> run() {
            return run(Async.runtime());
        }

        List<String> run(AsyncRuntime.Builder runtime) {
            for (int i = 0; i < 3; i++) events.add(new ManualEvent("event " + i));
            runtime.reactor(() -> reactor).diagnostics(notice -> {}).run(() -> {
                enter(currentCoroutine());
                for (int i = 0; i < 4; i++) add();
                if (shutDown) {
                    outside(() -> delay(random.nextInt(10)));
                    Async.gracefulShutdown();
                }
                drive();
                check();
            });
            assertThat(all).allMatch(Coroutine::isCompleted);
            assertThat(ended).as("each body that began, ended").isEqualTo(begun);
            assertThat(finallyRuns).as("finally handlers").isEqualTo(finallyHandlers);
            assertThat(unprotectedHits).as("cancellations inside protect").isZero();
            for (ManualEvent event : events) {
                assertThat(event.hasCallbacks()).isFalse();
                assertThat(event.isActive()).isFalse();
                assertThat(event.armed()).isEqualTo(event.disarmed());
            }
            return trace;
        }

        /** Wakes those that wait for an event until all have ended; a lost wake shows as one that never does. */
        private void drive() {
            for (int round = 0; round < 2_000; round++) {
                boolean allEnded = true;
                for (int i = 0; i < all.size(); i++) allEnded &= all.get(i).isCompleted();
                if (allEnded) return;
                for (ManualEvent event : events) event.fire(round);
                try {
                    outside(() -> delay(1));
                } catch (AsyncCancellation e) {
                    // the shutdown's; once
                }
            }
            throw new AssertionError("does not end: "
                    + all.stream()
                            .filter(c -> !c.isCompleted())
                            .map(c -> c + " " + c.awaitingInfo())
                            .toList());
        }

        private void check() {
            for (Coroutine<Integer> c : all) c.exception();
            // longer than failures that nobody awaits are kept to be told of
            try {
                outside(() -> delay(1_000));
            } catch (AsyncCancellation e) {
                outside(() -> delay(1_000));
            }
            RuntimeStats stats = runtimeStats();
            assertThat(stats.coroutines()).isEqualTo(1);
            assertThat(stats.queued()).isZero();
            assertThat(stats.blocked()).isZero();
            assertThat(stats.activeEvents()).isZero();
            if (!shutDown) assertThat(stats.timers()).isZero();
            for (Coroutine<Integer> c : all) {
                assertThat(((Event) c).hasCallbacks()).isFalse();
            }
        }

        private void add() {
            if (all.size() >= MOST_COROUTINES) return;
            int number = all.size();
            Coroutine<Integer> c = spawn(() -> body(number));
            all.add(c);
            if (random.nextInt(8) == 0) c.asHighPriority();
            if (random.nextInt(3) == 0) {
                finallyHandlers++;
                c.onFinally(e -> finallyRuns++);
            }
        }

        private int body(int number) {
            enter(all.get(number));
            begun++;
            try {
                int steps = 1 + random.nextInt(6);
                for (int i = 0; i < steps; i++) {
                    try {
                        step(number);
                    } catch (AsyncCancellation e) {
                        trace.add(number + " cancelled");
                        if (random.nextInt(3) > 0) throw e;
                    }
                }
                if (random.nextInt(10) == 0) throw new IllegalStateException("planned, of " + number);
                return number;
            } finally {
                if (random.nextInt(4) == 0) {
                    try {
                        outside(Async::suspend);
                    } catch (AsyncCancellation e) {
                        trace.add(number + " cancelled in finally");
                    }
                }
                trace.add(number + " ends");
                ended++;
                leave(all.get(number));
            }
        }

        private void step(int number) {
            int kind = random.nextInt(13);
            trace.add(number + " does " + kind);
            switch (kind) {
                case 0 -> outside(Async::suspend);
                case 1 -> outside(() -> delay(random.nextInt(8)));
                case 2, 3 -> add();
                case 4 -> awaitAny(number, false);
                case 5 -> awaitAny(number, true);
                case 6 -> any().cancel(new AsyncCancellation("by " + number));
                case 7 -> outside(() -> waitForEvents());
                case 8 -> events.get(random.nextInt(events.size())).fire(number);
                case 9 ->
                    events.get(random.nextInt(events.size()))
                            .fail(new IllegalArgumentException("planned, by " + number));
                case 10 -> protectedSection();
                case 11 ->
                    Microtask.of(() -> events.get(random.nextInt(events.size())).fire(number))
                            .enqueue();
                default -> outside(this::blockInTheJdk);
            }
        }

        private Coroutine<Integer> any() {
            return all.get(random.nextInt(all.size()));
        }

        /** Others with a smaller number only, so that there is no cycle. */
        private void awaitAny(int number, boolean withToken) {
            if (number == 0) return;
            Coroutine<Integer> target = all.get(random.nextInt(number));
            try {
                if (!withToken) outside(() -> assertThat(await(target)).isSameAs(target.result()));
                else if (random.nextBoolean()) outside(() -> await(target, Async.timeout(1 + random.nextInt(5))));
                else outside(() -> await(target, all.get(random.nextInt(number))));
            } catch (IllegalStateException | IllegalArgumentException planned) {
                trace.add(number + " saw " + planned.getMessage());
            } catch (OperationCanceledException givenUp) {
                trace.add(number + " gave up");
            }
        }

        private void waitForEvents() {
            Waker waker = Waker.current();
            int count = 1 + random.nextInt(events.size());
            for (int i = 0; i < count; i++) waker.resumeWhen(events.get(i), ResumeCallback.RESOLVE);
            try {
                waker.await();
            } catch (IllegalArgumentException planned) {
                trace.add("event failed");
            }
        }

        private void protectedSection() {
            boolean[] entered = new boolean[1];
            boolean[] done = new boolean[1];
            try {
                protect(() -> {
                    entered[0] = true;
                    outside(Async::suspend);
                    outside(() -> delay(random.nextInt(3)));
                    done[0] = true;
                });
            } finally {
                if (entered[0] && !done[0] && !shutDown) unprotectedHits++;
            }
        }

        private void blockInTheJdk() {
            var gate = new CompletableFuture<Void>();
            spawn(() -> gate.complete(null));
            try {
                gate.get();
            } catch (InterruptedException e) {
                trace.add("interrupted");
            } catch (java.util.concurrent.ExecutionException e) {
                throw new AssertionError(e);
            }
        }

        /** A wait: meanwhile this coroutine does not execute, and when it is over, nobody else does. */
        private void outside(Body wait) {
            Coroutine<?> self = currentCoroutine();
            leave(self);
            try {
                wait.run();
            } catch (RuntimeException | Error e) {
                throw e;
            } catch (Throwable e) {
                throw new AssertionError(e);
            } finally {
                enter(self);
            }
        }

        private void enter(Coroutine<?> self) {
            assertThat(executing).as("executes at the same time as " + self).isNull();
            assertThat(currentCoroutine()).isSameAs(self);
            assertThat(self.isRunning()).isTrue();
            executing = self;
        }

        private void leave(Coroutine<?> self) {
            assertThat(executing).isSameAs(self);
            executing = null;
        }
    }
}
