package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** What a section with a limit ends with when more than one thing has happened in it. */
class SectionOutcomeTest {
    private static final Duration LIMIT = Duration.ofMillis(50);

    @Test
    void cancellationOfItsOwnInPlaceOfTheLimits_isTheTimeout() {
        TestRuntime.run(() -> assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                    try {
                        delay(1_000);
                    } catch (AsyncCancellation e) {
                        throw new OperationCanceledException("in other words", e);
                    }
                }))
                .isInstanceOfSatisfying(AsyncTimeoutException.class, e -> {
                    assertThat(e).hasCauseInstanceOf(OperationCanceledException.class);
                    assertThat(e.getSuppressed())
                            .as("the limit is to be seen in any case")
                            .singleElement()
                            .asString()
                            .contains("50 ms");
                }));
    }

    @Test
    void cancellationOfItsOwnBeforeItWasTold_isItsOwn() {
        TestRuntime.run(() -> {
            var own = new OperationCanceledException("its own", null);
            assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                        protect(() -> delay(80));
                        throw own;
                    }))
                    .isSameAs(own);
        });
    }

    @Test
    void failureOfAProtectedSectionInASectionThatIsProtectedItself_isAttachedToTheLimit() {
        TestRuntime.run(() -> {
            var broken = new IllegalStateException("broken");
            assertThatThrownBy(() -> protect(() -> withTimeout(
                            LIMIT,
                            () -> protect(() -> {
                                delay(80);
                                throw broken;
                            }))))
                    .isInstanceOfSatisfying(
                            AsyncTimeoutException.class,
                            e -> assertThat(e.getCause().getSuppressed()).containsExactly(broken));
        });
    }

    @Test
    void limitThatAWaitOfTheJdksPutsOffInAProtectedSection_isThrownAtTheNextWait() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> {
            var latch = new CountDownLatch(1);
            Coroutine<?> c = spawn(() -> protect(() -> {
                assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                            boolean interrupted = false;
                            while (latch.getCount() > 0) {
                                try {
                                    latch.await();
                                } catch (InterruptedException e) {
                                    interrupted = true;
                                }
                            }
                            log.add("interrupted " + interrupted);
                            Thread.currentThread().interrupt();
                            protect(Async::suspend);
                            log.add("not reached");
                        }))
                        .isInstanceOf(AsyncTimeoutException.class);
                suspend();
            }));
            delay(80);
            latch.countDown();
            await(c);
        });
        assertThat(log).containsExactly("interrupted true");
    }

    @Test
    void limitOfZero_theSectionIsNotBegun() {
        var log = new ArrayList<String>();
        TestRuntime.run(() -> assertThatThrownBy(() -> withTimeout(Duration.ZERO, () -> log.add("begun")))
                .isInstanceOf(AsyncTimeoutException.class)
                .hasToString(
                        AsyncTimeoutException.class.getName() + ": the section was not begun, as its limit is 0 ms"));
        assertThat(log).isEmpty();
    }
}
