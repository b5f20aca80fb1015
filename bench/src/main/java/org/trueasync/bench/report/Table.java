package org.trueasync.bench.report;

import java.util.ArrayList;
import java.util.Arrays;
import java.util.List;
import java.util.Locale;
import java.util.stream.Collectors;
import org.trueasync.bench.Peer;

/** The one table, in Markdown that is also readable as it is. */
public final class Table {

    private final Results results;
    private final List<Peer> columns;

    public Table(Results results) {
        this.results = results;
        this.columns = Arrays.stream(Peer.values())
                .filter(peer -> results.rows().stream()
                        .anyMatch(row -> !results.of(row, peer).isEmpty()))
                .toList();
    }

    public String format() {
        List<List<String>> lines = new ArrayList<>();
        lines.add(header());
        results.rows().forEach(row -> lines.add(cells(row)));
        return align(lines);
    }

    private List<String> header() {
        var cells = new ArrayList<>(List.of("workload", "unit"));
        columns.forEach(peer -> cells.add(peer == Peer.OURS ? peer.title : peer.title + " (ours/it)"));
        if (hasTargets()) cells.addAll(List.of("target", "reached"));
        return cells;
    }

    private List<String> cells(Row row) {
        var cells = new ArrayList<>(List.of(row.title(), row.unit()));
        columns.forEach(peer -> cells.add(cell(row, peer)));
        if (!hasTargets()) return cells;
        cells.add(row.targets().stream().map(Target::toString).collect(Collectors.joining("; ")));
        cells.add(row.targets().stream()
                .map(target -> Verdict.of(results, row, target).text)
                .collect(Collectors.joining("; ")));
        return cells;
    }

    /** Beside another state of our code there are no peers that a target could be about. */
    private boolean hasTargets() {
        return !columns.contains(Peer.OURS_BEFORE);
    }

    private String cell(Row row, Peer peer) {
        Series series = results.of(row, peer);
        if (series.isEmpty()) {
            return "";
        }
        String figure = figure(series.median()) + String.format(Locale.ROOT, " ±%.0f%%", 100 * series.spread());
        Series ours = results.of(row, Peer.OURS);
        if (peer == Peer.OURS || ours.isEmpty()) {
            return figure;
        }
        double ratio = row.higherIsBetter() ? series.ratioTo(ours) : ours.ratioTo(series);
        double best = row.higherIsBetter() ? series.max() / ours.max() : ours.min() / series.min();
        return figure + String.format(Locale.ROOT, " (%.2f; best %.2f)", ratio, best);
    }

    /** Formats a value with two decimals below 10, one below 100, else none. */
    private static String figure(double value) {
        if (value >= 100) {
            return String.format(Locale.ROOT, "%,d", Math.round(value));
        }
        return String.format(Locale.ROOT, value >= 10 ? "%.1f" : "%.2f", value);
    }

    private static String align(List<List<String>> lines) {
        int[] widths = new int[lines.getFirst().size()];
        lines.forEach(cells ->
                Arrays.setAll(widths, i -> Math.max(widths[i], cells.get(i).length())));
        var text = new StringBuilder();
        for (int i = 0; i < lines.size(); i++) {
            append(text, lines.get(i), widths);
            if (i == 0) {
                String rule =
                        Arrays.stream(widths).mapToObj("-"::repeat).collect(Collectors.joining(" | ", "| ", " |"));
                text.append(rule).append('\n');
            }
        }
        return text.toString();
    }

    private static void append(StringBuilder text, List<String> cells, int[] widths) {
        text.append('|');
        for (int i = 0; i < cells.size(); i++) {
            text.append(' ')
                    .append(cells.get(i))
                    .repeat(' ', widths[i] - cells.get(i).length())
                    .append(" |");
        }
        text.append('\n');
    }
}
