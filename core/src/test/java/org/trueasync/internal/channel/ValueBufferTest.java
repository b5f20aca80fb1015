package org.trueasync.internal.channel;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

/** The buffer of a channel against a list. */
class ValueBufferTest {
    private record Placed(long place, int value) {}

    @Test
    void anyCalls_givesOutWhatIsThereInOrder() {
        for (int seed = 0; seed < 200; seed++) {
            var random = new Random(seed);
            var buffer = new ValueBuffer();
            List<Placed> expected = new ArrayList<>();
            List<Placed> polled = new ArrayList<>();
            int crowd = 1 + random.nextInt(40);
            for (int i = 0; i < 400; i++) {
                int call = random.nextInt(5);
                if (call < 2 && expected.size() < crowd) {
                    expected.add(new Placed(buffer.add(i), i));
                } else if (call == 2 && !expected.isEmpty()) {
                    Placed back = expected.remove(random.nextInt(expected.size()));
                    assertThat(buffer.takeBack(back.place)).as("seed " + seed).isTrue();
                } else if (!expected.isEmpty()) {
                    Placed first = expected.removeFirst();
                    assertThat(buffer.poll()).as("seed " + seed).isEqualTo(first.value);
                    polled.add(first);
                } else if (!polled.isEmpty()) {
                    Placed gone = polled.remove(random.nextInt(polled.size()));
                    assertThat(buffer.takeBack(gone.place)).as("seed " + seed).isFalse();
                }
                assertThat(buffer.isEmpty()).as("seed " + seed).isEqualTo(expected.isEmpty());
            }
        }
    }

    @Test
    void manyValues_loseNothingOnTheWayDown() {
        var buffer = new ValueBuffer();
        for (int round = 0; round < 2; round++) {
            for (int i = 0; i < 10_000; i++) buffer.add(i);
            for (int i = 0; i < 10_000; i++) assertThat(buffer.poll()).isEqualTo(i);
            assertThat(buffer.isEmpty()).isTrue();
        }
    }

    @Test
    void everythingTakenBack_isEmpty() {
        var buffer = new ValueBuffer();
        long[] places = new long[6];
        for (int i = 0; i < 6; i++) places[i] = buffer.add(i);
        for (int i : new int[] {2, 5, 0, 3, 4, 1}) {
            assertThat(buffer.isEmpty()).isFalse();
            assertThat(buffer.takeBack(places[i])).isTrue();
        }
        assertThat(buffer.isEmpty()).isTrue();
        buffer.add(7);
        assertThat(buffer.poll()).isEqualTo(7);
    }
}
