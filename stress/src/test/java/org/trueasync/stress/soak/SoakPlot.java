package org.trueasync.stress.soak;

import java.util.ArrayList;
import java.util.List;
import java.util.Locale;
import java.util.function.ToDoubleFunction;
import org.trueasync.internal.testkit.Resources;

/** Draws what a soaked process holds over time, as SVG: a strip for each resource, from 0 to above its highest. */
final class SoakPlot {
    private static final int LEFT = 60;
    private static final int WIDTH = 640;
    private static final int HEIGHT = 70;
    private static final int STRIP = 110;
    private static final int TOP = 30;

    /**
     * What there was at a time.
     *
     * @param seconds since the begin
     * @param messages of all lanes so far
     * @param resources of the process
     */
    record Sample(double seconds, long messages, Resources resources) {}

    private record Strip(String title, ToDoubleFunction<Sample> value) {}

    private static final List<Strip> STRIPS = List.of(
            new Strip("heap after a collection, MiB", s -> s.resources().heap()),
            new Strip("resident memory, MiB", s -> s.resources().resident()),
            new Strip("descriptors", s -> s.resources().descriptors()),
            new Strip("threads", s -> s.resources().threads()),
            new Strip("messages so far, millions", s -> s.messages() / 1e6));

    private final List<Sample> samples = new ArrayList<>();
    private final StringBuilder svg = new StringBuilder();

    void add(Sample sample) {
        samples.add(sample);
    }

    /** Returns the text of the picture; for once, and two samples or more. */
    String format() {
        put("<svg xmlns='http://www.w3.org/2000/svg' width='760' height='%d'", STRIPS.size() * STRIP + TOP);
        put(" font-family='sans-serif' font-size='12'>%n<rect width='100%%' height='100%%' fill='white'/>%n");
        int top = TOP;
        for (Strip strip : STRIPS) {
            draw(strip, top);
            top += STRIP;
        }
        double end = samples.getLast().seconds();
        put("<text x='%d' y='%d'>0 s</text>%n", LEFT, top - 10);
        put("<text x='%d' y='%d' text-anchor='end'>%.0f s</text>%n", LEFT + WIDTH, top - 10, end);
        return svg.append("</svg>\n").toString();
    }

    private void draw(Strip strip, int top) {
        double highest = samples.stream().mapToDouble(strip.value).max().orElse(0);
        double edge = Math.max(1, 1.15 * highest);
        put("<text x='%d' y='%d'>%s</text>%n", LEFT, top - 6, strip.title);
        put("<rect x='%d' y='%d' width='%d' height='%d' fill='none' stroke='#ddd'/>%n", LEFT, top, WIDTH, HEIGHT);
        double line = top + HEIGHT * (1 - highest / edge);
        put("<text x='%d' y='%.0f' text-anchor='end'>%s</text>%n", LEFT - 6, line + 4, text(highest));
        put("<text x='%d' y='%d' text-anchor='end'>0</text>%n", LEFT - 6, top + HEIGHT + 4);
        put("<polyline fill='none' stroke='#36c' stroke-width='2' points='");
        double end = samples.getLast().seconds();
        for (Sample sample : samples) {
            double part = strip.value.applyAsDouble(sample) / edge;
            put("%.1f,%.1f ", LEFT + WIDTH * sample.seconds() / end, top + HEIGHT * (1 - part));
        }
        put("'/>%n");
    }

    private static String text(double value) {
        return String.format(Locale.ROOT, "%,.0f", value);
    }

    private void put(String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}
