package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

/** A future of somebody else's that many wait for and give up. */
class AbandonedWaitsTest {
    @Test
    @Tag("F79")
    @Tag("F31")
    void givenUpAgainAndAgain_leavesOneCallbackOnTheFuture() {
        TestRuntime.run(() -> {
            var never = new CompletableFuture<String>();
            for (int i = 0; i < 1_000; i++) {
                try {
                    await(never, timeout(1));
                } catch (OperationCanceledException e) {
                    // given up
                }
            }
            assertThat(never.getNumberOfDependents()).isEqualTo(1);
        });
    }

    @Test
    @Tag("F31")
    void someGiveUp_theOthersGetTheValue() {
        TestRuntime.run(() -> {
            var future = new CompletableFuture<String>();
            var waiting = new ArrayList<Coroutine<String>>();
            for (int i = 0; i < 10; i++) waiting.add(spawn(() -> await(future)));
            suspend();
            for (int i = 0; i < 10; i += 2) waiting.get(i).cancel();
            Async.delay(1);
            future.complete("value");
            for (int i = 1; i < 10; i += 2) assertThat(await(waiting.get(i))).isEqualTo("value");
            assertThat(await(future)).as("late").isEqualTo("value");
        });
    }

    @Test
    @Tag("F31")
    void twoFuturesOfAClassThatCallsThemEqual_areTwo() {
        class Alike extends CompletableFuture<String> {
            @Override
            public boolean equals(Object other) {
                return other instanceof Alike;
            }

            @Override
            public int hashCode() {
                return 1;
            }
        }
        TestRuntime.run(() -> {
            var one = new Alike();
            var two = new Alike();
            Coroutine<String> first = spawn(() -> await(one));
            Coroutine<String> second = spawn(() -> await(two));
            suspend();
            two.complete("two");
            assertThat(await(second)).isEqualTo("two");
            assertThat(first.isCompleted()).isFalse();
            one.complete("one");
            assertThat(await(first)).isEqualTo("one");
        });
    }
}
