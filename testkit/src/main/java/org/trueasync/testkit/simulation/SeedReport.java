package org.trueasync.testkit.simulation;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.NoSuchFileException;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.ArrayList;
import java.util.List;
import java.util.Map;
import java.util.TreeMap;
import org.jspecify.annotations.Nullable;

/**
 * What has become of some seeds.
 *
 * @param done how many have passed
 * @param ended whether no more will be run
 * @param reached whether what checks name was reached
 * @param failure what is told of the seed that failed; null if none did
 */
record SeedReport(
        long done,
        boolean ended,
        Map<String, Boolean> reached,
        @Nullable String failure) {
    static final SeedReport NONE = new SeedReport(0, false, Map.of(), null);

    /** One about the seeds of both. */
    SeedReport and(SeedReport other) {
        var both = new TreeMap<>(reached);
        other.reached.forEach((what, held) -> both.merge(what, held, Boolean::logicalOr));
        return new SeedReport(done + other.done, ended && other.ended, both, failure == null ? other.failure : failure);
    }

    /** The names of what was not reached. */
    List<String> missing() {
        return reached.entrySet().stream()
                .filter(entry -> !entry.getValue())
                .map(Map.Entry::getKey)
                .sorted()
                .toList();
    }

    /** Replaces a file as a whole. */
    void write(Path file) throws IOException {
        var lines = new ArrayList<String>();
        lines.add(done + " " + ended + " " + reached.size());
        reached.forEach((what, held) -> lines.add(held + " " + what.replace('\n', ' ')));
        if (failure != null) lines.add(failure);
        Path next = file.resolveSibling(file.getFileName() + ".new");
        Files.write(next, lines);
        Files.move(next, file, StandardCopyOption.ATOMIC_MOVE);
    }

    /** Reads what {@link #write} has written; another report if it has not. */
    static SeedReport read(Path file, SeedReport before) throws IOException {
        List<String> lines;
        try {
            lines = Files.readAllLines(file);
        } catch (NoSuchFileException notYet) {
            return before;
        }
        String[] head = lines.getFirst().split(" ");
        int facts = Integer.parseInt(head[2]);
        var reached = new TreeMap<String, Boolean>();
        for (String fact : lines.subList(1, 1 + facts)) {
            int space = fact.indexOf(' ');
            reached.put(fact.substring(space + 1), Boolean.parseBoolean(fact.substring(0, space)));
        }
        List<String> failure = lines.subList(1 + facts, lines.size());
        return new SeedReport(
                Long.parseLong(head[0]),
                Boolean.parseBoolean(head[1]),
                reached,
                failure.isEmpty() ? null : String.join("\n", failure));
    }
}
