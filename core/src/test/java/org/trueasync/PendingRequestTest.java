package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.gracefulShutdown;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.ValueSource;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.SwitchHandler;
import org.trueasync.spi.SwitchHandlers;

/** A request meets a coroutine that is about to do something else, or has been asked before. */
class PendingRequestTest {
    private final AsyncCancellation one = new AsyncCancellation("one");
    private final AsyncCancellation two = new AsyncCancellation("two");

    @Test
    void secondRequestThatPasses_theFirstOneIsTheOutcome() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {
                currentCoroutine().cancel(one);
                assertThatThrownBy(Async::suspend).isSameAs(one);
                currentCoroutine().cancel(two);
                suspend();
            });
            assertThatThrownBy(() -> await(c)).isSameAs(one);
            assertThat(c.isCancelled()).isTrue();
        });
    }

    @Test
    void errorThatHasWokenItBefore_takesTheRequestWithIt() {
        TestRuntime.run(() -> {
            var future = new FutureState<String>();
            var error = new IllegalStateException("lost");
            Coroutine<String> c = spawn(() -> {
                assertThatThrownBy(() -> await(future.future())).isSameAs(error);
                delay(1);
                return "went on";
            });
            suspend();
            future.error(error);
            c.cancel(one);
            assertThat(Async.<String>await(c)).isEqualTo("went on");
            assertThat(c.isCancellationRequested()).isTrue();
        });
    }

    @Test
    void errorThatHasWokenItBeforeAShutdown_goesFirstAndTheNextWaitThrows() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var future = new FutureState<String>();
            spawn(() -> {
                assertThatThrownBy(() -> await(future.future())).isInstanceOf(IllegalStateException.class);
                log.add("error");
                assertThatThrownBy(Async::suspend).isSameAs(one);
                log.add("shutdown");
                suspend();
                log.add("once");
            });
            suspend();
            future.error(new IllegalStateException("lost"));
            gracefulShutdown(one);
        });
        assertThat(log).containsExactly("error", "shutdown", "once");
    }

    @Test
    void handlerThatBeginsDuringAShutdown_hasBeenAskedAtItsFirstWait() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            spawn(() -> delay(1_000)).onFinally(ended -> {
                assertThatThrownBy(() -> delay(1)).isSameAs(one);
                log.add("requested " + currentCoroutine().isCancellationRequested());
                delay(1);
                log.add("thrown once");
            });
            suspend();
            gracefulShutdown(one);
        });
        assertThat(log).containsExactly("requested true", "thrown once");
    }

    @Test
    void cancelledBeforeItRan_endsWithTheReason() {
        TestRuntime.run(() -> {
            Coroutine<?> c = spawn(() -> {});
            c.cancel(one);
            assertThatThrownBy(() -> await(c)).isSameAs(one);
        });
    }

    @ParameterizedTest
    @ValueSource(booleans = {false, true})
    void shutdownMeetsACoroutineWhoseSwitchHandlerIsHeldInJdkCode_interruptsThat(boolean cancelledBefore) {
        var log = new ArrayList<String>();
        var run = new TestRuntime();
        run.start(() -> {
            Coroutine<?> held = spawn(() -> {
                SwitchHandlers.add(currentCoroutine(), new Held(log));
                delay(1_000);
            });
            suspend();
            if (cancelledBefore) held.cancel(one);
            suspend();
            assertThat(log)
                    .as("what its handler waits for is not the coroutine's affair")
                    .isEmpty();
            gracefulShutdown(two);
        });
        assertThat(log).containsExactly("interrupted");
        assertThat(run.reactor().now()).as("at once").isZero();
        assertThat(run.reports()).isEmpty();
    }

    /** Waits in JDK code at the first LEAVE. */
    private record Held(ArrayList<String> log) implements SwitchHandler {
        @Override
        public boolean onSwitch(Coroutine<?> coroutine, boolean entering, boolean finishing) {
            try {
                new CountDownLatch(1).await();
            } catch (InterruptedException e) {
                log.add("interrupted");
            }
            return false;
        }
    }

    // ---- the limit of a section

    @Test
    void limitThatIsThrownWhereAWaitBegins_isThrownOnce() {
        TestRuntime.run(() -> {
            String value = withTimeout(Duration.ofMillis(50), () -> {
                protect(() -> delay(80));
                assertThatThrownBy(Async::suspend).isInstanceOf(AsyncCancellation.class);
                suspend();
                delay(10);
                return "instead";
            });
            assertThat(value).isEqualTo("instead");
        });
    }

    @Test
    void limitThatIsOverBeforeAProtectedSectionInIt_isThrownInItsPlaceAndOnce() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            String value = withTimeout(Duration.ofMillis(50), () -> {
                protect(() -> delay(80));
                assertThatThrownBy(() -> protect(() -> log.add("not begun"))).isInstanceOf(AsyncCancellation.class);
                protect(() -> log.add("begun"));
                return "instead";
            });
            assertThat(value).isEqualTo("instead");
        });
        assertThat(log).containsExactly("begun");
    }

    @Test
    void limitAndARequestOfTheCoroutine_bothAreThrown() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var gate = new CompletableFuture<Boolean>();
            Coroutine<?> c = spawn(() -> {
                try {
                    withTimeout(Duration.ofMillis(50), () -> {
                        protect(() -> await(gate));
                        for (int i = 0; i < 3; i++) {
                            try {
                                suspend();
                                log.add("passed");
                            } catch (AsyncCancellation e) {
                                log.add(e == one ? "request" : "limit");
                            }
                        }
                    });
                } finally {
                    log.add("over");
                }
            });
            suspend();
            delay(60);
            c.cancel(one);
            gate.complete(true);
            await(c);
            assertThat(c.isCancellationRequested()).isTrue();
            assertThat(c.isCancelled()).isFalse();
        });
        assertThat(log).containsExactly("request", "limit", "passed", "over");
    }
}
