package org.trueasync.testkit;

import static org.assertj.core.api.Assertions.assertThat;
import static org.assertj.core.api.Assertions.assertThatThrownBy;
import static org.junit.jupiter.api.Assumptions.assumeTrue;

import java.util.ArrayList;
import java.util.List;
import java.util.concurrent.CountDownLatch;
import java.util.concurrent.TimeUnit;
import java.util.concurrent.atomic.AtomicReference;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.AsyncCancellation;
import org.trueasync.AsyncTimeoutException;
import org.trueasync.Body;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.OperationCanceledException;
import org.trueasync.io.Exec;
import org.trueasync.io.Signal;
import org.trueasync.io.Signals;

/**
 * Signals that come from {@code kill}, on whatever reactor. Only such as do nothing by default: this is the JVM of the
 * tests.
 */
public abstract class SignalConformance {
    private final ReactorKit kit;
    private final TestRun run;

    protected SignalConformance(ReactorKit kit) {
        this.kit = kit;
        this.run = new TestRun(kit::create);
    }

    private void withSignals(Body body) {
        assumeTrue(kit.hasChildren(), "this reactor has no child processes, so nobody sends signals");
        run.run(() -> {
            body.run();
            assertThat(Async.runtimeStats().activeEvents()).isZero();
            assertThat(Async.runtimeStats().timers()).isZero();
        });
        assertThat(run.complaints()).isEmpty();
    }

    private static void send(Signal signal) {
        String name = signal.name().substring(3);
        assertThat(Exec.of(
                                "kill",
                                "-" + name,
                                Long.toString(ProcessHandle.current().pid()))
                        .run()
                        .exitCode())
                .isZero();
    }

    @Test
    @Tag("E26")
    void signalComes_whoWaitsGetsIt() {
        withSignals(() -> {
            Completable<Signal> next = Signals.next(Signal.SIGWINCH);
            assertThat(next.isCompleted()).isFalse();
            send(Signal.SIGWINCH);
            assertThat(Async.await(next)).isEqualTo(Signal.SIGWINCH);
            assertThat(next.isCompleted()).isTrue();
            assertThat(next.isCancelled()).isFalse();
            assertThat(Async.await(next)).isEqualTo(Signal.SIGWINCH);
        });
    }

    @Test
    @Tag("E26")
    void severalWait_eachGetsOneDelivery() {
        withSignals(() -> {
            var all = new ArrayList<Completable<Signal>>();
            for (int i = 0; i < 10; i++) all.add(Signals.next(Signal.SIGCONT));
            Completable<Signal> other = Signals.next(Signal.SIGURG);
            send(Signal.SIGCONT);
            for (Completable<Signal> each : all) assertThat(Async.await(each)).isEqualTo(Signal.SIGCONT);
            assertThat(other.isCompleted()).isFalse();
            send(Signal.SIGURG);
            assertThat(Async.await(other)).isEqualTo(Signal.SIGURG);
        });
    }

    @Test
    @Tag("E26")
    void signalComesBeforeItIsAwaited_isNotLost() {
        withSignals(() -> {
            Completable<Signal> early = Signals.next(Signal.SIGWINCH);
            Completable<Signal> witness = Signals.next(Signal.SIGWINCH);
            send(Signal.SIGWINCH);
            Async.await(witness);
            assertThat(early.isCompleted()).isTrue();
            assertThat(Async.await(early)).isEqualTo(Signal.SIGWINCH);
        });
    }

    @Test
    @Tag("E26")
    void oneAfterTheOther_eachIsWaitedForAnew() {
        withSignals(() -> {
            for (int i = 0; i < 20; i++) {
                Completable<Signal> next = Signals.next(Signal.SIGWINCH);
                send(Signal.SIGWINCH);
                assertThat(Async.await(next)).isEqualTo(Signal.SIGWINCH);
            }
        });
    }

    @Test
    @Tag("E26")
    void waitersInTwoRuntimes_bothGetIt() throws Exception {
        assumeTrue(kit.hasChildren(), "this reactor has no child processes, so nobody sends signals");
        var registered = new CountDownLatch(1);
        var got = new AtomicReference<Signal>();
        Thread other = Thread.ofPlatform().start(() -> new TestRun(kit::create).run(() -> {
            Completable<Signal> next = Signals.next(Signal.SIGWINCH);
            registered.countDown();
            got.set(Async.await(next));
        }));
        assertThat(registered.await(10, TimeUnit.SECONDS)).isTrue();
        withSignals(() -> {
            Completable<Signal> next = Signals.next(Signal.SIGWINCH);
            send(Signal.SIGWINCH);
            assertThat(Async.await(next)).isEqualTo(Signal.SIGWINCH);
        });
        other.join();
        assertThat(got.get()).isEqualTo(Signal.SIGWINCH);
    }

    @Test
    @Tag("E27")
    void tokenHasEndedAlready_failsAtOnceWithItsError() {
        withSignals(() -> {
            Coroutine<?> failed = Async.spawn(() -> {
                throw new IllegalStateException("the token's");
            });
            Completable<Signal> next = null;
            try {
                Async.await(failed);
            } catch (IllegalStateException expected) {
                next = Signals.next(Signal.SIGWINCH, failed);
            }
            assertThat(next.isCompleted()).isTrue();
            Completable<Signal> given = next;
            assertThatThrownBy(() -> Async.await(given)).hasMessageContaining("the token's");
            Coroutine<String> fine = Async.spawn(() -> "over");
            Async.await(fine);
            Completable<Signal> alsoFailed = Signals.next(Signal.SIGWINCH, fine);
            assertThatThrownBy(() -> Async.await(alsoFailed)).isInstanceOf(OperationCanceledException.class);
        });
    }

    @Test
    @Tag("E27")
    @Tag("F38")
    void tokenEndsFirst_failsWithItsError() {
        withSignals(() -> {
            Completable<Signal> next = Signals.next(Signal.SIGWINCH, Async.timeout(20));
            assertThatThrownBy(() -> Async.await(next)).isInstanceOf(AsyncTimeoutException.class);
            assertThat(next.isCompleted()).isTrue();
            Coroutine<Integer> token = Async.spawn(() -> 1);
            Completable<Signal> unawaited = Signals.next(Signal.SIGWINCH, token);
            Async.await(token);
            assertThat(unawaited.isCompleted()).isTrue();
        });
    }

    @Test
    @Tag("E27")
    void signalComesBeforeTheToken_tokenIsLeft() {
        withSignals(() -> {
            Completable<Signal> next = Signals.next(Signal.SIGWINCH, Async.timeout(60_000));
            send(Signal.SIGWINCH);
            assertThat(Async.await(next)).isEqualTo(Signal.SIGWINCH);
        });
    }

    @Test
    @Tag("E28")
    @Tag("F21")
    void nobodyAwaitsIt_runEnds() {
        withSignals(() -> {
            Signals.next(Signal.SIGTERM);
            Signals.next(Signal.SIGHUP, Async.timeout(3_600_000));
        });
    }

    @Test
    @Tag("E28")
    void waitGivenUp_runEnds() {
        withSignals(() -> {
            Completable<Signal> loser = Signals.next(Signal.SIGHUP);
            assertThatThrownBy(() -> Async.await(loser, Async.timeout(20)))
                    .isInstanceOf(OperationCanceledException.class);
            assertThat(loser.isCompleted()).isFalse();
            loser.cancel();
            assertThat(loser.isCancelled()).isTrue();
            assertThatThrownBy(() -> Async.await(loser)).isInstanceOf(AsyncCancellation.class);
        });
    }

    @Test
    @Tag("E28")
    void awaitingCoroutineCancelled_waitCanGoOn() {
        withSignals(() -> {
            Completable<Signal> next = Signals.next(Signal.SIGWINCH);
            Coroutine<Signal> waiting = Async.spawn(() -> Async.await(next));
            Async.suspend();
            waiting.cancel();
            assertThatThrownBy(() -> Async.await(waiting)).isInstanceOf(AsyncCancellation.class);
            send(Signal.SIGWINCH);
            assertThat(Async.await(next)).isEqualTo(Signal.SIGWINCH);
        });
    }

    @Test
    @Tag("E29")
    void signalsOfTheJvm_areRefusedWithAReason() {
        withSignals(() -> {
            for (Signal reserved : List.of(
                    Signal.SIGKILL,
                    Signal.SIGSTOP,
                    Signal.SIGSEGV,
                    Signal.SIGBUS,
                    Signal.SIGFPE,
                    Signal.SIGILL,
                    Signal.SIGQUIT,
                    Signal.SIGUSR2,
                    Signal.SIGPIPE,
                    Signal.SIGXFSZ,
                    Signal.SIGCHLD)) {
                assertThatThrownBy(() -> Signals.next(reserved))
                        .isInstanceOf(IllegalArgumentException.class)
                        .hasMessageStartingWith("can't wait for " + reserved + ": ");
            }
        });
    }

    @Test
    @Tag("E28")
    @Tag("deep")
    void tenThousandRounds_leaveNothingBehind() {
        withSignals(() -> {
            for (int i = 0; i < 10_000; i++) Signals.next(Signal.SIGWINCH).cancel();
            Completable<Signal> next = Signals.next(Signal.SIGWINCH);
            send(Signal.SIGWINCH);
            assertThat(Async.await(next)).isEqualTo(Signal.SIGWINCH);
        });
    }

    @Test
    void asFuture_endsWithTheSignal() {
        withSignals(() -> {
            var future = Signals.next(Signal.SIGWINCH).toCompletableFuture();
            System.gc();
            send(Signal.SIGWINCH);
            assertThat(Async.await(future)).isEqualTo(Signal.SIGWINCH);
        });
    }

    @Test
    @Tag("deep")
    void numbers_areTheSystems() {
        assumeTrue(kit.hasChildren(), "this reactor has no child processes");
        withSignals(() -> {
            for (Signal signal : Signal.values()) {
                String name = Exec.of("bash", "-c", "kill -l " + signal.number())
                        .run()
                        .outText()
                        .strip();
                assertThat("SIG" + name).isEqualTo(signal.name());
                assertThat(Signal.of(signal.number())).isEqualTo(signal);
            }
            assertThatThrownBy(() -> Signal.of(99)).isInstanceOf(IllegalArgumentException.class);
        });
    }
}
