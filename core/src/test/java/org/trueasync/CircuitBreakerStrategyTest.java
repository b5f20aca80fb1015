package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.CircuitBreakerState.ACTIVE;
import static org.trueasync.CircuitBreakerState.INACTIVE;
import static org.trueasync.CircuitBreakerState.RECOVERING;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** What a strategy of the user's is asked, what it may do while it is asked, and what people read of its answers. */
class CircuitBreakerStrategyTest {
    private final List<String> log = new ArrayList<>();

    /** Answers as the test says. */
    private static class Scripted implements CircuitBreakerStrategy {
        boolean recovers = true;
        boolean admits = true;

        @Nullable
        Duration left = Duration.ZERO;

        @Override
        public void reportSuccess(CircuitBreaker source) {}

        @Override
        public void reportFailure(CircuitBreaker source, Throwable error) {}

        @Override
        public boolean shouldRecover() {
            return recovers;
        }

        @Override
        public boolean admitsTrial(CircuitBreaker source) {
            return admits;
        }

        @Override
        public @Nullable Duration retryIn(CircuitBreaker source) {
            return left;
        }
    }

    // ---- what it does while it is asked

    @Test
    @Tag("P21")
    void activatesItWhenAsked_callIsNoTrial() {
        var guarded = new GuardedCalls[1];
        var strategy = new Scripted() {
            @Override
            public boolean shouldRecover() {
                guarded[0].activate();
                return true;
            }
        };
        strategy.admits = false;
        guarded[0] = new GuardedCalls("x", strategy);
        guarded[0].onStateChange(state -> log.add("" + state));
        guarded[0].deactivate();
        assertThat(guarded[0].call(() -> "through")).isEqualTo("through");
        assertThat(log).containsExactly("INACTIVE", "ACTIVE");
    }

    @Test
    @Tag("P21")
    void deactivatesItInsteadOfATrial_callIsRefused() {
        var strategy = new Scripted() {
            @Override
            public boolean admitsTrial(CircuitBreaker source) {
                source.deactivate();
                return true;
            }
        };
        var calls = new GuardedCalls("x", strategy);
        calls.recover();
        assertThatThrownBy(() -> calls.call(() -> log.add("not reached")))
                .isInstanceOf(ServiceUnavailableException.class);
        assertThat(calls.state()).isEqualTo(INACTIVE);
        assertThat(log).isEmpty();
    }

    @Test
    @Tag("P10")
    @Tag("P14")
    void closesThePoolWhenAsked_nothingIsMade() {
        for (boolean tries : new boolean[] {true, false}) {
            TestRuntime.run(() -> {
                var pools = new ArrayList<Pool<Object>>();
                var pool = Pool.of(() -> {
                            log.add("made");
                            return new Object();
                        })
                        .circuitBreaker(new Scripted() {
                            @Override
                            public boolean admitsTrial(CircuitBreaker source) {
                                pools.getFirst().close();
                                return true;
                            }
                        })
                        .build();
                pools.add(pool);
                pool.recover();
                if (tries) assertThat(pool.tryAcquire()).isNull();
                else assertThatThrownBy(pool::acquire).isInstanceOf(PoolException.class);
                assertThat(pool.count()).isZero();
            });
        }
        assertThat(log).isEmpty();
    }

    @Test
    @Tag("P10")
    void takesTheLastPlaceWhenAsked_tryAcquireFindsNone() {
        TestRuntime.run(() -> {
            var pools = new ArrayList<Pool<Object>>();
            var taken = new ArrayList<Object>();
            var pool = Pool.of(Object::new)
                    .max(1)
                    .circuitBreaker(new Scripted() {
                        @Override
                        public boolean admitsTrial(CircuitBreaker source) {
                            source.activate();
                            taken.add(pools.getFirst().acquire());
                            return true;
                        }
                    })
                    .build();
            pools.add(pool);
            pool.recover();
            assertThat(pool.tryAcquire()).isNull();
            assertThat(taken).hasSize(1);
            assertThat(pool.count()).isEqualTo(1);
            pool.release(taken.getFirst());
            assertThat(pool.acquire()).isSameAs(taken.getFirst());
        });
    }

    @Test
    @Tag("P22")
    void factoryAndStrategyFail_callerGetsTheFactorysErrorWithTheOther() {
        TestRuntime.run(() -> {
            var down = new IllegalStateException("down");
            var other = new IllegalStateException("strategy");
            Pool<Object> pool = Pool.of(() -> {
                        throw down;
                    })
                    .circuitBreaker(new Scripted() {
                        @Override
                        public void reportUnreachable(CircuitBreaker source, Throwable error) {
                            assertThat(error).isSameAs(down);
                            throw other;
                        }
                    })
                    .build();
            assertThatThrownBy(pool::acquire).isSameAs(down).hasSuppressedException(other);
            assertThat(pool.count()).isZero();
        });
    }

    @Test
    @Tag("P20")
    void source_isWhatTheUserHas() {
        TestRuntime.run(() -> {
            var sources = new ArrayList<CircuitBreaker>();
            var strategy = new Scripted() {
                @Override
                public void reportSuccess(CircuitBreaker source) {
                    sources.add(source);
                }

                @Override
                public void stateChanged(CircuitBreaker source) {
                    sources.add(source);
                }
            };
            var pool = Pool.of(Object::new).circuitBreaker(strategy).build();
            pool.use(r -> 1);
            pool.deactivate();
            assertThat(sources).hasSize(2).allSatisfy(source -> assertThat(source)
                    .isSameAs(pool));
        });
    }

    // ---- when it will be tried again

    @Test
    void withoutAStrategy_onlyTheUserChangesIt() {
        TestRuntime.run(() -> {
            var pool = Pool.of(Object::new).name("plain").build();
            assertThat(pool.retryIn()).isEqualTo(Duration.ZERO);
            pool.deactivate();
            assertThat(pool.retryIn()).isNull();
            assertThatThrownBy(pool::acquire)
                    .hasMessageEndingWith("is unavailable: its circuit breaker is INACTIVE until it is activated by"
                            + " hand; call activate() to let calls through");
            Coroutine<?> waiting = spawn(() -> {
                pool.awaitAvailable();
                log.add("available");
            });
            suspend();
            assertThat(log).isEmpty();
            pool.recover();
            assertThat(pool.retryIn()).isEqualTo(Duration.ZERO);
            Async.await(waiting);
            assertThat(log).containsExactly("available");
        });
    }

    @Test
    void whatIsAhead_isShownInMillisecondsRoundedUp() {
        var strategy = new Scripted();
        var calls = new GuardedCalls("x", strategy);
        strategy.left = Duration.ofNanos(1);
        assertThat(calls).as("active").hasToString("guarded calls 'x', ACTIVE");
        calls.deactivate();
        assertThat(calls).hasToString("guarded calls 'x', INACTIVE, tries again in 1 ms");
        strategy.left = Duration.ofMillis(1);
        assertThat(calls).hasToString("guarded calls 'x', INACTIVE, tries again in 1 ms");
        strategy.left = Duration.ofNanos(1_000_001);
        assertThat(calls).hasToString("guarded calls 'x', INACTIVE, tries again in 2 ms");
        strategy.left = Duration.ofSeconds(999_999);
        assertThat(calls).hasToString("guarded calls 'x', INACTIVE, tries again in 999999000 ms");
        strategy.left = Duration.ofSeconds(1_000_000);
        assertThat(calls).hasToString("guarded calls 'x', INACTIVE, tries again in PT277H46M40S");
        strategy.left = Duration.ZERO;
        assertThat(calls).hasToString("guarded calls 'x', INACTIVE, tries again with the next call");
        strategy.left = null;
        assertThat(calls).hasToString("guarded calls 'x', INACTIVE until it is activated by hand");
    }

    @Test
    void recovering_saysNothingOfATrialThatIsFreeOrNotExpected() {
        var strategy = new Scripted();
        strategy.admits = false;
        var calls = new GuardedCalls("x", strategy);
        calls.recover();
        assertThat(calls).hasToString("guarded calls 'x', RECOVERING");
        strategy.left = null;
        assertThat(calls).hasToString("guarded calls 'x', RECOVERING");
        assertThatThrownBy(() -> calls.call(() -> 1))
                .isInstanceOfSatisfying(ServiceUnavailableException.class, e -> assertThat(e.retryIn())
                        .isNull())
                .hasMessage("'x' is unavailable: its circuit breaker is RECOVERING; awaitAvailable() waits for that, "
                        + "activate() lets calls through at once");
    }

    // ---- waiting

    @Test
    @Tag("A8")
    void spentToken_refusesAWaitThatNeedNotHaveBegun() {
        TestRuntime.run(() -> {
            var calls = new GuardedCalls("x", new Scripted());
            assertThat(calls.state()).isEqualTo(ACTIVE);
            assertThatThrownBy(() -> calls.awaitAvailable(Future.completed(null)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasMessageContaining("before it began");
        });
    }

    @Test
    void tokenOfAWaitThatNeedNotHaveBegun_countsAsUsed() {
        TestRuntime run = TestRuntime.run(() -> {
            var token = new FutureState<Integer>();
            new GuardedCalls("x", new Scripted()).awaitAvailable(token.future());
            token.error(new IllegalStateException("token"));
        });
        assertThat(run.reports()).isEmpty();
    }

    @Test
    void trialThatComesFreeInTime_endsTheWait() {
        TestRuntime.run(runtime -> {
            var strategy = new Scripted();
            strategy.left = Duration.ofMillis(30);
            var calls = new GuardedCalls("x", strategy);
            calls.recover();
            spawn(() -> {
                Async.delay(10);
                strategy.left = Duration.ZERO;
            });
            calls.awaitAvailable();
            assertThat(runtime.reactor().nanoTime() / 1_000_000).isEqualTo(30);
            assertThat(calls.state()).isEqualTo(RECOVERING);
        });
    }
}
