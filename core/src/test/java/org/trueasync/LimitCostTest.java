package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.withTimeout;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.DeepStack;

/** A time limit that is not reached makes no error. */
class LimitCostTest {
    private static final Duration LIMIT = Duration.ofHours(1);

    @Test
    void section_takesNoTrace() {
        assertThat(DeepStack.surchargeOf(() -> withTimeout(LIMIT, () -> 1))).isLessThan(800);
    }

    @Test
    void scope_takesNoTrace() {
        var scopes = new ArrayList<Scope>();
        assertThat(DeepStack.surchargeOf(() -> {
                    if (scopes.isEmpty()) scopes.add(waiting());
                    scopes.getFirst().disposeAfterTimeout(LIMIT); // in place of the one before
                }))
                .isLessThan(800);
    }

    private static Scope waiting() {
        var scope = new Scope();
        scope.spawn(() -> delay(Duration.ofMinutes(1)));
        return scope;
    }
}
