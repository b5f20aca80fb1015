package org.trueasync;

import java.time.Duration;
import org.jspecify.annotations.Nullable;
import org.trueasync.internal.kernel.Loop;
import org.trueasync.internal.kernel.Runtimes;
import org.trueasync.internal.pool.FailureDetector;
import org.trueasync.internal.time.TimeLimits;

/**
 * The ready strategies of a {@link CircuitBreaker}: it is deactivated after too many failures; after a time a limited number of callers is let through on trial. If all
 * of them succeed it is active again, and with the first that fails it is inactive for another time. Trials that have not ended after that time are given up and
 * others take their places.
 *
 * <p>What was deactivated by hand stays so until it is activated by hand. A pool's factory that fails counts as a failed call.
 *
 * <p>Belongs to whoever made it: one strategy serves one breaker, on one thread. The time is the runtime's, outside of one the system's.
 */
public final class RecoveryStrategy implements CircuitBreakerStrategy {
    private final FailureDetector judge;
    private final long recoverNanos;
    private final int trials;
    /** It was this that deactivated the breaker, and it has not been active since. */
    private boolean tripped;
    /** It is just doing so. */
    private boolean tripping;
    /** When it was deactivated, or the trials began. */
    private long since;

    private int admitted;
    private int passed;

    private RecoveryStrategy(FailureDetector judge, long recoverNanos, int trials) {
        this.judge = judge;
        this.recoverNanos = recoverNanos;
        this.trials = trials;
    }

    /**
     * Deactivates after so many failures in a row. Recovers after 30 seconds with one trial call.
     *
     * @param failures >= 1
     */
    public static RecoveryStrategy consecutiveFailures(int failures) {
        if (failures < 1) throw new IllegalArgumentException("failures must be >= 1, got " + failures);
        return new RecoveryStrategy(new FailureDetector.Consecutive(failures), 30_000_000_000L, 1);
    }

    /**
     * Deactivates when so many of the last calls have failed. Recovers after 30 seconds with one trial call.
     *
     * @param rate > 0, at most 1: the part of the calls
     * @param calls >= 1: how many calls are looked at; fewer decide nothing
     */
    public static RecoveryStrategy failureRate(double rate, int calls) {
        if (!(rate > 0 && rate <= 1)) throw new IllegalArgumentException("rate must be > 0 and <= 1, got " + rate);
        if (calls < 1) throw new IllegalArgumentException("calls must be >= 1, got " + calls);
        return new RecoveryStrategy(new FailureDetector.Rate(rate, calls), 30_000_000_000L, 1);
    }

    /**
     * The same, for a breaker of its own, with another way to recover.
     *
     * @param after >= 0: how long nobody is let through
     * @param trialCalls >= 1: how many are let through then, and have to succeed
     */
    public RecoveryStrategy recoverAfter(Duration after, int trialCalls) {
        if (trialCalls < 1) throw new IllegalArgumentException("trialCalls must be >= 1, got " + trialCalls);
        return new RecoveryStrategy(
                judge.fresh(), TimeLimits.notNegative(after, "recoverAfter").toNanos(), trialCalls);
    }

    @Override
    public void reportSuccess(CircuitBreaker source) {
        switch (source.state()) {
            case ACTIVE -> judged(source, false);
            case RECOVERING -> {
                if (++passed < trials) return;
                forget();
                source.activate();
            }
            case INACTIVE -> {
                // of a call from before
            }
        }
    }

    @Override
    public void reportFailure(CircuitBreaker source, Throwable error) {
        switch (source.state()) {
            case ACTIVE -> judged(source, true);
            case RECOVERING -> trip(source);
            case INACTIVE -> {
                // of a call from before
            }
        }
    }

    @Override
    public void reportUnreachable(CircuitBreaker source, Throwable error) {
        reportFailure(source, error);
    }

    private void judged(CircuitBreaker source, boolean failed) {
        // somebody has activated it by hand
        if (tripped) forget();
        if (judge.isOutOfOrder(failed)) trip(source);
    }

    private void forget() {
        tripped = false;
        judge.reset();
    }

    private void trip(CircuitBreaker source) {
        judge.reset();
        tripped = true;
        since = now();
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
            case RECOVERING -> {
                // by this, or by hand: both may
            }
        }
    }

    @Override
    public boolean shouldRecover() {
        if (!tripped || now() - since < recoverNanos) return false;
        beginTrials();
        return true;
    }

    @Override
    public boolean admitsTrial(CircuitBreaker source) {
        if (admitted == trials) {
            if (now() - since < recoverNanos) return false;
            beginTrials();
        }
        admitted++;
        return true;
    }

    @Override
    public @Nullable Duration retryIn(CircuitBreaker source) {
        boolean trialFree = source.state() == CircuitBreakerState.RECOVERING && admitted < trials;
        if (trialFree) return Duration.ZERO;
        if (!tripped) return source.state() == CircuitBreakerState.INACTIVE ? null : Duration.ZERO;
        long left = recoverNanos - (now() - since);
        return Duration.ofNanos(Math.max(left, 0));
    }

    private void beginTrials() {
        since = now();
        admitted = 0;
        passed = 0;
    }

    private static long now() {
        Loop here = Runtimes.hereOrNull();
        return here == null ? System.nanoTime() : here.reactor().nanoTime();
    }
}
