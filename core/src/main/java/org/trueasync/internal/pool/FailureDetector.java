package org.trueasync.internal.pool;

/** Decides from the outcomes of calls whether what they go to is out of order. */
public interface FailureDetector {
    /**
     * A call has ended.
     *
     * @param failed how
     * @return true if that is enough
     */
    boolean isOutOfOrder(boolean failed);

    /** Forgets what was. */
    void reset();

    /** The same rule, nothing known. */
    FailureDetector fresh();

    /** So many failures without a success in between. */
    final class Consecutive implements FailureDetector {
        private final int limit;
        private int failures;

        /**
         * No failure so far.
         *
         * @param limit >= 1
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

    /** So many failures among the last calls, of which there must have been as many as the window is long. */
    final class Rate implements FailureDetector {
        private final boolean[] window;
        private final double limit;
        private int calls;
        private int failures;

        /**
         * No call so far.
         *
         * @param limit 0 < limit <= 1
         * @param calls >= 1
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
            // stays in the range of an int without losing its place in the window
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
