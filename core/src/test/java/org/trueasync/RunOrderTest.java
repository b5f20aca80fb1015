package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.RunOrder;

class RunOrderTest {
    private static List<String> spawnedUnder(RunOrder order, String... names) {
        var begun = new ArrayList<String>();
        new TestRuntime(settings -> settings.runOrder(order)).start(() -> {
            for (String name : names) {
                Coroutine<?> c = Async.spawn(() -> {
                    begun.add(name);
                });
                if (name.startsWith("high")) c.asHighPriority();
            }
        });
        return begun;
    }

    @Test
    void orderThatTakesTheLast_runsTheYoungestFirst() {
        assertThat(spawnedUnder(ready -> ready - 1, "a", "b", "c")).containsExactly("c", "b", "a");
    }

    @Test
    void orderThatTakesTheFirst_isTheUsualOne() {
        assertThat(spawnedUnder(ready -> 0, "a", "b", "c")).containsExactly("a", "b", "c");
    }

    @Test
    @Tag("K10")
    void highPriority_runsFirstUnderAnyOrder() {
        assertThat(spawnedUnder(ready -> ready - 1, "a", "high b", "c")).containsExactly("high b", "c", "a");
    }

    @Test
    void suspendedCoroutineChosenAgain_goesOnWithoutASwitch() {
        new TestRuntime(settings -> settings.runOrder(ready -> ready - 1)).start(() -> {
            Async.spawn(() -> {});
            long before = Async.runtimeStats().switches();
            Async.suspend();
            assertThat(Async.runtimeStats().switches()).isEqualTo(before);
        });
    }
}
