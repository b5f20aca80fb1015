package org.trueasync.internal.watchdog;

import java.util.HashMap;
import java.util.HashSet;
import java.util.Map;
import java.util.Set;

/** The places that have been reported; a bounded number. One thread. */
final class ReportedSites {
    /** More reports than this help no reader. */
    static final int MAX_SITES = 1_000;

    private final Set<String> reported = new HashSet<>();
    private final Map<String, Long> forgiven = new HashMap<>();
    private String last = "";
    private long lastHold = Long.MIN_VALUE;

    /**
     * Called once in each limit's time while a loop is held. One hold may go through several places: the first is where
     * the limit was reached; another one counts from the second sample on, when it has taken about as long itself.
     *
     * @param place where the loop is held
     * @param hold when the hold began, which tells it from others
     * @return true, once, for a place that is to be reported
     */
    boolean isNew(String place, long hold) {
        boolean counts = hold != lastHold || place.equals(last);
        last = place;
        lastHold = hold;
        return counts && !isFull() && reported.add(place);
    }

    /**
     * For code that may take long the first time: its first hold is forgiven.
     *
     * @param place where the loop is held
     * @param hold when the hold began
     * @return true while this is the first hold there, or if {@link #MAX_SITES} other places have been forgiven already
     */
    boolean isFirstHold(String place, long hold) {
        Long first = forgiven.get(place);
        if (first != null) return first == hold;
        if (forgiven.size() < MAX_SITES) forgiven.put(place, hold);
        return true;
    }

    boolean isFull() {
        return reported.size() >= MAX_SITES;
    }
}
