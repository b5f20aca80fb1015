package org.trueasync.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

/** Which idle stacks are kept. */
class IdlePoolTest {
    private static final long SECOND = 1_000_000_000;

    private static List<String> stacks(int count) {
        return IntStream.range(0, count).mapToObj(i -> "stack " + i).toList();
    }

    @Test
    @Tag("K27")
    void belowTheMinimum_everyStackIsWanted() {
        var stacks = new ArrayList<>(stacks(4));
        var pool = new IdlePool<String>(4, 100);
        for (String stack : stacks) {
            assertThat(pool.wants(0)).isTrue();
            pool.add(stack);
        }
        assertThat(pool.wants(0)).isFalse();
        assertThat(pool.size()).isEqualTo(4);
    }

    @Test
    @Tag("K27")
    void queueLongerThanThePool_moreAreWantedUpToTheMaximum() {
        var stacks = new ArrayList<>(stacks(6));
        var pool = new IdlePool<String>(0, 6);
        for (int i = 0; i < 5; i++) {
            assertThat(pool.wants(10)).isTrue();
            pool.add(stacks.get(i));
        }
        assertThat(pool.wants(4)).isFalse();
        assertThat(pool.wants(10)).isTrue();
        pool.add(stacks.get(5));
        assertThat(pool.wants(10)).as("the maximum").isFalse();
    }

    @Test
    @Tag("K27")
    void lastIn_isTakenFirst() {
        var stacks = new ArrayList<>(stacks(2));
        var pool = new IdlePool<String>(4, 4);
        assertThat(pool.take()).isNull();
        stacks.forEach(pool::add);
        assertThat(pool.take()).isSameAs(stacks.get(1));
        assertThat(pool.take()).isSameAs(stacks.get(0));
        assertThat(pool.take()).isNull();
    }

    @Test
    @Tag("K27")
    void surplusOfAWholePeriod_isGivenUpByAndByDownToTheMinimum() {
        var stacks = new ArrayList<>(stacks(40));
        var pool = new IdlePool<String>(4, 100);
        stacks.forEach(pool::add);
        long now = 10 * SECOND;
        for (int period = 0; period < 20; period++) {
            now += 2 * SECOND;
            @Nullable String surplus;
            while ((surplus = pool.takeSurplus(now)) != null)
                assertThat(stacks.remove(surplus)).isTrue();
            assertThat(pool.size()).isEqualTo(stacks.size());
        }
        assertThat(pool.size()).isEqualTo(4);
    }

    @Test
    @Tag("K27")
    void surplusOfAPeriod_isHalfOfWhatWasNeverUsed() {
        var stacks = new ArrayList<>(stacks(10));
        var pool = new IdlePool<String>(0, 100);
        stacks.forEach(pool::add);
        assertThat(surplus(pool, 10 * SECOND))
                .as("nothing is known before the first period")
                .isZero();
        // of ten at the most three are used at once
        var used = new ArrayList<String>();
        for (int i = 0; i < 3; i++) used.add(pool.take());
        used.forEach(pool::add);
        assertThat(surplus(pool, 11 * SECOND - 1))
                .as("before the period is over")
                .isZero();
        assertThat(surplus(pool, 11 * SECOND)).isEqualTo(4);
        assertThat(pool.size()).isEqualTo(6);
        assertThat(surplus(pool, 12 * SECOND - 1)).as("within the next period").isZero();
        assertThat(surplus(pool, 12 * SECOND))
                .as("half of the six that are left")
                .isEqualTo(3);
    }

    private static int surplus(IdlePool<String> pool, long now) {
        int count = 0;
        while (pool.takeSurplus(now) != null) count++;
        return count;
    }

    @Test
    @Tag("K27")
    void oneThatHasBeenIdleLongest_isGivenUpFirst() {
        var stacks = new ArrayList<>(stacks(2));
        var pool = new IdlePool<String>(0, 100);
        stacks.forEach(pool::add);
        pool.takeSurplus(10 * SECOND);
        assertThat(pool.takeSurplus(20 * SECOND)).isSameAs(stacks.get(0));
    }

    @Test
    @Tag("K27")
    void asManyIdleAsQueued_oneMoreIsWanted() {
        var stacks = new ArrayList<>(stacks(3));
        var pool = new IdlePool<String>(0, 3);
        pool.add(stacks.get(0));
        assertThat(pool.wants(1)).isTrue();
        assertThat(pool.wants(0)).isFalse();
        pool.add(stacks.get(1));
        assertThat(pool.wants(2)).isTrue();
        assertThat(pool.wants(1)).isFalse();
    }

    @Test
    @Tag("K27")
    void stacksThatAreUsedInThePeriod_areNoSurplus() {
        var stacks = new ArrayList<>(stacks(10));
        var pool = new IdlePool<String>(0, 100);
        stacks.forEach(pool::add);
        long now = 10 * SECOND;
        while (pool.takeSurplus(now) != null) {
            // the first look begins a period
        }
        int size = pool.size();
        var used = new ArrayList<String>();
        for (int i = 0; i < size; i++) used.add(pool.take());
        used.forEach(pool::add);
        assertThat(pool.takeSurplus(now + 2 * SECOND)).isNull();
        assertThat(pool.size()).isEqualTo(size);
    }
}
