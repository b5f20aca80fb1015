package org.trueasync.bench.growth;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.Async;
import org.trueasync.Body;

@Tag("deep")
class KindTest {

    @ParameterizedTest
    @EnumSource
    void eachElement_isUsed(Kind kind) {
        Async.run((Body) () -> {
            for (int count : new int[] {10, 11})
                assertThat(kind.elements.all(count)).isEqualTo(count);
        });
    }

    @Test
    void releaseInMixedOrder_reachesEachOnce() {
        List<Integer> order = new ArrayList<>();
        Released.mixed(List.of(0, 1, 2, 3), order::add);
        Released.mixed(List.of(0, 1, 2, 3, 4), order::add);

        assertThat(order).containsExactly(0, 2, 3, 1, 0, 2, 4, 3, 1);
    }
}
