package org.trueasync;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.trueasync.Async.await;
import static org.trueasync.Async.spawn;
import static org.trueasync.Async.suspend;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.Callable;
import java.util.concurrent.atomic.AtomicInteger;
import java.util.function.Consumer;
import java.util.stream.Stream;
import org.junit.jupiter.api.Named;
import org.junit.jupiter.api.Test;
import org.junit.jupiter.params.ParameterizedTest;
import org.junit.jupiter.params.provider.MethodSource;
import org.trueasync.internal.testkit.TestRuntime;

/**
 * What a future says in each of its states, which calls each of them refuses, and in which order it tells those who
 * wait.
 */
class FutureStatesTest {
    private static String info(FutureState<?> state) {
        assertThat(state.future().awaitingInfo()).hasSize(1);
        return state.future().awaitingInfo().getFirst();
    }

    @Test
    void info_tellsStateAndPlaces() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            String made = "future created " + state.future().createdLocation();
            assertThat(info(state)).isEqualTo(made + ", pending");
            state.complete("value");
            assertThat(info(state))
                    .isEqualTo(made + ", completed " + state.future().completedLocation());
            state.future().ignore();
            var failed = new FutureState<String>().ignore();
            failed.error(new IllegalStateException());
            assertThat(info(failed))
                    .isEqualTo("future created " + failed.future().createdLocation() + ", completed "
                            + failed.future().completedLocation() + " with an error");
            var cancelled = new FutureState<String>();
            cancelled.future().cancel();
            assertThat(info(cancelled))
                    .isEqualTo("future created " + cancelled.future().createdLocation() + ", completed "
                            + cancelled.future().completedLocation() + " by cancellation");
            var remote = new FutureState<String>();
            RemoteFuture<String> end = remote.handOver();
            assertThat(info(remote)).endsWith(", pending in another thread");
            end.complete("done");
            assertThat(await(remote.future())).isEqualTo("done");
        });
    }

    @Test
    void completedTwice_isRefusedWithTheFirstPlaceAndKeepsTheFirstValue() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            state.complete("first");
            assertThatThrownBy(() -> state.complete("second"))
                    .isInstanceOf(AsyncException.class)
                    .hasMessage("the future has been completed already, at "
                            + state.future().completedLocation());
            assertThatThrownBy(() -> state.error(new IllegalStateException()))
                    .hasMessage("the future has been completed already, at "
                            + state.future().completedLocation());
            assertThatThrownBy(state::handOver)
                    .hasMessage("the future has been completed already, at "
                            + state.future().completedLocation());
            assertThat(await(state.future())).isEqualTo("first");
            var cancelled = new FutureState<String>();
            cancelled.future().cancel();
            assertThatThrownBy(() -> cancelled.complete("late"))
                    .hasMessage("the future has been cancelled already, at "
                            + cancelled.future().completedLocation());
        });
    }

    @Test
    void handedOver_theStateRefusesToCompleteIt() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            RemoteFuture<String> end = state.handOver();
            String theirs =
                    ": the right to complete this future was handed over to another thread; it is in the RemoteFuture";
            assertThatThrownBy(() -> state.complete("mine")).hasMessage("FutureState.complete" + theirs);
            assertThatThrownBy(() -> state.error(new IllegalStateException())).hasMessage("FutureState.error" + theirs);
            assertThatThrownBy(state::handOver)
                    .hasMessage("FutureState.handOver: this future has been handed over before; once is all");
            end.complete("theirs");
            assertThat(await(state.future())).isEqualTo("theirs");
        });
    }

    static Stream<Named<Consumer<FutureState<String>>>> calls() {
        return Stream.of(
                Named.of("complete", state -> state.complete("value")),
                Named.of("error", state -> state.error(new IllegalStateException())),
                Named.of("handOver", FutureState::handOver),
                Named.of("cancel", state -> state.future().cancel()),
                Named.of("map", state -> state.future().map(value -> value)),
                Named.of("recover", state -> state.future().recover(error -> "recovered")),
                Named.of("onFinally", state -> state.future().onFinally(() -> {})),
                Named.of("ignore", state -> state.future().ignore()),
                Named.of("toCompletableFuture", state -> state.future().toCompletableFuture()));
    }

    @ParameterizedTest
    @MethodSource("calls")
    void fromAnotherThread_isRefusedAndChangesNothing(Consumer<FutureState<String>> call) {
        TestRuntime.run(() -> {
            for (boolean completed : new boolean[] {false, true}) {
                var state = new FutureState<String>();
                if (completed) state.complete("mine");
                String before = info(state);
                var thrown = new Throwable[1];
                Thread other = Thread.ofPlatform().start(() -> {
                    try {
                        call.accept(state);
                    } catch (Throwable e) {
                        thrown[0] = e;
                    }
                });
                other.join();
                assertThat(thrown[0]).isInstanceOf(AsyncException.class).hasMessageContaining("Future");
                assertThat(info(state)).isEqualTo(before);
                if (!completed) state.complete("mine");
                assertThat(await(state.future())).isEqualTo("mine");
            }
        });
    }

    @Test
    void waiters_goOnInTheOrderOfTheirCalls() {
        TestRuntime.run(() -> {
            var log = new ArrayList<String>();
            var state = new FutureState<String>();
            List<Coroutine<?>> waiters = new ArrayList<>();
            for (int i = 0; i < 4; i++) {
                int n = i;
                waiters.add(spawn(() -> log.add(n + " " + await(state.future()))));
            }
            suspend();
            state.complete("x");
            assertThat(log).isEmpty();
            suspend();
            assertThat(log).containsExactly("0 x", "1 x", "2 x", "3 x");
            for (Coroutine<?> waiter : waiters) assertThat(waiter.isCompleted()).isTrue();
        });
    }

    @Test
    void completedOne_isAlsoMetByWhoWaitsForSeveral() {
        TestRuntime.run(() -> {
            var open = new FutureState<String>();
            assertThat(Async.awaitAnyOrFail(List.of(open.future(), Future.completed("there"))))
                    .isEqualTo("there");
            assertThatThrownBy(() -> Async.awaitAnyOrFail(
                            List.of(open.future(), Future.<String>failed(new IllegalStateException("failed")))))
                    .hasMessage("failed");
            open.future().ignore();
        });
    }

    @Test
    void readerCancelsASpentOne_nothingHappens() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            state.complete("value");
            state.future().cancel();
            assertThat(state.future().isCancelled()).isFalse();
            assertThat(await(state.future())).isEqualTo("value");
        });
    }

    @Test
    void activeEvents_countAHandedOverFutureWhileSomebodyWaits() {
        TestRuntime.run(() -> {
            int before = Async.runtimeStats().activeEvents();
            var state = new FutureState<String>();
            Coroutine<?> early = spawn(() -> await(state.future()));
            suspend();
            assertThat(Async.runtimeStats().activeEvents())
                    .as("only coroutines can complete it")
                    .isEqualTo(before);
            RemoteFuture<String> end = state.handOver();
            assertThat(Async.runtimeStats().activeEvents())
                    .as("waited for when handed over")
                    .isEqualTo(before + 1);
            early.cancel();
            suspend();
            assertThat(Async.runtimeStats().activeEvents()).as("nobody waits").isEqualTo(before);
            Coroutine<String> late = spawn((Callable<String>) () -> await(state.future()));
            suspend();
            assertThat(Async.runtimeStats().activeEvents())
                    .as("waited for again")
                    .isEqualTo(before + 1);
            end.complete("done");
            assertThat(await(late)).isEqualTo("done");
            assertThat(Async.runtimeStats().activeEvents()).as("completed").isEqualTo(before);
        });
    }

    @Test
    void errorOfAnotherThreadThatComesAfterTheCancellation_isReported() {
        TestRuntime run = TestRuntime.run(() -> {
            var state = new FutureState<String>();
            RemoteFuture<String> end = state.handOver();
            assertThat(end.isCompleted()).isFalse();
            end.error(new IllegalStateException("too late"));
            assertThat(end.isCompleted()).isTrue();
            state.future().cancel();
            suspend();
            assertThat(state.future().isCancelled()).isTrue();
        });
        assertThat(run.reports())
                .singleElement()
                .asString()
                .startsWith("A future was cancelled while another thread completed it with an error:\n"
                        + "java.lang.IllegalStateException: too late");
    }

    @Test
    void errorOfAnotherThread_tellsWhereItWasGiven() {
        TestRuntime.run(() -> {
            var state = new FutureState<String>();
            state.handOver().error(new IllegalStateException("theirs"));
            assertThatThrownBy(() -> await(state.future())).hasMessage("theirs");
            assertThat(state.future().completedLocation()).startsWith("FutureStatesTest.java:");
        });
    }

    /** Asks for each read side when the other one of two threads is about to ask for the same. */
    private static void askInStep(List<FutureState<String>> states, AtomicInteger calls, List<Future<String>> answers) {
        for (FutureState<String> state : states) {
            calls.incrementAndGet();
            while (calls.get() < 2 * (answers.size() + 1)) Thread.yield();
            answers.add(state.future());
        }
    }

    @Test
    void askedOnTwoThreadsAtOnce_theReadSideIsOneObject() throws InterruptedException {
        var states = new ArrayList<FutureState<String>>();
        TestRuntime.run(() -> {
            for (int i = 0; i < 10_000; i++) states.add(new FutureState<>());
        });
        var there = new ArrayList<Future<String>>();
        var here = new ArrayList<Future<String>>();
        var calls = new AtomicInteger();
        Thread other = Thread.ofPlatform().start(() -> askInStep(states, calls, there));
        askInStep(states, calls, here);
        other.join();
        for (int i = 0; i < states.size(); i++) assertThat(here.get(i)).isSameAs(there.get(i));
    }
}
