package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.PoolHooks;

/** What hooks say, throw, and wait for. */
class PoolHooksTest extends PoolOfThings {
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
    @Tag("P5")
    void insideEachHook_itsResourceIsActive() {
        TestRuntime.run(() -> {
            var pools = new ArrayList<Pool<Thing>>();
            boolean[] good = {true};
            var pool = Pool.of(() -> {
                        if (!pools.isEmpty()) noteNumbers("factory", pools.getFirst());
                        return make();
                    })
                    .destructor(t -> noteNumbers("destructor", pools.getFirst()))
                    .beforeAcquire(t -> noteNumbers("beforeAcquire", pools.getFirst()))
                    .beforeRelease(t -> noteNumbers("beforeRelease", pools.getFirst()) && good[0])
                    .healthcheck(t -> noteNumbers("healthcheck", pools.getFirst()))
                    .healthcheckInterval(Duration.ofMillis(10))
                    .build();
            pools.add(pool);
            pool.release(pool.acquire());
            delay(15);
            Thing one = pool.acquire();
            good[0] = false;
            pool.release(one);
            assertThat(log)
                    .containsExactly(
                            "factory 1/0/1",
                            "beforeRelease 1/0/1",
                            "healthcheck 1/0/1",
                            "beforeAcquire 1/0/1",
                            "beforeRelease 1/0/1",
                            "destructor 1/0/1");
            assertNumbers(pool, 0, 0);
            pool.close();
        });
    }

    /** count/idle/active */
    private boolean noteNumbers(String where, Pool<?> pool) {
        return log.add(where + " " + pool.count() + "/" + pool.idleCount() + "/" + pool.activeCount());
    }

    @Test
    @Tag("P5")
    @Tag("F60")
    void whileADestructorWaits_itsPlaceIsTaken() {
        TestRuntime.run(() -> {
            var pool = Pool.of(this::make)
                    .destructor(t -> {
                        log.add("ends " + t.number);
                        delay(10);
                        log.add("ended " + t.number);
                    })
                    .max(1)
                    .build();
            Thing one = pool.acquire();
            Coroutine<?> ending = spawn(() -> pool.discard(one));
            suspend();
            assertThat(pool.tryAcquire()).isNull();
            assertNumbers(pool, 0, 1);
            assertThat(pool.acquire().number).isEqualTo(2);
            log.add("second");
            await(ending);
            assertThat(log).containsExactly("ends 1", "ended 1", "second");
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
    @Tag("P10")
    void tryAcquire_destructorsErrorIsThrown() {
        TestRuntime.run(() -> {
            var pool = Pool.of(this::make)
                    .beforeAcquire(t -> false)
                    .destructor(t -> {
                        throw new IllegalStateException("destructor");
                    })
                    .build();
            pool.release(pool.acquire());
            assertThatThrownBy(pool::tryAcquire).hasMessage("destructor");
            assertNumbers(pool, 0, 0);
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
    @Tag("P12")
    void beforeReleaseSaysNoAndTheDestructorThrows_releaserGetsThatAndTheNextOneThePlace() {
        TestRuntime.run(() -> {
            var pool = Pool.of(this::make)
                    .beforeRelease(t -> t.good)
                    .destructor(t -> {
                        throw new IllegalStateException("destructor");
                    })
                    .max(1)
                    .build();
            Thing bad = pool.acquire();
            bad.good = false;
            Coroutine<Thing> waiter = spawn(() -> pool.acquire());
            suspend();
            assertThatThrownBy(() -> pool.release(bad)).hasMessage("destructor");
            assertThat(await(waiter).number).isEqualTo(2);
        });
    }

    @Test
    @Tag("P12")
    void cancelledInBeforeRelease_cancellationGoesOnWhateverTheDestructorThrows() {
        TestRuntime.run(() -> {
            var pool = Pool.of(this::make)
                    .beforeRelease(t -> waits(true))
                    .destructor(t -> {
                        throw new IllegalStateException("destructor");
                    })
                    .build();
            Coroutine<?> user = spawn(() -> pool.release(pool.acquire()));
            suspend();
            var reason = new AsyncCancellation("stop");
            user.cancel(reason);
            assertThatThrownBy(() -> await(user)).isSameAs(reason).satisfies(e -> assertThat(e.getSuppressed())
                    .anySatisfy(s -> assertThat(s).hasMessage("destructor")));
            assertNumbers(pool, 0, 0);
        });
    }

    @Test
    @Tag("P13")
    void destroyedByACancelledCoroutine_theDestructorComesToItsEnd() {
        TestRuntime.run(() -> {
            var ended = new ArrayList<String>();
            var pool = Pool.of(this::make)
                    .destructor(t -> {
                        delay(5);
                        ended.add("destroyed " + t.number);
                    })
                    .build();
            Coroutine<?> due = spawn(() -> {
                Thing thing = pool.acquire();
                Async.currentCoroutine().cancel();
                pool.discard(thing);
                assertThatThrownBy(Async::suspend).isInstanceOf(AsyncCancellation.class);
            });
            await(due);
            Coroutine<?> meanwhile = spawn(() -> {
                pool.discard(pool.acquire());
                assertThatThrownBy(Async::suspend).isInstanceOf(AsyncCancellation.class);
            });
            suspend();
            meanwhile.cancel();
            await(meanwhile);
            Coroutine<?> closing = spawn(() -> {
                pool.release(pool.acquire());
                Async.currentCoroutine().cancel();
                pool.close();
            });
            assertThatThrownBy(() -> await(closing)).isInstanceOf(AsyncCancellation.class);
            assertThat(ended).containsExactly("destroyed 1", "destroyed 2", "destroyed 3");
            assertNumbers(pool, 0, 0);
        });
    }

    @Test
    void destructorFailsUnderACancellation_itsErrorIsThrownAndTheRequestIsStillDue() {
        TestRuntime.run(() -> {
            var pool = Pool.of(this::make)
                    .destructor(t -> {
                        throw new IllegalStateException("destructor");
                    })
                    .build();
            await(spawn(() -> {
                Thing thing = pool.acquire();
                Async.currentCoroutine().cancel();
                assertThatThrownBy(() -> pool.discard(thing)).hasMessage("destructor");
                assertThatThrownBy(Async::suspend).isInstanceOf(AsyncCancellation.class);
            }));
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
    @Tag("P12")
    void beforeReleaseThrowsAnError_releaserGetsItAndTheResourceIsDestroyed() {
        TestRuntime.run(() -> {
            var error = new AssertionError("of the hook");
            var pool = pool().beforeRelease(t -> {
                        throw error;
                    })
                    .build();
            Thing thing = pool.acquire();
            assertThatThrownBy(() -> pool.release(thing)).isSameAs(error);
            assertThat(log).containsExactly("destroyed 1");
            assertNumbers(pool, 0, 0);
        });
    }

    @Test
    void destructorFailsWhenAHookWasCancelled_isReportedAndTheCancellationGoesOn() {
        TestRuntime run = TestRuntime.run(() -> {
            var pool = Pool.of(this::make)
                    .name("things")
                    .beforeAcquire(t -> waits(true))
                    .destructor(t -> {
                        throw new IllegalStateException("destructor");
                    })
                    .build();
            pool.release(pool.acquire());
            Coroutine<Thing> user = spawn(() -> pool.acquire());
            suspend();
            user.cancel();
            assertThatThrownBy(() -> await(user)).isInstanceOf(AsyncCancellation.class);
            assertNumbers(pool, 0, 0);
            pool.close(); // a dropped pool that is collected is reported, too
        });
        assertThat(run.reports())
                .singleElement()
                .asString()
                .contains("Pool 'things'", "the destructor failed")
                .contains("destructor");
    }

    @Test
    @Tag("P14")
    void closedWhileBeforeAcquireLooks_resourceIsDestroyedWhateverItSays() {
        for (boolean answer : new boolean[] {true, false}) {
            log.clear();
            made = 0;
            TestRuntime.run(() -> {
                var pool = pool().beforeAcquire(t -> waits(answer)).build();
                pool.release(pool.acquire());
                Coroutine<Thing> user = spawn(() -> pool.acquire());
                suspend();
                pool.close();
                assertThat(log).isEmpty();
                assertThatThrownBy(() -> await(user))
                        .isInstanceOf(PoolException.class)
                        .hasMessageContaining("is closed");
                assertThat(log).containsExactly("destroyed 1");
                assertNumbers(pool, 0, 0);
                assertThat(made).isEqualTo(1);
            });
        }
    }

    @Test
    @Tag("P14")
    void closedWhileBeforeReleaseLooks_resourceIsDestroyed() {
        TestRuntime.run(() -> {
            var pool = pool().beforeRelease(t -> waits(true)).build();
            Coroutine<?> user = spawn(() -> pool.release(pool.acquire()));
            suspend();
            pool.close();
            await(user);
            assertThat(log).containsExactly("destroyed 1");
            assertNumbers(pool, 0, 0);
            assertThatThrownBy(pool::acquire).isInstanceOf(PoolException.class);
        });
    }
}
