package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.Map;
import java.util.Set;
import org.junit.jupiter.api.Test;

class PackageGraphTest {
    @Test
    void layers_areNoCircle() {
        assertThat(new PackageGraph(
                                Map.of("api", Set.of("api", "kernel", "spi"), "kernel", Set.of("spi"), "spi", Set.of()))
                        .circles())
                .isEmpty();
    }

    @Test
    void circles_areEachTheLargestSet_theLargestFirst() {
        var graph = new PackageGraph(Map.of(
                "a", Set.of("b"),
                "b", Set.of("c"),
                "c", Set.of("a", "d"),
                "d", Set.of("e"),
                "e", Set.of("d", "f"),
                "f", Set.of()));
        assertThat(graph.circles()).containsExactly(Set.of("a", "b", "c"), Set.of("d", "e"));
    }
}
