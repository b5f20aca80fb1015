package org.trueasync.examples;

import java.io.IOException;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.Collections;
import java.util.Comparator;
import java.util.LinkedHashMap;
import java.util.List;
import java.util.Map;
import java.util.regex.Matcher;
import java.util.regex.Pattern;
import java.util.stream.Stream;

/**
 * A note of docs/decisions.
 *
 * @param path its file, from that folder on
 * @param status the first words of its status
 * @param replacedBy numbers of notes
 * @param subject the heading below which the index has it
 */
record DecisionNote(
        String path, String number, String title, String status, List<String> replacedBy, String subject, String text) {
    static final Path ROOT = Path.of("").toAbsolutePath().getParent();
    static final Path FOLDER = ROOT.resolve("docs/decisions");

    static final String HOLDS = "holds";
    static final String PART = "replaced in part";
    static final String HISTORY = "history";

    private static final Pattern BEGIN = Pattern.compile("# (\\d{4}) (.+)\n\nStatus: (holds|replaced in part|history)"
            + "(?:(?:, replaced)? by (.*\\)))?\\. Subject: ([^.]+)\\.");

    /** All of them. Fails with the first one that does not begin as it should. */
    static List<DecisionNote> all() throws IOException {
        List<DecisionNote> notes = new ArrayList<>();
        try (Stream<Path> files = Files.walk(FOLDER)) {
            for (Path file : files.filter(path -> path.toString().endsWith(".md"))
                    .sorted(Comparator.comparing(path -> path.getFileName().toString()))
                    .toList()) {
                String path = FOLDER.relativize(file).toString().replace('\\', '/');
                if (!path.equals("README.md")) notes.add(of(path, Files.readString(file)));
            }
        }
        return notes;
    }

    private static DecisionNote of(String path, String text) {
        String[] paragraphs = text.split("\n\n", 3);
        String head = paragraphs[0] + "\n\n" + (paragraphs.length < 3 ? "" : paragraphs[1].replace('\n', ' '));
        Matcher begin = BEGIN.matcher(head);
        if (!begin.matches() || !path.replaceFirst(".*/", "").startsWith(begin.group(1) + "-"))
            throw new AssertionError("docs/decisions/" + path + " must begin with '# NNNN title', an empty line, and"
                    + " 'Status: holds. Subject: X.', 'Status: replaced in part by [NNNN](...). Subject: X.' or"
                    + " 'Status: history, replaced by [NNNN](...). Subject: X.', but begins with\n" + head);
        List<String> by = begin.group(4) == null
                ? List.of()
                : Pattern.compile("\\[(\\d{4})]")
                        .matcher(begin.group(4))
                        .results()
                        .map(found -> found.group(1))
                        .toList();
        return new DecisionNote(path, begin.group(1), begin.group(2), begin.group(3), by, begin.group(5), text);
    }

    boolean isHistory() {
        return status.equals(HISTORY);
    }

    /** The index of these notes, by an older one: with its introduction, and in its order of subjects. */
    static String index(List<DecisionNote> notes, String older) {
        int lists = older.indexOf("\n## ") + 1;
        Map<String, List<DecisionNote>> subjects = new LinkedHashMap<>();
        Pattern.compile("(?m)^## (.+)$")
                .matcher(older.substring(lists))
                .results()
                .forEach(heading -> subjects.put(heading.group(1), new ArrayList<>()));
        subjects.remove("History");
        List<DecisionNote> history = new ArrayList<>();
        for (DecisionNote note : notes)
            (note.isHistory() ? history : subjects.computeIfAbsent(note.subject, _ -> new ArrayList<>())).add(note);
        subjects.put("History", history);
        var index = new StringBuilder(older.substring(0, lists));
        String separator = "";
        for (var subject : subjects.entrySet()) {
            if (subject.getValue().isEmpty()) continue;
            Collections.reverse(subject.getValue());
            index.append(separator).append("## ").append(subject.getKey()).append("\n\n| | |\n|---|---|\n");
            for (DecisionNote note : subject.getValue()) index.append(note.row());
            separator = "\n";
        }
        return index.toString();
    }

    /** Its only link is that to the note: the site takes each link of the list for a row. */
    private String row() {
        String replaced = replacedBy.isEmpty()
                ? ""
                : " (" + (isHistory() ? "replaced" : PART) + " by " + String.join(", ", replacedBy) + ")";
        return "| [" + number + "](" + path + ") | " + title + replaced + " |\n";
    }
}
