package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.internal.testkit.TestRuntime;

/** Mutex, Semaphore, Latch, Barrier. */
class SyncTest {
    private final List<String> log = new ArrayList<>();

    @Test
    void mutex_isGivenInTheOrderOfTheCallsAndNobodySlipsIn() {
        TestRuntime.run(() -> {
            var mutex = new Mutex();
            mutex.lock();
            for (int i = 0; i < 3; i++) {
                int n = i;
                spawn(() -> mutex.withLock(() -> {
                    log.add("in " + n);
                    delay(10 - n);
                    log.add("out " + n);
                }));
            }
            suspend();
            assertThat(mutex.waitingCount()).isEqualTo(3);
            mutex.unlock();
            assertThat(mutex.tryLock()).as("promised to the first in line").isFalse();
            mutex.lock();
            assertThat(log).containsExactly("in 0", "out 0", "in 1", "out 1", "in 2", "out 2");
            mutex.unlock();
            assertThat(mutex.isLocked()).isFalse();
        });
    }

    @Test
    @Tag("F2")
    void lockOfSomebodyWhoLeavesInstead_goesToTheNext() {
        TestRuntime.run(() -> {
            var mutex = new Mutex();
            mutex.lock();
            Coroutine<?> woken = spawn(() -> mutex.withLock(() -> log.add("not reached")));
            Coroutine<?> next = spawn(() -> mutex.withLock(() -> log.add("next")));
            Coroutine<?> impatient = spawn(() -> mutex.lock(timeout(5)));
            suspend();
            mutex.unlock();
            woken.cancel();
            await(next);
            assertThat(log).containsExactly("next");
            assertThatThrownBy(() -> await(woken)).isInstanceOf(AsyncCancellation.class);
            await(impatient);
        });
    }

    @Test
    void misuseOfAMutex_isNamed() {
        TestRuntime.run(() -> {
            var mutex = new Mutex();
            assertThatThrownBy(mutex::unlock).isInstanceOf(AsyncException.class).hasMessageContaining("free");
            mutex.lock();
            assertThatThrownBy(mutex::lock).isInstanceOf(AsyncException.class).hasMessageContaining("not reentrant");
            Coroutine<?> other = spawn(mutex::unlock);
            assertThatThrownBy(() -> await(other))
                    .hasMessageContaining("does not hold")
                    .hasMessageContaining("held by");
            assertThatThrownBy(() -> mutex.withLock(() -> 1)).isInstanceOf(AsyncException.class);
            assertThat(mutex.isLocked()).isTrue();
            mutex.unlock();
            assertThatThrownBy(() -> mutex.withLock(() -> {
                        throw new IllegalStateException("section");
                    }))
                    .hasMessage("section");
            assertThat(mutex.isLocked()).isFalse();
        });
        assertThatThrownBy(Mutex::new).isInstanceOf(AsyncException.class).hasMessageContaining("Async.run");
    }

    @Test
    void deadlockOfMutexes_namesWhoHoldsThem() {
        TestRuntime run = new TestRuntime();
        run.failure(() -> {
            var a = new Mutex();
            var b = new Mutex();
            spawn(() -> a.withLock(() -> {
                suspend();
                b.lock();
            }));
            spawn(() -> b.withLock(() -> {
                suspend();
                a.lock();
            }));
        });
        assertThat(run.reports()).anySatisfy(report -> assertThat(report).contains("mutex, held by coroutine #"));
    }

    @Test
    void semaphore_letsSoManyInAndWhoIsFirstInLineIsNotOvertaken() {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(3);
            semaphore.acquire(2);
            Coroutine<?> wantsAll = spawn(() -> {
                semaphore.acquire(3);
                log.add("all");
                semaphore.release(3);
            });
            Coroutine<?> wantsOne = spawn(() -> semaphore.withPermit(() -> log.add("one")));
            suspend();
            assertThat(semaphore.availablePermits()).isEqualTo(1);
            assertThat(semaphore.tryAcquire()).isFalse();
            assertThat(log).isEmpty();
            semaphore.release(2);
            await(wantsOne);
            await(wantsAll);
            assertThat(log).containsExactly("all", "one");
            assertThat(semaphore.availablePermits()).isEqualTo(3);
        });
    }

    @Test
    @Tag("F4")
    void whoLeavesTheLine_letsThoseBehindPass() {
        TestRuntime.run(() -> {
            var semaphore = new Semaphore(2);
            semaphore.acquire();
            Coroutine<?> greedy = spawn(() -> semaphore.acquire(2));
            Coroutine<?> modest = spawn(() -> semaphore.acquire());
            suspend();
            assertThat(modest.isCompleted()).isFalse();
            greedy.cancel();
            await(modest);
            assertThatThrownBy(() -> await(greedy)).isInstanceOf(AsyncCancellation.class);
            semaphore.release(2);
            assertThatThrownBy(semaphore::release)
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("more given back than taken");
        });
    }

    /** Each release adds a permit. */
    @Test
    void semaphoreThatBeginsWithNone_countsSignals() {
        TestRuntime.run(() -> {
            var signals = new Semaphore("signals", 0);
            assertThat(signals.tryAcquire()).isFalse();
            assertThat(signals.tryAcquire(Duration.ofMillis(5))).isFalse();
            assertThat(signals).hasToString("semaphore 'signals', 0 permits free, 0 waiting");
            Coroutine<?> first = spawn(() -> signals.acquire(2));
            Coroutine<?> second = spawn(() -> signals.acquire());
            suspend();
            signals.release();
            suspend();
            assertThat(first.isCompleted()).isFalse();
            signals.release(4);
            await(first);
            await(second);
            assertThat(signals.availablePermits()).isEqualTo(2);
            assertThat(signals.tryAcquire(3)).isFalse();
            assertThat(signals.tryAcquire(2)).isTrue();
            signals.release(Integer.MAX_VALUE);
            assertThatThrownBy(signals::release).hasMessageContaining("more given back than taken");
        });
    }

    @ParameterizedTest
    @ValueSource(ints = {0, -3})
    void badNumbers_areNamed(int number) {
        TestRuntime.run(() -> {
            if (number < 0) assertThatThrownBy(() -> new Semaphore(number)).hasMessageContaining("got " + number);
            assertThatThrownBy(() -> new Semaphore(0).acquire(number)).hasMessage("count must be >= 1, got " + number);
            assertThatThrownBy(() -> new Semaphore(2).acquire(number)).hasMessageContaining("got " + number);
            assertThatThrownBy(() -> new Semaphore(2).acquire(3)).hasMessageContaining("got 3");
            assertThatThrownBy(() -> new Barrier(number)).hasMessageContaining("got " + number);
            if (number < 0) assertThatThrownBy(() -> new Latch(number)).hasMessageContaining("got " + number);
        });
    }

    @Tag("sized")
    @Test
    @Tag("F2")
    @Tag("F3")
    void permits_areNeverLostWhateverTheOrder() {
        for (int seed = 0; seed < Depth.of(300, 3_000); seed++) {
            var random = new Random(seed);
            TestRuntime.run(() -> {
                var semaphore = new Semaphore(3);
                int[] inside = {0};
                var all = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 8; i++) {
                    int count = 1 + random.nextInt(3);
                    int hold = random.nextInt(3);
                    int patience = random.nextInt(8);
                    all.add(spawn(() -> {
                        if (patience == 0) semaphore.acquire(count);
                        else semaphore.acquire(count, timeout(patience));
                        try {
                            inside[0] += count;
                            assertThat(inside[0]).isLessThanOrEqualTo(3);
                            delay(hold);
                        } finally {
                            inside[0] -= count;
                            semaphore.release(count);
                        }
                    }));
                }
                for (int i = 0; i < 6; i++) {
                    if (random.nextBoolean()) delay(random.nextInt(3));
                    all.get(random.nextInt(all.size())).cancel();
                }
                for (Coroutine<?> each : all) {
                    try {
                        await(each);
                    } catch (AsyncCancellation expected) {
                        // some gave up
                    }
                }
                assertThat(semaphore.availablePermits()).isEqualTo(3);
                assertThat(semaphore.waitingCount()).isZero();
            });
        }
    }

    @Test
    void latch_opensOnceForThoseWhoWaitAndThoseWhoComeLater() {
        TestRuntime.run(() -> {
            var latch = new Latch(2);
            for (int i = 0; i < 3; i++) {
                int n = i;
                spawn(() -> {
                    latch.await();
                    log.add("passed " + n);
                });
            }
            suspend();
            assertThatThrownBy(() -> latch.await(timeout(5))).isInstanceOf(OperationCanceledException.class);
            latch.countDown();
            suspend();
            assertThat(log).isEmpty();
            assertThat(latch.count()).isEqualTo(1);
            latch.countDown();
            latch.countDown();
            suspend();
            assertThat(log).containsExactly("passed 0", "passed 1", "passed 2");
            latch.await();
            new Latch(0).await();
        });
    }

    @Test
    void barrier_goesRoundAfterRound() {
        TestRuntime.run(() -> {
            var barrier = new Barrier(3, () -> {
                delay(1);
                log.add("round");
            });
            var all = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++) {
                int n = i;
                all.add(spawn(() -> {
                    for (int r = 0; r < 2; r++) {
                        delay(n);
                        barrier.await();
                        log.add("on");
                    }
                }));
            }
            for (Coroutine<?> each : all) await(each);
            assertThat(log).containsExactly("round", "on", "on", "on", "round", "on", "on", "on");
        });
    }

    @Test
    void whoLeavesABarrier_hasNotArrived() {
        TestRuntime.run(() -> {
            var barrier = new Barrier(2);
            assertThatThrownBy(() -> barrier.await(timeout(5))).isInstanceOf(OperationCanceledException.class);
            assertThat(barrier.arrivedCount()).isZero();
            Coroutine<Integer> first = spawn(() -> barrier.await());
            suspend();
            assertThat(barrier.await()).isEqualTo(1);
            assertThat(await(first)).isZero();
        });
    }

    @Test
    void failingAction_reachesTheWholeRound() {
        TestRuntime.run(() -> {
            var barrier = new Barrier(2, () -> {
                throw new IllegalStateException("action");
            });
            Coroutine<?> first = spawn(() -> {
                barrier.await();
            });
            suspend();
            assertThatThrownBy(barrier::await).hasMessage("action");
            assertThatThrownBy(() -> await(first)).hasMessage("action");
            assertThat(barrier.arrivedCount()).isZero();
        });
    }

    @Test
    void actionIsCancelled_theOthersAreToldAndTheNextRoundIsWhole() {
        TestRuntime.run(() -> {
            var barrier = new Barrier("round", 2, () -> delay(10));
            Coroutine<Integer> first = spawn(() -> barrier.await());
            Coroutine<Integer> last = spawn(() -> barrier.await());
            delay(5);
            last.cancel("enough");
            assertThatThrownBy(() -> await(first))
                    .isExactlyInstanceOf(AsyncException.class)
                    .hasMessageContaining("the action of barrier 'round' was cancelled")
                    .hasCauseInstanceOf(AsyncCancellation.class);
            assertThat(first.isCancelled()).isFalse();
            assertThat(last.isCancelled()).isTrue();
            Coroutine<Integer> again = spawn(() -> barrier.await());
            suspend();
            assertThat(barrier.await()).isEqualTo(1);
            assertThat(await(again)).isZero();
        });
    }
}
