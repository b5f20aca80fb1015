package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.Assertions.catchThrowableOfType;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Test;
import org.opentest4j.TestAbortedException;
import org.trueasync.Async;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.DeadlockError;
import org.trueasync.OperationCanceledException;

class SchedulesTest {
    /** Two requests; the code relies on the answers coming in the order of asking. */
    private static void reliesOnTheOrderOfAnswers() {
        var answers = new ArrayList<String>();
        var first = Async.spawn(() -> answers.add(Async.await(Outside.completes("first"))));
        var second = Async.spawn(() -> answers.add(Async.await(Outside.completes("second"))));
        Async.awaitAllOrFail(List.of(first, second));
        assertThat(answers).containsExactly("first", "second");
    }

    /** The balance is read, and written after a wait. */
    private static void losesAnUpdate() {
        int[] balance = {0};
        Body deposit = () -> {
            int read = balance[0];
            Async.suspend();
            balance[0] = read + 1;
        };
        Async.awaitAllOrFail(List.of(Async.spawn(deposit), Async.spawn(deposit)));
        assertThat(balance[0]).isEqualTo(2);
    }

    @Test
    void bugThatNeedsAnotherOrderOfCompletions_isFoundAndItsSeedRepeatsIt() {
        VirtualTime.run(SchedulesTest::reliesOnTheOrderOfAnswers);
        var failure = catchThrowableOfType(
                ScheduleFailure.class, () -> Schedules.explore(100, SchedulesTest::reliesOnTheOrderOfAnswers));
        assertThat(failure)
                .hasMessageContaining("of 100, seed " + failure.seed() + " (varies completions)")
                .hasMessageContaining("-Dorg.trueasync.testkit.seed=" + failure.seed())
                .hasCauseInstanceOf(AssertionError.class);
        for (int i = 0; i < 3; i++)
            assertThatThrownBy(() -> Schedules.replay(failure.seed(), SchedulesTest::reliesOnTheOrderOfAnswers))
                    .isInstanceOf(ScheduleFailure.class)
                    .hasMessageContaining("seed " + failure.seed());
    }

    @Test
    void failure_tellsWhatHappenedInWhichOrder() {
        assertThatThrownBy(() -> Schedules.explore(100, () -> {
                    var shown = new ArrayList<Integer>();
                    Completable<Integer> one = Outside.completes(1);
                    Completable<Integer> two = Outside.completes(2);
                    var first = Async.spawn("first", () -> shown.add(Async.await(one)));
                    var second = Async.spawn("second", () -> shown.add(Async.await(two)));
                    Async.awaitAllOrFail(List.of(first, second));
                    if (shown.getLast() != 2) throw new IllegalStateException("shows " + shown.getLast());
                }))
                .message()
                .containsPattern("What happened:\n +0.0000\\d+ s  #\\d+ +begins\n")
                .containsSubsequence(
                        "'first'",
                        "begins; spawned by #",
                        "outside",
                        "completes with 2",
                        "SchedulesTest.java:",
                        "'second'",
                        "waited for completion from outside; woken by the world outside",
                        "SchedulesTest.java:",
                        "'second'",
                        "ends",
                        "completes with 1",
                        "'first'",
                        "waited for Async.awaitAllOrFail",
                        "; woken by #",
                        "'first'",
                        "ends with java.lang.IllegalStateException: shows 1");
    }

    @Test
    void failureOfManySteps_tellsTheLastOnes() {
        var failure = catchThrowableOfType(
                ScheduleFailure.class,
                () -> Schedules.explore(1, () -> {
                    for (int i = 0; i < 100; i++) Async.delay(1);
                    throw new IllegalStateException("late");
                }));
        assertThat(failure.getMessage().lines())
                .hasSize(63)
                .element(2)
                .isEqualTo("What happened, the last 60 of 102 steps:");
        assertThat(failure.getMessage())
                .contains("waited for timer 1 ms; woken by a timer")
                .containsPattern("0.100000 s  #\\d+ +ends with java.lang.IllegalStateException: late");
    }

    @Test
    void cancellationInAFailure_isToldWhereItArrives() {
        assertThatThrownBy(() -> Schedules.explore(1, () -> {
                    var early = Async.spawn("early", () -> Async.delay(5));
                    Async.suspend();
                    var late = Async.spawn("late", () -> Async.delay(5));
                    early.cancel();
                    late.cancel();
                    Async.delay(1);
                    throw new IllegalStateException("late");
                }))
                .message()
                .containsPattern(
                        "'early' +waited for timer 5 ms; woken by #\\d+; its cancellation was asked for +SchedulesTest")
                .containsPattern("'early' +ends, cancelled +SchedulesTest.java")
                .containsPattern("'late' +is cancelled before it has begun");
    }

    @Test
    void bugThatTheUsualOrderHides_isFoundByVaryingTheReady() {
        Body handOver = () -> {
            var log = new StringBuilder();
            var a = Async.spawn(() -> log.append('a'));
            var b = Async.spawn(() -> log.append('b'));
            Async.awaitAllOrFail(List.of(a, b));
            assertThat(log).hasToString("ab");
        };
        Schedules.explore(1_000, handOver);
        var failure = catchThrowableOfType(
                ScheduleFailure.class,
                () -> Schedules.of(1_000).varying(Vary.READY).run(handOver));
        assertThat(failure).hasMessageContaining("varies ready");
    }

    @Test
    void bugInTheUsualOrder_isSaidToBeThere() {
        assertThatThrownBy(() -> Schedules.explore(10, SchedulesTest::losesAnUpdate))
                .isInstanceOf(ScheduleFailure.class)
                .hasMessageContaining("order 1 of 10, seed 0 (the usual order)");
    }

    @Test
    void sameSeed_givesTheSameRun() {
        for (Vary[] varied : new Vary[][] {{Vary.COMPLETIONS}, {Vary.READY}, Vary.values()}) {
            for (int number = 1; number < 25; number++) {
                long seed = Seed.numbered(number, Set.of(varied)).value();
                var traces = new HashSet<List<String>>();
                for (int i = 0; i < 3; i++) traces.add(traceOf(seed));
                assertThat(traces).as("seed " + seed).hasSize(1);
            }
        }
    }

    @Test
    void runThatIsRecorded_isTheSameRun() {
        for (int number = 1; number <= 50; number++) {
            long seed = Seed.numbered(number, Set.of(Vary.values())).value();
            var unrecorded = new ArrayList<String>();
            VirtualTime.settings().seed(seed).run(() -> busy(unrecorded));
            assertThat(traceOf(seed)).as("seed " + seed).isEqualTo(unrecorded);
        }
    }

    @Test
    void otherSeeds_giveOtherRuns() {
        var traces = new HashSet<List<String>>();
        for (int number = 1; number <= 200; number++)
            traces.add(traceOf(Seed.numbered(number, Set.of(Vary.values())).value()));
        assertThat(traces).hasSizeGreaterThan(190);
    }

    private static List<String> traceOf(long seed) {
        var trace = new ArrayList<String>();
        Schedules.replay(seed, () -> busy(trace));
        return trace;
    }

    private static void busy(List<String> trace) {
        for (int i = 0; i < 6; i++) {
            int number = i;
            Async.spawn(() -> {
                for (int k = 0; k < 5; k++) {
                    if (k % 2 == 0) Async.await(Outside.completes(k));
                    else Async.delay(number);
                    trace.add(number + " at " + VirtualTime.elapsed());
                }
            });
        }
    }

    @Test
    void timeoutBesideACompletion_eitherComesFirst() {
        var seen = new HashSet<String>();
        Schedules.explore(100, () -> {
            Completable<String> answer = Outside.completes("answer");
            try {
                seen.add(Async.await(answer, Async.timeout(1_000)));
            } catch (OperationCanceledException e) {
                assertThat(e).hasCauseInstanceOf(AsyncTimeoutException.class);
                seen.add("timeout");
            }
        });
        assertThat(seen).containsExactlyInAnyOrder("answer", "timeout");
    }

    @Test
    void timeoutWithTimeToSpare_neverFiresForStalls() {
        Schedules.explore(2_000, () -> {
            var work = Async.spawn(() -> {
                for (int i = 0; i < 20; i++) Async.delay(1);
                return "done";
            });
            for (int i = 0; i < 10; i++) Async.spawn(() -> Async.delay(3));
            assertThat(Async.await(work, Async.timeout(30))).isEqualTo("done");
        });
    }

    @Test
    void delays_endInTheOrderOfTheirDeadlinesAndNeverEarly() {
        Schedules.explore(2_000, () -> {
            var ended = new ArrayList<Integer>();
            for (int millis : new int[] {30, 10, 20, 50, 40}) {
                Duration deadline = VirtualTime.elapsed().plusMillis(millis);
                Async.spawn(() -> {
                    Async.delay(millis);
                    assertThat(VirtualTime.elapsed()).isGreaterThanOrEqualTo(deadline);
                    ended.add(millis);
                });
            }
            Async.delay(100);
            assertThat(ended).containsExactly(10, 20, 30, 40, 50);
        });
    }

    @Test
    void deadlockInOneOrder_isReportedWithWhoWaits() {
        assertThatThrownBy(() -> Schedules.explore(1_000, () -> {
                    Completable<Integer> first = Outside.completes(1);
                    Async.await(Outside.completes(2));
                    if (!first.isCompleted()) new NeverEvent().await();
                }))
                .isInstanceOf(ScheduleFailure.class)
                .hasCauseInstanceOf(DeadlockError.class)
                .hasMessageContaining("varies completions")
                .hasMessageContaining("awaits never");
    }

    @Test
    void bodyThatDependsOnMoreThanTheSeed_isToldSo() {
        int[] runs = {0};
        assertThatThrownBy(() -> Schedules.explore(100, () -> {
                    if (++runs[0] == 40) throw new IllegalStateException("now and then");
                }))
                .isInstanceOf(ScheduleFailure.class)
                .hasMessageContaining("order 40 of 100")
                .hasMessageContaining("did not fail again")
                .hasRootCauseMessage("now and then");
    }

    @Test
    void assumptionThatDoesNotHold_isNoFailure() {
        var aborted = new TestAbortedException("not here");
        assertThatThrownBy(() -> Schedules.explore(10, () -> {
                    throw aborted;
                }))
                .isSameAs(aborted);
    }

    @Test
    void orderThatDoesNotEnd_failsInRealTimeAndNamesItsSeed() {
        assertThatThrownBy(() -> Schedules.of(10)
                        .realTimeLimit(Duration.ofMillis(200))
                        .run(() -> {
                            while (true) Async.delay(1);
                        }))
                .isInstanceOf(AssertionError.class)
                .hasMessageContaining("did not end within")
                .hasMessageContaining("seed 0");
    }

    @Test
    void property_runsOneSeedAlone() {
        System.setProperty(Schedules.SEED_PROPERTY, "5");
        try {
            int[] runs = {0};
            Schedules.explore(1_000, () -> runs[0]++);
            assertThat(runs[0]).isEqualTo(1);
        } finally {
            System.clearProperty(Schedules.SEED_PROPERTY);
        }
    }

    @Test
    void badSettings_areRefusedWithTheValue() {
        assertThatThrownBy(() -> Schedules.of(0)).hasMessage("orders must be >= 1, got 0");
        assertThatThrownBy(() -> Schedules.of(1).varying()).isInstanceOf(IllegalArgumentException.class);
        assertThatThrownBy(() -> Schedules.of(1).from(0)).hasMessageContaining("got 0");
        assertThatThrownBy(() -> Schedules.of(1).realTimeLimit(Duration.ZERO)).hasMessageContaining("PT0S");
        assertThatThrownBy(() -> Schedules.replay(-1, () -> {})).hasMessage("seed must be >= 0, got -1");
    }
}
