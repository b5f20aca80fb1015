package org.trueasync.internal.testkit;

import java.util.function.IntPredicate;

/** The ports of a host for who does not care which, as Linux has them; each is used again as late as possible. */
final class PortRange {
    private static final int FIRST = 32_768;
    private static final int LAST = 60_999;

    private int last = FIRST - 1;

    /** Returns a port that is not taken; -1 if all are. */
    int next(IntPredicate taken) {
        for (int tried = FIRST; tried <= LAST; tried++) {
            last = last == LAST ? FIRST : last + 1;
            if (!taken.test(last)) return last;
        }
        return -1;
    }
}
