package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.remaining;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** How long a limit leaves to the code that asks. */
class RemainingTest {
    private final List<@Nullable Duration> seen = new ArrayList<>();

    private static Duration ms(long millis) {
        return Duration.ofMillis(millis);
    }

    private void look() {
        seen.add(remaining());
    }

    @Test
    void withoutALimit_isNull() {
        assertThat(remaining()).as("outside a runtime").isNull();
        TestRuntime.run(() -> {
            assertThat(remaining()).isNull();
            Async.timeout(100);
            assertThat(remaining()).as("a token limits waits, not code").isNull();
        });
    }

    @Test
    void inASection_isWhatIsLeftOfItByTheClockOfTheRuntime() {
        TestRuntime.run(runtime -> {
            withTimeout(ms(50), () -> {
                look();
                delay(20);
                look();
                runtime.reactor().advance(10_000_000);
                look();
            });
            look();
        });
        assertThat(seen).containsExactly(ms(50), ms(30), ms(20), null);
    }

    @Test
    void inNestedSections_isTheSmallest() {
        TestRuntime.run(() -> {
            withTimeout(ms(100), () -> {
                withTimeout(ms(40), this::look);
                withTimeout(ms(400), this::look);
                assertThatThrownBy(() -> withTimeout(ms(30), () -> {
                            try {
                                delay(1_000);
                            } finally {
                                look();
                                delay(5);
                                protect(this::look);
                            }
                        }))
                        .isInstanceOf(AsyncTimeoutException.class);
                look();
            });
        });
        assertThat(seen)
                .as("in the clean-up: nothing is left, but what is protected has its time")
                .containsExactly(ms(40), ms(100), Duration.ZERO, null, ms(65));
    }

    @Test
    void whereALimitIsDeferred_itDoesNotCount() {
        TestRuntime.run(() -> assertThatThrownBy(() -> withTimeout(ms(50), () -> {
                    protect(() -> {
                        look();
                        withTimeout(ms(80), () -> {
                            look();
                            delay(60);
                        });
                        look();
                    });
                    look();
                    delay(1);
                }))
                .isInstanceOf(AsyncTimeoutException.class));
        assertThat(seen).as("over after the protection").containsExactly(null, ms(80), null, Duration.ZERO);
    }

    @Test
    void whatASectionSpawns_doesNotSeeItsLimitAndMayBeGivenIt() {
        TestRuntime.run(() -> {
            withTimeout(ms(50), () -> {
                Duration left = remaining();
                await(spawn(() -> {
                    look();
                    delay(10);
                    withTimeout(left, this::look);
                }));
                try (var scope = new Scope()) {
                    scope.launch(this::look);
                    scope.awaitCompletion();
                }
                var group = new TaskGroup<Object>();
                group.spawn(() -> {
                    look();
                    return 1;
                });
                group.all().await();
            });
        });
        assertThat(seen).containsExactly(null, ms(50), null, null);
    }

    @Test
    void timeOfAScope_countsForItsCoroutinesAndThoseBelow() {
        TestRuntime.run(() -> {
            var scope = new Scope();
            scope.spawn(() -> {
                delay(10);
                look();
                withTimeout(ms(15), this::look);
                withTimeout(ms(1_000), this::look);
                protect(this::look);
                try {
                    delay(1_000);
                } finally {
                    look();
                }
            });
            Scope.inherit(scope).spawn(() -> {
                delay(20);
                look();
            });
            new Scope().spawn(() -> {
                delay(25);
                look();
            });
            scope.disposeAfterTimeout(ms(50));
            look();
            scope.awaitCompletion();
        });
        assertThat(seen)
                .as("the caller's; 10 ms: four; 20 ms: below; 25 ms: another scope's; 50 ms: in the clean-up")
                .containsExactly(null, ms(40), ms(15), ms(40), null, ms(30), null, Duration.ZERO);
    }

    @Test
    void timeOfAScope_doesNotCountForWhatItDoesNotCancel() {
        TestRuntime.run(() -> {
            var scope = new Scope().letRunOn();
            scope.spawn(this::look);
            scope.disposeAfterTimeout(ms(50));
            delay(1);
            var handling = new Scope();
            handling.setExceptionHandler((failed, coroutine, error) -> look());
            handling.spawn(() -> {
                delay(1);
                throw new IllegalStateException("expected");
            });
            handling.disposeAfterTimeout(ms(50));
            handling.awaitCompletion();
        });
        assertThat(seen).containsExactly(null, null);
    }

    @Test
    void limitThatNoClockHolds_is73Years() {
        TestRuntime.run(() -> withTimeout(Duration.ofDays(365 * 1_000), () -> assertThat(remaining())
                .isBetween(Duration.ofDays(365 * 73), Duration.ofDays(365 * 74))));
    }
}
