package org.trueasync.cancellation;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.Objects;
import java.util.stream.Stream;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.Async;
import org.trueasync.internal.testkit.PublicTypes;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.internal.testkit.WaitCase.SetUp;
import org.trueasync.internal.testkit.WaitEndings;
import org.trueasync.internal.testkit.WaitTable;
import org.trueasync.internal.testkit.WaitingMethods;

/** Every wait of every public operation, ended in every way. In virtual time. */
class EveryWaitTest {
    private static final Map<String, SetUp> TABLE = new LinkedHashMap<>();

    static {
        for (WaitTable part : List.of(new FutureWaits(), new QueueWaits(), new ScopeWaits(), new ThreadWaits()))
            TABLE.putAll(part.rows());
    }

    private static SetUp setUp(String method) {
        return Objects.requireNonNull(TABLE.get(method));
    }

    static Stream<String> methods() {
        return TABLE.keySet().stream();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void wait_endsInEveryWay(String method) {
        assertThat(WaitEndings.check(setUp(method), new TestRuntime())).isEmpty();
    }

    @ParameterizedTest
    @MethodSource("methods")
    void wait_goesOnInADrainAndEndsAfterIt(String method) throws Throwable {
        assertThat(WaitEndings.checkShutdown(setUp(method), new TestRuntime())).isEmpty();
    }

    @Test
    void everyMethodThatWaits_isInTheTable() throws Exception {
        var code = new WaitingMethods(Async.class);
        assertThat(TABLE.keySet()).containsAll(code.among(PublicTypes.all()));
        // the first two are what a coroutine of ours runs; closing is in the table by its own name
        assertThat(code.behindTheJdksTypes(Async.class))
                .containsExactly(
                        "Blocking.call",
                        "Iteration.Worker.call",
                        "ReceivingIterator.hasNext",
                        "ReceivingIterator.next",
                        "Scope.close",
                        "TakingIterator.hasNext",
                        "TakingIterator.next",
                        "ThreadChannel.Values.hasNext",
                        "ThreadChannel.Values.next",
                        "ThreadPool.close",
                        "WatchingIterator.hasNext",
                        "WatchingIterator.next");
    }
}
