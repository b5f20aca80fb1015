package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.concurrent.CompletableFuture;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;

@Tag("Ch5")
class ChannelFutureTest {
    @Test
    void valueIsFree_theFutureIsComplete() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>(1);
            channel.send("a");
            Future<String> future = channel.receiveAsync();
            assertThat(future.isCompleted()).isTrue();
            assertThat(channel.isEmpty()).isTrue();
            assertThat(await(future)).isEqualTo("a");
        });
    }

    @Test
    void senderInLine_itsValueIsTakenAtOnce() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            Coroutine<?> sender = spawn(() -> channel.send("a"));
            suspend();
            assertThat(await(channel.receiveAsync())).isEqualTo("a");
            await(sender);
        });
    }

    @Test
    void closedAndEmpty_theFutureHasFailed() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            channel.close();
            Future<String> future = channel.receiveAsync();
            assertThat(future.isCompleted()).isTrue();
            assertThatThrownBy(() -> await(future)).isInstanceOf(ChannelException.class);
        });
    }

    @Test
    void nothingIsHere_theFutureHasItsPlaceInTheLine() {
        TestRuntime.run(() -> {
            for (int capacity = 0; capacity < 2; capacity++) {
                var channel = new Channel<Integer>(capacity);
                Future<Integer> first = channel.receiveAsync();
                Coroutine<Integer> second = spawn(() -> channel.receive());
                suspend();
                Future<Integer> third = channel.receiveAsync();
                for (int i = 1; i <= 3; i++) channel.send(i);
                assertThat(await(first)).isEqualTo(1);
                assertThat(await(second)).isEqualTo(2);
                assertThat(await(third)).isEqualTo(3);
                assertThat(channel.isEmpty()).isTrue();
            }
        });
    }

    @Test
    void closedWhileItIsPending_itFails() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Future<Integer> future = channel.receiveAsync();
            channel.close();
            assertThatThrownBy(() -> await(future)).isInstanceOf(ChannelException.class);
        });
    }

    @Test
    void cancelled_itsPlaceIsFree() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Future<Integer> future = channel.receiveAsync();
            future.cancel();
            assertThat(channel.toString()).isEqualTo("channel (0/0)");
            Coroutine<Integer> receiver = spawn(() -> channel.receive());
            channel.send(1);
            assertThat(await(receiver)).isEqualTo(1);
        });
    }

    @Test
    void dropped_itsPlaceIsFree() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            for (int i = 0; i < 3; i++) channel.receiveAsync();
            for (int i = 0; i < 1_000 && !channel.isFull(); i++) {
                Garbage.collect();
                delay(1);
                channel.trySend(i);
            }
            assertThat(channel.isFull()).isTrue();
        });
    }

    @Test
    @Tag("deep")
    void onlyItsJdkFutureIsHeld_itIsNotDropped() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            CompletableFuture<Integer> shown = channel.receiveAsync().toCompletableFuture();
            for (int i = 0; i < 10; i++) {
                Garbage.collect();
                delay(1);
            }
            channel.send(7);
            assertThat(await(shown)).isEqualTo(7);
        });
    }

    @Test
    @Tag("Ch8")
    void closedWhileAReceiverIsOwedAValue_theFutureBehindItWaitsForTheOutcome() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Coroutine<Integer> owed = spawn(() -> channel.receive());
            suspend();
            Future<Integer> behind = channel.receiveAsync();
            channel.send(1);
            channel.close();
            owed.cancel();
            assertThat(await(behind)).isEqualTo(1);
        });
    }

    @Test
    @Tag("E13")
    void pending_saysWhereItReceives() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(3);
            Future<Integer> future = channel.receiveAsync();
            assertThat(future.awaitingInfo())
                    .singleElement()
                    .asString()
                    .startsWith("future created ChannelFutureTest.java:")
                    .endsWith(", pending, receives from channel (0/3, 1 receiver)");
            channel.send(1);
            assertThat(await(future)).isEqualTo(1);
        });
    }

    @Test
    @Tag("Ch2")
    void completed_givesItsSlotToASenderInLine() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            Future<Integer> future = channel.receiveAsync();
            for (int i = 1; i <= 2; i++) channel.send(i);
            assertThat(channel.toString()).isEqualTo("channel (1/1)");
            assertThat(await(future)).isEqualTo(1);
            assertThat(channel.receive()).isEqualTo(2);
        });
    }
}
