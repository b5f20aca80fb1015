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
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.error.CodeSites;
import org.trueasync.internal.testkit.TestRuntime;

/** Acquiring and releasing. */
class PoolTest extends PoolOfThings {
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
    @Tag("P2")
    void factoryAndDestructorFailInTheConstructor_factorysErrorCarriesTheOther() {
        TestRuntime.run(() -> {
            var broken = new IllegalStateException("no second");
            var destructor = new IllegalStateException("destructor");
            assertThatThrownBy(() -> Pool.of(() -> {
                                if (made == 1) throw broken;
                                return make();
                            })
                            .destructor(t -> {
                                throw destructor;
                            })
                            .min(2)
                            .build())
                    .isSameAs(broken)
                    .hasSuppressedException(destructor);
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
    @Tag("P6")
    void idleOne_isUsedBeforeANewOneIsMadeAndANewOneBeforeAnybodyWaits() {
        TestRuntime.run(() -> {
            var pool = pool().max(2).build();
            Thing first = pool.acquire();
            pool.release(first);
            assertThat(pool.acquire()).isSameAs(first);
            assertThat(pool.acquire().number).isEqualTo(2);
            assertThat(pool.stats().waiting()).isZero();
            assertThatThrownBy(() -> pool.acquire(Duration.ofMillis(1))).isInstanceOf(AsyncTimeoutException.class);
            assertThat(made).isEqualTo(2);
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
                    .hasMessage("Pool 'things' (max=1 active=1 idle=0 waiting=1): nothing free within 20 ms")
                    .hasToString("org.trueasync.AsyncTimeoutException: "
                            + "Pool 'things' (max=1 active=1 idle=0 waiting=1): nothing free within 20 ms")
                    .satisfies(thrown -> assertThat(CodeSites.innermost(thrown.getStackTrace()))
                            .as("made where it waits")
                            .startsWith("PoolTest.java:"));
            assertThatThrownBy(() -> pool.acquire(timeout(20))).isInstanceOf(OperationCanceledException.class);
            Coroutine<Thing> patient = spawn(() -> pool.acquire(Duration.ZERO));
            delay(1_000_000_000L);
            assertThat(patient.isCompleted()).as("zero is no limit").isFalse();
            pool.release(thing);
            assertThat(await(patient)).isSameAs(thing);
            pool.release(thing);
            assertThat(pool.acquire(Duration.ofMillis(1))).isSameAs(thing);
            pool.close();
            assertThatThrownBy(pool::acquire).isInstanceOf(PoolException.class).hasMessageContaining("'things'");
            assertThatThrownBy(() -> pool.acquire(Duration.ofMillis(1))).isInstanceOf(PoolException.class);
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
            Thing gone = pool.acquire();
            pool.discard(gone);
            assertThatThrownBy(() -> pool.discard(gone))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("discard of ")
                    .hasMessageContaining("destroyed already");
            assertThatThrownBy(() -> pool.release(gone))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageStartingWith("release of ");
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
            var nothing = Pool.<Thing>of(() -> null).name("nothing").build();
            assertThatThrownBy(nothing::acquire)
                    .isInstanceOf(PoolException.class)
                    .hasMessage("Pool 'nothing' (max=10 active=1 idle=0 waiting=0): the factory returned null");
            assertNumbers(nothing, 0, 0);
        });
    }

    @Test
    void stats_countWhatHasHappened() {
        TestRuntime.run(() -> {
            var pool = pool().max(2).build();
            Thing first = pool.acquire();
            Thing second = pool.acquire();
            Coroutine<Thing> waiter = spawn(() -> pool.acquire());
            suspend();
            assertThat(pool.stats()).isEqualTo(new PoolStats(2, 0, 2, 1, 2, 2, 0, 0));
            pool.discard(first);
            assertThat(await(waiter).number).isEqualTo(3);
            pool.release(second);
            assertThat(pool.stats()).isEqualTo(new PoolStats(2, 1, 1, 0, 3, 3, 1, 0));
            assertThat(pool).hasToString("Pool 'things' (max=2 active=1 idle=1 waiting=0)");
            pool.deactivate();
            assertThat(pool).hasToString("Pool 'things' (max=2 active=1 idle=1 waiting=0 INACTIVE)");
            pool.close();
            assertThat(pool).hasToString("Pool 'things' (max=2 active=1 idle=0 waiting=0 INACTIVE closed)");
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
                    .isExactlyInstanceOf(java.io.IOException.class)
                    .hasMessage("work");
            assertNumbers(pool, 1, 0);
        });
    }

    @Test
    @Tag("P2")
    void placeOfAnEarlierWaiter_wakesTheOneWhoStandsThereNow() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Thing held = pool.acquire();
            Coroutine<?> plain = spawn(() -> {
                pool.release(pool.acquire());
                log.add("plain had it");
                delay(10);
                log.add("plain is over");
            });
            suspend();
            pool.release(held);
            suspend();
            held = pool.acquire();
            Coroutine<?> limited = spawn(() -> {
                pool.release(pool.acquire(Duration.ofSeconds(1)));
                log.add("limited had it");
            });
            suspend();
            pool.release(held);
            await(limited);
            await(plain);
            assertThat(log).containsExactly("plain had it", "limited had it", "plain is over");
        });
    }
}
