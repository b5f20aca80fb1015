package org.trueasync.internal.await;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Test;
import org.trueasync.AsyncCancellation;
import org.trueasync.Coroutine;
import org.trueasync.Future;
import org.trueasync.FutureState;
import org.trueasync.OperationCanceledException;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.testkit.TestRuntime;

/** A number of units, and who waits for one: made of the queue alone. */
class WaitQueueTest {
    private final List<String> log = new ArrayList<>();
    private final WaitQueue<Place> queue = new WaitQueue<>();
    private int free;

    private final class Place extends Waiter {
        final String name;

        Place(String name) {
            super(queue);
            this.name = name;
        }

        @Override
        protected void handOn() {
            log.add(name + " hands on");
            give();
        }

        @Override
        protected void left() {
            log.add(name + " left");
        }

        @Override
        public String info() {
            return "a unit for " + name;
        }
    }

    private void give() {
        Place first = queue.first();
        if (first == null) free++;
        else first.serve();
    }

    private Coroutine<?> taker(String name, @Nullable Future<?> token) {
        return spawn(() -> {
            try {
                new Place(name).await(Runtimes.currentCoroutine("test"), token);
                log.add(name + " has it");
            } catch (OperationCanceledException e) {
                log.add(name + " given up");
            } catch (AsyncCancellation e) {
                log.add(name + " cancelled");
            }
        });
    }

    private Coroutine<?> taker(String name) {
        return taker(name, null);
    }

    @Test
    void givenOneByOne_eachGoesToWhoWaitsLongest() {
        TestRuntime.run(() -> {
            taker("a");
            taker("b");
            taker("c");
            suspend();
            assertThat(queue.size()).isEqualTo(3);
            give();
            give();
            assertThat(queue.size()).as("who is served is in the queue no more").isEqualTo(1);
            suspend();
            give();
            suspend();
            assertThat(log).containsExactly("a has it", "b has it", "c has it");
            assertThat(queue.isEmpty()).isTrue();
            give();
            assertThat(free).isEqualTo(1);
        });
    }

    @Test
    void servedAndCancelledBeforeItRuns_nextInTheQueueHasIt() {
        TestRuntime.run(() -> {
            Coroutine<?> first = taker("a");
            taker("b");
            suspend();
            give();
            first.cancel();
            suspend();
            suspend();
            assertThat(log).containsExactly("a hands on", "a cancelled", "b has it");
            assertThat(free).isZero();
        });
    }

    @Test
    void servedAndCancelledWithNobodyBehind_unitIsFree() {
        TestRuntime.run(() -> {
            Coroutine<?> only = taker("a");
            suspend();
            give();
            only.cancel();
            suspend();
            assertThat(log).containsExactly("a hands on", "a cancelled");
            assertThat(free).isEqualTo(1);
        });
    }

    @Test
    void leavesFromTheMiddle_othersKeepTheirOrder() {
        TestRuntime.run(() -> {
            taker("a");
            Coroutine<?> middle = taker("b");
            taker("c");
            suspend();
            middle.cancel();
            suspend();
            assertThat(queue.size()).isEqualTo(2);
            give();
            give();
            suspend();
            assertThat(log).containsExactly("b left", "b cancelled", "a has it", "c has it");
        });
    }

    @Test
    void tokenEnds_waitIsGivenUpAndNothingIsHandedOn() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            taker("a", state.future());
            suspend();
            state.complete("enough");
            assertThat(queue.isEmpty()).isTrue();
            suspend();
            assertThat(log).containsExactly("a left", "a given up");
        });
    }

    @Test
    void servedBeforeItsTokenEnds_itHasTheUnit() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            taker("a", state.future());
            suspend();
            give();
            state.complete("too late");
            suspend();
            assertThat(log).containsExactly("a has it");
        });
    }

    @Test
    void allAreRefused_eachHasAnErrorOfItsOwnAndLeavesNothing() {
        TestRuntime.run(() -> {
            Coroutine<?> a = taker("a");
            Coroutine<?> b = taker("b");
            suspend();
            queue.refuseAll(() -> new IllegalStateException("closed"));
            assertThat(queue.isEmpty()).isTrue();
            assertThat(thrownBy(a)).isNotSameAs(thrownBy(b));
            assertThat(log).isEmpty();
        });
    }

    private static Throwable thrownBy(Coroutine<?> failed) {
        try {
            await(failed);
            throw new AssertionError("it has not failed");
        } catch (IllegalStateException e) {
            return e;
        }
    }
}
