package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.random.RandomGenerator;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Channel;
import org.trueasync.ChannelException;
import org.trueasync.Coroutine;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;

@Tag("sized")
class ChannelRacesTest {
    /** Some who send, some who receive, some who leave, and one who comes in between; what has come of it. */
    private static final class Market {
        final RandomGenerator random = Schedules.random();
        final int capacity = random.nextInt(3);
        final Channel<Integer> channel = new Channel<>(capacity);
        final List<Integer> sent = new ArrayList<>();
        final List<Integer> received = new ArrayList<>();
        final List<Coroutine<?>> senders = new ArrayList<>();
        final List<Coroutine<?>> receivers = new ArrayList<>();

        void sends(int value) {
            senders.add(Async.spawn(() -> {
                if (random.nextBoolean()) Async.await(Outside.completes(null));
                channel.send(value);
                sent.add(value);
            }));
        }

        void receives() {
            receivers.add(Async.spawn(() -> {
                if (random.nextBoolean()) Async.await(Outside.completes(null));
                received.add(channel.receive());
            }));
        }

        void somebodyLeaves() {
            var everybody = new ArrayList<>(senders);
            everybody.addAll(receivers);
            Outside.happens(everybody.get(random.nextInt(everybody.size()))::cancel);
        }

        long waiting(List<Coroutine<?>> line) {
            return line.stream().filter(c -> !c.isCompleted()).count();
        }

        /** Closes, takes what is left, and has everybody end. */
        void close() {
            channel.close();
            for (int value : channel) received.add(value);
            var everybody = new ArrayList<>(senders);
            everybody.addAll(receivers);
            for (Coroutine<?> one : everybody) {
                try {
                    Async.await(one);
                } catch (ChannelException e) {
                    assertThat(channel.isClosed()).isTrue();
                } catch (AsyncCancellation e) {
                    assertThat(one.isCancelled()).isTrue();
                }
            }
        }
    }

    @Test
    @Tag("F2")
    @Tag("F3")
    @Tag("F36")
    void someLeaveAtAnyTime_nothingIsLostAndNobodyWaitsBesideAValueOrASlot() {
        Orders.exploreAll(() -> {
            var market = new Market();
            for (int i = market.random.nextInt(3); i >= 0; i--) market.sends(i);
            for (int i = market.random.nextInt(4); i >= 0; i--) market.receives();
            for (int i = market.random.nextInt(3); i > 0; i--) market.somebodyLeaves();
            if (market.random.nextInt(3) == 0) {
                Outside.happens(() -> {
                    if (market.channel.trySend(99)) market.sent.add(99);
                });
            }
            Orders.settle();
            long senders = market.waiting(market.senders);
            long receivers = market.waiting(market.receivers);
            assertThat(Math.min(senders, receivers)).as("both wait").isZero();
            if (receivers > 0) assertThat(market.channel.isEmpty()).isTrue();
            if (senders > 0) assertThat(market.channel.size()).isGreaterThanOrEqualTo(market.capacity);
            market.close();
            assertThat(market.received).doesNotHaveDuplicates();
            assertThat(new HashSet<>(market.received)).isEqualTo(new HashSet<>(market.sent));
        });
    }

    @Test
    @Tag("F4")
    void someReceiversLeave_theOthersAreServedInTheOrderOfArrival() {
        Orders.exploreCompletions(() -> {
            RandomGenerator random = Schedules.random();
            var channel = new Channel<Integer>(random.nextInt(2));
            var served = new ArrayList<Integer>();
            var values = new ArrayList<Integer>();
            var receivers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 5; i++) {
                int number = i;
                receivers.add(Async.spawn(() -> {
                    values.add(channel.receive());
                    served.add(number);
                }));
                while (receivers.getLast().awaitingInfo().isEmpty()) Async.suspend();
            }
            for (int i = 0; i < 3; i++) {
                if (random.nextBoolean()) receivers.get(random.nextInt(5)).cancel();
                if (random.nextBoolean()) Async.await(Outside.completes(null));
                channel.trySend(i);
            }
            Orders.settle();
            assertThat(served).isSorted().doesNotHaveDuplicates();
            assertThat(values).doesNotHaveDuplicates().hasSameSizeAs(served);
            receivers.forEach(Coroutine::cancel);
        });
    }

    @Test
    @Tag("F1")
    @Tag("F5")
    void closedAtAnyTime_everybodyIsWoken() {
        Orders.exploreAll(() -> {
            var market = new Market();
            for (int i = 0; i < 2; i++) {
                market.receives();
                market.sends(i);
            }
            Outside.happens(market.channel::close);
            Orders.settle();
            assertThat(market.waiting(market.receivers)).isZero();
            assertThat(market.waiting(market.senders)).isZero();
            market.close();
            assertThat(new HashSet<>(market.received)).isEqualTo(new HashSet<>(market.sent));
        });
    }
}
