package org.trueasync.bench.report;

import java.util.List;
import org.trueasync.bench.Peer;

/** Whether a row reaches a target. */
public enum Verdict {
    YES("yes"),
    NO("NO"),
    UNKNOWN("?");

    public final String text;

    Verdict(String text) {
        this.text = text;
    }

    public static Verdict of(Results results, Row row, Target target) {
        Series ours = results.of(row, Peer.OURS);
        if (ours.isEmpty()) {
            return UNKNOWN;
        }
        return switch (target) {
            case Target.Absolute absolute -> ours.median() <= absolute.limit() ? YES : NO;
            case Target.Growth growth ->
                ours.ratioTo(results.of(growth.from(), Peer.OURS)) <= growth.limit() ? YES : NO;
            case Target.Ratio ratio -> ofRatio(results, row, ours, ratio);
        };
    }

    private static Verdict ofRatio(Results results, Row row, Series ours, Target.Ratio target) {
        List<Series> peers = target.peers().stream()
                .map(peer -> results.of(row, peer))
                .filter(series -> !series.isEmpty())
                .toList();
        if (peers.size() < target.peers().size()) {
            return UNKNOWN;
        }
        double toTheBest = peers.stream().mapToDouble(ours::ratioTo).max().orElse(Double.NaN);
        return toTheBest <= target.limit() ? YES : NO;
    }
}
