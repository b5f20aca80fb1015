package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.awaitAll;
import static org.trueasync.Async.awaitAllOrFail;
import static org.trueasync.Async.awaitAnyOf;
import static org.trueasync.Async.awaitAnyOfOrFail;
import static org.trueasync.Async.currentCoroutine;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.lazily;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.timeout;
import static org.trueasync.AwaitOption.FILL_NULL;
import static org.trueasync.AwaitOption.ORDER_OF_ENDING;
import static org.trueasync.AwaitOption.PARTIAL;

import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** A wait for several that was given up gives what it had, if that is asked for. */
class AwaitPartialTest {
    private static Coroutine<Integer> after(int millis) {
        return spawn(() -> {
            delay(millis);
            if (millis == 20) throw new IllegalStateException("twenty");
            return millis;
        });
    }

    private static List<Coroutine<Integer>> members() {
        return List.of(after(90), after(30), after(20), after(10));
    }

    @Test
    void tokenThatEndsFirst_givesTheOutcomesSoFar() {
        TestRuntime.run(() -> {
            Outcomes<Integer, Integer> some = awaitAll(members(), timeout(50), PARTIAL);
            assertThat(some.results()).isEqualTo(Map.of(1, 30, 3, 10));
            assertThat(some.errors()).containsOnlyKeys(2);
            assertThat(awaitAll(members(), timeout(50), PARTIAL, FILL_NULL, ORDER_OF_ENDING)
                            .results())
                    .containsExactly(Map.entry(3, 10), entryOfNull(2), Map.entry(1, 30));
            assertThat(awaitAll(Map.of("late", after(90), "soon", after(10)), timeout(50), PARTIAL)
                            .results())
                    .isEqualTo(Map.of("soon", 10));
            assertThat(awaitAllOrFail(List.of(after(90), after(10)), timeout(50), PARTIAL))
                    .containsExactly(10);
            assertThat(awaitAnyOf(3, members(), timeout(50), PARTIAL).results()).hasSize(2);
            assertThat(awaitAnyOfOrFail(2, List.of(after(90), after(10)), timeout(50), PARTIAL))
                    .containsExactly(10);
        });
    }

    private static Map.Entry<Integer, Integer> entryOfNull(int key) {
        return new java.util.AbstractMap.SimpleEntry<>(key, null);
    }

    @Test
    void waitThatEndsInTime_isAsWithoutTheOption() {
        TestRuntime.run(() -> {
            assertThat(awaitAll(members(), timeout(500), PARTIAL).results()).hasSize(3);
            assertThatThrownBy(() -> awaitAllOrFail(members(), timeout(500), PARTIAL))
                    .hasMessage("twenty");
            assertThat(awaitAll(members(), PARTIAL).results()).hasSize(3);
            assertThatThrownBy(() -> awaitAll(List.of(after(90)), timeout(50)))
                    .isInstanceOf(OperationCanceledException.class);
        });
    }

    @Test
    void lazySource_givesWhatItsMembersHadByThen() {
        TestRuntime.run(() -> {
            var pulled = new ArrayList<Integer>();
            Stream<Coroutine<Integer>> source = Stream.iterate(1, i -> i + 1).map(i -> {
                delay(10);
                pulled.add(i);
                return after(25);
            });
            assertThat(awaitAll(lazily(source::iterator), timeout(64), PARTIAL).results())
                    .isEqualTo(Map.of(0, 25, 1, 25, 2, 25));
            delay(100);
            assertThat(pulled).as("no further member is pulled").hasSize(6);
        });
    }

    @Test
    void spentToken_givesWhatHadEndedBefore() {
        TestRuntime.run(() -> {
            Completable<?> spent = Future.completed("spent");
            var done = after(1);
            delay(5);
            assertThat(awaitAll(List.of(done, after(50)), spent, PARTIAL).results())
                    .isEqualTo(Map.of(0, 1));
            assertThat(awaitAll(lazily(Stream.of(done)::iterator), spent, PARTIAL)
                            .results())
                    .isEmpty();
        });
    }

    /** It is the waiter that was told to end, not the wait. */
    @Test
    void cancellationOfTheWaiter_isThrownNevertheless() {
        TestRuntime.run(() -> {
            var waiter = spawn(() -> awaitAll(List.of(after(90)), timeout(5_000), PARTIAL));
            delay(15);
            waiter.cancel();
            assertThatThrownBy(waiter::await).isInstanceOf(AsyncCancellation.class);
        });
    }

    /** As the losers of any wait for several: its later failure is told, and ends nothing. */
    @Test
    void memberThatIsLeft_goesOnAndItsErrorIsToldOnly() {
        var runtime = TestRuntime.run(() -> {
            var left = spawn(() -> {
                delay(100);
                var error = new IllegalStateException("later", new IllegalStateException("its cause"));
                error.addSuppressed(new IllegalStateException("beside it"));
                throw error;
            });
            assertThat(awaitAll(List.of(left), timeout(10), PARTIAL)).isEqualTo(new Outcomes<>(Map.of(), Map.of()));
            assertThat(left.isCompleted()).isFalse();
            delay(2_000);
        });
        assertThat(runtime.reports())
                .singleElement()
                .asString()
                .startsWith("Failed when the wait for it had ended, ")
                .contains("later", "its cause", "beside it");
    }

    @Test
    void tokenThatFailed_isNotThrown() {
        TestRuntime.run(() -> {
            var fails = spawn(() -> {
                delay(10);
                throw new IllegalStateException("the token's");
            });
            assertThat(awaitAll(List.of(after(5), after(90)), fails, PARTIAL).results())
                    .isEqualTo(Map.of(0, 5));
            assertThat(currentCoroutine().isCancellationRequested()).isFalse();
        });
    }
}
