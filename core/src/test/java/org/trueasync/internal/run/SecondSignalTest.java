package org.trueasync.internal.run;

import static org.assertj.core.api.Assertions.assertThat;

import java.util.concurrent.atomic.AtomicLong;
import org.junit.jupiter.api.Test;

/** When a signal ends the wait for coroutines, by a clock of the test's. */
class SecondSignalTest {
    private static final long SECOND = 1_000_000_000;

    private final AtomicLong clock = new AtomicLong(Long.MAX_VALUE - SECOND / 2);

    private SecondSignal begun() {
        return new SecondSignal(Thread.currentThread(), clock::get);
    }

    @Test
    void withinASecond_countsAsTheFirst() {
        try (var signals = begun()) {
            signals.signalReceived();
            clock.addAndGet(SECOND - 1);
            signals.signalReceived();
            assertThat(Thread.interrupted()).isFalse();
        }
    }

    @Test
    void afterASecond_interruptsWhoWaits() {
        try (var signals = begun()) {
            clock.addAndGet(SECOND);
            signals.signalReceived();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void waitThatGoesOn_hasASecondOfItsOwn() {
        try (var signals = begun()) {
            clock.addAndGet(2 * SECOND);
            signals.again();
            clock.addAndGet(SECOND - 1);
            signals.signalReceived();
            assertThat(Thread.interrupted()).isFalse();
            clock.addAndGet(1);
            signals.signalReceived();
            assertThat(Thread.interrupted()).isTrue();
        }
    }

    @Test
    void afterTheWait_doesNothing() {
        var signals = begun();
        clock.addAndGet(SECOND);
        signals.signalReceived();
        signals.close();
        assertThat(Thread.interrupted()).as("left over").isFalse();
        signals.signalReceived();
        assertThat(Thread.interrupted()).isFalse();
    }
}
