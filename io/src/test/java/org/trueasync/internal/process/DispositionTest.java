package org.trueasync.internal.process;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.ArrayList;
import java.util.function.BooleanSupplier;
import org.junit.jupiter.api.Tag;
import org.junit.jupiter.api.Test;
import org.trueasync.Async;
import org.trueasync.Completable;
import org.trueasync.Coroutine;
import org.trueasync.internal.run.SystemSignals;
import org.trueasync.internal.testkit.Garbage;
import org.trueasync.internal.testkit.TestRuntime;
import org.trueasync.io.Signal;
import org.trueasync.io.Signals;

/** The table of signals: who is registered, and when the JVM has its own behaviour. Signals come by {@code raise}. */
class DispositionTest {
    private static final Signal SIGNAL = Signal.SIGWINCH;
    private static final Disposition TABLE = Disposition.of(SIGNAL);

    private static void eventually(BooleanSupplier condition) {
        long end = System.nanoTime() + 120_000_000_000L;
        while (!condition.getAsBoolean()) {
            assertThat(System.nanoTime() - end).as("gave up waiting").isNegative();
            Thread.onSpinWait();
        }
    }

    @Test
    @Tag("E28")
    void tenThousandRegistrations_leaveNothingBehind() {
        TestRuntime.run(() -> {
            for (int i = 0; i < 10_000; i++) Signals.next(SIGNAL).cancel();
            assertThat(TABLE.waiters()).isZero();
            assertThat(TABLE.isInstalled()).isFalse();
        });
    }

    @Test
    @Tag("E28")
    void dropped_isGivenUpByTheCollector() {
        TestRuntime.run(() -> {
            for (int i = 0; i < 100; i++) Signals.next(SIGNAL);
            eventually(() -> {
                Garbage.collect();
                return TABLE.waiters() == 0;
            });
        });
        eventually(() -> !TABLE.isInstalled());
    }

    @Test
    @Tag("E28")
    void runEnds_everythingIsGivenUp() {
        var kept = new ArrayList<Completable<Signal>>();
        TestRuntime.run(() -> {
            for (int i = 0; i < 10; i++) kept.add(Signals.next(SIGNAL));
            assertThat(TABLE.waiters()).isEqualTo(10);
            assertThat(TABLE.isInstalled()).isTrue();
        });
        assertThat(TABLE.waiters()).isZero();
        eventually(() -> !TABLE.isInstalled());
    }

    @Test
    @Tag("E29")
    void lastOneTold_jvmHasItsBehaviourBackBeforeItRuns() {
        TestRuntime.run(() -> {
            for (int i = 0; i < 100; i++) {
                Completable<Signal> next = Signals.next(SIGNAL);
                Coroutine<Signal> waiting = Async.spawn(() -> Async.await(next));
                Async.suspend();
                SystemSignals.raise("WINCH");
                assertThat(Async.await(waiting)).isEqualTo(SIGNAL);
                assertThat(TABLE.isInstalled()).isFalse();
            }
        });
    }

    @Test
    @Tag("E26")
    void registeredAndCancelledWhileSignalsCome_nobodyIsToldTwiceNorForgotten() {
        TestRuntime.run(() -> {
            var last = new ArrayList<Completable<Signal>>();
            for (int i = 0; i < 500; i++) {
                Completable<Signal> next = Signals.next(SIGNAL);
                if (i % 3 == 0) next.cancel();
                if (i % 50 == 0) SystemSignals.raise("WINCH");
                if (i % 7 == 0) Async.suspend();
                last.add(next);
            }
            Completable<Signal> end = Signals.next(SIGNAL);
            SystemSignals.raise("WINCH");
            assertThat(Async.await(end)).isEqualTo(SIGNAL);
            for (int i = 0; i < last.size(); i++) {
                // Each signal is told on a thread of its own, so that an earlier one may come later.
                Completable<Signal> one = last.get(i);
                eventually(() -> {
                    Async.suspend();
                    return one.isCompleted();
                });
                assertThat(one.isCancelled()).isEqualTo(i % 3 == 0);
            }
            assertThat(TABLE.waiters()).isZero();
            // nobody is there, and nobody minds
            SystemSignals.raise("WINCH");
        });
    }
}
