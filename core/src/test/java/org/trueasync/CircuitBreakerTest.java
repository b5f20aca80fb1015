package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.CircuitBreakerState.ACTIVE;
import static org.trueasync.CircuitBreakerState.INACTIVE;
import static org.trueasync.CircuitBreakerState.RECOVERING;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** The circuit breaker of a pool, on its own, and the ready strategies. */
class CircuitBreakerTest {
    private final List<String> log = new ArrayList<>();
    private boolean good = true;
    private int made;

    private Pool.Builder<Object> pool() {
        return Pool.of(() -> {
                    made++;
                    return new Object();
                })
                .beforeRelease(r -> good)
                .name("service");
    }

    /** Writes down what it is told, and does what the test says. */
    private class Recorder implements CircuitBreakerStrategy {
        boolean recovers;

        @Override
        public void reportSuccess(CircuitBreaker source) {
            log.add("success " + source.state());
        }

        @Override
        public void reportFailure(CircuitBreaker source, Throwable error) {
            log.add("failure " + source.state() + " " + error.getClass().getSimpleName());
        }

        @Override
        public boolean shouldRecover() {
            return recovers;
        }
    }

    @Test
    @Tag("P20")
    void strategy_isToldOfEachRelease() {
        TestRuntime.run(() -> {
            var pool = pool().circuitBreaker(new Recorder()).build();
            pool.use(r -> 1);
            good = false;
            pool.use(r -> 1);
            pool.recover();
            pool.use(r -> 1);
            assertThat(log)
                    .containsExactly(
                            "success ACTIVE", "failure ACTIVE PoolException", "failure RECOVERING PoolException");
        });
    }

    @Test
    @Tag("P12")
    @Tag("P20")
    void beforeReleaseThrows_isReportedAsARefusalWithItsCause() {
        TestRuntime.run(() -> {
            var pool = Pool.of(Object::new)
                    .beforeRelease(r -> {
                        throw new IllegalStateException("hook");
                    })
                    .circuitBreaker(new Recorder() {
                        @Override
                        public void reportFailure(CircuitBreaker source, Throwable error) {
                            log.add(error.getMessage() + ": " + error.getCause());
                        }
                    })
                    .name("service")
                    .build();
            pool.use(r -> 1);
            assertThat(log)
                    .containsExactly(
                            "Pool 'service' (max=10 active=1 idle=0 waiting=0): beforeRelease refused a resource"
                                    + " by an exception: java.lang.IllegalStateException: hook");
        });
    }

    @Test
    @Tag("P21")
    void nothingIsFree_tryAcquireUsesUpNoTrial() {
        TestRuntime.run(() -> {
            var pool = Pool.of(Object::new)
                    .max(1)
                    .circuitBreaker(RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ofSeconds(1), 1))
                    .build();
            Object one = pool.acquire();
            pool.recover();
            assertThat(pool.tryAcquire()).isNull();
            Coroutine<Object> trial = spawn(() -> pool.acquire());
            suspend();
            pool.release(one);
            assertThat(await(trial)).isSameAs(one);
        });
    }

    @Test
    @Tag("P22")
    void destructorAndStrategyThrow_neitherIsLost() {
        TestRuntime.run(() -> {
            var pool = Pool.of(Object::new)
                    .beforeRelease(r -> false)
                    .destructor(r -> {
                        throw new IllegalStateException("destructor");
                    })
                    .circuitBreaker(new Recorder() {
                        @Override
                        public void reportFailure(CircuitBreaker source, Throwable error) {
                            throw new IllegalStateException("strategy");
                        }
                    })
                    .build();
            Object one = pool.acquire();
            assertThatThrownBy(() -> pool.release(one)).hasMessage("destructor").satisfies(e -> assertThat(
                            e.getSuppressed())
                    .singleElement()
                    .satisfies(s -> assertThat(s).hasMessage("strategy")));
            assertThat(pool.count()).isZero();
        });
    }

    @Test
    @Tag("P9")
    @Tag("P20")
    void deactivated_nobodyIsServedUntilActivated() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Object one = pool.acquire();
            Coroutine<Object> waiter = spawn(() -> pool.acquire());
            suspend();
            pool.deactivate();
            assertThatThrownBy(() -> await(waiter))
                    .isInstanceOf(ServiceUnavailableException.class)
                    .hasMessageContaining("INACTIVE")
                    .hasMessageContaining("'service'");
            pool.release(one);
            assertThatThrownBy(pool::acquire).isInstanceOf(ServiceUnavailableException.class);
            assertThat(pool.idleCount()).isEqualTo(1);
            pool.recover();
            boolean same = pool.use(r -> r == one);
            assertThat(same).isTrue();
            pool.activate();
            assertThat(pool.state()).isEqualTo(ACTIVE);
            assertThat(pool.acquire()).isSameAs(one);
        });
    }

    @Test
    @Tag("P9")
    void deactivatedWhileALoopOfAcquiresSharesTheThread_noneIsServedAfterwards() {
        TestRuntime.run(runtime -> {
            var pool = pool().build();
            spawn(pool::deactivate);
            assertThatThrownBy(() -> {
                        while (true) {
                            runtime.reactor().advance(100_000);
                            Object one = pool.acquire();
                            assertThat(pool.state()).isEqualTo(ACTIVE);
                            pool.release(one);
                        }
                    })
                    .isInstanceOf(ServiceUnavailableException.class);
            assertThat(pool.idleCount()).isEqualTo(1);
            assertThat(pool.count()).isEqualTo(1);
        });
    }

    @Test
    @Tag("P9")
    @Tag("P11")
    void wokenWaiterFindsItInactive_whatItWasPromisedIsIdleAgain() {
        TestRuntime.run(() -> {
            var pool = pool().max(1).build();
            Object one = pool.acquire();
            Coroutine<Object> woken = spawn(() -> pool.acquire());
            suspend();
            pool.release(one);
            pool.deactivate();
            assertThatThrownBy(() -> await(woken)).isInstanceOf(ServiceUnavailableException.class);
            assertThat(pool.idleCount()).isEqualTo(1);
            assertThat(pool.count()).isEqualTo(1);
        });
    }

    @Test
    @Tag("P21")
    void inactive_strategyIsAskedWhetherToRecover() {
        TestRuntime.run(() -> {
            var strategy = new Recorder();
            var pool = pool().circuitBreaker(strategy).build();
            pool.deactivate();
            assertThatThrownBy(pool::acquire).isInstanceOf(ServiceUnavailableException.class);
            assertThat(pool.tryAcquire()).isNull();
            assertThat(pool.state()).isEqualTo(INACTIVE);
            strategy.recovers = true;
            Object one = pool.acquire();
            assertThat(pool.state()).isEqualTo(RECOVERING);
            pool.release(one);
        });
    }

    @Test
    @Tag("P22")
    void strategyThrows_releaserGetsItAfterTheResourceIsSettled() {
        TestRuntime.run(() -> {
            var pool = pool().circuitBreaker(new Recorder() {
                        @Override
                        public void reportSuccess(CircuitBreaker source) {
                            source.deactivate();
                            throw new IllegalStateException("success");
                        }

                        @Override
                        public void reportFailure(CircuitBreaker source, Throwable error) {
                            throw new IllegalStateException("failure");
                        }
                    })
                    .build();
            Object first = pool.acquire();
            Object second = pool.acquire();
            assertThatThrownBy(() -> pool.release(first)).hasMessage("success");
            assertThat(pool.state()).isEqualTo(INACTIVE);
            assertThat(pool.idleCount()).isEqualTo(1);
            good = false;
            assertThatThrownBy(() -> pool.release(second)).hasMessage("failure");
            assertThat(pool.count()).isEqualTo(1);
        });
    }

    @Test
    void consecutiveFailures_thenTrialsThenActiveAgain() {
        TestRuntime.run(() -> {
            var calls = new GuardedCalls(
                    "answers", RecoveryStrategy.consecutiveFailures(3).recoverAfter(Duration.ofSeconds(10), 2));
            fail(calls);
            fail(calls);
            calls.call(() -> log.add("well"));
            fail(calls);
            fail(calls);
            assertThat(calls.state()).isEqualTo(ACTIVE);
            fail(calls);
            assertThat(calls.state()).isEqualTo(INACTIVE);
            assertThatThrownBy(() -> calls.call(() -> log.add("not reached")))
                    .isInstanceOf(ServiceUnavailableException.class)
                    .hasMessageContaining("'answers'");
            delay(10_000);
            Coroutine<?> first = spawn(() -> calls.call(() -> delay(10)));
            Coroutine<?> second = spawn(() -> calls.call(() -> delay(20)));
            Coroutine<?> third = spawn(() -> calls.call(() -> delay(30)));
            assertThatThrownBy(() -> await(third)).isInstanceOf(ServiceUnavailableException.class);
            await(first);
            assertThat(calls.state()).isEqualTo(RECOVERING);
            await(second);
            assertThat(calls.state()).isEqualTo(ACTIVE);
            assertThat(log).containsExactly("well");
        });
    }

    private static void fail(GuardedCalls calls) {
        assertThatThrownBy(() -> calls.call(() -> {
                    throw new IllegalStateException("call");
                }))
                .hasMessage("call");
    }

    @Test
    void trialFails_anotherTimeOfRest() {
        TestRuntime.run(() -> {
            var calls = new GuardedCalls(
                    "x", RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ofSeconds(10), 2));
            fail(calls);
            delay(10_000);
            fail(calls);
            assertThat(calls.state()).isEqualTo(INACTIVE);
            delay(9_999);
            assertThatThrownBy(() -> calls.call(() -> {})).isInstanceOf(ServiceUnavailableException.class);
            delay(1);
            calls.call(() -> {});
            assertThat(calls.state()).isEqualTo(RECOVERING);
        });
    }

    @Test
    void trialsThatNeverEnd_areReplacedAfterTheTime() {
        TestRuntime.run(() -> {
            var calls = new GuardedCalls(
                    "x", RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ofSeconds(10), 1));
            fail(calls);
            delay(10_000);
            Coroutine<?> lost = spawn(() -> calls.call(() -> delay(1_000_000)));
            suspend();
            lost.cancel();
            assertThatThrownBy(() -> await(lost)).isInstanceOf(AsyncCancellation.class);
            assertThat(calls.state()).as("a cancelled call says nothing").isEqualTo(RECOVERING);
            assertThatThrownBy(() -> calls.call(() -> {})).isInstanceOf(ServiceUnavailableException.class);
            delay(10_000);
            calls.call(() -> {});
            assertThat(calls.state()).isEqualTo(ACTIVE);
        });
    }

    @Test
    void failureRate_isThatOfTheLastCalls() {
        var calls = new GuardedCalls("x", RecoveryStrategy.failureRate(0.5, 4));
        fail(calls);
        fail(calls);
        fail(calls);
        assertThat(calls.state()).as("too few calls to decide").isEqualTo(ACTIVE);
        calls.call(() -> {});
        assertThat(calls.state()).as("the fourth makes the window full").isEqualTo(INACTIVE);
        var other = new GuardedCalls("x", RecoveryStrategy.failureRate(0.5, 4));
        for (int i = 0; i < 30; i++) {
            fail(other);
            for (int j = 0; j < 3; j++) other.call(() -> {});
        }
        assertThat(other.state()).isEqualTo(ACTIVE);
        fail(other);
        fail(other);
        assertThat(other.state()).isEqualTo(INACTIVE);
    }

    @Test
    void deactivatedByHand_staysSo() {
        TestRuntime.run(() -> {
            var calls = new GuardedCalls(
                    "x", RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ZERO, 1));
            calls.deactivate();
            delay(100_000);
            assertThatThrownBy(() -> calls.call(() -> {})).isInstanceOf(ServiceUnavailableException.class);
            calls.activate();
            calls.call(() -> {});
        });
    }

    @Test
    void factoryFails_countsForTheReadyStrategies() {
        TestRuntime.run(() -> {
            var pool = Pool.of(() -> {
                        if (++made <= 2) throw new IllegalStateException("down");
                        return new Object();
                    })
                    .circuitBreaker(RecoveryStrategy.consecutiveFailures(2).recoverAfter(Duration.ofSeconds(1), 1))
                    .build();
            assertThatThrownBy(pool::acquire).hasMessage("down");
            assertThatThrownBy(pool::acquire).hasMessage("down");
            assertThatThrownBy(pool::acquire).isInstanceOf(ServiceUnavailableException.class);
            delay(1_000);
            pool.use(r -> 1);
            assertThat(pool.state()).isEqualTo(ACTIVE);
        });
    }

    @Test
    void badNumbers_areNamed() {
        assertThatThrownBy(() -> RecoveryStrategy.consecutiveFailures(0)).hasMessageContaining("got 0");
        assertThatThrownBy(() -> RecoveryStrategy.failureRate(0, 5)).hasMessageContaining("got 0.0");
        assertThatThrownBy(() -> RecoveryStrategy.failureRate(Double.NaN, 5)).hasMessageContaining("NaN");
        assertThatThrownBy(() -> RecoveryStrategy.failureRate(0.5, 0)).hasMessageContaining("got 0");
        RecoveryStrategy some = RecoveryStrategy.consecutiveFailures(1);
        assertThatThrownBy(() -> some.recoverAfter(Duration.ZERO, 0)).hasMessageContaining("got 0");
        assertThatThrownBy(() -> some.recoverAfter(Duration.ofMillis(-1), 1))
                .isInstanceOf(IllegalArgumentException.class);
    }

    // ---- telling, and waiting for it

    private static void failOnce(GuardedCalls calls) {
        assertThatThrownBy(() -> calls.call(() -> {
                    throw new IllegalStateException("out of order");
                }))
                .hasMessage("out of order");
    }

    @Test
    void openBreaker_saysWhenItWillBeTriedAgain() {
        TestRuntime.run(() -> {
            var calls = new GuardedCalls(
                    "service", RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ofMillis(50), 1));
            assertThat(calls).hasToString("guarded calls 'service', ACTIVE");
            assertThat(calls.retryIn()).isEqualTo(Duration.ZERO);
            failOnce(calls);
            delay(20);
            assertThat(calls).hasToString("guarded calls 'service', INACTIVE, tries again in 30 ms");
            assertThatThrownBy(() -> calls.call(() -> 1))
                    .isInstanceOfSatisfying(ServiceUnavailableException.class, e -> assertThat(e.retryIn())
                            .isEqualTo(Duration.ofMillis(30)))
                    .hasMessage("'service' is unavailable: its circuit breaker is INACTIVE, tries again in 30 ms; "
                            + "awaitAvailable() waits for that, activate() lets calls through at once");
            delay(30);
            assertThat(calls).hasToString("guarded calls 'service', INACTIVE, tries again with the next call");
            assertThat(calls.call(() -> 1)).isEqualTo(1);
            assertThat(calls.state()).isEqualTo(ACTIVE);
            calls.deactivate();
            assertThat(calls.retryIn()).isNull();
            assertThat(calls).hasToString("guarded calls 'service', INACTIVE until it is activated by hand");
            assertThatThrownBy(() -> calls.call(() -> 1))
                    .hasMessageContaining("until it is activated by hand; call activate()");
        });
    }

    @Test
    void deactivatedByHand_staysSoWhateverItHasBeenBefore() {
        TestRuntime.run(() -> {
            var calls = new GuardedCalls(
                    "service", RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ofMillis(50), 2));
            failOnce(calls);
            calls.activate();
            calls.deactivate();
            delay(100);
            assertThatThrownBy(() -> calls.call(() -> 1)).isInstanceOf(ServiceUnavailableException.class);
            calls.activate();
            failOnce(calls);
            delay(50);
            calls.call(() -> 1);
            assertThat(calls.state()).isEqualTo(RECOVERING);
            calls.deactivate();
            delay(100);
            assertThat(calls.retryIn()).isNull();
            assertThatThrownBy(() -> calls.call(() -> 1)).isInstanceOf(ServiceUnavailableException.class);
        });
    }

    @Test
    void openPool_saysWhenItWillBeTriedAgain() {
        TestRuntime.run(() -> {
            var pool = pool().circuitBreaker(
                            RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ofMillis(50), 1))
                    .build();
            good = false;
            pool.use(r -> 1);
            assertThat(pool.retryIn()).isEqualTo(Duration.ofMillis(50));
            assertThatThrownBy(pool::acquire)
                    .hasMessageContaining("Pool 'service'")
                    .hasMessageContaining("tries again in 50 ms");
        });
    }

    @Test
    void listeners_areToldOfEachChangeInOrderAndMayWait() {
        TestRuntime.run(() -> {
            var calls = new GuardedCalls(
                    "service", RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ofMillis(50), 1));
            calls.onStateChange(state -> log.add("a " + state));
            calls.onStateChange(state -> {
                delay(1);
                log.add("b " + state);
            });
            failOnce(calls);
            assertThat(log).as("not inside of the call").isEmpty();
            delay(60);
            calls.call(() -> 1);
            calls.activate();
            delay(5);
            assertThat(log)
                    .containsExactly(
                            "a INACTIVE", "b INACTIVE", "a RECOVERING", "a ACTIVE", "b RECOVERING", "b ACTIVE");
        });
    }

    @Test
    void listenersOfAPool_areTold() {
        TestRuntime.run(() -> {
            var pool = pool().build();
            pool.onStateChange(state -> log.add("told " + state));
            pool.deactivate();
            pool.recover();
            pool.recover();
            delay(1);
            assertThat(log).containsExactly("told INACTIVE", "told RECOVERING");
        });
    }

    @Test
    void listenerOutsideOfARuntime_isToldInTheCaller() {
        var calls = new GuardedCalls("service", RecoveryStrategy.consecutiveFailures(1));
        calls.onStateChange(state -> log.add("told " + state));
        calls.deactivate();
        calls.deactivate();
        assertThat(log).containsExactly("told INACTIVE");
        assertThatThrownBy(calls::awaitAvailable).isInstanceOf(AsyncException.class);
    }

    @Test
    void waitForABreaker_endsWhenACallerIsLetThrough() {
        TestRuntime.run(runtime -> {
            var calls = new GuardedCalls(
                    "service", RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ofMillis(50), 1));
            calls.awaitAvailable();
            failOnce(calls);
            calls.awaitAvailable();
            assertThat(runtime.reactor().nanoTime() / 1_000_000).isEqualTo(50);
            failOnce(calls);
            Coroutine<?> byHand = spawn(() -> {
                calls.awaitAvailable();
                log.add("by hand");
            });
            suspend();
            assertThat(byHand.awaitingInfo().toString())
                    .contains("circuit breaker of 'service', INACTIVE, tries again");
            delay(10);
            calls.activate();
            await(byHand);
            assertThat(runtime.reactor().nanoTime() / 1_000_000).isEqualTo(60);
            calls.deactivate();
            assertThatThrownBy(() -> calls.awaitAvailable(Async.timeout(500)))
                    .isInstanceOf(OperationCanceledException.class);
        });
    }

    @Test
    void waitWhileTheTrialIsTaken_lastsUntilItHasEnded() {
        TestRuntime.run(runtime -> {
            var calls = new GuardedCalls(
                    "service", RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ofMillis(50), 1));
            failOnce(calls);
            delay(50);
            Coroutine<?> trial = spawn(() -> calls.call(() -> delay(20)));
            suspend();
            assertThat(calls.state()).isEqualTo(RECOVERING);
            assertThatThrownBy(() -> calls.call(() -> 1)).hasMessageContaining("is RECOVERING, tries again in 50 ms");
            calls.awaitAvailable();
            assertThat(trial.isCompleted()).isTrue();
            assertThat(runtime.reactor().nanoTime() / 1_000_000).isEqualTo(70);
        });
    }

    @Test
    void poolThatIsClosed_endsTheWaitForItsBreaker() {
        TestRuntime.run(() -> {
            var pool = pool().build();
            pool.deactivate();
            Coroutine<?> waiting = spawn(() -> pool.awaitAvailable());
            suspend();
            pool.close();
            assertThatThrownBy(waiting::await).isInstanceOf(PoolException.class).hasMessageContaining("is closed");
        });
    }

    private static GuardedCalls guarded(int trials) {
        return new GuardedCalls(
                "service", RecoveryStrategy.consecutiveFailures(1).recoverAfter(Duration.ofMillis(50), trials));
    }

    @Test
    @Tag("P20")
    void recoveryBegunByHand_countsItsOwnTrialsOnly() {
        TestRuntime.run(() -> {
            GuardedCalls calls = guarded(2);
            calls.recover();
            calls.call(() -> 1);
            calls.deactivate();
            calls.recover();
            calls.call(() -> 2);
            assertThat(calls.state()).isEqualTo(RECOVERING);
            calls.call(() -> 3);
            assertThat(calls.state()).isEqualTo(ACTIVE);
        });
    }

    @Test
    @Tag("P20")
    void recoveryBegunByHandAfterTrialsThatHaveNotEnded_letsItsOwnThrough() {
        TestRuntime.run(() -> {
            GuardedCalls calls = guarded(1);
            calls.recover();
            Coroutine<?> lost = spawn(() -> calls.call(() -> delay(1_000)));
            suspend();
            calls.deactivate();
            calls.recover();
            assertThat(calls.call(() -> 1)).isEqualTo(1);
            assertThat(calls.state()).isEqualTo(ACTIVE);
            lost.cancel();
        });
    }

    @Test
    @Tag("P20")
    void trialOfARecoveryBegunByHandIsTaken_waitLastsUntilItHasEnded() {
        TestRuntime.run(runtime -> {
            GuardedCalls calls = guarded(1);
            calls.deactivate();
            calls.recover();
            assertThat(calls.retryIn()).isZero();
            spawn(() -> calls.call(() -> delay(20)));
            suspend();
            assertThat(calls.retryIn()).isEqualTo(Duration.ofMillis(50));
            calls.awaitAvailable();
            assertThat(calls.state()).isEqualTo(ACTIVE);
            assertThat(runtime.reactor().nanoTime() / 1_000_000).isEqualTo(20);
        });
    }

    @Test
    @Tag("P20")
    void callFromBeforeTheDeactivation_isNoTrial() {
        TestRuntime.run(() -> {
            GuardedCalls calls = guarded(1);
            Coroutine<?> early = spawn(() -> calls.call(() -> delay(20)));
            suspend();
            failOnce(calls);
            calls.recover();
            await(early);
            assertThat(calls.state()).isEqualTo(RECOVERING);
            calls.call(() -> 1);
            assertThat(calls.state()).isEqualTo(ACTIVE);
        });
    }
}
