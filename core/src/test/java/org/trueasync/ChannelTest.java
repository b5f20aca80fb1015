package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.util.ArrayList;
import java.util.List;
import org.jspecify.annotations.Nullable;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class ChannelTest {
    @Test
    @Tag("Ch1")
    void capacityNegative_isRefused() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> new Channel<Integer>(-1))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining(">= 0, got -1");
            assertThatThrownBy(() -> Channel.<Integer>builder().capacity(-3).build())
                    .isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    @Tag("Ch1")
    void capacity_neverChanges() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(2);
            assertThat(channel.capacity()).isEqualTo(2);
            channel.send(1);
            channel.send(2);
            assertThat(channel.capacity()).isEqualTo(2);
            channel.close();
            assertThat(channel.capacity()).isEqualTo(2);
            assertThat(new Channel<Integer>().capacity()).isZero();
        });
    }

    @Test
    @Tag("Ch1")
    void nullValue_isAValue() {
        TestRuntime.run(() -> {
            var buffered = new Channel<@Nullable String>(2);
            buffered.send(null);
            assertThat(buffered.size()).isEqualTo(1);
            assertThat(buffered.receive()).isNull();
            var meeting = new Channel<@Nullable String>();
            spawn(() -> meeting.send(null));
            assertThat(meeting.receive()).isNull();
            Coroutine<?> receiver = spawn(() -> assertThat(meeting.receive()).isNull());
            suspend();
            meeting.send(null);
            await(receiver);
            var seen = new ArrayList<@Nullable String>();
            buffered.send(null);
            buffered.close();
            for (String value : buffered) seen.add(value);
            assertThat(seen).containsExactly((String) null);
        });
    }

    @Test
    @Tag("Ch1")
    void createdOutsideOfARuntime_saysSo() {
        assertThatThrownBy(() -> new Channel<Integer>())
                .isInstanceOf(AsyncException.class)
                .hasMessageContaining("new Channel called")
                .hasMessageContaining("Async.run");
    }

    @Test
    @Tag("Ch2")
    void bufferedSend_waitsOnlyWhenFull() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(2);
            var sent = new ArrayList<Integer>();
            spawn(() -> {
                for (int i = 1; i <= 4; i++) {
                    channel.send(i);
                    sent.add(i);
                }
            });
            suspend();
            assertThat(sent).containsExactly(1, 2);
            assertThat(channel.isFull()).isTrue();
            assertThat(channel.receive()).isEqualTo(1);
            suspend();
            assertThat(sent).containsExactly(1, 2, 3);
            assertThat(List.of(channel.receive(), channel.receive(), channel.receive()))
                    .containsExactly(2, 3, 4);
        });
    }

    @Test
    @Tag("Ch2")
    void bufferedReceive_waitsOnlyWhenEmpty() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            channel.send(7);
            RuntimeStats stats =
                    TestRuntime.counting(() -> assertThat(channel.receive()).isEqualTo(7));
            assertThat(stats.directSwitches() + stats.schedulerSwitches()).isZero();
            var received = new ArrayList<Integer>();
            spawn(() -> received.add(channel.receive()));
            suspend();
            assertThat(received).isEmpty();
            channel.send(8);
            suspend();
            assertThat(received).containsExactly(8);
        });
    }

    @Test
    @Tag("Ch2")
    @Tag("F4")
    void receiverInTheMiddleLeaves_theOthersKeepTheirOrder() {
        TestRuntime.run(() -> {
            for (int capacity = 0; capacity < 3; capacity++) {
                var channel = new Channel<Integer>(capacity);
                var log = new ArrayList<String>();
                var receivers = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 6; i++) {
                    int number = i;
                    receivers.add(spawn(() -> log.add(number + " got " + channel.receive())));
                }
                suspend();
                receivers.get(2).cancel();
                receivers.get(3).cancel();
                suspend();
                for (int i = 0; i < 4; i++) channel.send(i);
                for (Coroutine<?> receiver : receivers) if (!receiver.isCancelled()) await(receiver);
                assertThat(log).containsExactly("0 got 0", "1 got 1", "4 got 2", "5 got 3");
            }
        });
    }

    @Test
    @Tag("Ch2")
    @Tag("F4")
    void senderInTheMiddleLeaves_theOthersKeepTheirOrder() {
        TestRuntime.run(() -> {
            for (int capacity = 0; capacity < 3; capacity++) {
                var channel = new Channel<Integer>(capacity);
                for (int i = 0; i < capacity; i++) channel.send(-1);
                var senders = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 6; i++) {
                    int number = i;
                    senders.add(spawn(() -> channel.send(number)));
                }
                suspend();
                senders.get(1).cancel();
                senders.get(4).cancel();
                suspend();
                for (int i = 0; i < capacity; i++) channel.receive();
                assertThat(List.of(channel.receive(), channel.receive(), channel.receive(), channel.receive()))
                        .containsExactly(0, 2, 3, 5);
            }
        });
    }

    @Test
    @Tag("Ch3")
    void meetingWithAReceiverParked_sendReturnsAtOnce() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            Coroutine<String> receiver = spawn(() -> channel.receive());
            suspend();
            RuntimeStats stats = TestRuntime.counting(() -> channel.send("a"));
            assertThat(stats.directSwitches() + stats.schedulerSwitches()).isZero();
            assertThat(receiver.isQueued()).isTrue();
            assertThat(await(receiver)).isEqualTo("a");
        });
    }

    @Test
    @Tag("Ch3")
    void meetingWithTheReceiverMatched_theNextSenderWaits() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            var log = new ArrayList<String>();
            Coroutine<?> receiver = spawn(() -> log.add("got " + channel.receive()));
            suspend();
            channel.send("a");
            Coroutine<?> sender = spawn(() -> {
                channel.send("b");
                log.add("b sent");
            });
            suspend();
            suspend();
            assertThat(log).containsExactly("got a");
            assertThat(sender.isSuspended()).isTrue();
            log.add("got " + channel.receive());
            await(sender);
            assertThat(log).containsExactly("got a", "got b", "b sent");
            assertThat(receiver.isCompleted()).isTrue();
        });
    }

    @Test
    @Tag("Ch3")
    void meeting_theTakerGoesOnFirst() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            var log = new ArrayList<String>();
            spawn(() -> {
                channel.send("a");
                log.add("sent");
            });
            suspend();
            log.add("got " + channel.receive());
            log.add("taker went on");
            suspend();
            assertThat(log).containsExactly("got a", "taker went on", "sent");
        });
    }

    @Test
    @Tag("Ch4")
    void trySend_neverWaits() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(2);
            assertThat(channel.trySend(1)).isTrue();
            assertThat(channel.trySend(2)).isTrue();
            assertThat(channel.trySend(3)).isFalse();
            assertThat(channel.receive()).isEqualTo(1);
            assertThat(channel.trySend(4)).isTrue();
            channel.close();
            assertThat(channel.trySend(5)).isFalse();
            assertThat(List.of(channel.receive(), channel.receive())).containsExactly(2, 4);
            assertThat(channel.trySend(6)).isFalse();
        });
    }

    @Test
    @Tag("Ch4")
    void trySendWithoutCapacity_leavesOneValueForTheNextReceiver() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            assertThat(channel.trySend("a")).isTrue();
            assertThat(channel.trySend("b")).isFalse();
            assertThat(channel.isFull()).isTrue();
            Coroutine<?> sender = spawn(() -> channel.send("c"));
            suspend();
            assertThat(List.of(channel.receive(), channel.receive())).containsExactly("a", "c");
            await(sender);
        });
    }

    @Test
    @Tag("Ch3")
    @Tag("Ch4")
    void senderBehindAValueLeftWithoutCapacity_waitsUntilItsOwnIsTaken() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            channel.trySend("a");
            Coroutine<?> sender = spawn(() -> channel.send("b"));
            suspend();
            assertThat(channel.receive()).isEqualTo("a");
            suspend();
            assertThat(sender.isSuspended()).isTrue();
            assertThat(channel.receive()).isEqualTo("b");
            suspend();
            assertThat(sender.isCompleted()).isTrue();
        });
    }

    @Test
    @Tag("Ch4")
    void trySendBesideASenderInLine_doesNotPassIt() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            Coroutine<?> sender = spawn(() -> channel.send("a"));
            suspend();
            assertThat(channel.trySend("b")).isFalse();
            assertThat(channel.receive()).isEqualTo("a");
            await(sender);
        });
    }

    @Test
    @Tag("Ch6")
    void size_countsWhatIsPromised() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            Coroutine<Integer> receiver = spawn(() -> channel.receive());
            suspend();
            assertThat(channel.size()).isZero();
            assertThat(channel.isEmpty()).isTrue();
            channel.send(1);
            assertThat(channel.size()).isEqualTo(1);
            assertThat(channel.isEmpty()).isFalse();
            assertThat(channel.isFull()).isTrue();
            assertThat(channel.toString()).isEqualTo("channel (1/1, 1 promised)");
            await(receiver);
            assertThat(channel.isEmpty()).isTrue();
            assertThat(channel.isFull()).isFalse();
        });
    }

    @Test
    @Tag("Ch6")
    void sizeWithoutCapacity_isOneWhileASenderWaits() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            assertThat(channel.isEmpty()).isTrue();
            assertThat(channel.isFull()).isFalse();
            spawn(() -> channel.send(1));
            spawn(() -> channel.send(2));
            suspend();
            assertThat(channel.size()).isEqualTo(1);
            assertThat(channel.isFull()).isTrue();
            channel.receive();
            channel.receive();
            assertThat(channel.isEmpty()).isTrue();
        });
    }

    @Test
    @Tag("Ch16")
    void oneWaiterCancelled_theChannelStaysUsable() {
        TestRuntime.run(() -> {
            for (int capacity = 0; capacity < 2; capacity++) {
                var channel = new Channel<Integer>(capacity);
                Coroutine<Integer> receiver = spawn(() -> channel.receive());
                suspend();
                receiver.cancel();
                suspend();
                assertThat(receiver.isCancelled()).isTrue();
                assertThat(channel.isClosed()).isFalse();
                Coroutine<Integer> other = spawn(() -> channel.receive());
                channel.send(5);
                assertThat(await(other)).isEqualTo(5);
            }
        });
    }

    @Test
    @Tag("Ch8")
    @Tag("F37")
    void tokenFires_theWaitEndsAndTheChannelIsUnchanged() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            assertThatThrownBy(() -> channel.receive(timeout(10)))
                    .isInstanceOf(OperationCanceledException.class)
                    .hasCauseInstanceOf(AsyncTimeoutException.class);
            assertThatThrownBy(() -> channel.send("lost", timeout(10))).isInstanceOf(OperationCanceledException.class);
            assertThat(channel.isEmpty()).isTrue();
            assertThat(channel.toString()).isEqualTo("channel (0/0)");
            assertThat(Async.runtimeStats().timers()).isZero();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    @Tag("F37")
    @Tag("D19")
    void tokenFiredBefore_refusesEveryCallAndHasNoEffect() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>(1);
            Coroutine<?> done = spawn(() -> "done");
            await(done);
            assertThatThrownBy(() -> channel.send("a", done)).isInstanceOf(OperationCanceledException.class);
            assertThatThrownBy(() -> channel.receive(done)).isInstanceOf(OperationCanceledException.class);
            channel.send("b");
            assertThatThrownBy(() -> channel.receive(done)).isInstanceOf(OperationCanceledException.class);
            assertThatThrownBy(() -> channel.send("c", done)).isInstanceOf(OperationCanceledException.class);
            assertThat(channel.receive()).isEqualTo("b");
            assertThat(channel.isEmpty()).isTrue();
        });
    }

    @Test
    @Tag("F37")
    void tokenNeverConsulted_countsAsUsed() {
        TestRuntime runtime = TestRuntime.run(() -> {
            var channel = new Channel<String>(1);
            Coroutine<?> failing = spawn(() -> {
                throw new IllegalStateException("planned");
            });
            channel.send("a", failing);
            delay(1);
            assertThat(channel.receive()).isEqualTo("a");
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    @Tag("E13")
    void waiter_namesTheChannelAndItsState() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(3);
            Coroutine<?> receiver = spawn(() -> channel.receive());
            suspend();
            assertThat(receiver.awaitingInfo()).containsExactly("receive from channel (0/3, 1 receiver)");
            channel.send(1);
            await(receiver);
            for (int i = 0; i < 3; i++) channel.send(i);
            Coroutine<?> sender = spawn(() -> channel.send(4));
            suspend();
            assertThat(sender.awaitingInfo()).containsExactly("send to channel (3/3, 1 sender)");
            channel.receive();
            await(sender);
        });
    }

    @Test
    @Tag("Ch25")
    void noTimeoutsAndNobodyLeft_isADeadlock() {
        Throwable thrown = TestRuntime.failureOf(() -> new Channel<Integer>().receive());
        assertThat(thrown)
                .isInstanceOf(DeadlockError.class)
                .hasMessageContaining("receive from channel (0/0, 1 receiver)");
    }

    @Test
    @Tag("Ch2")
    void sendWhereNothingMayWait_worksIfItNeedNotWait() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            var log = new ArrayList<String>();
            org.trueasync.spi.Microtask.of(() -> {
                        channel.send(1);
                        try {
                            channel.send(2);
                        } catch (AsyncException e) {
                            log.add(String.valueOf(e.getMessage()));
                        }
                    })
                    .enqueue();
            suspend();
            delay(1);
            assertThat(log).singleElement().asString().contains("may not suspend");
            assertThat(channel.receive()).isEqualTo(1);
            assertThat(channel.isEmpty()).isTrue();
            assertThat(channel.toString()).isEqualTo("channel (0/1)");
        });
    }

    @Test
    void calledOnAForeignThread_saysWhose() throws InterruptedException {
        var caught = new ArrayList<Throwable>();
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            Thread foreign = new Thread(() -> {
                try {
                    channel.send(1);
                } catch (AsyncException e) {
                    caught.add(e);
                }
            });
            foreign.start();
            foreign.join();
        });
        assertThat(caught).singleElement().asString().contains("Channel.send called on thread");
    }

    @Test
    @Tag("E13")
    void info_tellsHowManyWaitAndWhatItIsCalled() {
        TestRuntime.run(() -> {
            var channel = Channel.<Integer>builder().name("orders").capacity(1).build();
            assertThat(channel.toString()).isEqualTo("channel 'orders' (0/1)");
            var waiting = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 2; i++) waiting.add(spawn(() -> channel.receive()));
            suspend();
            assertThat(channel.toString()).isEqualTo("channel 'orders' (0/1, 2 receivers)");
            channel.send(1);
            assertThat(channel.toString()).isEqualTo("channel 'orders' (1/1, 1 promised, 1 receiver)");
            channel.send(2);
            for (Coroutine<?> one : waiting) await(one);
            channel.send(3);
            for (int i = 0; i < 2; i++) waiting.add(spawn(() -> channel.send(4)));
            suspend();
            assertThat(channel.toString()).isEqualTo("channel 'orders' (1/1, 2 senders)");
            channel.close();
            assertThatThrownBy(() -> await(waiting.getLast()))
                    .hasMessage("channel 'orders' (1/1) is closed")
                    .hasNoCause();
            assertThatThrownBy(() -> await(waiting.get(2))).isInstanceOf(ChannelException.class);
        });
    }

    @Test
    @Tag("Ch1")
    void everyCallOnAForeignThread_saysWhose() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(2);
            channel.send(1);
            for (Body call : List.<Body>of(
                    () -> channel.send(1),
                    () -> channel.trySend(1),
                    channel::receive,
                    channel::tryReceive,
                    channel::receiveAsync,
                    () -> channel.receive(java.time.Duration.ofMillis(1)),
                    () -> channel.iterator().next(),
                    channel::close)) {
                ThreadTask<?> other = Async.spawnThread(call);
                assertThatThrownBy(() -> await(other)).rootCause().hasMessageContaining("called on thread");
            }
            assertThat(channel.toString()).isEqualTo("channel (1/2)");
            assertThat(channel.isClosed()).isFalse();
            var empty = new Channel<Integer>(1);
            ThreadTask<?> late = Async.spawnThread(() -> empty.receive(java.time.Duration.ZERO));
            assertThatThrownBy(() -> await(late)).rootCause().hasMessageContaining("Channel.receive called on thread");
        });
    }

    @Test
    @Tag("Ch4")
    void tryReceive_neverWaits() {
        TestRuntime.run(() -> {
            var channel = new Channel<@Nullable String>();
            assertThat(channel.tryReceive().isPresent()).isFalse();
            Coroutine<?> sender = spawn(() -> channel.send(null));
            suspend();
            assertThat(channel.tryReceive().isPresent()).isTrue();
            assertThat(channel.tryReceive().isPresent()).isFalse();
            await(sender);
        });
    }
}
