package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.delay;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;
import static org.trueasync.Async.timeout;

import java.time.Duration;
import java.util.ArrayList;
import java.util.HashSet;
import java.util.List;
import java.util.Random;
import java.util.Set;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.internal.testkit.ManualEvent;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.spi.ResumeCallback;
import org.trueasync.spi.SwitchHandlers;
import org.trueasync.spi.Waker;

class SelectTest {
    @Test
    void severalAreReady_theOneDeclaredFirstIsTaken() {
        TestRuntime.run(() -> {
            var a = new Channel<String>(1);
            var b = new Channel<String>(1);
            a.send("a");
            b.send("b");
            var select = Select.<String>of().receive(b, v -> "b: " + v).receive(a, v -> "a: " + v);
            assertThat(select.select()).isEqualTo("b: b");
            assertThat(select.select()).isEqualTo("a: a");
            assertThat(a.isEmpty()).isTrue();
        });
    }

    @Test
    void noneIsReady_theFirstThatHappensIsTakenAndTheOthersLeaveNoTrace() {
        TestRuntime.run(() -> {
            var a = new Channel<String>();
            var b = new Channel<String>();
            var c = new Channel<Integer>();
            Coroutine<String> chooser = spawn(() -> Select.<String>of()
                    .receive(a, v -> "a: " + v)
                    .receive(b, v -> "b: " + v)
                    .send(c, 7, () -> "sent")
                    .onTimeout(Duration.ofHours(1), () -> "late")
                    .select());
            suspend();
            assertThat(chooser.awaitingInfo())
                    .containsExactly(
                            "receive from channel (0/0, 1 receiver)",
                            "receive from channel (0/0, 1 receiver)",
                            "send to channel (1/0, 1 sender)",
                            "timer 3600000 ms");
            b.send("x");
            assertThat(a.toString()).isEqualTo("channel (0/0)");
            assertThat(c.toString()).isEqualTo("channel (0/0)");
            assertThat(await(chooser)).isEqualTo("b: x");
            assertThat(Async.runtimeStats().activeEvents()).isZero();
        });
    }

    @Test
    void sendIsTaken_itsValueIsReceivedOnce() {
        TestRuntime.run(() -> {
            var a = new Channel<String>();
            var b = new Channel<String>();
            Coroutine<String> chooser = spawn(() -> Select.<String>of()
                    .receive(a, v -> "received")
                    .send(b, "x", () -> "sent")
                    .select());
            suspend();
            assertThat(b.receive()).isEqualTo("x");
            assertThat(await(chooser)).isEqualTo("sent");
            assertThat(b.isEmpty()).isTrue();
        });
    }

    @Test
    void bothSidesOfOneChannel_doNotMeetEachOther() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            Coroutine<String> first = spawn(() -> Select.<String>of()
                    .receive(channel, v -> "first got " + v)
                    .send(channel, "from first", () -> "first sent")
                    .select());
            suspend();
            assertThat(first.isSuspended()).isTrue();
            Coroutine<String> second = spawn(() -> Select.<String>of()
                    .receive(channel, v -> "second got " + v)
                    .send(channel, "from second", () -> "second sent")
                    .select());
            assertThat(await(second)).isEqualTo("second got from first");
            assertThat(await(first)).isEqualTo("first sent");
            assertThat(channel.toString()).isEqualTo("channel (0/0)");
        });
    }

    @Test
    void otherwise_neverWaits() {
        TestRuntime.run(() -> {
            var a = new Channel<String>();
            var select = Select.<String>of().receive(a, v -> v).otherwise(() -> "nothing");
            RuntimeStats stats =
                    TestRuntime.counting(() -> assertThat(select.select()).isEqualTo("nothing"));
            assertThat(stats.directSwitches() + stats.schedulerSwitches()).isZero();
            a.trySend("x");
            assertThat(select.select()).isEqualTo("x");
        });
    }

    @Test
    void timeout_countsFromTheWait() {
        TestRuntime.run(runtime -> {
            var select = Select.<String>of()
                    .receive(new Channel<String>(), v -> v)
                    .onTimeout(Duration.ofMillis(10), () -> "late");
            delay(50);
            assertThat(select.select()).isEqualTo("late");
            assertThat(runtime.reactor().nanoTime()).isEqualTo(60_000_000L);
            assertThat(select.select()).isEqualTo("late");
            assertThat(runtime.reactor().nanoTime()).isEqualTo(70_000_000L);
        });
    }

    @Test
    void completable_givesItsValueOrThrowsItsError() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            Coroutine<String> done = spawn(() -> "done");
            Coroutine<String> slow = spawn(() -> {
                delay(5);
                return "slow";
            });
            Coroutine<String> failing = spawn(() -> {
                delay(5);
                throw new IllegalStateException("planned");
            });
            await(done);
            assertThat(Select.<String>of()
                            .receive(channel, v -> v)
                            .await(done, v -> v)
                            .select())
                    .isEqualTo("done");
            assertThat(Select.<String>of()
                            .receive(channel, v -> v)
                            .await(slow, v -> v + "!")
                            .select())
                    .isEqualTo("slow!");
            assertThatThrownBy(() -> Select.<String>of()
                            .receive(channel, v -> v)
                            .await(failing, v -> v)
                            .select())
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("planned");
        });
    }

    @Test
    void future_canBeChosen() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            Coroutine<String> chooser = spawn(() -> Select.<String>of()
                    .receive(new Channel<String>(), v -> v)
                    .await(state.future(), v -> "future " + v)
                    .select());
            suspend();
            state.complete("x");
            assertThat(await(chooser)).isEqualTo("future x");
        });
    }

    @Test
    void closedChannel_countsAsHappened() {
        TestRuntime.run(() -> {
            var open = new Channel<String>();
            var closed = new Channel<String>();
            Coroutine<String> chooser = spawn(() -> Select.<String>of()
                    .receive(open, v -> v)
                    .receive(closed, v -> v)
                    .select());
            Coroutine<String> careful = spawn(() -> Select.<String>of()
                    .receive(open, v -> v)
                    .receive(closed, v -> v, e -> "closed: " + e.reason())
                    .select());
            suspend();
            closed.close();
            assertThatThrownBy(() -> await(chooser)).isInstanceOf(ChannelException.class);
            assertThat(await(careful)).isEqualTo("closed: EXPLICIT");
            assertThatThrownBy(() ->
                            Select.<String>of().send(closed, "x", () -> "sent").select())
                    .isInstanceOf(ChannelException.class);
            assertThat(open.toString()).isEqualTo("channel (0/0)");
        });
    }

    @Test
    @Tag("Ch8")
    @Tag("F2")
    void servedAndThenCancelled_theValueGoesOn() {
        TestRuntime.run(() -> {
            var a = new Channel<String>();
            var b = new Channel<String>();
            Coroutine<String> chooser = spawn(() ->
                    Select.<String>of().receive(a, v -> v).receive(b, v -> v).select());
            Coroutine<String> heir = spawn(() -> a.receive());
            suspend();
            a.send("x");
            chooser.cancel();
            assertThat(await(heir)).isEqualTo("x");
            assertThat(chooser.isCancelled()).isTrue();
        });
    }

    @Test
    @Tag("Ch9")
    void sendTakenAndThenCancelled_hasHappened() {
        TestRuntime.run(() -> {
            var a = new Channel<String>();
            var log = new ArrayList<String>();
            Coroutine<?> chooser = spawn(() -> {
                log.add(Select.<String>of().send(a, "x", () -> "sent").select());
                suspend();
                log.add("not reached");
            });
            suspend();
            assertThat(a.receive()).isEqualTo("x");
            chooser.cancel();
            delay(1);
            assertThat(log).containsExactly("sent");
            assertThat(chooser.isCancelled()).isTrue();
        });
    }

    @Test
    void tokenFires_nothingHasHappened() {
        TestRuntime.run(() -> {
            var a = new Channel<String>();
            assertThatThrownBy(() -> Select.<String>of()
                            .receive(a, v -> v)
                            .send(new Channel<>(), "x", () -> "sent")
                            .select(timeout(5)))
                    .isInstanceOf(OperationCanceledException.class);
            assertThat(a.toString()).isEqualTo("channel (0/0)");
            assertThat(Async.runtimeStats().timers()).isZero();
        });
    }

    @Test
    void misuse_saysSo() {
        TestRuntime.run(() -> {
            assertThatThrownBy(() -> Select.of().select()).hasMessageContaining("nothing to choose from");
            assertThatThrownBy(() -> Select.of().onTimeout(Duration.ofMillis(-1), () -> 1))
                    .isInstanceOf(IllegalArgumentException.class);
            var select = Select.<String>of().receive(new Channel<String>(), v -> v);
            Coroutine<String> first = spawn(() -> select.select());
            suspend();
            assertThatThrownBy(select::select)
                    .isInstanceOf(AsyncException.class)
                    .hasMessageContaining("in use");
            first.cancel();
        });
    }

    @Test
    void branchThatThrows_throwsAndTheOperationHasHappened() {
        TestRuntime.run(() -> {
            var a = new Channel<String>(1);
            a.send("x");
            assertThatThrownBy(() -> Select.of()
                            .receive(a, v -> {
                                throw new java.io.IOException("planned");
                            })
                            .select())
                    .isInstanceOf(java.util.concurrent.CompletionException.class)
                    .hasCauseInstanceOf(java.io.IOException.class);
            assertThat(a.isEmpty()).isTrue();
        });
    }

    @Test
    void sendThatWaits_endsWithTheChannel() {
        TestRuntime.run(() -> {
            var open = new Channel<String>();
            var closed = new Channel<String>();
            Coroutine<String> chooser = spawn(() -> Select.<String>of()
                    .receive(open, v -> v)
                    .send(closed, "x", () -> "sent")
                    .select());
            suspend();
            closed.close();
            assertThatThrownBy(() -> await(chooser))
                    .isInstanceOf(ChannelException.class)
                    .hasMessageContaining("is closed");
            assertThat(open.toString()).isEqualTo("channel (0/0)");
        });
    }

    @Test
    void sendGivenUp_leavesNoValueBehind() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>(1);
            channel.send("here");
            Coroutine<String> chooser = spawn(
                    () -> Select.<String>of().send(channel, "x", () -> "sent").select());
            suspend();
            assertThat(channel.receive()).isEqualTo("here");
            chooser.cancel();
            suspend();
            assertThat(chooser.isCancelled()).isTrue();
            assertThat(channel.isEmpty()).isTrue();
            assertThat(channel.trySend("next")).isTrue();
        });
    }

    @Test
    @Tag("Ch8")
    void firedAndThenCancelled_itsBranchDoesNotRun() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            var log = new ArrayList<String>();
            Coroutine<?> chooser = spawn(() -> Select.<Boolean>of()
                    .receive(new Channel<String>(), v -> log.add("received"))
                    .await(state.future(), v -> log.add("future"))
                    .select());
            suspend();
            state.complete("x");
            chooser.cancel();
            suspend();
            assertThat(chooser.isCancelled()).isTrue();
            assertThat(log).isEmpty();
        });
    }

    @Test
    void errorAndThenCancelled_theErrorIsThrown() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            var thrown = new ArrayList<Throwable>();
            Coroutine<?> chooser = spawn(() -> {
                try {
                    Select.<String>of()
                            .receive(new Channel<String>(), v -> v)
                            .await(state.future(), v -> v)
                            .select();
                } catch (IllegalStateException e) {
                    thrown.add(e);
                }
            });
            suspend();
            state.error(new IllegalStateException("planned"));
            chooser.cancel();
            while (!chooser.isCompleted()) suspend();
            assertThat(thrown).singleElement().asString().contains("planned");
        });
    }

    @Test
    void errorThatIsThereAlready_isThrownAndCountsAsReceived() {
        TestRuntime runtime = TestRuntime.run(() -> {
            Future<String> token = Future.failed(new IllegalStateException("planned"));
            Coroutine<String> gaveUp = spawn(() -> await(new FutureState<String>().future(), token));
            suspend();
            assertThat(gaveUp.isCompleted()).isTrue();
            assertThatThrownBy(() -> Select.<String>of()
                            .receive(new Channel<String>(), v -> v)
                            .await(gaveUp, v -> v)
                            .select())
                    .isInstanceOf(OperationCanceledException.class)
                    .hasRootCauseMessage("planned");
        });
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    void errorThatComesMeanwhile_isThrown() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            var state = new FutureState<String>();
            spawn(() -> state.error(new IllegalStateException("planned")));
            assertThatThrownBy(() -> Select.<String>of()
                            .receive(channel, v -> v)
                            .await(state.future(), v -> v)
                            .select(timeout(5)))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessage("planned");
            assertThat(channel.toString()).isEqualTo("channel (0/0)");
        });
    }

    @Test
    void endedOne_isChosenThoughThereIsAnOtherwise() {
        TestRuntime.run(() -> {
            Coroutine<String> done = spawn(() -> "done");
            await(done);
            var select = Select.<String>of()
                    .receive(new Channel<String>(), v -> v)
                    .await(done, v -> v)
                    .otherwise(() -> "otherwise");
            assertThat(select.select()).isEqualTo("done");
            Future<String> failed = Future.failed(new IllegalStateException("planned"));
            assertThatThrownBy(() -> Select.<String>of()
                            .await(failed, v -> v)
                            .otherwise(() -> "otherwise")
                            .select())
                    .hasMessage("planned");
            assertThat(Select.<String>of()
                            .await(new FutureState<String>().future(), v -> v)
                            .otherwise(() -> "otherwise")
                            .select())
                    .isEqualTo("otherwise");
        });
    }

    @Test
    void notChosen_itsErrorIsToldAndEndsNothing() {
        TestRuntime runtime = TestRuntime.run(() -> {
            var scope = new Scope();
            var channel = new Channel<String>(1);
            Coroutine<String> worker = scope.spawn(() -> {
                delay(5);
                throw new IllegalStateException("of the worker");
            });
            channel.send("x");
            assertThat(Select.<String>of()
                            .await(worker, v -> v)
                            .receive(channel, v -> v)
                            .select())
                    .isEqualTo("x");
            delay(10);
            assertThat(scope.isCancelled()).isFalse();
        });
        assertThat(runtime.reports()).singleElement().asString().contains("of the worker");
    }

    @Test
    void givenUp_theErrorsOfItsCoroutinesAreTheirScopesAsIfNobodyHadWaited() {
        var log = new ArrayList<String>();
        TestRuntime runtime = TestRuntime.run(() -> {
            var scope = new Scope();
            scope.setExceptionHandler((s, c, error) -> log.add("scope: " + error.getMessage()));
            Coroutine<String> worker = scope.spawn(() -> {
                delay(5);
                throw new IllegalStateException("of the worker");
            });
            assertThatThrownBy(() -> Select.<String>of()
                            .receive(new Channel<String>(), v -> v)
                            .await(worker, v -> v)
                            .select(timeout(1)))
                    .isInstanceOf(OperationCanceledException.class);
            delay(10);
        });
        assertThat(log).containsExactly("scope: of the worker");
        assertThat(runtime.reports()).isEmpty();
    }

    @Test
    void timeOfZero_isAnOtherwiseThatTheOtherwiseGoesBefore() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            var select = Select.<String>of()
                    .receive(channel, v -> v)
                    .onTimeout(Duration.ZERO, () -> "first")
                    .onTimeout(Duration.ZERO, () -> "second");
            assertThat(select.select()).isEqualTo("first");
            assertThat(select.otherwise(() -> "otherwise").select()).isEqualTo("otherwise");
            assertThat(Select.<String>of()
                            .onTimeout(Duration.ZERO, () -> "alone")
                            .select())
                    .isEqualTo("alone");
        });
    }

    @Test
    void changedWhileInUse_isRefused() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            var select = Select.<String>of().receive(channel, v -> v);
            Coroutine<String> first = spawn(() -> select.select());
            suspend();
            for (Body change : List.<Body>of(
                    () -> select.receive(channel, v -> v),
                    () -> select.send(channel, "x", () -> "sent"),
                    () -> select.await(first, v -> v),
                    () -> select.onTimeout(Duration.ZERO, () -> "late"),
                    () -> select.onTimeout(Duration.ofMillis(1), () -> "late"),
                    () -> select.otherwise(() -> "otherwise")))
                assertThatThrownBy(change::run)
                        .isInstanceOf(AsyncException.class)
                        .hasMessageContaining("in use");
            channel.send("x");
            assertThat(await(first)).isEqualTo("x");
            assertThatThrownBy(() -> select.otherwise(() -> "1").otherwise(() -> "2"))
                    .isInstanceOf(IllegalStateException.class)
                    .hasMessageContaining("otherwise already");
        });
    }

    @Test
    void channelOfAnotherRuntime_isRefused() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>(1);
            channel.send("x");
            for (boolean sends : new boolean[] {true, false}) {
                ThreadTask<String> other = Async.spawnThread(() -> {
                    var select = Select.<String>of();
                    if (sends) select.send(channel, "y", () -> "sent");
                    else select.receive(channel, v -> v);
                    return select.select();
                });
                assertThatThrownBy(() -> await(other))
                        .rootCause()
                        .hasMessageContaining("Select.select called on thread");
            }
            assertThat(channel.receive()).isEqualTo("x");
            assertThat(channel.isEmpty()).isTrue();
        });
    }

    @Test
    void placeOfAnEarlierWaiter_wakesTheOneWhoStandsThereNow() {
        TestRuntime.run(() -> {
            var channel = new Channel<Integer>();
            var log = new ArrayList<String>();
            Coroutine<?> plain = spawn(() -> {
                log.add("plain " + channel.receive());
                delay(10);
                log.add("plain is over");
            });
            suspend();
            channel.send(1);
            suspend();
            Coroutine<?> chooser = spawn(() -> log.add(
                    "select " + Select.<Integer>of().receive(channel, v -> v).select()));
            suspend();
            channel.send(2);
            await(chooser);
            await(plain);
            assertThat(log).containsExactly("plain 1", "select 2", "plain is over");
        });
    }

    @Test
    void armingOfAnotherEvent_findsTheSelectInTheQueuesOfItsChannels() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            var log = new ArrayList<String>();
            assertThat(Select.<String>of()
                            .await(new OnArming(event -> channel.trySend("x")), v -> "event")
                            .receive(channel, v -> "received " + v)
                            .select())
                    .isEqualTo("received x");
            assertThat(Select.<String>of()
                            .await(new OnArming(event -> channel.tryReceive().ifPresent(log::add)), v -> "event")
                            .send(channel, "y", () -> "sent")
                            .select())
                    .isEqualTo("sent");
            assertThat(log).containsExactly("y");
            assertThat(channel.toString()).isEqualTo("channel (0/0)");
        });
    }

    @Test
    void eventThatIsOverWithoutAnOutcome_isNotChosen() {
        TestRuntime.run(() -> {
            var over = new OnArming(event -> {});
            over.cancel();
            assertThat(Select.<String>of()
                            .await(over, v -> "event")
                            .otherwise(() -> "otherwise")
                            .select())
                    .isEqualTo("otherwise");
        });
    }

    @Test
    void whereNothingMayWait_nothingIsChosen() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            var thrown = new ArrayList<Throwable>();
            var selects = List.of(
                    Select.<String>of().receive(channel, v -> "received"),
                    Select.<String>of().send(channel, "x", () -> "sent"));
            Coroutine<?> switching = spawn(() -> {});
            SwitchHandlers.add(switching, (coroutine, entering, finishing) -> {
                for (Select<String> select : selects)
                    assertThatThrownBy(select::select)
                            .isInstanceOf(AsyncException.class)
                            .satisfies(thrown::add);
                return false;
            });
            await(switching);
            assertThat(thrown).hasSize(2);
            assertThat(channel.toString()).isEqualTo("channel (0/0)");
        });
    }

    @Test
    @Tag("K37")
    void waitThatWasPreparedAndNeverBegan_isNoPartOfTheChoice() {
        TestRuntime.run(() -> {
            var channel = new Channel<String>();
            var event = new ManualEvent("door");
            Coroutine<String> chooser = spawn(() -> {
                Waker.current().resumeWhen(event, ResumeCallback.RESOLVE);
                return Select.<String>of().receive(channel, v -> v).select();
            });
            suspend();
            assertThat(event.hasCallbacks()).isFalse();
            channel.send("x");
            assertThat(await(chooser)).isEqualTo("x");
        });
    }

    @Test
    @Tag("deep")
    @Tag("F2")
    @Tag("F3")
    void randomSchedules_loseAndDoubleNothing() {
        TestRuntime.run(() -> {
            for (int seed = 0; seed < 10_000; seed++) round(new Random(seed), seed);
        });
    }

    private static void round(Random random, int seed) {
        var channels = List.of(
                new Channel<Integer>(random.nextInt(3)),
                new Channel<Integer>(),
                new Channel<Integer>(random.nextInt(2)));
        Set<Integer> sent = new HashSet<>();
        Set<Integer> received = new HashSet<>();
        int[] last = {0};
        var all = new ArrayList<Coroutine<?>>();
        for (int i = 0; i < 6; i++) {
            Coroutine<?> one = spawn(() -> {
                for (int k = 0; k < 5; k++) {
                    var select = Select.<Body>of();
                    for (int arm = 1 + random.nextInt(3); arm > 0; arm--) {
                        Channel<Integer> channel = channels.get(random.nextInt(3));
                        int value = ++last[0];
                        if (random.nextBoolean())
                            select.receive(
                                    channel,
                                    v -> () -> assertThat(received.add(v)).isTrue());
                        else select.send(channel, value, () -> () -> sent.add(value));
                    }
                    if (random.nextInt(4) == 0) select.onTimeout(Duration.ofMillis(1), () -> () -> {});
                    if (random.nextInt(6) == 0) select.otherwise(() -> Async::suspend);
                    try {
                        select.select(timeout(1 + random.nextInt(4))).run();
                    } catch (OperationCanceledException givenUp) {
                        // and on
                    } catch (AsyncCancellation cancelled) {
                        if (random.nextBoolean()) throw cancelled;
                    }
                    if (random.nextInt(5) == 0)
                        all.get(random.nextInt(all.size())).cancel();
                }
            });
            if (random.nextInt(4) == 0) one.asHighPriority();
            all.add(one);
        }
        for (int i = 0; i < 100 && !all.stream().allMatch(Coroutine::isCompleted); i++) delay(1);
        assertThat(all).as("seed " + seed).allMatch(Coroutine::isCompleted);
        for (Channel<Integer> channel : channels) {
            channel.close();
            for (int value : channel)
                assertThat(received.add(value)).as("seed " + seed).isTrue();
            assertThat(channel.toString())
                    .as("seed " + seed)
                    .startsWith("channel (0/")
                    .doesNotContain(",");
        }
        assertThat(received).as("seed " + seed).isEqualTo(sent);
        for (Coroutine<?> one : all)
            if (one.exception() != null && !one.isCancelled())
                throw new AssertionError("seed " + seed, one.exception());
    }
}
