package org.trueasync.races;

import static org.assertj.core.api.Assertions.assertThat;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.Set;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.Body;
import org.trueasync.Channel;
import org.trueasync.ChannelException;
import org.trueasync.CloseReason;
import org.trueasync.Coroutine;
import org.trueasync.FutureState;
import org.trueasync.OperationCanceledException;
import org.trueasync.Select;
import org.trueasync.testkit.Outside;
import org.trueasync.testkit.Schedules;

/** Tokens, futures and selects at channels, in every order; see {@link ChannelRacesTest} for the channel alone. */
@Tag("sized")
class SelectAndTokenRacesTest {
    private static void end(Coroutine<?>... all) {
        for (Coroutine<?> one : all) {
            try {
                await(one);
            } catch (AsyncCancellation e) {
                assertThat(one.isCancelled()).isTrue();
            }
        }
    }

    /** A channel, what was sent to it and what came of it. */
    private static final class Ledger {
        final Channel<Integer> channel = new Channel<>(Schedules.random().nextInt(3));
        final Set<Integer> sent = new TreeSet<>();
        final List<Integer> received = new ArrayList<>();

        Coroutine<?> sender(int value) {
            return spawn(() -> orClosed(() -> {
                channel.send(value);
                sent.add(value);
            }));
        }

        void trySend(int value) {
            if (channel.trySend(value)) sent.add(value);
        }

        Coroutine<?> receiver() {
            return spawn(() -> orClosed(() -> received.add(channel.receive())));
        }

        static void orClosed(Runnable call) {
            try {
                call.run();
            } catch (ChannelException e) {
                assertThat(e.reason()).isEqualTo(CloseReason.EXPLICIT);
            }
        }

        /** Everything sent was received once, or still is here. */
        void balances() {
            channel.close();
            for (int value : channel) received.add(value);
            assertThat(received).doesNotHaveDuplicates();
            assertThat(new TreeSet<>(received)).isEqualTo(sent);
            assertThat(channel.toString()).isEqualTo("channel (0/" + channel.capacity() + ")");
        }
    }

    @Test
    @Tag("Ch7")
    @Tag("F3")
    void newcomersBesideWokenWaiters_takeNothingThatIsPromised() {
        Orders.exploreCompletions(() -> {
            var channel = new Channel<Integer>(Schedules.random().nextInt(2));
            var order = new ArrayList<String>();
            Coroutine<?> waiting = spawn(() -> order.add("first " + channel.receive()));
            Async.suspend();
            end(
                    Outside.happens(() -> {
                        channel.send(1);
                        channel.send(2);
                    }),
                    Outside.happens(() -> order.add("newcomer " + channel.receive())),
                    waiting);
            assertThat(order).containsExactlyInAnyOrder("first 1", "newcomer 2");
        });
    }

    @Test
    @Tag("Ch11")
    @Tag("Ch8")
    @Tag("F1")
    @Tag("F37")
    void tokenCloseAndValue_eachReceiverGetsOneOfThem() {
        Orders.exploreAll(() -> {
            var ledger = new Ledger();
            var token = new FutureState<Integer>().ignore();
            int[] outcomes = {0};
            var receivers = new Coroutine<?>[3];
            for (int i = 0; i < 3; i++)
                receivers[i] = spawn(() -> {
                    try {
                        ledger.received.add(ledger.channel.receive(token.future()));
                    } catch (OperationCanceledException | ChannelException e) {
                        // the token's, or the close
                    }
                    outcomes[0]++;
                });
            end(
                    Outside.happens(() -> token.complete(1)),
                    Outside.happens(() -> ledger.trySend(1)),
                    Outside.happens(() -> ledger.trySend(2)),
                    Outside.happens(ledger.channel::close));
            end(receivers);
            assertThat(outcomes[0]).isEqualTo(3);
            ledger.balances();
        });
    }

    @Test
    @Tag("Ch9")
    @Tag("F2")
    void selectBetweenChannelsTimeAndCancel_exactlyOneTakesEffect() {
        Orders.exploreAll(() -> {
            var in = new Ledger();
            var out = new Ledger();
            Coroutine<?> chooser = spawn(() -> {
                Body effect = Select.<Body>of()
                        .receive(in.channel, v -> () -> in.received.add(v))
                        .send(out.channel, 9, () -> () -> out.sent.add(9))
                        .onTimeout(Duration.ofMillis(5), () -> () -> {})
                        .select();
                effect.run();
            });
            Coroutine<?> receiver = out.receiver();
            Coroutine<?> sender = in.sender(1);
            end(Outside.happens(chooser::cancel), Outside.happens(receiver::cancel));
            end(chooser);
            assertThat(in.received.size() + out.sent.size()).isLessThanOrEqualTo(1);
            in.channel.close();
            out.channel.close();
            end(receiver, sender);
            in.balances();
            out.balances();
        });
    }

    @Test
    @Tag("Ch5")
    @Tag("F2")
    void futureCancelledWhileItIsServed_theValueIsItsOrTheNextOnes() {
        Orders.exploreAll(() -> {
            var ledger = new Ledger();
            var future = ledger.channel.receiveAsync().ignore();
            Coroutine<?> next = ledger.receiver();
            end(
                    Outside.happens(future::cancel),
                    Outside.happens(() -> ledger.trySend(1)),
                    Outside.happens(() -> ledger.trySend(2)));
            ledger.channel.close();
            end(next);
            if (!future.isCancelled()) Ledger.orClosed(() -> ledger.received.add(await(future)));
            ledger.balances();
        });
    }
}
