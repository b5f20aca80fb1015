package org.trueasync.internal.pool;

import static org.assertj.core.api.Assertions.assertThat;

import java.lang.ref.ReferenceQueue;
import java.util.ArrayList;
import java.util.List;
import java.util.Random;
import org.junit.jupiter.api.Test;

class SlotTableTest {
    private static Slot<Object> slot() {
        return new Slot<>(new Object(), new ReferenceQueue<>());
    }

    @Test
    void anyOrderOfCalls_findsWhatIsInItAndNothingElse() {
        for (int seed = 0; seed < 500; seed++) {
            var random = new Random(seed);
            var table = new SlotTable<Object>();
            List<Slot<Object>> inside = new ArrayList<>();
            List<Slot<Object>> outside = new ArrayList<>();
            for (int i = 0; i < 300; i++) {
                if (random.nextInt(3) > 0) {
                    Slot<Object> one = slot();
                    table.add(one);
                    inside.add(one);
                } else if (!inside.isEmpty()) {
                    Slot<Object> gone = inside.remove(random.nextInt(inside.size()));
                    assertThat(table.remove(gone)).isTrue();
                    assertThat(table.remove(gone)).isFalse();
                    outside.add(gone);
                }
                assertThat(table.size()).isEqualTo(inside.size());
            }
            for (Slot<Object> one : inside)
                assertThat(table.find(one.resource())).isSameAs(one);
            for (Slot<Object> one : outside)
                assertThat(table.find(one.resource())).isNull();
        }
    }
}
