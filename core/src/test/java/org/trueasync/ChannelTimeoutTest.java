package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.time.Duration;
import java.util.ArrayList;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.TestRuntime;

class ChannelTimeoutTest {
    private static final Duration LIMIT = Duration.ofMillis(100);

    private static Channel<Integer> channel(int capacity, boolean hard) {
        return Channel.<Integer>builder()
                .capacity(capacity)
                .noProducerTimeout(LIMIT)
                .noConsumerTimeout(LIMIT)
                .hardTimeouts(hard)
                .build();
    }

    private static long now(TestRuntime runtime) {
        return runtime.reactor().nanoTime() / 1_000_000;
    }

    private static CloseReason reasonOf(Runnable wait) {
        try {
            wait.run();
        } catch (ChannelException e) {
            return e.reason();
        }
        throw new AssertionError("the channel is open");
    }

    @Test
    @Tag("Ch20")
    @Tag("Ch21")
    void hardNoProducer_allReceiversGetTheReasonAfterTheFullTime() {
        TestRuntime.run(runtime -> {
            Channel<Integer> channel = channel(0, true);
            var log = new ArrayList<String>();
            var receivers = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 3; i++)
                receivers.add(spawn(() -> log.add(reasonOf(channel::receive) + " at " + now(runtime))));
            suspend();
            assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
            for (Coroutine<?> receiver : receivers) await(receiver);
            assertThat(log).hasSize(3).containsOnly("NO_PRODUCERS at 100");
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("Ch20")
    @Tag("Ch21")
    void hardNoConsumer_allSendersGetTheReasonAfterTheFullTime() {
        TestRuntime.run(runtime -> {
            Channel<Integer> channel = channel(1, true);
            channel.send(0);
            var log = new ArrayList<String>();
            var senders = new ArrayList<Coroutine<?>>();
            for (int i = 0; i < 2; i++)
                senders.add(spawn(() -> log.add(reasonOf(() -> channel.send(1)) + " at " + now(runtime))));
            for (Coroutine<?> sender : senders) await(sender);
            assertThat(log).hasSize(2).containsOnly("NO_CONSUMERS at 100");
            assertThat(channel.receive()).isZero();
        });
    }

    @Test
    @Tag("Ch20")
    void progress_startsTheTimeAnew() {
        TestRuntime.run(runtime -> {
            Channel<Integer> channel = channel(0, true);
            var log = new ArrayList<String>();
            Coroutine<?> first = spawn(() -> channel.receive());
            Coroutine<?> second = spawn(() -> log.add(reasonOf(channel::receive) + " at " + now(runtime)));
            delay(90);
            channel.send(1);
            await(first);
            await(second);
            assertThat(log).containsExactly("NO_PRODUCERS at 190");
        });
    }

    @Test
    @Tag("Ch20")
    void aSecondReceiver_startsNothingAnew() {
        TestRuntime.run(runtime -> {
            Channel<Integer> channel = channel(0, true);
            var log = new ArrayList<String>();
            spawn(() -> log.add(reasonOf(channel::receive) + " at " + now(runtime)));
            delay(60);
            spawn(() -> log.add(reasonOf(channel::receive) + " at " + now(runtime)));
            delay(60);
            assertThat(log).hasSize(2).containsOnly("NO_PRODUCERS at 100");
        });
    }

    @Test
    @Tag("Ch20")
    void nobodyWaits_nothingRuns() {
        TestRuntime.run(() -> {
            Channel<Integer> channel = channel(2, true);
            channel.send(1);
            delay(1_000);
            channel.send(2);
            Coroutine<?> receiver = spawn(() -> {
                channel.receive();
                channel.receive();
                channel.receive(Async.timeout(50));
            });
            delay(1_000);
            assertThat(receiver.exception()).isInstanceOf(OperationCanceledException.class);
            assertThat(channel.isClosed()).isFalse();
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("Ch20")
    void zero_isOff() {
        TestRuntime.run(runtime -> {
            Channel<Integer> channel = Channel.<Integer>builder()
                    .noConsumerTimeout(LIMIT)
                    .hardTimeouts(true)
                    .build();
            Coroutine<Integer> receiver = spawn(() -> channel.receive());
            delay(100_000);
            assertThat(receiver.isCompleted()).isFalse();
            channel.send(1);
            assertThat(await(receiver)).isEqualTo(1);
        });
    }

    @Test
    @Tag("Ch20")
    void negative_isRefused() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> Channel.<Integer>builder().noProducerTimeout(Duration.ofMillis(-1)))
                    .isInstanceOf(IllegalArgumentException.class)
                    .hasMessageContaining("noProducerTimeout must be >= 0");
        });
    }

    @Test
    @Tag("Ch21")
    @Tag("Ch20")
    void softTimeoutWhileOthersWork_waitsItsTime() {
        TestRuntime.run(runtime -> {
            Channel<Integer> channel = channel(0, false);
            Coroutine<?> busy = spawn(() -> delay(1_000));
            assertThat(reasonOf(channel::receive)).isEqualTo(CloseReason.NO_PRODUCERS);
            assertThat(now(runtime)).isEqualTo(100);
            busy.cancel();
        });
    }

    @Test
    @Tag("Ch21")
    void softTimer_isHidden() {
        TestRuntime.run(() -> {
            Channel<Integer> channel = channel(0, false);
            Coroutine<?> receiver = spawn(() -> channel.receive());
            suspend();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(Async.runtimeStats().timers()).isEqualTo(1);
            channel.send(1);
            await(receiver);
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("Ch25")
    @Tag("F23")
    void softAndNothingElseCanHappen_closesAtOnceAndTheRunGoesOn() {
        TestRuntime runtime = TestRuntime.run(r -> {
            Channel<Integer> channel = channel(0, false);
            assertThat(reasonOf(channel::receive)).isEqualTo(CloseReason.DEADLOCK);
            assertThat(now(r)).isZero();
            Channel<Integer> other = channel(0, false);
            Coroutine<?> sender = spawn(() -> other.send(1));
            assertThat(reasonOf(() -> await(sender))).isEqualTo(CloseReason.DEADLOCK);
            delay(5);
            assertThat(await(spawn(() -> "still usable"))).isEqualTo("still usable");
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    @Tag("Ch25")
    void softBesideAGenericWait_theSoftOneGoesFirst() {
        TestRuntime runtime = TestRuntime.run(() -> {
            Channel<Integer> soft = channel(0, false);
            var plain = new Channel<Integer>();
            Coroutine<Integer> waiting = spawn(() -> plain.receive());
            assertThat(reasonOf(soft::receive)).isEqualTo(CloseReason.DEADLOCK);
            plain.send(3);
            assertThat(await(waiting)).isEqualTo(3);
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    @Tag("Ch25")
    void softClosedAndTheRestIsStuck_isADeadlockAllTheSame() {
        Throwable thrown = TestRuntime.failureOf(() -> {
            Channel<Integer> soft = channel(0, false);
            spawn(() -> {
                try {
                    soft.receive();
                } catch (ChannelException e) {
                    assertThat(e.reason()).isEqualTo(CloseReason.DEADLOCK);
                }
            });
            new Channel<Integer>().receive();
        });
        assertThat(thrown).isInstanceOf(DeadlockError.class).hasMessageContaining("1 coroutine waits");
    }

    @Test
    @Tag("Ch25")
    void hardTimeoutAlone_isNoDeadlock() {
        TestRuntime.run(runtime -> {
            assertThat(reasonOf(channel(0, true)::receive)).isEqualTo(CloseReason.NO_PRODUCERS);
            assertThat(now(runtime)).isEqualTo(100);
        });
    }

    @Test
    @Tag("Ch20")
    void progressWhileSendersWait_startsTheTimeAnew() {
        TestRuntime.run(runtime -> {
            Channel<Integer> channel = channel(1, true);
            channel.send(0);
            var log = new ArrayList<String>();
            Coroutine<?> first = spawn(() -> channel.send(1));
            Coroutine<?> second = spawn(() -> log.add(reasonOf(() -> channel.send(2)) + " at " + now(runtime)));
            delay(90);
            assertThat(channel.receive()).isZero();
            await(first);
            await(second);
            assertThat(log).containsExactly("NO_CONSUMERS at 190");
        });
    }

    @Test
    @Tag("Ch20")
    void oneSelectOnBothSides_hasOneTimeWhichEndsWithTheWait() {
        TestRuntime.run(runtime -> {
            for (boolean hard : new boolean[] {true, false}) {
                long begin = now(runtime);
                Channel<Integer> channel = channel(0, hard);
                var both = Select.<Integer>of().receive(channel, v -> v).send(channel, 1, () -> 1);
                Coroutine<?> first = spawn(() -> both.select());
                suspend();
                assertThat(Async.runtimeStats().timers()).isEqualTo(1);
                assertThat(Async.runtimeStats().activeEvents()).isEqualTo(hard ? 1 : 0);
                first.cancel();
                suspend();
                assertThat(Async.runtimeStats().timers()).isZero();
                assertThat(Async.runtimeStats().activeEvents()).isZero();
                Coroutine<?> busy = spawn(() -> delay(1_000));
                delay(50);
                assertThat(reasonOf(both::select)).isEqualTo(CloseReason.NO_PRODUCERS);
                assertThat(now(runtime) - begin).isEqualTo(150);
                assertThat(Async.runtimeStats().activeEvents()).isEqualTo(1);
                busy.cancel();
                suspend();
            }
        });
    }

    @Test
    @Tag("Ch25")
    void softWaitThatIsOver_isNotClosedWhenOthersAreStuck() {
        TestRuntime.run(() -> {
            Channel<Integer> served = channel(0, false);
            Coroutine<Integer> receiver = spawn(() -> served.receive());
            suspend();
            served.send(1);
            await(receiver);
            Channel<Integer> stuck = channel(0, false);
            assertThat(reasonOf(stuck::receive)).isEqualTo(CloseReason.DEADLOCK);
            assertThat(served.isClosed()).isFalse();
        });
    }

    @Test
    @Tag("Ch25")
    void hardWait_isNotClosedWhenOthersAreStuck() {
        TestRuntime.run(runtime -> {
            Channel<Integer> hard = channel(0, true);
            Channel<Integer> soft = channel(0, false);
            Coroutine<CloseReason> first = spawn(() -> reasonOf(hard::receive));
            Coroutine<CloseReason> second = spawn(() -> reasonOf(soft::receive));
            assertThat(await(first)).isEqualTo(CloseReason.NO_PRODUCERS);
            assertThat(await(second)).isEqualTo(CloseReason.NO_PRODUCERS);
            assertThat(now(runtime)).isEqualTo(100);
        });
    }

    @Test
    @Tag("Ch20")
    void closedWhileSomebodyWaits_theTimeIsOver() {
        TestRuntime.run(() -> {
            for (boolean sends : new boolean[] {true, false}) {
                Channel<Integer> channel = channel(0, true);
                Coroutine<?> waiting = spawn(() -> {
                    if (sends) channel.send(1);
                    else channel.receive();
                });
                suspend();
                assertThat(Async.runtimeStats().timers()).isEqualTo(1);
                channel.close();
                assertThat(Async.runtimeStats().timers()).isZero();
                assertThat(Async.runtimeStats().activeEvents()).isZero();
                assertThat(reasonOf(() -> await(waiting))).isEqualTo(CloseReason.EXPLICIT);
            }
        });
    }

    /** 4 ms, after which the loop looks at its clock at every switch. */
    private static void slowSlices(TestRuntime runtime) {
        for (int i = 0; i < 40; i++) {
            runtime.reactor().advance(100_000);
            suspend();
        }
    }

    @Test
    @Tag("Ch20")
    void valueComesInTheLastMoment_theTimeStartsAnewBeforeItsReceiverHasRun() {
        TestRuntime.run(runtime -> {
            Channel<Integer> channel = channel(0, true);
            var log = new ArrayList<String>();
            Coroutine<?> first = spawn(() -> log.add("got " + channel.receive()));
            Coroutine<?> second = spawn(() -> log.add(reasonOf(channel::receive) + " at " + now(runtime)));
            delay(90);
            slowSlices(runtime);
            channel.send(1);
            runtime.reactor().advance(20_000_000);
            await(first);
            await(second);
            assertThat(log).containsExactly("got 1", "NO_PRODUCERS at 214");
        });
    }

    @Test
    @Tag("Ch20")
    @Tag("Ch8")
    void timeEndsWhileAValueIsPromised_itIsReceivedAndTheOthersGetTheReason() {
        TestRuntime.run(runtime -> {
            Channel<Integer> channel = channel(0, true);
            var log = new ArrayList<String>();
            Coroutine<?> first = spawn(() -> log.add("got " + channel.receive()));
            Coroutine<?> second = spawn(() -> log.add(reasonOf(channel::receive) + " at " + now(runtime)));
            suspend();
            slowSlices(runtime);
            channel.send(1);
            runtime.reactor().advance(150_000_000);
            await(first);
            await(second);
            assertThat(log).containsExactly("got 1", "NO_PRODUCERS at 154");
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    @Tag("Ch20")
    void oneSelectOnBothSides_theSideWithALimitHasItWhicheverComesFirst() {
        TestRuntime.run(runtime -> {
            for (boolean receiveFirst : new boolean[] {true, false}) {
                long begin = now(runtime);
                Channel<Integer> channel = Channel.<Integer>builder()
                        .noConsumerTimeout(LIMIT)
                        .hardTimeouts(true)
                        .build();
                var both = Select.<Integer>of();
                if (receiveFirst) both.receive(channel, v -> v).send(channel, 1, () -> 1);
                else both.send(channel, 1, () -> 1).receive(channel, v -> v);
                assertThat(reasonOf(both::select)).isEqualTo(CloseReason.NO_CONSUMERS);
                assertThat(now(runtime) - begin).isEqualTo(100);
                assertThat(Async.runtimeStats().activeEvents()).isZero();
            }
        });
    }

    @Test
    @Tag("Ch25")
    void softLimitOfTheOtherSideOnly_closesAllTheSame() {
        TestRuntime.run(() -> {
            Channel<Integer> channel =
                    Channel.<Integer>builder().noConsumerTimeout(LIMIT).build();
            assertThat(reasonOf(channel::receive)).isEqualTo(CloseReason.DEADLOCK);
        });
    }
}
