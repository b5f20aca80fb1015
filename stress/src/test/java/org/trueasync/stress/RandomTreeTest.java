package org.trueasync.stress;

import org.junit.jupiter.api.Tag;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.EnumSource;
import org.trueasync.internal.testkit.Depth;
import org.trueasync.stress.RandomTree.Kind;

/** Of each kind on each reactor. What fails names its seed. */
@Tag("sized")
class RandomTreeTest {
    @ParameterizedTest
    @EnumSource
    @Tag("F2")
    @Tag("F22")
    @Tag("F27")
    @Tag("F32")
    void programMadeAtRandom_losesNothingAndLeavesNothing(Kind kind) throws InterruptedException {
        for (int seed = 0; seed < Depth.of(5, 300); seed++) RandomTree.runOnBoth(seed, kind);
    }
}
