package org.trueasync.testkit.junit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.junit.platform.engine.discovery.DiscoverySelectors.selectClass;

import java.time.Duration;
import java.util.HashSet;
import java.util.List;
import java.util.Set;
import org.junit.jupiter.api.Assumptions;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.api.TestInfo;
import org.junit.jupiter.api.extension.ExtendWith;
import org.junit.platform.launcher.core.LauncherDiscoveryRequestBuilder;
import org.junit.platform.launcher.core.LauncherFactory;
import org.junit.platform.launcher.listeners.SummaryGeneratingListener;
import org.junit.platform.launcher.listeners.TestExecutionSummary;
import org.trueasync.Async;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.ScheduleFailure;
import org.trueasync.testkit.Schedules;
import org.trueasync.testkit.Vary;
import org.trueasync.testkit.VirtualTime;

class AnnotationsTest {
    private static TestExecutionSummary run(Class<?> tests) {
        var summary = new SummaryGeneratingListener();
        LauncherFactory.create()
                .execute(
                        LauncherDiscoveryRequestBuilder.request()
                                .selectors(selectClass(tests))
                                .build(),
                        summary);
        return summary.getSummary();
    }

    @VirtualTimeTest
    void methodOfVirtualTime_isTheMainCoroutine() {
        Async.delay(Duration.ofHours(3));
        assertThat(VirtualTime.elapsed()).isEqualTo(Duration.ofHours(3));
    }

    @ExploreSchedules(orders = 50)
    void exploredMethod_runsInACoroutine(TestInfo info) {
        Async.delay(1);
        assertThat(info.getDisplayName()).startsWith("exploredMethod");
    }

    @Test
    void tests_runInsideARuntimeAndSaySoWhenTheyFail() {
        Samples.orders.clear();
        TestExecutionSummary summary = run(Samples.class);
        assertThat(summary.getTestsFoundCount()).isEqualTo(5);
        assertThat(summary.getTestsSucceededCount()).isEqualTo(2);
        assertThat(summary.getTestsAbortedCount()).isEqualTo(1);
        assertThat(summary.getFailures()).hasSize(2);
        assertThat(summary.getFailures())
                .anySatisfy(failure -> {
                    assertThat(failure.getTestIdentifier().getDisplayName()).startsWith("breaks");
                    assertThat(failure.getException()).isExactlyInstanceOf(java.io.IOException.class);
                })
                .anySatisfy(failure -> {
                    assertThat(failure.getTestIdentifier().getDisplayName()).startsWith("reliesOnTheOrder");
                    assertThat(failure.getException())
                            .isInstanceOf(ScheduleFailure.class)
                            .hasMessageContaining(Schedules.SEED_PROPERTY);
                });
        assertThat(Samples.orders).hasSize(2);
    }

    @Test
    void extensionOnAClass_makesAllItsTestsVirtual() {
        TestExecutionSummary summary = run(WholeClass.class);
        assertThat(summary.getFailures()).isEmpty();
        assertThat(summary.getTestsSucceededCount()).isEqualTo(1);
    }

    /** Run by the tests above only. */
    static class Samples {
        static final Set<List<Integer>> orders = new HashSet<>();

        @VirtualTimeTest
        void waitsForAYear() {
            Async.delay(Duration.ofDays(365));
        }

        @VirtualTimeTest
        void breaks() throws Exception {
            Async.delay(1);
            throw new java.io.IOException("checked");
        }

        @ExploreSchedules(orders = 100, varying = Vary.READY)
        void seesBothOrders() {
            var order = new java.util.ArrayList<Integer>();
            Async.awaitAllOrFail(List.of(Async.spawn(() -> order.add(1)), Async.spawn(() -> order.add(2))));
            orders.add(order);
        }

        @ExploreSchedules(orders = 100)
        void reliesOnTheOrder() {
            var first = Async.spawn(() -> Async.await(Outside.completes(1)));
            Async.await(Outside.completes(2));
            assertThat(first.isCompleted()).isTrue();
        }

        @ExploreSchedules
        void isNotForHere() {
            Assumptions.abort("not here");
        }
    }

    /** Run by the tests above only. */
    @ExtendWith(VirtualTimeExtension.class)
    static class WholeClass {
        @Test
        void waits() {
            Async.delay(Duration.ofDays(1));
            assertThat(VirtualTime.elapsed()).isEqualTo(Duration.ofDays(1));
        }
    }
}
