package org.trueasync.internal.queue;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class ChosenQueueTest {
    private static List<@Nullable Object> drained(RunQueue queue) {
        var all = new ArrayList<@Nullable Object>();
        while (!queue.isEmpty()) all.add(queue.poll());
        assertThat(queue.poll()).isNull();
        return all;
    }

    @Test
    void last_isTakenFirstIfChosen() {
        var queue = new ChosenQueue(ready -> ready - 1);
        for (String entry : List.of("a", "b", "c")) queue.addLast(entry);
        assertThat(drained(queue)).containsExactly("c", "b", "a");
    }

    @Test
    void oneEntry_isNotAskedFor() {
        var queue = new ChosenQueue(ready -> {
            throw new AssertionError("asked to choose among " + ready);
        });
        queue.addLast("a");
        assertThat(drained(queue)).containsExactly("a");
    }

    @Test
    @Tag("K10")
    void joinedAtTheHead_comesFirstWhateverIsChosen() {
        var asked = new ArrayList<Integer>();
        var queue = new ChosenQueue(ready -> {
            asked.add(ready);
            return ready - 1;
        });
        queue.addLast("a");
        queue.addLast("b");
        queue.addFirst("first");
        queue.addFirst("gone");
        queue.addFirst("before first");
        assertThat(queue.remove("gone")).isTrue();
        assertThat(drained(queue)).containsExactly("before first", "first", "b", "a");
        assertThat(asked).containsExactly(2);
    }

    @Test
    void choiceOutOfRange_refused() {
        var queue = new ChosenQueue(ready -> ready);
        queue.addLast("a");
        queue.addLast("b");
        assertThatThrownBy(queue::poll).isInstanceOf(IndexOutOfBoundsException.class);
    }

    @Test
    void randomChoices_loseAndDoubleNothing() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var queue = new ChosenQueue(random::nextInt);
            var inside = new ArrayList<Integer>();
            for (int i = 0; i < 500; i++) {
                Integer entry = Integer.valueOf(1_000 + i);
                switch (random.nextInt(5)) {
                    case 0, 1 -> {
                        queue.addLast(entry);
                        inside.add(entry);
                    }
                    case 2 -> {
                        queue.addFirst(entry);
                        inside.add(entry);
                    }
                    case 3 -> {
                        Object taken = queue.poll();
                        assertThat(taken == null ? inside.isEmpty() : inside.remove(taken))
                                .isTrue();
                    }
                    default -> {
                        if (inside.isEmpty()) break;
                        Integer any = inside.remove(random.nextInt(inside.size()));
                        assertThat(queue.remove(any)).isTrue();
                    }
                }
                assertThat(queue.size()).isEqualTo(inside.size());
            }
            assertThat(drained(queue)).containsExactlyInAnyOrderElementsOf(inside);
        }
    }
}
