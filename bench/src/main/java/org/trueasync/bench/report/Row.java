package org.trueasync.bench.report;

import java.util.List;

/**
 * One line of the table.
 *
 * @param higherIsBetter true for rates, which have no target: their ratio is inverted, so that below 1 always means
 *     that ours is better
 */
public record Row(String title, String unit, boolean higherIsBetter, List<Target> targets) {

    public static Row cost(String title, String unit, Target... targets) {
        return new Row(title, unit, false, List.of(targets));
    }

    public static Row rate(String title, String unit) {
        return new Row(title, unit, true, List.of());
    }
}
