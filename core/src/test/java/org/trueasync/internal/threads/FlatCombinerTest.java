package org.trueasync.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.Collections;
import java.util.concurrent.CountDownLatch;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;

class FlatCombinerTest {
    private final FlatCombiner combiner = new FlatCombiner();

    @Test
    void occupied_whatIsLeftIsDoneByWhoIsInside() throws Exception {
        var order = new ArrayList<String>();
        assertThat(combiner.tryEnter()).isTrue();
        Thread other = Thread.ofPlatform().start(() -> {
            assertThat(combiner.tryEnter()).isFalse();
            combiner.run(() -> order.add("left by " + Thread.currentThread().getName()));
        });
        other.join();
        assertThat(order).isEmpty();
        combiner.leave();
        assertThat(order).containsExactly("left by " + Thread.currentThread().getName());
        assertThat(combiner.tryEnter()).isTrue();
        combiner.leave();
    }

    @Test
    void moreIsLeftThanOneThreadRuns_anotherThreadGoesOn() throws Exception {
        var threads = new ArrayList<Thread>();
        var all = new CountDownLatch(2_500);
        combiner.enter();
        for (int i = 0; i < 2_500; i++) {
            combiner.run(() -> {
                threads.add(Thread.currentThread());
                all.countDown();
            });
        }
        combiner.leave();
        all.await();
        assertThat(threads.subList(0, 1_000)).containsOnly(Thread.currentThread());
        assertThat(threads.subList(1_000, 2_500)).doesNotContain(Thread.currentThread());
        combiner.enter();
        combiner.leave();
    }

    @Test
    void manyThreads_nothingIsLostNorDoneTwiceAtATime() throws Exception {
        int[] count = new int[1];
        var threads = new ArrayList<Thread>();
        var done = new CountDownLatch(4 * 10_000);
        for (int t = 0; t < 4; t++) {
            threads.add(Thread.ofPlatform().start(() -> {
                for (int i = 0; i < 10_000; i++) {
                    if (i % 2 == 0 && combiner.tryEnter()) {
                        count[0]++;
                        combiner.leave();
                        done.countDown();
                    } else {
                        combiner.run(() -> {
                            count[0]++;
                            done.countDown();
                        });
                    }
                }
            }));
        }
        for (Thread thread : threads) thread.join();
        done.await();
        combiner.enter();
        assertThat(count[0]).isEqualTo(4 * 10_000);
        combiner.leave();
    }

    /** As by a thread that has just found it occupied, while whoever was inside comes out. */
    @Test
    @Tag("D15")
    void whoComesWhileSomethingIsLeft_comesAfterIt() {
        var order = new ArrayList<String>();
        combiner.enqueue(() -> order.add("left"));
        assertThat(combiner.tryEnter()).isTrue();
        order.add("came later");
        combiner.leave();
        assertThat(order).containsExactly("left", "came later");

        combiner.enqueue(() -> order.add("left again"));
        combiner.enter();
        order.add("came last");
        combiner.leave();
        assertThat(order).containsExactly("left", "came later", "left again", "came last");
    }

    @Test
    void moreIsLeftThanAFavour_whoEntersDoesOneFavour() {
        int[] done = new int[1];
        for (boolean tries : new boolean[] {false, true}) {
            done[0] = 0;
            for (int i = 0; i < 1_001; i++) combiner.enqueue(() -> done[0]++);
            if (tries) assertThat(combiner.tryEnter()).isTrue();
            else combiner.enter();
            assertThat(done[0]).isEqualTo(1_000);
            combiner.leave();
            assertThat(done[0]).isEqualTo(1_001);
        }
    }

    @Test
    void occupied_whoMustEnterComesInWhenItIsLeft() throws Exception {
        var order = Collections.synchronizedList(new ArrayList<String>());
        combiner.enter();
        Thread other = Thread.ofPlatform().start(() -> {
            combiner.enter();
            order.add("other");
            combiner.leave();
        });
        while (other.isAlive() && !isIn("enter", other)) Thread.onSpinWait();
        order.add("first");
        combiner.leave();
        other.join();
        assertThat(order).containsExactly("first", "other");
    }

    private static boolean isIn(String method, Thread thread) {
        for (StackTraceElement frame : thread.getStackTrace())
            if (frame.getMethodName().equals(method)) return true;
        return false;
    }
}
