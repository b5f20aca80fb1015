package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.iterate;
import static org.trueasync.Async.spawn;

import java.util.ArrayList;
import java.util.Iterator;
import java.util.List;
import java.util.random.RandomGenerator;
import java.util.stream.IntStream;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.Scope;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;

/** Actions and steps of the source that wait for the world outside, in any order. */
@Tag("sized")
class IterateRacesTest {
    @Test
    @Tag("I1")
    @Tag("I2")
    @Tag("I3")
    @Tag("I5")
    @Tag("F63")
    void whateverWaits_limitHoldsAndEachItemIsDeliveredOnceInOrder() {
        Orders.exploreAll(() -> new Run().play());
    }

    private static final class Run {
        private final RandomGenerator random = Schedules.random();
        private final int items = random.nextInt(6);
        private final int limit = random.nextInt(4);
        private final int special = random.nextInt(12);
        private final boolean fails = random.nextBoolean();
        private final List<Integer> seen = new ArrayList<>();
        private @Nullable Coroutine<?> atSource;
        private int busy;
        private int ended;

        void play() {
            Iterable<Integer> source =
                    random.nextBoolean() ? IntStream.range(0, items).boxed().toList() : this::slowly;
            Coroutine<?> caller = spawn(() -> iterate(source, this::visit, limit, random.nextBoolean()));
            boolean cancelled = random.nextInt(4) == 0;
            if (cancelled) Outside.happens(() -> caller.cancel());
            Throwable thrown = null;
            try {
                await(caller);
            } catch (IllegalStateException | AsyncCancellation e) {
                thrown = e;
            }
            assertThat(busy).isZero();
            assertThat(atSource).isNull();
            assertThat(ended).isEqualTo(seen.size());
            assertThat(seen).isEqualTo(IntStream.range(0, seen.size()).boxed().toList());
            if (thrown == null && (special >= items || fails)) assertThat(seen).hasSize(items);
            if (thrown instanceof IllegalStateException)
                assertThat(fails && seen.contains(special)).isTrue();
            else if (thrown != null) assertThat(cancelled).isTrue();
            delay(10);
            assertThat(Scope.global().childScopes()).isEmpty();
        }

        private boolean visit(int item) {
            seen.add(item);
            busy++;
            if (limit > 0) assertThat(busy).isLessThanOrEqualTo(limit);
            try {
                if (random.nextInt(4) == 0) spawn(() -> await(Outside.completes(0)));
                if (random.nextInt(3) > 0) await(Outside.completes(item));
                if (item == special && fails) throw new IllegalStateException("planned");
                return item != special;
            } finally {
                busy--;
                ended++;
            }
        }

        private Iterator<Integer> slowly() {
            return new Iterator<>() {
                private int next;

                @Override
                public boolean hasNext() {
                    step();
                    return next < items;
                }

                @Override
                public Integer next() {
                    step();
                    return next++;
                }
            };
        }

        private void step() {
            assertThat(atSource).isNull();
            atSource = Async.currentCoroutine();
            try {
                if (random.nextInt(3) == 0) await(Outside.completes(0));
            } finally {
                atSource = null;
            }
        }
    }
}
