package org.trueasync.internal.cores;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicInteger;
import java.util.concurrent.atomic.AtomicIntegerArray;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Depth;

class QuiescenceTest {
    @Test
    void nobodyIsAwakeAndNothingOnItsWay_isReachedByTheLastOne() {
        var all = new Quiescence(3);
        assertThat(all.member(0).rest(true)).isFalse();
        assertThat(all.member(2).rest(false)).isFalse();
        assertThat(all.member(1).rest(true)).isTrue();
        assertThat(all.countDone()).isEqualTo(2);
    }

    @Test
    void messageOnItsWay_keepsAllWaiting() {
        var all = new Quiescence(2);
        all.member(0).sends();
        assertThat(all.member(0).rest(false)).isFalse();
        assertThat(all.member(1).rest(true)).isFalse();
        all.member(1).receives();
        assertThat(all.member(1).isResting()).isFalse();
        assertThat(all.member(1).isDone()).isFalse();
        assertThat(all.member(1).rest(true)).isTrue();
    }

    @Test
    void whoeverIsAwakeAgain_isAwaited() {
        var all = new Quiescence(2);
        assertThat(all.member(0).rest(true)).isFalse();
        all.member(0).goOn();
        assertThat(all.member(1).rest(true)).isFalse();
        assertThat(all.member(0).rest(true)).isTrue();
    }

    @Test
    void messageToWhoHasGone_isAnsweredOnce() {
        var all = new Quiescence(2);
        assertThat(all.member(1).rest(true)).isFalse();
        all.member(0).sends();
        assertThat(all.member(0).rest(false)).isFalse();
        all.answersForOther();
        assertThat(all.member(0).rest(false)).as("the answer is on its way").isFalse();
        all.member(0).receives();
        assertThat(all.member(0).rest(true)).isTrue();
    }

    /** Threads pass tokens on and rest in between; whoever says that nothing can happen any more must be right. */
    @Tag("sized")
    @Test
    void manyMessages_theEndIsFoundAndNotTooEarly() throws Exception {
        for (int round = 0; round < Depth.of(3, 20); round++) {
            int count = 3;
            var all = new Quiescence(count);
            var inboxes = new AtomicIntegerArray(count);
            var left = new AtomicInteger(100);
            var found = new AtomicInteger();
            var tooEarly = new AtomicInteger();
            var threads = new Thread[count];
            for (int t = 0; t < count; t++) {
                int index = t;
                threads[t] = Thread.ofPlatform().daemon().start(() -> {
                    Quiescence.Member self = all.member(index);
                    if (index == 0) {
                        self.sends();
                        inboxes.incrementAndGet(1);
                    }
                    boolean rested = false;
                    while (found.get() == 0) {
                        if (inboxes.get(index) > 0) {
                            self.receives();
                            inboxes.decrementAndGet(index);
                            rested = false;
                            if (left.getAndDecrement() > 0) {
                                self.sends();
                                inboxes.incrementAndGet((index + 1) % count);
                            }
                        } else if (!rested) {
                            rested = true;
                            if (self.rest(false)) {
                                if (left.get() >= 0) tooEarly.incrementAndGet();
                                found.incrementAndGet();
                            }
                        } else {
                            Thread.yield();
                        }
                    }
                });
            }
            for (Thread thread : threads) thread.join(20_000);
            assertThat(tooEarly).hasValue(0);
            // two that come to rest at the same time may both find it
            assertThat(found.get()).isPositive();
        }
    }
}
