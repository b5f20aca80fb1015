package org.trueasync.launcher;

import java.util.List;
import java.util.Optional;

/** Finds the known word that is most similar to a misspelt one. */
final class Nearest {
    private Nearest() {}

    /**
     * Returns the known word with the fewest edits to the given one.
     *
     * @param word the misspelt word
     * @param known the known words
     * @return the nearest word; empty if every known word differs in more than one letter and in more than a third of
     *     its letters
     */
    static Optional<String> to(String word, List<String> known) {
        Optional<String> nearest = Optional.empty();
        int least = Integer.MAX_VALUE;
        for (String candidate : known) {
            int edits = edits(word, candidate);
            if (edits < least && edits <= Math.max(1, candidate.length() / 3)) {
                least = edits;
                nearest = Optional.of(candidate);
            }
        }
        return nearest;
    }

    /**
     * Number of letters to insert, delete or replace; swapping two neighbours counts as one edit (optimal string
     * alignment).
     */
    private static int edits(String a, String b) {
        int[][] cost = new int[a.length() + 1][b.length() + 1];
        for (int i = 0; i <= a.length(); i++) {
            for (int j = 0; j <= b.length(); j++) {
                if (i == 0 || j == 0) {
                    cost[i][j] = i + j;
                    continue;
                }
                int replaced = cost[i - 1][j - 1] + (a.charAt(i - 1) == b.charAt(j - 1) ? 0 : 1);
                cost[i][j] = Math.min(replaced, 1 + Math.min(cost[i - 1][j], cost[i][j - 1]));
                if (i > 1 && j > 1 && a.charAt(i - 1) == b.charAt(j - 2) && a.charAt(i - 2) == b.charAt(j - 1)) {
                    cost[i][j] = Math.min(cost[i][j], 1 + cost[i - 2][j - 2]);
                }
            }
        }
        return cost[a.length()][b.length()];
    }
}
