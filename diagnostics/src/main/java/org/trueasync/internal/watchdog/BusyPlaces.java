package org.trueasync.internal.watchdog;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.HashMap;
import java.util.List;
import java.util.Map;
import org.trueasync.internal.error.CodeSites;

/**
 * Where a busy loop computes, by samples of its stack. A place is the innermost method of the program. Older samples
 * count less: after each {@link #WINDOW} samples all counts are halved. One thread.
 */
final class BusyPlaces {
    /** The samples of some ten seconds. */
    static final int WINDOW = 100;

    /** Samples at further places count, but are not shown. */
    static final int MAX_PLACES = 64;

    private static final int SHOWN = 3;
    private static final int MIN_SAMPLES = 5;
    private static final String SHORT_TURNS = "turns too short to see";

    private static final class Place {
        int count;
        String calls = "";
    }

    private final Map<String, Place> places = new HashMap<>();
    private int total;

    /**
     * Takes a sample.
     *
     * @param stack of what runs on the loop, innermost frame first; empty if it was gone before it could be looked at
     */
    void add(List<StackTraceElement> stack) {
        total++;
        String key = stack.isEmpty() ? SHORT_TURNS : key(stack);
        Place place = places.get(key);
        if (place == null && places.size() < MAX_PLACES) {
            place = new Place();
            places.put(key, place);
        }
        if (place != null) {
            place.count++;
            place.calls = stack.isEmpty() ? SHORT_TURNS : StackText.calls(stack);
        }
        if (total >= WINDOW) halve();
    }

    private static String key(List<StackTraceElement> stack) {
        for (StackTraceElement frame : stack)
            if (CodeSites.isUserCode(frame)) return frame.getClassName() + '.' + frame.getMethodName();
        return "";
    }

    private void halve() {
        total /= 2;
        places.values().removeIf(place -> (place.count /= 2) == 0);
    }

    /** Forgets all samples. */
    void clear() {
        places.clear();
        total = 0;
    }

    /** True if there are samples enough to name places. */
    boolean areKnown() {
        return total >= MIN_SAMPLES;
    }

    /** The places with the largest shares, one on a line. */
    String text() {
        var lines = new ArrayList<String>();
        places.values().stream()
                .sorted(Comparator.comparingInt((Place place) -> place.count).reversed())
                .limit(SHOWN)
                .forEach(place -> lines.add("    " + 100 * place.count / total + " %  " + place.calls));
        return String.join("\n", lines);
    }
}
