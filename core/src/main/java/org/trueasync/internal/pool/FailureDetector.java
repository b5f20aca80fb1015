package org.trueasync.internal.pool;

/** Decides from the outcomes of calls whether the service behind them is out of order. */
public interface FailureDetector {
    /**
     * Counts a call that has ended.
     *
     * @param failed true if the call failed
     * @return true if the service counts as out of order now
     */
    boolean isOutOfOrder(boolean failed);

    void reset();

    /** Returns a new detector with the same rule, which has counted no calls. */
    FailureDetector fresh();

    /** Counts failures without a success in between. */
    final class Consecutive implements FailureDetector {
        private final int limit;
        private int failures;

        /**
         * Creates a detector that has counted no failures.
         *
         * @param limit the number of failures in a row, >= 1
         */
        public Consecutive(int limit) {
            this.limit = limit;
        }

        @Override
        public boolean isOutOfOrder(boolean failed) {
            failures = failed ? failures + 1 : 0;
            return failures >= limit;
        }

        @Override
        public void reset() {
            failures = 0;
        }

        @Override
        public FailureDetector fresh() {
            return new Consecutive(limit);
        }
    }

    /**
     * Watches the share of failures among the last calls, the window. Before the window is full, the service never
     * counts as out of order.
     */
    final class Rate implements FailureDetector {
        private final boolean[] window;
        private final double limit;
        private int calls;
        private int failures;

        /**
         * Creates a detector that has counted no calls.
         *
         * @param limit the share of failures, {@code 0 < limit <= 1}
         * @param calls the length of the window, >= 1
         */
        public Rate(double limit, int calls) {
            this.limit = limit;
            this.window = new boolean[calls];
        }

        @Override
        public boolean isOutOfOrder(boolean failed) {
            int cell = calls % window.length;
            if (calls >= window.length && window[cell]) failures--;
            window[cell] = failed;
            if (failed) failures++;
            // Keeps the counter in the range of an int. Its remainder is the place in the window, and does not change.
            calls = calls + 1 < 2 * window.length ? calls + 1 : window.length;
            return calls >= window.length && failures >= limit * window.length;
        }

        @Override
        public void reset() {
            calls = 0;
            failures = 0;
        }

        @Override
        public FailureDetector fresh() {
            return new Rate(limit, window.length);
        }
    }
}
