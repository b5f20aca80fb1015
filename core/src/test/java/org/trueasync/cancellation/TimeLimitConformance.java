package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.protect;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.concurrent.CountDownLatch;
import java.util.stream.Stream;
import org.junit.jupiter.api.DynamicTest;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.TestFactory;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Coroutine;
import org.trueasync.testkit.TestRun;

/**
 * Whatever the section of a {@code withTimeout} waits for, and wherever that stands: it ends at its limit, and the
 * coroutine goes on, in waits of every kind.
 */
public abstract class TimeLimitConformance {
    private static final Duration LIMIT = Duration.ofMillis(20);
    private static final Duration LONG = Duration.ofHours(1);

    /** A place for a wait that is to end at a limit. */
    private interface Way {
        void run(Waits.Wait wait, List<String> log) throws Throwable;
    }

    private static void assertEnds(Waits.Wait wait) {
        assertThatThrownBy(() -> withTimeout(LIMIT, wait::begin)).isInstanceOf(AsyncTimeoutException.class);
    }

    private static void alone(Waits.Wait wait, List<String> log) {
        assertEnds(wait);
    }

    private static void inProtect(Waits.Wait wait, List<String> log) throws Throwable {
        protect(() -> {
            assertEnds(wait);
            delay(1);
        });
    }

    private static void afterProtect(Waits.Wait wait, List<String> log) {
        assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                    protect(() -> delay(40));
                    log.add("section kept");
                    wait.begin();
                }))
                .isInstanceOf(AsyncTimeoutException.class);
        assertThat(log).containsExactly("section kept");
    }

    private static void inALongerOne(Waits.Wait wait, List<String> log) throws Throwable {
        withTimeout(LONG, () -> {
            assertEnds(wait);
            delay(1);
        });
    }

    private static void aroundALongerOne(Waits.Wait wait, List<String> log) {
        assertThatThrownBy(() -> withTimeout(LIMIT, () -> withTimeout(LONG, wait::begin)))
                .isInstanceOfSatisfying(
                        AsyncTimeoutException.class, e -> assertThat(e.after()).isEqualTo(LIMIT));
    }

    private static void withACleanUpThatWaits(Waits.Wait wait, List<String> log) {
        assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                    try {
                        wait.begin();
                    } finally {
                        delay(2);
                        Thread.interrupted(); // socket I/O that was interrupted leaves the status set, to whomever it
                        // was
                        Thread.sleep(2);
                        log.add("cleaned up");
                    }
                }))
                .isInstanceOf(AsyncTimeoutException.class);
        assertThat(log).containsExactly("cleaned up");
    }

    private static void statusSetAgain(Waits.Wait wait, List<String> log) {
        assertThatThrownBy(() -> withTimeout(LIMIT, () -> {
                    try {
                        wait.begin();
                    } catch (Exception e) {
                        Thread.currentThread().interrupt();
                        throw new IllegalStateException("given up", e);
                    }
                }))
                .isInstanceOf(AsyncTimeoutException.class);
    }

    /** Nothing of the limit is left for any of the waits that follow. */
    private static void assertUndisturbed(List<String> log) throws Exception {
        assertThat(currentCoroutine().isCancellationRequested()).isFalse();
        assertThat(Thread.currentThread().isInterrupted()).isFalse();
        Thread.sleep(1);
        delay(1);
        protect(() -> Thread.sleep(1));
        var latch = new CountDownLatch(1);
        spawn(latch::countDown);
        latch.await();
        log.add("undisturbed");
    }

    @TestFactory
    @Tag("D13")
    @Tag("deep")
    Stream<DynamicTest> eachWait_endsAtTheLimitOfItsSectionAndNothingElseDoes() {
        Map<String, Way> ways = new LinkedHashMap<>();
        ways.put("alone", TimeLimitConformance::alone);
        ways.put("in protect", TimeLimitConformance::inProtect);
        ways.put("after protect", TimeLimitConformance::afterProtect);
        ways.put("in a longer one", TimeLimitConformance::inALongerOne);
        ways.put("around a longer one", TimeLimitConformance::aroundALongerOne);
        ways.put("with a clean-up that waits", TimeLimitConformance::withACleanUpThatWaits);
        ways.put("interrupt status set again", TimeLimitConformance::statusSetAgain);
        return Waits.all().entrySet().stream().flatMap(kind -> ways.entrySet().stream()
                .map(way -> DynamicTest.dynamicTest(
                        kind.getKey() + ", " + way.getKey(), () -> cell(kind.getValue(), way.getValue()))));
    }

    private static void cell(Waits.Kind kind, Way way) {
        var log = new ArrayList<String>();
        new TestRun(PendingCancellationConformance::reactor).run(() -> {
            Coroutine<?> worker;
            try (var wait = kind.make()) {
                worker = spawn(() -> {
                    way.run(wait, log);
                    assertUndisturbed(log);
                });
                worker.await();
            }
            assertThat(worker.isCancelled()).isFalse();
        });
        assertThat(log).last().isEqualTo("undisturbed");
    }

    @TestFactory
    @Tag("D14")
    @Tag("deep")
    Stream<DynamicTest> cancellation_endsWhatALimitHasNotEnded() {
        return Waits.all().entrySet().stream()
                .map(kind -> DynamicTest.dynamicTest(kind.getKey(), () -> cancelled(kind.getValue())));
    }

    private static void cancelled(Waits.Kind kind) {
        var reason = new AsyncCancellation("given reason");
        new TestRun(PendingCancellationConformance::reactor).run(() -> {
            try (var first = kind.make();
                    var second = kind.make()) {
                boolean[] cleansUp = {false};
                Coroutine<?> worker = spawn(() -> withTimeout(LIMIT, () -> {
                    try {
                        first.begin();
                    } finally {
                        cleansUp[0] = true;
                        Thread.interrupted(); // as above
                        second.begin();
                    }
                }));
                Waits.until(worker, () -> cleansUp[0]);
                worker.cancel(reason);
                assertThatThrownBy(worker::await).isSameAs(reason);
                assertThat(worker.isCancelled()).isTrue();
            }
        });
    }
}
