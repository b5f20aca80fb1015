package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.delay;

import java.util.ArrayList;
import java.util.List;

/** A pool of things with numbers, which writes down what it destroys. */
abstract class PoolOfThings {
    static final class Thing {
        final int number;
        boolean good = true;

        Thing(int number) {
            this.number = number;
        }

        @Override
        public String toString() {
            return "thing " + number;
        }
    }

    final List<String> log = new ArrayList<>();
    int made;

    final Thing make() {
        return new Thing(++made);
    }

    final Pool.Builder<Thing> pool() {
        return Pool.of(this::make)
                .destructor(t -> log.add("destroyed " + t.number))
                .name("things");
    }

    static void assertNumbers(Pool<?> pool, int idle, int active) {
        assertThat(pool.idleCount()).as("idle").isEqualTo(idle);
        assertThat(pool.activeCount()).as("active").isEqualTo(active);
        assertThat(pool.count()).as("count").isEqualTo(idle + active);
    }

    static boolean waits(boolean answer) {
        delay(3);
        return answer;
    }
}
