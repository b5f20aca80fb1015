package org.trueasync.internal.threads;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;

import java.util.ArrayDeque;
import java.util.ArrayList;
import java.util.Random;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.ThreadChannelException;

/**
 * The lines of a channel between threads, by calls that have found its gate occupied: they begin as waits, whatever is
 * there.
 */
class ThreadChannelLinesTest {
    private final ThreadChannelCore channel = new ThreadChannelCore(2, null);

    private SendWaiter sends(Object value) {
        var sender = new SendWaiter(channel, null, value);
        sender.run();
        return sender;
    }

    private ReceiveWaiter receives() {
        var receiver = new ReceiveWaiter(channel, null);
        receiver.run();
        return receiver;
    }

    private Object received() {
        return channel.receive(null);
    }

    @Test
    @Tag("T10")
    void senderWithRoom_isInTheBufferWithItsValue() {
        SendWaiter a = sends("a");
        assertThat(channel.size()).isEqualTo(1);
        assertThat(a.isOffered()).isTrue();
        assertThat(received()).isEqualTo("a");
        assertThat(a.takeBack()).isFalse();
        assertThat(channel.size()).isZero();
    }

    @Test
    @Tag("T10")
    void senderBesideAReceiverInLine_servesIt() {
        ReceiveWaiter first = receives();
        ReceiveWaiter second = receives();
        SendWaiter a = sends("a");
        assertThat(a.isOffered()).isFalse();
        assertThat(first.value()).isEqualTo("a");
        assertThat(channel.trySend("b")).isTrue();
        assertThat(second.value()).isEqualTo("b");
        assertThat(second.number()).isEqualTo(first.number() + 1);
        assertThat(channel.size()).isZero();
    }

    @Test
    @Tag("F36")
    void senderThatHasLeftBefore_leavesNothingAndTakesNobodysTurn() {
        var gone = new SendWaiter(channel, null, "gone");
        assertThat(gone.takeBack()).isTrue();
        ReceiveWaiter first = receives();
        gone.run();
        channel.begin(gone); // as if it left at this moment
        assertThat(channel.trySend("a")).isTrue();
        assertThat(first.value()).isEqualTo("a");
        assertThat(channel.size()).isZero();
    }

    @Test
    @Tag("F36")
    void sendersInTheBufferThatHaveLeft_arePassedOver() {
        SendWaiter a = sends("a");
        SendWaiter b = sends("b");
        SendWaiter c = sends("c");
        SendWaiter d = sends("d");
        assertThat(a.takeBack()).isTrue();
        assertThat(c.takeBack()).isTrue();
        assertThat(received()).isEqualTo("b");
        assertThat(b.takeBack()).isFalse();
        assertThat(received()).isEqualTo("d");
        assertThat(d.takeBack()).isFalse();
        channel.close();
        assertThatThrownBy(this::received).isInstanceOf(ThreadChannelException.class);
    }

    @Test
    @Tag("F36")
    void senderWithdrawnFromTheBuffer_makesRoomForTheNextInLine() {
        for (int gone = 0; gone < 2; gone++) {
            for (int before = 0; before < 3; before++) {
                for (int i = 0; i < before; i++) {
                    channel.trySend("filler");
                    received();
                }
                SendWaiter[] two = {sends("0"), sends("1")};
                SendWaiter next = sends("next");
                assertThat(two[gone].takeBack()).isTrue();
                two[gone].withdraw();
                assertThat(channel.size()).isEqualTo(2);
                assertThat(received()).isEqualTo(gone == 0 ? "1" : "0");
                assertThat(received()).isEqualTo("next");
                assertThat(next.takeBack()).isFalse();
                assertThat(channel.size()).isZero();
            }
        }
    }

    @Test
    @Tag("F36")
    void senderWithdrawnFromTheBuffer_leavesRoom() {
        SendWaiter a = sends("a");
        sends("b");
        assertThat(a.takeBack()).isTrue();
        a.withdraw();
        assertThat(channel.size()).isEqualTo(1);
        assertThat(channel.trySend("c")).isTrue();
        assertThat(received()).isEqualTo("b");
        assertThat(received()).isEqualTo("c");
    }

    @Test
    @Tag("F36")
    void senderWhoseValueWasTaken_isNotWithdrawn() {
        SendWaiter a = sends("a");
        assertThat(received()).isEqualTo("a");
        a.withdraw();
        assertThat(channel.trySend("b")).isTrue();
        assertThat(channel.size()).isEqualTo(1);
        assertThat(received()).isEqualTo("b");
    }

    @Test
    @Tag("F2")
    void receiverBesideAReturnedValue_hasItWithItsPlace() {
        ReceiveWaiter first = receives();
        ReceiveWaiter second = receives();
        channel.trySend("a");
        channel.trySend("b");
        second.withdraw();
        first.withdraw();
        ReceiveWaiter late = receives();
        assertThat(late.value()).isEqualTo("a");
        assertThat(late.number()).isEqualTo(first.number());
        late.withdraw();
        assertThat(received()).isEqualTo("a");
        assertThat(received()).isEqualTo("b");
    }

    @Test
    @Tag("F2")
    void receiverThatLeaves_itsValueGoesToTheNextInLineWithItsPlace() {
        ReceiveWaiter first = receives();
        ReceiveWaiter second = receives();
        ReceiveWaiter third = receives();
        channel.trySend("a");
        channel.trySend("b");
        first.withdraw();
        assertThat(third.value()).isEqualTo("a");
        third.withdraw();
        second.withdraw();
        assertThat(received()).isEqualTo("a");
        assertThat(received()).isEqualTo("b");
        third.withdraw(); // again: it has nothing any more
        channel.close();
        assertThatThrownBy(this::received).isInstanceOf(ThreadChannelException.class);
    }

    @Test
    @Tag("F2")
    void receiverBesideABuffer_countsAsOthersDo() {
        channel.trySend("a");
        channel.trySend("b");
        assertThat(received()).isEqualTo("a");
        ReceiveWaiter b = receives();
        assertThat(b.value()).isEqualTo("b");
        ReceiveWaiter c = receives();
        channel.trySend("c");
        c.withdraw();
        b.withdraw();
        assertThat(received()).isEqualTo("b");
        assertThat(received()).isEqualTo("c");
    }

    @Test
    @Tag("T11")
    void afterTheClose_theBufferIsDrainedAndEverybodyElseRefused() {
        channel.trySend("a");
        channel.close();
        SendWaiter late = sends("late");
        assertThat(late.isRefused()).isTrue();
        assertThat(late.takeBack()).isTrue();
        ReceiveWaiter first = receives();
        assertThat(first.isRefused()).isFalse();
        assertThat(first.value()).isEqualTo("a");
        assertThat(receives().isRefused()).isTrue();
    }

    @Test
    @Tag("T10")
    void bufferThatGrowsAndGoesRound_keepsTheOrder() {
        for (int seed = 0; seed < 100; seed++) {
            var random = new Random(seed);
            int capacity = 1 + random.nextInt(70);
            var buffered = new ThreadChannelCore(capacity, null);
            var expected = new ArrayDeque<Integer>();
            var seen = new ArrayList<Object>();
            for (int i = 0; i < 500; i++) {
                if (random.nextInt(5) < 3) {
                    assertThat(buffered.trySend(i)).as("seed " + seed).isEqualTo(expected.size() < capacity);
                    if (expected.size() < capacity) expected.add(i);
                } else if (!expected.isEmpty()) {
                    seen.add(buffered.receive(null));
                    assertThat(seen.getLast()).as("seed " + seed).isEqualTo(expected.poll());
                }
                assertThat(buffered.size()).as("seed " + seed).isEqualTo(expected.size());
            }
        }
    }

    @Test
    @Tag("T10")
    void trySendBesideACallThatIsLeft_comesAfterIt() {
        channel.gate.enqueue(new SendWaiter(channel, null, "left"));
        assertThat(channel.trySend("late")).isTrue();
        assertThat(received()).isEqualTo("left");
        assertThat(received()).isEqualTo("late");
    }

    @Test
    @Tag("T10")
    void senderThatHasFoundTheGateOccupiedAndThenRoom_goesOn() {
        new SendWaiter(channel, null, "a").call(channel.gate, null);
        assertThat(channel.size()).isEqualTo(1);
        assertThat(received()).isEqualTo("a");
    }

    @Test
    @Tag("F2")
    void receiverWhoseRunHasEnded_givesItsValueBack() {
        channel.trySend("a");
        channel.trySend("b");
        var gone = new ReceiveWaiter(channel, null);
        gone.call(channel.gate, null);
        assertThat(gone.value()).isEqualTo("a");
        gone.orphaned();
        assertThat(received()).isEqualTo("a");
        assertThat(received()).isEqualTo("b");
    }

    @Test
    void callThatCanNotBegin_failsAndTheGateIsFree() {
        var failing = new ThreadWaiter(null) {
            @Override
            void begin() {
                throw new IllegalStateException("planned");
            }

            @Override
            void withdraw() {}
        };
        assertThatThrownBy(() -> failing.call(channel.gate, null)).hasMessage("planned");
        assertThat(channel.trySend("a")).isTrue();
    }
}
