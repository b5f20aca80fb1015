package org.trueasync.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.ReferenceQueue;
import java.util.ArrayDeque;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class IdleRingTest {
    private static Slot<Object> slot() {
        return new Slot<>(new Object(), new ReferenceQueue<>());
    }

    @Test
    @Tag("P3")
    void anyOrderOfCalls_isAQueue() {
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            var ring = new IdleRing<Object>();
            var queue = new ArrayDeque<Slot<Object>>();
            // grows and shrinks by turns, so that it doubles with its head anywhere
            for (int i = 0; i < 400; i++) {
                boolean grows = (i / 40) % 3 != 2;
                if (random.nextInt(4) < (grows ? 3 : 1)) {
                    Slot<Object> one = slot();
                    ring.add(one);
                    queue.add(one);
                } else {
                    assertThat(ring.poll()).isSameAs(queue.poll());
                }
                assertThat(ring.size()).isEqualTo(queue.size());
                assertThat(ring.isEmpty()).isEqualTo(queue.isEmpty());
            }
            while (!queue.isEmpty()) assertThat(ring.poll()).isSameAs(queue.poll());
            assertThat(ring.poll()).isNull();
        }
    }
}
