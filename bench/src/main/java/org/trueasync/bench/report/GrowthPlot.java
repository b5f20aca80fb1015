package org.trueasync.bench.report;

import java.util.ArrayList;
import java.util.Comparator;
import java.util.List;
import java.util.Locale;
import java.util.SortedMap;
import java.util.stream.Collectors;

/** Draws what an element costs by the number of elements, as a multiple of what it costs among the fewest, as SVG. */
public final class GrowthPlot {
    private static final int LEFT = 60;
    private static final int TOP = 40;
    private static final int WIDTH = 560;
    private static final int HEIGHT = 420;
    private static final int LINE = 18;

    /** What the axes show; beyond that a line lies on the edge. */
    private static final int FEWEST = 1_000;

    private static final int MOST = 1_000_000;
    private static final double LEAST_COST = 0.25;
    private static final double HIGHEST_COST = 256;

    private record Line(String name, SortedMap<Integer, Double> costs) {
        double relative(int number) {
            return costs.get(number) / costs.firstEntry().getValue();
        }

        double last() {
            return relative(costs.lastKey());
        }
    }

    private final List<Line> lines = new ArrayList<>();

    /**
     * Adds a line.
     *
     * @param costs by the number of elements
     */
    public void add(String name, SortedMap<Integer, Double> costs) {
        lines.add(new Line(name, costs));
    }

    /** Returns the text of the picture. */
    public String format() {
        var svg = new StringBuilder();
        int height = Math.max(HEIGHT, lines.size() * LINE) + TOP + 50;
        put(svg, "<svg xmlns='http://www.w3.org/2000/svg' width='960' height='%d' font-family='sans-serif'", height);
        put(svg, " font-size='12'>%n<rect width='100%%' height='100%%' fill='white'/>%n");
        put(svg, "<text x='%d' y='20' font-size='14'>cost of an element,", LEFT);
        put(svg, " as a multiple of its cost among %,d</text>%n", FEWEST);
        for (int number = FEWEST; number <= MOST; number *= 10) {
            rule(svg, x(number), TOP, x(number), TOP + HEIGHT);
            put(svg, "<text x='%.0f' y='%d' text-anchor='middle'>%,d</text>%n", x(number), TOP + HEIGHT + 18, number);
        }
        for (double cost = LEAST_COST; cost <= HIGHEST_COST; cost *= 2) {
            rule(svg, LEFT, y(cost), LEFT + WIDTH, y(cost));
            put(svg, "<text x='%d' y='%.0f' text-anchor='end'>%s</text>%n", LEFT - 6, y(cost) + 4, text(cost));
        }
        lines.sort(Comparator.comparingDouble(Line::last).reversed());
        for (int i = 0; i < lines.size(); i++) draw(svg, lines.get(i), i);
        return svg.append("</svg>\n").toString();
    }

    /** The names stand beside the plot, that of the steepest line first. */
    private void draw(StringBuilder svg, Line line, int index) {
        String colour = "hsl(%d,70%%,%d%%)".formatted(index * 360 / lines.size(), index % 2 == 0 ? 35 : 50);
        String points = line.costs().keySet().stream()
                .map(number -> String.format(Locale.ROOT, "%.1f,%.1f", x(number), y(line.relative(number))))
                .collect(Collectors.joining(" "));
        put(svg, "<polyline points='%s' fill='none' stroke='%s' stroke-width='2'/>%n", points, colour);
        double y = TOP + LINE * (index + 0.5);
        put(svg, "<rect x='%d' y='%.0f' width='14' height='4' fill='%s'/>", LEFT + WIDTH + 20, y - 6, colour);
        put(svg, "<text x='%d' y='%.0f'>%s: ", LEFT + WIDTH + 40, y, line.name());
        put(svg, "%s at %,d</text>%n", text(line.last()), line.costs().lastKey());
    }

    private static void rule(StringBuilder svg, double x1, double y1, double x2, double y2) {
        put(svg, "<line x1='%.0f' y1='%.0f' x2='%.0f' y2='%.0f' stroke='#ddd'/>%n", x1, y1, x2, y2);
    }

    private static double x(int number) {
        return LEFT + WIDTH * Math.log((double) number / FEWEST) / Math.log((double) MOST / FEWEST);
    }

    private static double y(double cost) {
        double part = Math.log(cost / LEAST_COST) / Math.log(HIGHEST_COST / LEAST_COST);
        return TOP + HEIGHT * (1 - Math.clamp(part, 0.0, 1.0));
    }

    private static String text(double cost) {
        return String.format(Locale.ROOT, cost >= 10 || cost == Math.rint(cost) ? "%.0f" : "%.2f", cost);
    }

    private static void put(StringBuilder svg, String format, Object... values) {
        svg.append(String.format(Locale.ROOT, format, values));
    }
}
