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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.PoolHooks;

/** Acquiring, releasing, closing; the hooks. */
class PoolTest {
    private static final class Thing {
        final int number;
        boolean good = true;

        Thing(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "thing " + number;
        }
    }

    private final List<String> log = new ArrayList<>();
    private int made;

    private Thing make() {
        return new Thing(++made);
    }

    private Pool.Builder<Thing> pool() {
        return Pool.of(this::make)
                .destructor(t -> log.add("destroyed " + t.number))
                .name("things");
    }

    private static void assertNumbers(Pool<?> pool, int idle, int active) {
        assertThat(pool.idleCount()).as("idle").isEqualTo(idle);
        assertThat(pool.activeCount()).as("active").isEqualTo(active);
        assertThat(pool.count()).as("count").isEqualTo(idle + active);
    }

    @Test
    @Tag("P1")
    void hooksOfAnExtension_areCalledDirectly() {
        TestRuntime.run(() -> {
            var pool = Pool.with(new PoolHooks<Thing>() {
                        @Override
                        public Thing create() {
                            log.add("create");
                            return make();
                        }

                        @Override
                        public void destroy(Thing thing) {
                            log.add("destroy");
                        }

                        @Override
                        public boolean beforeAcquire(Thing thing) {
                            return log.add("acquire");
                        }

                        @Override
                        public boolean beforeRelease(Thing thing) {
                            return log.add("release");
                        }

                        @Override
                        public boolean isHealthy(Thing thing) {
                            return log.add("healthy");
                        }
                    })
                    .healthcheckInterval(Duration.ofMillis(10))
                    .build();
            pool.release(pool.acquire());
            pool.release(pool.acquire());
            delay(15);
            pool.close();
            assertThat(log).containsExactly("create", "release", "acquire", "release", "healthy", "destroy");
            assertThatThrownBy(() -> Pool.with(() -> "x").destructor(x -> {}))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("destructor");
        });
    }

    @Test
    @Tag("P2")
    void badNumbers_areNamed() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> pool().min(-1).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("-1");
            assertThatThrownBy(() -> pool().max(0).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("got 0");
            assertThatThrownBy(() -> pool().min(3).max(2).build())
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("min 3 and max 2");
            var pool = pool().build();
            assertThatThrownBy(() -> pool.acquire(Duration.ofMillis(-1))).isInstanceOf(IllegalArgumentException.class);
        });
        assertThatThrownBy(() -> pool().build()).isInstanceOf(AsyncException.class);
    }

    @Test
    @Tag("P2")
    void min_isMadeInAdvanceAndAFailingFactoryFailsTheConstructor() {
        TestRuntime.run(() -> {
            var pool = pool().min(3).build();
            assertNumbers(pool, 3, 0);
            var broken = new IllegalStateException("no third");
            assertThatThrownBy(() -> Pool.of(() -> {
                                if (made == 5) throw broken;
                                return make();
                            })
                            .destructor(t -> log.add("destroyed " + t.number))
                            .min(3)
                            .build())
                    .isSameAs(broken);
            assertThat(log).as("what was made before").containsExactly("destroyed 4", "destroyed 5");
        });
    }

    @Test
    @Tag("P3")
    void idleOnes_areUsedAndClosedInTheOrderOfTheirReturn() {
        TestRuntime.run(() -> {
            var pool = pool().max(40).build();
            var all = new ArrayList<Thing>();
            for (int i = 0; i < 30; i++) all.add(pool.acquire());
            for (Thing one : all.reversed()) pool.release(one);
            for (int i = 30; i > 10; i--) assertThat(pool.acquire().number).isEqualTo(i);
            for (int i = 10; i < 30; i++) pool.release(all.get(i));
            pool.close();
            assertThat(log.getFirst()).isEqualTo("destroyed 10");
            assertThat(log.get(10)).isEqualTo("destroyed 11");
            assertThat(log).hasSize(30).doesNotHaveDuplicates();
        });
    }

    @Test
    @Tag("P4")
    void pool_isAnEventThatFiresAtItsEndAndKeepsNoRunAlive() {
        TestRuntime.run(() -> {
            var pool = pool().healthcheck(t -> true)
                    .healthcheckInterval(Duration.ofMillis(1))
                    .min(1)
                    .build();
            pool.event().start();
            assertThat(pool.event().isActive()).isFalse();
            var waiter = spawn(() -> {
                var waker = org.trueasync.spi.Waker.current();
                waker.resumeWhen(pool.event(), org.trueasync.spi.ResumeCallback.RESOLVE);
                waker.await();
                log.add("told");
            });
            suspend();
            pool.event().dispose();
            assertThat(pool.isClosed()).isTrue();
            assertThat(log).containsExactly("destroyed 1");
            assertThatThrownBy(() -> await(waiter)).isInstanceOf(PoolException.class);
            // this one is left open, and the run ends all the same
            pool().min(1)
                    .healthcheck(t -> true)
                    .healthcheckInterval(Duration.ofMillis(1))
                    .build();
        });
    }

    @Test
    @Tag("P5")
    @Tag("F60")
    void whileHooksWait_theirResourceIsActiveAndMaxHolds() {
        TestRuntime.run(() -> {
            var pool = Pool.of(() -> {
                        delay(10);
                        return make();
                    })
                    .beforeAcquire(t -> waits(true))
                    .beforeRelease(t -> waits(true))
                    .destructor(t -> waits(true))
                    .max(2)
                    .build();
            var users = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 6; i++) users.add(spawn(() -> pool.use(t -> waits(true))));
            while (users.stream().anyMatch(c -> !c.isCompleted())) {
                assertThat(pool.count()).isBetween(0, 2).isEqualTo(pool.idleCount() + pool.activeCount());
                delay(1);
            }
            assertThat(made).isEqualTo(2);
            assertNumbers(pool, 2, 0);
            pool.close();
            assertNumbers(pool, 0, 0);
        });
    }

    private static boolean waits(boolean answer) {
        delay(3);
        return answer;
    }

    @Test
    @Tag("P6")
    @Tag("P11")
    void released_goesToTheOldestWaiterAndNobodyBarges() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Thing thing = pool.acquire();
            for (int i = 0; i < 3; i++) {
                int n = i;
                spawn(() -> {
                    Thing mine = pool.acquire();
                    log.add("served " + n);
                    pool.release(mine);
                });
            }
            suspend();
            assertThat(pool.stats().waiting()).isEqualTo(3);
            pool.release(thing);
            assertThat(pool.tryAcquire()).as("promised to the first in line").isNull();
            assertNumbers(pool, 0, 1);
            pool.release(pool.acquire());
            assertThat(log).containsExactly("served 0", "served 1", "served 2");
            assertThat(made).isEqualTo(1);
        });
    }

    @Test
    @Tag("P7")
    void beforeAcquire_refusesOrThrows_anotherOneIsTaken() {
        TestRuntime.run(() -> {
            var pool = pool().beforeAcquire(t -> {
                        if (t.number == 2) throw new IllegalStateException("broken");
                        return t.good;
                    })
                    .max(3)
                    .build();
            Thing first = pool.acquire();
            Thing second = pool.acquire();
            Thing third = pool.acquire();
            first.good = false;
            List.of(first, second, third).forEach(pool::release);
            assertThat(pool.acquire()).isSameAs(third);
            assertThat(log).containsExactly("destroyed 1", "destroyed 2");
            assertThat(pool.acquire().number).as("a new one is not looked at").isEqualTo(4);
            assertNumbers(pool, 0, 2);
        });
    }

    @Test
    @Tag("P7")
    void destructorThrowsDuringAcquire_isTheCallersErrorAndThePlaceIsFree() {
        TestRuntime.run(() -> {
            var error = new IllegalStateException("destructor");
            var pool = Pool.of(this::make)
                    .beforeAcquire(t -> false)
                    .destructor(t -> {
                        throw error;
                    })
                    .max(1)
                    .build();
            pool.release(pool.acquire());
            assertThatThrownBy(pool::acquire).isSameAs(error);
            assertNumbers(pool, 0, 0);
            assertThat(pool.acquire().number).isEqualTo(2);
        });
    }

    @Test
    @Tag("P8")
    @Tag("F61")
    void factoryFails_callerGetsTheErrorAndTheNextOneTries() {
        TestRuntime.run(() -> {
            var pool = Pool.of(() -> {
                        int n = ++made;
                        delay(1);
                        if (n < 3) throw new java.io.IOException("refused " + n);
                        return new Thing(n);
                    })
                    .max(1)
                    .build();
            Coroutine<Thing> a = spawn(() -> pool.acquire());
            Coroutine<Thing> b = spawn(() -> pool.acquire());
            Coroutine<Thing> c = spawn(() -> pool.acquire());
            assertThatThrownBy(() -> await(a)).hasRootCauseMessage("refused 1");
            assertThatThrownBy(() -> await(b)).hasRootCauseMessage("refused 2");
            assertThat(await(c).number).isEqualTo(3);
            assertNumbers(pool, 0, 1);
        });
    }

    @Test
    @Tag("F61")
    void refusedResource_freesItsPlaceForWhoWaits() {
        TestRuntime.run(() -> {
            var pool = pool().beforeRelease(t -> t.good).max(1).build();
            Thing bad = pool.acquire();
            Coroutine<Thing> waiter = spawn(() -> pool.acquire());
            suspend();
            bad.good = false;
            pool.release(bad);
            assertThat(await(waiter).number).isEqualTo(2);
        });
    }

    @Test
    @Tag("P9")
    void timeout_saysWhatThePoolLookedLike() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Thing thing = pool.acquire(Duration.ZERO);
            assertThatThrownBy(() -> pool.acquire(Duration.ofMillis(20)))
                    .isInstanceOf(AsyncTimeoutException.class)
                    .hasMessage("Pool 'things' (max=1 active=1 idle=0 waiting=1): nothing free within 20 ms");
            assertThatThrownBy(() -> pool.acquire(timeout(20))).isInstanceOf(OperationCanceledException.class);
            assertThatThrownBy(() -> pool.acquire(Duration.ofMillis(50), timeout(20)))
                    .isInstanceOf(OperationCanceledException.class);
            pool.release(thing);
            assertThat(pool.acquire(Duration.ofMillis(1))).isSameAs(thing);
            pool.close();
            assertThatThrownBy(pool::acquire).isInstanceOf(PoolException.class).hasMessageContaining("'things'");
        });
    }

    @Test
    @Tag("P10")
    void tryAcquire_isNullWhereItWouldWaitOrFail() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Thing thing = pool.tryAcquire();
            assertThat(thing).isNotNull();
            assertThat(pool.tryAcquire()).isNull();
            pool.release(thing);
            pool.deactivate();
            assertThat(pool.tryAcquire()).isNull();
            pool.activate();
            assertThat(pool.tryAcquire()).isSameAs(thing);
            pool.close();
            assertThat(pool.tryAcquire()).isNull();
            var error = new IllegalStateException("factory");
            Pool<Thing> broken = Pool.<Thing>of(() -> {
                        throw error;
                    })
                    .build();
            assertThatThrownBy(broken::tryAcquire).isSameAs(error);
            assertNumbers(broken, 0, 0);
        });
    }

    @Test
    @Tag("P11")
    @Tag("F2")
    void promisedOneLeaves_nextInLineIsServed() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Thing thing = pool.acquire();
            Coroutine<Thing> cancelled = spawn(() -> pool.acquire());
            Coroutine<Thing> impatient = spawn(() -> pool.acquire(Duration.ofMillis(5)));
            Coroutine<Thing> next = spawn(() -> pool.acquire());
            delay(10);
            pool.release(thing);
            cancelled.cancel();
            assertThat(await(next)).isSameAs(thing);
            assertThatThrownBy(() -> await(impatient)).isInstanceOf(AsyncTimeoutException.class);
            assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
            pool.release(thing);
            assertNumbers(pool, 1, 0);
        });
    }

    @Test
    @Tag("P12")
    void beforeReleaseThrows_isNotThrownButTheResourceIsDestroyed() {
        TestRuntime.run(() -> {
            var pool = pool().beforeRelease(t -> {
                        throw new IllegalStateException("hook");
                    })
                    .build();
            pool.release(pool.acquire());
            assertThat(log).containsExactly("destroyed 1");
            assertNumbers(pool, 0, 0);
        });
    }

    @Test
    @Tag("P13")
    void doubleOrForeignRelease_isRefused() {
        TestRuntime.run(() -> {
            var pool = pool().beforeRelease(t -> waits(true)).build();
            Thing thing = pool.acquire();
            Coroutine<?> first = spawn(() -> pool.release(thing));
            suspend();
            assertThatThrownBy(() -> pool.release(thing))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("released already");
            await(first);
            assertThatThrownBy(() -> pool.release(thing)).isInstanceOf(IllegalStateException.class);
            assertThatThrownBy(() -> pool.discard(new Thing(9)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("none of this pool's");
            assertNumbers(pool, 1, 0);
            pool.discard(pool.acquire());
            assertNumbers(pool, 0, 0);
            assertThat(log).containsExactly("destroyed 1");
        });
    }

    @Test
    void factoryReturnsNothingOrTheSameTwice_isRefused() {
        TestRuntime.run(() -> {
            Thing only = make();
            var twice = Pool.of(() -> only).build();
            twice.acquire();
            assertThatThrownBy(twice::acquire)
                    .isInstanceOf(PoolException.class)
                    .hasMessageContaining("in the pool already");
            assertNumbers(twice, 0, 1);
        });
    }

    @Test
    @Tag("P14")
    void close_wakesWaitersDestroysIdleNowAndBusyAtRelease() {
        TestRuntime.run(() -> {
            var pool = pool().max(2).build();
            Thing first = pool.acquire();
            Thing second = pool.acquire();
            Coroutine<Thing> promised = spawn(() -> pool.acquire());
            Coroutine<Thing> waiter = spawn(() -> pool.acquire());
            suspend();
            pool.release(first);
            pool.close();
            pool.close();
            assertThatThrownBy(() -> await(promised)).isInstanceOf(PoolException.class);
            assertThatThrownBy(() -> await(waiter)).isInstanceOf(PoolException.class);
            assertThat(log).containsExactly("destroyed 1");
            pool.release(second);
            assertThat(log).containsExactly("destroyed 1", "destroyed 2");
            assertNumbers(pool, 0, 0);
        });
    }

    @Test
    @Tag("P14")
    void destructorsThrowAtClose_allAreCalledBeforeTheFirstErrorIsThrown() {
        TestRuntime.run(() -> {
            var pool = Pool.of(this::make)
                    .destructor(t -> {
                        log.add("destroyed " + t.number);
                        throw new IllegalStateException("error " + t.number);
                    })
                    .min(3)
                    .build();
            assertThatThrownBy(pool::close).hasMessage("error 1").satisfies(e -> assertThat(e.getSuppressed())
                    .hasSize(2));
            assertThat(log).hasSize(3);
            assertNumbers(pool, 0, 0);
            assertThatThrownBy(() -> {
                        try (var other = Pool.of(this::make)
                                .destructor(t -> {
                                    throw new IllegalStateException("second");
                                })
                                .min(1)
                                .build()) {
                            throw new IllegalArgumentException("body of " + other.count());
                        }
                    })
                    .hasMessage("body of 1");
        });
    }

    @Test
    @Tag("P14")
    void closedWhileTheFactoryWaits_theNewOneIsDestroyed() {
        TestRuntime.run(() -> {
            var pool = Pool.of(() -> {
                        delay(10);
                        return make();
                    })
                    .destructor(t -> log.add("destroyed " + t.number))
                    .build();
            Coroutine<Thing> user = spawn(() -> pool.acquire());
            delay(5);
            pool.close();
            assertNumbers(pool, 0, 1);
            assertThatThrownBy(() -> await(user)).isInstanceOf(PoolException.class);
            assertThat(log).containsExactly("destroyed 1");
            assertNumbers(pool, 0, 0);
        });
    }

    @Test
    void cancelledInAHook_theResourceIsDestroyedAndTheCancellationGoesOn() {
        TestRuntime.run(() -> {
            var pool = pool().beforeAcquire(t -> waits(true)).max(1).build();
            pool.release(pool.acquire());
            Coroutine<Thing> user = spawn(() -> pool.acquire());
            Coroutine<Thing> next = spawn(() -> pool.acquire());
            suspend();
            user.cancel();
            assertThat(await(next).number).isEqualTo(2);
            assertThatThrownBy(() -> await(user)).isInstanceOf(AsyncCancellation.class);
            assertThat(log).containsExactly("destroyed 1");
            assertNumbers(pool, 0, 1);
        });
    }

    @Test
    void use_releasesWhateverHappens() {
        TestRuntime.run(() -> {
            var pool = pool().build();
            int number = pool.use(t -> t.number);
            assertThat(number).isEqualTo(1);
            assertThatThrownBy(() -> pool.use(t -> {
                        throw new java.io.IOException("work");
                    }))
                    .hasRootCauseMessage("work");
            assertNumbers(pool, 1, 0);
        });
    }

    @Test
    void waitingForWhatNobodyReleases_isADeadlockThatNamesThePool() {
        TestRuntime run = new TestRuntime();
        run.failure(() -> {
            var pool = pool().max(1)
                    .healthcheck(t -> true)
                    .healthcheckInterval(Duration.ofMillis(5))
                    .build();
            Thing kept = pool.acquire();
            pool.acquire();
            pool.release(kept);
        });
        assertThat(run.reports())
                .anySatisfy(report -> assertThat(report).contains("acquire from Pool 'things' (max=1 active=1"));
    }
}
