package org.trueasync.cluster;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.io.Serializable;
import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.TreeSet;
import java.util.stream.IntStream;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.ChannelException;
import org.trueasync.CloseReason;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;
import org.trueasync.OperationCanceledException;
import org.trueasync.Received;

/** Channels between two members of one process. */
class ClusterChannelTest extends PairTest {
    @Test
    void valuesOfOneSender_comeInOrder_acrossAFullChannel() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Integer> here = one.channel("order", 4);
            ClusterChannel<Integer> there = other.channel("order", 4);
            spawn(() -> {
                for (int i = 0; i < 200; i++) here.send(i);
                here.close();
            });
            List<Integer> got = new ArrayList<>();
            for (int value : there) got.add(value);
            assertThat(got).isEqualTo(IntStream.range(0, 200).boxed().toList());
        });
    }

    @Test
    void fullChannel_sendersWait_andGoOnInTheOrderOfTheirCalls() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<String> here = one.channel("full", 2);
            ClusterChannel<String> there = other.channel("full", 2);
            here.send("a");
            here.send("b");
            assertThat(there.isFull()).isTrue();
            assertThat(here.trySend("no room")).isFalse();
            var third = spawn(() -> here.send("c"));
            var fourth = spawn(() -> here.send("d"));
            assertThatThrownBy(() -> await(third, timeout(100))).isInstanceOf(OperationCanceledException.class);
            assertThat(there.receive()).isEqualTo("a");
            await(third);
            assertThat(fourth.isCompleted()).isFalse();
            assertThat(there.receive()).isEqualTo("b");
            await(fourth);
            assertThat(there.size()).isEqualTo(2);
            assertThat(List.of(there.receive(), there.receive())).containsExactly("c", "d");
            assertThat(there.tryReceive()).isEqualTo(Received.nothing());
        });
    }

    @Test
    void tenThousandWait_withoutAThreadForEach() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Integer> here = one.channel("many", 100);
            ClusterChannel<Integer> there = other.channel("many", 100);
            int count = 10_000;
            var got = new TreeSet<Integer>();
            List<Coroutine<?>> receivers = new ArrayList<>();
            for (int i = 0; i < count; i++) receivers.add(spawn(() -> got.add(there.receive())));
            suspend();
            int threads = Thread.activeCount();
            List<Coroutine<?>> senders = new ArrayList<>();
            for (int i = 0; i < count; i++) {
                int value = i;
                senders.add(spawn(() -> here.send(value)));
            }
            for (var each : senders) await(each);
            for (var each : receivers) await(each);
            assertThat(got).hasSize(count);
            assertThat(Thread.activeCount()).isLessThan(threads + 10);
        });
    }

    @Test
    void cancelledReceiver_losesNoValue_theNextOneOfAnyMemberGetsIt() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Integer> here = one.channel("leaving", 8);
            ClusterChannel<Integer> there = other.channel("leaving", 8);
            for (int round = 0; round < 30; round++) {
                var leaving = spawn(() -> there.receive());
                suspend();
                int value = round;
                var sender = spawn(() -> here.send(value));
                for (int i = 0; i < round % 6; i++) suspend();
                leaving.cancel();
                await(sender);
                int got;
                try {
                    got = await(leaving);
                } catch (AsyncCancellation e) {
                    got = here.receive();
                }
                assertThat(got).isEqualTo(value);
            }
            assertThat(here.size()).isZero();
        });
    }

    @Test
    void receiverCancelledAfterItsValueWasGiven_valueGoesBackInFront() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Integer> here = one.channel("back", 8);
            ClusterChannel<Integer> there = other.channel("back", 8);
            var first = spawn(() -> there.receive());
            // cancelled by a callback of the same tick that gives it its value
            var second = spawn(() -> {
                int value = there.receive();
                return value;
            });
            suspend();
            here.send(1);
            here.send(2);
            here.send(3);
            first.cancel();
            List<Integer> all = new ArrayList<>();
            try {
                all.add(await(first));
            } catch (AsyncCancellation e) {
                assertThat(first.isCancelled()).isTrue();
            }
            all.add(await(second));
            while (all.size() < 3) all.add(here.receive(Duration.ofSeconds(20)));
            assertThat(all).containsExactlyInAnyOrder(1, 2, 3);
        });
    }

    @Test
    void cancelledSender_hasNotSent_orHas() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Integer> here = one.channel("unsent", 1);
            ClusterChannel<Integer> there = other.channel("unsent", 1);
            here.send(0);
            var waiting = spawn(() -> here.send(1));
            var behind = spawn(() -> here.send(2));
            assertThatThrownBy(() -> await(waiting, timeout(50))).isInstanceOf(OperationCanceledException.class);
            waiting.cancel("not any more");
            assertThatThrownBy(() -> await(waiting)).isInstanceOf(AsyncCancellation.class);
            assertThat(there.receive()).isEqualTo(0);
            assertThat(there.receive()).isEqualTo(2);
            await(behind);

            // under way: a send that returns has sent, one that throws has not
            int sent = 0;
            for (int i = 0; i < 20; i++) {
                int turns = i % 5;
                var returned = new boolean[1];
                var sender = spawn(() -> {
                    here.send(7);
                    returned[0] = true;
                });
                for (int k = 0; k < turns; k++) suspend();
                sender.cancel();
                try {
                    await(sender);
                } catch (AsyncCancellation e) {
                    // as asked for
                }
                assertThat(there.tryReceive().isPresent()).as("round %d", i).isEqualTo(returned[0]);
                if (returned[0]) sent++;
            }
            assertThat(sent).isPositive();
        });
    }

    @Test
    void receiveThatWasGivenUp_drawsNoValueOfTheSameMember() throws Exception {
        pair.test((one, other) -> {
            for (String name : List.of("given up 1", "given up 2", "given up 3")) {
                ClusterChannel<Integer> here = one.channel(name, 1);
                assertThatThrownBy(() -> here.receive(timeout(20))).isInstanceOf(OperationCanceledException.class);
                assertThat(here.trySend(1)).isTrue();
                assertThat(here.trySend(2)).as("it is full").isFalse();
                assertThat(here.tryReceive()).isEqualTo(Received.of(1));
                assertThatThrownBy(() -> here.receive(timeout(20))).isInstanceOf(OperationCanceledException.class);
                here.send(3);
                assertThatThrownBy(() -> here.send(4, timeout(20))).isInstanceOf(OperationCanceledException.class);
                assertThatThrownBy(() -> other.channel(name, 1).send(5, timeout(20)))
                        .isInstanceOf(OperationCanceledException.class);
                assertThat(here.tryReceive()).isEqualTo(Received.of(3));
            }
        });
    }

    @Test
    void tokens_endWaits_andSpentOnesRefuse() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Integer> here = one.channel("tokens", 1);
            assertThatThrownBy(() -> here.receive(timeout(30))).isInstanceOf(OperationCanceledException.class);
            here.send(1);
            assertThatThrownBy(() -> here.send(2, timeout(30))).isInstanceOf(OperationCanceledException.class);
            var spent = new FutureState<Boolean>();
            spent.complete(true);
            assertThatThrownBy(() -> here.receive(spent.future())).isInstanceOf(OperationCanceledException.class);
            assertThat(here.tryReceive()).isEqualTo(Received.of(1));
            assertThatThrownBy(() -> here.send(3, spent.future())).isInstanceOf(OperationCanceledException.class);
            assertThat(here.isEmpty()).isTrue();
        });
    }

    @Test
    void closedWhileAllWait_rest_thenReason_everywhere() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Integer> here = one.channel("closing", 1);
            ClusterChannel<Integer> there = other.channel("closing", 1);
            here.send(1);
            var sender = spawn(() -> here.send(2));
            assertThatThrownBy(() -> await(sender, timeout(50))).isInstanceOf(OperationCanceledException.class);
            there.close("no more orders");
            here.close("too late");
            assertThatThrownBy(() -> await(sender))
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("no more orders");
            assertThat(here.isClosed()).isTrue();
            assertThat(there.receive()).isEqualTo(1);
            assertThatThrownBy(there::receive)
                    .isInstanceOfSatisfying(
                            ChannelException.class, e -> assertThat(e.reason()).isEqualTo(CloseReason.EXPLICIT));
            assertThatThrownBy(() -> there.send(3)).isInstanceOf(ChannelException.class);
            assertThat(here.trySend(3)).isFalse();
            assertThat(here).isEmpty();

            ClusterChannel<Integer> empty = one.channel("closing-empty", 1);
            ClusterChannel<Integer> emptyThere = other.channel("closing-empty", 1);
            var receiver = spawn(() -> emptyThere.receive());
            assertThatThrownBy(() -> await(receiver, timeout(50))).isInstanceOf(OperationCanceledException.class);
            empty.close();
            assertThatThrownBy(() -> await(receiver)).isInstanceOf(ChannelException.class);
        });
    }

    @Test
    void cancellationThatIsDue_doesNotKeepItOpen() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Integer> here = one.channel("due");
            var cancelled = spawn(() -> {
                try (here) {
                    Async.currentCoroutine().cancel();
                }
            });
            assertThatThrownBy(() -> await(cancelled)).isInstanceOf(AsyncCancellation.class);
            assertThat(other.channel("due").isClosed()).isTrue();
        });
    }

    @Test
    void valueThatCannotBeSerialised_isRefusedBySend_nothingIsSent() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Object> here = one.channel("unserialisable", 4);
            assertThatThrownBy(() -> here.send(new Holder(new Thread())))
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("nothing was sent")
                    .hasMessageContaining("java.lang.Thread")
                    .hasMessageContaining(Holder.class.getName());
            assertThat(here.size()).isZero();
            here.send(null);
            assertThat(here.receive()).isNull();
        });
    }

    @Test
    void classThatIsNotAllowed_isNamed_andTheNextValueComes() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Object> here = one.channel("forbidden", 4);
            here.send(new javax.swing.event.EventListenerList());
            here.send(List.of(new Holder("text"), new int[][] {{1}}, "x"));
            assertThatThrownBy(here::receive)
                    .isInstanceOf(ClusterException.class)
                    .hasMessageContaining("javax.swing.event.EventListenerList");
            assertThat(here.receive())
                    .asInstanceOf(org.assertj.core.api.InstanceOfAssertFactories.LIST)
                    .contains("x");
        });
    }

    @Test
    void capacities_mustAgree() throws Exception {
        pair.test((one, other) -> {
            one.channel("capacity", 3);
            assertThatThrownBy(() -> other.channel("capacity", 4))
                    .isInstanceOf(ClusterException.class)
                    .hasMessage(
                            "cluster channel 'capacity' has room for 3 values, not for 4; all members must ask for the"
                                    + " same");
            assertThatThrownBy(() -> one.channel("capacity", 0)).isInstanceOf(IllegalArgumentException.class);
        });
    }

    @Test
    void slowConsumer_holdsUpOnlyTheSender() throws Exception {
        pair.test((one, other) -> {
            ClusterChannel<Integer> here = one.channel("slow", 2);
            ClusterChannel<Integer> there = other.channel("slow", 2);
            var sent = new int[1];
            var sender = spawn(() -> {
                for (int i = 0; i < 12; i++) {
                    here.send(i);
                    sent[0] = i + 1;
                }
            });
            for (int i = 0; i < 12; i++) {
                assertThat(there.receive()).isEqualTo(i);
                delay(3);
                assertThat(sent[0]).isLessThanOrEqualTo(i + 4);
            }
            await(sender);
        });
    }

    record Holder(Object held) implements Serializable {}
}
