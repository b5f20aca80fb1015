package org.trueasync.bench.report;

import java.util.Arrays;
import java.util.stream.DoubleStream;

/** One peer's figures in one row: a value for each round, or for each window or pass of a round. */
public final class Series {

    private double[] values = {};

    public void add(double value) {
        values = Arrays.copyOf(values, values.length + 1);
        values[values.length - 1] = value;
    }

    public boolean isEmpty() {
        return values.length == 0;
    }

    public double median() {
        return medianOf(Arrays.stream(values));
    }

    /**
     * Returns half the distance between the ends of the middle half of the values, as a part of the median. With three
     * values or fewer, these are the ends of all of them.
     */
    public double spread() {
        double median = median();
        if (median == 0) return 0;
        double[] sorted = Arrays.stream(values).sorted().toArray();
        int cutAtEachEnd = sorted.length / 4;
        return (sorted[sorted.length - 1 - cutAtEachEnd] - sorted[cutAtEachEnd]) / 2 / median;
    }

    public double min() {
        return Arrays.stream(values).min().orElse(Double.NaN);
    }

    public double max() {
        return Arrays.stream(values).max().orElse(Double.NaN);
    }

    /**
     * Returns the median of the ratios of all rounds, so that drift between rounds has no effect. If one of the two
     * peers lacks rounds, it is the ratio of the medians.
     */
    public double ratioTo(Series other) {
        if (values.length != other.values.length) {
            return median() / other.median();
        }
        double[] ratios = new double[values.length];
        Arrays.setAll(ratios, round -> values[round] / other.values[round]);
        return medianOf(Arrays.stream(ratios));
    }

    private static double medianOf(DoubleStream stream) {
        double[] sorted = stream.sorted().toArray();
        if (sorted.length == 0) {
            return Double.NaN;
        }
        int middle = sorted.length / 2;
        return sorted.length % 2 == 1 ? sorted[middle] : (sorted[middle - 1] + sorted[middle]) / 2;
    }
}
