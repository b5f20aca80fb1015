package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.iterate;

import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.DeepStack;

/** A scope that ends when its coroutines have makes no error for them. */
class ScopeCostTest {
    @Test
    void close_takesNoTrace() {
        assertThat(DeepStack.surchargeOf(() -> {
                    try (var scope = new Scope()) {
                        scope.spawn(() -> {});
                        scope.awaitCompletion();
                    }
                }))
                .isLessThan(800);
    }

    @Test
    void closeOfAGroup_takesNoTrace() {
        assertThat(DeepStack.surchargeOf(() -> {
                    try (var scope = new Scope()) {
                        TaskGroup<Integer> group =
                                TaskGroup.<Integer>builder().scope(scope).build();
                        group.spawn(() -> 1);
                        group.close();
                        group.awaitCompletion();
                    }
                }))
                .isLessThan(800);
    }

    @Test
    void iterate_takesNoTrace() {
        assertThat(DeepStack.surchargeOf(() -> iterate(List.of(1, 2), n -> true)))
                .isLessThan(800);
    }
}
