package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class ChannelReservationTest {
    @Test
    @Tag("Ch7")
    @Tag("F3")
    void valueOfAWokenReceiver_isNobodyElses() {
        TestRuntime.run(() -> {
            for (int capacity = 0; capacity < 2; capacity++) {
                var channel = new Channel<String>(capacity);
                var log = new ArrayList<String>();
                Coroutine<?> receiver = spawn(() -> log.add("first got " + channel.receive()));
                suspend();
                channel.send("a");
                Coroutine<?> late =
                        spawn(() -> log.add("late got " + channel.receive())).asHighPriority();
                suspend();
                assertThat(log).containsExactly("first got a");
                channel.send("b");
                await(late);
                await(receiver);
                assertThat(log).containsExactly("first got a", "late got b");
            }
        });
    }

    @Test
    @Tag("Ch7")
    @Tag("F3")
    void slotOfAWokenSender_isNobodyElses() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>(1);
            channel.send("a");
            Coroutine<?> sender = spawn(() -> channel.send("b"));
            suspend();
            assertThat(channel.receive()).isEqualTo("a");
            assertThat(sender.isQueued()).isTrue();
            assertThat(channel.trySend("c")).isFalse();
            Coroutine<?> late = spawn(() -> channel.send("d")).asHighPriority();
            suspend();
            assertThat(late.isSuspended()).isTrue();
            assertThat(List.of(channel.receive(), channel.receive())).containsExactly("b", "d");
            await(sender);
            await(late);
        });
    }

    @Test
    @Tag("Ch7")
    void iteratorBesideAWokenReceiver_doesNotTakeItsValue() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(2);
            Coroutine<Integer> receiver = spawn(() -> channel.receive());
            suspend();
            channel.send(1);
            channel.send(2);
            channel.close();
            var seen = new ArrayList<Integer>();
            for (int value : channel) seen.add(value);
            assertThat(seen).containsExactly(2);
            assertThat(await(receiver)).isEqualTo(1);
        });
    }

    @Test
    @Tag("Ch8")
    @Tag("F2")
    void wokenReceiverCancelled_theNextInLineGetsTheValue() {
        TestRuntime.run(() -> {
            for (int capacity = 0; capacity < 2; capacity++) {
                var channel = new Channel<String>(capacity);
                Coroutine<String> first = spawn(() -> channel.receive());
                Coroutine<String> second = spawn(() -> channel.receive());
                suspend();
                channel.send("a");
                first.cancel();
                assertThat(await(second)).isEqualTo("a");
                assertThat(first.isCancelled()).isTrue();
                assertThat(channel.isEmpty()).isTrue();
            }
        });
    }

    @Test
    @Tag("Ch8")
    @Tag("Ch9")
    @Tag("F2")
    void wokenReceiverCancelledWithNobodyInLine_theValueIsFreeAgain() {
        TestRuntime.run(() -> {
            for (int capacity = 0; capacity < 2; capacity++) {
                var channel = new Channel<String>(capacity);
                Coroutine<String> first = spawn(() -> channel.receive());
                suspend();
                channel.send("a");
                first.cancel();
                suspend();
                assertThat(first.isCancelled()).isTrue();
                assertThat(channel.size()).isEqualTo(1);
                assertThat(channel.toString()).isEqualTo("channel (1/" + capacity + ")");
                channel.close();
                assertThat(channel.receive()).isEqualTo("a");
                assertThatThrownBy(channel::receive).isInstanceOf(ChannelException.class);
            }
        });
    }

    @Test
    @Tag("Ch8")
    @Tag("Ch2")
    void valuesGivenBackInAnyOrder_comeOutInTheOrderOfSending() {
        TestRuntime.run(() -> {
            for (int capacity : new int[] {0, 8}) {
                var channel = new Channel<Integer>(capacity);
                var receivers = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 4; i++)
                    receivers.add(spawn(() -> channel.receive()).asHighPriority());
                suspend();
                for (int i = 0; i < 4; i++) channel.send(i);
                channel.trySend(4);
                for (int i : new int[] {1, 3, 0, 2}) receivers.get(i).cancel();
                delay(1);
                int left = channel.size();
                assertThat(left).isEqualTo(capacity == 0 ? 4 : 5);
                for (int i = 0; i < left; i++) assertThat(channel.receive()).isEqualTo(i);
            }
        });
    }

    @Test
    @Tag("Ch8")
    @Tag("F2")
    void wokenSenderCancelled_takesItsValueBackAndTheNextGetsTheSlot() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>(1);
            channel.send("a");
            Coroutine<?> first = spawn(() -> channel.send("b"));
            Coroutine<?> second = spawn(() -> channel.send("c"));
            suspend();
            assertThat(channel.receive()).isEqualTo("a");
            first.cancel();
            await(second);
            assertThat(first.isCancelled()).isTrue();
            assertThat(channel.receive()).isEqualTo("c");
            assertThat(channel.isEmpty()).isTrue();
        });
    }

    @Test
    @Tag("Ch8")
    void wokenSenderCancelledWithNobodyInLine_theSlotIsFreeAgain() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>(1);
            channel.send("a");
            Coroutine<?> first = spawn(() -> channel.send("b"));
            suspend();
            assertThat(channel.receive()).isEqualTo("a");
            first.cancel();
            suspend();
            assertThat(channel.isEmpty()).isTrue();
            assertThat(channel.trySend("c")).isTrue();
            assertThat(channel.receive()).isEqualTo("c");
        });
    }

    @Test
    @Tag("Ch8")
    @Tag("F2")
    void tokenFiresAfterTheWake_theValueGoesOn() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            var token = spawn(() -> delay(1_000_000));
            Coroutine<String> first = spawn(() -> {
                try {
                    return channel.receive(token);
                } catch (OperationCanceledException e) {
                    return "gave up";
                }
            });
            Coroutine<String> second = spawn(() -> channel.receive());
            suspend();
            channel.send("a");
            // its subscriptions have ended with the wake: the token is too late
            token.cancel();
            delay(1);
            assertThat(first.result()).isEqualTo("a");
            channel.send("b");
            assertThat(await(second)).isEqualTo("b");
        });
    }

    @Test
    @Tag("Ch9")
    @Tag("F36")
    void senderThatThrows_leavesNoValueBehind() {
        TestRuntime.run(() -> {
            for (int capacity = 0; capacity < 2; capacity++) {
                var channel = new Channel<String>(capacity);
                for (int i = 0; i < capacity; i++) channel.send("filler");
                Coroutine<?> cancelled = spawn(() -> channel.send("cancelled"));
                suspend();
                cancelled.cancel();
                suspend();
                assertThatThrownBy(() -> channel.send("given up", Async.timeout(5)))
                        .isInstanceOf(OperationCanceledException.class);
                Coroutine<?> refused = spawn(() -> channel.send("refused"));
                suspend();
                channel.close();
                assertThatThrownBy(() -> await(refused)).isInstanceOf(ChannelException.class);
                for (int i = 0; i < capacity; i++) assertThat(channel.receive()).isEqualTo("filler");
                assertThatThrownBy(channel::receive).isInstanceOf(ChannelException.class);
            }
        });
    }

    @Test
    @Tag("Ch9")
    void senderCancelledAfterItsValueWasTaken_hasSentAndIsCancelledAtItsNextWait() {
        TestRuntime.run(() -> {
            for (int capacity = 0; capacity < 2; capacity++) {
                var channel = new Channel<String>(capacity);
                for (int i = 0; i < capacity; i++) channel.send("filler");
                var log = new ArrayList<String>();
                Coroutine<?> sender = spawn(() -> {
                    channel.send("a");
                    log.add("sent");
                    try {
                        delay(1);
                    } catch (AsyncCancellation e) {
                        log.add("cancelled: " + e.getMessage());
                        throw e;
                    }
                });
                suspend();
                for (int i = 0; i < capacity; i++) channel.receive();
                assertThat(channel.receive()).isEqualTo("a");
                sender.cancel(new AsyncCancellation("why"));
                suspend();
                assertThat(log).containsExactly("sent", "cancelled: why");
                delay(1);
                assertThat(sender.isCancelled()).isTrue();
            }
        });
    }

    @Test
    @Tag("Ch9")
    void valueTaken_theSendSucceedsThoughTheChannelCloses() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            Coroutine<String> sender = spawn(() -> {
                channel.send("a");
                return "sent";
            });
            suspend();
            assertThat(channel.receive()).isEqualTo("a");
            channel.close();
            assertThat(await(sender)).isEqualTo("sent");
        });
    }

    @Test
    @Tag("Ch9")
    void slotGivenBeforeTheClose_theSendSucceedsAndItsValueCanBeReceived() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>(1);
            channel.send("a");
            Coroutine<String> sender = spawn(() -> {
                channel.send("b");
                return "sent";
            });
            suspend();
            assertThat(channel.receive()).isEqualTo("a");
            channel.close();
            assertThat(await(sender)).isEqualTo("sent");
            assertThat(channel.receive()).isEqualTo("b");
        });
    }

    @Test
    @Tag("Ch10")
    void takingFromAMeeting_newcomerDoesNotSlipBetween() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            var log = new ArrayList<String>();
            for (String name : List.of("a", "b"))
                spawn(() -> {
                    channel.send(name);
                    log.add(name + " sent");
                });
            suspend();
            assertThat(channel.receive()).isEqualTo("a");
            assertThat(channel.trySend("newcomer")).isFalse();
            spawn(() -> channel.send("late")).asHighPriority();
            suspend();
            assertThat(List.of(channel.receive(), channel.receive())).containsExactly("b", "late");
            delay(1);
            assertThat(log).containsExactly("a sent", "b sent");
        });
    }

    @Test
    @Tag("Ch8")
    void promisedReceiverOfAClosedChannelLeaves_whoeverWaitsInherits() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            Coroutine<String> first = spawn(() -> channel.receive());
            Coroutine<String> second = spawn(() -> channel.receive());
            suspend();
            channel.send("a");
            channel.close();
            Coroutine<String> third = spawn(() -> channel.receive());
            first.cancel();
            assertThat(await(second)).isEqualTo("a");
            assertThatThrownBy(() -> await(third)).isInstanceOf(ChannelException.class);
        });
    }
}
