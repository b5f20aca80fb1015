package org.trueasync.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The rules by which a breaker finds out that something is out of order. */
class FailureDetectorTest {
    @Test
    void rate_isThatOfTheLastCallsWhateverTheyWere() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            int length = 1 + random.nextInt(6);
            double limit = (1 + random.nextInt(10)) / 10.0;
            var rate = new FailureDetector.Rate(limit, length);
            var last = new ArrayDeque<Boolean>();
            for (int i = 0; i < 200; i++) {
                if (random.nextInt(40) == 0) {
                    rate.reset();
                    last.clear();
                }
                boolean failed = random.nextBoolean();
                last.add(failed);
                if (last.size() > length) last.remove();
                long failures = last.stream().filter(f -> f).count();
                assertThat(rate.isOutOfOrder(failed))
                        .as("seed %d, call %d", seed, i)
                        .isEqualTo(last.size() == length && failures >= limit * length);
            }
        }
    }

    @Test
    void consecutiveFailures_countFromTheLastSuccessOrReset() {
        var detector = new FailureDetector.Consecutive(2);
        assertThat(detector.isOutOfOrder(true)).isFalse();
        assertThat(detector.isOutOfOrder(false)).isFalse();
        assertThat(detector.isOutOfOrder(true)).isFalse();
        detector.reset();
        assertThat(detector.isOutOfOrder(true)).isFalse();
        assertThat(detector.isOutOfOrder(true)).isTrue();
    }

    @Test
    void freshOne_hasTheSameRuleAndKnowsOfNoCall() {
        var consecutive = new FailureDetector.Consecutive(2);
        consecutive.isOutOfOrder(true);
        FailureDetector other = consecutive.fresh();
        assertThat(other.isOutOfOrder(true)).isFalse();
        assertThat(other.isOutOfOrder(true)).isTrue();
        var rate = new FailureDetector.Rate(1, 2);
        rate.isOutOfOrder(true);
        FailureDetector another = rate.fresh();
        assertThat(another.isOutOfOrder(true)).isFalse();
        assertThat(another.isOutOfOrder(true)).isTrue();
        assertThat(another.isOutOfOrder(false)).isFalse();
    }
}
