package org.trueasync.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class RunQueueTest {
    @Test
    @Tag("K9")
    void empty_givesNull() {
        var queue = new RunQueue();
        assertThat(queue.poll()).isNull();
        assertThat(queue.isEmpty()).isTrue();
        assertThat(queue.size()).isZero();
    }

    @Test
    @Tag("K9")
    @Tag("K10")
    void tailAndHead_joinAtTheirEnds() {
        var queue = new RunQueue();
        queue.addLast("b");
        queue.addLast("c");
        queue.addFirst("a");
        assertThat(queue.poll()).isEqualTo("a");
        assertThat(queue.poll()).isEqualTo("b");
        assertThat(queue.poll()).isEqualTo("c");
        assertThat(queue.poll()).isNull();
    }

    @Test
    @Tag("K9")
    void growsAtEveryPositionOfTheHead() {
        for (int offset = 0; offset < 130; offset++) {
            var queue = new RunQueue();
            for (int i = 0; i < offset; i++) {
                queue.addLast(i);
                queue.poll();
            }
            for (int i = 0; i < 300; i++) queue.addLast(i);
            for (int i = 0; i < 300; i++) assertThat(queue.poll()).isEqualTo(i);
            assertThat(queue.isEmpty()).isTrue();
        }
    }

    @Test
    @Tag("K9")
    void position_tellsWhenAnEntryHasHadItsTurn() {
        var queue = new RunQueue();
        for (int i = 0; i < 500; i++) {
            queue.addLast(i);
            int target = queue.position() + queue.size();
            queue.addLast("later");
            queue.addFirst("urgent");
            int taken = 0;
            while (queue.position() - target < 0) {
                assertThat(queue.poll()).isNotEqualTo("later");
                taken++;
            }
            assertThat(taken).isEqualTo(2);
            assertThat(queue.poll()).isEqualTo("later");
            // the next position, and now and then a larger ring
            for (int k = 0; k < i; k++) queue.addLast(k);
            while (!queue.isEmpty()) queue.poll();
        }
    }

    @Test
    @Tag("K9")
    void growsWhenFilledFromTheHead() {
        var queue = new RunQueue();
        for (int i = 0; i < 300; i++) queue.addFirst(i);
        for (int i = 299; i >= 0; i--) assertThat(queue.poll()).isEqualTo(i);
    }

    @Test
    @Tag("K9")
    void removeFromTheMiddle_keepsTheOrder() {
        var queue = new RunQueue();
        Object gone = "e2";
        for (Object entry : new Object[] {"e0", "e1", gone, "e3", "e4"}) queue.addLast(entry);
        assertThat(queue.remove(queue.poll())).isFalse();
        assertThat(queue.remove(gone)).isTrue();
        assertThat(queue.remove(gone)).isFalse();
        assertThat(queue.poll()).isEqualTo("e1");
        assertThat(queue.poll()).isEqualTo("e3");
        assertThat(queue.poll()).isEqualTo("e4");
    }

    @Test
    @Tag("K9")
    void randomOperations_behaveAsADeque() {
        for (int seed = 0; seed < 50; seed++) {
            var random = new Random(seed);
            var queue = new RunQueue();
            var model = new ArrayDeque<Integer>();
            var interned = new ArrayList<Integer>();
            for (int i = 0; i < 2_000; i++) {
                Integer entry = Integer.valueOf(1_000 + i);
                interned.add(entry);
                switch (random.nextInt(seed % 2 == 0 ? 5 : 4)) {
                    case 0, 1 -> {
                        queue.addLast(entry);
                        model.addLast(entry);
                    }
                    case 2 -> {
                        queue.addFirst(entry);
                        model.addFirst(entry);
                    }
                    case 3 -> assertThat(queue.poll()).isSameAs(model.poll());
                    default -> {
                        Integer any = interned.get(random.nextInt(interned.size()));
                        assertThat(queue.remove(any)).isEqualTo(model.remove(any));
                    }
                }
                assertThat(queue.size()).isEqualTo(model.size());
            }
            while (!model.isEmpty()) assertThat(queue.poll()).isSameAs(model.poll());
            assertThat(queue.poll()).isNull();
        }
    }
}
