package org.trueasync.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class OneAtATimeTest {
    private final FlatCombiner gate = new FlatCombiner();

    @Test
    void occupied_whatIsLeftIsDoneByWhoIsInside() throws Exception {
        var order = new ArrayList<String>();
        assertThat(gate.tryEnter()).isTrue();
        Thread other = Thread.ofPlatform().start(() -> {
            assertThat(gate.tryEnter()).isFalse();
            gate.run(() -> order.add("left by " + Thread.currentThread().getName()));
        });
        other.join();
        assertThat(order).isEmpty();
        gate.leave();
        assertThat(order).containsExactly("left by " + Thread.currentThread().getName());
        assertThat(gate.tryEnter()).isTrue();
        gate.leave();
    }

    @Test
    void moreIsLeftThanAFavour_anotherThreadGoesOn() throws Exception {
        var threads = new ArrayList<Thread>();
        var all = new CountDownLatch(2_500);
        gate.enter();
        for (int i = 0; i < 2_500; i++) {
            gate.run(() -> {
                threads.add(Thread.currentThread());
                all.countDown();
            });
        }
        gate.leave();
        all.await();
        assertThat(threads.subList(0, 1_000)).containsOnly(Thread.currentThread());
        assertThat(threads.subList(1_000, 2_500)).doesNotContain(Thread.currentThread());
        gate.enter();
        gate.leave();
    }

    @Test
    void manyThreads_nothingIsLostNorDoneTwiceAtATime() throws Exception {
        int[] count = new int[1];
        var threads = new ArrayList<Thread>();
        var done = new CountDownLatch(4 * 10_000);
        for (int t = 0; t < 4; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 10_000; i++) {
                    if (i % 2 == 0 && gate.tryEnter()) {
                        count[0]++;
                        gate.leave();
                        done.countDown();
                    } else {
                        gate.run(() -> {
                            count[0]++;
                            done.countDown();
                        });
                    }
                }
            }));
        }
        for (Thread thread : threads) thread.join();
        done.await();
        gate.enter();
        assertThat(count[0]).isEqualTo(4 * 10_000);
        gate.leave();
    }

    /** As by a thread that has just found it occupied, while whoever was inside comes out. */
    @Test
    @Tag("D15")
    void whoComesWhileSomethingIsLeft_comesAfterIt() {
        var order = new ArrayList<String>();
        gate.enqueue(() -> order.add("left"));
        assertThat(gate.tryEnter()).isTrue();
        order.add("came later");
        gate.leave();
        assertThat(order).containsExactly("left", "came later");

        gate.enqueue(() -> order.add("left again"));
        gate.enter();
        order.add("came last");
        gate.leave();
        assertThat(order).containsExactly("left", "came later", "left again", "came last");
    }

    @Test
    void moreIsLeftThanAFavour_whoEntersDoesOneFavour() {
        int[] done = new int[1];
        for (boolean tries : new boolean[] {false, true}) {
            done[0] = 0;
            for (int i = 0; i < 1_001; i++) gate.enqueue(() -> done[0]++);
            if (tries) assertThat(gate.tryEnter()).isTrue();
            else gate.enter();
            assertThat(done[0]).isEqualTo(1_000);
            gate.leave();
            assertThat(done[0]).isEqualTo(1_001);
        }
    }

    @Test
    void occupied_whoMustEnterComesInWhenItIsLeft() throws Exception {
        var order = Collections.synchronizedList(new ArrayList<String>());
        gate.enter();
        Thread other = Thread.ofPlatform().start(() -> {
            gate.enter();
            order.add("other");
            gate.leave();
        });
        while (other.isAlive() && !isIn("enter", other)) Thread.onSpinWait();
        order.add("first");
        gate.leave();
        other.join();
        assertThat(order).containsExactly("first", "other");
    }

    private static boolean isIn(String method, Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace())
            if (frame.getMethodName().equals(method)) return true;
        return false;
    }
}
