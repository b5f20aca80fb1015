package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.assertj.core.api.InstanceOfAssertFactories.type;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import java.util.List;
import java.util.NoSuchElementException;
import java.util.TreeSet;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.Waker;

class ChannelClosingTest {
    private static void assertClosed(CloseReason reason, org.assertj.core.api.ThrowableAssert.ThrowingCallable call) {
        assertThatThrownBy(call)
                .asInstanceOf(type(ChannelException.class))
                .extracting(ChannelException::reason)
                .isEqualTo(reason);
    }

    @Test
    @Tag("Ch11")
    @Tag("Ch12")
    @Tag("Ch13")
    void closed_sendsFailAndWhatIsHereCanBeReceived() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(3);
            channel.send(1);
            channel.send(2);
            channel.close();
            channel.close();
            assertThat(channel.isClosed()).isTrue();
            assertClosed(CloseReason.EXPLICIT, () -> channel.send(3));
            assertThat(List.of(channel.receive(), channel.receive())).containsExactly(1, 2);
            assertClosed(CloseReason.EXPLICIT, channel::receive);
        });
    }

    @Test
    @Tag("Ch11")
    @Tag("F5")
    void closedWhileSendersWait_theyWakeInOrderWithTheError() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(1);
            channel.send(0);
            var log = new ArrayList<String>();
            for (int i = 1; i <= 3; i++) {
                int number = i;
                spawn(() -> {
                    try {
                        channel.send(number);
                    } catch (ChannelException e) {
                        log.add(number + " " + e.reason());
                    }
                });
            }
            suspend();
            channel.close();
            suspend();
            assertThat(log).containsExactly("1 EXPLICIT", "2 EXPLICIT", "3 EXPLICIT");
            assertThat(channel.receive()).isZero();
            assertThat(channel.isEmpty()).isTrue();
        });
    }

    @Test
    @Tag("Ch11")
    @Tag("F5")
    void closedWhileReceiversWait_theOneOwedAValueGetsItTheOthersTheError() {
        TestRuntime.run(() -> {
            for (int capacity = 0; capacity < 2; capacity++) {
                var channel = new Channel<Integer>(capacity);
                var log = new ArrayList<String>();
                for (int i = 1; i <= 3; i++) {
                    int number = i;
                    spawn(() -> {
                        try {
                            log.add(number + " got " + channel.receive());
                        } catch (ChannelException e) {
                            log.add(number + " " + e.reason());
                        }
                    });
                }
                suspend();
                channel.send(7);
                channel.close();
                suspend();
                suspend();
                assertThat(log).containsExactly("1 got 7", "2 EXPLICIT", "3 EXPLICIT");
            }
        });
    }

    @Test
    @Tag("Ch11")
    void waiterOfAClosedChannel_hasAnErrorWithItsOwnStack() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Coroutine<Integer> first = spawn(() -> waitsHere(channel));
            Coroutine<Integer> second = spawn(() -> channel.receive());
            suspend();
            channel.close();
            suspend();
            assertThat(first.exception()).isNotSameAs(second.exception());
            assertThat(first.exception().getStackTrace())
                    .anyMatch(frame -> frame.getMethodName().equals("waitsHere"));
            assertThat(first.exception()).hasMessage("channel (0/0) is closed");
        });
    }

    private static int waitsHere(Channel<Integer> channel) {
        return channel.receive();
    }

    @Test
    @Tag("Ch12")
    void secondReason_changesNothing() {
        TestRuntime.run(() -> {
            Channel<Integer> channel = Channel.<Integer>builder()
                    .noProducerTimeout(Duration.ofMillis(5))
                    .hardTimeouts(true)
                    .build();
            assertClosed(CloseReason.NO_PRODUCERS, channel::receive);
            channel.close();
            assertClosed(CloseReason.NO_PRODUCERS, channel::receive);
            assertClosed(CloseReason.NO_PRODUCERS, () -> channel.send(1));
        });
    }

    @Test
    @Tag("Ch13")
    void sendToClosedWithRoom_throws() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(5);
            channel.close();
            assertClosed(CloseReason.EXPLICIT, () -> channel.send(1));
            assertThat(channel.isEmpty()).isTrue();
        });
    }

    @Test
    @Tag("Ch14")
    void iteration_endsWhenClosedAndEmpty() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(2);
            Coroutine<?> producer = spawn(() -> {
                for (int i = 0; i < 5; i++) channel.send(i);
                channel.close();
            });
            var seen = new ArrayList<Integer>();
            for (int value : channel) seen.add(value);
            assertThat(seen).containsExactly(0, 1, 2, 3, 4);
            await(producer);
            assertThat(channel.iterator().hasNext()).isFalse();
            assertThatThrownBy(() -> channel.iterator().next()).isInstanceOf(NoSuchElementException.class);
        });
    }

    @Test
    @Tag("Ch14")
    void closedWhileTheIteratorWaits_itEnds() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Coroutine<Integer> consumer = spawn(() -> {
                int count = 0;
                for (int value : channel) count += value;
                return count;
            });
            suspend();
            channel.close();
            assertThat(await(consumer)).isZero();
        });
    }

    @Test
    @Tag("Ch14")
    void iterationOfAChannelClosedForAnotherReason_throwsAfterTheLastValue() {
        TestRuntime.run(() -> {
            Channel<Integer> channel = Channel.<Integer>builder()
                    .capacity(2)
                    .noProducerTimeout(Duration.ofMillis(5))
                    .build();
            channel.send(1);
            var seen = new ArrayList<Integer>();
            assertClosed(CloseReason.DEADLOCK, () -> {
                for (int value : channel) seen.add(value);
            });
            assertThat(seen).containsExactly(1);
        });
    }

    @Test
    @Tag("Ch14")
    void severalIterators_eachValueGoesToOneOfThem() {
        TestRuntime.run(() -> {
            for (int capacity : new int[] {0, 1, 10}) {
                var channel = new Channel<Integer>(capacity);
                var seen = new ArrayList<Integer>();
                var consumers = new ArrayList<Coroutine<?>>();
                for (int i = 0; i < 3; i++)
                    consumers.add(spawn(() -> {
                        for (int value : channel) {
                            seen.add(value);
                            if (value % 3 == 0) suspend();
                        }
                    }));
                for (int i = 0; i < 100; i++) channel.send(i);
                channel.close();
                for (Coroutine<?> consumer : consumers) await(consumer);
                assertThat(seen).hasSize(100);
                assertThat(new TreeSet<>(seen)).hasSize(100);
            }
        });
    }

    @Test
    @Tag("Ch14")
    void stream_endsWithTheChannel() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            spawn(() -> {
                for (int i = 1; i <= 4; i++) channel.send(i);
                channel.close();
            });
            assertThat(channel.stream().map(i -> i * i).toList()).containsExactly(1, 4, 9, 16);
        });
    }

    @Test
    @Tag("Ch14")
    void streamWithALimit_takesNoMoreThanItNeeds() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>(5);
            for (int i = 1; i <= 5; i++) channel.send(i);
            assertThat(channel.stream().limit(2).toList()).containsExactly(1, 2);
            assertThat(channel.receive()).isEqualTo(3);
        });
    }

    @Test
    @Tag("Ch14")
    void iteratorCancelledWhileItWaits_losesNothing() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            Coroutine<?> consumer = spawn(() -> {
                for (int value : channel) throw new AssertionError("got " + value);
            });
            suspend();
            channel.send(1);
            consumer.cancel();
            suspend();
            assertThat(channel.receive()).isEqualTo(1);
        });
    }

    @Test
    @Tag("Ch11")
    @Tag("K49")
    void closedAndAHandlerOfTheWaiterFails_itsErrorIsToldWithTheClose() {
        for (boolean sends : new boolean[] {true, false})
            TestRuntime.run(() -> {
                var channel = new Channel<Integer>();
                var planned = new IllegalStateException("planned");
                Coroutine<?> waiting = spawn(() -> {
                    if (sends) channel.send(1);
                    else for (int value : channel) throw new AssertionError("got " + value);
                });
                suspend();
                SwitchHandlers.add(waiting, (coroutine, entering, finishing) -> {
                    if (entering) throw planned;
                    return true;
                });
                channel.close();
                assertThatThrownBy(() -> await(waiting))
                        .isInstanceOf(ChannelException.class)
                        .hasMessage("channel (0/0) is closed")
                        .hasSuppressedException(planned);
            });
    }

    @Test
    @Tag("Ch11")
    void errorOfAnotherKindAfterTheClose_hasTheCloseAsItsCauseByTheNameThatUsersKnow() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            var wakers = new ArrayList<Waker>();
            Coroutine<?> receiver = spawn(() -> {
                wakers.add(Waker.current());
                channel.receive();
            });
            suspend();
            channel.close();
            wakers.getFirst().wakeWithError(new IllegalStateException("planned"));
            assertThatThrownBy(() -> await(receiver))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("planned")
                    .cause()
                    .hasToString("org.trueasync.ChannelException: the channel was closed");
        });
    }
}
