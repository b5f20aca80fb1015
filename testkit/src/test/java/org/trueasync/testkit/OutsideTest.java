package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.io.IOException;
import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CompletionException;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Completable;

class OutsideTest {
    @Test
    void plainRun_completesInTheOrderOfAskingWithoutTime() {
        VirtualTime.run(() -> {
            var log = new ArrayList<String>();
            for (String name : List.of("a", "b", "c")) Async.spawn(() -> log.add(Async.await(Outside.completes(name))));
            Async.delay(1);
            assertThat(log).containsExactly("a", "b", "c");
        });
    }

    @Test
    void failure_isThrownToTheAwaiter() {
        VirtualTime.run(() -> {
            var failure = new IllegalStateException("refused");
            assertThatThrownBy(() -> Async.await(Outside.fails(failure))).isSameAs(failure);
            assertThatThrownBy(() -> Async.await(Outside.fails(new IOException("broken"))))
                    .isInstanceOf(CompletionException.class)
                    .hasCauseInstanceOf(IOException.class);
        });
    }

    @Test
    void completedBeforeItIsAwaited_costsNoSwitch() {
        VirtualTime.run(() -> {
            Completable<String> answer = Outside.completes("early");
            Async.delay(1);
            assertThat(answer.isCompleted()).isTrue();
            long before = Async.runtimeStats().switches();
            assertThat(Async.await(answer)).isEqualTo("early");
            assertThat(Async.runtimeStats().switches()).isEqualTo(before);
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    void cancelled_isNotCompletedAnyMore() {
        Schedules.explore(1_000, () -> {
            Completable<String> answer = Outside.completes("late");
            var waiter = Async.spawn(() -> Async.await(answer));
            Async.suspend();
            boolean came = answer.isCompleted();
            answer.cancel(new AsyncCancellation("given up"));
            assertThat(answer.isCompleted()).isTrue();
            assertThat(answer.isCancelled()).isEqualTo(!came);
            if (came) assertThat(Async.await(waiter)).isEqualTo("late");
            else assertThatThrownBy(() -> Async.await(waiter)).hasMessage("given up");
            Async.delay(1);
        });
    }

    @Test
    void nobodyWaits_doesNotKeepTheRun() {
        VirtualTime.run(() -> {
            Outside.completes("unheard");
        });
    }

    @Test
    void action_happensInACoroutineOfItsOwn() {
        Schedules.explore(1_000, () -> {
            var log = new ArrayList<String>();
            var actor = Outside.happens(() -> {
                Async.suspend();
                log.add("acted");
            });
            Async.await(actor);
            assertThat(log).containsExactly("acted");
        });
    }

    @Test
    void cancelledAction_doesNotHappen() {
        VirtualTime.run(() -> {
            var actor = Outside.happens(() -> {
                throw new AssertionError("happened");
            });
            actor.cancel();
            Async.delay(1);
            assertThat(actor.isCancelled()).isTrue();
        });
    }

    @Test
    void asFuture_completes() {
        VirtualTime.run(() -> {
            var future = Outside.completes("value").toCompletableFuture();
            assertThat(Async.await(future)).isEqualTo("value");
        });
    }
}
