package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.lang.ref.Reference;
import java.lang.ref.WeakReference;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.atomic.AtomicReference;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.Event;
import org.trueasync.spi.EventCallback;

/** The end of a pool, also as an event. */
class PoolClosingTest extends PoolOfThings {
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
        });
    }

    @Test
    @Tag("P4")
    @Tag("P14")
    void leftOpen_theRunEndsAllTheSameAndClosesIt() {
        var pools = new ArrayList<Pool<Thing>>();
        TestRuntime run = TestRuntime.run(() -> {
            pool().build().close();
            for (int i = 0; i < 2; i++) {
                pools.add(Pool.of(this::make)
                        .destructor(t -> {
                            delay(5);
                            log.add("destroyed " + t.number);
                        })
                        .healthcheck(t -> true)
                        .healthcheckInterval(Duration.ofMillis(1))
                        .min(2)
                        .build());
            }
            spawn(() -> {
                delay(20);
                log.add("end of the last coroutine");
                assertThat(pools).noneMatch(Pool::isClosed);
            });
        });
        assertThat(log.getFirst()).isEqualTo("end of the last coroutine");
        assertThat(log.subList(1, 5))
                .containsExactlyInAnyOrder("destroyed 1", "destroyed 2", "destroyed 3", "destroyed 4");
        assertThat(run.reports()).isEmpty();
        Reference.reachabilityFence(pools); // left open, not dropped
    }

    @Test
    @Tag("P14")
    void leftOpenAndTheDestructorThrows_isWhatTheRunThrows() {
        var error = new IllegalStateException("destructor");
        var pool = new AtomicReference<Pool<Thing>>();
        assertThatThrownBy(() -> TestRuntime.run(() -> {
                    pool.set(Pool.of(this::make)
                            .destructor(t -> {
                                throw error;
                            })
                            .min(1)
                            .build());
                }))
                .isSameAs(error);
        Reference.reachabilityFence(pool); // left open, not dropped
    }

    @Test
    @Tag("P4")
    void callbacks_areToldOfTheEndUnlessTheyHaveLeft() {
        TestRuntime.run(() -> {
            var pool = pool().build();
            var stays = new EventRecorder("stays");
            var leaves = new EventRecorder("leaves");
            pool.event().addCallback(stays);
            pool.event().addCallback(leaves);
            assertThat(pool.event().removeCallback(leaves)).isTrue();
            pool.release(pool.acquire());
            assertThat(log).as("nothing but its end makes it fire").isEmpty();
            pool.close();
            assertThat(log).containsExactly("stays null", "destroyed 1");
            pool.event().replay(leaves);
            assertThat(log).as("told late").contains("leaves null");
        });
    }

    /** Writes down what it is told. */
    private final class EventRecorder extends EventCallback {
        private final String name;

        EventRecorder(String name) {
            this.name = name;
        }

        @Override
        protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
            log.add(name + " " + error);
        }
    }

    @Test
    @Tag("P4")
    @Tag("P14")
    void callbackOfTheEndThrows_idleOnesAreDestroyedAllTheSame() {
        TestRuntime.run(() -> {
            var pool = pool().min(2).build();
            pool.event().addCallback(new EventCallback() {
                @Override
                protected void onEvent(Event event, @Nullable Object result, @Nullable Throwable error) {
                    throw new IllegalStateException("callback");
                }
            });
            assertThatThrownBy(pool::close).hasMessage("callback");
            assertThat(log).containsExactly("destroyed 1", "destroyed 2");
            assertNumbers(pool, 0, 0);
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

    @Test
    @Tag("P14")
    void closedBetweenThePromiseAndTheTurn_destructorsErrorComesWithTheCallers() {
        TestRuntime.run(() -> {
            var destructor = new IllegalStateException("destructor");
            var pool = Pool.of(this::make)
                    .destructor(t -> {
                        throw destructor;
                    })
                    .max(1)
                    .build();
            Thing thing = pool.acquire();
            Coroutine<Thing> promised = spawn(() -> pool.acquire());
            suspend();
            pool.release(thing);
            pool.close();
            assertThatThrownBy(() -> await(promised))
                    .isInstanceOf(PoolException.class)
                    .hasSuppressedException(destructor);
            assertNumbers(pool, 0, 0);
        });
    }

    @Test
    @Tag("P4")
    void eventOfAPool_tellsWhoComesLateThatItHasEnded() {
        TestRuntime.run(() -> {
            var pool = pool().build();
            var late = new EventRecorder("late");
            assertThat(pool.event().replay(late)).as("still open").isFalse();
            assertThat(pool.event().info()).isEqualTo(pool.toString());
            pool.close();
            assertThat(pool.event().replay(late)).isTrue();
            pool.event().dispose();
            assertThat(pool.event().replay(late)).isTrue();
            assertThat(log).containsExactly("late null", "late org.trueasync.PoolException: " + pool + " is closed");
        });
    }

    @Test
    @Tag("P4")
    void disposingOfTheEvent_tellsEachOnce() {
        TestRuntime.run(() -> {
            var pool = pool().build();
            pool.event().addCallback(new EventRecorder("told"));
            pool.event().dispose();
            pool.close();
            assertThat(log).singleElement().asString().startsWith("told org.trueasync.PoolException");
        });
    }

    @Test
    @Tag("P14")
    @Tag("P15")
    void closedPool_leavesNoTimerBehind() {
        TestRuntime.run(() -> {
            int before = Async.runtimeStats().timers();
            var pool = pool().healthcheckInterval(Duration.ofMillis(10)).build();
            assertThat(Async.runtimeStats().timers()).isEqualTo(before + 1);
            pool.close();
            assertThat(Async.runtimeStats().timers()).isEqualTo(before);
        });
    }

    @Test
    @Tag("P14")
    void closedPool_isForgottenByTheRun() {
        TestRuntime.run(() -> {
            WeakReference<Object> kept = closedPool();
            for (int i = 0; i < 50 && !kept.refersTo(null); i++) {
                Garbage.collect();
                suspend();
            }
            assertThat(kept.refersTo(null)).isTrue();
        });
    }

    /** What only the pool knows. */
    private static WeakReference<Object> closedPool() {
        var made = new Object();
        var pool = Pool.of(() -> List.of(made)).min(1).build();
        pool.close();
        return new WeakReference<>(made);
    }

    @Test
    @Tag("P14")
    void closeWaitsInADestructor_whatIsStillIdleIsNobodys() {
        TestRuntime.run(() -> {
            var pool = Pool.of(this::make)
                    .destructor(t -> {
                        delay(10);
                        log.add("destroyed " + t.number);
                    })
                    .min(2)
                    .build();
            Thing lent = pool.acquire();
            pool.release(lent);
            Coroutine<?> closing = spawn(() -> pool.close());
            delay(5);
            assertThatThrownBy(pool::acquire).isInstanceOf(PoolException.class);
            assertThat(pool.tryAcquire()).isNull();
            await(closing);
            assertThat(log).containsExactly("destroyed 2", "destroyed 1");
            assertNumbers(pool, 0, 0);
        });
    }
}
