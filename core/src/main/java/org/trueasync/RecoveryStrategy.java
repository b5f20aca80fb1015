package org.trueasync;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.pool.FailureDetector;
import org.trueasync.internal.time.TimeLimits;

/**
 * Ready-made strategies for a {@link CircuitBreaker}. Too many failures deactivate it. After a waiting time, a limited
 * number of calls is let through on trial. If all of these calls succeed, the breaker is active again. The first one
 * that fails deactivates it for another waiting time. If the trial calls have not ended after another waiting time,
 * others are let through in their places. A call that began before the breaker was deactivated can't be told from a
 * trial: it counts as one if it succeeds while a trial is under way, or fails during the recovery.
 *
 * <p>A breaker that the program has deactivated is left alone until the program activates it or begins its recovery. If
 * a pool's factory fails, that counts as a failed call.
 *
 * <p>Belongs to the thread that made it. One strategy serves one breaker. It uses the runtime's clock; outside a
 * runtime, the system's.
 */
public final class RecoveryStrategy implements CircuitBreakerStrategy {
    /** A byte is kept for each. */
    private static final int MAX_CALLS = 1_000_000;

    private final FailureDetector detector;
    private final long recoverNanos;
    private final int trials;
    /** This strategy has deactivated the breaker, and the breaker has not been active since. */
    private boolean tripped;
    /**
     * This strategy is deactivating the breaker right now, so {@link #stateChanged} knows that the program did not do
     * it.
     */
    private boolean tripping;
    /** When the breaker was deactivated or the trials began, whichever was later; by {@link #nowNanos}. */
    private long sinceNanos;

    private int admitted;
    private int passed;

    private RecoveryStrategy(FailureDetector detector, long recoverNanos, int trials) {
        this.detector = detector;
        this.recoverNanos = recoverNanos;
        this.trials = trials;
    }

    /**
     * Deactivates the breaker after a number of failures in a row. Recovers after 30 seconds with one trial call.
     *
     * @param failures how many, >= 1
     * @throws IllegalArgumentException if out of range
     */
    public static RecoveryStrategy consecutiveFailures(int failures) {
        if (failures < 1) throw new IllegalArgumentException("failures must be >= 1, got " + failures);
        return new RecoveryStrategy(new FailureDetector.Consecutive(failures), 30_000_000_000L, 1);
    }

    /**
     * Deactivates the breaker when too large a part of the last calls has failed. Recovers after 30 seconds with one
     * trial call.
     *
     * @param rate which part of them has to fail, > 0, at most 1; 0.5 is half of them
     * @param calls how many of the last calls count, 1 to 1,000,000; before that many calls nothing is decided
     * @throws IllegalArgumentException if out of range
     */
    public static RecoveryStrategy failureRate(double rate, int calls) {
        if (!(rate > 0 && rate <= 1)) throw new IllegalArgumentException("rate must be > 0 and <= 1, got " + rate);
        if (calls < 1 || calls > MAX_CALLS)
            throw new IllegalArgumentException("calls must be 1 to " + MAX_CALLS + ", got " + calls);
        return new RecoveryStrategy(new FailureDetector.Rate(rate, calls), 30_000_000_000L, 1);
    }

    /**
     * Returns a new strategy with the same rule for failures and other settings for the recovery. It has counted no
     * failures yet.
     *
     * @param after the waiting time, >= 0, during which no call is let through
     * @param trialCalls how many calls are let through then, >= 1; all of them must succeed
     * @throws IllegalArgumentException if out of range
     */
    public RecoveryStrategy recoverAfter(Duration after, int trialCalls) {
        if (trialCalls < 1) throw new IllegalArgumentException("trialCalls must be >= 1, got " + trialCalls);
        return new RecoveryStrategy(
                detector.fresh(), TimeLimits.notNegative(after, "recoverAfter").toNanos(), trialCalls);
    }

    @Override
    public void reportSuccess(CircuitBreaker source) {
        switch (source.state()) {
            case ACTIVE -> recordOutcome(source, false);
            case RECOVERING -> {
                if (passed == admitted) return; // No trial is under way: the call began before the deactivation.
                if (++passed < trials) return;
                forget();
                source.activate();
            }
            case INACTIVE -> {
                // The call began before the breaker was deactivated.
            }
        }
    }

    @Override
    public void reportFailure(CircuitBreaker source, Throwable error) {
        switch (source.state()) {
            case ACTIVE -> recordOutcome(source, true);
            case RECOVERING -> trip(source);
            case INACTIVE -> {
                // The call began before the breaker was deactivated.
            }
        }
    }

    @Override
    public void reportUnreachable(CircuitBreaker source, Throwable error) {
        reportFailure(source, error);
    }

    private void recordOutcome(CircuitBreaker source, boolean failed) {
        // Active although this strategy had deactivated it: the program has activated it.
        if (tripped) forget();
        if (detector.isOutOfOrder(failed)) trip(source);
    }

    private void forget() {
        tripped = false;
        detector.reset();
    }

    private void trip(CircuitBreaker source) {
        detector.reset();
        tripped = true;
        sinceNanos = nowNanos();
        tripping = true;
        try {
            source.deactivate();
        } finally {
            tripping = false;
        }
    }

    @Override
    public void stateChanged(CircuitBreaker source) {
        switch (source.state()) {
            case ACTIVE -> forget();
            case INACTIVE -> tripped = tripping;
            // The trials are the same, whether this strategy or the program began the recovery.
            case RECOVERING -> beginTrials();
        }
    }

    @Override
    public boolean shouldRecover() {
        return tripped && nowNanos() - sinceNanos >= recoverNanos;
    }

    @Override
    public boolean admitsTrial(CircuitBreaker source) {
        if (admitted == trials) {
            if (nowNanos() - sinceNanos < recoverNanos) return false;
            beginTrials();
        }
        admitted++;
        return true;
    }

    @Override
    public @Nullable Duration retryIn(CircuitBreaker source) {
        switch (source.state()) {
            case ACTIVE -> {
                return Duration.ZERO;
            }
            case INACTIVE -> {
                if (!tripped) return null;
            }
            case RECOVERING -> {
                if (admitted < trials) return Duration.ZERO;
            }
        }
        long remainingNanos = recoverNanos - (nowNanos() - sinceNanos);
        return Duration.ofNanos(Math.max(remainingNanos, 0));
    }

    private void beginTrials() {
        sinceNanos = nowNanos();
        admitted = 0;
        passed = 0;
    }

    private static long nowNanos() {
        Loop here = Runtimes.hereOrNull();
        return here == null ? System.nanoTime() : here.reactor().nanoTime();
    }
}
