package org.trueasync.examples;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;

class UnhurriedClockTest {
    @Test
    void timersComeInTheOrderOfTheirTimes_howeverLongTheProgramComputes() throws Exception {
        List<Integer> order = new ArrayList<>();
        Async.runtime().reactor(UnhurriedClock::best).run(() -> {
            for (int ms : new int[] {30, 10, 20})
                Async.spawn(() -> {
                    compute(25);
                    Async.delay(ms);
                    order.add(ms);
                    compute(25);
                    Async.delay(5);
                    order.add(ms + 5);
                });
        });
        assertThat(order).containsExactly(10, 15, 20, 25, 30, 35);
    }

    @Test
    void whatBlocks_endsBeforeALongDelay() throws Exception {
        List<String> order = new ArrayList<>();
        Async.runtime().reactor(UnhurriedClock::best).run(() -> {
            Async.spawn(() -> {
                Async.delay(2_000);
                order.add("delay");
            });
            Async.blocking(() -> {
                Thread.sleep(20);
                return null;
            });
            order.add("blocking");
        });
        assertThat(order).containsExactly("blocking", "delay");
    }

    private static void compute(int ms) {
        long until = System.nanoTime() + ms * 1_000_000L;
        while (System.nanoTime() < until) Thread.onSpinWait();
    }
}
